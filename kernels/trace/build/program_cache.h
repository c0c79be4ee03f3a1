#pragma once

#include <filesystem>

namespace warplens {

/// Where programs are built and kept, made where it is not there: $XDG_CACHE_HOME/warplens, or
/// below
/// ~/.cache. Throws std::runtime_error where it cannot be.
[[nodiscard]] std::filesystem::path programCache();

/// Keeps the newest programs of a folder.
void pruneCache(const std::filesystem::path& folder);

/// A folder that goes with all that is in it.
class TemporaryFolder final {
  public:
    /// Throws std::system_error.
    explicit TemporaryFolder(const std::filesystem::path& parent);
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace warplens
