#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/ptx/run/texture.h"

namespace warplens::ptx {

/// Generic addresses: what is not global begins with a byte of its own, which no array has.
inline constexpr std::uint64_t windowMask = 0xffull << 56;
inline constexpr std::uint64_t sharedWindow = 0x51ull << 56;
/// Of local memory, with the thread in bits 32 to 55 (its rank in the block, plus 1): an address
/// that another thread uses is known.
inline constexpr std::uint64_t localWindow = 0x52ull << 56;
inline constexpr std::uint64_t paramWindow = 0x53ull << 56;  ///< a kernel's parameters
/// Of an address in shared memory: where the rank, plus 1, of another block of the cluster stands.
inline constexpr std::uint32_t clusterRankShift = 28;
inline constexpr std::uint64_t functionWindow = 0x54ull << 56;  ///< addresses of functions

/// Before and behind an array that is mirrored: lanes of a request may be as far apart.
inline constexpr std::int64_t mirrorRoom = 1 << 22;

/// An array in global or constant memory, as kernels see it.
struct Allocation final {
    enum class Kind : std::uint8_t { device, managed, pinned, variable, constant, heap };
    std::uint64_t address = 0;  ///< its first byte, on the device
    std::uint64_t bytes = 0;
    std::byte* data = nullptr;  ///< its first byte, here
    /// Byte i is at `data[i & mirror]`: an array whose values mean nothing may be longer than what
    /// there is of it. `mirrorRoom` more bytes are before `data` and behind the last.
    std::uint64_t mirror = ~std::uint64_t{0};
    std::uint32_t id = 0;  ///< from 0, in order of allocating; never used again
    Kind kind = Kind::device;
    /// What its elements are aligned to: 4 of `float`, 8 of `float2`. 0: structs, or not known.
    std::uint32_t elementAlignment = 0;
    bool freed = false;       ///< nothing may touch it; kept to name it
    std::string name{};       ///< of variables
    bool isVariable = false;  ///< its name is its own, no launch's

    [[nodiscard]] bool holds(std::uint64_t at, std::uint64_t count = 1) const {
        return at >= address && count <= bytes && at - address <= bytes - count;
    }
    /// The byte at an address that it holds.
    [[nodiscard]] std::byte* at(std::uint64_t held) const {
        return data + ((held - address) & mirror);
    }
};

/// Device memory: arrays by address. Nothing outside of them is ever touched. Arrays that it makes
/// lie 64 GiB apart, so that a 32-bit index that runs over an array's end is still known as its
/// own. Not to be changed while a launch runs, but by the launch.
class Memory final {
  public:
    /// At most `capacity` bytes in all.
    explicit Memory(std::uint64_t capacity = 4ull << 30) : capacity_(capacity) {}

    /// A zeroed array, aligned to 512 bytes; null where it does not fit into the capacity.
    Allocation* allocate(std::uint64_t bytes, Allocation::Kind kind = Allocation::Kind::device,
                         std::string name = {});
    /// An array of the caller's, which must outlive it here; on the device it lies at `address`.
    /// `variable`: it is that of the program's.
    Allocation* adopt(std::uint64_t address, std::byte* data, std::uint64_t bytes,
                      Allocation::Kind kind, std::string variable = {});
    /// Forgets the bytes, not that the array was there. False where no array begins there.
    bool release(std::uint64_t address);

    /// The array that holds `address`, freed ones included; null where there is none.
    [[nodiscard]] const Allocation* find(std::uint64_t address) const;
    /// The array that most likely was meant: the one whose bytes are closest to `address`; null
    /// where there is none.
    [[nodiscard]] const Allocation* nearest(std::uint64_t address) const;
    /// Whether the host has something at an address that is of no array: asked of `askHost`, or
    /// guessed by how high it is.
    [[nodiscard]] bool isOfHost(std::uint64_t address) const {
        return hostHas_ ? hostHas_(address) : address >= 1ull << 40;
    }
    void askHost(std::function<bool(std::uint64_t)> has) { hostHas_ = std::move(has); }
    /// The variable of that name; null where there is none.
    [[nodiscard]] const Allocation* variable(std::string_view name) const;
    /// What findings call the array that begins there, and `Allocation::elementAlignment`.
    void describe(std::uint64_t address, std::string name, std::uint32_t elementAlignment);

