#include "kernels/trace/runtime/races.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "kernels/trace/runtime/launch_state.h"

namespace warplens::runtime {
namespace {

// Who was at a word: a thread, lanes of a warp, threads of several.
constexpr std::uint32_t lanesOfWarp = 1024;
constexpr std::uint32_t manyThreads = 2047;
constexpr int whoBits = 11;
constexpr std::uint64_t mostGlobalWords = std::uint64_t{32} << 20;

std::uint32_t whoOf(std::uint32_t stamp) {
    return stamp & ((1U << whoBits) - 1);
}
std::uint32_t intervalOf(std::uint32_t stamp) {
    return stamp >> whoBits;
}
/// The warp that all of them are of; none for several.
std::uint32_t warpOf(std::uint32_t who) {
    return who == manyThreads ? who : who >= lanesOfWarp ? who - lanesOfWarp : who / 32;
}

/// One granule of shared memory. What was done to it last: interval and who, 0 for never; a word
/// that was written in an earlier interval of the block keeps that.
struct SharedWord final {
    std::uint32_t write = 0;
    std::uint32_t read = 0;
    std::uint32_t warpInterval = 0;  ///< of the writer's warp
};

struct SharedShadow final {
    std::vector<SharedWord> words;
    std::vector<std::uint32_t> atomics;  ///< the same of atomics; empty before the first
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
        shadow = {{}, {}, granule, array.bytes};
        shadow.words.resize(array.bytes / granule + 4);
    } else if (granule < shadow.granule) {
        // What is known of a word holds for each of its parts.
        const auto inParts = [&]<class Word>(std::vector<Word>& words) {
            if (words.empty()) return;
            std::vector<Word> parts(array.bytes / granule + 4);
            for (std::size_t i = 0; i < array.bytes / granule; ++i) {
                parts[i] = words[i * granule / shadow.granule];
            }
            words = std::move(parts);
        };
        inParts(shadow.words);
        inParts(shadow.atomics);
        shadow.granule = granule;
    }
    return shadow;
}

/// Whether what is loaded there is what an atomicCAS further down compares with: it may be old.
bool isComparedLater(std::uint32_t site, const Array& array) {
    return site < array.comparedAt && siteRow(site).function == siteRow(array.comparedAt).function;
}

std::string threadText(std::uint32_t thread) {
    if (thread >= lanesOfWarp) return "other threads";
    const Extents block = launchState.launch.block;
    return "thread (" + std::to_string(thread % block.x) + ", " +
           std::to_string(thread / block.x % block.y) + ", " +
           std::to_string(thread / block.x / block.y) + ")";
}

}  // namespace

