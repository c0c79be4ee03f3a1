// Textures and surfaces (PTX ISA, "Texture Instructions" and "Surface Instructions"; how they are
// read: CUDA Programming Guide, "Texture Fetching").
#include <algorithm>
#include <cmath>
#include <optional>

#include "kernels/ptx/run/access.h"
#include "kernels/ptx/run/grid.h"
#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

using Element = std::array<float, 4>;

/// How a texture's elements are addressed.
struct Shape final {
    std::string_view name;
    u32 axes;  ///< coordinates beside the layer
    bool hasLayers = false;
    bool isCube = false;
};
constexpr Shape shapes[] = {{"1d", 1},
                            {"2d", 2},
                            {"3d", 3},
                            {"a1d", 1, true},
                            {"a2d", 2, true},
                            {"cube", 3, false, true},
                            {"acube", 3, true, true}};

const Shape* shapeOf(const Instruction& instruction) {
    const auto* shape =
        std::ranges::find_if(shapes, [&](const Shape& one) { return instruction.has(one.name); });
    return shape == std::end(shapes) ? nullptr : shape;
}

/// The bytes of one level of a texture, as a kernel sees them.
class Pixels final {
  public:
    Pixels(const Memory& memory, const Texture& texture, u32 level)
        : texture_(texture), level_(texture.levels[level]) {
        const Allocation* array = memory.find(level_.address);
        if (array != nullptr && !array->freed) {
            data_ = array->at(level_.address);
            bytes_ = array->bytes - (level_.address - array->address);
        }
    }
    [[nodiscard]] const Texture::Level& level() const { return level_; }
    /// Null where there is no such element.
    [[nodiscard]] std::byte* at(u64 byte, u64 row, u64 slice, u64 count) const {
        const u64 place = (slice * level_.height + row) * level_.rowBytes + byte;
        return count <= bytes_ && place <= bytes_ - count ? data_ + place : nullptr;
    }
    /// On the device.
    [[nodiscard]] u64 addressOf(const std::byte* place) const {
        return level_.address + u64(place - data_);
    }
    /// As integers: their bits, sign and all.
    [[nodiscard]] std::array<u32, 4> bits(u64 x, u64 y, u64 z) const {
        std::array<u32, 4> result{};
        const u64 size = texture_.elementBytes();
        const std::byte* from = at(x * size, y, z, size);
        if (from == nullptr) return result;
        for (u32 channel = 0; channel < texture_.channels; ++channel) {
            u32 value = 0;
            std::memcpy(&value, from + channel * texture_.channelBytes, texture_.channelBytes);
            const u32 unused = 32 - 8 * texture_.channelBytes;
            if (texture_.elements == Texture::Elements::signedNumbers)
                value = u32(s32(value << unused) >> unused);
            result[channel] = value;
        }
        return result;
    }
    /// As numbers.
    [[nodiscard]] Element values(u64 x, u64 y, u64 z) const {
        const std::array<u32, 4> whole = bits(x, y, z);
        Element result{};
        for (u32 channel = 0; channel < texture_.channels; ++channel) {
            const u32 value = whole[channel];
            const u32 width = 8 * texture_.channelBytes;
            if (texture_.elements == Texture::Elements::floats) {
                result[channel] =
                    width == 16 ? toFloat(Half{u16(value)}) : std::bit_cast<float>(value);
            } else if (texture_.elements == Texture::Elements::unsignedNumbers) {
                result[channel] =
                    static_cast<float>(value) / static_cast<float>((1ull << width) - 1);
            } else {
                result[channel] =
                    std::max(-1.0f, static_cast<float>(s32(value)) /
                                        static_cast<float>((1ull << (width - 1)) - 1));
            }
        }
        return result;
    }

  private:
    const Texture& texture_;
    const Texture::Level& level_;
    std::byte* data_ = nullptr;
    u64 bytes_ = 0;
};

/// Where an index goes that may lie outside; absent: the border.
std::optional<u64> addressed(s64 index, u32 size, Texture::Addressing how) {
    const s64 count = size;
    if (index >= 0 && index < count) return u64(index);
    switch (how) {
        case Texture::Addressing::wrap:
            return u64((index % count + count) % count);
        case Texture::Addressing::clamp:
            return index < 0 ? 0 : u64(count - 1);
        case Texture::Addressing::mirror: {
            const s64 in = (index % (2 * count) + 2 * count) % (2 * count);
            return u64(in < count ? in : 2 * count - 1 - in);
        }
        default:
            return std::nullopt;
    }
}

