#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/programs/runtime_api/abi.h"
#include "kernels/ptx/check/faults.h"
#include "kernels/ptx/run/memory.h"
#include "kernels/ptx/run/program.h"

namespace warplens::programs {

/// A `__global__` function as the host knows it: by the address of its stub.
struct HostKernel final {
    std::string name;  ///< mangled
    int maxDynamicSharedBytes = 48 << 10;
};

/// A `__device__`, `__constant__` or `__managed__` variable as the host knows it.
struct HostVariable final {
    std::string name;  ///< as in PTX
    std::size_t bytes = 0;
};

/// The device that the program thinks it has: memory, code, and the error that is pending.
/// RuntimeDevice memory has addresses that the host cannot use; managed and pinned memory is where
/// the host sees it. CUDA's calls may come from any of the program's threads: `lock` is held while
/// one runs.
class RuntimeDevice final {
  public:
    [[nodiscard]] static RuntimeDevice& instance();

    void addModule(std::vector<std::string> texts);
    /// Of modules that the program loads by itself, as it runs: an error where one cannot be read,
    /// or has what another one calls by the same name.
    [[nodiscard]] cuda::Error load(std::vector<std::string> texts);
    void addKernel(const void* stub, const char* name) { kernels_[stub] = {name}; }
    void addVariable(const void* shadow, const char* name, std::size_t bytes) {
        variables_[shadow] = {name, bytes};
    }
    /// Managed memory of that name, where the host may use it at once.
    [[nodiscard]] void* addManagedVariable(const void* shadow, const char* name, std::size_t bytes);

    [[nodiscard]] HostKernel* kernel(const void* stub);
    [[nodiscard]] const ptx::Allocation* variable(const void* shadow, std::size_t* bytes = nullptr);
    /// All that the host knows, as far as there is code that has them.
    [[nodiscard]] std::vector<const ptx::Allocation*> variables();
    /// The optimised code, and what `-G` makes of the same; the second may have nothing in it.
    [[nodiscard]] ptx::Program& compiled();
    [[nodiscard]] ptx::Program& source();
    [[nodiscard]] ptx::Memory& memory() { return memory_; }

    /// The host wrote to these bytes of an array; whether they are others now.
    void noteWritten(std::uint64_t address, std::uint64_t bytes, bool changes = true) {
        faults_.markWritten(address, bytes);
        changes_ += changes ? 1 : 0;
    }
    /// Grows with all that changes the device's memory, but for what the host writes to memory that
    /// it shares.
    [[nodiscard]] std::uint64_t changes() const { return changes_; }
    void noteChange() { ++changes_; }

    /// The program has got a result by a copy: what its arrays hold at the end is none.
    void noteCopied() { hasCopied_ = true; }

    /// What is wrong with the kernels' code as it is written, over all launches.
    [[nodiscard]] ptx::check::Faults& faults() { return faults_; }

    /// Array of the device; null where there is no memory.
    [[nodiscard]] void* allocate(std::size_t bytes);
    /// Array in the host's address space; null where there is no memory. Never at an address that
    /// was used before.
    [[nodiscard]] void* allocateOnHost(std::size_t bytes, ptx::Allocation::Kind kind,
                                       std::string variable = {});
    [[nodiscard]] bool release(std::uint64_t address);
    /// The program ends where a person would end it: what it would free then is not missed.
    void endEarly() { made_.clear(); }
    /// Whether allocateOnHost made the array there.
    [[nodiscard]] bool isMapped(std::uint64_t address) const { return onHost_.contains(address); }

    /// The error stays pending for cudaGetLastError; a sticky one ends what the device can do.
    cuda::Error fail(cuda::Error error, bool isSticky = false);
    [[nodiscard]] cuda::Error takeError();
    [[nodiscard]] cuda::Error pendingError() const { return isLost_ ? lost_ : pending_; }
    [[nodiscard]] cuda::Error lost() const { return isLost_ ? lost_ : cuda::success; }

  private:
    RuntimeDevice();
    void load();

    ptx::Memory memory_;
    ptx::Program compiled_{memory_};
    ptx::Program source_{memory_};
    std::vector<std::string> waiting_;  ///< texts that are not read yet
    std::set<std::string> loaded_;      ///< by the program itself
    bool hasSource_ = false;
    std::map<const void*, HostKernel> kernels_;
    std::map<const void*, HostVariable> variables_;
    void finish();
    void keepPlace(std::uint64_t address);
    void sendContents(std::uint64_t address);
    bool hasCopied_ = false;
    std::uint64_t changes_ = 0;

    std::map<std::uint64_t, std::size_t> onHost_;
    std::map<std::uint64_t, std::vector<std::uint64_t>> made_;  ///< calls that made arrays
    ptx::check::Faults faults_{source_};
    cuda::Error pending_ = cuda::success;
    cuda::Error lost_ = cuda::success;
    bool isLost_ = false;
};

/// What each call of CUDA's begins with, and ends with (in_flight.h).
class DeviceCall final {
  public:
    DeviceCall();
    DeviceCall(const DeviceCall&) = delete;
    DeviceCall& operator=(const DeviceCall&) = delete;
    ~DeviceCall();

  private:
    std::unique_lock<std::recursive_mutex> lock_;
};
[[nodiscard]] inline DeviceCall lockDevice() {
    return {};
}
/// How a call of CUDA's ends that fails: the error stays pending.
inline cuda::Error fail(cuda::Error error) {
    const auto lock = lockDevice();
    return RuntimeDevice::instance().fail(error);
}
/// How a call ends that gives its caller a value; success is 0 in NVIDIA's libraries, too.
template <class T>
cuda::Error give(T* to, std::type_identity_t<T> value) {
    *to = std::move(value);
    return cuda::success;
}
/// Waits for 10 ms, in which the program's other threads may call.
void letOthersCall();

}  // namespace warplens::programs
