// nvrtc_compile LIBRARY TEXT NAME OPTIMISED DEBUG [OPTION...]: compiles the file TEXT, called NAME,
// by NVRTC, as nvcc does with -lineinfo and with -G, to the two PTX files; 1 where that cannot be.
// A program of its own, since it runs in the compiler's sandbox; it takes a tenth of nvcc's time.
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace {

struct Nvrtc final {
    int (*create)(void** program, const char* text, const char* name, int, const char* const*,
                  const char* const*);
    int (*compile)(void* program, int count, const char* const* options);
    int (*size)(void* program, std::size_t* bytes);
    int (*ptx)(void* program, char* text);
};

template <class Function>
bool find(void* library, Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

/// The file's text with a zero behind it; null where it cannot be read.
char* read(const char* path) {
    std::FILE* file = std::fopen(path, "rb");
    if (file == nullptr || std::fseek(file, 0, SEEK_END) != 0) return nullptr;
    const auto bytes = static_cast<std::size_t>(std::ftell(file));
    std::rewind(file);
    auto* text = static_cast<char*>(std::calloc(bytes + 1, 1));
    const bool isWhole = text != nullptr && std::fread(text, 1, bytes, file) == bytes;
    std::fclose(file);
    return isWhole ? text : nullptr;
}

bool compile(const Nvrtc& nvrtc, const char* text, const char* name, int count,
             const char* const* options, const char* to) {
    void* program = nullptr;
    std::size_t bytes = 0;
    if (nvrtc.create(&program, text, name, 0, nullptr, nullptr) != 0 ||
        nvrtc.compile(program, count, options) != 0 || nvrtc.size(program, &bytes) != 0)
        return false;
    auto* ptx = static_cast<char*>(std::malloc(bytes));
    if (ptx == nullptr || nvrtc.ptx(program, ptx) != 0) return false;
    std::FILE* file = std::fopen(to, "wb");
    if (file == nullptr) return false;
    const bool isWhole = std::fwrite(ptx, 1, bytes - 1, file) == bytes - 1;
    return std::fclose(file) == 0 && isWhole;
}

}  // namespace

int main(int count, char** words) {
    if (count < 6) return 1;
    void* library = dlopen(words[1], RTLD_NOW);
    const char* text = read(words[2]);
    Nvrtc nvrtc{};
    if (library == nullptr || text == nullptr ||
        !find(library, nvrtc.create, "nvrtcCreateProgram") ||
        !find(library, nvrtc.compile, "nvrtcCompileProgram") ||
        !find(library, nvrtc.size, "nvrtcGetPTXSize") || !find(library, nvrtc.ptx, "nvrtcGetPTX"))
        return 1;
    // The place of the last file's name is that of the option that differs.
    char** options = words + 5;
    const char* const optimised = words[4];
    const char* const debug = words[5];
    options[0] = const_cast<char*>("-lineinfo");
    if (!compile(nvrtc, text, words[3], count - 5, options, optimised)) return 1;
    options[0] = const_cast<char*>("-G");
    const bool isDone = compile(nvrtc, text, words[3], count - 5, options, debug);
    std::fflush(nullptr);
    _Exit(isDone ? 0 : 1);  // what NVRTC has is the system's to free
}
