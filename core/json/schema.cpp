#include "core/json/schema.h"

#include <array>
#include <cassert>
#include <charconv>

#include "core/text/sanitized.h"

namespace warplens {
namespace {

constexpr std::array<Schema, 23> schemas{{{Document::list, "list", 1},
                                          {Document::doctor, "doctor", 1},
                                          {Document::map, "map", 1},
                                          {Document::prediction, "prediction", 1},
                                          {Document::measurement, "measurement", 2},
                                          {Document::programPrediction, "program_prediction", 1},
                                          {Document::programMeasurement, "program_measurement", 1},
                                          {Document::programSweep, "program_sweep", 1},
                                          {Document::sweep, "sweep", 1},
                                          {Document::roofline, "roofline", 1},
                                          {Document::occupancy, "occupancy", 1},
                                          {Document::lessons, "lessons", 1},
                                          {Document::lesson, "lesson", 1},
                                          {Document::figure, "figure", 1},
                                          {Document::screenshot, "screenshot", 1},
                                          {Document::description, "description", 1},
                                          {Document::error, "error", 1},
                                          {Document::recording, "recording", 2},
                                          {Document::recordedSweep, "recorded_sweep", 2},
                                          {Document::lessonFile, "lesson_file", 2},
                                          {Document::settings, "settings", 1},
                                          {Document::workerRequest, "worker_request", 2},
                                          {Document::workerEvent, "worker_event", 2}}};

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

std::string withSchema(Document document, std::string_view object) {
    assert(object.starts_with('{'));
    const std::size_t firstMember = object.find('"');
    const std::string_view before = object.substr(1, firstMember - 1);  // line break and indent
    const std::string_view colon = before.empty() ? ":" : ": ";
    std::string text = "{" + std::string(before) + "\"schema\"" + std::string(colon) + '"' +
                       schemaOf(document) + "\"," + std::string(before);
    return text.append(sanitizedJson(object.substr(firstMember)));
}

}  // namespace warplens
