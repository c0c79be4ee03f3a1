#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace warplens::tests {

/// What shell text prints, on standard error too.
inline std::string outputOf(const std::string& command) {
    std::string text;
    std::array<char, 4096> piece{};
    std::FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
    while (std::size_t count = std::fread(piece.data(), 1, piece.size(), pipe)) {
        text.append(piece.data(), count);
    }
    ::pclose(pipe);
    return text;
}

}  // namespace warplens::tests
