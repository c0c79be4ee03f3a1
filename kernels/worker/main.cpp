#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "core/text/format.h"
#include "kernels/worker/request_loop.h"

namespace {

constexpr const char* usage =
    "Measures CUDA kernels for warplens: it answers JSON requests, one a line, on standard input.\n"
    "warplens starts it, here or elsewhere; see `warplens measure --help`.\n";

/// How long the device's memory is kept when nobody asks for anything.
std::chrono::milliseconds idleTime() {
    constexpr std::chrono::seconds usual{60};
    // For tests.
    const char* const other = std::getenv("WARPLENS_IDLE_MILLISECONDS");
    return other != nullptr ? std::chrono::milliseconds(std::strtol(other, nullptr, 10)) : usual;
}

}  // namespace

int main(int count, char** arguments) {
    const std::string_view argument = count == 2 ? arguments[1] : "";
    if (argument == "--version") {
        std::cout << "warplens-measure " << warplens::version() << '\n';
        return 0;
    }
    if (argument == "--help" || argument == "-h") {
        std::cout << usage;
        return 0;
    }
    if (count != 1) {
        std::cerr << "warplens-measure takes no arguments but --help and --version\n" << usage;
        return 2;
    }
    return warplens::superviseRequests(warplens::measureRequests, idleTime());
}
