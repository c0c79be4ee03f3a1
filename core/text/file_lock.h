#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/text/file_descriptor.h"

namespace warplens {

/// Of several that would write one file again and again, the one that may: while it lives, an empty
/// file `path.lock` lies beside it, locked. What a killed process leaves of it keeps nobody off.
/// Where no such file can be made or locked, in a folder that is not writable or on a file system
/// without locks, everybody may.
class FileLock final {
  public:
    /// Nothing where another process, or another lock of this one, holds it. Links to one file are
    /// one file.
    [[nodiscard]] static std::optional<FileLock> of(const std::filesystem::path& path);

    FileLock(FileLock&&) = default;
    FileLock& operator=(FileLock&&) = delete;
    ~FileLock();

  private:
    FileLock(std::string path, FileDescriptor file)
        : path_(std::move(path)), file_(std::move(file)) {}

    std::string path_;
    FileDescriptor file_;
};

}  // namespace warplens
