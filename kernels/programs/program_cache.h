#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/text/files.h"

namespace warplens {

/// Where programs are built and kept: $XDG_CACHE_HOME/warplens, or below ~/.cache, or without a
/// home below /tmp; made where it is not there, and this user's alone. What builds that were killed
/// have left there is removed. Throws std::runtime_error where it cannot be made, or is another's.
[[nodiscard]] std::filesystem::path programCache();

/// Keeps the newest entries of a folder: 200, of 1 GiB together.
void pruneCache(const std::filesystem::path& folder);

/// What a program was made from, beside what its key says.
struct ProgramInputs final {
    std::vector<std::filesystem::path> read{};    ///< that the compiler has read
    std::vector<std::filesystem::path> absent{};  ///< that it would have read, were they there
};

/// Programs that were built before, one for each key.
class ProgramCache final {
  public:
    /// In this folder of `programCache()`.
    explicit ProgramCache(const std::string& folder);

    /// The program of that key, if it is whole, this user's, and all that it was made from is as it
    /// was then.
    [[nodiscard]] std::optional<std::filesystem::path> find(const std::string& key) const;
    /// Takes the program that was made, from `begun` on, and gives its place. Throws
    /// std::system_error.
    [[nodiscard]] std::filesystem::path keep(const std::string& key,
                                             const std::filesystem::path& made,
                                             const ProgramInputs& inputs,
                                             std::chrono::system_clock::time_point begun) const;

  private:
    std::filesystem::path folder_;
};

/// The files that a compiler says it has read (`-MD`), without those of a relative path.
[[nodiscard]] std::vector<std::filesystem::path> readDependencies(
    const std::filesystem::path& listing);

/// A file of that text with the name of `file`, in a folder of the cache that is the text's own:
/// what was made of it is found again. Throws what writing throws.
[[nodiscard]] std::filesystem::path keptText(const std::filesystem::path& file,
                                             const std::string& text);

/// Removes the temporary folders in there whose process is gone.
void removeLeftFolders(const std::filesystem::path& parent);

/// A folder that goes with all that is in it; held, so that nobody takes it for one that was left.
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
    FileDescriptor lock_;
};

}  // namespace warplens
