#pragma once

namespace warplens {

/// Calls the one of `cases` that takes the alternative held by a variant.
template <class... Cases>
struct Match : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;  // Clang 16 does not find it itself

}  // namespace warplens
