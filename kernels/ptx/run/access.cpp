#include "kernels/ptx/run/access.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/launch/mapping.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::ptx {
namespace {

const Site& siteOf(const Warp& warp, u32 site) {
    return gridOf(warp).program().sites()[site];
}

std::string verb(AccessKind kind) {
    return std::string(accessInWords(kind));
}

/// Learns the request's shape, unless it is the last one's, and counts it. `isOfNumbers` is of an
/// array that is known to have no structs.
void count(Warp& warp, u32 site, u32 lanes, u32 array, u32 elementAlignment,
           bool isOfNumbers = false, bool isConstant = false) {
    SiteState& state = warp.sites[site];
    if (state.array != array) {
        warp.block->worker->putAside(site);
        state.begin(array);
    }
    const Site& place = siteOf(warp, site);
    u32 counted = place.bytes;
    if (place.wholeBytes != 0 &&
        (place.wholeBytes <= elementAlignment || (place.isElement && isOfNumbers)))
        counted = place.isFirstPiece ? place.wholeBytes : 0;
    const AccessKind kind = isConstant          ? AccessKind::constantLoad
                            : place.countsLanes ? AccessKind::sharedLoad
                                                : place.kind;
    state.learn(kind, place.bytes, counted, warp.addresses.data(), lanes);
    state.shape->hits = 1;
}

/// `store to s[64], which has 64 elements`; in bytes where the access is no whole number of them.
/// Where only a part of an element is accessed its size is said.
template <class Array>
void reportBeyond(Warp& warp, const Step* step, const Site& site, u32 lane, const Array& array,
                  u32 alignment, u64 stretch) {
    const auto offset = s64(warp.addresses[lane] - array.address);
    const s64 width = site.bytes;
    Finding finding;
    AccessedBytes& accessed = finding.accessed.emplace(
        AccessedBytes{offset, width, array.bytes, stretch, site.kind, findingName(array)});
    accessed.reached = offset < 0 ? 0 : u64(offset + width);
    accessed.isOfLaunch = isShared(site.kind) && array.name.empty();
    const bool isWhole = offset % width == 0 && array.bytes % u64(width) == 0;
    if (isWhole) {
        accessed.element = offset / width;
        accessed.elements = s64(array.bytes) / width;
    }
    const auto words = [&] {
        return verb(site.kind) +
               (isWhole
                    ? " " + findingName(array) + "[" + std::to_string(offset / width) +
                          "], which has " + std::to_string(array.bytes / u64(width)) + " elements" +
                          (alignment > width ? " of " + std::to_string(width) + " bytes" : "")
                    : " byte " + std::to_string(offset) + " of " + findingName(array) +
                          ", which has " + std::to_string(array.bytes) + " bytes");
    };
    report(warp, step, FindingKind::outOfBounds, lane, words, finding);
}

/// What is wrong with a lane's address in global memory; `array` may be null.
void reportGlobal(Warp& warp, const Step* step, const Site& site, u32 lane, const Memory& memory) {
    const u64 address = warp.addresses[lane];
    const Allocation* array = meantBy(memory, address);
    if (address < 4096) {
        return report(warp, step, FindingKind::wildPointer, lane, [&] {
            return verb(site.kind) + " address " + std::to_string(address) + ", a null pointer";
        });
    }
    if (array == nullptr) {
        const bool isHost = memory.isOfHost(address);
        return report(
            warp, step, isHost ? FindingKind::hostPointer : FindingKind::wildPointer, lane, [&] {
                return verb(site.kind) +
                       (isHost ? " the host's memory, as malloc, new and variables of the "
                                 "host have it: a kernel needs cudaMalloc's"
                               : " an address that is of no array");
            });
    }
    if (array->freed) {
        return report(warp, step, FindingKind::useAfterFree, lane, [&] {
            return verb(site.kind) + " " + findingName(*array) + ", which is freed";
        });
    }
    reportBeyond(warp, step, site, lane, *array, array->elementAlignment, array->stretch);
}

/// Says so where a lane's address is no multiple of the width; `where()` is what is none.
template <class Where>
bool isMisaligned(Warp& warp, const Step* step, const Site& site, u32 lane, u64 address,
                  Where where) {
    if ((address & (site.bytes - 1u)) == 0) return false;
    report(warp, step, FindingKind::misaligned, lane, [&] {
        return verb(site.kind) + " " + where() + " is no multiple of " + std::to_string(site.bytes);
    });
    return true;
}
template <class Array>
bool isMisalignedIn(const Array& array, Warp& warp, const Step* step, const Site& site, u32 lane) {
    const u64 address = warp.addresses[lane];
    return isMisaligned(warp, step, site, lane, address, [&] {
        return "byte " + std::to_string(address - array.address) + " of " + findingName(array) +
               ", which";
    });
}

/// The memory of another block of the cluster; null where it has ended.
std::byte* sharedOf(const Warp& warp, u64 rank) {
    const auto& blocks = warp.block->cluster->blocks;
    BlockRun* block = rank < blocks.size() ? blocks[rank] : nullptr;
    return block == nullptr ? nullptr : block->shared.data()->bytes;
}

/// Takes the ranks of blocks out of the addresses; whether there is one. `memories` are those of
/// the lanes' blocks.
bool takeRanks(Warp& warp, u32 lanes, std::array<std::byte*, lanesPerWarp>& memories) {
    bool isElsewhere = false;
    forEachLane(lanes, [&](u32 lane) {
        u64& address = warp.addresses[lane];
        const u64 rank = address >> clusterRankShift;
        std::byte* memory = rank == 0 ? nullptr : sharedOf(warp, rank - 1);
        memories[lane] = memory == nullptr ? warp.shared : memory;
        if (memory == nullptr) return;
        isElsewhere = true;
        address &= (1ull << clusterRankShift) - 1;
    });
    return isElsewhere;
}

Reached reachGlobal(Warp& warp, const Step* step, u32 siteIndex, u32 lanes) {
    const Site& site = siteOf(warp, siteIndex);
    SiteState& state = warp.sites[siteIndex];
    const Memory& memory = gridOf(warp).program().memory();
    const u64 first = warp.addresses[lowest(lanes)];
    const Allocation* meant = memory.nearest(first);
    count(warp, siteIndex, lanes, meant == nullptr ? noArray : meant->id,
          meant == nullptr ? 0 : meant->elementAlignment,
          // A variable's is that of whatever it is.
          meant != nullptr && meant->elementAlignment != 0 && !meant->isVariable,
          meant != nullptr && meant->kind == Allocation::Kind::constant);
    std::byte** places = placesOf(warp);
    u32 fine = 0;
    const Allocation* array = nullptr;
    const bool isWrite = site.kind == AccessKind::store || site.kind == AccessKind::atomic;
    bool isOne = true;  // all lanes in one array
    u64 lowest = ~0ull;
    u64 highest = 0;
    forEachLane(lanes, [&](u32 lane) {
        const u64 address = warp.addresses[lane];
        if (array == nullptr || !array->holds(address, site.bytes) || array->freed) {
            const Allocation* found = memory.find(address);
            isOne &= fine == 0 || found == array;
            array = found;
        }
        if (array == nullptr || array->freed || !array->holds(address, site.bytes)) {
            isOne = false;
            return reportGlobal(warp, step, site, lane, memory);
        }
        isOne &= !isMisalignedIn(*array, warp, step, site, lane);
        const u64 at = address - array->address;
        lowest = std::min(lowest, at);
        highest = std::max(highest, at);
        if (isWrite && array->mirror == ~u64{0})
            warp.block->worker->willWrite(*array, at, site.bytes);
        fine |= 1u << lane;
        places[lane] = array->at(address);
    });
    if (isOne && array != nullptr && array->kind != Allocation::Kind::heap) {
        // Lanes that are further apart are never taken to repeat.
        const bool isMirrored = array->mirror != ~u64{0};
        if (isMirrored && state.shape->highest - state.shape->lowest > mirrorRoom) {
            state.base = 1;
            state.last = 0;
            return {fine, nullptr};
        }
        // What repeats within these pieces may be written.
        const u64 mask = isWrite && !isMirrored ? ~(Memory::pieceBytes - 1) : 0;
        const u64 begin = lowest & mask;
        const u64 end = mask != 0 ? std::min(array->bytes, (highest & mask) + Memory::pieceBytes)
                                  : array->bytes;
        if (mask != 0) warp.block->worker->willWrite(*array, begin, end - begin);
        state.base = array->address + begin;
        state.last = end - begin - site.bytes;
        state.data = array->data + begin;
        state.mirror = array->mirror;
        return {fine, array->at(first)};
    }
    return {fine, nullptr};
}

Reached reachShared(Warp& warp, const Step* step, u32 siteIndex, u32 lanes) {
    const Site& site = siteOf(warp, siteIndex);
    SiteState& state = warp.sites[siteIndex];
    const SharedLayout& layout = gridOf(warp).shared();
    std::byte* memory = warp.shared;
    std::byte** places = placesOf(warp);
    // The window has 32 bits: sums of addresses that leave it come back at its other end.
    for (u64& address : warp.addresses) address &= 0xffffffffu;
    std::array<std::byte*, lanesPerWarp> memories;
    warp.isElsewhere = takeRanks(warp, lanes, memories);
    const u64 first = warp.addresses[lowest(lanes)];
    const auto meant = u32(first >> sharedArrayShift);
    count(warp, siteIndex, lanes, inShared | meant,
          meant >= 1 && meant <= layout.arrays.size() ? layout.arrays[meant - 1].alignment : 0);
    u32 fine = 0;
    bool isOne = true;
    const SharedArray* only = nullptr;
    forEachLane(lanes, [&](u32 lane) {
        const u64 address = warp.addresses[lane];
        // An index below an array's start reaches the gap before it, which is closer to that array.
        const u64 half = 1ull << (sharedArrayShift - 1);
        const u64 near = (address + half) >> sharedArrayShift;
        const u64 slot = address >> sharedArrayShift;
        const SharedArray* array = nullptr;
        const auto holds = [&](const SharedArray& candidate) {
            return address >= candidate.address && site.bytes <= candidate.bytes &&
                   address - candidate.address <= candidate.bytes - site.bytes;
        };
        for (const u64 candidate : {near, slot}) {
            if (candidate < 1 || candidate > layout.arrays.size()) continue;
            if (array == nullptr || holds(layout.arrays[candidate - 1]))
                array = &layout.arrays[candidate - 1];
        }
        const bool inside = array != nullptr && holds(*array);
        isOne &= inside && (only == nullptr || only == array) && !warp.isElsewhere;
        only = array;
        if (!inside) {
            if (array == nullptr)
                return report(warp, step, FindingKind::outOfBounds, lane, [&] {
                    return verb(site.kind) + " an address that is of no array in shared memory";
                });
            return reportBeyond(warp, step, site, lane, *array, array->alignment, 0);
        }
        isOne &= !isMisalignedIn(*array, warp, step, site, lane);
        fine |= 1u << lane;
        places[lane] = (warp.isElsewhere ? memories[lane] : memory) + array->offset +
                       (address - array->address);
    });
    if (isOne && only != nullptr) {
        state.base = only->address;
        state.last = only->bytes - site.bytes;
        state.sharedOffset = only->offset;  // blocks have memory of their own
        return {fine, memory + only->offset + (first - only->address)};
    }
    return {fine, nullptr};
}

}  // namespace

