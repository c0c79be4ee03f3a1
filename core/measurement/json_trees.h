#pragma once

#include "core/measurement/json_reader.h"
#include "core/measurement/measurement.h"

/// For the .cpp files that write and read trees with parts of a measurement in them.
namespace warplens::json_reader {

template <class T>
[[nodiscard]] Json treeOf(const T& value) {
    return writeTree(membersOf(value));
}

template <class T>
[[nodiscard]] T valueOf(const Json& tree) {
    T value{};
    readTree(tree, membersOf(value));
    return value;
}

[[nodiscard]] inline Experiment experimentOf(const Json& tree) {
    return valueOf<Experiment>(tree);
}

/// A member that is a list of three numbers.
[[nodiscard]] inline Index3 tripleOf(const Json& parent, const char* name) {
    Index3 index;
    readTree(parent, [&](Archive& v) { v(name, index, ""); });
    return index;
}

}  // namespace warplens::json_reader
