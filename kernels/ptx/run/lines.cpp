#include "kernels/ptx/run/lines.h"

namespace warplens::ptx {
namespace {

/// Whether the file came with the toolkit or the system.
bool isLibrary(std::string_view path) {
    for (const std::string_view part : {"/include/", "cuda_runtime", "_generated_", ".fatbin", "tmpxft"}) {
        if (path.find(part) != std::string_view::npos) return true;
    }
    return path.starts_with("/usr/");
}

}  // namespace

SourcePlace sourcePlace(const Module& module, const Instruction& instruction) {
    const auto fileOf = [&](const Place& place) {
        const auto found = module.files.find(place.file);
        return found == module.files.end() ? std::string_view{} : std::string_view(found->second);
    };
    Place place = instruction.place;
    if (instruction.inlinedAt.line != 0 && isLibrary(fileOf(place))) place = instruction.inlinedAt;
    return {std::string(fileOf(place)), place.line, place.column};
}

}  // namespace warplens::ptx