/// Of one axis: the element, and how much of the next one is mixed in.
struct Along final {
    s64 index = 0;
    float fraction = 0;
};
Along along(const Texture& texture, float coordinate, u32 size, bool isFiltered) {
    float at = texture.isNormalized ? coordinate * static_cast<float>(size) : coordinate;
    if (!(std::fabs(at) < 1e9f)) at = at > 0 ? 1e9f : at < 0 ? -1e9f : 0;
    if (!isFiltered) return {s64(std::floor(at)), 0};
    // The fraction has eight bits.
    const float moved = std::floor((at - 0.5f) * 256 + 0.5f);
    const float whole = std::floor(moved / 256);
    return {s64(whole), moved / 256 - whole};
}

/// A face of a cube, and where on it.
u32 faceOf(std::array<float, 3>& at) {
    const auto [x, y, z] = at;
    const float ax = std::fabs(x);
    const float ay = std::fabs(y);
    const float az = std::fabs(z);
    u32 face = 0;
    float s = 0;
    float t = -y;
    float most = ax;
    if (ax >= ay && ax >= az) {
        face = x >= 0 ? 0 : 1;
        s = x >= 0 ? -z : z;
    } else if (ay >= az) {
        face = y >= 0 ? 2 : 3;
        s = x;
        t = y >= 0 ? z : -z;
        most = ay;
    } else {
        face = z >= 0 ? 4 : 5;
        s = z >= 0 ? x : -x;
        most = az;
    }
    at = {(s / most + 1) / 2, (t / most + 1) / 2, 0};
    return face;
}

class Sampler final {
  public:
    Sampler(const Memory& memory, const Texture& texture, const Shape& shape)
        : memory_(memory), texture_(texture), shape_(shape) {}

    /// The element, or the mix of the elements, there; bits of what `isInteger` says.
    [[nodiscard]] std::array<u32, 4> at(std::array<float, 3> at, u32 layer, float level,
                                        bool isInteger) const {
        u32 slice = layer;
        u32 axes = shape_.axes;
        if (shape_.isCube) {
            slice = faceOf(at) + 6 * layer;
            axes = 2;
        }
        if (isInteger) {
            const Pixels pixels(memory_, texture_, levelAt(level));
            std::array<u64, 3> place{0, 0, sliceOf(pixels, slice)};
            if (!placeOf(pixels, at, axes, place)) {
                return std::bit_cast<std::array<u32, 4>>(texture_.border);
            }
            return pixels.bits(place[0], place[1], place[2]);
        }
        const float bounded = std::clamp(level + texture_.levelBias, texture_.leastLevel,
                                         std::max(texture_.leastLevel, texture_.mostLevel));
        Element result{};
        if (texture_.blendsLevels && texture_.levels.size() > 1) {
            const float lower = std::floor(bounded);
            const float part = std::floor((bounded - lower) * 256) / 256;
            const Element a = mixed(at, slice, axes, levelAt(lower));
            const Element b = mixed(at, slice, axes, levelAt(lower + 1));
            for (std::size_t c = 0; c < 4; ++c) result[c] = a[c] * (1 - part) + b[c] * part;
        } else {
            result = mixed(at, slice, axes, levelAt(bounded));
        }
        return std::bit_cast<std::array<u32, 4>>(result);
    }
    /// One channel of the four elements that would be mixed (PTX ISA, "tld4").
    [[nodiscard]] std::array<u32, 4> gathered(const std::array<float, 3>& at, u32 layer,
                                              std::size_t channel, bool isInteger) const {
        const Pixels pixels(memory_, texture_, 0);
        const Along x = along(texture_, at[0], pixels.level().width, true);
        const Along y = along(texture_, at[1], pixels.level().height, true);
        std::array<u32, 4> result{};
        constexpr std::array<std::pair<int, int>, 4> order{{{0, 1}, {1, 1}, {1, 0}, {0, 0}}};
        for (std::size_t corner = 0; corner < order.size(); ++corner) {
            const auto px = addressed(x.index + order[corner].first, pixels.level().width,
                                      texture_.addressing[0]);
            const auto py = addressed(y.index + order[corner].second, pixels.level().height,
                                      texture_.addressing[1]);
            if (!px || !py) continue;
            const u64 slice = sliceOf(pixels, layer);
            result[corner] = isInteger
                                 ? pixels.bits(*px, *py, slice)[channel]
                                 : std::bit_cast<u32>(pixels.values(*px, *py, slice)[channel]);
        }
        return result;
    }

