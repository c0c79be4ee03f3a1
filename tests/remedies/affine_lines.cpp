// affine_lines [-I FOLDER] [-D NAME=VALUE] [-l NAME] FILE.cu... [-- ARGUMENTS]: of the program's
// lines with at least twice the fewest sectors or wavefronts, are the addresses affine in threadIdx
// and blockIdx, or in the lane and the warp? Decided from the addresses themselves, of all threads
// of the blocks at the corners of the grid: equations are taken until they say all, and each
// address is held against what they say. Exits with 1 where an affine line has no formula or no
// reason, where a formula is not that of the addresses, or where a line has no reason at all.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/launch/mapping.h"
#include "core/program/reasons.h"
#include "kernels/programs/sandbox.h"
#include "kernels/programs/trace_program.h"

namespace {

using namespace warplens;

constexpr std::size_t unknowns = 7;  // 1, three of the thread, three of the block
using Row = std::array<double, unknowns>;

struct Access final {
    Row byThread{};
    Row byLane{};
    std::int64_t offset = 0;
};

/// The factors that give the offset of each access; nothing where none do.
std::optional<Row> factorsOf(const std::vector<Access>& accesses, Row Access::*known) {
    std::vector<std::array<double, unknowns + 1>> rows;  // in echelon form
    std::vector<std::size_t> pivots;
    for (const Access& access : accesses) {
        std::array<double, unknowns + 1> row{};
        std::copy((access.*known).begin(), (access.*known).end(), row.begin());
        row.back() = static_cast<double>(access.offset);
        for (std::size_t at = 0; at < rows.size(); ++at) {
            const double factor = row.at(pivots[at]) / rows[at].at(pivots[at]);
            for (std::size_t term = 0; term <= unknowns; ++term)
                row.at(term) -= factor * rows[at].at(term);
        }
        std::size_t pivot = unknowns;
        for (std::size_t term = 0; term < unknowns; ++term) {
            if (std::abs(row.at(term)) > 1e-6 &&
                (pivot == unknowns || std::abs(row.at(term)) > std::abs(row.at(pivot))))
                pivot = term;
        }
        if (pivot == unknowns) continue;
        rows.push_back(row);
        pivots.push_back(pivot);
        if (rows.size() == unknowns) break;
    }
    Row factors{};
    for (std::size_t at = rows.size(); at-- > 0;) {
        double value = rows[at].back();
        for (std::size_t term = 0; term < unknowns; ++term) {
            if (term != pivots[at]) value -= rows[at].at(term) * factors.at(term);
        }
        factors.at(pivots[at]) = std::round(value / rows[at].at(pivots[at]));
    }
    for (const Access& access : accesses) {
        double offset = 0;
        for (std::size_t term = 0; term < unknowns; ++term)
            offset += (access.*known).at(term) * factors.at(term);
        if (offset != static_cast<double>(access.offset)) return std::nullopt;
    }
    return factors;
}

double offsetBy(const AddressFormula& formula, const Access& access) {
    const Row& known = formula.ofLanes ? access.byLane : access.byThread;
    double offset = static_cast<double>(formula.start);
    for (std::size_t axis = 0; axis < 3; ++axis)
        offset += known.at(1 + axis) * static_cast<double>(formula.thread.at(axis)) +
                  known.at(4 + axis) * static_cast<double>(formula.block.at(axis));
    return offset;
}

/// What each thread of a block accesses when it is there first.
void addAccesses(const BlockSteps& block, const ProgramLine& line, std::vector<Access>& to) {
    for (std::uint32_t warp = 0; warp < block.warps.size(); ++warp) {
        std::uint32_t met = 0;
        std::size_t at = 0;
        for (const BlockStep& step : block.warps[warp].steps) {
            if (step.bytes == 0) continue;
            const std::size_t first = at;
            at += static_cast<std::size_t>(std::popcount(step.active));
            if (step.kind != line.kind || block.places.at(step.place) != line.place) continue;
            const bool isShared = line.sectors == 0;
            const std::string& array =
                isShared ? block.shared.at(step.subject).name : block.arrays.at(step.subject).name;
            if (array != line.array) continue;
            const std::int64_t begin =
                isShared ? block.shared.at(step.subject).place.offset
                         : static_cast<std::int64_t>(block.arrays.at(step.subject).lead);
            std::size_t offset = first;
            for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
                if ((step.active >> lane & 1) == 0) continue;
                const std::int64_t value =
                    static_cast<std::int64_t>(block.warps[warp].offsets.at(offset++)) - begin;
                if ((met >> lane & 1) != 0) continue;
                const Index3 thread =
                    threadIndexInBlock({warp * lanesPerWarp + lane}, block.shape.block);
                const Index3 at3 = block.block;
                const auto number = [](auto of) { return static_cast<double>(of); };
                to.push_back({{1, number(thread.x), number(thread.y), number(thread.z),
                               number(at3.x), number(at3.y), number(at3.z)},
                              {1, number(lane), number(warp), 0, number(at3.x), number(at3.y),
                               number(at3.z)},
                              value});
            }
            met |= step.active;
        }
    }
}

