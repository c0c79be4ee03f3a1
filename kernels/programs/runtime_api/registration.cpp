// What nvcc's code calls before main: it hands over the PTX, and says which kernel and variable of
// the device each function and variable of the host stands for.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

#include "kernels/programs/runtime_api/device.h"
#include "kernels/programs/runtime_api/report.h"

using namespace warplens;
using namespace warplens::programs;
using cuda::Error;

namespace {

/// A kernel of a program whose host's half was compiled by itself (program_halves.h).
struct PlainKernel final {
    const char* stub;
    const char* name;
};

// The layout is not documented; it is the same from CUDA 11 to 13.
constexpr std::uint32_t containerMagic = 0xba55ed50;
constexpr std::uint16_t ptxKind = 1;
constexpr std::uint64_t compressedFlags = 0xb000;

struct Wrapper final {
    std::uint32_t magic;
    std::uint32_t version;
    const std::byte* container;
    const void* const* linked;  ///< of version 2: containers of `-rdc` objects, null at the end
};
struct ContainerHead final {
    std::uint32_t magic;
    std::uint16_t version;
    std::uint16_t headBytes;
    std::uint64_t bytes;  ///< behind the head
};
struct EntryHead final {
    std::uint16_t kind;
    std::uint16_t version;
    std::uint32_t headBytes;
    std::uint64_t bytes;  ///< behind the head
    std::uint64_t others[3];
    std::uint64_t flags;
};

template <typename Head>
Head headAt(const std::byte* at) {
    Head head;
    std::memcpy(&head, at, sizeof head);
    return head;
}

void addTexts(const std::byte* container, std::vector<std::string>& texts) {
    const auto head = headAt<ContainerHead>(container);
    if (head.magic != containerMagic) return;
    const std::byte* at = container + head.headBytes;
    const std::byte* end = at + head.bytes;
    while (end - at >= static_cast<std::ptrdiff_t>(sizeof(EntryHead))) {
        if (headAt<std::uint32_t>(at) == containerMagic) {
            addTexts(at, texts);
            at += sizeof(ContainerHead) + headAt<ContainerHead>(at).bytes;
            continue;
        }
        const auto entry = headAt<EntryHead>(at);
        const char* text = reinterpret_cast<const char*>(at + entry.headBytes);
        if (entry.kind == ptxKind && (entry.flags & compressedFlags) == 0) {
            texts.emplace_back(text, strnlen(text, entry.bytes));
        }
        at += entry.headBytes + entry.bytes;
    }
}

/// The PTX texts in what nvcc hands to `__cudaRegisterFatBinary`, in their order. Compressed ones
/// are left out: programs are compiled with `--no-compress`.
std::vector<std::string> ptxIn(const void* wrapper) {
    const auto& head = *static_cast<const Wrapper*>(wrapper);
    std::vector<std::string> texts;
    addTexts(head.container, texts);
    if (head.version == 2 && head.linked != nullptr) {
        for (const void* const* each = head.linked; *each != nullptr; ++each) {
            addTexts(static_cast<const std::byte*>(*each), texts);
        }
    }
    return texts;
}

}  // namespace

extern "C" {

/// Of such a program, linked into it.
__attribute__((weak)) extern const char __cudaPlainPtx[];
__attribute__((weak)) extern const PlainKernel __start_warplens_kernels[];
__attribute__((weak)) extern const PlainKernel __stop_warplens_kernels[];

/// Before what the program's own variables do first.
__attribute__((constructor(101))) static void registerPlainKernels() {
    if (__cudaPlainPtx == nullptr) return;
    const auto lock = lockDevice();
    RuntimeDevice& device = RuntimeDevice::instance();
    device.addModule({std::string(__cudaPlainPtx)});
    for (const PlainKernel* each = __start_warplens_kernels; each != __stop_warplens_kernels;
         ++each)
        device.addKernel(each->stub, each->name);
}

void** __cudaRegisterFatBinary(void* wrapper) {
    const auto lock = lockDevice();
    RuntimeDevice::instance().addModule(ptxIn(wrapper));
    static void* handle = nullptr;
    return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}

void __cudaRegisterFunction(void**, const char* stub, char*, const char* name, int, void*, void*,
                            void*, void*, int*) {
    const auto lock = lockDevice();
    RuntimeDevice::instance().addKernel(stub, name);
}
void __cudaRegisterVar(void**, char* shadow, char*, const char* name, int, std::size_t bytes, int,
                       int) {
    const auto lock = lockDevice();
    RuntimeDevice::instance().addVariable(shadow, name, bytes);
}
void __cudaRegisterManagedVar(void**, void** shadow, char*, const char* name, int,
                              std::size_t bytes, int, int) {
    const auto lock = lockDevice();
    *shadow = RuntimeDevice::instance().addManagedVariable(shadow, name, bytes);
}
/// What objects that are to be linked register by themselves: their PTX, and then the rest.
void __cudaRegisterLinked(void (*registerRest)(void**), void* binary) {
    registerRest(__cudaRegisterFatBinary(binary));
}
/// The program is for an older version of CUDA (removed.h).
void __cudaReplaced(const char* name, const char* by) {
    const auto lock = lockDevice();
    sendNote(
        std::string(name) + " is not in this version of CUDA any more: " + by + " takes its place",
        callers());
}
/// In place of a function that is not here.
int __cudaNotModelled(const char* name) {
    const auto lock = lockDevice();
    sendFinding(FindingKind::notSupported, "the program calls " + std::string(name) +
                                               ", which is not modelled: it returns an error");
    return RuntimeDevice::instance().fail(cuda::notSupported);
}
/// In place of a function of another's library.
void __cudaNotLinked(const char* name) {
    const auto lock = lockDevice();
    sendFinding(FindingKind::notSupported,
                "the program calls " + std::string(name) +
                    ", a function of a library that is not linked: it ends here");
    std::fflush(stdout);
    constexpr int notLinked = 125;
    _exit(notLinked);
}
/// A program that uses MPI is a world of one process, without a library of it.
void __cudaOneProcess() {
    const auto lock = lockDevice();
    sendNote("the program uses MPI: here it is a world of one process");
}
/// PTX that the program loads by itself, or what holds some. All modules share their names.
Error cuModuleLoadData(const void** module, const void* image) {
    const auto lock = lockDevice();
    constexpr std::uint32_t wrapperMagic = 0x466243b1;
    constexpr std::uint32_t binaryMagic = 0x464c457f;
    constexpr auto noBinary = static_cast<Error>(209);
    *module = image;
    const auto* bytes = static_cast<const std::byte*>(image);
    const auto magic = headAt<std::uint32_t>(bytes);
    std::vector<std::string> texts;
    if (magic == wrapperMagic)
        texts = ptxIn(image);
    else if (magic == containerMagic)
        addTexts(bytes, texts);
    else if (magic != binaryMagic)
        texts.emplace_back(static_cast<const char*>(image));
    if (!texts.empty()) return RuntimeDevice::instance().load(std::move(texts));
    sendFinding(FindingKind::notSupported,
                "the program loads a module without PTX, which alone is run here");
    return noBinary;
}
/// Managed variables have their first values from here on.
char __cudaInitModule(void**) {
    const auto lock = lockDevice();
    static_cast<void>(RuntimeDevice::instance().compiled());
    return 1;
}

}  // extern "C"
