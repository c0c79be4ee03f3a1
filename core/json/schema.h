#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warplens {

/// The JSON documents that are read and written. Each says what it is in its first member,
/// `schema`.
enum class Document {
    list,                ///< `list --json`
    doctor,              ///< `doctor --json`
    compilerSetup,       ///< `setup-compiler --json`
    map,                 ///< `map --json`
    prediction,          ///< `predict SCENARIO --json`
    measurement,         ///< `measure SCENARIO --json`
    programPrediction,   ///< `predict FILE.cu --json`
    programMeasurement,  ///< `measure FILE.cu --json`
    programSweep,        ///< `sweep FILE.cu --json`
    sweep,               ///< `sweep --json`
    roofline,            ///< `roofline --json`
    occupancy,           ///< `occupancy --json`
    lessons,             ///< `lesson --json`, all of them
    lesson,              ///< `lesson ID --json`
    progress,            ///< `progress --json`
    figure,              ///< `figure --json`
    screenshot,          ///< `screenshot --json`
    description,         ///< `describe --json`
    check,               ///< `check FILE.cu --format json`
    courseCheck,         ///< `check COURSE --json`
    explanation,         ///< `explain FILE.cu --json`
    error,               ///< instead of each of these, where it cannot be had
    recording,           ///< file: a measurement that was kept
    recordedSweep,       ///< file: a sweep that was kept
    lessonFile,          ///< file: a lesson as it was written
    settings,            ///< file: what the window keeps from one start to the next
    workerRequest,       ///< a line that a worker reads
    workerEvent,         ///< a line that a worker writes
};

/// A row of the table of documents. A document's number grows by one when a member changes its
/// meaning, its type or its unit, or goes; members that are added leave it as it is.
struct Schema final {
    Document document;
    std::string_view name;  ///< `measurement`; its file is assets/schemas/measurement.schema.json
    int number;
    std::string_view title;  ///< what it is, and what writes it
};

/// In the enumerators' order.
[[nodiscard]] std::span<const Schema> allSchemas();

/// The document's number in this version.
[[nodiscard]] int schemaNumber(Document document);

/// What a document that is written calls itself: `warplens.measurement/2`.
[[nodiscard]] std::string schemaOf(Document document);

/// The number in the text of a `schema` member that names this document, in whatever version;
/// nothing where it names another document or none.
[[nodiscard]] std::optional<int> schemaNumberFrom(Document document, std::string_view text);

}  // namespace warplens
