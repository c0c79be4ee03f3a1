#include "kernels/programs/call_places.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>

#include "core/text/lines.h"
#include "kernels/programs/sandbox.h"

namespace warplens {
namespace {

struct Frame final {
    SourcePlace place;
    bool isStub = false;  ///< nvcc's own function that launches a kernel
};

}  // namespace

std::vector<SourcePlace> placesOfCalls(
    const std::filesystem::path& binary, const std::vector<CallAddresses>& calls,
    const std::function<std::string(const std::string& file)>& ownName) {
    std::vector<SourcePlace> places(calls.size());
    const std::string tool = findProgram("addr2line");
    if (tool.empty()) return places;
    std::map<std::uint64_t, Frame> known;
    for (const CallAddresses& call : calls) {
        for (const std::uint64_t address : call) known[address] = {};
    }
    ChildCommand command{.arguments = {tool, "-f", "-e", binary.string()}};
    for (const auto& [address, frame] : known) {
        char text[32];
        std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
        command.arguments.emplace_back(text);
    }
    command.calls = SystemCalls::ofProgram;
    command.limits.memoryBytes = memoryLimit(std::uint64_t{8} << 30);
    command.limits.wall = std::chrono::seconds(10);
    const ChildResult result =
        runChild(Sandbox::ofThisMachine().confined(std::move(command), {.readable = {binary}}));
    // Two lines for each address: the function, and `/folder/file.cu:12` or `??:0`.
    const std::vector<std::string_view> lines = splitLines(result.output);
    auto next = known.begin();
    for (std::size_t at = 0; at + 1 < lines.size() && next != known.end(); at += 2, ++next) {
        Frame& frame = next->second;
        frame.isStub = lines[at].find("__device_stub__") != std::string_view::npos;
        const std::string_view line = lines[at + 1].substr(0, lines[at + 1].find(" ("));
        const std::size_t colon = line.rfind(':');
        if (colon == std::string_view::npos) continue;
        frame.place.file = ownName(std::string(line.substr(0, colon)));
        frame.place.line = static_cast<std::uint32_t>(std::atoi(line.data() + colon + 1));
    }
    for (std::size_t at = 0; at < calls.size(); ++at) {
        bool isKernel = false;
        for (const std::uint64_t address : calls[at]) {
            const Frame& frame = known[address];
            // What nvcc calls in place of a kernel stands where the kernel does.
            if (frame.isStub || std::exchange(isKernel, false)) {
                isKernel = frame.isStub;
                continue;
            }
            if (frame.place.file.empty() || frame.place.line == 0) continue;
            places[at] = frame.place;
            break;
        }
    }
    return places;
}

}  // namespace warplens