  private:
    [[nodiscard]] u32 levelAt(float level) const {
        const auto last = static_cast<float>(texture_.levels.size() - 1);
        return u32(std::clamp(std::floor(level + 0.5f), 0.0f, last));
    }
    [[nodiscard]] static u64 sliceOf(const Pixels& pixels, u32 slice) {
        return std::min(slice, pixels.level().depth - 1);
    }
    [[nodiscard]] bool placeOf(const Pixels& pixels, const std::array<float, 3>& at, u32 axes,
                               std::array<u64, 3>& place) const {
        const u32 sizes[] = {pixels.level().width, pixels.level().height, pixels.level().depth};
        for (u32 axis = 0; axis < axes; ++axis) {
            const Along where = along(texture_, at[axis], sizes[axis], false);
            const auto inside = addressed(where.index, sizes[axis], texture_.addressing[axis]);
            if (!inside) return false;
            place[axis] = *inside;
        }
        return true;
    }
    [[nodiscard]] Element mixed(const std::array<float, 3>& at, u32 slice, u32 axes,
                                u32 level) const {
        const Pixels pixels(memory_, texture_, level);
        const u32 sizes[] = {pixels.level().width, pixels.level().height, pixels.level().depth};
        std::array<Along, 3> where{};
        for (u32 axis = 0; axis < axes; ++axis)
            where[axis] = along(texture_, at[axis], sizes[axis], texture_.isFiltered);
        Element sum{};
        for (u32 corner = 0; corner < 1u << axes; ++corner) {
            float weight = 1;
            std::array<u64, 3> place{0, 0, sliceOf(pixels, slice)};
            bool isBorder = false;
            for (u32 axis = 0; axis < axes; ++axis) {
                const bool next = (corner >> axis & 1u) != 0;
                weight *= next ? where[axis].fraction : 1 - where[axis].fraction;
                const auto inside = addressed(where[axis].index + (next ? 1 : 0), sizes[axis],
                                              texture_.addressing[axis]);
                isBorder |= !inside;
                place[axis] = inside.value_or(0);
            }
            if (weight == 0) continue;
            const Element value =
                isBorder ? texture_.border : pixels.values(place[0], place[1], place[2]);
            for (std::size_t c = 0; c < 4; ++c) sum[c] += weight * value[c];
        }
        return sum;
    }

    const Memory& memory_;
    const Texture& texture_;
    const Shape& shape_;
};

/// Operands of a step.
struct Access final {
    const Shape* shape = nullptr;
    std::vector<Slot> targets{};      ///< of a store: what is stored
    std::vector<Slot> coordinates{};  ///< the layer first
    Slot handle{};
    Slot level = noSlot;
    bool isInteger = false;   ///< bits of integers are read
    bool hasFloats = false;   ///< coordinates are floats
    std::size_t gathers = 4;  ///< the channel of `tld4`; 4: it is none
    u32 bytes = 4;            ///< of a channel of a surface
    enum class Outside : u8 { trap, clamp, zero } outside = Outside::trap;
};

const Texture* textureOf(Warp& warp, const Step* step, const Access& access, u32 lane) {
    const Memory& memory = gridOf(warp).program().memory();
    const Texture* texture = memory.texture(warp.value<u64>(access.handle)[lane]);
    if (texture == nullptr)
        report(warp, step, FindingKind::wildPointer, lane,
               "a texture or surface object that is none, or was destroyed");
    return texture;
}
/// A lane's coordinates, one behind the other, without the layer.
struct Coordinates final {
    u32 layer = 0;
    std::array<u32, 3> bits{};
};
Coordinates coordinatesOf(const Warp& warp, const Access& access, u32 lane) {
    Coordinates found;
    auto next = access.coordinates.begin();
    if (access.shape->hasLayers) found.layer = warp.value<u32>(*next++)[lane];
    for (u32 axis = 0; axis < access.shape->axes; ++axis)
        found.bits[axis] = warp.value<u32>(*next++)[lane];
    return found;
}

void write(Warp& warp, const std::vector<Slot>& targets, u32 lane, const std::array<u32, 4>& value,
           u32 bytes = 4) {
    for (std::size_t part = 0; part < targets.size(); ++part) {
        if (bytes == 8)
            warp.value<u64>(targets[part])[lane] = value[2 * part] | u64{value[2 * part + 1]} << 32;
        else
            warp.value<u32>(targets[part])[lane] = value[part];
    }
}