void beginBarrierInterval() {
    if (++interval >= (1u << (32 - whoBits)) - 2) {
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
    // Whoever waits for an atomic of others, or tries again, reads on purpose.
    const bool mayBeOld = ordered || isComparedLater(site, array);
    if ((place.flags & siteIsCompare) != 0) array.comparedAt = site;
    if (isAtomic && shadow.atomics.empty()) shadow.atomics.resize(shadow.words.size());
    const bool hasAtomics = !shadow.atomics.empty();
    std::size_t i = 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1, ++i) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint32_t me = firstThread + lane;
        const std::uint32_t stamp = interval << whoBits | me;
        const std::uint64_t offset = addresses[i] - array.at;
        if (offset >= array.bytes || array.bytes - offset < bytes) continue;
        bool told = false;  // once for each access, however many words it has
        const auto tell = [&](FindingKind kind, const std::string& words) {
            if (!std::exchange(told, true)) addFinding(kind, words, site, &lanes[lane].thread);
        };
        for (std::uint64_t at = offset / step; at * step < offset + bytes; ++at) {
            SharedWord& word = shadow.words[at];
            const std::uint32_t writer = whoOf(word.write);
            const bool written =
                intervalOf(word.write) == interval && writer != me &&
                !(writer / 32 == warp && (ordered || word.warpInterval != warpInterval));
            if (!isStore) {
                const std::uint32_t atomic = hasAtomics ? shadow.atomics[at] : 0;
                if (intervalOf(std::max(word.write, atomic)) < firstIntervalOfBlock) {
                    tell(FindingKind::uninitialisedShared,
                         "load from shared " + elementText(array, addresses[i], bytes) +
                             ", which no thread of the block has written");
                } else if (written) {
                    tell(FindingKind::sharedRace,
                         "load from shared " + elementText(array, addresses[i], bytes) +
                             ", which " + threadText(writer) + " writes with no barrier between");
                } else if (intervalOf(atomic) == interval && warpOf(whoOf(atomic)) != warp &&
                           !mayBeOld) {
                    tell(FindingKind::sharedRace,
                         "load from shared " + elementText(array, addresses[i], bytes) +
                             ", which " + threadText(whoOf(atomic)) +
                             (whoOf(atomic) < lanesOfWarp ? " changes by an atomic"
                                                          : " change by atomics") +
                             " with no barrier between");
                }
                if (intervalOf(word.read) != interval) {
                    word.read = stamp;
                } else if (whoOf(word.read) != me) {
                    word.read = interval << whoBits | manyThreads;
                }
                continue;
            }
            if (isAtomic) {  // atomics do not race with one another
                std::uint32_t& atomic = shadow.atomics[at];
                if (intervalOf(std::max(word.write, atomic)) < firstIntervalOfBlock) {
                    tell(FindingKind::uninitialisedShared,
                         "atomic on shared " + elementText(array, addresses[i], bytes) +
                             ", which no thread of the block has written");
                } else if (written) {
                    tell(FindingKind::sharedRace,
                         "atomic on shared " + elementText(array, addresses[i], bytes) +
                             ", which " + threadText(writer) + " writes with no barrier between");
                }
                const std::uint32_t others = whoOf(atomic);
                atomic = intervalOf(atomic) != interval || others == me ? stamp
                         : warpOf(others) == warp ? interval << whoBits | lanesOfWarp | warp
                                                  : interval << whoBits | manyThreads;
                continue;
            }
            const std::uint32_t reader = whoOf(word.read);
            if (written) {
                tell(FindingKind::sharedRace,
                     "store to shared " + elementText(array, addresses[i], bytes) + ", which " +
                         threadText(writer) + " writes too, with no barrier between");
            } else if (intervalOf(word.read) == interval && reader != me && !ordered &&
                       warpOf(reader) != warp) {
                tell(FindingKind::sharedRace,
                     "store to shared " + elementText(array, addresses[i], bytes) + ", which " +
                         threadText(reader) + (reader == manyThreads ? " read" : " reads") +
                         " with no barrier between");
            }
            word.write = stamp;
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
        addFinding(FindingKind::unwrittenMemory,
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
    // Of a word: the launch, its last block there, whether others of the launch were there before.
    constexpr std::uint32_t atomicBit = 1;
    constexpr std::uint32_t severalBit = 2;
    constexpr std::uint32_t blockBits = 0xfffffc;
    const std::uint32_t me = launchTag | (launchState.blockTag & blockBits);
    const auto isOfOther = [&](std::uint32_t word) {
        return (word & 0xff000000) == launchTag &&
               ((word & ~(atomicBit | severalBit)) != me || (word & severalBit) != 0);
    };
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
        const bool written = isOfOther(writer);
        const bool read = isOfOther(reader);
        // What a block stored itself it may load: that others store it, too, is told of the store.
        const bool other =
            written && ((writer & ~(atomicBit | severalBit)) != me || (writer & atomicBit) != 0);
        if (other && !((isAtomic || isCompared) && (writer & atomicBit) != 0)) {
            addFinding(FindingKind::blockRace,
                       std::string(isStore ? "store to " : "load from ") +
                           elementText(array, addresses[i], place.bytes) +
                           ", which another block writes in the same launch",
                       site, &lanes[lane].thread);
        } else if (isStore && !isAtomic && read) {
            addFinding(FindingKind::blockRace,
                       "store to " + elementText(array, addresses[i], place.bytes) +
                           ", which another block reads in the same launch",
                       site, &lanes[lane].thread);
        }
        if (isStore) {
            array.writers[at] = me | (isAtomic ? atomicBit : 0) | (written ? severalBit : 0);
        } else {
            array.readers[at] = me | (read ? severalBit : 0);
        }
    }
}

}  // namespace warplens::runtime
