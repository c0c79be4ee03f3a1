#include "kernels/trace/runtime/races.h"

#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "kernels/trace/runtime/launch_state.h"

namespace warplens::runtime {
namespace {

constexpr std::uint32_t manyThreads = 2047;
constexpr std::uint64_t mostGlobalWords = std::uint64_t{32} << 20;

/// One granule of shared memory. `write` and `read`: interval << 11 | thread, 0 for never; a word
/// that was written in an earlier interval of the block keeps that.
struct SharedWord final {
    std::uint32_t write = 0;
    std::uint32_t read = 0;
    std::uint32_t warpInterval = 0;  ///< of the writer's warp
};

struct SharedShadow final {
    std::vector<SharedWord> words;
    std::uint32_t granule = 4;
    std::uint64_t bytes = 0;
};

WARPLENS_EARLY std::vector<SharedShadow> shadows;  ///< by array
std::uint32_t interval = 1;
std::uint32_t firstIntervalOfBlock = 1;
std::uint32_t warpIntervals[64] = {};

SharedShadow& shadowOf(Array& array, std::uint32_t id, std::uint32_t granule) {
    if (shadows.size() <= id) shadows.resize(arrayCount());
    SharedShadow& shadow = shadows[id];
    if (shadow.bytes != array.bytes) {
        shadow = {{}, granule, array.bytes};
        shadow.words.resize(array.bytes / granule + 4);
    } else if (granule < shadow.granule) {
        // What is known of a word holds for each of its parts.
        std::vector<SharedWord> parts(array.bytes / granule + 4);
        for (std::size_t i = 0; i < array.bytes / granule; ++i) {
            parts[i] = shadow.words[i * granule / shadow.granule];
        }
        shadow.words = std::move(parts);
        shadow.granule = granule;
    }
    return shadow;
}

/// Whether what is loaded there is what an atomicCAS further down compares with: it may be old.
bool isComparedLater(std::uint32_t site, const Array& array) {
    return site < array.comparedAt && siteRow(site).function == siteRow(array.comparedAt).function;
}

std::string threadText(std::uint32_t thread) {
    const Extents block = launchState.launch.block;
    return "thread (" + std::to_string(thread % block.x) + ", " +
           std::to_string(thread / block.x % block.y) + ", " +
           std::to_string(thread / block.x / block.y) + ")";
}

}  // namespace

void beginBarrierInterval() {
    if (++interval >= (1u << 21) - 2) {
        shadows.clear();
        interval = 1;
        firstIntervalOfBlock = 1;
    }
    std::memset(warpIntervals, 0, sizeof warpIntervals);
}

void beginBlockOfRaces() {
    beginBarrierInterval();
    firstIntervalOfBlock = interval;
}

void beginWarpInterval(std::uint32_t warp) {
    ++warpIntervals[warp];
}

void clearRaces() {
    shadows.clear();
}

void clearGlobalRaces() {
    for (std::uint32_t id = 0; id < arrayCount(); ++id) {
        arrayOf(id).writers = {};
        arrayOf(id).readers = {};
    }
}

void checkSharedAccess(const Place& place, std::uint32_t site, Array& array,
                       const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t warp,
                       const Lane* lanes) {
    const std::uint32_t bytes = place.bytes;
    const std::uint32_t granule = bytes < 4 ? bytes : 4;
    SharedShadow& shadow = shadowOf(array, place.array, granule);
    const std::uint32_t step = shadow.granule;
    const bool isStore = place.kind != SiteKind::load;
    const bool isAtomic = place.kind == SiteKind::atomic;
    const std::uint32_t firstThread = warp * 32;
    const std::uint32_t warpInterval = warpIntervals[warp];
    const bool ordered = (place.flags & siteIsVolatile) != 0;
    std::size_t i = 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1, ++i) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint32_t me = firstThread + lane;
        const std::uint32_t stamp = interval << 11 | me;
        const std::uint64_t offset = addresses[i] - array.at;
        if (offset >= array.bytes || array.bytes - offset < bytes) continue;
        bool told = false;  // once for each access, however many words it has
        const auto tell = [&](FindingKind kind, const std::string& words) {
            if (!std::exchange(told, true)) addFinding(kind, words, site, &lanes[lane].thread);
        };
        for (std::uint64_t at = offset / step; at * step < offset + bytes; ++at) {
            SharedWord& word = shadow.words[at];
            const bool writtenNow = word.write >> 11 == interval;
            const std::uint32_t writer = word.write & 2047;
            if (!isStore || isAtomic) {
                if (word.write >> 11 < firstIntervalOfBlock) {
                    tell(FindingKind::uninitialisedShared,
                         std::string(isAtomic ? "atomic on" : "load from") + " shared " +
                             elementText(array, addresses[i], bytes) +
                             ", which no thread of the block has written");
                } else if (!isAtomic && writtenNow && writer != me && writer != manyThreads &&
                           !(writer / 32 == warp &&
                             (ordered || word.warpInterval != warpInterval))) {
                    tell(FindingKind::sharedRace,
                         "load from shared " + elementText(array, addresses[i], bytes) +
                             ", which " + threadText(writer) + " writes with no barrier between");
                }
            }
            if (!isStore) {
                if (word.read >> 11 != interval) {
                    word.read = stamp;
                } else if ((word.read & 2047) != me) {
                    word.read = interval << 11 | manyThreads;
                }
                continue;
            }
            if (!isAtomic) {
                const std::uint32_t reader = word.read & 2047;
                const bool readNow = word.read >> 11 == interval;
                if (writtenNow && writer != me && writer != manyThreads &&
                    !(writer / 32 == warp && (ordered || word.warpInterval != warpInterval))) {
                    tell(FindingKind::sharedRace,
                         "store to shared " + elementText(array, addresses[i], bytes) + ", which " +
                             threadText(writer) + " writes too, with no barrier between");
                } else if (readNow && reader != me && !ordered &&
                           (reader == manyThreads || reader / 32 != warp)) {
                    tell(FindingKind::sharedRace,
                         "store to shared " + elementText(array, addresses[i], bytes) + ", which " +
                             (reader == manyThreads ? std::string("other threads read")
                                                    : threadText(reader) + " reads") +
                             " with no barrier between");
                }
            }
            // Atomics do not race with one another.
            word.write = isAtomic ? (interval << 11 | manyThreads) : stamp;
            word.warpInterval = warpInterval;
        }
    }
}