    /// A texture or surface object: its handle, never used again.
    std::uint64_t addTexture(Texture texture) {
        textures_[++lastTexture_] = std::move(texture);
        return lastTexture_;
    }
    bool removeTexture(std::uint64_t handle) { return textures_.erase(handle) != 0; }
    /// Null where there is none of that handle.
    [[nodiscard]] const Texture* texture(std::uint64_t handle) const {
        const auto found = textures_.find(handle);
        return found == textures_.end() ? nullptr : &found->second;
    }

    /// Which arrays there are, and the bytes of their pieces that a kernel has written since.
    class Snapshot;
    static constexpr std::uint64_t pieceBytes = 1ull << 20;
    /// As it is now. Costs nothing but what `willWrite` copies while the snapshot lives.
    void save(Snapshot& snapshot);
    /// A piece of an array is about to be written, or freed: snapshots keep its bytes. For any
    /// thread.
    void willWrite(const Allocation& array, std::uint64_t piece);
    /// Puts the snapshot in place of what there is, and into the snapshot what there was. Arrays of
    /// the caller's stay where they are, and change their bytes.
    void exchange(Snapshot& snapshot);
    [[nodiscard]] const std::map<std::uint64_t, Allocation>& allocations() const {
        return allocations_;
    }

  private:
    using Bytes = std::unique_ptr<std::byte[], void (*)(std::byte*)>;
    std::byte* make(std::uint64_t address, std::uint64_t bytes);
    std::uint64_t freedSlot();

    std::map<std::uint64_t, Allocation> allocations_;  ///< by address
    std::map<std::uint64_t, Bytes> owned_;
    std::vector<Snapshot*> saved_;
    std::mutex savedMutex_;
    std::map<std::uint64_t, Texture> textures_;
    std::uint64_t lastTexture_ = 0;
    std::uint64_t capacity_;
    std::uint64_t used_ = 0;
    std::function<bool(std::uint64_t)> hostHas_;
    std::uint64_t nextAddress_ = firstAddress;
    std::uint32_t nextId_ = 0;
    std::deque<std::uint64_t> freedSlots_;  ///< used again when there are no others
    /// Above all that an operating system gives to programs: no address of theirs is one of these.
    static constexpr std::uint64_t firstAddress = 1ull << 48;
};

class Memory::Snapshot final {
  public:
    Snapshot() = default;
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;
    ~Snapshot();
    [[nodiscard]] bool has(const Allocation& array) const;
    /// Calls `use(offset, bytes, count)` for the pieces of the array that were written since.
    template <class Use>
    void forEachPiece(const Allocation& array, Use use) const {
        const auto found = pieces_.find(array.address);
        for (std::uint64_t at = 0; found != pieces_.end() && at < found->second.size(); ++at) {
            if (const std::byte* bytes = found->second[at].get())
                use(at * pieceBytes, bytes, sizeOf(array, at));
        }
    }
    /// What an array had in it; empty where there was none.
    [[nodiscard]] std::vector<std::byte> bytesOf(const Allocation& array) const;

  private:
    friend class Memory;
    Memory* memory_ = nullptr;  ///< that keeps bytes here
    std::map<std::uint64_t, Allocation> allocations_;
    using Pieces = std::vector<std::unique_ptr<std::byte[]>>;
    static std::uint64_t sizeOf(const Allocation& array, std::uint64_t piece) {
        return std::min(pieceBytes, array.bytes - piece * pieceBytes);
    }
    std::map<std::uint64_t, Pieces> pieces_;  ///< by address; null of those that were not written
    std::map<std::uint64_t, Bytes> owned_;    ///< arrays that are in here only
};

}  // namespace warplens::ptx
