#include "kernels/trace/run/source_places.h"

namespace warplens {

void SourcePlaces::correct(SourcePlace& place) const {
    const auto shifts = program_.shifts.find(place.file);
    if (shifts == program_.shifts.end() || place.column == 0) return;
    place.column = source::originalColumn(shifts->second, place.line, place.column);
}

std::vector<SourcePlace> SourcePlaces::ofAddresses(const std::vector<CallAddresses>& calls) const {
    return placesOfCalls(program_.binary, calls, [&](const std::string& file) {
        for (const auto& [reported, shifts] : program_.shifts) {
            if (file == reported || file.ends_with("/" + reported)) return reported;
        }
        return std::string();
    });
}

}  // namespace warplens
