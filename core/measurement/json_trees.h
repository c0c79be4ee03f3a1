#pragma once

#include "core/measurement/json_reader.h"

/// For the .cpp files that write and read documents with parts of a measurement in them. The
/// readers throw MalformedJson.
namespace warplens::json_reader {

[[nodiscard]] Json listOf(std::uint32_t x, std::uint32_t y, std::uint32_t z);
/// A member that is a list of three numbers.
[[nodiscard]] Index3 tripleOf(const Json& parent, const char* name);

/// {`grid`, `block`, `dynamic_shared_bytes`}.
[[nodiscard]] Json treeOf(const Launch& launch);
[[nodiscard]] Launch launchOf(const Json& tree);

/// The members are `scenario`, `launch`, `arguments` and, where there is one, `array_offset`.
[[nodiscard]] Json treeOf(const Experiment& experiment);
/// The scenario must be known, the launch need not be legal.
[[nodiscard]] Experiment experimentOf(const Json& tree);

[[nodiscard]] Json treeOf(const Device& device);
[[nodiscard]] Device deviceOf(const Json& tree);

[[nodiscard]] Json treeOf(const Timing& timing);
[[nodiscard]] Timing timingOf(const Json& tree);

[[nodiscard]] Json treeOf(const KernelResources& resources);
[[nodiscard]] KernelResources resourcesOf(const Json& tree);

[[nodiscard]] Json treeOf(const Counting& counting);
[[nodiscard]] Counting countingOf(const Json& tree);

/// A list.
[[nodiscard]] Json treeOf(const std::vector<Value>& values);
/// Of a member that is a list of values.
[[nodiscard]] std::vector<Value> valuesIn(const Json& parent, const char* name);

[[nodiscard]] Json treeOf(const Measurement& measurement);
[[nodiscard]] Measurement measurementOf(const Json& tree);

}  // namespace warplens::json_reader
