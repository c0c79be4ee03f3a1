#pragma once

#include <string>
#include <string_view>

#include "tests/soak/payloads.h"

namespace warplens::window::soak {

/// Draws commands of every kind that there is, each as likely; now and then one kind several times
/// in a row, as a drag does.
class RandomCommands final {
  public:
    explicit RandomCommands(std::uint64_t seed) : payloads_(seed) {}

    [[nodiscard]] Command next(const AppState& state);
    [[nodiscard]] Payloads& payloads() { return payloads_; }

  private:
    Payloads payloads_;
    std::size_t kind_ = 0;
    std::int64_t again_ = 0;  ///< times that this kind still comes
};

/// `SetBlock`.
[[nodiscard]] std::string_view nameOf(const Command& command);
/// With what it carries, as far as that is short: `SetBlock 32,8`.
[[nodiscard]] std::string inWords(const Command& command);

}  // namespace warplens::window::soak
