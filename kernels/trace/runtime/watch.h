#pragma once

namespace warplens::runtime {

/// Signals of the program: faults in kernels and on the host become findings, and so do threads
/// that never end.
void watchSignals();
/// A block begins: its threads have their time from `now` on, as cpuSeconds() has it.
void beginWatchedBlock(double now);

}  // namespace warplens::runtime
