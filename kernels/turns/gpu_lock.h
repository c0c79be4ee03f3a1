#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplens {

/// The file through which the programs of one machine, whatever their accounts, agree about one
/// GPU. It is empty of meaning when nobody has it open, and is left where it is: it costs nothing,
/// and taking it away from under others would cost the order.
class LockFile final {
  public:
    /// Opens it, or makes it, in the first of the folders that everybody may write to (sticky, as
    /// /tmp). Refused are links, files with several names, and anything but a plain file: whoever
    /// may write to the folder may put them there. Throws std::runtime_error, saying what is in the
    /// way and whose it is.
    LockFile(std::string_view name, const std::vector<std::filesystem::path>& folders);
    LockFile(LockFile&& other) noexcept;
    LockFile& operator=(LockFile&& other) noexcept;
    ~LockFile();

    [[nodiscard]] int descriptor() const { return descriptor_; }
    /// It is still the one that others find under its name.
    [[nodiscard]] bool isCurrent() const;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    int descriptor_ = -1;
};

/// Where programs of one machine meet: the folder that WARPLENS_TURNS names, if it is set (such as
/// one that containers share); else /dev/shm, then /tmp.
[[nodiscard]] std::vector<std::filesystem::path> lockFolders();

/// `anna`, or `account 1001` where it has no name here.
[[nodiscard]] std::string accountName(unsigned id);

/// Locks on single bytes of a file that need not be there: open file description locks (fcntl(2),
/// F_OFD_SETLK), which the system lets go of when the last descriptor is closed, however its
/// process ended, and which processes of different accounts see alike. Nothing here waits.
class ByteLocks final {
  public:
    /// `file` is open for reading and writing and outlives this.
    explicit ByteLocks(int file) : file_(file) {}

    /// False where somebody else has it, or where the system gives no locks on this file.
    [[nodiscard]] bool take(std::int64_t byte) const;
    void release(std::int64_t byte) const;

    /// The lowest byte of [from, to] that somebody else has locked. As a rule two system calls.
    [[nodiscard]] std::optional<std::int64_t> lowest(std::int64_t from, std::int64_t to) const;
    /// The highest one from `from` on.
    [[nodiscard]] std::optional<std::int64_t> highest(std::int64_t from) const;

  private:
    int file_;
};

class WatchedLine;

