#include "app/drawing/line_meaning.h"

#include <array>
#include <charconv>
#include <map>
#include <vector>

#include "core/program/line_costs.h"
#include "core/text/format.h"

namespace warplens {
namespace {

/// Accesses of one kind on a line.
struct Accesses final {
    std::string name;  ///< `stores`
    LineCosts costs;
};

/// What the parts of a line say, those that waste something first.
struct Sentences final {
    std::string wasteful{};
    std::string fine{};

    static void add(std::string& to, const std::string& sentence) {
        to += (to.empty() ? "" : " ") + sentence;
    }
};

void tellGlobal(const std::vector<Accesses>& all, Sentences& told) {
    std::string others;
    bool wastes = !told.wasteful.empty();  // by its atomics
    for (const Accesses& one : all) {
        const LineCosts& costs = one.costs;
        if (costs.wastedSectors() == 0) {
            others += (others.empty() ? "" : " and ") + one.name;
            continue;
        }
        wastes = true;
        Sentences::add(told.wasteful, "The " + (all.size() == 1 ? "lanes" : one.name) +
                                          " of a warp ask for bytes that lie in " +
                                          perRequest(costs.sectors, costs.requests) +
                                          " sectors of 32 bytes; side by side they would lie in " +
                                          perRequest(costs.idealSectors, costs.requests) + '.');
    }
    if (others.empty()) return;
    Sentences::add(told.fine,
                   wastes ? "The bytes of its " + others + " lie side by side: no sector too many."
                          : "The lanes' bytes lie side by side: no sector too many.");
}

void tellShared(const std::vector<Accesses>& all, Sentences& told) {
    std::string others;
    bool wastes = false;
    for (const Accesses& one : all) {
        const LineCosts& costs = one.costs;
        if (costs.wavefronts <= costs.idealWavefronts) {
            others += (others.empty() ? "" : " and ") + one.name;
            continue;
        }
        wastes = true;
        Sentences::add(told.wasteful,
                       (all.size() == 1 ? "Lanes want" : "In its " + one.name + " lanes want") +
                           std::string(" different words of the same bank of shared memory, one "
                                       "after the other: ") +
                           perRequest(costs.wavefronts, costs.sharedRequests) +
                           " wavefronts a request.");
    }
    if (others.empty()) return;
    Sentences::add(told.fine, (wastes ? "In its " + others + " no" : std::string("No")) +
                                  " two lanes want different words of one bank of shared memory.");
}

std::map<LineKind, LineCosts> kindsOf(const ProgramLaunch& launch, const std::string& file,
                                      std::uint32_t line) {
    std::map<LineKind, LineCosts> kinds;
    for (const ProgramLine& one : launch.lines) {
        if (one.source != Source::predicted || one.place.line != line) continue;
        if (sameFile(one.place.file, file)) kinds[one.kind].add(one);
    }
    return kinds;
}

}  // namespace

std::string perRequest(std::uint64_t units, std::uint64_t requests) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.begin(), text.end(),
                                   static_cast<double>(units) / static_cast<double>(requests),
                                   std::chars_format::fixed, 2);
    return {text.begin(), end.ptr};
}

std::string meaningOfLine(const ProgramLaunch& launch, const std::string& file,
                          std::uint32_t line) {
    std::map<LineKind, LineCosts> kinds = kindsOf(launch, file, line);
    Sentences told;
    if (const std::uint32_t lanes = kinds[LineKind::atomic].mostSameAddress; lanes > 1) {
        told.wasteful = "Up to " + std::to_string(lanes) +
                        " lanes of a warp change one address: they come one after the other.";
        kinds.erase(LineKind::atomic);
    }
    std::vector<Accesses> global;
    std::vector<Accesses> shared;
    for (const auto& [kind, name] : {std::pair{LineKind::load, "loads"},
                                     {LineKind::sharedLoad, "loads"},
                                     {LineKind::store, "stores"},
                                     {LineKind::sharedStore, "stores"},
                                     {LineKind::atomic, "atomics"}}) {
        const LineCosts& costs = kinds[kind];
        if (costs.requests != 0) global.push_back({name, costs});
        if (costs.sharedRequests != 0) shared.push_back({name, costs});
    }
    tellGlobal(global, told);
    tellShared(shared, told);
    const LineCosts& branch = kinds[LineKind::branch];
    if (branch.divergent != 0) {
        Sentences::add(told.wasteful,
                       "In " + groupedDigits(branch.divergent) + " of " +
                           groupedDigits(branch.branches) +
                           " cases some lanes of the warp go one way and some the other; the arms "
                           "run one after the other.");
    }
    if (!told.fine.empty()) Sentences::add(told.wasteful, told.fine);
    return told.wasteful.empty() ? "All lanes of each warp go the same way here." : told.wasteful;
}

std::optional<LineKind> worstKindOfLine(const ProgramLaunch& launch, const std::string& file,
                                        std::uint32_t line) {
    std::optional<LineKind> worst;
    std::pair<std::uint64_t, std::uint64_t> most{};
    for (const auto& [kind, costs] : kindsOf(launch, file, line)) {
        const std::uint64_t replays =
            costs.wavefronts > costs.idealWavefronts ? costs.wavefronts - costs.idealWavefronts : 0;
        const std::pair waste{costs.wastedSectors(), replays};
        if (waste <= most) continue;
        most = waste;
        worst = kind;
    }
    return worst;
}

}  // namespace warplens
