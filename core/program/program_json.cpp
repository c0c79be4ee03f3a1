#include "core/program/program_json.h"

namespace warplens::program_json {

using namespace json_reader;

void addPlace(Json& object, const SourcePlace& place) {
    object["file"] = place.file;
    object["line"] = place.line;
    object["column"] = place.column;
}

SourcePlace placeOf(const Json& object) {
    return {.file = text(object, "file"),
            .line = count<std::uint32_t>(object, "line"),
            .column = count<std::uint32_t>(object, "column")};
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

ProgramLine lineOf(const Json& object) {
    ProgramLine line;
    line.place = placeOf(object);
    line.kind = named(object, "kind", lineKindFromString);
    line.array = text(object, "array");
    line.source = named(object, "source", sourceFromString);
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
    line.mostSameAddress = countOr0<std::uint32_t>(object, "most_same_address");
    return line;
}

}  // namespace warplens::program_json
