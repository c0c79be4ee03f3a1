#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// What libFuzzer calls with each input, and `replay.cpp` with each file of a corpus.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace warplens::fuzz {

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// A broken promise, found: stops the fuzzer, fails the replay.
[[noreturn]] void broken(std::string_view promise);

/// Stops unless `holds`.
inline void promise(bool holds, std::string_view what) {
    if (!holds) broken(what);
}

}  // namespace warplens::fuzz

inline void warplens::fuzz::broken(std::string_view promise) {
    __builtin_printf("broken: %.*s\n", static_cast<int>(promise.size()), promise.data());
    __builtin_trap();
}
