#include "kernels/ptx/run/memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace warplens::ptx {
namespace {

constexpr u64 slotBytes = 1ull << 36;
constexpr u64 lastAddress = 1ull << 55;  // below the windows
constexpr u64 alignment = 512;

}  // namespace

Allocation* Memory::add(u64 address, std::byte* data, u64 bytes, Allocation::Kind kind,
                        std::string name) {
    const bool isVariable = !name.empty();
    Allocation& made = allocations_[address];
    made = {.address = address,
            .bytes = bytes,
            .data = data,
            .id = nextId_++,
            .kind = kind,
            .name = std::move(name),
            .isVariable = isVariable};
    return &made;
}

Allocation* Memory::allocate(u64 bytes, Allocation::Kind kind, std::string name) {
    const u64 slots = bytes / slotBytes + 1;
    if (bytes > capacity_ - used_) return nullptr;
    const bool isNew = slots <= (lastAddress - nextAddress_) / slotBytes;
    const u64 address = isNew ? nextAddress_ : slots == 1 ? freedSlot() : 0;
    std::byte* data = address == 0 ? nullptr : make(address, bytes);
    if (data == nullptr) return nullptr;
    if (isNew) nextAddress_ += slots * slotBytes;
    return add(address, data, bytes, kind, std::move(name));
}

/// The slot that was freed first and is still free; 0 where there is none.
u64 Memory::freedSlot() {
    while (!freedSlots_.empty()) {
        const u64 address = freedSlots_.front();
        freedSlots_.pop_front();
        const auto old = allocations_.find(address);
        if (old != allocations_.end() && old->second.freed) return address;
    }
    return 0;
}

/// Zeroed bytes of its own for the array at `address`, counted; null where there is no memory.
/// Aligned as on the device, which the sums of 8-byte atomics need.
std::byte* Memory::make(u64 address, u64 bytes) {
    // Pages that nobody uses cost nothing.
    Bytes data(static_cast<std::byte*>(std::calloc(bytes + alignment, 1)),
               [](std::byte* made) { std::free(made); });
    if (!data) return nullptr;
    void* start = data.get();
    std::size_t space = bytes + alignment;
    std::align(alignment, bytes, start, space);
    owned_.insert_or_assign(address, std::move(data));
    used_ += bytes;
    return static_cast<std::byte*>(start);
}

Allocation* Memory::adopt(u64 address, std::byte* data, u64 bytes, Allocation::Kind kind,
                          std::string variable) {
    // What was freed there is forgotten.
    for (auto at = allocations_.begin(); at != allocations_.end();) {
        const Allocation& old = at->second;
        const bool overlaps = old.address < address + bytes && address < old.address + old.bytes;
        at = old.freed && overlaps ? allocations_.erase(at) : std::next(at);
    }
    return add(address, data, bytes, kind, std::move(variable));
}

bool Memory::release(u64 address) {
    const auto found = allocations_.find(address);
    if (found == allocations_.end() || found->second.freed) return false;
    for (u64 at = 0; !saved_.empty() && at * pieceBytes < found->second.bytes; ++at)
        willWrite(found->second, at);
    found->second.freed = true;
    if (owned_.erase(address) != 0) {
        used_ -= found->second.bytes;
        if (found->second.bytes < slotBytes) freedSlots_.push_back(address);
    }
    found->second.data = nullptr;
    return true;
}

const Allocation* Memory::find(u64 address) const {
    const Allocation* candidate = nearest(address);
    return candidate && candidate->holds(address) ? candidate : nullptr;
}

const Allocation* Memory::nearest(u64 address) const {
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

void Memory::describe(u64 address, std::string name, u32 elementAlignment, u64 stretch) {
    const auto found = allocations_.find(address);
    if (found == allocations_.end()) return;
    found->second.name = std::move(name);
    found->second.elementAlignment = elementAlignment;
    found->second.stretch = stretch;
}

void Memory::save(Snapshot& snapshot) {
    snapshot.pieces_.clear();
    snapshot.owned_.clear();
    snapshot.allocations_ = allocations_;
    if (std::exchange(snapshot.memory_, this) == nullptr) saved_.push_back(&snapshot);
}

Memory::Snapshot::~Snapshot() {
    if (memory_ != nullptr) std::erase(memory_->saved_, this);
}

bool Memory::Snapshot::has(const Allocation& array) const {
    const auto was = allocations_.find(array.address);
    return was != allocations_.end() && was->second.id == array.id && !was->second.freed;
}

std::vector<std::byte> Memory::Snapshot::bytesOf(const Allocation& array) const {
    if (!has(array)) return {};
    std::vector<std::byte> all(array.data, array.data + array.bytes);
    forEachPiece(array, [&](u64 at, const std::byte* bytes, u64 count) {
        std::copy_n(bytes, count, all.begin() + static_cast<std::ptrdiff_t>(at));
    });
    return all;
}

void Memory::willWrite(const Allocation& array, u64 piece) {
    const std::lock_guard lock(savedMutex_);
    for (Snapshot* snapshot : saved_) {
        if (!snapshot->has(array)) continue;
        Snapshot::Pieces& pieces = snapshot->pieces_[array.address];
        pieces.resize((array.bytes + pieceBytes - 1) / pieceBytes);
        if (pieces.at(piece)) continue;
        const u64 count = Snapshot::sizeOf(array, piece);
        pieces[piece].reset(new std::byte[count]);
        std::memcpy(pieces[piece].get(), array.data + piece * pieceBytes, count);
    }
}

void Memory::exchange(Snapshot& snapshot) {
    std::map<u64, Allocation> there = std::exchange(snapshot.allocations_, allocations_);
    auto saved = std::exchange(snapshot.pieces_, {});
    auto owned = std::exchange(snapshot.owned_, {});
    for (auto& [address, here] : allocations_) {
        const auto was = there.find(address);
        const bool isThere = was != there.end() && !was->second.freed;
        if (!here.freed && isThere) {
            const auto written = saved.find(address);
            if (written == saved.end()) continue;
            for (u64 at = 0; at < written->second.size(); ++at) {
                std::byte* bytes = written->second[at].get();
                if (bytes == nullptr) continue;
                std::swap_ranges(bytes, bytes + Snapshot::sizeOf(here, at),
                                 here.data + at * pieceBytes);
            }
            snapshot.pieces_[address] = std::move(written->second);
        } else if (!here.freed && owned_.contains(address)) {
            snapshot.owned_.insert_or_assign(address, std::move(owned_.extract(address).mapped()));
            used_ -= here.bytes;
        }
    }
    // What was freed, or is in the snapshot only, comes back.
    for (auto& [address, array] : there) {
        const auto now = allocations_.find(address);
        if (array.freed || (now != allocations_.end() && !now->second.freed)) continue;
        if (const auto kept = owned.find(address); kept != owned.end()) {
            owned_.insert_or_assign(address, std::move(kept->second));
            used_ += array.bytes;
        } else if (std::byte* data = make(address, array.bytes)) {
            const Snapshot::Pieces& pieces = saved.at(address);  // all, since it was freed
            for (u64 at = 0; at < pieces.size(); ++at)
                std::memcpy(data + at * pieceBytes, pieces[at].get(), Snapshot::sizeOf(array, at));
            array.data = data;
        } else {
            array.freed = true;
        }
    }
    allocations_ = std::move(there);
}

}  // namespace warplens::ptx
