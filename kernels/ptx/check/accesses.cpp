#include "kernels/ptx/check/accesses.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "kernels/ptx/steps/value.h"

namespace warplens::ptx::check {
namespace {

constexpr Stamp sameThread = ~(timeMask | strongBit);

/// By which stamps of many words are told apart at once.
struct Floors final {
    Stamp launch;
    Stamp written;
    Stamp block;
    Stamp ordered;
    Stamp end;  ///< of the block
    Stamp orderedInWarp;
    Stamp warp;
};

/// The stamp of a word's readers once `me` is one of them, who may be lanes of the warp.
__attribute__((always_inline)) inline Stamp withReader(Stamp read, Stamp me, const Floors& floors) {
    const Stamp both = me & (read | ~strongBit);  // strong if all are
    const Stamp who = whoOf(read);
    const bool isInWarp = ((who >> 5) == floors.warp) | (who == (lanesOfWarp | floors.warp));
    const bool isInBlock = (read >= floors.block) & (read < floors.end) & (who != manyBlocks);
    const bool isOver =
        (read < floors.launch) |
        (isInBlock & ((read < floors.ordered) | (isInWarp & (read < floors.orderedInWarp))));
    const Stamp several = !isInBlock ? manyBlocks
                          : isInWarp ? lanesOfWarp | floors.warp
                                     : manyThreads;
    const bool isSame = ((read ^ me) & sameThread) == 0;
    return isOver ? me : isSame ? both : (both & ~whoMask) | several;
}

/// Lanes side by side load words side by side: notes it. False where a word has to be looked at by
/// itself.
WARPLENS_CLONES bool loadRow(const Stamp* writes, Stamp* reads, std::uint32_t count, Stamp mine,
                             const Floors& of) {
    Stamp wrong = 0;
    const Floors floors = of;
    for (std::uint32_t at = 0; at < count; ++at) {
        const Stamp me = mine + at;
        const Stamp write = writes[at];
        const bool isFine =
            ((write < floors.launch) & (write >= floors.written)) |
            ((write >= floors.block) & (write < floors.ordered) & (whoOf(write) != manyBlocks)) |
            (((write ^ me) & sameThread) == 0);
        reads[at] = withReader(reads[at], me, floors);
        wrong |= Stamp{!isFine};
    }
    return wrong == 0;
}

/// Likewise of words that nobody can have written since the launch began.
WARPLENS_CLONES void readRow(Stamp* reads, std::uint32_t count, Stamp mine, const Floors& of) {
    const Floors floors = of;
    for (std::uint32_t at = 0; at < count; ++at)
        reads[at] = withReader(reads[at], mine + at, floors);
}

/// Whether several blocks read each of the words in this launch: one more does not matter.
WARPLENS_CLONES bool areShared(const Stamp* reads, std::uint32_t count, Stamp launchFloor) {
    Stamp differs = 0;
    Stamp above = 0;  // negative where a stamp is below
    for (std::uint32_t at = 0; at < count; ++at) {
        differs |= reads[at] ^ manyBlocks;
        above |= reads[at] - launchFloor;
    }
    return (differs & (whoMask | strongBit)) == 0 && above >= 0;
}

/// Lanes side by side store to words side by side. False, and nothing is noted, where a word has to
/// be looked at.
WARPLENS_CLONES bool storeRow(Stamp* writes, const Stamp* reads, std::uint32_t count, Stamp mine,
                              const Floors& of) {
    Stamp wrong = 0;
    const Floors floors = of;
    for (std::uint32_t at = 0; at < count; ++at) {
        const Stamp me = mine + at;
        const auto isFine = [&](Stamp stamp) __attribute__((always_inline)) {
            return (stamp < floors.launch) |
                   ((whoOf(stamp) != manyBlocks) & (stamp >= floors.block) &
                    (stamp < floors.ordered)) |
                   (((stamp ^ me) & sameThread) == 0);
        };
        wrong |= Stamp{!(isFine(writes[at]) & isFine(reads[at]))};
    }
    if (wrong != 0) return false;
    for (std::uint32_t at = 0; at < count; ++at) writes[at] = mine + at;
    return true;
}

/// Whether each lane is at a word, all of it and nothing else.
bool hasWords(const Access& access, std::uint32_t lanes) {
    const Request& request = access.request;
    const SiteState& site = request.warp.sites[request.site];
    const std::uint64_t first =
        request.warp.addresses[static_cast<std::uint32_t>(std::countr_zero(lanes))];
    return site.mask == lanes && site.isAligned && (first & (request.bytes - 1)) == 0 &&
           request.bytes == 1u << access.shadow.shift;
}
/// Whether these are one word, or words side by side, in a few runs.
bool hasRuns(const Access& access, std::uint32_t lanes) {
    return access.request.warp.sites[access.request.site].runCount != 0 && hasWords(access, lanes);
}
/// Whether the host wrote the array and no kernel stores to it: then nobody can be in a load's way.
bool isReadOnly(const Access& access) {
    return !isStore(access.request.kind) && !isAtomic(access.request.kind) &&
           access.shadow.lastStore << serialShift < access.launchFloor &&
           access.shadow.writtenTo >= access.shadow.bytes;
}
/// Whether there is nothing to find nor to note.
bool isKnown(const Access& access, std::uint32_t lanes) {
    if (!isReadOnly(access) || !hasRuns(access, lanes)) return false;
    const Shadow& shadow = access.shadow;
    const SiteState& site = access.request.warp.sites[access.request.site];
    const std::uint64_t first =
        access.request.warp.addresses[static_cast<std::uint32_t>(std::countr_zero(lanes))] -
        shadow.base;
    for (std::uint32_t index = 0; index < site.runCount; ++index) {
        const SiteState::Run& run = site.runs[index];
        // Rows of a block often load the same words.
        if (index != 0 && run.offset == site.runs[index - 1u].offset &&
            run.lanes == site.runs[index - 1u].lanes)
            continue;
        const Stamp* reads =
            &shadow.reads[(first + static_cast<std::uint64_t>(run.offset)) >> shadow.shift];
        if (!areShared(reads, run.isUniform ? 1 : run.lanes, access.launchFloor)) return false;
    }
    return true;
}

class Checker final {
  public:
    Checker(const Access& access, Listener& listener)
        : access_(access),
          listener_(listener),
          shadow_(access.shadow),
          order_(access.order),
          warp_(access.request.warp.rank),
          floors_{.launch = access.launchFloor,
                  .written = access.writtenFloor,
                  .block = order_.floor(),
                  .ordered = order_.orderedFloor(),
                  .end = order_.floor() + (Stamp{1} << serialShift),
                  .orderedInWarp = order_.orderedFloor(access.request.warp.rank),
                  .warp = warp_},
          now_(order_.stamp(access.strong ? strongBit : 0)) {}

