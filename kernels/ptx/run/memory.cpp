#include "kernels/ptx/run/memory.h"

#include <algorithm>
#include <cstring>
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
    if (bytes > capacity_ - used_) return nullptr;
    const bool isNew = slots <= (lastAddress - nextAddress_) / slotBytes;
    const std::uint64_t address = isNew ? nextAddress_ : slots == 1 ? freedSlot() : 0;
    std::byte* data = address == 0 ? nullptr : make(address, bytes);
    if (data == nullptr) return nullptr;
    if (isNew) nextAddress_ += slots * slotBytes;
    Allocation& made = allocations_[address];
    made = {.address = address,
            .bytes = bytes,
            .data = data,
            .id = nextId_++,
            .kind = kind,
            .name = std::move(name)};
    made.isVariable = !made.name.empty();
    return &made;
}

/// The slot that was freed first and is still free; 0 where there is none.
std::uint64_t Memory::freedSlot() {
    while (!freedSlots_.empty()) {
        const std::uint64_t address = freedSlots_.front();
        freedSlots_.pop_front();
        const auto old = allocations_.find(address);
        if (old != allocations_.end() && old->second.freed) return address;
    }
    return 0;
}

/// Zeroed bytes of its own for the array at `address`, counted; null where there is no memory.
/// Aligned as on the device, which the sums of 8-byte atomics need.
std::byte* Memory::make(std::uint64_t address, std::uint64_t bytes) {
    std::unique_ptr<std::byte[]> data(new (std::nothrow) std::byte[bytes + alignment]{});
    if (!data) return nullptr;
    void* start = data.get();
    std::size_t space = bytes + alignment;
    std::align(alignment, bytes, start, space);
    owned_[address] = std::move(data);
    used_ += bytes;
    return static_cast<std::byte*>(start);
}

Allocation* Memory::adopt(std::uint64_t address, std::byte* data, std::uint64_t bytes,
                          Allocation::Kind kind, std::string variable) {
    // What was freed there is forgotten.
    for (auto at = allocations_.begin(); at != allocations_.end();) {
        const Allocation& old = at->second;
        const bool overlaps = old.address < address + bytes && address < old.address + old.bytes;
        at = old.freed && overlaps ? allocations_.erase(at) : std::next(at);
    }
    Allocation& made = allocations_[address];
    made = {.address = address,
            .bytes = bytes,
            .data = data,
            .id = nextId_++,
            .kind = kind,
            .name = std::move(variable)};
    made.isVariable = !made.name.empty();
    return &made;
}

bool Memory::release(std::uint64_t address) {
    const auto found = allocations_.find(address);
    if (found == allocations_.end() || found->second.freed) return false;
    found->second.freed = true;
    if (owned_.erase(address) != 0) {
        used_ -= found->second.bytes;
        if (found->second.bytes < slotBytes) freedSlots_.push_back(address);
    }
    found->second.data = nullptr;
    return true;
}

const Allocation* Memory::find(std::uint64_t address) const {
    const Allocation* candidate = nearest(address);
    return candidate && candidate->holds(address) ? candidate : nullptr;
}

const Allocation* Memory::nearest(std::uint64_t address) const {
    const auto after = allocations_.upper_bound(address);
    if (after == allocations_.begin())
        return after == allocations_.end() ? nullptr : &after->second;
    const Allocation& before = std::prev(after)->second;
    if (after == allocations_.end() || before.holds(address)) return &before;
    return after->first - address < address - before.address - before.bytes ? &after->second
                                                                            : &before;
}

const Allocation* Memory::variable(std::string_view name) const {
    for (const auto& [address, array] : allocations_) {
        if (array.name == name && !array.freed) return &array;
    }
    return nullptr;
}

void Memory::describe(std::uint64_t address, std::string name, std::uint32_t elementAlignment) {
    const auto found = allocations_.find(address);
    if (found == allocations_.end()) return;
    found->second.name = std::move(name);
    found->second.elementAlignment = elementAlignment;
}

void Memory::save(Snapshot& snapshot) const {
    auto room = std::exchange(snapshot.bytes, {});
    for (const auto& [address, array] : allocations_) {
        if (array.freed) continue;
        const auto old = snapshot.allocations.find(address);
        const auto kept = room.find(address);
        const bool fits = kept != room.end() && old != snapshot.allocations.end() &&
                          old->second.bytes == array.bytes;
        auto& bytes = snapshot.bytes[address];
        bytes = fits ? std::move(kept->second)
                     : std::unique_ptr<std::byte[]>(new std::byte[array.bytes]);
        std::memcpy(bytes.get(), array.data, array.bytes);
    }
    snapshot.allocations = allocations_;
    snapshot.owned.clear();
}

void Memory::exchange(Snapshot& snapshot) {
    std::map<std::uint64_t, Allocation> there = std::exchange(snapshot.allocations, allocations_);
    auto saved = std::exchange(snapshot.bytes, {});
    auto owned = std::exchange(snapshot.owned, {});
    for (auto& [address, here] : allocations_) {
        const auto was = there.find(address);
        const bool isThere = was != there.end() && !was->second.freed;
        if (!here.freed && isThere) {
            std::swap_ranges(here.data, here.data + here.bytes, saved.at(address).get());
            snapshot.bytes[address] = std::move(saved.at(address));
        } else if (!here.freed && owned_.contains(address)) {
            snapshot.owned[address] = std::move(owned_.extract(address).mapped());
            used_ -= here.bytes;
        }
    }
    // What was freed, or is in the snapshot only, comes back.
    for (auto& [address, array] : there) {
        const auto now = allocations_.find(address);
        if (array.freed || (now != allocations_.end() && !now->second.freed)) continue;
        if (const auto kept = owned.find(address); kept != owned.end()) {
            owned_[address] = std::move(kept->second);
            used_ += array.bytes;
        } else if (std::byte* data = make(address, array.bytes)) {
            std::memcpy(data, saved.at(address).get(), array.bytes);
            array.data = data;
        } else {
            array.freed = true;
        }
    }
    allocations_ = std::move(there);
}

}  // namespace warplens::ptx
