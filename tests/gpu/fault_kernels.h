#pragma once

#include <cstddef>

/// Faults of the device. Those that the device notices throw CudaError.
namespace warplens::tests {

/// Writes to an address that belongs to nothing.
void touchIllegalAddress();

/// Does not end while this process lives.
void hangOnDevice();

/// Asks for all of the device's memory, of which the context has taken some.
void exhaustMemory();

/// Holds the device's free memory for as long as this process lives, in pieces of 256 MiB: from
/// `leftBytes` to one piece more is left.
void holdMemory(std::size_t leftBytes);

}  // namespace warplens::tests