    void run(std::uint32_t lanes) {
        const Request& request = access_.request;
        const SiteState& site = request.warp.sites[request.site];
        if (isAtomic(request.kind))
            return forEachLane(lanes, [&](std::uint32_t lane) { atomic(lane); });
        const bool stores = isStore(request.kind);
        const bool readOnly = isReadOnly(access_);
        if (readOnly && site.runCount == 0 && !site.isApart && hasWords(access_, lanes)) {
            return forEachLane(lanes, [&](std::uint32_t lane) {
                mergeRead((request.warp.addresses[lane] - shadow_.base) >> shadow_.shift,
                          thread(lane));
            });
        }
        if (site.runCount == 0 && site.isApart && hasWords(access_, lanes) &&
            runApart(lanes, stores, readOnly))
            return;
        if (!hasRuns(access_, lanes))
            return forEachLane(lanes,
                               [&](std::uint32_t lane) { stores ? store(lane) : load(lane); });
        const std::uint64_t first =
            request.warp.addresses[static_cast<std::uint32_t>(std::countr_zero(lanes))];
        for (std::uint32_t index = 0; index < site.runCount; ++index) {
            const SiteState::Run& run = site.runs[index];
            const std::uint64_t word =
                (first + static_cast<std::uint64_t>(run.offset) - shadow_.base) >> shadow_.shift;
            const Stamp mine = now_ | (warp_ * lanesPerWarp + run.lane);
            if (run.isUniform && run.lanes > 1) {
                if (readOnly)
                    mergeRead(word, lanesOfWarp | warp_);
                else if (stores)
                    forLanes(run, [&](std::uint32_t lane) { store(lane); });
                else
                    loadTogether(run, word);
                continue;
            }
            if (readOnly) {
                readRow(&shadow_.reads[word], run.lanes, mine, floors_);
                continue;
            }
            const bool isDone = stores ? storeRow(&shadow_.writes[word], &shadow_.reads[word],
                                                  run.lanes, mine, floors_)
                                       : loadRow(&shadow_.writes[word], &shadow_.reads[word],
                                                 run.lanes, mine, floors_);
            if (!isDone)
                forLanes(run, [&](std::uint32_t lane) { stores ? store(lane) : load(lane); });
        }
    }

