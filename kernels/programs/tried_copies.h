#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/program/remedies.h"
#include "kernels/programs/program_request.h"

namespace warplens {

/// What is kept of the run of a program's copy: its results are compared at once, and go.
struct TriedCopy final {
    ProgramTrace trace;
    std::string results;  ///< how they compare with the program's own, in words
    std::vector<std::string> written;
    std::uint64_t bytesReached = 0;
};

/// Shapes and pads are a search, and what is exchanged where: all of a kind are tried for the best.
[[nodiscard]] bool isSearch(std::string_view remedy);

/// Copies of a program with one text changed, each compiled and run once, however often it is asked
/// for. With processors enough some are run ahead of that, side by side.
class TriedCopies final {
  public:
    using Run = std::function<TriedCopy(const TriedRemedy& edit)>;
    /// A copy's compilation has about two processes that work at a time; one copy is run by who
    /// asks for it.
    [[nodiscard]] static unsigned workersHere();
    /// `run` is called from several threads at once. What is likely to be asked for, in its order,
    /// must outlive this; `workers` are the threads that run ahead.
    TriedCopies(Run run, const std::vector<RemedyCause>& causes, unsigned workers);
    TriedCopies(const TriedCopies&) = delete;
    TriedCopies& operator=(const TriedCopies&) = delete;
    /// Waits for what runs ahead, which `run` is to end then.
    ~TriedCopies();

    /// What running it gives, or throws.
    [[nodiscard]] std::shared_ptr<const TriedCopy> of(const TriedRemedy& edit);
    /// Of the causes before this one nothing is asked for any more.
    void comeTo(std::size_t cause);
    struct Count final {
        std::size_t left;  ///< that this cause and those behind it have, and were not run
        std::size_t of;    ///< with those that were
    };
    [[nodiscard]] Count count() const;

  private:
    using Key = std::string;
    struct Entry;
    void runAhead(const std::stop_token& ending);
    void fill(Entry& entry, const TriedRemedy& edit);
    [[nodiscard]] static Key keyOf(const TriedRemedy& edit);

    Run run_;
    const std::vector<RemedyCause>& causes_;
    mutable std::mutex mutex_;
    std::condition_variable isFilled_;
    std::map<Key, std::unique_ptr<Entry>> known_;
    std::size_t cause_ = 0;
    std::vector<std::jthread> workers_;
};

}  // namespace warplens
