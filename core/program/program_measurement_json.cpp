#include "core/json/schema.h"
#include "core/measurement/json.h"
#include "core/program/program_json.h"
#include "core/program/program_measurement.h"

namespace warplens {
namespace {

using namespace json_reader;
using namespace program_json;

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
    const std::optional<LineKind> kind = lineKindFromString(text(object, "kind"));
    if (!kind) throw MalformedJson("unknown kind of line '" + text(object, "kind") + "'");
    const std::optional<DifferenceCause> cause = differenceCauseFromString(text(object, "cause"));
    if (!cause) throw MalformedJson("unknown cause '" + text(object, "cause") + "'");
    return {.file = text(object, "file"),
            .line = static_cast<std::uint32_t>(count(object, "line", UINT32_MAX)),
            .kind = *kind,
            .quantity = text(object, "quantity"),
            .predicted = judgeOf(object, "predicted"),
            .probed = judgeOf(object, "probed"),
            .counted = judgeOf(object, "counted"),
            .cause = *cause,
            .words = text(object, "words"),
            .intervention = text(object, "intervention")};
}

Json tree(const CompiledLine& line) {
    return {{"file", line.file}, {"line", line.line}, {"ptx", line.ptx}, {"sass", line.sass}};
}

CompiledLine compiledLineOf(const Json& object) {
    return {.file = text(object, "file"),
            .line = static_cast<std::uint32_t>(count(object, "line", UINT32_MAX)),
            .ptx = textsIn(object, "ptx"),
            .sass = textsIn(object, "sass")};
}

template <class Item>
Json treeOfList(const std::vector<Item>& items) {
    Json list = Json::array();
    for (const Item& item : items) list.push_back(tree(item));
    return list;
}

}  // namespace

std::string toJson(const ProgramMeasurement& m, int indent) {
    Json object{{"kernel", m.kernel}, {"launch", shapeTree(m.launch)}};
    object["device"] = Json::parse(toJson(m.device, -1));
    object["taken_at"] = m.takenAt;
    object["version"] = m.version;
    object["compiler"] = m.compiler;
    object["checks"] = treeOfList(m.checks);
    object["timing"] = Json::parse(toJson(m.timing, -1));
    object["resources"] = {{"registers_per_thread", m.resources.registersPerThread},
                           {"static_shared_bytes", m.resources.staticSharedBytes},
                           {"local_bytes_per_thread", m.resources.localBytesPerThread}};
    if (m.counting) {
        object["counting"] = {{"passes", m.counting->passes},
                              {"repeats", m.counting->repeats},
                              {"seconds", m.counting->seconds}};
    }
    object["values"] = Json::parse(toJson(m.values, -1));
    Json lines = Json::array();
    for (const ProgramLine& line : m.lines) lines.push_back(lineTree(line));
    object["lines"] = std::move(lines);
    object["lines_reason"] = m.linesReason;
    object["compared_lines"] = m.comparedLines;
    object["differences"] = treeOfList(m.differences);
    object["code"] = treeOfList(m.code);
    object["notes"] = m.notes;
    object["total_seconds"] = m.totalSeconds;
    return object.dump(indent, ' ', false, Json::error_handler_t::replace);
}

ProgramMeasurement programMeasurementFromJson(std::string_view document) {
    const Json object = parseObject(document);
    ProgramMeasurement m;
    m.kernel = text(object, "kernel");
    m.launch = shapeOf(member(object, "launch"));
    m.device = deviceFromJson(member(object, "device").dump());
    m.takenAt = text(object, "taken_at");
    m.version = text(object, "version");
    m.compiler = text(object, "compiler");
    for (const Json& check : listIn(object, "checks")) m.checks.push_back(arrayCheckOf(check));
    m.timing = timingFromJson(member(object, "timing").dump());
    const Json& resources = member(object, "resources");
    m.resources = {.registersPerThread =
                       static_cast<std::uint32_t>(count(resources, "registers_per_thread", 1024)),
                   .staticSharedBytes = count(resources, "static_shared_bytes"),
                   .localBytesPerThread = count(resources, "local_bytes_per_thread")};
    if (object.contains("counting")) {
        const Json& counting = member(object, "counting");
        m.counting = Counting{static_cast<int>(count(counting, "passes", 1 << 20)),
                              static_cast<int>(count(counting, "repeats", 1 << 20)),
                              number(counting, "seconds")};
    }
    m.values = valuesFromJson(member(object, "values").dump());
    for (const Json& line : listIn(object, "lines")) m.lines.push_back(lineOf(line));
    m.linesReason = text(object, "lines_reason");
    m.comparedLines = count(object, "compared_lines");
    for (const Json& difference : listIn(object, "differences")) {
        m.differences.push_back(differenceOf(difference));
    }
    for (const Json& line : listIn(object, "code")) m.code.push_back(compiledLineOf(line));
    m.notes = textsIn(object, "notes");
    m.totalSeconds = number(object, "total_seconds");
    return m;
}

}  // namespace warplens
