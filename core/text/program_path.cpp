#include "core/text/program_path.h"

#include <charconv>
#include <cstdint>
#include <fstream>
#include <string>

namespace warplens {

std::filesystem::path programPath() {
    const auto here = reinterpret_cast<std::uintptr_t>(&programPath);
    std::ifstream maps("/proc/self/maps");
    // `first-last rwxp offset device inode      /path`, in hexadecimal.
    for (std::string line; std::getline(maps, line);) {
        std::uintptr_t first = 0;
        std::uintptr_t last = 0;
        const char* const end = line.data() + line.size();
        const auto begun = std::from_chars(line.data(), end, first, 16);
        if (begun.ec != std::errc{} || begun.ptr == end) continue;
        if (std::from_chars(begun.ptr + 1, end, last, 16).ec != std::errc{}) continue;
        if (here < first || here >= last) continue;
        const std::size_t path = line.find('/');
        return path == std::string::npos ? std::string() : line.substr(path);
    }
    return {};
}

}  // namespace warplens
