// CUDA arrays and mipmaps, what is copied to and from them, and texture and surface objects. Arrays
// lie row by row in memory of the device.
#include <algorithm>
#include <memory>

#include "kernels/programs/runtime_api/copies.h"
#include "kernels/programs/runtime_api/streams.h"

using namespace warplens;
using namespace warplens::programs;
using cuda::Error;
using cuda::Extent;
using cuda::Stream;

namespace warplens::programs {

struct ChannelFormat final {
    int x, y, z, w;  ///< bits
    int kind;        ///< 0 signed, 1 unsigned, 2 float

    [[nodiscard]] std::uint32_t channels() const {
        return static_cast<std::uint32_t>((x != 0) + (y != 0) + (z != 0) + (w != 0));
    }
    [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(x + y + z + w) / 8; }
};
enum ArrayFlags : unsigned { layered = 1, cubemap = 4 };

struct CudaArray final {
    ChannelFormat format{};
    Extent extent{};  ///< as it was asked for: 0 of axes that it has not
    unsigned flags = 0;
    std::uint64_t address = 0;
    bool isLevel = false;  ///< of a mipmap, which owns its memory

    [[nodiscard]] std::size_t rowBytes() const { return extent.width * format.bytes(); }
    [[nodiscard]] std::size_t height() const { return std::max<std::size_t>(1, extent.height); }
    [[nodiscard]] std::size_t depth() const { return std::max<std::size_t>(1, extent.depth); }
    [[nodiscard]] std::byte* at(std::size_t byte, std::size_t row, std::size_t slice) const {
        return reinterpret_cast<std::byte*>(address) + (slice * height() + row) * rowBytes() + byte;
    }
};
struct Mipmap final {
    std::vector<std::unique_ptr<CudaArray>> levels;
};

struct ResourceDescription final {
    int type;  ///< 0 array, 1 mipmap, 2 linear memory, 3 rows in memory
    union {
        CudaArray* array;
        Mipmap* mipmap;
        struct {
            void* pointer;
            ChannelFormat format;
            std::size_t bytes;
        } linear;
        struct {
            void* pointer;
            ChannelFormat format;
            std::size_t width, height, pitch;
        } rows;
        int reserved[32];
    };
    unsigned flags;
};
struct TextureDescription final {
    int addressMode[3];
    int filterMode, readMode, sRgb;
    float borderColor[4];
    int normalizedCoordinates;
    unsigned maxAnisotropy;
    int mipmapFilterMode;
    float levelBias, leastLevel, mostLevel;
    int disableTrilinearOptimization, seamlessCubemap;
};

namespace {

Error makeArray(CudaArray** result, const ChannelFormat* format, Extent extent, unsigned flags) {
    RuntimeDevice& device = RuntimeDevice::instance();
    if (result == nullptr || format == nullptr || extent.width == 0)
        return fail(cuda::invalidValue);
    auto array = std::make_unique<CudaArray>(CudaArray{*format, extent, flags});
    void* memory = device.allocate(array->rowBytes() * array->height() * array->depth());
    if (memory == nullptr) return fail(cuda::memoryAllocation);
    array->address = reinterpret_cast<std::uint64_t>(memory);
    return give(result, array.release());
}

/// A side of a copy: rows `pitch` bytes apart, slices of `height` rows.
struct Side final {
    std::byte* first;
    std::size_t pitch, height;
};
Side sideOf(const CudaArray* array, const cuda::PitchedPointer& memory, const cuda::Pos& at) {
    if (array != nullptr) {
        const std::size_t bytes = array->format.bytes();
        return {array->at(at.x * bytes, at.y, at.z), array->rowBytes(), array->height()};
    }
    return {static_cast<std::byte*>(memory.pointer) + (at.z * memory.height + at.y) * memory.pitch +
                at.x,
            memory.pitch, memory.height};
}

ptx::Texture::Level levelOf(const CudaArray& array) {
    return {.address = array.address,
            .width = static_cast<std::uint32_t>(array.extent.width),
            .height = static_cast<std::uint32_t>(array.height()),
            .depth = static_cast<std::uint32_t>(array.depth()),
            .rowBytes = array.rowBytes()};
}

/// What the resource is, without how it is read; no levels where it is none.
ptx::Texture textureOf(const ResourceDescription& resource) {
    ptx::Texture texture;
    ChannelFormat format{};
    switch (resource.type) {
        case 0:
            format = resource.array->format;
            texture.levels = {levelOf(*resource.array)};
            break;
        case 1:
            format = resource.mipmap->levels.front()->format;
            for (const auto& level : resource.mipmap->levels)
                texture.levels.push_back(levelOf(*level));
            break;
        case 2:
            format = resource.linear.format;
            texture.isLinearMemory = true;
            if (format.bytes() == 0) return texture;
            texture.levels = {
                {.address = reinterpret_cast<std::uint64_t>(resource.linear.pointer),
                 .width = static_cast<std::uint32_t>(resource.linear.bytes / format.bytes()),
                 .rowBytes = resource.linear.bytes}};
            break;
        case 3:
            format = resource.rows.format;
            texture.levels = {{.address = reinterpret_cast<std::uint64_t>(resource.rows.pointer),
                               .width = static_cast<std::uint32_t>(resource.rows.width),
                               .height = static_cast<std::uint32_t>(resource.rows.height),
                               .rowBytes = resource.rows.pitch}};
            break;
        default:
            return texture;
    }
    texture.channels = std::max(1u, format.channels());
    texture.channelBytes = static_cast<std::uint32_t>(std::max(8, format.x)) / 8;
    texture.elements = format.kind == 2   ? ptx::Texture::Elements::floats
                       : format.kind == 0 ? ptx::Texture::Elements::signedNumbers
                                          : ptx::Texture::Elements::unsignedNumbers;
    return texture;
}

}  // namespace

cuda::Error copyBoxes(const cuda::Copy3D& copy) {
    const auto* from = static_cast<const CudaArray*>(copy.fromArray);
    const auto* to = static_cast<const CudaArray*>(copy.toArray);
    // Of arrays extents count elements.
    const CudaArray* array = from != nullptr ? from : to;
    const std::size_t width = copy.extent.width * (array == nullptr ? 1 : array->format.bytes());
    const Side source = sideOf(from, copy.from, copy.fromPos);
    const Side target = sideOf(to, copy.to, copy.toPos);
    const std::size_t height = std::max<std::size_t>(1, copy.extent.height);
    for (std::size_t z = 0; z < std::max<std::size_t>(1, copy.extent.depth); ++z) {
        const auto slice = [z](const Side& side) {
            return side.first + z * side.height * side.pitch;
        };
        const bool isOneRow = height == 1;
        const Error error = copyRows(slice(target), isOneRow ? width : target.pitch, slice(source),
                                     isOneRow ? width : source.pitch, width, height, copy.kind);
        if (error != cuda::success) return error;
    }
    return cuda::success;
}

}  // namespace warplens::programs

