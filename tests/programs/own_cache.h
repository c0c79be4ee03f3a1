#pragma once

#include <cstdlib>
#include <filesystem>

namespace warplens {

/// What is compiled is kept between the tests of one run only.
inline void useOwnCache() {
    static const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / "warplens-programs-test";
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
}

}  // namespace warplens
