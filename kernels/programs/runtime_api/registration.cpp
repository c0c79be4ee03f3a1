// What nvcc's code calls before main: it hands over the PTX, and says which kernel and variable of
// the device each function and variable of the host stands for.
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <vector>

#include "kernels/programs/runtime_api/device.h"
#include "kernels/programs/runtime_api/fat_binary.h"
#include "kernels/programs/runtime_api/report.h"

using namespace warplens;
using namespace warplens::programs;

namespace {

std::vector<void (*)()> drawing;  ///< a program's functions, by GLUT

/// A kernel of a program whose host's half was compiled by itself (host_part.h).
struct PlainKernel final {
    const char* stub;
    const char* name;
};

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
/// In place of OpenGL and its windows, which are not opened; `draws` is called once for each
/// picture.
void __cudaDrawn(void (*draws)()) {
    const auto lock = lockDevice();
    sendNote(
        "the program draws with OpenGL: its window is not opened, and its picture is drawn once");
    if (draws != nullptr) drawing.push_back(draws);
}
void __cudaDrawAll() {
    for (void (*draws)() : drawing) draws();
    std::exit(0);
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
/// Managed variables have their first values from here on.
char __cudaInitModule(void**) {
    const auto lock = lockDevice();
    static_cast<void>(RuntimeDevice::instance().compiled());
    return 1;
}

}  // extern "C"
