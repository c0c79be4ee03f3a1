#include <array>
#include <cstring>

#include "kernels/ptx/check/faults.h"
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

/// Stamps of words side by side, and the lanes that are there, the first the lowest bit of `lanes`.
struct Row final {
    Stamp* writes;
    Stamp* reads;
    u32 count;
    u32 lanes;
    Stamp mine;  ///< the first one's stamp

    /// All ones where the lane is there.
    [[nodiscard]] Stamp in(u32 at) const { return -static_cast<Stamp>(lanes >> at & 1u); }
};

/// Notes that lanes load the row. False where a word has to be looked at by itself. Of what is
/// `isReadOnly` nobody can have written a word since the launch began.
template <bool isReadOnly>
WARPLENS_CLONES bool loadRow(const Row& of, const Floors& by) {
    Stamp wrong = 0;
    const Row row = of;
    const Floors floors = by;
    for (u32 at = 0; at < row.count; ++at) {
        const Stamp me = row.mine + at;
        const Stamp in = row.in(at);
        if constexpr (!isReadOnly) {
            const Stamp write = row.writes[at];
            const bool isFine = ((write < floors.launch) & (write >= floors.written)) |
                                ((write >= floors.block) & (write < floors.ordered) &
                                 (whoOf(write) != manyBlocks)) |
                                (((write ^ me) & sameThread) == 0);
            wrong |= in & -Stamp{!isFine};
        }
        const Stamp read = row.reads[at];
        row.reads[at] = (withReader(read, me, floors) & in) | (read & ~in);
    }
    return wrong == 0;
}

/// Whether several blocks read each of the words in this launch: one more does not matter.
WARPLENS_CLONES bool areShared(const Row& of, Stamp launchFloor) {
    Stamp differs = 0;
    Stamp above = 0;  // negative where a stamp is below
    const Row row = of;
    for (u32 at = 0; at < row.count; ++at) {
        differs |= (row.reads[at] ^ manyBlocks) & row.in(at);
        above |= (row.reads[at] - launchFloor) & row.in(at);
    }
    return (differs & (whoMask | strongBit)) == 0 && above >= 0;
}

/// Notes that lanes store to the row. False, and nothing is noted, where a word has to be looked
/// at.
WARPLENS_CLONES bool storeRow(const Row& of, const Floors& by) {
    Stamp wrong = 0;
    const Row row = of;
    const Floors floors = by;
    for (u32 at = 0; at < row.count; ++at) {
        const Stamp me = row.mine + at;
        const auto isFine = [&](Stamp stamp) __attribute__((always_inline)) {
            return (stamp < floors.launch) |
                   ((whoOf(stamp) != manyBlocks) & (stamp >= floors.block) &
                    (stamp < floors.ordered)) |
                   (((stamp ^ me) & sameThread) == 0);
        };
        wrong |= row.in(at) & -Stamp{!(isFine(row.writes[at]) & isFine(row.reads[at]))};
    }
    if (wrong != 0) return false;
    for (u32 at = 0; at < row.count; ++at)
        row.writes[at] = ((row.mine + at) & row.in(at)) | (row.writes[at] & ~row.in(at));
    return true;
}

class Checker final {
  public:
    Checker(Faults& faults, const Access& access, u32 lanes)
        : faults_(faults),
          access_(access),
          request_(access.request),
          shape_(*request_.warp.sites[request_.site].shape),
          shadow_(access.shadow),
          order_(access.order),
          warp_(request_.warp.rank),
          lanes_(lanes),
          first_(request_.warp.addresses[lowest(lanes)] - shadow_.base),
          now_(order_.stamp(access.strong ? strongBit : 0)) {}

