#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/program/program_trace.h"
#include "kernels/ptx/run/site.h"
#include "kernels/ptx/run/warp.h"

namespace warplens::ptx {

/// A warp's request to memory, as observers see it. Addresses are the warp's: on the device of
/// global memory, in the window of shared memory; of lanes that are not in `lanes` they mean
/// nothing.
struct Request final {
    const Warp& warp;
    const Step& step;
    std::uint32_t site = 0;  ///< index
    AccessKind kind = AccessKind::load;
    std::uint32_t bytes = 0;  ///< of a lane
    std::uint32_t lanes = 0;
};

/// Where a request's bytes are.
struct Reached final {
    std::uint32_t lanes = 0;      ///< that may touch them; for the others it was said what is wrong
    std::byte* origin = nullptr;  ///< of the first lane's; null: each lane has its own in `places`
};

/// The addresses of the active lanes: register a plus the immediate. Those of the others are the
/// first active one's, which is returned.
inline std::uint64_t takeAddresses(Warp& warp, const Step* step) {
    const std::uint64_t* from = warp.value<std::uint64_t>(step->a);
    const auto offset = static_cast<std::uint64_t>(step->immediate);
    if (warp.active == allLanes) {
        for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane)
            warp.addresses[lane] = from[lane] + offset;
        return warp.addresses[0];
    }
    const std::uint64_t first = from[warp.firstLane()] + offset;
    const std::uint32_t active = warp.active;
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        warp.addresses[lane] = (active & laneBits[lane]) != 0 ? from[lane] + offset : first;
    }
    return first;
}

/// Calls `use(window)` for the lanes whose generic addresses are in one window, active alone: of
/// shared memory the addresses become offsets in it.
template <class Use>
void forEachWindow(Warp& warp, Use use) {
    const std::uint32_t active = warp.active;
    alignas(64) const auto all = warp.addresses;
    for (std::uint32_t left = active; left != 0; left &= ~warp.active) {
        const std::uint64_t first = all[static_cast<std::uint32_t>(std::countr_zero(left))];
        const std::uint64_t window = first & windowMask;
        warp.active = 0;
        forEachLane(left, [&](std::uint32_t lane) {
            if ((all[lane] & windowMask) == window) warp.active |= 1u << lane;
        });
        for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
            const std::uint64_t address = (warp.active & laneBits[lane]) != 0 ? all[lane] : first;
            warp.addresses[lane] = window == sharedWindow ? address ^ sharedWindow : address;
        }
        use(window);
    }
    warp.active = active;
}

/// Whether the request has the shape of the site's last one, within the same array: then it costs
/// the same, and its bytes are where they were, moved by as much as the first lane's. `from` are
/// the lanes' addresses, all less the same.
inline bool repeats(const Warp& warp, const SiteState& site, const std::uint64_t* from,
                    std::uint64_t first, std::uint32_t bytes) {
    const Shape& shape = *site.shape;
    const std::uint32_t active = warp.active;
    if (shape.mask != active) return false;
    std::uint64_t difference = 0;
    if (active == allLanes) {
        const std::uint64_t base = from[0];
        for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane)
            difference |= (from[lane] - base) ^ shape.offsets[lane];
    } else {
        const std::uint64_t base = from[warp.firstLane()];
        for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
            const std::uint64_t differs = (from[lane] - base) ^ shape.offsets[lane];
            difference |= (active & laneBits[lane]) != 0 ? differs : 0;
        }
    }
    return difference == 0 && (first & 3u) == shape.lowBits && (first & (bytes - 1)) == 0 &&
           shape.isAligned &&
           first + static_cast<std::uint64_t>(shape.lowest) - site.base <= site.last &&
           first + static_cast<std::uint64_t>(shape.highest) - site.base <= site.last;
}

/// The first lane's byte of a request that repeats.
inline std::byte* originOf(const Warp& warp, const SiteState& site, std::uint64_t first,
                           bool isShared) {
    return isShared ? warp.shared + site.sharedOffset + (first - site.base)
                    : site.data + ((first - site.base) & site.mirror);
}

/// What cannot be done by repeating: learns the shape, looks for the array, and says what is wrong.
/// `warp.addresses` are of one memory, and within it: of shared memory offsets.
Reached reachGlobal(Warp& warp, const Step* step, std::uint32_t site, std::uint32_t lanes);
Reached reachShared(Warp& warp, const Step* step, std::uint32_t site, std::uint32_t lanes);
/// Local memory: 4-byte words of all lanes lie side by side. Addresses become places of words in
/// the warp's stack; lanes that may not are left out.
std::uint32_t reachLocal(Warp& warp, const Step* step, std::uint32_t site, std::uint32_t lanes);
/// The byte of shared memory, this block's or another's of its cluster, where all of `bytes` are in
/// one array; else null.
[[nodiscard]] std::byte* placeInShared(const Warp& warp, std::uint64_t address,
                                       std::uint64_t bytes);
/// Says to the observers that the first active lane wrote them.
void tellWritten(Warp& warp, std::uint64_t address, std::uint64_t bytes, bool isShared);
/// Each lane's first byte, where `Reached::origin` is null.
std::byte** placesOf(Warp& warp);
/// Hands the request to the observers.
void observe(Warp& warp, const Step* step, std::uint32_t site, std::uint32_t lanes);

/// Says that something is wrong with a lane; the words are asked for once for each step and kind.
using Words = std::function<std::string()>;
void report(Warp& warp, const Step* step, FindingKind kind, std::uint32_t lane, const Words& words);
void report(Warp& warp, const Step* step, FindingKind kind, std::uint32_t lane, const char* words);
/// Likewise of lanes that wait at a step of `code`.
void report(Warp& warp, const Code& code, const Step* step, FindingKind kind, std::uint32_t lane,
            const Words& words);
/// Ends the launch: nothing more of it runs.
const Step* endLaunch(Warp& warp, std::string why);

}  // namespace warplens::ptx
