#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/ptx/read/module.h"

namespace warplens::ptx {

/// Generic addresses: what is not global begins with a byte of its own, which no array has.
inline constexpr u64 windowMask = 0xffull << 56;
inline constexpr u64 sharedWindow = 0x51ull << 56;
/// Of local memory, with the thread in bits 32 to 55 (its rank in the block, plus 1): an address
/// that another thread uses is known.
inline constexpr u64 localWindow = 0x52ull << 56;
inline constexpr u64 paramWindow = 0x53ull << 56;  ///< a kernel's parameters
/// Of an address in shared memory: where the rank, plus 1, of another block of the cluster stands.
inline constexpr u32 clusterRankShift = 28;
inline constexpr u64 functionWindow = 0x54ull << 56;  ///< addresses of functions

/// Before and behind an array that is mirrored: lanes of a request may be as far apart.
inline constexpr s64 mirrorRoom = 1 << 22;

/// The name of the memory in which a kernel puts them for a launch of its own.
inline constexpr const char* launchParameters = "a launch's parameters";

/// An array in global or constant memory, as kernels see it.
struct Allocation final {
    enum class Kind : u8 { device, managed, pinned, variable, constant, heap };
    u64 address = 0;  ///< its first byte, on the device
    u64 bytes = 0;
    std::byte* data = nullptr;  ///< its first byte, here
    /// Byte i is at `data[i & mirror]`: an array whose values mean nothing may be longer than what
    /// there is of it. `mirrorRoom` more bytes are before `data` and behind the last.
    u64 mirror = ~u64{0};
    u32 id = 0;  ///< from 0, in order of allocating; never used again
    Kind kind = Kind::device;
    /// What its elements are aligned to: 4 of `float`, 8 of `float2`. 0: structs, or not known.
    u32 elementAlignment = 0;
    bool freed = false;       ///< nothing may touch it; kept to name it
    std::string name{};       ///< of variables
    bool isVariable = false;  ///< its name is its own, no launch's
    u64 stretch = 0;  ///< the launch's pointers begin multiples of it away; 0: at its first byte

    [[nodiscard]] bool holds(u64 at, u64 count = 1) const {
        return at >= address && count <= bytes && at - address <= bytes - count;
    }
    /// The byte at an address that it holds.
    [[nodiscard]] std::byte* at(u64 held) const { return data + ((held - address) & mirror); }
};

/// What a texture or surface object stands for (CUDA Programming Guide, "Texture and Surface
/// Memory"): elements of an array, and how they are read. Arrays of the device lie row by row here;
/// where hardware puts their elements is not public.
struct Texture final {
    enum class Addressing : u8 { wrap, clamp, mirror, border };
    enum class Elements : u8 { signedNumbers, unsignedNumbers, floats };
    /// One level of a mipmap; others have one.
    struct Level final {
        u64 address = 0;  ///< of the first byte, on the device
        u32 width = 1;    ///< elements
        u32 height = 1;
        u32 depth = 1;  ///< slices, or layers; of cubes 6 for each
        u64 rowBytes = 0;
    };
    std::vector<Level> levels;
    u32 channels = 1;
    u32 channelBytes = 4;
    Elements elements = Elements::floats;
    std::array<Addressing, 3> addressing{};
    std::array<float, 4> border{};
    bool isLinearMemory = false;  ///< read by index
    bool isFiltered = false;      ///< between elements
    bool isNormalized = false;    ///< coordinates from 0 to 1
    bool readsFractions = false;  ///< integers are read as fractions of their largest
    bool blendsLevels = false;
    float leastLevel = 0;
    float mostLevel = 0;
    float levelBias = 0;

    [[nodiscard]] u32 elementBytes() const { return channels * channelBytes; }
};

/// Device memory: arrays by address. Nothing outside of them is ever touched. Arrays that it makes
/// lie 64 GiB apart, so that a 32-bit index that runs over an array's end is still known as its
/// own. Not to be changed while a launch runs, but by the launch.
class Memory final {
  public:
    /// At most `capacity` bytes in all.
    explicit Memory(u64 capacity = 4ull << 30) : capacity_(capacity) {}

    /// A zeroed array, aligned to 512 bytes; null where it does not fit into the capacity.
    Allocation* allocate(u64 bytes, Allocation::Kind kind = Allocation::Kind::device,
                         std::string name = {});
    /// An array of the caller's, which must outlive it here; on the device it lies at `address`.
    /// `variable`: it is that of the program's.
    Allocation* adopt(u64 address, std::byte* data, u64 bytes, Allocation::Kind kind,
                      std::string variable = {});
    /// Forgets the bytes, not that the array was there. False where no array begins there.
    bool release(u64 address);

