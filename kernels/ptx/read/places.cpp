#include "kernels/ptx/read/places.h"

#include <algorithm>
#include <array>

namespace warplens::ptx {
namespace {

/// Whether that is the name of a constructor that copies or moves an object of its own type, or of
/// such an assignment, by the Itanium C++ ABI.
bool isCopy(std::string_view name) {
    constexpr std::array<std::string_view, 6> forms{"C1ERKS", "C2ERKS", "C1EOS",
                                                    "C2EOS",  "aSERKS", "aSEOS"};
    return std::ranges::any_of(forms,
                               [&](std::string_view form) { return name.find(form) != name.npos; });
}

}  // namespace

void Places::apply(const std::map<u32, std::string>& files) const {
    std::map<u32, bool> isPersons;
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
        const auto isFound = [&](u32 at) { return at != none && found[at].line != 0; };
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
        // A copy that the compiler wrote stands in one line, that of its structure.
        const bool isOneLine = std::ranges::all_of(locations, [&](u32 at) {
            return !isFound(at) || (found[at].line == last.line && found[at].file == last.file);
        });
        if (isOneLine && isCopy(function->name)) function->isLibrary = true;
    }
}

bool isLibrary(std::string_view path) {
    const auto begins = [&](std::string_view part) { return path.starts_with(part); };
    const auto has = [&](std::string_view part) { return path.find(part) != path.npos; };
    // What nvcc finds itself has `bin/../`; folders of people's own are called cuda, too.
    constexpr std::array<std::string_view, 8> ofToolkit{
        "/bin/../",         "-linux/include/", "/nvidia/cu", "/cccl/",
        "/wl/cuda_runtime", ".fatbin",         "tmpxft",     "__nv_nvrtc_builtin_header"};
    return begins("/usr/") || begins("/opt/cuda") || begins("/cuda/include/") ||
           std::ranges::any_of(ofToolkit, has);
}

}  // namespace warplens::ptx
