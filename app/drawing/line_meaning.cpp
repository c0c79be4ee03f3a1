#include "app/drawing/line_meaning.h"

#include "core/program/costliest_line.h"
#include "core/program/joined_atomics.h"
#include "core/text/format.h"

namespace warplens {
namespace {

/// What the parts of a line say, those that waste something first.
struct Sentences final {
    std::string wasteful{};
    std::string fine{};
};

std::uint64_t wasteOfOne(const ProgramLine& one) {
    return wasteOf(one.kind, one);
}

/// `stores`, `loads of a`: what the line has other loads of, too, is named.
std::string nameOf(const ProgramLine& one, const std::vector<ProgramLine>& all) {
    const bool isLoad = one.kind == AccessKind::load || one.kind == AccessKind::sharedLoad;
    const std::string name = isLoad ? "loads" : isAtomic(one.kind) ? "atomics" : "stores";
    return std::ranges::count(all, one.kind, &ProgramLine::kind) == 1 ? name
                                                                      : name + " of " + one.array;
}

std::string each(const ProgramLine& one) {
    return perRequest(unitsOf(one.kind, one), one.requests);
}

std::string idealEach(const ProgramLine& one) {
    return perRequest(idealOf(one.kind, one), one.requests);
}

void tellGlobal(const std::vector<ProgramLine>& all, Sentences& told) {
    std::string others;
    bool wastes = !told.wasteful.empty();  // by its atomics
    for (const ProgramLine& one : all) {
        if (wasteOfOne(one) == 0) {
            addWords(others, " and ", nameOf(one, all));
            continue;
        }
        wastes = true;
        addWords(told.wasteful, " ",
                 "The " + (all.size() == 1 ? "lanes" : nameOf(one, all)) +
                     " of a warp access bytes that lie in " + each(one) +
                     " sectors of 32 bytes; side by side they would lie in " + idealEach(one) +
                     '.');
    }
    if (others.empty()) return;
    addWords(told.fine, " ",
             wastes ? "The bytes of its " + others + " lie in as few sectors as they can."
                    : "The lanes' bytes lie in as few sectors as they can.");
}

void tellShared(const std::vector<ProgramLine>& all, Sentences& told) {
    std::string others;
    bool wastes = false;
    for (const ProgramLine& one : all) {
        if (wasteOfOne(one) == 0) {
            addWords(others, " and ", nameOf(one, all));
            continue;
        }
        wastes = true;
        addWords(told.wasteful, " ",
                 (all.size() == 1 ? "Lanes want" : "In its " + nameOf(one, all) + " lanes want") +
                     std::string(" different words of the same bank of shared memory, one "
                                 "after the other: ") +
                     each(one) + " wavefronts a request.");
    }
    if (others.empty()) return;
    addWords(told.fine, " ",
             (wastes ? "In its " + others + " no" : std::string("No")) +
                 " two lanes want different words of one bank of shared memory.");
}

/// Without decimals that are 0.
std::string shortly(const std::string& text) {
    return text.ends_with(".00") ? text.substr(0, text.size() - 3) : text;
}

bool takeTheSame(const std::vector<ProgramLine>& all) {
    return std::ranges::all_of(all, [&](const ProgramLine& one) {
        return each(one) == each(all.front()) && idealEach(one) == idealEach(all.front());
    });
}

}  // namespace

const ProgramLine& worstOf(const std::vector<ProgramLine>& all) {
    return *std::ranges::max_element(all, {}, wasteOfOne);
}

std::string perRequest(std::uint64_t units, std::uint64_t requests) {
    return fixedNumber(static_cast<double>(units) / static_cast<double>(requests), 2);
}

std::string eachOf(const std::vector<ProgramLine>& all) {
    if (takeTheSame(all)) return eachOfAll(all);
    const std::string ideal = idealEach(all.front());
    const bool sameIdeal =
        std::ranges::all_of(all, [&](const ProgramLine& one) { return idealEach(one) == ideal; });
    const auto eachBy = [&](std::string (*number)(const ProgramLine&)) {
        return joined(all, " | ", [&](const ProgramLine& one) { return shortly(number(one)); });
    };
    return eachBy(each) + " of " + (sameIdeal ? shortly(ideal) : eachBy(idealEach));
}

std::string eachOfAll(const std::vector<ProgramLine>& all) {
    ProgramLine sum = all.front();
    for (std::size_t i = 1; i < all.size(); ++i) sum.add(all[i]);
    return each(sum) + " of " + idealEach(sum);
}

std::string eachApart(const std::vector<ProgramLine>& all) {
    if (all.empty() || takeTheSame(all)) return {};
    return joined(all, ", ",
                  [&](const ProgramLine& one) {
                      return nameOf(one, all) + ' ' + shortly(each(one));
                  }) +
           " a request";
}

std::vector<std::string> memoryCosts(const LineCosts& costs,
                                     const std::function<std::string(const std::string&)>& least) {
    std::vector<std::string> words;
    const auto add = [&](std::uint64_t units, const char* unit, std::uint64_t ideal,
                         const std::vector<ProgramLine>& parts) {
        if (units == 0) return;
        words.push_back(counted(units, unit) + least(groupedDigits(ideal)));
        if (std::string apart = eachApart(parts); !apart.empty()) words.push_back(std::move(apart));
    };
    add(costs.global.sectors, "sector", costs.global.idealSectors, costs.globalParts);
    add(costs.shared.wavefronts, "wavefront", costs.shared.idealWavefronts, costs.sharedParts);
    if (costs.wastedTurns() != 0) {
        const LineCost atomics = costs.atomics();
        add(atomics.sameAddress, "turn", atomics.requests, {});
    }
    add(costs.constant.wavefronts, "constant-memory turn", costs.constant.idealWavefronts, {});
    if (costs.local.requests != 0)
        words.push_back(counted(costs.local.sectors, "local-memory sector"));
    return words;
}

std::string branchesInWords(const LineCosts& costs) {
    return groupedDigits(costs.branch.divergent) + " of " + groupedDigits(costs.branch.requests) +
           " branches diverge";
}

std::string meaningOfLine(const LaunchReport& launch, const std::string& file, std::uint32_t line,
                          bool hasFinding) {
    LineCosts costs = costsOfLine(launch, file, line);
    Sentences told;
    const std::uint32_t inTurns = costs.mostInTurns();
    if (costs.mostSameAddress() > 1) {
        if (inTurns != 0) {
            told.wasteful = "Up to " + std::to_string(inTurns) +
                            " lanes of a warp change one address: they come one after the other.";
        } else {
            told.fine =
                "All lanes of a warp change one address: " + joinedInWords(AccessKind::atomic) +
                '.';
        }
        for (auto* const all : {&costs.globalParts, &costs.sharedParts}) {
            std::erase_if(*all, [](const ProgramLine& one) { return isAtomic(one.kind); });
        }
    }
    if (costs.mostSameAddress() == 1 &&
        std::ranges::any_of(costs.sharedParts, &ProgramLine::isJoined))
        told.fine =
            "In shared memory lanes that add 1 to one address do not wait for each other: the "
            "compiled code counts them, and adds their number once. In global memory they do so "
            "only where the compiler sees that all have one address; else they wait.";
    tellGlobal(costs.globalParts, told);
    tellShared(costs.sharedParts, told);
    if (costs.constant.wavefronts > costs.constant.idealWavefronts) {
        const ProgramLine& worst = worstOf(costs.constantParts);
        std::string turns = fixedNumber(
            static_cast<double>(worst.wavefronts) / static_cast<double>(worst.requests), 1);
        if (turns.ends_with(".0")) turns.resize(turns.size() - 2);
        const bool isOfMany = costs.constantParts.size() > 1 && !worst.array.empty();
        addWords(told.wasteful, " ",
                 (isOfMany ? "Of " + worst.array + " the" : std::string("The")) +
                     " lanes of a warp ask constant memory for " + turns +
                     " different addresses, which it serves one after the other: " + turns +
                     " turns.");
    } else if (costs.constant.requests != 0) {
        addWords(told.fine, " ",
                 "Of constant memory all lanes of a warp ask for one address: one turn.");
    }
    if (costs.local.requests != 0) {
        addWords(told.wasteful, " ",
                 groupedDigits(costs.local.requests) +
                     " requests of the compiled code go to local memory here.");
    }
    if (costs.branch.divergent != 0) {
        const auto onlyThose = [&](bool ProgramLine::*are) {
            return std::ranges::all_of(launch.lines, [&](const ProgramLine& one) {
                return one.source != Source::predicted || one.kind != AccessKind::branch ||
                       one.divergent == 0 || one.isGuard || one.*are || one.place.line != line ||
                       !sameFile(one.place.file, file);
            });
        };
        const bool isGone =
            hasCompiled(launch) && std::ranges::none_of(launch.lines, [&](const ProgramLine& one) {
                return one.source == Source::compiled && one.kind == AccessKind::branch &&
                       one.divergent != 0 && one.place.line == line &&
                       sameFile(one.place.file, file);
            });
        // Of several branches of the line those that diverge.
        std::uint64_t times = 0;
        bool parts = false;  // lanes of its accesses, which then waste what all would not
        for (const ProgramLine& one : launch.lines) {
            if (one.source != Source::predicted || one.place.line != line ||
                !sameFile(one.place.file, file))
                continue;
            if (one.kind == AccessKind::branch && one.divergent != 0) times += one.requests;
            parts |= partingOf(one, launch) != nullptr;
        }
        const std::string cases = "In " + groupedDigits(costs.branch.divergent) + " of " +
                                  groupedDigits(times) + " cases ";
        const std::string others = parts ? std::exchange(told.wasteful, {}) : std::string();
        if (onlyThose(&ProgramLine::isGuard))
            addWords(told.fine, " ",
                     cases +
                         "only some lanes of the warp pass the condition; the others skip it, "
                         "and no second path has to be run for them.");
        else if (isGone)
            addWords(told.fine, " ",
                     cases +
                         "some lanes of the warp go one way and some the other, as it is "
                         "written; compiled, no branch here diverges.");
        else
            addWords(told.wasteful, " ",
                     cases + (onlyThose(&ProgramLine::hasNoElse)
                                  ? "only some lanes of the warp go in, and the others are off "
                                    "meanwhile."
                                  : "some lanes of the warp go one way and some the other; the "
                                    "paths run one after the other."));
        if (!others.empty()) addWords(told.wasteful, " ", others);
    }
    if (hasFinding) return told.wasteful;
    if (!told.fine.empty()) addWords(told.wasteful, " ", told.fine);
    if (!told.wasteful.empty()) return told.wasteful;
    return costs.branch.requests != 0 ? "All lanes of each warp go the same way here."
                                      : "As it is written, nothing is asked of memory here.";
}

LineCosts costsOfLine(const LaunchReport& launch, const std::string& file, std::uint32_t line) {
    LineCosts costs;
    for (const ProgramLine& one : launch.lines) {
        if ((one.source != Source::predicted && !isLocal(one.kind)) || one.place.line != line)
            continue;
        if (sameFile(one.place.file, file)) costs.add(one);
    }
    return costs;
}

std::optional<ProgramLine> worstAccessOfLine(const LaunchReport& launch, const std::string& file,
                                             std::uint32_t line) {
    LineCosts costs = costsOfLine(launch, file, line);
    for (auto* const all : {&costs.globalParts, &costs.sharedParts}) {
        std::erase_if(*all, [&](const auto& one) { return partingOf(one, launch) != nullptr; });
        if (!all->empty() && wasteOfOne(worstOf(*all)) != 0) return worstOf(*all);
    }
    return std::nullopt;
}

}  // namespace warplens
