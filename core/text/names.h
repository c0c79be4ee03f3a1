#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace warplens {

/// An enumeration whose enumerators have names: `namesOf(Enum{})`, next to it, gives them in the
/// enumerators' order, which begins at 0. They are those of JSON and of the command line.
template <class Enum>
concept NamedEnum = std::is_enum_v<Enum> && requires(Enum value) {
    { namesOf(value)[0] } -> std::convertible_to<std::string_view>;
};

template <NamedEnum Enum>
[[nodiscard]] constexpr std::string_view toString(Enum value) {
    return namesOf(value)[static_cast<std::size_t>(value)];
}

/// The enumerator of that name; nothing where none has it.
template <NamedEnum Enum>
[[nodiscard]] constexpr std::optional<Enum> fromString(std::string_view text) {
    const auto names = namesOf(Enum{});
    const auto found = std::ranges::find(names, text);
    if (found == names.end()) return std::nullopt;
    return static_cast<Enum>(found - names.begin());
}

/// Calls the one of `cases` that takes the alternative held by a variant.
template <class... Cases>
struct Match : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;  // Clang 16 does not find it itself

/// `; did you mean 'matadd-swapped' or 'matmul-swapped'?`: the known words, at most three, that
/// hold what was typed, or of which a part or the whole is few letters away from it; empty where
/// none is. `looked` holds what to compare in place of each known word, as titles.
[[nodiscard]] std::string didYouMean(std::string_view typed,
                                     std::span<const std::string_view> known,
                                     std::span<const std::string_view> looked = {});

}  // namespace warplens
