#pragma once

#include "core/measurement/json_reader.h"
#include "core/program/program_trace.h"

/// For the .cpp files that write and read a program's numbers: the parts that several documents
/// share. The readers throw MalformedJson.
namespace warplens::program_json {

using json_reader::Json;

/// A member that is a list.
[[nodiscard]] const Json& listIn(const Json& parent, const char* name);

[[nodiscard]] Json listOf(std::uint32_t x, std::uint32_t y, std::uint32_t z);
/// A member that is a list of three numbers.
[[nodiscard]] Index3 tripleOf(const Json& parent, const char* name);

/// Adds `file`, `line` and `column`.
void addPlace(Json& object, const SourcePlace& place);
[[nodiscard]] SourcePlace placeOf(const Json& object);

[[nodiscard]] Json lineTree(const ProgramLine& line);
[[nodiscard]] ProgramLine lineOf(const Json& object);

/// {`grid`, `block`, `dynamic_shared_bytes`}.
[[nodiscard]] Json shapeTree(const Launch& launch);
[[nodiscard]] Launch shapeOf(const Json& object);

/// One launch of a trace: {`index`, `kernel`, ..., `values`, `lines`}.
[[nodiscard]] Json launchTree(const ProgramLaunch& launch);
[[nodiscard]] ProgramLaunch launchOf(const Json& object);

/// A member that is a list of texts, as `sanitized` makes them.
[[nodiscard]] std::vector<std::string> textsIn(const Json& parent, const char* name);

/// A count that may be left out where it is 0.
[[nodiscard]] std::uint64_t countOr0(const Json& object, const char* name);

}  // namespace warplens::program_json
