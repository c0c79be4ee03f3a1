#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/ptx/check/shadow.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::ptx::check {

/// One request to one array, and what it is looked at with.
struct Access final {
    const Request& request;
    Shadow& shadow;
    const Order& order;
    u64& awaited;  ///< `Block::awaited`
    /// Stamps below are of launches before; of shared memory, of blocks before.
    Stamp launchFloor = 0;
    Stamp writtenFloor = 0;  ///< of words that somebody has written
    bool strong = false;     ///< no race with what is strong, too
    bool isVolatile = false;
    bool compares = false;  ///< an atomicCAS
    bool fenced = false;    ///< blocks tell one another by fences what is ready
    bool mayBeOld = false;  ///< an atomicCAS further down compares with what is loaded here
};

class Faults;
/// Looks at the lanes' words, says what is wrong with them, and notes that they were there. All
/// lanes are within the array.
void check(Faults& faults, const Access& access, u32 lanes);

/// Looks for what is wrong with a program's kernels while they run: races, memory that nobody has
/// written, elements that no thread reached. What ends an access (out of bounds, freed,
/// misaligned), barriers that do not match, divisions by zero and endless loops are in
/// `LaunchResult::findings`. Counts are of accesses of lanes. One for all launches of a program;
/// blocks must run one after the other, as they do for observers.
class Faults final : public Observer {
  public:
    /// Arrays of which more would have to be noted than `shadowBytes` are not looked at: four times
    /// their size, where they are used. `nameOf` names an array (`ArrayCounts::array`); without it
    /// they have their PTX name or id.
    explicit Faults(const Program& program, std::function<std::string(u32 array)> nameOf = {},
                    u64 shadowBytes = 8ull << 30);
    ~Faults() override;

    /// The host wrote to these bytes of an array: a copy, a memset. What was never written is told
    /// when it is read, in memory of `cudaMalloc` and of kernels' own `malloc`.
    void markWritten(u64 address, u64 bytes);
    /// The host copied these bytes of an array to the device or back: they are in use, where those
    /// beyond may only be room that is left.
    void markCopied(u64 address, u64 bytes);
    /// The array is to be freed: nothing is known of it any longer.
    void release(u64 address);
    struct Unwritten final {
        u64 bytes = 0;
        u64 first = 0;  ///< of them, counted from where the range begins
    };
    /// Of these bytes, which lie in one array, those that nobody has written, where they are all or
    /// begin behind the first half or 512 bytes: holes before may be meant, as a rim, what pads a
    /// structure, a row's padding.
    [[nodiscard]] Unwritten unwrittenOf(u64 address, u64 bytes) const;
    /// Where in the array the last byte ends that a launch stored to. Cost: its words behind that.
    [[nodiscard]] u64 storedTo(u64 address) const;
    /// Bytes of the array's narrowest accesses so far; 0 where there are none.
    [[nodiscard]] u32 elementBytes(u64 address) const;
    /// All that was found since it was asked last, each kind at each place once.
    [[nodiscard]] std::vector<Finding> take();
    /// Elements that none of the launches so far reached; none where one was cut short.
    [[nodiscard]] std::vector<Finding> takeUnreached();
    /// What is no fault, and may be why results are wrong: elements of shared memory that the first
    /// block of a launch stores to and does not read after that, those of the host's arrays that no
    /// launch accesses.
    [[nodiscard]] std::vector<Finding> takeClues();
    /// An earlier launch that may run at the same time as the one that comes.
    struct AtOnce final {
        Stamp first = 0;  ///< serial of its blocks
        Stamp last = 0;
        std::string name{};
    };
    /// Those, and what the launch that comes is called: what they and it do at one element is told.
    void setAtOnce(std::string name, std::vector<AtOnce> others) {
        launchName_ = std::move(name);
        atOnce_ = std::move(others);
    }
    /// Of the last block so far.
    [[nodiscard]] Stamp serial() const { return serial_; }
    /// A launch was ended before its last block was done: what it would have reached is not known.
    void noteCut() { wasCut_ = true; }
    /// Of global memory, that kernels accessed: each once.
    [[nodiscard]] u64 bytesReached() const;
    /// Arrays that were too large, by id.
    [[nodiscard]] const std::vector<u32>& notLookedAt() const { return tooLarge_; }

    void onLaunchBegin(const GridRun& grid) override;
    void onBlockBegin(const BlockRun& block) override;
    void onBlockEnd(const BlockRun& block) override;
    void onRequest(const Request& request) override;
    /// No more than that somebody has written there.
    void onSurfaceStore(u64 address, u64 bytes) override { markWritten(address, bytes); }
    void onBarrier(const BlockRun& block) override;
    void onWarpSync(const Warp& warp, u32 lanes) override;
    void onFence(const Warp& warp, bool isOfBlock) override;
    void onCopyGroup(const Warp& warp) override;
    void onCopyWait(const Warp& warp, std::optional<u32> groups) override;