  private:
    [[nodiscard]] std::uint32_t thread(std::uint32_t lane) const {
        return warp_ * lanesPerWarp + lane;
    }
    template <class Use>
    static void forLanes(const SiteState::Run& run, Use use) {
        for (std::uint32_t lane = run.lane; lane < run.lane + run.lanes; ++lane) use(lane);
    }
    /// Lanes at words of their own, which are taken side by side; what stands there for lanes that
    /// are not active is as if they had been. False, and nothing is noted, where a word has to be
    /// looked at by itself.
    bool runApart(std::uint32_t lanes, bool stores, bool readOnly) {
        const Stamp mine = now_ | warp_ * lanesPerWarp;
        alignas(64) std::array<Stamp, lanesPerWarp> writes;
        alignas(64) std::array<Stamp, lanesPerWarp> reads;
        alignas(64) std::array<std::uint64_t, lanesPerWarp> words;
        for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane)
            words[lane] = (access_.request.warp.addresses[lane] - shadow_.base) >> shadow_.shift;
        if (lanes != allLanes) {
            for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane)
                writes[lane] = reads[lane] = mine + lane;
        }
        const auto gather = [&](const Stamps& from, auto& to) {
            forEachLane(lanes, [&](std::uint32_t lane) { to[lane] = from[words[lane]]; });
        };
        gather(shadow_.reads, reads);
        if (!readOnly) gather(shadow_.writes, writes);
        if (readOnly)
            readRow(reads.data(), lanesPerWarp, mine, floors_);
        else if (stores ? !storeRow(writes.data(), reads.data(), lanesPerWarp, mine, floors_)
                        : !loadRow(writes.data(), reads.data(), lanesPerWarp, mine, floors_))
            return false;
        forEachLane(lanes, [&](std::uint32_t lane) {
            (stores ? shadow_.writes : shadow_.reads)[words[lane]] =
                (stores ? writes : reads)[lane];
        });
        return true;
    }
    /// Calls `use(word)` for the words of the lane's bytes.
    template <class Use>
    void forWords(std::uint32_t lane, Use use) {
        const std::uint64_t offset = access_.request.warp.addresses[lane] - shadow_.base;
        const std::uint64_t last = (offset + access_.request.bytes - 1) >> shadow_.shift;
        for (std::uint64_t word = offset >> shadow_.shift; word <= last; ++word) use(word);
    }
    [[nodiscard]] bool conflicts(Stamp stamp, std::uint32_t lane) const {
        if (stamp < floors_.launch) return false;
        if (whoOf(stamp) == manyBlocks || serialOf(stamp) != order_.serial())
            return !access_.fenced;
        return !order_.isBefore(stamp, thread(lane));
    }
    /// Strong accesses do not race with one another, nor with what lanes of the warp do: that is
    /// how programs without `__syncwarp` were written.
    [[nodiscard]] bool isMeant(Stamp other) const {
        if (!access_.strong) return false;
        return isStrong(other) ||
               (serialOf(other) == order_.serial() && warpOf(whoOf(other)) == warp_);
    }
    [[nodiscard]] bool isWritten(std::uint64_t word, Stamp write) const {
        return write >= floors_.written || word << shadow_.shift < shadow_.writtenTo;
    }