    /// The array that holds `address`, freed ones included; null where there is none.
    [[nodiscard]] const Allocation* find(u64 address) const;
    /// The array that most likely was meant: the one whose bytes are closest to `address`; null
    /// where there is none.
    [[nodiscard]] const Allocation* nearest(u64 address) const;
    /// Whether the host has something at an address that is of no array: asked of `askHost`, or
    /// guessed by how high it is.
    [[nodiscard]] bool isOfHost(u64 address) const {
        return hostHas_ ? hostHas_(address) : address >= 1ull << 40;
    }
    void askHost(std::function<bool(u64)> has) { hostHas_ = std::move(has); }
    /// The variable of that name; null where there is none.
    [[nodiscard]] const Allocation* variable(std::string_view name) const;
    /// What findings call the array that begins there, and `Allocation::elementAlignment`.
    void describe(u64 address, std::string name, u32 elementAlignment, u64 stretch = 0);

    /// A texture or surface object: its handle, never used again.
    u64 addTexture(Texture texture) {
        textures_[++lastTexture_] = std::move(texture);
        return lastTexture_;
    }
    bool removeTexture(u64 handle) { return textures_.erase(handle) != 0; }
    /// Null where there is none of that handle.
    [[nodiscard]] const Texture* texture(u64 handle) const {
        const auto found = textures_.find(handle);
        return found == textures_.end() ? nullptr : &found->second;
    }

    /// Which arrays there are, and the bytes of their pieces that a kernel has written since.
    class Snapshot;
    static constexpr u64 pieceBytes = 1ull << 20;
    /// As it is now. Costs nothing but what `willWrite` copies while the snapshot lives.
    void save(Snapshot& snapshot);
    /// A piece of an array is about to be written, or freed: snapshots keep its bytes. For any
    /// thread.
    void willWrite(const Allocation& array, u64 piece);
    /// Puts the snapshot in place of what there is, and into the snapshot what there was. Arrays of
    /// the caller's stay where they are, and change their bytes.
    void exchange(Snapshot& snapshot);
    [[nodiscard]] const std::map<u64, Allocation>& allocations() const { return allocations_; }

  private:
    using Bytes = std::unique_ptr<std::byte[], void (*)(std::byte*)>;
    Allocation* add(u64 address, std::byte* data, u64 bytes, Allocation::Kind kind,
                    std::string name);
    std::byte* make(u64 address, u64 bytes);
    u64 freedSlot();

    std::map<u64, Allocation> allocations_;  ///< by address
    std::map<u64, Bytes> owned_;
    std::vector<Snapshot*> saved_;
    std::mutex savedMutex_;
    std::map<u64, Texture> textures_;
    u64 lastTexture_ = 0;
    u64 capacity_;
    u64 used_ = 0;
    std::function<bool(u64)> hostHas_;
    u64 nextAddress_ = firstAddress;
    u32 nextId_ = 0;
    std::deque<u64> freedSlots_;  ///< used again when there are no others
    /// Above all that an operating system gives to programs: no address of theirs is one of these;
    /// and far from numbers that data hold, as in a launch's inputs what looks like an address is
    /// taken for one.
    static constexpr u64 firstAddress = 0x007e'5a3c'0000'0000;
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
        for (u64 at = 0; found != pieces_.end() && at < found->second.size(); ++at) {
            if (const std::byte* bytes = found->second[at].get())
                use(at * pieceBytes, bytes, sizeOf(array, at));
        }
    }
    /// What an array had in it; empty where there was none.
    [[nodiscard]] std::vector<std::byte> bytesOf(const Allocation& array) const;

  private:
    friend class Memory;
    Memory* memory_ = nullptr;  ///< that keeps bytes here
    std::map<u64, Allocation> allocations_;
    using Pieces = std::vector<std::unique_ptr<std::byte[]>>;
    static u64 sizeOf(const Allocation& array, u64 piece) {
        return std::min(pieceBytes, array.bytes - piece * pieceBytes);
    }
    std::map<u64, Pieces> pieces_;  ///< by address; null of those that were not written
    std::map<u64, Bytes> owned_;    ///< arrays that are in here only
};

}  // namespace warplens::ptx