const Step* sample(Warp& warp, const Step* step) {
    const auto& access = *static_cast<const Access*>(step->more);
    const Memory& memory = gridOf(warp).program().memory();
    forEachLane(warp.active, [&](u32 lane) {
        const Texture* texture = textureOf(warp, step, access, lane);
        if (texture == nullptr) return write(warp, access.targets, lane, {});
        const Coordinates where = coordinatesOf(warp, access, lane);
        std::array<float, 3> at{};
        for (std::size_t axis = 0; axis < at.size(); ++axis)
            at[axis] = access.hasFloats ? std::bit_cast<float>(where.bits[axis])
                                        : static_cast<float>(s32(where.bits[axis]));
        const bool isInteger =
            access.isInteger ||
            (texture->elements != Texture::Elements::floats && !texture->readsFractions);
        if (!access.hasFloats && texture->isLinearMemory) {
            const u32 index = where.bits[0];
            const Pixels pixels(memory, *texture, 0);
            std::array<u32, 4> value{};
            if (index < texture->levels[0].width)
                value = isInteger ? pixels.bits(index, 0, 0)
                                  : std::bit_cast<std::array<u32, 4>>(pixels.values(index, 0, 0));
            return write(warp, access.targets, lane, value);
        }
        const Sampler sampler(memory, *texture, *access.shape);
        const float level = access.level == noSlot ? 0 : warp.value<float>(access.level)[lane];
        write(warp, access.targets, lane,
              access.gathers < 4 ? sampler.gathered(at, where.layer, access.gathers, isInteger)
                                 : sampler.at(at, where.layer, level, isInteger));
    });
    WARPLENS_GO(warp, step + 1);
}

/// Where an access to a surface goes, the first coordinate in bytes; null: it does nothing. What is
/// stored to is told.
std::byte* placeOnSurface(Warp& warp, const Step* step, const Access& access, u32 lane, u64 bytes,
                          bool isStore) {
    const Texture* texture = textureOf(warp, step, access, lane);
    if (texture == nullptr) return nullptr;
    const Texture::Level& level = texture->levels[0];
    const Coordinates where = coordinatesOf(warp, access, lane);
    std::array<s64, 3> at{0, 0, where.layer};
    for (u32 axis = 0; axis < access.shape->axes; ++axis) at[axis] = s32(where.bits[axis]);
    const s64 ends[] = {s64{level.width} * texture->elementBytes() - s64(bytes),
                        s64{level.height} - 1, s64{level.depth} - 1};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (at[axis] >= 0 && at[axis] <= ends[axis]) continue;
        if (access.outside == Access::Outside::zero) return nullptr;
        if (access.outside == Access::Outside::clamp) {
            at[axis] = std::clamp<s64>(at[axis], 0, ends[axis]);
            continue;
        }
        report(warp, step, FindingKind::outOfBounds, lane, [&] {
            return std::string("a surface of ") + std::to_string(level.width) + " by " +
                   std::to_string(level.height) + " elements is accessed at " +
                   (axis == 0   ? "byte "
                    : axis == 1 ? "row "
                                : "slice ") +
                   std::to_string(at[axis]);
        });
        return nullptr;
    }
    const GridRun& grid = gridOf(warp);
    const Memory& memory = grid.program().memory();
    const Pixels pixels(memory, *texture, 0);
    std::byte* place = pixels.at(u64(at[0]), u64(at[1]), u64(at[2]), bytes);
    if (isStore && place != nullptr) {
        const u64 address = pixels.addressOf(place);
        const Allocation& array = *memory.find(address);
        warp.block->worker->willWrite(array, address - array.address, bytes);
        if (warp.isObserved) grid.tell(&Observer::onSurfaceStore, address, bytes);
    }
    return place;
}

const Step* loadSurface(Warp& warp, const Step* step) {
    const auto& access = *static_cast<const Access*>(step->more);
    warp.hasPolled = true;
    forEachLane(warp.active, [&](u32 lane) {
        std::array<std::byte, 16> value{};
        const u64 bytes = access.targets.size() * access.bytes;
        if (const std::byte* from = placeOnSurface(warp, step, access, lane, bytes, false))
            std::memcpy(value.data(), from, bytes);
        std::array<u32, 4> parts{};
        for (std::size_t part = 0; part < access.targets.size() && access.bytes <= 4; ++part)
            std::memcpy(&parts[part], value.data() + part * access.bytes, access.bytes);
        if (access.bytes == 8) std::memcpy(parts.data(), value.data(), sizeof parts);
        write(warp, access.targets, lane, parts, access.bytes);
    });
    WARPLENS_GO(warp, step + 1);
}

