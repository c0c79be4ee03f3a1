#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace warplens {

/// The whole file. Throws std::system_error with the path when it cannot be read, is a pipe or
/// device, or holds more than `mostBytes`.
[[nodiscard]] std::string readFile(const std::filesystem::path& path,
                                   std::uint64_t mostBytes = 16u << 20);

/// Writes a file so that at every moment `path` holds either its old content or all of the new one:
/// written beside it, flushed to disk, renamed over it. Throws std::system_error with the path;
/// then the old content stands and nothing is left beside it. A process killed meanwhile leaves
/// `path.writing-…` behind, which the next write of `path` removes. A link stays one, its target is
/// written; a device or pipe is written to, never replaced. Several threads and processes may write
/// the same path at a time: it then holds what one of them wrote.
void writeFileAtomically(const std::filesystem::path& path, std::string_view text);

}  // namespace warplens