namespace {

/// Of an array that has words which nobody has written. Lanes side by side are looked at together.
void checkUnwritten(const Place& place, std::uint32_t site, Array& array,
                    const std::uint64_t* addresses, std::uint32_t mask, const Lane* lanes) {
    const auto tellOf = [&](std::uint64_t address, std::size_t which) {
        const std::uint64_t words = (address % 4 + place.bytes + 3) / 4;
        if (array.unwritten.count(address - array.at, place.bytes) < words) return;
        std::uint32_t rest = mask;
        for (; which > 0; --which) rest &= rest - 1;
        addFinding(FindingKind::uninitialisedGlobal,
                   std::string(place.kind == SiteKind::atomic ? "atomic on " : "load from ") +
                       elementText(array, address, place.bytes) +
                       ", which nobody has written: no copy, no memset, no kernel",
                   site, &lanes[std::countr_zero(rest)].thread);
    };
    const auto count = static_cast<std::size_t>(std::popcount(mask));
    for (std::size_t i = 0; i < count;) {
        const std::size_t first = i++;
        while (i < count && addresses[i] == addresses[i - 1] + place.bytes) ++i;
        const std::uint64_t offset = addresses[first] - array.at;
        const std::uint64_t bytes = (i - first) * place.bytes;
        if (offset >= array.bytes || array.unwritten.count(offset, bytes) == 0) continue;
        for (std::size_t k = first; k < i && place.kind != SiteKind::store; ++k) {
            tellOf(addresses[k], k);
        }
        if (place.kind != SiteKind::load) array.unwritten.write(offset, bytes);
    }
}

}  // namespace

void checkGlobalAccess(const Place& place, std::uint32_t site, Array& array,
                       const std::uint64_t* addresses, std::uint32_t mask, const Lane* lanes) {
    if (array.unwritten.any()) checkUnwritten(place, site, array, addresses, mask, lanes);
    const std::uint64_t words = array.bytes / 4 + 1;
    if (launchState.fenced || launchState.cooperative || words > mostGlobalWords ||
        place.bytes < 4) {
        return;
    }
    const bool isStore = place.kind != SiteKind::load;
    const std::uint32_t launchTag = (launchState.index % 255 + 1) << 24;
    if (!isStore && array.storesOfLaunch != launchState.index + 1 && launchState.blockTag > 1) {
        return;  // nobody has stored to it so far
    }
    if (array.writers.empty()) {
        array.writers = ZeroWords(words);
        array.readers = ZeroWords(words);
    }
    if (isStore) array.storesOfLaunch = launchState.index + 1;
    const std::uint32_t me = launchTag | (launchState.blockTag & 0xfffffe);
    constexpr std::uint32_t atomicBit = 1;
    const bool isAtomic = place.kind == SiteKind::atomic;
    const bool isCompared = !isStore && isComparedLater(site, array);
    if ((place.flags & siteIsCompare) != 0) array.comparedAt = site;
    std::size_t i = 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1, ++i) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint64_t offset = addresses[i] - array.at;
        if (offset >= array.bytes || array.bytes - offset < place.bytes) continue;
        const std::uint64_t at = offset / 4;
        const std::uint32_t writer = array.writers[at];
        const std::uint32_t reader = array.readers[at];
        const bool other = (writer & 0xff000000) == launchTag && (writer & ~atomicBit) != me;
        if (other && !((isAtomic || isCompared) && (writer & atomicBit) != 0)) {
            addFinding(FindingKind::blockRace,
                       std::string(isStore ? "store to " : "load from ") +
                           elementText(array, addresses[i], place.bytes) +
                           ", which another block writes in the same launch",
                       site, &lanes[lane].thread);
        } else if (isStore && !isAtomic && (reader & 0xff000000) == launchTag && reader != me) {
            addFinding(FindingKind::blockRace,
                       "store to " + elementText(array, addresses[i], place.bytes) +
                           ", which another block reads in the same launch",
                       site, &lanes[lane].thread);
        }
        if (isStore) {
            array.writers[at] = me | (isAtomic ? atomicBit : 0);
        } else {
            array.readers[at] = me;
        }
    }
}

}  // namespace warplens::runtime
