#pragma once

#include <cstddef>
#include <string>

namespace warplens {

/// Text from elsewhere, fit to be shown: at most `most` bytes of UTF-8, the end of longer ones
/// replaced by `...`, and no control characters but newlines, which a terminal would obey. Text
/// that is fit stays as it is.
[[nodiscard]] std::string presentable(std::string text, std::size_t most = 4000);

}  // namespace warplens
