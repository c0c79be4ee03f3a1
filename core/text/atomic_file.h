#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
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
/// `path.writing-…` behind, which a write of `path` removes an hour later; one that is asked to end
/// does so after the write. Several threads and processes may write the same path at a time: it
/// then holds what one of them wrote.
///
/// Owner and mode stay. A link stays one, and what it leads to is written; a device or pipe is
/// written to, never replaced. A file of several names (hard links), one in a folder that takes no
/// new file and one that a link leads to before it is there are written in place, once there is
/// room for all of it: a process killed at that moment leaves them with a part. A file that may not
/// be written is refused, whatever its folder would allow.
void writeFileAtomically(const std::filesystem::path& path, std::string_view text);

/// `folder`/`name`, a `/` in the name as `-`, or with the first number from 2 on that makes it new,
/// `name-2`: with none of the endings is there anything of that name yet.
[[nodiscard]] std::filesystem::path newStem(const std::filesystem::path& folder, std::string name,
                                            std::initializer_list<const char*> endings);

}  // namespace warplens
