#include "kernels/trace/build/program_cache.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace warplens {

namespace fs = std::filesystem;

namespace {

fs::path cacheFolder() {
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
        return fs::path(cache) / "warplens";
    }
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
        return fs::path(home) / ".cache" / "warplens";
    }
    return fs::temp_directory_path() / ("warplens-" + std::to_string(getuid()));
}

}  // namespace

fs::path programCache() {
    fs::path cache = cacheFolder();
    std::error_code error;
    fs::create_directories(cache, error);
    if (!error) return cache;
    throw std::runtime_error("programs are compiled in '" + cache.string() +
                             "': " + error.message() + "; XDG_CACHE_HOME may name another folder");
}

void pruneCache(const fs::path& folder) {
    constexpr std::size_t most = 200;
    std::vector<std::pair<fs::file_time_type, fs::path>> entries;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        entries.emplace_back(fs::last_write_time(entry.path(), error), entry.path());
    }
    if (entries.size() <= most) return;
    std::sort(entries.begin(), entries.end());
    for (std::size_t i = 0; i + most < entries.size(); ++i) {
        fs::remove_all(entries[i].second, error);
    }
}

TemporaryFolder::TemporaryFolder(const fs::path& parent) {
    fs::create_directories(parent);
    std::string name = (parent / "build-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), name);
    }
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
}

}  // namespace warplens