    /// Whether the block whose stamp it is had a fence, as far as is known.
    [[nodiscard]] bool isFenced(Stamp stamp) const;
    /// Another thread, that of the stamp, writes or reads the lane's word, and nothing orders the
    /// two.
    void onRace(const Access& access, u32 lane, Stamp other, bool otherWrites);
    /// Nobody has written what the lane reads.
    void onUnwritten(const Access& access, u32 lane);

  private:
    /// A `cp.async` that nobody has waited for.
    struct Copy final {
        u32 bytes;
        u32 thread;
        u32 group;  ///< of its thread's
        u32 site;
        bool isRefill;  ///< another copy came there before and was waited for
        u64 barriers;   ///< that the block had come to
    };
    struct Block final {
        Order order;
        /// The first array in which it read what another block told it by volatile or an atomic; 0:
        /// none.
        u64 awaited = 0;
        std::map<u64, Copy> copies;  ///< by address in shared memory
        std::set<u64> filled;        ///< addresses of copies that were waited for
        u64 barriers = 0;            ///< that all have come to
        std::vector<u32> groups;     ///< that a thread has ended
        std::vector<Shadow> shared;  ///< by `SharedLayout::arrays`
        std::map<u32, u64>
            unwritten{};  ///< by site, the address that was read before it is written
    };
    /// What a site's instruction says of order.
    struct SiteOrder final {
        bool isKnown = false;
        bool isStrong = false;
        bool isVolatile = false;
        bool isFence = false;    ///< acquires or releases
        bool isOfBlock = false;  ///< for the threads of the block
        bool compares = false;
    };
    [[nodiscard]] Block& blockOf(const BlockRun& block);
    [[nodiscard]] const SiteOrder& orderOf(const Request& request);
    [[nodiscard]] Shadow* globalShadow(u32 id, u64 address);
    [[nodiscard]] Shadow* shadowAt(Block& block, const Request& request, u64 address);
    void touch(const Request& request, Shadow& shadow);
    void check(Block& block, const Request& request, const SiteOrder& site, Shadow& shadow,
               u32 lanes);
    void checkLaunches(const Access& access, u32 lanes);
    void checkCopies(Block& block, const Access& access, u32 lanes);
    void passTime(Block& block);
    /// Of what was read before it was written: which line writes it before the block ends.
    void tellWhatIsWrittenLater(Block& block);
    /// Of what no thread writes: which elements those are, and which lines write the others.
    void tellWhatIsWritten(const Block& block, const Shadow& shadow, Finding& finding) const;
    [[nodiscard]] Finding findingAt(const Request& request, FindingKind kind, u32 lane) const;
    [[nodiscard]] std::string nameOf(u32 array) const;
    [[nodiscard]] static std::string elementOf(const AccessedBytes& accessed);
    [[nodiscard]] AccessedBytes accessedBy(const Access& access, u32 lane) const;
    /// Where the thread of the stamp may have been at the array, each line once; nothing where that
    /// is not kept.
    [[nodiscard]] std::vector<SourcePlace> placesOf(const Access& access, Stamp stamp,
                                                    bool writes) const;
    void findUnreached(u32 id, const Shadow& shadow);
    void findUnread(const Block& block, const Shadow& shadow);
    void addClue(u32 site, std::string words, std::optional<u32> otherSite = {});

    const Program& program_;
    std::function<std::string(u32)> nameOf_;
    u64 bytesLeft_;
    std::vector<Shadow> global_;  ///< by id
    std::vector<u32> tooLarge_;
    std::map<const BlockRun*, Block> blocks_;
    const BlockRun* current_ = nullptr;
    Block* currentBlock_ = nullptr;
    const GridRun* grid_ = nullptr;
    std::vector<SiteOrder> sites_;
    Stamp serial_ = 0;
    Stamp firstSerial_ = 1;             ///< of the launch
    std::vector<u64> ranks_;            ///< of the launch's first blocks, by serial
    bool isFenced_ = false;             ///< a fence was in this launch
    std::vector<bool> fencedBlocks_{};  ///< of which blocks
    Findings<u32> found_;               ///< by site
    std::string launchName_;
    std::vector<AtOnce> atOnce_;
    std::set<u32> refills_;  ///< sites of copies to what others may still read
    struct OfLaunch final {
        Finding finding;
        Stamp launch = 0;
        u64 read = 0;  ///< elements, of what is only read
    };
    std::vector<OfLaunch> unreached_;
    std::vector<Finding> clues_;
    /// Launches, and how many elements an array has that each stored to the whole of: the grid is
    /// as large as that problem, and of what it reads a part is meant (one plane of several).
    std::set<std::pair<Stamp, u64>> covered_;
    u64 reachedBefore_ = 0;  ///< bytes of arrays that are freed
    bool wasCut_ = false;
};

}  // namespace warplens::ptx::check