extern "C" {

ChannelFormat cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
    return {x, y, z, w, kind};
}
Error cudaGetChannelDesc(ChannelFormat* format, const CudaArray* array) {
    return give(format, array->format);
}
Error cudaMallocArray(CudaArray** array, const ChannelFormat* format, std::size_t width,
                      std::size_t height, unsigned flags) {
    const auto lock = lockDevice();
    return makeArray(array, format, {width, height, 0}, flags);
}
Error cudaMalloc3DArray(CudaArray** array, const ChannelFormat* format, Extent extent,
                        unsigned flags) {
    const auto lock = lockDevice();
    return makeArray(array, format, extent, flags);
}
Error cudaFreeArray(CudaArray* array) {
    const auto lock = lockDevice();
    if (array == nullptr) return cuda::success;
    if (array->isLevel) return fail(cuda::invalidValue);
    (void)RuntimeDevice::instance().release(array->address);
    delete array;
    return cuda::success;
}
Error cudaArrayGetInfo(ChannelFormat* format, Extent* extent, unsigned* flags,
                       const CudaArray* array) {
    if (format != nullptr) *format = array->format;
    if (extent != nullptr) *extent = array->extent;
    if (flags != nullptr) *flags = array->flags;
    return cuda::success;
}
Error cudaMallocMipmappedArray(Mipmap** result, const ChannelFormat* format, Extent extent,
                               unsigned levels, unsigned flags) {
    const auto lock = lockDevice();
    auto mipmap = std::make_unique<Mipmap>();
    for (unsigned level = 0; level < std::max(1u, levels); ++level) {
        const auto part = [&](std::size_t size) {
            return size == 0 ? 0 : std::max<std::size_t>(1, size >> level);
        };
        CudaArray* array = nullptr;
        const Error error =
            makeArray(&array, format,
                      {part(extent.width), part(extent.height),
                       (flags & (layered | cubemap)) != 0 ? extent.depth : part(extent.depth)},
                      flags);
        if (error != cuda::success) return error;
        array->isLevel = true;
        mipmap->levels.emplace_back(array);
    }
    return give(result, mipmap.release());
}
Error cudaGetMipmappedArrayLevel(CudaArray** array, const Mipmap* mipmap, unsigned level) {
    if (level >= mipmap->levels.size()) return fail(cuda::invalidValue);
    return give(array, mipmap->levels[level].get());
}
Error cudaFreeMipmappedArray(Mipmap* mipmap) {
    const auto lock = lockDevice();
    if (mipmap == nullptr) return cuda::success;
    for (const auto& level : mipmap->levels)
        (void)RuntimeDevice::instance().release(level->address);
    delete mipmap;
    return cuda::success;
}

