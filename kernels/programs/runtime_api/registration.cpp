// What nvcc's code calls before main: it hands over the PTX, and says which kernel and variable of
// the device each function and variable of the host stands for.
#include "kernels/programs/runtime_api/device.h"
#include "kernels/programs/runtime_api/fat_binary.h"
#include "kernels/programs/runtime_api/report.h"

using namespace warplens;
using namespace warplens::programs;

extern "C" {

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
/// In place of a function that is not here.
int __cudaNotModelled(const char* name) {
    const auto lock = lockDevice();
    sendFinding(FindingKind::notSupported,
                "the program calls " + std::string(name) + ", which is not modelled: it returns an error");
    return RuntimeDevice::instance().fail(cuda::notSupported);
}
/// Managed variables have their first values from here on.
char __cudaInitModule(void**) {
    const auto lock = lockDevice();
    static_cast<void>(RuntimeDevice::instance().compiled());
    return 1;
}

}  // extern "C"
