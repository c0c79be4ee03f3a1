#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/text/enum_names.h"

namespace warplens {

/// What the compiler made of one marked branch.
enum class BranchForm : std::uint8_t {
    branch,      ///< a conditional branch instruction: warps can diverge at it
    exit,        ///< threads on the other side exit by a predicated EXIT
    predicated,  ///< no branch: both arms are issued, lanes take part or not by predicate or select
};

constexpr std::array<std::string_view, 3> namesOf(BranchForm /*form*/) {
    return {"branch", "exit", "predicated"};
}

/// One marked branch of the kernel as it was compiled and run.
struct CompiledBranch final {
    std::string branch;
    BranchForm form = BranchForm::branch;
    friend bool operator==(const CompiledBranch&, const CompiledBranch&) = default;
};

}  // namespace warplens