const Step* storeSurface(Warp& warp, const Step* step) {
    const auto& access = *static_cast<const Access*>(step->more);
    warp.hasChanged = true;
    forEachLane(warp.active, [&](u32 lane) {
        const u64 bytes = access.targets.size() * access.bytes;
        std::byte* to = placeOnSurface(warp, step, access, lane, bytes, true);
        for (std::size_t part = 0; to != nullptr && part < access.targets.size(); ++part) {
            const u64 value = access.bytes == 8 ? warp.value<u64>(access.targets[part])[lane]
                                                : warp.value<u32>(access.targets[part])[lane];
            std::memcpy(to + part * access.bytes, &value, access.bytes);
        }
    });
    WARPLENS_GO(warp, step + 1);
}

constexpr std::string_view queries[] = {"width", "height", "depth", "array_size"};
/// mode: which of them.
const Step* query(Warp& warp, const Step* step) {
    const auto& access = *static_cast<const Access*>(step->more);
    forEachLane(warp.active, [&](u32 lane) {
        const Texture* texture = textureOf(warp, step, access, lane);
        if (texture == nullptr) return;
        const Texture::Level& level = texture->levels[0];
        const u32 answers[] = {level.width, level.height, level.depth, level.depth};
        warp.value<u32>(access.targets[0])[lane] = answers[step->mode];
    });
    WARPLENS_GO(warp, step + 1);
}

bool emitAccess(Decoder& decoder, Handler run, Access access) {
    decoder.emit(run).more = decoder.keep(std::move(access));
    return true;
}

/// Handle and coordinates of `[a, {x, y}]`.
bool takePlace(Decoder& decoder, const Operand& memory, Access& access) {
    if (memory.kind != Operand::Kind::memory || memory.parts.empty()) return decoder.fail();
    if (memory.parts.size() > 1) return decoder.fail("a sampler of its own");
    access.handle = decoder.address(memory);
    access.coordinates = decoder.slots(memory.parts[0], false, Type::b32);
    const std::size_t wanted = access.shape->axes + (access.shape->hasLayers ? 1 : 0);
    return access.coordinates.size() >= wanted || decoder.fail();
}

bool sampleInstruction(Decoder& decoder, const Instruction& instruction) {
    const Shape* shape = shapeOf(instruction);
    if (shape == nullptr || instruction.operands.size() < 2) return decoder.fail();
    if (instruction.has("grad")) return decoder.fail("a level of detail by gradients");
    Access access{.shape = shape};
    access.targets = decoder.slots(instruction.operands[0], true, Type::b32);
    access.isInteger = !isFloat(instruction.type(1));
    access.hasFloats = isFloat(instruction.type());
    if (access.targets.size() > 4) return decoder.fail();
    if (!takePlace(decoder, instruction.operands[1], access)) return false;
    if (instruction.has("level")) {
        if (instruction.operands.size() < 3) return decoder.fail();
        access.level = decoder.source(instruction.operands[2], Type::f32);
    }
    if (instruction.words[0] == "tld4")
        access.gathers = instruction.which({"r", "g", "b", "a"}).value_or(4);
    return emitAccess(decoder, sample, std::move(access));
}

bool surfaceInstruction(Decoder& decoder, const Instruction& instruction) {
    const bool isStore = instruction.words[0] == "sust";
    const Shape* shape = shapeOf(instruction);
    if (shape == nullptr || instruction.operands.size() != 2 || instruction.has("p"))
        return decoder.fail();
    Access access{.shape = shape};
    access.bytes = bytesOf(instruction.type());
    if (instruction.has("clamp")) access.outside = Access::Outside::clamp;
    if (instruction.has("zero")) access.outside = Access::Outside::zero;
    const Operand& values = instruction.operands[isStore ? 1 : 0];
    access.targets = decoder.slots(values, !isStore, instruction.type());
    if (access.targets.size() > 4 || access.bytes == 0 || access.bytes > 8 ||
        access.targets.size() * access.bytes > 16)
        return decoder.fail();
    if (!takePlace(decoder, instruction.operands[isStore ? 0 : 1], access)) return false;
    return emitAccess(decoder, isStore ? storeSurface : loadSurface, std::move(access));
}

bool queryInstruction(Decoder& decoder, const Instruction& instruction) {
    const std::optional<u32> asked = instruction.which({std::begin(queries), std::end(queries)});
    if (instruction.operands.size() != 2 || !asked) return decoder.fail();
    Access access;
    access.targets = {decoder.target(instruction.operands[0])};
    access.handle = decoder.address(instruction.operands[1]);
    emitAccess(decoder, query, std::move(access));
    decoder.last().mode = *asked;
    return true;
}

}  // namespace

void addTextures(InstructionTable& table) {
    table.decode({"tex", "tld4"}, sampleInstruction);
    table.decode({"suld", "sust"}, surfaceInstruction);
    table.decode({"txq", "suq"}, queryInstruction);
}

}  // namespace warplens::ptx