    void run() {
        const bool stores = isStore(request_.kind);
        const auto one = [&](u32 lane) {
            isAtomic(request_.kind) ? atomic(lane) : stores ? store(lane) : load(lane);
        };
        // Whether each lane is at a word, all of it and nothing else.
        const bool hasWords =
            shape_.mask == lanes_ && shape_.isAligned && request_.bytes == 1u << shadow_.shift &&
            ((first_ + shadow_.base) & (request_.bytes - 1)) == 0 && !isAtomic(request_.kind);
        // Whether the host wrote the array and no kernel stores to it: then nobody can be in a
        // load's way.
        const bool readOnly = !stores && shadow_.lastStore << serialShift < access_.launchFloor &&
                              shadow_.writtenTo >= shadow_.bytes;
        if (!hasWords || (shape_.runCount == 0 && !shape_.isApart && !readOnly)) {
            setFloors();
            return forEachLane(lanes_, one);
        }
        if (readOnly && isKnown()) return;
        setFloors();
        if (shape_.runCount == 0 && !shape_.isApart) {
            return forEachLane(lanes_, [&](u32 lane) {
                mergeRead((request_.warp.addresses[lane] - shadow_.base) >> shadow_.shift,
                          thread(lane));
            });
        }
        if (shape_.runCount == 0) {
            if (!runApart(stores, readOnly)) forEachLane(lanes_, one);
            return;
        }
        for (u32 index = 0; index < shape_.runCount; ++index) {
            const Shape::Run& run = shape_.runs[index];
            (stores ? shadow_.writes : shadow_.reads).makeReady(wordOf(run), shadow_.words());
            const Row row = rowOf(run);
            bool isDone = false;
            if (!run.isUniform || run.lanes == 1)
                isDone = passRow(row, stores, readOnly);
            else if (!stores)
                isDone = loadTogether(wordOf(run), readOnly);
            if (!isDone) forEachLane(row.lanes << run.lane, one);
        }
    }

