#pragma once

#include <cstddef>
#include <string>

namespace warplens {

/// The words in lines of at most 96 bytes, the first after `first`, the others after `indent`
/// blanks. Their own line breaks stay.
[[nodiscard]] std::string wrapped(const std::string& words, std::size_t indent,
                                  const std::string& first);
/// The same with all lines alike.
[[nodiscard]] std::string wrapped(const std::string& words, std::size_t indent);

/// `left`, and from the column on the words; on lines of their own where `left` reaches beyond it.
[[nodiscard]] std::string beside(const std::string& left, const std::string& words,
                                 std::size_t column);

}  // namespace warplens
