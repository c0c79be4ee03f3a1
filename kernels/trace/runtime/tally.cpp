#include "kernels/trace/runtime/tally.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <map>
#include <tuple>

#include "core/access/line_cost.h"
#include "kernels/trace/runtime/launch_state.h"
#include "kernels/trace/runtime/races.h"
#include "kernels/trace/runtime/steps.h"
#include "kernels/trace/runtime/warp.h"

namespace warplens::runtime {
namespace {

WARPLENS_EARLY std::vector<Place> places;  ///< by site
WARPLENS_EARLY std::deque<Sums> sums;

/// Places of library headers are counted where the program calls into them.
WARPLENS_EARLY std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Sums*>> foreignPlaces;

Sums& sumsFor(std::vector<Sums*>& all, std::uint32_t array) {
    for (Sums* known : all) {
        if (known->array == array) return *known;
    }
    Sums& made = sums.emplace_back();
    made.array = array;
    all.push_back(&made);
    return made;
}

const char* verbOf(const Place& place) {
    return place.kind == SiteKind::load    ? "load from "
           : place.kind == SiteKind::store ? "store to "
                                           : "atomic on ";
}

void outOfBounds(const Place& place, std::uint32_t site, const Array& array, std::uint64_t address,
                 const Lane& lane) {
    if (!array.live) {
        addFinding(
            FindingKind::useAfterFree,
            verbOf(place) + elementText(array, address, place.bytes) + ", which has been freed",
            site, &lane.thread);
        return;
    }
    const bool isShared = !array.isGlobal() && array.space != Space::constant;
    addFinding(FindingKind::outOfBounds,
               std::string(verbOf(place)) + (isShared ? "shared " : "") +
                   elementText(array, address, place.bytes) + ", which has " +
                   std::to_string(elementCount(array, place.bytes)) + " elements",
               site, &lane.thread);
}

/// What lies at an address that belongs to no array.
bool isWild(const Place& place, std::uint32_t site, std::uint64_t address, const Lane& lane) {
    if (laneRunner.isOnStack(address)) return false;  // local variables
    if (isInProgram(address)) return false;           // literals and tables of the program
    failLaunch(
        address < 65536 ? FindingKind::wildPointer : FindingKind::hostPointer,
        std::string(verbOf(place)) + (address < 65536 ? "a null pointer" : "memory of the host"),
        site, 700, &lane.thread);
    return true;
}

}  // namespace

namespace {

/// Of the pieces that machine code does an access in. Whole objects come in pieces as large as
/// their type is aligned, which an array's pointer tells; else they are taken to be of words.
std::uint32_t pieceOf(const SiteRow& row, const Array* array) {
    const bool isRange = (row.flags & siteIsRange) != 0;
    if (array != nullptr && array->elementAlignment != 0) {
        // Of a shared array's elements nothing tells the size. Where they are aligned to 8 bytes,
        // 16 are two doubles and no vector, which would be aligned to 16.
        const bool isWhole = array->space == Space::shared
                                 ? isRange || (row.bytes == 16 && array->elementAlignment == 8)
                                 : array->elementBytes == row.bytes;
        const std::uint32_t most = row.bytes & ~(row.bytes - 1);  // that divides them
        if (isWhole) return std::min({16U, array->elementAlignment, most});
    }
    if (!isRange) return row.bytes;
    return row.bytes % 4 == 0 ? 4 : row.bytes % 2 == 0 ? 2 : 1;
}

}  // namespace

void setUpPlaces() {
    places.resize(siteCount() + 1);
    for (std::uint32_t site = 1; site <= siteCount(); ++site) {
        const SiteRow& row = siteRow(site);
        Place& place = places[site];
        place.kind = row.kind;
        place.bytes = row.bytes;
        place.flags = row.flags;
        place.piece = pieceOf(row, nullptr);
    }
}

Place& placeOfSite(std::uint32_t site) {
    return places[site];
}

bool hasAtomics() {
    return std::any_of(places.begin(), places.end(),
                       [](const Place& place) { return place.kind == SiteKind::atomic; });
}

void clearSums() {
    for (Place& place : places) {
        place.all.clear();
        place.sums = nullptr;
        place.mask = 0;
        place.insideCount = 0;
        place.array = noArray;
    }
    sums.clear();
    foreignPlaces.clear();
}

namespace {

RequestCost costOfPieces(const Place& place, const LaneAddresses& lanes, bool isShared) {
    const bool isAtomic = place.kind == SiteKind::atomic;
    const std::uint32_t pieces = std::max(1u, place.bytes / std::max(1u, place.piece));
    RequestCost total{.requests = 0};
    std::uint64_t shifted[32];
    for (std::uint32_t piece = 0; piece < pieces; ++piece) {
        for (std::size_t i = 0; i < lanes.addresses.size(); ++i) {
            shifted[i] = lanes.addresses[i] + std::uint64_t{piece} * place.piece;
        }
        const LaneAddresses part{{shifted, lanes.addresses.size()}, lanes.lanes};
        const RequestCost cost =
            isShared ? sharedCost(part, place.piece, isAtomic) : globalCost(part, place.piece);
        total.requests += 1;
        total.sectors += cost.sectors;
        total.idealSectors += cost.idealSectors;
        total.uniqueBytes += cost.uniqueBytes;
        total.wavefronts += cost.wavefronts;
        total.idealWavefronts += cost.idealWavefronts;
    }
    if (isAtomic) total.sameAddress = mostAtOneAddress(lanes.addresses);
    return total;
}

void add(Sums& to, const RequestCost& cost, std::uint32_t lanes) {
    to.requests += cost.requests;
    to.sectors += cost.sectors;
    to.idealSectors += cost.idealSectors;
    to.uniqueBytes += cost.uniqueBytes;
    to.wavefronts += cost.wavefronts;
    to.idealWavefronts += cost.idealWavefronts;
    to.lanes += lanes;
    to.mostSameAddress = std::max(to.mostSameAddress, cost.sameAddress);
}

/// The lanes of one array within a request whose lanes may be at several.
void countPart(Place& place, std::uint32_t site, std::uint32_t id, std::uint32_t mask,
               const std::uint64_t* addresses, std::uint32_t callSite) {
    Array& array = arrayOf(id);
    const auto count = static_cast<std::uint32_t>(std::popcount(mask));
    if (array.elementBytes == 0) array.elementBytes = place.bytes;
    place.piece = pieceOf(siteRow(site), &array);
    const std::uint64_t last = array.bytes < place.bytes ? 0 : array.bytes - place.bytes;
    bool inside = array.live;
    std::size_t i = 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1, ++i) {
        const Lane& lane = warpNow().lanes[std::countr_zero(rest)];
        if (addresses[i] - array.at > last || !array.live || array.bytes < place.bytes) {
            inside = false;
            outOfBounds(place, site, array, addresses[i], lane);
        } else if (place.bytes > 4 && (place.flags & (siteIsRange | siteIsUnaligned)) == 0 &&
                   addresses[i] % place.piece != 0) {
            addFinding(FindingKind::misaligned,
                       std::string(verbOf(place)) + std::to_string(place.piece) + " bytes of " +
                           array.name + " at byte " + std::to_string(addresses[i] - array.at) +
                           ", which is no multiple of " + std::to_string(place.piece),
                       site, &lane.thread);
        }
    }
    if (array.space == Space::constant) {
        place.insideCount = 0;
        place.sums = nullptr;
        return;  // served by a cache of its own
    }
    const bool isLibrary = (place.flags & siteOfLibrary) != 0;
    if (stepsAreRecorded) {
        recordRequest(isLibrary && callSite != 0 ? callSite : site, id, mask, addresses,
                      place.bytes, place.piece);
    }
    const bool isShared = !array.isGlobal();
    const LaneAddresses lanes{{addresses, count}, mask};
    std::vector<Sums*>& all = isLibrary ? foreignPlaces[{callSite, site}] : place.all;
    Sums& to = sumsFor(all, id);
    const RequestCost cost = costOfPieces(place, lanes, isShared);
    add(to, cost, count);
    // Keep the shape for requests to come.
    place.mask = mask;
    place.count = count;
    place.array = id;
    place.sums = &to;
    place.costKnown = 1u << (addresses[0] & 31);
    place.cost[addresses[0] & 31] = cost;
    place.checkLanes = true;
    std::uint64_t least = addresses[0];
    std::uint64_t most = addresses[0];
    for (std::uint32_t k = 0; k < count; ++k) {
        place.difference[k] = addresses[k] - addresses[0];
        least = std::min(least, addresses[k]);
        most = std::max(most, addresses[k]);
    }
    place.insideCount = 0;
    if (!inside || isLibrary) return;
    for (std::uint32_t k = 0; k < count; ++k) {
        if (place.bytes > 4 && place.difference[k] % place.piece != 0) return;
    }
    place.insideFrom = array.at + (addresses[0] - least);
    place.insideCount = array.bytes - place.bytes - (most - least) + 1;
}

void checkRaces(Place& place, std::uint32_t site, std::uint32_t id, std::uint32_t mask,
                const std::uint64_t* addresses) {
    Array& array = arrayOf(id);
    const WarpView& warp = warpNow();
    if (array.space == Space::shared || array.space == Space::dynamic) {
        checkSharedAccess(place, site, array, addresses, mask, warp.index, warp.lanes);
    } else if (array.space != Space::constant) {
        checkGlobalAccess(place, site, array, addresses, mask, warp.lanes);
    }
}

}  // namespace

