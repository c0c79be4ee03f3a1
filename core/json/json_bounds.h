#pragma once

#include <string_view>

namespace warplens {

/// Throws MalformedJson for text that nests lists and objects deeper than anything this program
/// writes, or that has an object of more members: who reads or writes such a tree level by level
/// would run out of stack, and who looks for each member among those before it would not come to an
/// end. Reads no more of the text than its brackets, colons and strings.
void requireBounded(std::string_view text);

}  // namespace warplens
