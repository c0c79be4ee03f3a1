#pragma once

#include <functional>
#include <string>

#include "core/program/program_trace.h"
#include "kernels/ptx/run/site.h"
#include "kernels/ptx/run/warp.h"

namespace warplens::ptx {

/// A warp's request to memory, as observers see it. Addresses are the warp's: on the device of
/// global memory, in the window of shared memory; of lanes that are neither in `lanes` nor in
/// `refused` they mean nothing.
struct Request final {
    const Warp& warp;
    const Step& step;
    u32 site = 0;  ///< index
    AccessKind kind = AccessKind::load;
    u32 bytes = 0;  ///< of a lane
    u32 lanes = 0;
    u64 pattern = 0;  ///< Shape::pattern, where the lanes are those of a shape
    u32 refused = 0;  ///< lanes that touch nothing, for what they access is not there
};

/// Where a request's bytes are.
struct Reached final {
    u32 lanes = 0;                ///< that may touch them; for the others it was said what is wrong
    std::byte* origin = nullptr;  ///< of the first lane's; null: each lane has its own in `places`
};

/// The addresses of the active lanes: register a plus the immediate. Those of the others are the
/// first active one's, which is returned.
inline u64 takeAddresses(Warp& warp, const Step* step) {
    const u64* from = warp.value<u64>(step->a);
    const auto offset = u64(step->immediate);
    if (warp.active == allLanes) {
        for (u32 lane = 0; lane < lanesPerWarp; ++lane) warp.addresses[lane] = from[lane] + offset;
        return warp.addresses[0];
    }
    const u64 first = from[warp.firstLane()] + offset;
    const u32 active = warp.active;
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        warp.addresses[lane] = (active & laneBits[lane]) != 0 ? from[lane] + offset : first;
    }
    return first;
}

/// Calls `use(window)` for the lanes whose generic addresses are in one window, active alone: of
/// shared memory the addresses become offsets in it.
template <class Use>
void forEachWindow(Warp& warp, Use use) {
    const u32 active = warp.active;
    alignas(64) const auto all = warp.addresses;
    for (u32 left = active; left != 0; left &= ~warp.active) {
        const u64 first = all[lowest(left)];
        const u64 window = first & windowMask;
        warp.active = 0;
        forEachLane(left, [&](u32 lane) {
            if ((all[lane] & windowMask) == window) warp.active |= 1u << lane;
        });
        for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
            const u64 address = (warp.active & laneBits[lane]) != 0 ? all[lane] : first;
            warp.addresses[lane] = window == sharedWindow ? address ^ sharedWindow : address;
        }
        use(window);
    }
    warp.active = active;
}

/// Whether the request has the shape of the site's last one, within the same array: then it costs
/// the same, and its bytes are where they were, moved by as much as the first lane's. `from` are
/// the lanes' addresses, all less the same.
inline bool repeats(const Warp& warp, const SiteState& site, const u64* from, u64 first,
                    u32 bytes) {
    const Shape& shape = *site.shape;
    const u32 active = warp.active;
    if (shape.mask != active) return false;
    u64 difference = 0;
    if (active == allLanes) {
        const u64 base = from[0];
        for (u32 lane = 0; lane < lanesPerWarp; ++lane)
            difference |= (from[lane] - base) ^ shape.offsets[lane];
    } else {
        const u64 base = from[warp.firstLane()];
        for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
            const u64 differs = (from[lane] - base) ^ shape.offsets[lane];
            difference |= (active & laneBits[lane]) != 0 ? differs : 0;
        }
    }
    return difference == 0 && (first & 3u) == shape.lowBits && (first & (bytes - 1)) == 0 &&
           shape.isAligned && first + u64(shape.lowest) - site.base <= site.last &&
           first + u64(shape.highest) - site.base <= site.last;
}

/// The first lane's byte of a request that repeats.
inline std::byte* originOf(const Warp& warp, const SiteState& site, u64 first, bool isShared) {
    return isShared ? warp.shared + site.sharedOffset + (first - site.base)
                    : site.data + ((first - site.base) & site.mirror);
}

/// Each lane's first byte, where `Reached::origin` is null.
std::byte** placesOf(Warp& warp);
/// Hands the request to the observers.
void observe(Warp& warp, const Step* step, u32 site, u32 lanes, u64 pattern = 0, u32 refused = 0);
/// The array in global memory that a lane's address is meant to be of; null where none is near.
[[nodiscard]] const Allocation* meantBy(const Memory& memory, u64 address);
/// What cannot be done by repeating: learns the shape, looks for the array, and says what is wrong.
/// `warp.addresses` are of one memory, and within it: of shared memory offsets. Observers are told,
/// who look at memory before it changes.
Reached reach(Warp& warp, const Step* step, u32 site, u32 lanes, bool isShared);
/// Likewise, and calls `use(lane, place)` for each lane that may touch its bytes.
template <class Use>
void forEachPlace(Warp& warp, const Step* step, u32 site, u32 lanes, bool isShared, Use use) {
    const Reached reached = reach(warp, step, site, lanes, isShared);
    std::byte** places = placesOf(warp);
    const Shape& shape = *warp.sites[site].shape;
    forEachLane(reached.lanes, [&](u32 lane) {
        use(lane, reached.origin != nullptr ? reached.origin + shape.offsets[lane] : places[lane]);
    });
}
/// Local memory: 4-byte words of all lanes lie side by side. Addresses become places of words in
/// the warp's stack; lanes that may not are left out.
u32 reachLocal(Warp& warp, const Step* step, u32 site, u32 lanes);
/// The byte of shared memory, this block's or another's of its cluster, where all of `bytes` are in
/// one array; else null.
[[nodiscard]] std::byte* placeInShared(const Warp& warp, u64 address, u64 bytes);
/// Says to the observers that the first active lane wrote them.
void tellWritten(Warp& warp, u64 address, u64 bytes, bool isShared);

/// Says that something is wrong with a lane; the words are asked for once for each step and kind.
using Words = std::function<std::string()>;
void report(Warp& warp, const Step* step, FindingKind kind, u32 lane, const Words& words,
            Finding known = {});
void report(Warp& warp, const Step* step, FindingKind kind, u32 lane, const char* words);
/// Likewise of lanes that wait at a step of `code`.
void report(Warp& warp, const Code& code, const Step* step, FindingKind kind, u32 lane,
            const Words& words, Finding known = {});
/// Ends the launch: nothing more of it runs.
const Step* endLaunch(Warp& warp, std::string why);

}  // namespace warplens::ptx
