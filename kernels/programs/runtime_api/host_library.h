#pragma once

#include <cstddef>

#include "kernels/programs/runtime_api/device.h"
#include "kernels/programs/runtime_api/report.h"

namespace warplens::programs {

/// Where `count` values are that a closed library of NVIDIA's is given, of the device or the host;
/// null where they are not all there. The memory counts as written.
template <class T>
T* libraryMemory(const void* pointer, std::size_t count) {
    RuntimeDevice& device = RuntimeDevice::instance();
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const ptx::Allocation* array = device.memory().find(address);
    if (array == nullptr)
        return address >= 1ull << 47 ? nullptr : static_cast<T*>(const_cast<void*>(pointer));
    if (array->freed || !array->holds(address, count * sizeof(T))) return nullptr;
    device.noteWritten(address, count * sizeof(T));
    return reinterpret_cast<T*>(array->data + (address - array->address));
}

/// Says so once of each library.
inline void noteLibrary(const char* library) {
    sendNote(std::string("what ") + library +
             " does is a library's work: done here on the host, and not counted");
}

}  // namespace warplens::programs
