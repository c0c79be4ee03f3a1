#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/trace/runtime/shadow_words.h"

/// The device's memory: arrays in slots of 64 GiB of addresses each, so that an index however wrong
/// still tells whose it is; the program's __device__ variables; shared memory.
namespace warplens::runtime {

enum class Space : std::uint8_t {
    device,  ///< cudaMalloc
    managed,
    pinned,
    symbol,  ///< a __device__ or __managed__ variable
    constant,
    shared,
    dynamic,  ///< extern __shared__
};

struct Array final {
    std::string name;
    std::string hostName;  ///< as given where it was allocated, or the symbol
    Space space = Space::device;
    std::uint64_t at = 0;
    std::uint64_t bytes = 0;
    bool live = true;
    bool open = false;  ///< the host touched it: kept readable
    std::string file;   ///< where it was allocated
    int line = 0;
    /// Of its type, as a kernel's pointer says, or as a shared one is declared; or 0.
    std::uint32_t elementAlignment = 0;
    std::uint32_t elementBytes = 0;  ///< as a kernel's pointer says, or as first accessed; or 0
    ZeroWords writers;               ///< shadow of words (races.h)
    ZeroWords readers;
    UnwrittenWords unwritten;          ///< none where that is not known
    std::uint32_t storesOfLaunch = 0;  ///< launch index + 1 of the last store
    std::uint32_t comparedAt = 0;      ///< the site of the last atomicCAS; 0 before that

    [[nodiscard]] bool isGlobal() const {
        return space != Space::shared && space != Space::dynamic && space != Space::constant;
    }
};

/// `a[12]`, and how many elements `a` has, where `bytes` are accessed at an address: by the
/// elements of the array, or by such as are accessed where these are not its parts.
[[nodiscard]] std::string elementText(const Array& array, std::uint64_t address,
                                      std::uint32_t bytes);
[[nodiscard]] std::uint64_t elementCount(const Array& array, std::uint32_t bytes);

[[nodiscard]] std::string nameOnHost(const Array& array);

inline constexpr std::uint32_t noArray = UINT32_MAX;

void setUpMemory();
/// The array whose slot or storage holds `address`; noArray for an address of nothing. It may lie
/// beyond the array's end.
[[nodiscard]] std::uint32_t arrayAt(std::uint64_t address);
[[nodiscard]] Array& arrayOf(std::uint32_t id);
[[nodiscard]] std::uint32_t arrayCount();
/// The array that a symbol's row stands for (tables.h).
[[nodiscard]] std::uint32_t arrayOfObject(const void* row);
[[nodiscard]] bool isInSharedMemory(std::uint64_t address);
[[nodiscard]] bool isInDeviceSlots(std::uint64_t address);
[[nodiscard]] bool isInProgram(std::uint64_t address);  ///< its code, constants and variables
/// Of the kernel that is launched. `object` is the row of its `extern __shared__` array; null for
/// none.
void setDynamicShared(std::uint64_t bytes, const void* object);
/// Shared memory of a block, to be put back later: for blocks that wait for one another.
[[nodiscard]] std::vector<std::uint8_t> copyOfSharedMemory();
void restoreSharedMemory(const std::vector<std::uint8_t>& copy);

/// Bytes beyond an array that a kernel touched are backed by empty pages, so that it can go on.
/// False where that was done too often.
[[nodiscard]] bool backWithPages(std::uint64_t address);

/// The device's arrays can be read and written while one of these lives: by kernels and by the
/// runtime's functions. Otherwise the host must not.
class DeviceMemoryOpen final {
  public:
    DeviceMemoryOpen();
    DeviceMemoryOpen(const DeviceMemoryOpen&) = delete;
    DeviceMemoryOpen& operator=(const DeviceMemoryOpen&) = delete;
    ~DeviceMemoryOpen();
};

/// From now on any of the arrays may have been written: parts of a launch are not looked at.
void forgetUnwritten();
void reportNeverFreed();
/// Whether kernels have taken memory for themselves.
[[nodiscard]] bool heapIsUsed();

}  // namespace warplens::runtime
