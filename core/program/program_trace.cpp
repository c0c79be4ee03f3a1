#include "core/program/program_trace.h"

#include <array>
#include <map>

#include "core/access/tally.h"
#include "core/text/enum_names.h"

namespace warplens {
namespace {

constexpr std::array<std::string_view, 6> lineKinds{"load",        "store",        "atomic",
                                                    "shared_load", "shared_store", "branch"};

constexpr std::array<std::string_view, 19> findingKinds{"out_of_bounds",
                                                        "use_after_free",
                                                        "host_pointer",
                                                        "device_pointer",
                                                        "wild_pointer",
                                                        "misaligned",
                                                        "barrier_mismatch",
                                                        "shared_race",
                                                        "block_race",
                                                        "uninitialised_shared",
                                                        "unwritten_memory",
                                                        "division_by_zero",
                                                        "endless_loop",
                                                        "stack_overflow",
                                                        "failed_assertion",
                                                        "never_freed",
                                                        "launch_refused",
                                                        "not_supported",
                                                        "crash"};

/// Sums of one subject's lines.
struct LineTotals final {
    AccessTally loads;
    AccessTally stores;
    SharedTally shared;
    BranchTally branches;

    void add(const ProgramLine& line) {
        switch (line.kind) {
            case LineKind::load:
            case LineKind::store:
                (line.kind == LineKind::load ? loads : stores)
                    .add(AccessTally{line.requests, line.sectors, line.idealSectors,
                                     line.uniqueBytes, 0});
                break;
            case LineKind::atomic:
                // On shared memory they are wavefronts of their own; on global memory the L2's
                // work.
                if (line.sectors != 0) break;
                [[fallthrough]];
            case LineKind::sharedLoad:
            case LineKind::sharedStore:
                shared.add({line.requests, line.wavefronts, line.idealWavefronts});
                break;
            case LineKind::branch:
                branches.add({line.requests, line.divergent, 0, 0});
                break;
        }
    }
};

}  // namespace

std::string_view toString(LineKind kind) {
    return lineKinds.at(static_cast<std::size_t>(kind));
}

std::optional<LineKind> lineKindFromString(std::string_view text) {
    return enumeratorNamed<LineKind>(lineKinds, text);
}

std::string_view toString(FindingKind kind) {
    return findingKinds.at(static_cast<std::size_t>(kind));
}

std::vector<Value> valuesOf(const std::vector<ProgramLine>& lines) {
    LineTotals kernel;
    std::map<std::string, LineTotals> arrays;
    for (const ProgramLine& line : lines) {
        kernel.add(line);
        if (line.kind != LineKind::branch && !line.array.empty()) arrays[line.array].add(line);
    }
    std::vector<Value> values;
    SubjectValues whole(values, "kernel", Source::predicted);
    whole.addAccesses(kernel.loads, kernel.stores);
    whole.addShared(kernel.shared);
    whole.addBranches(kernel.branches);
    for (const auto& [name, totals] : arrays) {
        SubjectValues array(values, name, Source::predicted);
        array.addAccesses(totals.loads, totals.stores);
        if (totals.shared.requests != 0) array.addShared(totals.shared);
    }
    return values;
}

}  // namespace warplens
