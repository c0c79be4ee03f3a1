#include "core/program/program_json.h"
#include "core/program/program_measurement.h"

namespace warplens::program_json {
namespace {

using namespace json_reader;

Json tree(const ArrayCheck& check) {
    return {{"array", check.array},
            {"equal", check.equal},
            {"within", check.within},
            {"different", check.different},
            {"first_different", check.firstDifferent},
            {"largest_error", check.largestError},
            {"tolerance", check.tolerance},
            {"reordered", check.reordered}};
}

ArrayCheck arrayCheckOf(const Json& object) {
    return {.array = text(object, "array"),
            .equal = count(object, "equal"),
            .within = count(object, "within"),
            .different = count(object, "different"),
            .firstDifferent = count(object, "first_different"),
            .largestError = number(object, "largest_error"),
            .tolerance = number(object, "tolerance"),
            .reordered = flag(object, "reordered")};
}

void addJudge(Json& object, const char* name, const std::optional<std::uint64_t>& value) {
    if (value) object[name] = *value;
}

std::optional<std::uint64_t> judgeOf(const Json& object, const char* name) {
    if (!object.contains(name)) return std::nullopt;
    return count(object, name);
}

Json tree(const LineDifference& difference) {
    Json object{{"file", difference.file},
                {"line", difference.line},
                {"kind", toString(difference.kind)},
                {"quantity", difference.quantity}};
    addJudge(object, "predicted", difference.predicted);
    addJudge(object, "probed", difference.probed);
    addJudge(object, "counted", difference.counted);
    object["cause"] = toString(difference.cause);
    object["words"] = difference.words;
    object["intervention"] = difference.intervention;
    return object;
}

LineDifference differenceOf(const Json& object) {
    return {.file = text(object, "file"),
            .line = count<std::uint32_t>(object, "line"),
            .kind = named(object, "kind", lineKindFromString),
            .quantity = text(object, "quantity"),
            .predicted = judgeOf(object, "predicted"),
            .probed = judgeOf(object, "probed"),
            .counted = judgeOf(object, "counted"),
            .cause = named(object, "cause", differenceCauseFromString),
            .words = text(object, "words"),
            .intervention = text(object, "intervention")};
}

Json tree(const CompiledLine& line) {
    return {{"file", line.file}, {"line", line.line}, {"ptx", line.ptx}, {"sass", line.sass}};
}

CompiledLine compiledLineOf(const Json& object) {
    return {.file = text(object, "file"),
            .line = count<std::uint32_t>(object, "line"),
            .ptx = texts(object, "ptx"),
            .sass = texts(object, "sass")};
}

template <class Item>
Json treeOfList(const std::vector<Item>& items) {
    Json list = Json::array();
    for (const Item& item : items) list.push_back(tree(item));
    return list;
}

}  // namespace

Json treeOf(const ProgramMeasurement& m) {
    Json object{{"kernel", m.kernel}, {"launch", treeOf(m.launch)}};
    object["device"] = treeOf(m.device);
    object["taken_at"] = m.takenAt;
    object["version"] = m.version;
    object["compiler"] = m.compiler;
    object["checks"] = treeOfList(m.checks);
    object["timing"] = treeOf(m.timing);
    object["resources"] = treeOf(m.resources);
    if (m.counting) object["counting"] = treeOf(*m.counting);
    object["values"] = treeOf(m.values);
    Json lines = Json::array();
    for (const ProgramLine& line : m.lines) lines.push_back(lineTree(line));
    object["lines"] = std::move(lines);
    object["lines_reason"] = m.linesReason;
    object["compared_lines"] = m.comparedLines;
    object["differences"] = treeOfList(m.differences);
    object["code"] = treeOfList(m.code);
    object["notes"] = m.notes;
    object["total_seconds"] = m.totalSeconds;
    return object;
}

ProgramMeasurement programMeasurementOf(const Json& object) {
    ProgramMeasurement m;
    m.kernel = text(object, "kernel");
    m.launch = launchOf(member(object, "launch"));
    m.device = deviceOf(member(object, "device"));
    m.takenAt = text(object, "taken_at");
    m.version = text(object, "version");
    m.compiler = text(object, "compiler");
    for (const Json& check : list(object, "checks")) m.checks.push_back(arrayCheckOf(check));
    m.timing = timingOf(member(object, "timing"));
    m.resources = resourcesOf(member(object, "resources"));
    if (object.contains("counting")) m.counting = countingOf(member(object, "counting"));
    m.values = valuesIn(object, "values");
    for (const Json& line : list(object, "lines")) m.lines.push_back(lineOf(line));
    m.linesReason = text(object, "lines_reason");
    m.comparedLines = count(object, "compared_lines");
    for (const Json& difference : list(object, "differences")) {
        m.differences.push_back(differenceOf(difference));
    }
    for (const Json& line : list(object, "code")) m.code.push_back(compiledLineOf(line));
    m.notes = texts(object, "notes");
    m.totalSeconds = number(object, "total_seconds");
    return m;
}

}  // namespace warplens::program_json
