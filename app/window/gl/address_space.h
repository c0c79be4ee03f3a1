#pragma once

namespace warplens::window {

/// Throws WindowUnavailable where this process may address less memory than a driver takes that
/// draws on the processor (`ulimit -v`): Mesa's ends the program then, or writes where it must not.
void requireAddressSpace();

}  // namespace warplens::window
