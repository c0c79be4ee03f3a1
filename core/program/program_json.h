#pragma once

#include "core/measurement/json_trees.h"
#include "core/program/program_measurement.h"
#include "core/program/program_trace.h"

/// For the .cpp files that write and read a program's numbers: the parts that several documents
/// share. The readers throw MalformedJson.
namespace warplens::program_json {

using json_reader::Json;
using json_reader::treeOf;

/// Adds `file`, `line` and `column`.
void addPlace(Json& object, const SourcePlace& place);
[[nodiscard]] SourcePlace placeOf(const Json& object);

[[nodiscard]] Json lineTree(const ProgramLine& line);
[[nodiscard]] ProgramLine lineOf(const Json& object);

/// One launch of a trace: {`index`, `kernel`, ..., `values`, `lines`}.
[[nodiscard]] Json launchTree(const ProgramLaunch& launch);
[[nodiscard]] ProgramLaunch programLaunchOf(const Json& object);

[[nodiscard]] Json treeOf(const ProgramMeasurement& measurement);
[[nodiscard]] ProgramMeasurement programMeasurementOf(const Json& tree);

}  // namespace warplens::program_json
