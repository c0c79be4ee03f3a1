#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warplens {

/// Text from elsewhere, fit to be shown: UTF-8 as `asUtf8` makes it, at most `most` bytes of it,
/// the end of longer ones replaced by `...`, and no control characters but newlines, which a
/// terminal would obey. Text that is fit stays as it is.
[[nodiscard]] std::string sanitized(std::string_view said, std::size_t most = 4000);

}  // namespace warplens
