#pragma once

namespace warplens::runtime {

/// From here on this process starts no others; threads it may start. A limit of their number
/// (RLIMIT_NPROC) would not hold the superuser, and many of them bring the whole machine to a
/// standstill before anybody can count them.
void startNoProcesses();

}  // namespace warplens::runtime
