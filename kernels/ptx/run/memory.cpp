#include "kernels/ptx/run/memory.h"

#include <new>
#include <utility>

namespace warplens::ptx {
namespace {

constexpr std::uint64_t slotBytes = 1ull << 36;
constexpr std::uint64_t lastAddress = 1ull << 55;  // below the windows
constexpr std::uint64_t alignment = 512;

}  // namespace

Allocation* Memory::allocate(std::uint64_t bytes, Allocation::Kind kind, std::string name) {
    const std::uint64_t slots = bytes / slotBytes + 1;
    if (bytes > capacity_ - used_ || slots > (lastAddress - nextAddress_) / slotBytes) return nullptr;
    // Aligned here, too, which the sums of 8-byte atomics need.
    std::unique_ptr<std::byte[]> data(new (std::nothrow) std::byte[bytes + alignment]{});
    if (!data) return nullptr;
    void* start = data.get();
    std::size_t space = bytes + alignment;
    std::align(alignment, bytes, start, space);
    const std::uint64_t address = std::exchange(nextAddress_, nextAddress_ + slots * slotBytes);
    owned_[address] = std::move(data);
    used_ += bytes;
    Allocation& made = allocations_[address];
    made = {.address = address, .bytes = bytes, .data = static_cast<std::byte*>(start), .id = nextId_++, .kind = kind,
            .name = std::move(name)};
    return &made;
}

Allocation* Memory::adopt(std::uint64_t address, std::byte* data, std::uint64_t bytes,
                          Allocation::Kind kind) {
    Allocation& made = allocations_[address];
    made = {.address = address, .bytes = bytes, .data = data, .id = nextId_++, .kind = kind};
    return &made;
}

bool Memory::release(std::uint64_t address) {
    const auto found = allocations_.find(address);
    if (found == allocations_.end() || found->second.freed) return false;
    found->second.freed = true;
    if (owned_.erase(address) != 0) used_ -= found->second.bytes;
    found->second.data = nullptr;
    return true;
}

const Allocation* Memory::find(std::uint64_t address) const {
    const Allocation* candidate = before(address);
    return candidate && candidate->holds(address) ? candidate : nullptr;
}

const Allocation* Memory::before(std::uint64_t address) const {
    const auto after = allocations_.upper_bound(address);
    return after == allocations_.begin() ? nullptr : &std::prev(after)->second;
}

}  // namespace warplens::ptx
