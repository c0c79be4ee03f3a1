#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/text/file_descriptor.h"

namespace warplens {

/// From now on reads and writes of `file` return at once. Throws std::system_error.
void setNonBlocking(const FileDescriptor& file);

/// Appends what can be read without waiting, at most `most` bytes, to `text`. False at the end of
/// the stream.
[[nodiscard]] bool readAvailable(const FileDescriptor& file, std::string& text, std::size_t most);

/// Writes what fits of `text` without waiting and returns how many bytes that were. Nothing when
/// nobody reads any more; no SIGPIPE is raised then.
[[nodiscard]] std::optional<std::size_t> writeAvailable(const FileDescriptor& file,
                                                        std::string_view text);

}  // namespace warplens