std::byte** placesOf(Warp& warp) {
    return warp.block->worker->places.data();
}

Reached reach(Warp& warp, const Step* step, u32 site, u32 lanes, bool isShared) {
    const Reached reached =
        isShared ? reachShared(warp, step, site, lanes) : reachGlobal(warp, step, site, lanes);
    if (warp.isObserved) observe(warp, step, site, reached.lanes, 0, lanes & ~reached.lanes);
    return reached;
}

u32 reachLocal(Warp& warp, const Step* step, u32 siteIndex, u32 lanes) {
    const Site& site = siteOf(warp, siteIndex);
    u32 fine = 0;
    const auto inFrame = [&](u64 address, u64 frame, const Code& code) {
        const u64 begin = (frame + code.localOffset) / lanesPerWarp;
        return address >= begin && site.bytes <= code.localBytes &&
               address - begin <= code.localBytes - site.bytes;
    };
    alignas(64) std::array<u64, lanesPerWarp> rows{};
    forEachLane(lanes, [&](u32 lane) {
        const u64 whole = warp.addresses[lane];
        const u64 thread = whole >> 32 & 0xffffffu;
        const u64 address = whole & 0xffffffffu;
        warp.addresses[lane] = address;
        if ((whole & windowMask) == localWindow && thread != warp.rank * lanesPerWarp + lane + 1) {
            return report(warp, step, FindingKind::wildPointer, lane,
                          [&] { return verb(site.kind) + " a local variable of another thread"; });
        }
        bool inside = inFrame(address, warp.frame, *warp.code);
        for (auto path = warp.paths.rbegin(); !inside && path != warp.paths.rend(); ++path) {
            inside = (path->mask >> lane & 1u) != 0 && inFrame(address, path->frame, *path->code);
        }
        if (!inside) {
            return report(warp, step, FindingKind::outOfBounds, lane,
                          [&] { return verb(site.kind) + " local memory behind its end"; });
        }
        if (isMisaligned(warp, step, site, lane, address,
                         [] { return std::string("local memory at a byte that"); }))
            return;
        fine |= 1u << lane;
        rows[lane] = address / 4 * narrowBytes + lane * 4 + address % 4;
    });
    if (fine == 0) return fine;
    SiteState& state = warp.sites[siteIndex];
    const u64 first = rows[lowest(fine)];
    const u32 width = std::min<u32>(site.bytes, 4);
    state.base = 0;
    state.last = ~u64{0};
    if (fine == warp.active && repeats(warp, state, rows.data(), first, width))
        state.countSectors(first);
    else
        state.learn(site.kind, width, width, rows.data(), fine);
    ++state.shape->hits;
    // Each word of a lane lies in a row of its own.
    for (u32 word = 1; word < site.bytes / 4u; ++word) {
        LineCost more = state.shape->cost;
        more.requests = more.activeLanes = 0;
        state.counts.add(more);
        state.countSectors(first + word * narrowBytes);
    }
    return fine;
}

