#pragma once

#include <csignal>

namespace warplens {

/// While it lives the first Ctrl-C is only noted; a second one ends the program. One at a time.
class InterruptNoted final {
  public:
    InterruptNoted();
    InterruptNoted(const InterruptNoted&) = delete;
    InterruptNoted& operator=(const InterruptNoted&) = delete;
    ~InterruptNoted();

    [[nodiscard]] static bool happened();

  private:
    struct sigaction before_ {};
};

}  // namespace warplens