Error cudaMemcpy2DToArrayAsync(CudaArray* to, std::size_t x, std::size_t y, const void* from,
                               std::size_t pitch, std::size_t width, std::size_t height, int kind,
                               Stream stream) {
    const auto lock = lockDevice();
    return enqueue(stream, [=] {
        return copyRows(to->at(x, y, 0), to->rowBytes(), from, pitch, width, height, kind);
    });
}
Error cudaMemcpy2DToArray(CudaArray* to, std::size_t x, std::size_t y, const void* from,
                          std::size_t pitch, std::size_t width, std::size_t height, int kind) {
    return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, nullptr);
}
Error cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, const CudaArray* from, std::size_t x,
                                 std::size_t y, std::size_t width, std::size_t height, int kind,
                                 Stream stream) {
    const auto lock = lockDevice();
    return enqueue(stream, [=] {
        return copyRows(to, pitch, from->at(x, y, 0), from->rowBytes(), width, height, kind);
    });
}
Error cudaMemcpy2DFromArray(void* to, std::size_t pitch, const CudaArray* from, std::size_t x,
                            std::size_t y, std::size_t width, std::size_t height, int kind) {
    return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, nullptr);
}
Error cudaMemcpyToArray(CudaArray* to, std::size_t x, std::size_t y, const void* from,
                        std::size_t bytes, int kind) {
    const auto lock = lockDevice();
    return copyBytes(to->at(x, y, 0), from, bytes, kind);
}
Error cudaMemcpyFromArray(void* to, const CudaArray* from, std::size_t x, std::size_t y,
                          std::size_t bytes, int kind) {
    const auto lock = lockDevice();
    return copyBytes(to, from->at(x, y, 0), bytes, kind);
}
Error cudaMemcpy2DArrayToArray(CudaArray* to, std::size_t toX, std::size_t toY,
                               const CudaArray* from, std::size_t fromX, std::size_t fromY,
                               std::size_t width, std::size_t height, int kind) {
    const auto lock = lockDevice();
    return copyRows(to->at(toX, toY, 0), to->rowBytes(), from->at(fromX, fromY, 0),
                    from->rowBytes(), width, height, kind);
}
Error cudaMemcpy3DAsync(const cuda::Copy3D* copy, Stream stream) {
    const auto lock = lockDevice();
    return enqueue(stream, [copy = *copy] { return copyBoxes(copy); });
}
Error cudaMemcpy3D(const cuda::Copy3D* copy) {
    return cudaMemcpy3DAsync(copy, nullptr);
}

Error cudaCreateTextureObject(unsigned long long* result, const ResourceDescription* resource,
                              const TextureDescription* how, const void*) {
    const auto lock = lockDevice();
    ptx::Texture texture = textureOf(*resource);
    if (texture.levels.empty()) return fail(cuda::invalidValue);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        auto& addressing = texture.addressing[axis];
        addressing = static_cast<ptx::Texture::Addressing>(how->addressMode[axis] & 3);
        // Only coordinates from 0 to 1 come again.
        if (how->normalizedCoordinates == 0 && (addressing == ptx::Texture::Addressing::wrap ||
                                                addressing == ptx::Texture::Addressing::mirror))
            addressing = ptx::Texture::Addressing::clamp;
    }
    std::copy_n(how->borderColor, 4, texture.border.begin());
    texture.isFiltered = how->filterMode == 1;
    texture.isNormalized = how->normalizedCoordinates != 0;
    texture.readsFractions = how->readMode == 1;
    texture.blendsLevels = how->mipmapFilterMode == 1;
    texture.levelBias = how->levelBias;
    texture.leastLevel = how->leastLevel;
    texture.mostLevel = std::min(how->mostLevel, static_cast<float>(texture.levels.size() - 1));
    return give(result, RuntimeDevice::instance().memory().addTexture(std::move(texture)));
}
Error cudaDestroyTextureObject(unsigned long long texture) {
    const auto lock = lockDevice();
    const bool known = RuntimeDevice::instance().memory().removeTexture(texture);
    return known || texture == 0 ? cuda::success : fail(cuda::invalidValue);
}
Error cudaCreateSurfaceObject(unsigned long long* result, const ResourceDescription* resource) {
    const auto lock = lockDevice();
    ptx::Texture texture = textureOf(*resource);
    if (texture.levels.empty()) return fail(cuda::invalidValue);
    return give(result, RuntimeDevice::instance().memory().addTexture(std::move(texture)));
}

}  // extern "C"