std::byte* placeInShared(const Warp& warp, u64 address, u64 bytes) {
    std::byte* memory = warp.shared;
    address &= 0xffffffffu;
    if (const u64 rank = address >> clusterRankShift; rank != 0) {
        memory = sharedOf(warp, rank - 1);
        address &= (1ull << clusterRankShift) - 1;
    }
    for (const SharedArray& array : gridOf(warp).shared().arrays) {
        if (memory != nullptr && address >= array.address && bytes <= array.bytes &&
            address - array.address <= array.bytes - bytes)
            return memory + array.offset + (address - array.address);
    }
    return nullptr;
}

const Allocation* meantBy(const Memory& memory, u64 address) {
    constexpr u64 most = 1ull << 36;  // that an index may be off
    const Allocation* array = address < 4096 ? nullptr : memory.nearest(address);
    const bool isNear = array != nullptr &&
                        address - array->address + most < std::max<u64>(array->bytes, 1) + 2 * most;
    return isNear ? array : nullptr;
}

void tellWritten(Warp& warp, u64 address, u64 bytes, bool isShared) {
    if (!warp.isObserved) return;
    const AccessKind kind = isShared ? AccessKind::sharedStore : AccessKind::store;
    for (u64 at = 0; at < bytes; at += 4) {
        warp.addresses.fill((isShared ? address & 0xffffffffu : address) + at);
        const Request request{warp, *warp.code->steps.data(),  0, kind,
                              4,    warp.active & -warp.active};
        gridOf(warp).tell(&Observer::onRequest, request);
    }
}

