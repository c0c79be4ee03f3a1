// To be preloaded: no file with STAND_IN_MISSING in its name can be opened as a library.
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

extern "C" void* dlopen(const char* file, int mode) noexcept {
    const char* const missing = std::getenv("STAND_IN_MISSING");
    if (file != nullptr && missing != nullptr && std::strstr(file, missing) != nullptr) {
        return nullptr;
    }
    using Function = void* (*)(const char*, int);
    static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "dlopen"));
    return next(file, mode);
}
