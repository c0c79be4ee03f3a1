#include "app/window/state/program.h"

#include <algorithm>
#include <iterator>

namespace warplens::window {
namespace {

const ProgramLaunch* launchOf(const ProgramTrace& trace, std::uint32_t index) {
    const auto found = std::ranges::find(trace.launches, index, &ProgramLaunch::index);
    return found == trace.launches.end() ? nullptr : &*found;
}

std::string extentsText(Extents extents) {
    if (extents.y == 1 && extents.z == 1) return std::to_string(extents.x);
    std::string text = '(' + std::to_string(extents.x) + ", " + std::to_string(extents.y);
    if (extents.z != 1) text += ", " + std::to_string(extents.z);
    return text + ')';
}

}  // namespace

const ProgramLaunch* chosenLaunch(const ProgramState& program) {
    return program.now ? launchOf(program.now->trace, program.launch) : nullptr;
}

std::vector<ProposedValue> proposedForChosen(const ProgramState& program) {
    const auto& version = program.now && !program.now->failure.empty() && program.before
                              ? program.before
                              : program.now;
    const ProgramLaunch* const launch =
        version ? launchOf(version->trace, program.launch) : nullptr;
    if (launch == nullptr) return {};
    const std::string& whole = launch->kernel;
    const std::size_t scope = whole.rfind(':');
    const std::string name = whole.substr(scope == std::string::npos ? 0 : scope + 1);
    std::vector<ProposedValue> found;
    std::ranges::copy_if(version->proposed, std::back_inserter(found),
                         [&](const ProposedValue& value) { return value.kernel == name; });
    return found;
}

void wish(ProgramState& program, ProposedValue value) {
    value.kernel.clear();
    std::erase_if(program.wishes, [&](const ProposedValue& other) {
        return other.kind == value.kind && other.name == value.name;
    });
    if (!value.value.empty()) program.wishes.push_back(std::move(value));
    program.stage = "compiling";
}

std::string launchText(const Launch& launch) {
    std::string text = "<<<" + extentsText(launch.grid) + ", " + extentsText(launch.block);
    if (launch.dynamicSharedBytes != 0) text += ", " + std::to_string(launch.dynamicSharedBytes);
    return text + ">>>";
}

std::vector<VersionChange> changesOf(const ProgramState& program) {
    const ProgramLaunch* const now = chosenLaunch(program);
    const ProgramLaunch* const before =
        program.before ? launchOf(program.before->trace, program.launch) : nullptr;
    if (now == nullptr || before == nullptr) return {};
    const LineCosts a = costsOf(*before);
    const LineCosts b = costsOf(*now);
    std::vector<VersionChange> changes;
    const auto compare = [&](std::string_view what, std::uint64_t old, std::uint64_t fresh) {
        if (old != fresh) {
            changes.push_back({what, static_cast<double>(old), static_cast<double>(fresh)});
        }
    };
    compare("Requests", a.requests, b.requests);
    compare("Sectors", a.sectors, b.sectors);
    compare("Shared wavefronts", a.wavefronts, b.wavefronts);
    compare("Divergent branches", a.divergent, b.divergent);
    return changes;
}

void chooseLaunch(ProgramState& program, std::uint32_t index) {
    program.line = 0;
    if (!program.now || program.now->trace.launches.empty()) return;
    const ProgramTrace& trace = program.now->trace;
    program.launch = launchOf(trace, index) != nullptr ? index : trace.launches.front().index;
    const ProgramLaunch& launch = *launchOf(trace, program.launch);
    program.line = worstLine(costsByLine(launch, program.path, program.now->lines.size()));
}

void takeVersion(ProgramState& program, std::shared_ptr<const ProgramVersion> version) {
    if (program.now && program.now->failure.empty()) program.before = program.now;
    program.now = std::move(version);
    program.stage.clear();
    const std::uint32_t line = program.line;
    if (!program.now->failure.empty()) {
        program.line = program.now->failureLine;
        return;
    }
    if (program.now->proposed.empty()) program.wishes.clear();  // it has a main by now
    chooseLaunch(program, program.launch);
    if (line != 0 && line <= program.now->lines.size() && program.before) program.line = line;
}

}  // namespace warplens::window
