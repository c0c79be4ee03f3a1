#include "kernels/trace/run/source_places.h"

#include <cstdio>
#include <cstdlib>

#include "kernels/programs/sandbox.h"

namespace warplens {

void SourcePlaces::correct(SourcePlace& place) const {
    const auto shifts = program_.shifts.find(place.file);
    if (shifts == program_.shifts.end() || place.column == 0) return;
    place.column = source::originalColumn(shifts->second, place.line, place.column);
}

SourcePlace SourcePlaces::ofAddresses(const std::vector<std::uint64_t>& addresses) const {
    const std::string tool = findProgram("addr2line");
    if (tool.empty()) return {};
    ChildCommand command{.arguments = {tool, "-e", program_.binary.string()}};
    for (const std::uint64_t address : addresses) {
        char text[32];
        std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
        command.arguments.emplace_back(text);
    }
    command.calls = SystemCalls::ofProgram;
    command.limits.memoryBytes = memoryLimit(std::uint64_t{8} << 30);
    command.limits.wall = std::chrono::seconds(10);
    const ChildResult result = runChild(
        Sandbox::ofThisMachine().confined(std::move(command), {.readable = {program_.binary}}));
    // One line for each address: `/folder/file.cu:12` or `??:0`.
    std::string rest = result.output;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        std::string line = rest.substr(0, end);
        rest = end == std::string::npos ? "" : rest.substr(end + 1);
        if (const std::size_t blank = line.find(" ("); blank != std::string::npos) {
            line = line.substr(0, blank);
        }
        const std::size_t colon = line.rfind(':');
        if (colon == std::string::npos) continue;
        const std::string file = line.substr(0, colon);
        for (const auto& [reported, shifts] : program_.shifts) {
            if (file != reported && !file.ends_with("/" + reported)) continue;
            return {reported, static_cast<std::uint32_t>(std::atoi(line.c_str() + colon + 1)), 0};
        }
    }
    return {};
}

}  // namespace warplens
