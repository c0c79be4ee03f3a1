#include "kernels/ptx/read/places.h"

#include <algorithm>
#include <string>

namespace warplens::ptx {

bool isLibrary(std::string_view path) {
    const auto has = [&](std::string_view part) {
        return path.find(part) != std::string_view::npos;
    };
    const bool isToolkit = has("/cuda") || has("/nvidia/") || has("/targets/") || has("/cccl");
    return path.starts_with("/usr/") || (isToolkit && has("/include/")) || has("cuda_runtime") ||
           has("_generated_") || has(".fatbin") || has("tmpxft");
}

void Places::beginFunction() {
    latest_.clear();
    ofInstructions_.clear();
    current_ = none;
}

std::uint32_t Places::add(const Place& place, std::uint32_t caller) {
    const auto index = static_cast<std::uint32_t>(locations_.size());
    locations_.push_back({place, caller});
    return latest_[place] = index;
}

void Places::set(const Place& place, const Place* caller) {
    std::uint32_t of = none;
    if (caller != nullptr) {
        // The caller's own `.loc` stands before, with where that was inlined at.
        const auto found = latest_.find(*caller);
        of = found == latest_.end() ? add(*caller, none) : found->second;
    }
    const auto known = latest_.find(place);
    const bool isKnown = known != latest_.end() && locations_[known->second].caller == of;
    current_ = isKnown ? known->second : add(place, of);
}

void Places::apply(const std::map<std::uint32_t, std::string>& files) const {
    std::map<std::uint32_t, bool> isPersons;
    for (const auto& [index, path] : files) isPersons[index] = !isLibrary(path);
    std::vector<Place> found;  // line 0: not in the person's files
    for (const Location& location : locations_) {
        const auto persons = isPersons.find(location.place.file);
        if (location.place.line != 0 && (persons == isPersons.end() || persons->second))
            found.push_back(location.place);
        else
            found.push_back(location.caller == none ? Place{} : found[location.caller]);
    }
    for (const auto& [function, locations] : functions_) {
        const auto isFound = [&](std::uint32_t at) { return at != none && found[at].line != 0; };
        const auto first = std::ranges::find_if(locations, isFound);
        function->isLibrary = first == locations.end();
        Place last = function->isLibrary ? Place{} : found[*first];
        for (std::size_t at = 0; at < locations.size(); ++at) {
            if (isFound(locations[at])) last = found[locations[at]];
            Place& place = function->instructions[at].place;
            place = last;
            if (function->isLibrary && locations[at] != none)
                place = locations_[locations[at]].place;
        }
    }
}

}  // namespace warplens::ptx
