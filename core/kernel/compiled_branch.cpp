#include "core/kernel/compiled_branch.h"

#include <algorithm>
#include <array>

namespace warplens {
namespace {

constexpr std::array<std::string_view, 3> forms{"branch", "exit", "predicated"};

}  // namespace

std::string_view toString(BranchForm form) {
    return forms.at(static_cast<std::size_t>(form));
}

std::optional<BranchForm> branchFormFromString(std::string_view text) {
    const auto found = std::ranges::find(forms, text);
    if (found == forms.end()) return std::nullopt;
    return static_cast<BranchForm>(found - forms.begin());
}

}  // namespace warplens
