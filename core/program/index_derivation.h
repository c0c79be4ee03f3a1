#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/program/cuda_tokens.h"
#include "core/program/program_sources.h"
#include "core/program/program_trace.h"

namespace warplens {

/// What the source calls a number.
using NamedNumber = std::pair<std::string, std::int64_t>;

/// Of what an index is made: as it is written, then what its names are set to.
class IndexDerivation final {
  public:
    /// The axis: `x` of threadIdx.x; empty: any. All of these texts must live as long.
    IndexDerivation(std::string_view index, std::string_view code, std::string_view axis);
    [[nodiscard]] const std::vector<std::string_view>& texts() const { return texts_; }
    /// Whether none of the texts is of the thread.
    [[nodiscard]] bool isAnyThreads() const { return isAnyThreads_; }
    /// Whether the product that these tokens, one to another, are a part of has the thread in it.
    [[nodiscard]] bool isTimesThread(const std::vector<CudaToken>& tokens, std::size_t begin,
                                     std::size_t end) const;

  private:
    [[nodiscard]] bool isOfThread(const std::vector<CudaToken>& tokens) const;

    std::string_view axis_;
    std::vector<std::string_view> texts_;
    std::set<std::string_view> ofThread_;  ///< names that are set to something of the thread
    bool isAnyThreads_ = false;  ///< none of the texts has it: parameters of a function, say
};

/// What something of the thread is multiplied by in the code and comes to the number, as it is
/// written: a name, else the number, else a product or quotient, `8 * gridDim.x`; empty where there
/// is none.
[[nodiscard]] std::string factorIn(std::string_view code, std::int64_t number,
                                   const std::vector<NamedNumber>& names,
                                   const IndexDerivation& index);

/// All that numbers in a launch's kernel may be called by, the likeliest first: parameters, macros
/// and constants, the launch's dimensions.
[[nodiscard]] std::vector<NamedNumber> namedNumbers(const LaunchReport& launch,
                                                    const ProgramSources& sources);

/// `STRIDE` of `template <int STRIDE>` in an instance `copy<32>`: in turn, as far as they are
/// numbers.
void addTemplateArguments(const source::KernelSource& kernel, std::string_view instance,
                          std::vector<NamedNumber>& to);

}  // namespace warplens
