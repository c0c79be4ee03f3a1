#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplens {

/// What the compiler made of one marked branch.
enum class BranchForm : std::uint8_t {
    branch,      ///< a conditional branch instruction: warps can diverge at it
    exit,        ///< threads on the other side exit by a predicated EXIT
    predicated,  ///< no branch: both arms are issued, lanes take part or not by predicate or select
};

[[nodiscard]] std::string_view toString(BranchForm form);
[[nodiscard]] std::optional<BranchForm> branchFormFromString(std::string_view text);

/// One marked branch of the kernel as it was compiled and run.
struct CompiledBranch final {
    std::string branch;
    BranchForm form = BranchForm::branch;
    friend bool operator==(const CompiledBranch&, const CompiledBranch&) = default;
};

}  // namespace warplens
