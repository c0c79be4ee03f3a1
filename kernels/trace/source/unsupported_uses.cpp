#include "kernels/trace/source/unsupported_uses.h"

#include <array>
#include <utility>

namespace warplens::source {
namespace {

/// The library, one that cannot be traced, whose header the directive at `at` includes; else empty.
std::string_view libraryIncluded(std::string_view text, std::size_t at) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    if (line.find("include") == nowhere || line.find("include") > 8) return {};
    struct Library final {
        std::string_view prefix;
        std::string_view name;
    };
    static constexpr std::array<Library, 14> libraries{{{"<thrust/", "Thrust"},
                                                        {"<cub/", "CUB"},
                                                        {"<cublas", "cuBLAS"},
                                                        {"<cufft", "cuFFT"},
                                                        {"<curand", "cuRAND"},
                                                        {"<cusparse", "cuSPARSE"},
                                                        {"<cusolver", "cuSOLVER"},
                                                        {"<cudnn", "cuDNN"},
                                                        {"<nccl", "NCCL"},
                                                        {"<mma.h", "tensor-core intrinsics"},
                                                        {"<cuda/", "libcu++"},
                                                        {"<nvrtc", "NVRTC"},
                                                        {"<npp", "NPP"},
                                                        {"<mpi.h", "MPI"}}};
    for (const Library& library : libraries) {
        std::size_t found = line.find(library.prefix);
        if (found == nowhere) {
            std::string quotedPrefix(library.prefix);
            quotedPrefix[0] = '"';
            found = line.find(quotedPrefix);
        }
        if (found != nowhere) return library.name;
    }
    return {};
}

}  // namespace

std::vector<UnsupportedUse> unsupportedUsesIn(std::string_view text, std::string_view masked) {
    std::vector<UnsupportedUse> found;
    const auto refuse = [&](std::size_t at, std::string words) {
        found.push_back({std::move(words), placeAt(masked, at)});
    };
    struct Known final {
        std::string_view word;
        std::string_view words;
    };
    static constexpr std::array<Known, 23> known{
        {{"tex1D", "texture reads cannot be traced"},
         {"tex1Dfetch", "texture reads cannot be traced"},
         {"tex2D", "texture reads cannot be traced"},
         {"tex3D", "texture reads cannot be traced"},
         {"cudaTextureObject_t", "textures cannot be traced"},
         {"cudaSurfaceObject_t", "surfaces cannot be traced"},
         {"cudaBindTexture", "textures cannot be traced"},
         {"cudaMallocArray", "CUDA arrays cannot be traced"},
         {"surf2Dwrite", "surface writes cannot be traced"},
         {"surf2Dread", "surface reads cannot be traced"},
         {"cudaGraphLaunch", "CUDA graphs cannot be traced"},
         {"cudaGraphicsMapResources", "graphics interoperability cannot be traced"},
         {"cuLaunchKernel", "the driver API cannot be traced"},
         {"cuModuleLoad", "the driver API cannot be traced"},
         {"cuInit", "the driver API cannot be traced"},
         {"cuDeviceGet", "the driver API cannot be traced"},
         {"cuCtxGetDevice", "the driver API cannot be traced"},
         {"cudaIpcMemHandle_t", "memory shared between processes cannot be traced"},
         {"cudaMemPoolCreate", "memory pools of the program's own cannot be traced"},
         {"cudaMemPoolSetAccess", "memory of several devices cannot be traced"},
         {"memcpy_async", "asynchronous copies to shared memory cannot be traced"},
         {"wmma", "tensor-core intrinsics cannot be traced"},
         {"__nv_fp8_e4m3", "8-bit floating-point numbers cannot be traced"}}};
    for (const Known& entry : known) {
        if (const std::size_t at = findWord(masked, entry.word); at != nowhere) {
            refuse(at, std::string(entry.words) + ": " + std::string(entry.word));
        }
    }
    for (const std::string_view word : {"asm", "__asm__", "__asm"}) {
        if (const std::size_t at = findWord(masked, word); at != nowhere) {
            refuse(at, "inline PTX cannot be traced");
            break;
        }
    }
    for (std::size_t at = masked.find("#"); at != nowhere; at = masked.find('#', at + 1)) {
        if (const std::string_view library = libraryIncluded(text, at); !library.empty()) {
            refuse(at, std::string(library) + " cannot be traced");
        }
    }
    return found;
}

}  // namespace warplens::source
