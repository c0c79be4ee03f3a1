#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kernels/ptx/read/module.h"

namespace warplens::ptx {

/// Finds where instructions stand in what the person wrote. Code of a library counts at the place
/// that it was inlined at, through all libraries between; where that is not said, as in the PTX of
/// `-G`, at the person's place before it in the function.
class Places final {
  public:
    void beginFunction() {
        latest_.clear();
        ofInstructions_.clear();
        current_ = none;
    }
    /// A `.loc`; `caller` is its `inlined_at`, or null.
    void set(const Place& place, const Place* caller) {
        u32 of = none;
        if (caller != nullptr) {
            // The caller's own `.loc` stands before, with where that was inlined at.
            const auto found = latest_.find(*caller);
            of = found == latest_.end() ? add(*caller, none) : found->second;
        }
        const auto known = latest_.find(place);
        const bool isKnown = known != latest_.end() && locations_[known->second].caller == of;
        current_ = isKnown ? known->second : add(place, of);
    }
    /// The function's next instruction is at the last `.loc`.
    void addInstruction() { ofInstructions_.push_back(current_); }
    void endFunction(Function& function) { functions_.emplace_back(&function, ofInstructions_); }

    /// Puts places into the instructions of all functions, once the files' names are known, and
    /// `Function::isLibrary`.
    void apply(const std::map<u32, std::string>& files) const;

  private:
    static constexpr u32 none = 0xffffffffu;
    struct Location final {
        Place place;
        u32 caller = none;  ///< a location before
    };
    u32 add(const Place& place, u32 caller) {
        const auto index = u32(locations_.size());
        locations_.push_back({place, caller});
        return latest_[place] = index;
    }

    std::vector<Location> locations_;
    std::map<Place, u32> latest_;  ///< of the function, by place
    u32 current_ = none;
    std::vector<u32> ofInstructions_;
    std::vector<std::pair<Function*, std::vector<u32>>> functions_;
};

}  // namespace warplens::ptx
