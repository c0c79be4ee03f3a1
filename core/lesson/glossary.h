#pragma once

#include <span>
#include <string_view>

namespace warplens {

/// A word of the field, explained where a reader meets it.
struct Term final {
    std::string_view word;
    std::string_view meaning;  ///< one sentence that stands for itself
};

/// In the order in which one builds on the other.
[[nodiscard]] std::span<const Term> glossary();

/// The term that a word stands for, in singular or plural, whatever its case; null where there is
/// none.
[[nodiscard]] const Term* findTerm(std::string_view word);

}  // namespace warplens
