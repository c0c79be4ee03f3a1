#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "kernels/programs/compiler.h"
#include "kernels/programs/cuda_compiler.h"

namespace warplens {

/// What is compiled is kept between the tests of one run only.
inline void useOwnCache() {
    static const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / "warplens-programs-test";
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
}

/// Why these tests cannot run; empty where they can.
inline std::string whyNotHere() {
    if (hostCompiler().empty()) return "no g++ on this machine";
    return programs::findCudaCompiler() ? "" : "no nvcc on this machine";
}

}  // namespace warplens