/// How long those in a queue wait for one another.
struct LockLimits final {
    /// Who has said nothing for so long stands still and is passed over. Signs of life come eight
    /// times as often, from a thread of their own.
    std::chrono::milliseconds silence{4'000};
    /// What takes longer has hung.
    std::chrono::milliseconds longest{120'000};
    /// To get a place in the queue, which takes microseconds.
    std::chrono::milliseconds entry{2'000};
};

/// How many are to go first, and how long that takes if they are as quick as those of late.
struct PlaceInQueue final {
    std::size_t before = 0;
    std::optional<std::chrono::milliseconds> about{};
    friend bool operator==(const PlaceInQueue&, const PlaceInQueue&) = default;
};

/// `3 before you, about 2 s`.
[[nodiscard]] std::string inWords(const PlaceInQueue& place);

/// One turn on a GPU, or the leave to go on without; ends with it, and with the process in any
/// case.
class GpuLock final {
  public:
    /// Outside any queue.
    GpuLock();
    GpuLock(GpuLock&&) noexcept;
    GpuLock& operator=(GpuLock&&) noexcept;
    ~GpuLock();

    /// Why this is no turn in order: there is no queue on this machine. Empty where it is one.
    [[nodiscard]] const std::string& outOfOrder() const;
    /// Those who kept the turn before and stood still, as in `process 4711 of anna`.
    [[nodiscard]] const std::vector<std::string>& passedOver() const;
    /// This process stood still in its turn for so long that the others may have gone on.
    [[nodiscard]] bool wasPassedOver() const;
    /// Others wait.
    [[nodiscard]] bool isAwaited() const;

    /// Somebody outside the queue was waited for in vain, a moment ago: the counters were held.
    /// Kept for all, so that not everyone waits.
    [[nodiscard]] bool countersWereBusy() const;
    void noteCounters(bool busy) const;

  private:
    friend class GpuQueue;
    struct State;
    explicit GpuLock(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// The queue for one GPU of this machine. Turns come in the order of asking, whatever the accounts.
/// A place is a lock of the system on a file in a folder that everybody may write to: it goes with
/// its process, there is nobody to ask and nothing to set up. Whoever holds a place against the
/// rules, or writes nonsense into the file, costs the others a wait as long as the limits, and the
/// order.
class GpuQueue final {
  public:
    /// `device` is letters, digits and dashes, such as a GPU's UUID. `watched` (may be null) leads
    /// to who ends this process when it stands still in its turn; it outlives the locks.
    explicit GpuQueue(std::string device, const WatchedLine* watched = nullptr,
                      LockLimits limits = {},
                      std::vector<std::filesystem::path> folders = lockFolders());

    /// Waits for the turn; `report` is told the place when it is taken and whenever it
    /// changed. Empty
    /// when `stop` was asked for, at once. Where no queue can be had the turn says so
    /// (GpuLock::outOfOrder) and nobody waits.
    [[nodiscard]] std::optional<GpuLock> wait(
        const std::function<void(const PlaceInQueue&)>& report, std::stop_token stop) const;

    /// How many have a place now.
    [[nodiscard]] std::size_t count() const;

  private:
    std::string device_;
    const WatchedLine* watched_;
    LockLimits limits_;
    std::vector<std::filesystem::path> folders_;
};

/// What a process that measures says to the one that watches it: how long its silence, and its
/// turn, may last.
class WatchedLine final {
  public:
    /// Of a process that nobody watches.
    WatchedLine() = default;
    explicit WatchedLine(int connection) : connection_(connection) {}

    /// From now on until `end`: no sign of life for `silence`, or no end for `longest`, is death.
    void begin(std::chrono::milliseconds silence, std::chrono::milliseconds longest) const;
    void sayAlive() const;
    void end() const;

  private:
    int connection_ = -1;
};

/// The other end: knows when the watched process stands still, stopped or hung in a call to the
/// driver, while others wait for it.
class Watchdog final {
  public:
    Watchdog() = default;
    /// `connection` is this end of `connections`.
    explicit Watchdog(int connection) : connection_(connection) {}

    /// A pair of descriptors, closed on exec: of the line and of the watchdog. Throws
    /// std::system_error.
    [[nodiscard]] static std::pair<int, int> connections();

    /// To be polled for input; -1 where nothing is watched.
    [[nodiscard]] int descriptor() const { return connection_; }
    /// Takes what was said. False where the other end is closed.
    bool read();
    /// How long until the watched process is late; nothing while it has no turn. 0: it is.
    [[nodiscard]] std::optional<std::chrono::milliseconds> timeLeft() const;

  private:
    using Clock = std::chrono::steady_clock;

    int connection_ = -1;
    std::optional<Clock::time_point> lastSign_;
    Clock::time_point until_{};
    std::chrono::milliseconds silence_{};
};

/// Machine-wide, and it stands still while the machine sleeps.
using LockClock = std::chrono::steady_clock;

/// What the owner of a place in the queue says about itself.
struct Heartbeat final {
    std::int64_t ticket = 0;
    std::int64_t alive = 0;  ///< nanoseconds of LockClock when it last said so
    std::int64_t begun = 0;  ///< when its turn began; 0 while it waits
    std::uint32_t process = 0;
    std::uint32_t account = 0;
};

/// What those in a queue write into its file for one another. Anybody may write anything there, so
/// none of it is relied on: at the worst, places are passed over or estimates are wrong.
class Heartbeats final {
  public:
    /// `file` is open for reading and writing and outlives this.
    explicit Heartbeats(int file) : file_(file) {}

    void write(const Heartbeat& notice) const;
    /// Nothing where this ticket's owner has written none, or where it is of a time to come.
    [[nodiscard]] std::optional<Heartbeat> read(std::int64_t ticket) const;

    /// How long turns take of late; nothing before the first.
    [[nodiscard]] std::optional<std::chrono::nanoseconds> usualTime() const;
    void addTime(std::chrono::nanoseconds duration) const;

    /// When somebody last waited for the counters in vain; nothing where they were had since.
    [[nodiscard]] std::optional<LockClock::time_point> countersBusy() const;
    void setCountersBusy(bool busy) const;

  private:
    int file_;
};

/// One place in a queue, held as long as this lives.
class Ticket final {
  public:
    /// Takes the place behind all there are. Throws std::runtime_error where the queue's file
    /// cannot be had or its entry stays shut.
    Ticket(const std::string& device, const std::vector<std::filesystem::path>& folders,
           const LockLimits& limits);
    Ticket(Ticket&&) = delete;
    ~Ticket();

    /// Whether it is this one's turn: all that are before have gone, or stand still.
    [[nodiscard]] bool isNext();
    /// Places before this one, those that stand still left out.
    [[nodiscard]] PlaceInQueue place() const;
    [[nodiscard]] bool hasFollowers() const;
    /// The file is still the one that newcomers find.
    [[nodiscard]] bool isCurrent() const { return file_.isCurrent(); }
    [[nodiscard]] const std::vector<std::string>& passedOver() const { return passedOver_; }
    [[nodiscard]] const Heartbeats& heartbeats() const { return heartbeats_; }

    /// Says that its owner lives.
    void sayAlive(std::optional<LockClock::time_point> begun) const;

  private:
    [[nodiscard]] bool standsStill(std::int64_t ticket);
    [[nodiscard]] std::optional<std::int64_t> lowestBefore() const;

    LockLimits limits_;
    LockFile file_;
    ByteLocks locks_;
    Heartbeats heartbeats_;
    std::int64_t ticket_ = 0;
    std::set<std::int64_t> still_;
    std::vector<std::string> passedOver_;
    std::int64_t watched_ = 0;  ///< the lowest before this one
    LockClock::time_point watchedSince_{};
};

}  // namespace warplens
