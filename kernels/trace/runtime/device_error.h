#pragma once

namespace warplens::runtime {

/// The error that the next call of the CUDA runtime returns. A sticky one stays, as after a fault.
void setDeviceError(int error, bool sticky);
[[nodiscard]] bool deviceErrorIsSticky();

}  // namespace warplens::runtime
