#pragma once

#include <string_view>

namespace warplens {

/// Throws MalformedJson for text that nests lists and objects deeper than anything this program
/// writes: who reads or writes such a tree level by level would run out of stack. Reads no more of
/// the text than its brackets and strings.
void requireShallow(std::string_view text);

}  // namespace warplens
