#include "tests/gpu/probe/site.h"

#include <algorithm>

namespace warplens {

void SiteTally::add(const SiteTally& other) {
    requests += other.requests;
    lanes += other.lanes;
    sectors += other.sectors;
    idealSectors += other.idealSectors;
    uniqueBytes += other.uniqueBytes;
    sharedRequests += other.sharedRequests;
    sharedLanes += other.sharedLanes;
    wavefronts += other.wavefronts;
    idealWavefronts += other.idealWavefronts;
    divergent += other.divergent;
    mostSameAddress = std::max(mostSameAddress, other.mostSameAddress);
    turns += other.turns;
    uniqueSectors += other.uniqueSectors;
}

}  // namespace warplens