/// The blocks at the corners of the launch's grid, one by one.
std::vector<BlockSteps> cornersOf(TraceRequest request, const LaunchReport& launch) {
    const Extents grid = launch.launch.grid;
    std::set<std::array<std::uint32_t, 3>> wanted;
    for (const Index3 block :
         {Index3{0, 0, 0}, Index3{std::min(1u, grid.x - 1), 0, 0},
          Index3{0, std::min(1u, grid.y - 1), 0}, Index3{0, 0, std::min(1u, grid.z - 1)},
          Index3{grid.x - 1, grid.y - 1, grid.z - 1}})
        wanted.insert({block.x, block.y, block.z});
    std::vector<BlockSteps> blocks;
    request.launch = launch.index;
    for (const auto& block : wanted) {
        request.stepsOf = Index3{block[0], block[1], block[2]};
        if (auto steps = traceProgram(request).steps) blocks.push_back(*std::move(steps));
    }
    return blocks;
}

TraceRequest parsed(int count, char** texts) {
    TraceRequest request;
    for (int at = 1; at < count; ++at) {
        const std::string text = texts[at];
        const auto next = [&] { return at + 1 < count ? texts[++at] : ""; };
        if (text == "-I")
            request.source.includes.emplace_back(next());
        else if (text == "-D")
            request.source.defines.emplace_back(next());
        else if (text == "-l")
            request.source.libraries.emplace_back(next());
        else if (text == "--std")
            request.source.standard = next();
        else if (text == "--time-limit")
            request.secondsMost = std::atof(next());
        else if (text == "--")
            request.arguments.assign(texts + at + 1, texts + count), at = count;
        else if (text == "--devices" || text == "-O")
            next();
        else
            request.source.files.emplace_back(text);
    }
    return request;
}

bool isTwiceTheFewest(const ProgramLine& line) {
    return (line.idealSectors != 0 && line.sectors >= 2 * line.idealSectors) ||
           (line.idealWavefronts != 0 && line.wavefronts >= 2 * line.idealWavefronts);
}

int judge(const TraceRequest& request) {
    const ProgramTrace trace = traceProgram(request).trace;
    std::set<std::tuple<std::string, std::uint32_t, std::uint32_t, AccessKind, std::string>> seen;
    int lines = 0, affine = 0, others = 0, unseen = 0, wrong = 0;
    for (const LaunchReport& launch : trace.launches) {
        std::vector<const ProgramLine*> costly;
        for (const ProgramLine& line : launch.lines) {
            if (line.source == Source::predicted && isTwiceTheFewest(line) &&
                seen.emplace(line.place.file, line.place.line, line.place.column, line.kind,
                             line.array)
                    .second)
                costly.push_back(&line);
        }
        if (costly.empty()) continue;
        const std::vector<BlockSteps> blocks = cornersOf(request, launch);
        for (const ProgramLine* line : costly) {
            std::vector<Access> accesses;
            for (const BlockSteps& block : blocks) addAccesses(block, *line, accesses);
            const bool isAffine = !accesses.empty() && (factorsOf(accesses, &Access::byThread) ||
                                                        factorsOf(accesses, &Access::byLane));
            ++lines;
            ++(accesses.empty() ? unseen : isAffine ? affine : others);
            const bool hasFormula = line->address && !line->address->isOfRequest;
            const char* fault = line->reason.empty()      ? "NO REASON"
                                : isAffine && !hasFormula ? "NO FORMULA"
                                : !isAffine && hasFormula && !accesses.empty()
                                    ? "A FORMULA OF WHAT HAS NONE"
                                    : nullptr;
            for (const Access& access : accesses) {
                // Of several requests of a line the formula is that of one.
                // Where the launch ended early, other blocks than these were not seen.
                const auto isSameBlock = [&](const Access& other) {
                    return std::equal(other.byThread.begin() + 4, other.byThread.end(),
                                      access.byThread.begin() + 4);
                };
                const Access& first =
                    launch.exact ? accesses.front() : *std::ranges::find_if(accesses, isSameBlock);
                if (isAffine && hasFormula &&
                    offsetBy(*line->address, access) - offsetBy(*line->address, first) !=
                        static_cast<double>(access.offset - first.offset))
                    fault = "ANOTHER FORMULA";
            }
            wrong += fault != nullptr;
            std::printf(
                "%s:%u:%u %s of %s: %zu addresses %s%s%s: %s\n", line->place.file.c_str(),
                line->place.line, line->place.column, std::string(nameOf(line->kind)).c_str(),
                line->array.c_str(), accesses.size(), isAffine ? "affine" : "not affine",
                fault != nullptr ? ", " : "", fault != nullptr ? fault : "", line->reason.c_str());
        }
    }
    std::printf("%d lines: %d affine, %d not, %d not among the steps; %d wrong\n", lines, affine,
                others, unseen, wrong);
    return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** texts) {
    try {
        allowUnconfined();  // of programs that are known
        return judge(parsed(count, texts));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