bool takeShape(Place& place, std::uint32_t site, std::uint32_t mask, std::uint32_t count,
               const Event* const* events, std::size_t at) {
    const Event base = events[0][at];
    const std::uint64_t first = base & addressMask;
    if (mask != place.mask || first - place.insideFrom >= place.insideCount ||
        (place.flags & siteIsVolatile) != 0) {
        return false;
    }
    std::uint64_t other = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        other |= (events[i][at] - base) ^ place.difference[i];
    }
    if (other != 0 || (place.bytes > 4 && first % place.piece != 0)) return false;
    std::uint64_t addresses[32];
    for (std::uint32_t i = 0; i < count; ++i) addresses[i] = first + place.difference[i];
    const std::uint32_t phase = first & 31;
    if ((place.costKnown >> phase & 1) == 0) {
        place.cost[phase] =
            costOfPieces(place, {{addresses, count}, mask}, !arrayOf(place.array).isGlobal());
        place.costKnown |= 1u << phase;
    }
    add(*place.sums, place.cost[phase], count);
    checkRaces(place, site, place.array, mask, addresses);
    return true;
}

void countRequest(Place& place, std::uint32_t site, std::uint32_t mask, std::uint32_t count,
                  const Event* const* events, std::size_t at, std::uint32_t callSite) {
    std::uint64_t addresses[32];
    // Another shape: lane by lane, and array by array.
    std::uint32_t arrays[32];
    for (std::uint32_t i = 0; i < count; ++i) {
        addresses[i] = events[i][at] & addressMask;
        arrays[i] = arrayAt(addresses[i]);
    }
    const std::uint32_t meant = arrayOfObject(siteRow(site).object);
    std::uint32_t left = mask;
    while (left != 0) {
        std::uint32_t id = noArray;
        std::uint32_t part = 0;
        std::uint64_t partAddresses[32];
        std::uint32_t members = 0;
        bool seen = false;
        std::uint32_t i = 0;
        for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1, ++i) {
            const std::uint32_t bit = rest & ~(rest - 1);
            if ((left & bit) == 0) continue;
            std::uint32_t of = arrays[i];
            if (meant != noArray && isInSharedMemory(addresses[i])) of = meant;
            if (!seen) {
                seen = true;
                id = of;
            }
            if (of != id) continue;
            part |= bit;
            partAddresses[members++] = addresses[i];
        }
        left &= ~part;
        if (id == noArray) {
            const Lane& lane = warpNow().lanes[std::countr_zero(part)];
            if (isWild(place, site, partAddresses[0], lane)) return;
            continue;
        }
        countPart(place, site, id, part, partAddresses, callSite);
        checkRaces(place, site, id, part, partAddresses);
    }
}