    /// Notes that `who` reads the word.
    void mergeRead(std::uint64_t word, Stamp who) {
        shadow_.reads[word] = withReader(shadow_.reads[word], now_ | who, floors_);
    }
    void loadTogether(const SiteState::Run& run, std::uint64_t word) {
        const Stamp write = shadow_.writes[word];
        const bool isFine = write < floors_.launch
                                ? isWritten(word, write)
                                : write >= floors_.block && write < floors_.ordered;
        if (isFine)
            mergeRead(word, lanesOfWarp | warp_);
        else
            forLanes(run, [&](std::uint32_t lane) { load(lane); });
    }
    void load(std::uint32_t lane) {
        bool isUnwritten = true;
        bool isTold = false;
        forWords(lane, [&](std::uint64_t word) {
            const Stamp write = shadow_.writes[word];
            mergeRead(word, thread(lane));
            if (!isWritten(word, write)) return;
            isUnwritten = false;
            if (isTold || !conflicts(write, lane) || isMeant(write) ||
                (isStrong(write) && access_.mayBeOld))
                return;
            isTold = true;
            listener_.onRace(access_, lane, write, true);
        });
        if (isUnwritten) listener_.onUnwritten(access_, lane);
    }
    void store(std::uint32_t lane) {
        bool isTold = false;
        forWords(lane, [&](std::uint64_t word) {
            const Stamp write = shadow_.writes[word];
            const Stamp read = shadow_.reads[word];
            shadow_.writes[word] = now_ | thread(lane);
            if (isTold) return;
            const bool writes =
                conflicts(write, lane) && !isMeant(write) && !storesTheSame(lane, write);
            if (!writes && (!conflicts(read, lane) || isMeant(read))) return;
            isTold = true;
            listener_.onRace(access_, lane, writes ? write : read, writes);
        });
    }
    void atomic(std::uint32_t lane) {
        bool isUnwritten = true;
        bool isTold = false;
        forWords(lane, [&](std::uint64_t word) {
            const Stamp write = shadow_.writes[word];
            const Stamp mine = now_ | thread(lane);
            Stamp merged = mine;
            if (isWritten(word, write)) isUnwritten = false;
            if (whoOf(write) == thread(lane) && !isStrong(write) &&
                write >= std::max(floors_.ordered, floors_.orderedInWarp)) {
                // Its own store, which nothing orders before what others do here.
                merged = mine & ~strongBit;
            } else if (write >= floors_.launch && isStrong(write)) {
                if (serialOf(write) != order_.serial() || whoOf(write) == manyBlocks)
                    merged = now_ | manyBlocks;
                else if (!order_.isBefore(write, thread(lane))) {
                    merged =
                        now_ | (warpOf(whoOf(write)) == warp_ ? lanesOfWarp | warp_ : manyThreads);
                }
            } else if (!isTold && conflicts(write, lane)) {
                isTold = true;
                listener_.onRace(access_, lane, write, true);
            }
            shadow_.writes[word] = merged;
        });
        if (isUnwritten) listener_.onUnwritten(access_, lane);
    }

    /// Whether the lane stores what is there already, or what the other lane of this request does:
    /// then it does not matter which of them comes last.
    [[nodiscard]] bool storesTheSame(std::uint32_t lane, Stamp other) const {
        const Request& request = access_.request;
        const Warp& warp = request.warp;
        std::uint32_t parts = 0;
        while (parts < 4 && request.step.extra[parts] != noSlot) ++parts;
        if (parts == 0) return false;
        const std::uint32_t width = request.bytes / parts;
        const auto valueOf = [&](std::uint32_t part, std::uint32_t of) {
            const Slot slot = request.step.extra[part];
            return warp.banks[slot.bank] + slot.offset + of * (width == 8 ? 8 : 4);
        };
        const std::uint64_t address = warp.addresses[lane];
        const Stamp otherLane = whoOf(other) - warp_ * lanesPerWarp;
        const bool isTogether =
            serialOf(other) == order_.serial() && timeOf(other) == timeOf(now_) && otherLane >= 0 &&
            otherLane < lanesPerWarp && otherLane < lane && (request.lanes >> otherLane & 1) != 0 &&
            warp.addresses[static_cast<std::size_t>(otherLane)] == address;
        for (std::uint32_t part = 0; part < parts; ++part) {
            const std::byte* there = isTogether
                                         ? valueOf(part, static_cast<std::uint32_t>(otherLane))
                                         : shadow_.data + (address - shadow_.base) + part * width;
            if (std::memcmp(valueOf(part, lane), there, width) != 0) return false;
        }
        return true;
    }

    const Access& access_;
    Listener& listener_;
    Shadow& shadow_;
    const Order& order_;
    Stamp warp_;
    Floors floors_;
    Stamp now_;
};

}  // namespace

void check(const Access& access, std::uint32_t lanes, Listener& listener) {
    if (!isKnown(access, lanes)) Checker(access, listener).run(lanes);
}

}  // namespace warplens::ptx::check
