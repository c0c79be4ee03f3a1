#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/turns/byte_locks.h"
#include "kernels/turns/notices.h"
#include "kernels/turns/turn_queue.h"

namespace warplens {

/// One place in a queue, held as long as this lives.
class Place final {
  public:
    /// Takes the place behind all there are. Throws std::runtime_error where the queue's file
    /// cannot be had or its entry stays shut.
    Place(const std::string& device, const std::vector<std::filesystem::path>& folders,
          const TurnLimits& limits);
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place();

    /// Whether it is this one's turn: all that are before have gone, or stand still.
    [[nodiscard]] bool isNext();
    /// Places before this one, those that stand still left out.
    [[nodiscard]] PlaceInQueue place() const;
    [[nodiscard]] bool hasFollowers() const;
    /// The file is still the one that newcomers find.
    [[nodiscard]] bool isCurrent() const { return file_.isCurrent(); }
    [[nodiscard]] const std::vector<std::string>& passedOver() const { return passedOver_; }
    [[nodiscard]] const Notices& notices() const { return notices_; }

    /// Says that its owner lives.
    void sayAlive(std::optional<TurnClock::time_point> begun) const;

  private:
    [[nodiscard]] bool standsStill(std::int64_t ticket);
    [[nodiscard]] std::optional<std::int64_t> lowestBefore() const;

    TurnLimits limits_;
    QueueFile file_;
    ByteLocks locks_;
    Notices notices_;
    std::int64_t ticket_ = 0;
    std::set<std::int64_t> still_;
    std::vector<std::string> passedOver_;
    std::int64_t watched_ = 0;  ///< the lowest before this one
    TurnClock::time_point watchedSince_{};
};

/// Places taken in the queue of this device now; 0 where there is no queue.
[[nodiscard]] std::size_t placesTaken(const std::string& device,
                                      const std::vector<std::filesystem::path>& folders);

}  // namespace warplens