void countBranch(Place& place, std::uint32_t site, std::uint32_t lanes, bool divergent,
                 std::uint32_t callSite) {
    if ((place.flags & siteOfLibrary) != 0) {
        place.sums = &sumsFor(foreignPlaces[{callSite, site}], noArray);
    } else if (place.sums == nullptr) {
        place.sums = &sumsFor(place.all, noArray);
    }
    Sums& to = *place.sums;
    to.requests += 1;
    to.lanes += lanes;
    to.divergent += divergent ? 1 : 0;
}

namespace {

AccessKind lineKindOf(const Place& place, const Sums& of) {
    if (place.kind == SiteKind::branch) return AccessKind::branch;
    if (place.kind == SiteKind::atomic) return AccessKind::atomic;
    const bool isShared = of.array != noArray && !arrayOf(of.array).isGlobal();
    if (place.kind == SiteKind::load) return isShared ? AccessKind::sharedLoad : AccessKind::load;
    return isShared ? AccessKind::sharedStore : AccessKind::store;
}

}  // namespace

BlockTotals totalsSoFar() {
    BlockTotals totals;
    const auto addAll = [&](const Place& place, const std::vector<Sums*>& all) {
        for (const Sums* of : all) {
            switch (lineKindOf(place, *of)) {
                case AccessKind::load:
                    totals.values[0] += static_cast<double>(of->requests);
                    totals.values[1] += static_cast<double>(of->sectors);
                    break;
                case AccessKind::store:
                    totals.values[2] += static_cast<double>(of->requests);
                    totals.values[3] += static_cast<double>(of->sectors);
                    break;
                case AccessKind::branch:
                    totals.values[5] += static_cast<double>(of->requests);
                    totals.values[6] += static_cast<double>(of->divergent);
                    break;
                default:
                    totals.values[4] += static_cast<double>(of->wavefronts);
                    break;
            }
        }
    };
    for (const Place& place : places) addAll(place, place.all);
    for (const auto& [key, all] : foreignPlaces) addAll(places[key.second], all);
    return totals;
}