void observe(Warp& warp, const Step* step, u32 site, u32 lanes, u64 pattern, u32 refused) {
    if (std::exchange(warp.isElsewhere, false)) return;  // nothing is known of the other block's
    const Site& place = siteOf(warp, site);
    const Request request{warp, *step, site, place.kind, place.bytes, lanes, pattern, refused};
    gridOf(warp).tell(&Observer::onRequest, request);
}

void report(Warp& warp, const Step* step, FindingKind kind, u32 lane, const Words& words,
            Finding known) {
    report(warp, *warp.code, step, kind, lane, words, std::move(known));
}
void report(Warp& warp, const Step* step, FindingKind kind, u32 lane, const char* words) {
    report(warp, *warp.code, step, kind, lane, [=] { return std::string(words); });
}

void report(Warp& warp, const Code& code, const Step* step, FindingKind kind, u32 lane,
            const Words& words, Finding finding) {
    GridRun& grid = gridOf(warp);
    if (!grid.isNew(step, kind, finding.accessed ? finding.accessed->reached : 0)) return;
    const u32 thread = grid.threadOf(warp.rank, lane);
    finding.kind = kind;
    finding.words = words();
    if (step->instruction != nullptr)
        finding.place = sourcePlace(grid.program(), code.origin(*step->instruction));
    finding.kernel = grid.code().function->name;
    finding.block = warp.block->index;
    finding.thread = blockIndexInGrid(thread, grid.launch().block);
    grid.report(step, std::move(finding));
}

const Step* endLaunch(Warp& warp, std::string why) {
    gridOf(warp).end(std::move(why));
    warp.state = Warp::State::ended;
    return nullptr;
}

}  // namespace warplens::ptx
