#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/access/shared_access.h"
#include "core/access/warp_access.h"
#include "core/kernel/kernel.h"
#include "core/measurement/measurement.h"

namespace warplens {

/// Accesses of one kind (loads or stores) to one array, summed over a launch.
struct AccessTally final {
    std::uint64_t requests = 0;
    std::uint64_t sectors = 0;
    std::uint64_t idealSectors = 0;
    std::uint64_t uniqueBytes = 0;
    std::uint64_t requestedBytes = 0;
    friend bool operator==(const AccessTally&, const AccessTally&) = default;

    void add(const AccessTally& other, std::uint64_t times = 1);
    void add(const AccessCost& cost, std::uint64_t times = 1) {
        add(AccessTally{1, cost.sectors, cost.idealSectors, cost.uniqueBytes, cost.requestedBytes},
            times);
    }
};

/// Accesses to one array in shared memory, summed over a launch.
struct SharedTally final {
    std::uint64_t requests = 0;
    std::uint64_t wavefronts = 0;
    std::uint64_t idealWavefronts = 0;
    friend bool operator==(const SharedTally&, const SharedTally&) = default;

    void add(const SharedTally& other, std::uint64_t times = 1);
    void add(const SharedCost& cost, std::uint64_t times = 1) {
        add({1, cost.wavefronts, cost.idealWavefronts}, times);
    }
};

/// Atomics on one array, in global or shared memory, summed over a launch.
struct AtomicTally final {
    std::uint64_t requests = 0;
    std::uint64_t turns = 0;  ///< of each request the lanes at the address that most of them share
    std::uint64_t sectors = 0;  ///< of global memory
    friend bool operator==(const AtomicTally&, const AtomicTally&) = default;

    void add(const AtomicTally& other, std::uint64_t times = 1);
};

/// One marked branch, summed over a launch.
struct BranchTally final {
    std::uint64_t executed = 0;   ///< warps that came to it
    std::uint64_t divergent = 0;  ///< of these, warps whose active lanes went both ways
    std::uint64_t lanes = 0;      ///< active lanes that came to it
    std::uint64_t takenLanes = 0;
    friend bool operator==(const BranchTally&, const BranchTally&) = default;

    void add(const BranchTally& other, std::uint64_t times = 1);
};

/// What a launch does to memory and at branches: what the host trace and the device probe both
/// count. `loads` and `stores` have one entry for each of the kernel's arrays, `shared` one for
/// each of its arrays in shared memory, `branches` one for each of its marked branches.
struct LaunchTally final {
    std::vector<AccessTally> loads;
    std::vector<AccessTally> stores;
    std::vector<SharedTally> shared;
    std::vector<BranchTally> branches;
    std::vector<AtomicTally> atomics;        ///< of the arrays in global memory
    std::vector<AtomicTally> sharedAtomics;  ///< whose wavefronts are among `shared`, too
    friend bool operator==(const LaunchTally&, const LaunchTally&) = default;

    LaunchTally() = default;
    explicit LaunchTally(const Kernel& kernel);
    /// Adds another tally of the same kernel `times` times.
    void add(const LaunchTally& other, std::uint64_t times = 1);
};

/// Appends tallies as values of one subject: `kernel`, or an array or a branch of it.
class SubjectValues final {
  public:
    SubjectValues(std::vector<Value>& values, std::string subject, Source source)
        : values_(values), subject_(std::move(subject)), source_(source) {}

    /// Of global memory. An array says nothing of loads, or stores, that it has not.
    void addAccesses(const AccessTally& loads, const AccessTally& stores);
    void addShared(const SharedTally& shared);
    /// Nothing where there are none.
    void addAtomics(const AtomicTally& atomics);
    void addBranches(const BranchTally& branch);

  private:
    void add(Metric metric, double number, Variant variant = Variant::none);
    void addMissing(Metric metric, const char* reason, Variant variant = Variant::none);
    void addOneWay(const AccessTally& tally, Metric requests, Metric sectors, Variant variant,
                   Variant ideal, const char* none);

    std::vector<Value>& values_;
    std::string subject_;
    Source source_;
};

/// The tally as values: for the whole kernel, for each array (global and shared), and for each
/// marked branch.
[[nodiscard]] std::vector<Value> valuesOf(const LaunchTally& tally, const Kernel& kernel,
                                          Source source);

}  // namespace warplens