std::vector<ProgramLine> linesOfLaunch(double scale) {
    using Key = std::tuple<std::string, std::uint32_t, std::uint32_t, AccessKind, std::string>;
    std::map<Key, ProgramLine> lines;
    const auto scaled = [scale](std::uint64_t count) {
        return scale == 1
                   ? count
                   : static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * scale));
    };
    const auto addAll = [&](const Place& place, std::uint32_t site, const std::vector<Sums*>& all) {
        for (const Sums* of : all) {
            if (of->requests == 0) continue;
            const SourcePlace where = placeOf(site);
            const std::string array = of->array == noArray ? "" : arrayOf(of->array).name;
            const AccessKind kind = lineKindOf(place, *of);
            ProgramLine& line = lines[{where.file, where.line, where.column, kind, array}];
            line.place = where;
            line.kind = kind;
            line.array = array;
            line.requests += scaled(of->requests);
            line.sectors += scaled(of->sectors);
            line.idealSectors += scaled(of->idealSectors);
            line.uniqueBytes += scaled(of->uniqueBytes);
            line.wavefronts += scaled(of->wavefronts);
            line.idealWavefronts += scaled(of->idealWavefronts);
            line.activeLanes += scaled(of->lanes);
            line.divergent += scaled(of->divergent);
            line.mostSameAddress = std::max(line.mostSameAddress, of->mostSameAddress);
        }
    };
    for (std::uint32_t site = 1; site < places.size(); ++site) {
        addAll(places[site], site, places[site].all);
    }
    for (const auto& [key, all] : foreignPlaces) {
        addAll(places[key.second], key.first == 0 ? key.second : key.first, all);
    }
    std::vector<ProgramLine> sorted;
    for (auto& [key, line] : lines) sorted.push_back(std::move(line));
    return sorted;
}

std::uint64_t laneAccesses() {
    std::uint64_t total = 0;
    for (const Place& place : places) {
        if (place.kind == SiteKind::branch) continue;
        for (const Sums* of : place.all) total += of->lanes;
    }
    return total;
}

}  // namespace warplens::runtime
