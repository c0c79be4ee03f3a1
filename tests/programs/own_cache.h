#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "kernels/programs/compiler.h"
#include "kernels/programs/nvcc/cuda_compiler.h"
#include "kernels/programs/program_request.h"

namespace warplens {

/// What is compiled is kept between the tests of one run only.
inline void useOwnCache() {
    static const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / "warplens-programs-test";
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
}

/// The same tests judge both ways to run a program: with this in the environment, by NVIDIA's
/// compiler.
inline bool isWithNvcc() {
    return std::getenv("WARPLENS_TESTS_WITH_NVCC") != nullptr;
}

/// Why these tests cannot run; empty where they can.
inline std::string whyNotHere() {
    if (hostCompiler().empty()) return "no g++ on this machine";
    if (isWithNvcc() && !programs::findCudaCompiler()) return "no nvcc on this machine";
    return {};
}

inline TraceRequest emptyRequest() {
    TraceRequest request;
    request.withNvcc = isWithNvcc();
    return request;
}

}  // namespace warplens
