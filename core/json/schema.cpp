#include "core/json/schema.h"

#include <array>
#include <charconv>

#include "core/text/sanitized.h"

namespace warplens {
namespace {

constexpr std::array<Schema, 27> schemas{{
    {Document::list, "list", 1, "`warplens list --json`: scenarios, and the recordings of each"},
    {Document::doctor, "doctor", 1,
     "`warplens doctor --json`: what this machine can do, and why not the rest"},
    {Document::compilerSetup, "compiler_setup", 1,
     "`warplens setup-compiler --json`: NVIDIA's compiler in Warplens' own folder"},
    {Document::map, "map", 1, "`warplens map --json`: every thread of a launch"},
    {Document::prediction, "prediction", 1,
     "`warplens predict --json`: what a launch will do, by tracing its kernel without a GPU"},
    {Document::measurement, "measurement", 3,
     "`warplens measure --json`: what a GPU did in one launch, and beside it what was predicted"},
    {Document::programPrediction, "program_prediction", 2,
     "`warplens predict FILE.cu --json`: what the launches of a program will do, line by line"},
    {Document::programMeasurement, "program_measurement", 2,
     "`warplens measure FILE.cu --json`: what a GPU did in a program's launches, line by line, and "
     "beside it what was predicted"},
    {Document::programSweep, "program_sweep", 2,
     "`warplens sweep FILE.cu --json`: what the launches of a program will do, with something "
     "varied"},
    {Document::sweep, "sweep", 2, "`warplens sweep --json`: one size or the block's shape varied"},
    {Document::roofline, "roofline", 1,
     "`warplens roofline --json`: the matrix products under what a device can compute and move"},
    {Document::occupancy, "occupancy", 1,
     "`warplens occupancy --json`: how many blocks an SM holds at once, and what keeps it from "
     "more"},
    {Document::lessons, "lessons", 1, "`warplens lesson --json`: the lessons"},
    {Document::lesson, "lesson", 1,
     "`warplens lesson ID --json`: a lesson with its numbers looked up"},
    {Document::progress, "progress", 1,
     "`warplens progress --json`: how far somebody has come in the lessons"},
    {Document::figure, "figure", 1, "`warplens figure --json`: the figure that was drawn"},
    {Document::screenshot, "screenshot", 1,
     "`warplens screenshot --json`: the picture that was drawn"},
    {Document::description, "description", 1,
     "`warplens describe --json`: what the pictures of a launch show, in sentences"},
    {Document::check, "check", 1,
     "`warplens check FILE.cu --format json`: what programs break of the rules, and a baseline for "
     "the next check"},
    {Document::explanation, "explanation", 1,
     "`warplens explain FILE.cu --json`: why lines cost what they cost"},
    {Document::error, "error", 1, "Instead of any other document: why it cannot be had"},
    {Document::recording, "recording", 3,
     "A file of `warplens measure --save`: a measurement that was kept"},
    {Document::recordedSweep, "recorded_sweep", 3,
     "A file of `warplens sweep --save`: a sweep that was kept"},
    {Document::lessonFile, "lesson_file", 2, "A lesson as it is written: assets/lessons/*.json"},
    {Document::settings, "settings", 1,
     "settings.json: what the window keeps from one start to the next"},
    {Document::workerRequest, "worker_request", 2, "A line that warplens-measure reads"},
    {Document::workerEvent, "worker_event", 3, "A line that warplens-measure writes"},
}};

constexpr bool inOrder() {
    for (std::size_t i = 0; i < schemas.size(); ++i) {
        if (schemas[i].document != static_cast<Document>(i)) return false;
    }
    return true;
}
static_assert(inOrder());

std::string beforeTheNumber(Document document) {
    return "warplens." + std::string(schemas.at(static_cast<std::size_t>(document)).name) + '/';
}

}  // namespace

std::span<const Schema> allSchemas() {
    return schemas;
}

int schemaNumber(Document document) {
    return schemas.at(static_cast<std::size_t>(document)).number;
}

std::string schemaOf(Document document) {
    return beforeTheNumber(document) + std::to_string(schemaNumber(document));
}

std::optional<int> schemaNumberFrom(Document document, std::string_view text) {
    const std::string before = beforeTheNumber(document);
    if (!text.starts_with(before)) return std::nullopt;
    text.remove_prefix(before.size());
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 1) return std::nullopt;
    return number;
}

}  // namespace warplens