  private:
    void setFloors() {
        floors_ = {.launch = access_.launchFloor,
                   .written = access_.writtenFloor,
                   .block = order_.floor(),
                   .ordered = order_.orderedFloor(),
                   .end = order_.floor() + (Stamp{1} << serialShift),
                   .orderedInWarp = order_.orderedFloor(request_.warp.rank),
                   .warp = warp_};
    }
    [[nodiscard]] u64 wordOf(const Shape::Run& run) const {
        return (first_ + u64(run.offset)) >> shadow_.shift;
    }
    [[nodiscard]] Row rowOf(const Shape::Run& run) const {
        const u64 word = wordOf(run);
        const u32 all = run.lanes == lanesPerWarp ? allLanes : (1u << run.lanes) - 1;
        return {&shadow_.writes[word], &shadow_.reads[word], run.isUniform ? 1u : run.lanes,
                shape_.isSparse ? shape_.mask >> run.lane : all, now_ | thread(run.lane)};
    }
    bool passRow(const Row& row, bool stores, bool readOnly) {
        return stores     ? storeRow(row, floors_)
               : readOnly ? loadRow<true>(row, floors_)
                          : loadRow<false>(row, floors_);
    }
    /// Whether there is nothing to find nor to note.
    [[nodiscard]] bool isKnown() const {
        if (shape_.runCount == 0) return false;
        for (u32 index = 0; index < shape_.runCount; ++index) {
            const Shape::Run& run = shape_.runs[index];
            // Rows of a block often load the same words.
            if (index != 0 && run.offset == shape_.runs[index - 1u].offset &&
                run.lanes == shape_.runs[index - 1u].lanes)
                continue;
            const Row row = rowOf(run);
            if (whoOf(row.reads[0]) != manyBlocks || !areShared(row, access_.launchFloor))
                return false;
        }
        return true;
    }
    [[nodiscard]] u32 thread(u32 lane) const { return warp_ * lanesPerWarp + lane; }
    /// Lanes at words of their own, which are taken side by side. False where a word has to be
    /// looked at by itself.
    bool runApart(bool stores, bool readOnly) {
        alignas(64) std::array<Stamp, lanesPerWarp> writes;
        alignas(64) std::array<Stamp, lanesPerWarp> reads;
        const auto forWordOf = [&](auto use) {
            forEachLane(lanes_, [&](u32 lane) {
                use(lane, (request_.warp.addresses[lane] - shadow_.base) >> shadow_.shift);
            });
        };
        forWordOf([&](u32 lane, u64 word) {
            reads[lane] = shadow_.reads[word];
            if (!readOnly) writes[lane] = shadow_.writes[word];
        });
        const Row row{writes.data(), reads.data(), lanesPerWarp, lanes_, now_ | thread(0)};
        if (!passRow(row, stores, readOnly)) return false;
        forWordOf([&](u32 lane, u64 word) {
            (stores ? shadow_.writes : shadow_.reads)[word] = (stores ? writes : reads)[lane];
        });
        return true;
    }
    /// Calls `use(word)` for the words of the lane's bytes.
    template <class Use>
    void forWords(u32 lane, Use use) {
        const u64 offset = request_.warp.addresses[lane] - shadow_.base;
        const u64 last = (offset + request_.bytes - 1) >> shadow_.shift;
        for (u64 word = offset >> shadow_.shift; word <= last; ++word) use(word);
    }
    [[nodiscard]] bool conflicts(Stamp stamp, u32 lane) const {
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
    /// Whether another block stored it beside what this one waits for, in another array: without a
    /// fence that may be seen first.
    [[nodiscard]] bool isPassedOn(Stamp write) const {
        if (shadow_.isShared || !isStrong(write) || serialOf(write) == order_.serial())
            return false;
        // A number that an atomic gave is not waited for where a whole number of 8 bytes may have
        // value and flag in one: those are seen together.
        constexpr u64 ofAtomic = 1;  // bases are even
        const auto& instruction = *request_.step.instruction;
        const bool isPacked = request_.bytes == 8 && !instruction.has("f64") &&
                              (access_.awaited & ofAtomic) != 0 && !isAtomic(request_.kind);
        if (access_.awaited == 0 || isPacked)
            access_.awaited = shadow_.base | (isAtomic(request_.kind) ? ofAtomic : 0);
        return (access_.awaited & ~ofAtomic) != shadow_.base && access_.isVolatile &&
               !shadow_.hasAtomics;
    }
    /// Whether another block stored it that had no fence, where others had.
    [[nodiscard]] bool isUnfenced(Stamp write) const {
        return !shadow_.isShared && !isStrong(write) && write >= floors_.launch &&
               serialOf(write) != order_.serial() && !faults_.isFenced(write);
    }
    /// What volatile alone orders lanes of one warp by.
    [[nodiscard]] bool isOfWarpOrder(Stamp other) const {
        return shadow_.isShared && access_.isVolatile && serialOf(other) == order_.serial() &&
               warpOf(whoOf(other)) == warp_;
    }
    [[nodiscard]] bool isWritten(u64 word, Stamp write) const {
        return write >= floors_.written || word << shadow_.shift < shadow_.writtenTo;
    }

    /// Notes that `who` reads the word.
    void mergeRead(u64 word, Stamp who) {
        shadow_.reads[word] = withReader(shadow_.reads[word], now_ | who, floors_);
    }
    bool loadTogether(u64 word, bool readOnly) {
        const Stamp write = shadow_.writes[word];
        const bool isFine = readOnly || (write < floors_.launch
                                             ? isWritten(word, write)
                                             : write >= floors_.block && write < floors_.ordered);
        if (isFine) mergeRead(word, lanesOfWarp | warp_);
        return isFine;
    }
    void load(u32 lane) {
        bool isUnwritten = true;
        bool isTold = false;
        forWords(lane, [&](u64 word) {
            const Stamp write = shadow_.writes[word];
            mergeRead(word, thread(lane));
            if (!isWritten(word, write)) return;
            isUnwritten = false;
            if (isTold || (!conflicts(write, lane) && !isUnfenced(write)) ||
                (isStrong(write) && access_.mayBeOld))
                return;
            if (isMeant(write) && !isOfWarpOrder(write) && !isPassedOn(write)) return;
            isTold = true;
            faults_.onRace(access_, lane, write, true);
        });
        if (isUnwritten) faults_.onUnwritten(access_, lane);
    }
    void store(u32 lane) {
        bool isTold = false;
        forWords(lane, [&](u64 word) {
            const Stamp write = shadow_.writes[word];
            const Stamp read = shadow_.reads[word];
            shadow_.writes[word] = now_ | thread(lane);
            const bool isSecond = conflicts(write, lane);
            shadow_.isStoredTwice |= isSecond;
            if (isTold) return;
            const bool writes = isSecond && !isMeant(write) && !storesTheSame(lane, write);
            if (!writes && (!conflicts(read, lane) || isMeant(read))) return;
            isTold = true;
            faults_.onRace(access_, lane, writes ? write : read, writes);
        });
    }
    void atomic(u32 lane) {
        bool isUnwritten = true;
        bool isTold = false;
        forWords(lane, [&](u64 word) {
            const Stamp write = shadow_.writes[word];
            const Stamp read = shadow_.reads[word];
            const Stamp mine = now_ | thread(lane);
            Stamp merged = mine;
            if (isWritten(word, write)) isUnwritten = false;
            if (!isStrong(write) && write >= floors_.ordered && !conflicts(write, lane)) {
                // A store that nothing orders before what other warps do here.
                merged = write;
            } else if (write >= floors_.launch && isStrong(write)) {
                (void)isPassedOn(write);
                if (serialOf(write) != order_.serial() || whoOf(write) == manyBlocks)
                    merged = now_ | manyBlocks;
                else if (!order_.isBefore(write, thread(lane))) {
                    merged =
                        now_ | (warpOf(whoOf(write)) == warp_ ? lanesOfWarp | warp_ : manyThreads);
                }
            } else if (!isTold && conflicts(write, lane)) {
                isTold = true;
                faults_.onRace(access_, lane, write, true);
            }
            // What a loop of atomicCAS loads first may be old.
            if (!isTold && !access_.compares && !isStrong(read) && conflicts(read, lane)) {
                isTold = true;
                faults_.onRace(access_, lane, read, false);
            }
            shadow_.writes[word] = merged;
        });
        if (isUnwritten) faults_.onUnwritten(access_, lane);
    }

    /// Whether the lane stores what is there already, or what the other lane of this request does:
    /// then it does not matter which of them comes last.
    [[nodiscard]] bool storesTheSame(u32 lane, Stamp other) const {
        const Warp& warp = request_.warp;
        u32 parts = 0;
        while (parts < 4 && request_.step.extra[parts] != noSlot) ++parts;
        if (parts == 0) return false;
        const u32 width = request_.bytes / parts;
        const auto valueOf = [&](u32 part, u32 of) {
            const Slot slot = request_.step.extra[part];
            return warp.banks[slot.bank] + slot.offset + of * (width == 8 ? 8 : 4);
        };
        const u64 address = warp.addresses[lane];
        const Stamp otherLane = whoOf(other) - warp_ * lanesPerWarp;
        const bool isTogether =
            serialOf(other) == order_.serial() && timeOf(other) == timeOf(now_) && otherLane >= 0 &&
            otherLane < lanesPerWarp && otherLane < lane &&
            (request_.lanes >> otherLane & 1) != 0 && warp.addresses[otherLane] == address;
        for (u32 part = 0; part < parts; ++part) {
            const std::byte* there = isTogether
                                         ? valueOf(part, u32(otherLane))
                                         : shadow_.data + (address - shadow_.base) + part * width;
            if (std::memcmp(valueOf(part, lane), there, width) != 0) return false;
        }
        return true;
    }

    Faults& faults_;
    const Access& access_;
    const Request& request_;
    const Shape& shape_;
    Shadow& shadow_;
    const Order& order_;
    Stamp warp_;
    u32 lanes_;
    u64 first_;  ///< the first lane's byte in the array
    Floors floors_{};
    Stamp now_;
};

}  // namespace

void check(Faults& faults, const Access& access, u32 lanes) {
    Checker(faults, access, lanes).run();
}

}  // namespace warplens::ptx::check
