#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/ptx/read/module.h"

namespace warplens::ptx {

/// Whether the file came with the toolkit or the system.
[[nodiscard]] bool isLibrary(std::string_view path);

/// Finds where instructions stand in what the person wrote. Code of a library counts at the place
/// that it was inlined at, through all libraries between; where that is not said, as in the PTX of
/// `-G`, at the person's place before it in the function.
class Places final {
  public:
    void beginFunction();
    /// A `.loc`; `caller` is its `inlined_at`, or null.
    void set(const Place& place, const Place* caller);
    /// The function's next instruction is at the last `.loc`.
    void addInstruction() { ofInstructions_.push_back(current_); }
    void endFunction(Function& function) { functions_.emplace_back(&function, ofInstructions_); }

    /// Puts places into the instructions of all functions, once the files' names are known, and
    /// `Function::isLibrary`.
    void apply(const std::map<std::uint32_t, std::string>& files) const;

  private:
    static constexpr std::uint32_t none = 0xffffffffu;
    struct Location final {
        Place place;
        std::uint32_t caller = none;  ///< a location before
    };
    std::uint32_t add(const Place& place, std::uint32_t caller);

    std::vector<Location> locations_;
    std::map<Place, std::uint32_t> latest_;  ///< of the function, by place
    std::uint32_t current_ = none;
    std::vector<std::uint32_t> ofInstructions_;
    std::vector<std::pair<Function*, std::vector<std::uint32_t>>> functions_;
};

}  // namespace warplens::ptx
