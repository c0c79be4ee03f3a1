#pragma once

#include <optional>

#include "kernels/programs/runtime_api/device.h"

namespace warplens::programs {

/// `<<<grid, block, dynamicSharedBytes>>>` of a kernel by its stub.
struct HostLaunch final {
    const void* stub = nullptr;
    cuda::Dim3 grid;
    cuda::Dim3 block;
    std::size_t dynamicSharedBytes = 0;
    bool isCooperative = false;
    cuda::Dim3 cluster{};  ///< blocks; 1: as the kernel itself says
    cuda::Stream stream = nullptr;
};

/// While a graph is launched, the stream that it is launched in.
[[nodiscard]] std::optional<cuda::Stream>& streamOfGraph();
/// Runs a kernel: its optimised PTX on the device's memory, and from a copy of that memory as it
/// was before what `-G` made of it, whose results are only compared. Both are counted and sent. The
/// error that the call returns; what the kernel itself does wrong is pending afterwards.
[[nodiscard]] cuda::Error launch(const HostLaunch& launch, void** arguments);

/// Launches wait where their blocks do, for what the host or another launch writes, and the call
/// that launched them returns. Lets each go on as far as it comes; whether any waits then.
bool resumeLaunches();
/// Those of the stream, or all, are to be done now; what still waits is told not to end.
void waitForLaunches(std::optional<cuda::Stream> stream = std::nullopt);
/// Says what was not run. Once, however often it is called.
void finishLaunching();

}  // namespace warplens::programs
