#include "core/program/program_trace.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/access/tally.h"

namespace warplens {
namespace {

template <typename Kind>
struct KindName final {
    Kind kind;
    std::string_view name;
};

constexpr std::array<KindName<LineKind>, 6> lineKinds{{{LineKind::load, "load"},
                                                       {LineKind::store, "store"},
                                                       {LineKind::atomic, "atomic"},
                                                       {LineKind::sharedLoad, "shared_load"},
                                                       {LineKind::sharedStore, "shared_store"},
                                                       {LineKind::branch, "branch"}}};

constexpr std::array<KindName<FindingKind>, 18> findingKinds{
    {{FindingKind::outOfBounds, "out_of_bounds"},
     {FindingKind::useAfterFree, "use_after_free"},
     {FindingKind::hostPointer, "host_pointer"},
     {FindingKind::devicePointer, "device_pointer"},
     {FindingKind::wildPointer, "wild_pointer"},
     {FindingKind::misaligned, "misaligned"},
     {FindingKind::barrierMismatch, "barrier_mismatch"},
     {FindingKind::sharedRace, "shared_race"},
     {FindingKind::blockRace, "block_race"},
     {FindingKind::uninitialisedShared, "uninitialised_shared"},
     {FindingKind::divisionByZero, "division_by_zero"},
     {FindingKind::endlessLoop, "endless_loop"},
     {FindingKind::stackOverflow, "stack_overflow"},
     {FindingKind::failedAssertion, "failed_assertion"},
     {FindingKind::neverFreed, "never_freed"},
     {FindingKind::launchRefused, "launch_refused"},
     {FindingKind::notSupported, "not_supported"},
     {FindingKind::crash, "crash"}}};

template <typename Kind, std::size_t count>
std::string_view nameIn(const std::array<KindName<Kind>, count>& names, Kind kind) {
    return names.at(static_cast<std::size_t>(kind)).name;
}

template <typename Kind, std::size_t count>
std::optional<Kind> kindIn(const std::array<KindName<Kind>, count>& names, std::string_view text) {
    for (const auto& [kind, name] : names) {
        if (name == text) return kind;
    }
    return std::nullopt;
}

double quotient(std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

/// Sums of one subject's lines.
struct LineTotals final {
    ProgramLine loads;
    ProgramLine stores;
    ProgramLine shared;
    ProgramLine branches;

    void add(const ProgramLine& line) {
        switch (line.kind) {
            case LineKind::load:
                addTo(loads, line);
                break;
            case LineKind::store:
                addTo(stores, line);
                break;
            case LineKind::sharedLoad:
            case LineKind::sharedStore:
                addTo(shared, line);
                break;
            case LineKind::atomic:
                // On shared memory they are wavefronts of their own; on global memory the L2's
                // work.
                if (line.sectors == 0) addTo(shared, line);
                break;
            case LineKind::branch:
                addTo(branches, line);
                break;
        }
    }

  private:
    static void addTo(ProgramLine& sum, const ProgramLine& line) {
        sum.requests += line.requests;
        sum.sectors += line.sectors;
        sum.idealSectors += line.idealSectors;
        sum.wavefronts += line.wavefronts;
        sum.idealWavefronts += line.idealWavefronts;
        sum.uniqueBytes += line.uniqueBytes;
        sum.divergent += line.divergent;
    }
};

class SubjectValues final {
  public:
    SubjectValues(std::vector<Value>& values, std::string subject)
        : values_(values), subject_(std::move(subject)) {}

    void addAll(const LineTotals& totals) {
        const bool isKernel = subject_ == "kernel";
        addOneWay(totals.loads, Metric::globalLoadRequests, Metric::globalLoadSectors,
                  Variant::load, Variant::loadIdeal, "no global loads");
        addOneWay(totals.stores, Metric::globalStoreRequests, Metric::globalStoreSectors,
                  Variant::store, Variant::storeIdeal, "no global stores");
        const std::uint64_t sectors = totals.loads.sectors + totals.stores.sectors;
        if (sectors != 0) {
            add(Metric::coalescingEfficiency,
                100 * quotient(totals.loads.uniqueBytes + totals.stores.uniqueBytes,
                               sectors * bytesPerSector));
        } else if (isKernel) {
            addMissing(Metric::coalescingEfficiency, "no global accesses");
        }
        addShared(totals.shared);
        if (isKernel) addBranches(totals.branches);
    }

  private:
    void add(Metric metric, double number, Variant variant = Variant::none) {
        values_.push_back({metric, subject_, Source::predicted, variant, number});
    }
    void addMissing(Metric metric, std::string reason, Variant variant = Variant::none) {
        values_.push_back(
            {metric, subject_, Source::predicted, variant, Unavailable{std::move(reason)}});
    }
    void addOneWay(const ProgramLine& sum, Metric requests, Metric sectors, Variant variant,
                   Variant ideal, const char* none) {
        if (sum.requests == 0) {
            if (subject_ != "kernel") return;
            add(requests, 0);
            add(sectors, 0);
            addMissing(Metric::sectorsPerRequest, none, variant);
            return;
        }
        add(requests, static_cast<double>(sum.requests));
        add(sectors, static_cast<double>(sum.sectors));
        add(Metric::sectorsPerRequest, quotient(sum.sectors, sum.requests), variant);
        add(Metric::sectorsPerRequest, quotient(sum.idealSectors, sum.requests), ideal);
    }
    void addShared(const ProgramLine& sum) {
        if (sum.requests == 0) {
            if (subject_ != "kernel") return;
            add(Metric::sharedWavefronts, 0);
            add(Metric::bankConflicts, 0);
            addMissing(Metric::sharedWavefrontsPerRequest, "no shared-memory requests");
            return;
        }
        add(Metric::sharedWavefronts, static_cast<double>(sum.wavefronts));
        add(Metric::bankConflicts, static_cast<double>(sum.wavefronts - sum.idealWavefronts));
        add(Metric::sharedWavefrontsPerRequest, quotient(sum.wavefronts, sum.requests));
    }
    void addBranches(const ProgramLine& sum) {
        add(Metric::branches, static_cast<double>(sum.requests));
        add(Metric::divergentBranches, static_cast<double>(sum.divergent));
        if (sum.requests == 0) {
            addMissing(Metric::branchEfficiency, "no branches");
        } else {
            add(Metric::branchEfficiency,
                100 * quotient(sum.requests - sum.divergent, sum.requests));
        }
    }

    std::vector<Value>& values_;
    std::string subject_;
};

}  // namespace

std::string_view toString(LineKind kind) {
    return nameIn(lineKinds, kind);
}

std::optional<LineKind> lineKindFromString(std::string_view text) {
    return kindIn(lineKinds, text);
}

std::string_view toString(FindingKind kind) {
    return nameIn(findingKinds, kind);
}

std::optional<FindingKind> findingKindFromString(std::string_view text) {
    return kindIn(findingKinds, text);
}

std::vector<Value> valuesOf(const std::vector<ProgramLine>& lines) {
    LineTotals kernel;
    std::map<std::string, LineTotals> arrays;
    for (const ProgramLine& line : lines) {
        kernel.add(line);
        if (line.kind != LineKind::branch && !line.array.empty()) arrays[line.array].add(line);
    }
    std::vector<Value> values;
    SubjectValues(values, "kernel").addAll(kernel);
    for (const auto& [name, totals] : arrays) SubjectValues(values, name).addAll(totals);
    return values;
}

}  // namespace warplens
