#include "core/program/program_json.h"

namespace warplens::program_json {

using namespace json_reader;

Json listOf(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return Json::array({x, y, z});
}

Index3 tripleOf(const Json& parent, const char* name) {
    const Json& found = member(parent, name);
    if (!found.is_array() || found.size() != 3) {
        throw MalformedJson(std::string("\"") + name + "\" is not a list of three numbers");
    }
    const auto at = [&](std::size_t axis) {
        const std::int64_t value = integer(found[axis], name);
        if (value < 0 || value > UINT32_MAX) {
            throw MalformedJson(std::string("\"") + name + "\" holds a number out of range");
        }
        return static_cast<std::uint32_t>(value);
    };
    return {at(0), at(1), at(2)};
}

const Json& listIn(const Json& parent, const char* name) {
    const Json& found = member(parent, name);
    if (!found.is_array()) throw MalformedJson(std::string("\"") + name + "\" is not a list");
    return found;
}

std::vector<std::string> textsIn(const Json& parent, const char* name) {
    std::vector<std::string> texts;
    for (const Json& entry : listIn(parent, name)) {
        if (!entry.is_string()) {
            throw MalformedJson(std::string("\"") + name + "\" holds what is not a string");
        }
        texts.push_back(sanitized(entry.get<std::string>()));
    }
    return texts;
}

void addPlace(Json& object, const SourcePlace& place) {
    object["file"] = place.file;
    object["line"] = place.line;
    object["column"] = place.column;
}

SourcePlace placeOf(const Json& object) {
    return {.file = text(object, "file"),
            .line = static_cast<std::uint32_t>(count(object, "line", UINT32_MAX)),
            .column = static_cast<std::uint32_t>(count(object, "column", UINT32_MAX))};
}

Json lineTree(const ProgramLine& line) {
    Json object;
    addPlace(object, line.place);
    object["kind"] = toString(line.kind);
    object["array"] = line.array;
    object["source"] = toString(line.source);
    object["requests"] = line.requests;
    object["active_lanes"] = line.activeLanes;
    if (line.inOtherOrder) {
        object["in_other_order"] = {{"requests", line.inOtherOrder->requests},
                                    {"units", line.inOtherOrder->units}};
    }
    if (line.kind == LineKind::branch) {
        object["divergent"] = line.divergent;
        return object;
    }
    if (line.sectors != 0) {
        object["sectors"] = line.sectors;
        object["ideal_sectors"] = line.idealSectors;
        object["unique_bytes"] = line.uniqueBytes;
    }
    if (line.wavefronts != 0) {
        object["wavefronts"] = line.wavefronts;
        object["ideal_wavefronts"] = line.idealWavefronts;
    }
    if (line.kind == LineKind::atomic) object["most_same_address"] = line.mostSameAddress;
    return object;
}

std::uint64_t countOr0(const Json& object, const char* name) {
    return object.contains(name) ? count(object, name) : 0;
}

ProgramLine lineOf(const Json& object) {
    ProgramLine line;
    line.place = placeOf(object);
    const std::string kind = text(object, "kind");
    const std::optional<LineKind> known = lineKindFromString(kind);
    if (!known) throw MalformedJson("unknown kind of line '" + kind + "'");
    line.kind = *known;
    line.array = text(object, "array");
    const std::string source = text(object, "source");
    const std::optional<Source> knownSource = sourceFromString(source);
    if (!knownSource) throw MalformedJson("unknown source '" + source + "'");
    line.source = *knownSource;
    line.requests = count(object, "requests");
    line.activeLanes = countOr0(object, "active_lanes");
    if (object.contains("in_other_order")) {
        const Json& other = member(object, "in_other_order");
        line.inOtherOrder = {count(other, "requests"), count(other, "units")};
    }
    line.divergent = countOr0(object, "divergent");
    line.sectors = countOr0(object, "sectors");
    line.idealSectors = countOr0(object, "ideal_sectors");
    line.uniqueBytes = countOr0(object, "unique_bytes");
    line.wavefronts = countOr0(object, "wavefronts");
    line.idealWavefronts = countOr0(object, "ideal_wavefronts");
    line.mostSameAddress = static_cast<std::uint32_t>(countOr0(object, "most_same_address"));
    return line;
}

Json shapeTree(const Launch& launch) {
    return {{"grid", listOf(launch.grid.x, launch.grid.y, launch.grid.z)},
            {"block", listOf(launch.block.x, launch.block.y, launch.block.z)},
            {"dynamic_shared_bytes", launch.dynamicSharedBytes}};
}

Launch shapeOf(const Json& object) {
    const Index3 grid = tripleOf(object, "grid");
    const Index3 block = tripleOf(object, "block");
    return {.grid = {grid.x, grid.y, grid.z},
            .block = {block.x, block.y, block.z},
            .dynamicSharedBytes =
                static_cast<std::uint32_t>(count(object, "dynamic_shared_bytes", UINT32_MAX))};
}

}  // namespace warplens::program_json
