#pragma once

#include "kernels/ptx/run/step.h"

namespace warplens::ptx {

// Steps that no instruction stands for alone.
[[nodiscard]] Handler reconvergeHandler();  ///< lanes that went different ways meet
[[nodiscard]] Handler guardOnHandler();  ///< only lanes of predicate a go on; jump: behind guardOff
[[nodiscard]] Handler guardOffHandler();
[[nodiscard]] Handler endHandler(bool isKernel);  ///< behind a function's last instruction
[[nodiscard]] Handler notKnownHandler();          ///< more: a string that says what is not there
[[nodiscard]] Handler branchAroundHandler();  ///< lanes for which predicate a does not hold meet
                                              ///< the others behind; jump: where
[[nodiscard]] Handler endAroundHandler();     ///< likewise, but nobody comes to meet them
[[nodiscard]] Handler stopHandler();          ///< nothing comes behind
[[nodiscard]] Handler
localAddressHandler();  ///< d: of the function's local memory, plus the immediate; mode: its bytes
[[nodiscard]] Handler widenHandler();   ///< 32 bits become 64
[[nodiscard]] Handler narrowHandler();  ///< and 64 the lower 32

}  // namespace warplens::ptx
