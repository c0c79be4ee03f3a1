#include "core/access/tally.h"

namespace warplens {
namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void AccessTally::add(const AccessTally& other, std::uint64_t times) {
    requests += times * other.requests;
    sectors += times * other.sectors;
    idealSectors += times * other.idealSectors;
    uniqueBytes += times * other.uniqueBytes;
    requestedBytes += times * other.requestedBytes;
}

void SharedTally::add(const SharedTally& other, std::uint64_t times) {
    requests += times * other.requests;
    wavefronts += times * other.wavefronts;
    idealWavefronts += times * other.idealWavefronts;
}

void AtomicTally::add(const AtomicTally& other, std::uint64_t times) {
    requests += times * other.requests;
    turns += times * other.turns;
    sectors += times * other.sectors;
}

void BranchTally::add(const BranchTally& other, std::uint64_t times) {
    executed += times * other.executed;
    divergent += times * other.divergent;
    lanes += times * other.lanes;
    takenLanes += times * other.takenLanes;
}

LaunchTally::LaunchTally(const Kernel& kernel)
    : loads(kernel.arrays.size()),
      stores(kernel.arrays.size()),
      shared(kernel.shared.size()),
      branches(kernel.branches.size()),
      atomics(kernel.arrays.size()),
      sharedAtomics(kernel.shared.size()) {}

void LaunchTally::add(const LaunchTally& other, std::uint64_t times) {
    for (std::size_t i = 0; i < loads.size(); ++i) loads[i].add(other.loads[i], times);
    for (std::size_t i = 0; i < stores.size(); ++i) stores[i].add(other.stores[i], times);
    for (std::size_t i = 0; i < shared.size(); ++i) shared[i].add(other.shared[i], times);
    for (std::size_t i = 0; i < branches.size(); ++i) branches[i].add(other.branches[i], times);
    for (std::size_t i = 0; i < atomics.size(); ++i) atomics[i].add(other.atomics[i], times);
    for (std::size_t i = 0; i < sharedAtomics.size(); ++i) {
        sharedAtomics[i].add(other.sharedAtomics[i], times);
    }
}

void SubjectValues::add(Metric metric, double number, Variant variant) {
    values_.push_back({metric, subject_, source_, variant, number});
}

void SubjectValues::addMissing(Metric metric, const char* reason, Variant variant) {
    values_.push_back({metric, subject_, source_, variant, Unavailable{reason}});
}

void SubjectValues::addOneWay(const AccessTally& tally, Metric requests, Metric sectors,
                              Variant variant, Variant ideal, const char* none) {
    if (tally.requests == 0 && subject_ != "kernel") return;
    add(requests, static_cast<double>(tally.requests));
    add(sectors, static_cast<double>(tally.sectors));
    if (tally.requests == 0) {
        addMissing(Metric::sectorsPerRequest, none, variant);
        return;
    }
    add(Metric::sectorsPerRequest, ratio(tally.sectors, tally.requests), variant);
    add(Metric::sectorsPerRequest, ratio(tally.idealSectors, tally.requests), ideal);
}

void SubjectValues::addAccesses(const AccessTally& loads, const AccessTally& stores) {
    addOneWay(loads, Metric::globalLoadRequests, Metric::globalLoadSectors, Variant::load,
              Variant::loadIdeal, "no global loads");
    addOneWay(stores, Metric::globalStoreRequests, Metric::globalStoreSectors, Variant::store,
              Variant::storeIdeal, "no global stores");
    const std::uint64_t sectors = loads.sectors + stores.sectors;
    if (sectors == 0) {
        if (subject_ == "kernel") addMissing(Metric::coalescingEfficiency, "no global accesses");
        return;
    }
    add(Metric::coalescingEfficiency,
        100 * ratio(loads.uniqueBytes + stores.uniqueBytes, sectors) / bytesPerSector);
    // The lines of a program do not tell the bytes that lanes ask for.
    const std::uint64_t requested = loads.requestedBytes + stores.requestedBytes;
    if (requested != 0) add(Metric::requestedBytesPerSector, ratio(requested, sectors));
}

void SubjectValues::addShared(const SharedTally& shared) {
    add(Metric::sharedWavefronts, static_cast<double>(shared.wavefronts));
    add(Metric::bankConflicts, static_cast<double>(shared.wavefronts - shared.idealWavefronts));
    if (shared.requests == 0) {
        addMissing(Metric::sharedWavefrontsPerRequest, "no shared-memory requests");
    } else {
        add(Metric::sharedWavefrontsPerRequest, ratio(shared.wavefronts, shared.requests));
    }
}

void SubjectValues::addAtomics(const AtomicTally& atomics) {
    if (atomics.requests == 0) return;
    add(Metric::atomicRequests, static_cast<double>(atomics.requests));
    add(Metric::atomicTurns, static_cast<double>(atomics.turns));
}

void SubjectValues::addBranches(const BranchTally& branch) {
    add(Metric::branches, static_cast<double>(branch.executed));
    add(Metric::divergentBranches, static_cast<double>(branch.divergent));
    if (branch.executed == 0) {
        addMissing(Metric::branchEfficiency, "no branches");
    } else {
        add(Metric::branchEfficiency,
            100 * ratio(branch.executed - branch.divergent, branch.executed));
    }
}

std::vector<Value> valuesOf(const LaunchTally& tally, const Kernel& kernel, Source source) {
    std::vector<Value> values;
    AccessTally loads;
    AccessTally stores;
    SharedTally shared;
    BranchTally branches;
    AtomicTally atomics;
    for (const AtomicTally& array : tally.atomics) atomics.add(array);
    for (const AtomicTally& array : tally.sharedAtomics) atomics.add(array);
    for (const AccessTally& load : tally.loads) loads.add(load);
    for (const AccessTally& store : tally.stores) stores.add(store);
    for (const SharedTally& array : tally.shared) shared.add(array);
    for (const BranchTally& branch : tally.branches) branches.add(branch);

    SubjectValues whole(values, "kernel", source);
    whole.addAccesses(loads, stores);
    whole.addShared(shared);
    whole.addBranches(branches);
    whole.addAtomics(atomics);
    for (std::size_t i = 0; i < kernel.arrays.size(); ++i) {
        SubjectValues array(values, std::string(kernel.arrays[i].name), source);
        array.addAccesses(tally.loads[i], tally.stores[i]);
        if (i < tally.atomics.size()) array.addAtomics(tally.atomics[i]);
    }
    for (std::size_t i = 0; i < kernel.shared.size(); ++i) {
        SubjectValues array(values, kernel.shared[i].name, source);
        array.addShared(tally.shared[i]);
        if (i < tally.sharedAtomics.size()) array.addAtomics(tally.sharedAtomics[i]);
    }
    for (std::size_t i = 0; i < kernel.branches.size(); ++i) {
        SubjectValues(values, std::string(kernel.branches[i].name), source)
            .addBranches(tally.branches[i]);
    }
    return values;
}

}  // namespace warplens
