// In place of OpenGL and its windows, which are not opened: buffers that a program shares with CUDA
// are memory, each picture is drawn once, and all else does nothing (OpenGL 4.6, "Buffer Objects";
// CUDA Runtime API, "OpenGL Interoperability").
#include <cstdlib>
#include <map>
#include <string_view>
#include <vector>

#include "kernels/programs/runtime_api/copies.h"
#include "kernels/programs/runtime_api/report.h"

using namespace warplens;
using namespace warplens::programs;
using cuda::Error;

namespace {

struct Buffer final {
    std::byte* memory = nullptr;
    std::size_t bytes = 0;
};
struct Drawing final {
    std::vector<void (*)()> functions;  ///< the program's own, by GLUT
    std::map<unsigned, Buffer> buffers;
    std::map<unsigned, unsigned> bound;  ///< by target
};
Drawing& drawing() {
    static auto& all = *new Drawing;
    return all;
}
Buffer& boundTo(unsigned target) {
    return drawing().buffers[drawing().bound[target]];
}
void release(Buffer& buffer) {
    if (buffer.memory != nullptr)
        (void)RuntimeDevice::instance().release(reinterpret_cast<std::uint64_t>(buffer.memory));
    buffer = {};
}
int drawNothing() {
    return 0;
}

}  // namespace

// What is called __cudaGl... here is gl... in names.ld, where a program has no pointers of that
// name.
extern "C" {

/// `draws` is called once for each picture.
void __cudaDrawn(void (*draws)()) {
    const auto lock = lockDevice();
    sendNote(
        "the program draws with OpenGL: its window is not opened, and its picture is drawn once");
    if (draws != nullptr) drawing().functions.push_back(draws);
}
void __cudaDrawAll() {
    for (void (*draws)() : std::vector(drawing().functions)) draws();
    RuntimeDevice::instance().endEarly();
    std::exit(0);
}

const char* __cudaGlGetString(unsigned) {
    return "4.6";
}
void __cudaGlGenBuffers(int count, unsigned* names) {
    __cudaDrawn(nullptr);
    for (int at = 0; at < count; ++at) {
        const auto& known = drawing().buffers;
        names[at] = known.empty() ? 1 : known.rbegin()->first + 1;
        drawing().buffers[names[at]] = {};
    }
}
void __cudaGlDeleteBuffers(int count, const unsigned* names) {
    const auto lock = lockDevice();
    for (int at = 0; at < count; ++at) {
        release(drawing().buffers[names[at]]);
        drawing().buffers.erase(names[at]);
    }
}
void __cudaGlBindBuffer(unsigned target, unsigned name) {
    drawing().bound[target] = name;
}
void __cudaGlBufferSubData(unsigned target, std::ptrdiff_t offset, std::ptrdiff_t bytes,
                           const void* data) {
    const auto lock = lockDevice();
    (void)copyBytes(boundTo(target).memory + offset, data, static_cast<std::size_t>(bytes),
                    cuda::anyDirection);
}
void __cudaGlBufferData(unsigned target, std::ptrdiff_t bytes, const void* data, unsigned) {
    const auto lock = lockDevice();
    Buffer& buffer = boundTo(target);
    release(buffer);
    buffer.bytes = static_cast<std::size_t>(bytes);
    buffer.memory = static_cast<std::byte*>(
        RuntimeDevice::instance().allocateOnHost(buffer.bytes, ptx::Allocation::Kind::managed));
    if (data != nullptr) __cudaGlBufferSubData(target, 0, bytes, data);
}
void __cudaGlGetBufferParameteriv(unsigned target, unsigned, int* value) {
    *value = static_cast<int>(boundTo(target).bytes);
}
void* __cudaGlMapBuffer(unsigned target, unsigned) {
    const auto lock = lockDevice();
    return boundTo(target).memory;
}
unsigned char __cudaGlUnmapBuffer(unsigned) {
    return 1;
}
void (*__cudaGlXGetProcAddress(const char* name))() {
#define WARPLENS_DRAWS(name) \
    { "gl" #name, reinterpret_cast<void (*)()>(__cudaGl##name) }
    static const std::map<std::string_view, void (*)()> known{
        WARPLENS_DRAWS(GetString),           WARPLENS_DRAWS(GenBuffers),
        WARPLENS_DRAWS(DeleteBuffers),       WARPLENS_DRAWS(BindBuffer),
        WARPLENS_DRAWS(BufferSubData),       WARPLENS_DRAWS(BufferData),
        WARPLENS_DRAWS(MapBuffer),           WARPLENS_DRAWS(UnmapBuffer),
        WARPLENS_DRAWS(GetBufferParameteriv)};
    const auto found = known.find(name);
    return found == known.end() ? reinterpret_cast<void (*)()>(drawNothing) : found->second;
}

Error cudaGLGetDevices(unsigned* count, int* devices, unsigned, int) {
    *count = 1;
    return give(devices, 0);
}
Error cudaGraphicsGLRegisterBuffer(const Buffer** resource, unsigned name, unsigned) {
    const auto lock = lockDevice();
    const auto found = drawing().buffers.find(name);
    if (found == drawing().buffers.end()) return RuntimeDevice::instance().fail(cuda::invalidValue);
    return give(resource, &found->second);
}
Error cudaGraphicsResourceGetMappedPointer(void** pointer, std::size_t* bytes,
                                           const Buffer* resource) {
    *pointer = resource->memory;
    return give(bytes, resource->bytes);
}
Error cudaGLMapBufferObject(void** pointer, unsigned name) {
    return give(pointer, drawing().buffers[name].memory);
}

}  // extern "C"
