#include "kernels/programs/missing_parts.h"

#include <map>
#include <regex>
#include <set>
#include <system_error>

#include "core/launch/launch.h"
#include "core/program/cuda_tokens.h"
#include "kernels/programs/program_text.h"
#include "kernels/programs/reachable_files.h"

namespace warplens::programs {

namespace fs = std::filesystem;

std::string missingFunctions(const std::string& output) {
    static const std::regex missing(R"(undefined reference to [`']([A-Za-z_]\w*)')");
    static const std::regex ofNvidia(
        "cu[A-Z]\\w*|cu(da|blas|fft|rand|sparse|solver|dnn|tensor|pti)[A-Z]\\w*|"
        "(nccl|npp|nvrtc|nvml|nvJitLink|nvjpeg|nvtx|NVTX)\\w*");
    static const std::regex drawing("(gl|glut|glew|glu|glX)[A-Z]\\w*");
    static const std::map<std::string, std::string> ofMpi{
        {"MPI_Init", "int MPI_Init() { __cudaOneProcess(); return 0; }\n"},
        {"MPI_Init_thread",
         "int MPI_Init_thread(void*, void*, int level, int* given) "
         "{ __cudaOneProcess(); *given = level; return 0; }\n"},
        {"MPI_Comm_size", "int MPI_Comm_size(void*, int* size) { *size = 1; return 0; }\n"},
        {"MPI_Comm_rank", "int MPI_Comm_rank(void*, int* rank) { *rank = 0; return 0; }\n"},
        {"MPI_Barrier", "int MPI_Barrier() { return 0; }\n"},
        {"MPI_Bcast", "int MPI_Bcast() { return 0; }\n"},
        {"MPI_Finalize", "int MPI_Finalize() { return 0; }\n"},
        {"MPI_Wtime", "long clock(); double MPI_Wtime() { return clock() / 1e6; }\n"}};
    std::set<std::string> names;
    for (auto at = std::sregex_iterator(output.begin(), output.end(), missing);
         at != std::sregex_iterator(); ++at)
        names.insert((*at)[1]);
    names.erase("main");
    if (names.empty()) return {};
    std::string text =
        "extern \"C\" {\nint __cudaNotModelled(const char*);\nvoid __cudaNotLinked(const char*);\n"
        "void __cudaRegisterLinked(void (*)(void**), void*);\n"
        "void __cudaDrawn(void (*)());\nvoid __cudaDrawAll();\nvoid __cudaOneProcess();\n";
    for (const std::string& name : names) {
        if (name.starts_with("__cudaRegisterLinkedBinary"))
            text += "void " + name +
                    "(void (*registered)(void**), void* binary, void*, void*) "
                    "{ __cudaRegisterLinked(registered, binary); }\n";
        else if (name == "glutDisplayFunc" || name == "glutIdleFunc")
            text += "void " + name + "(void (*draws)()) { __cudaDrawn(draws); }\n";
        else if (name == "glutMainLoop")
            text += "void glutMainLoop() { __cudaDrawAll(); }\n";
        else if (name.starts_with("__glew"))  // a pointer to it
            text += "__attribute__((weak)) int gl" + name.substr(6) +
                    "() { __cudaDrawn(0); return 0; }\nint (*" + name + ")() = gl" +
                    name.substr(6) + ";\n";
        else if (ofMpi.contains(name))
            text += ofMpi.at(name);
        else if (std::regex_match(name, drawing))
            text += "int " + name + "() { __cudaDrawn(0); return 0; }\n";
        else if (std::regex_match(name, ofNvidia))
            text += "int " + name + "() { return __cudaNotModelled(\"" + name + "\"); }\n";
        else
            text += "void " + name + "() { __cudaNotLinked(\"" + name + "\"); }\n";
    }
    return text + "}\n";
}

std::string withPackages(std::string words) {
    static const std::regex missing(
        R"re(fatal error: ([\w./+-]+): No such file|could not open source file "([\w./+-]+)")re");
    static constexpr std::pair<std::string_view, std::string_view> packages[] = {
        {"GL/glew.h", "libglew-dev"},
        {"GL/glut.h", "freeglut3-dev"},
        {"GL/freeglut.h", "freeglut3-dev"},
        {"GL/gl.h", "libgl-dev"},
        {"GLFW/", "libglfw3-dev"},
        {"EGL/", "libegl-dev"},
        {"vulkan/", "libvulkan-dev"},
        {"X11/", "libx11-dev"},
        {"mpi.h", "libmpich-dev, in a folder for -I,"},
        {"opencv", "libopencv-dev"},
        {"FreeImage.h", "libfreeimage-dev"},
        {"boost/", "libboost-all-dev"},
        {"png.h", "libpng-dev"},
        {"jpeglib.h", "libjpeg-dev"},
        {"zlib.h", "zlib1g-dev"},
        {"gsl/", "libgsl-dev"},
        {"fftw3.h", "libfftw3-dev"},
        {"cblas.h", "libopenblas-dev"},
        {"Eigen/", "libeigen3-dev"},
        {"SDL2/", "libsdl2-dev"},
        {"cudnn", "NVIDIA's cuDNN"},
        {"npp", "the CUDA toolkit's libnpp-dev"},
        {"cutlass/", "NVIDIA's CUTLASS, a folder for -I"},
        {"torch/", "PyTorch's folder include, for -I,"},
        {"helper_", "the vendor's samples, their folder Common for -I"}};
    std::smatch found;
    if (!std::regex_search(words, found, missing)) return words;
    const std::string header = found[1].matched ? found[1] : found[2];
    for (const auto& [begin, package] : packages) {
        if (!header.starts_with(begin)) continue;
        return words + "the header " + header + " is not here: " + std::string(package) +
               " has it\n";
    }
    return words;
}

std::vector<fs::path> definersOf(const std::string& output, const ProgramSources& sources,
                                 const std::vector<fs::path>& named) {
    static const std::regex missing(R"(undefined reference to [`'](?:[^'(]*::)?(\w+))");
    std::set<std::string> names;
    for (auto at = std::sregex_iterator(output.begin(), output.end(), missing);
         at != std::sregex_iterator(); ++at)
        names.insert((*at)[1]);
    std::set<fs::path> known;
    std::set<fs::path> folders;
    for (const auto* files : {&sources.units, &sources.headers}) {
        for (const ProgramFile& file : *files) {
            known.insert(wholePath(file.path));
            folders.insert(wholePath(file.path).parent_path());
        }
    }
    std::set<fs::path> found;
    const auto addFrom = [&](const std::set<fs::path>& files) {
        std::map<std::string, std::set<fs::path>> definers;
        static const std::set<fs::path> endings{".cu", ".cpp", ".cc", ".cxx", ".c"};
        for (const fs::path& file : files) {
            std::error_code error;
            if (!endings.contains(file.extension()) || known.contains(file) ||
                !fs::is_regular_file(file, error))
                continue;
            std::string text;
            try {
                text = source::maskedText(programText(file, file.string()));
            } catch (const InvalidRequest&) {
                continue;  // no text
            }
            if (definesMain(text)) continue;
            for (const std::string& name : names) {
                if (definesFunction(text, name)) definers[name].insert(file);
            }
        }
        for (const auto& [name, those] : definers) {
            names.erase(name);
            if (those.size() == 1) found.insert(*those.begin());
        }
    };
    std::set<fs::path> files;
    for (const fs::path& file : named) files.insert(wholePath(file));
    addFrom(files);
    files.clear();
    for (const fs::path& folder : folders) {
        std::error_code error;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
            files.insert(entry.path());
    }
    addFrom(files);
    return {found.begin(), found.end()};
}

fs::path nvrtcOf(const CudaCompiler& compiler) {
    std::error_code error;
    const fs::path toolkit = fs::canonical(compiler.nvcc, error).parent_path().parent_path();
    for (const fs::path& folder :
         {toolkit / "lib64", toolkit / "lib", toolkit.parent_path() / "cuda_nvrtc/lib"}) {
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
            if (entry.path().filename().string().starts_with("libnvrtc.so")) return entry.path();
        }
    }
    return {};
}

}  // namespace warplens::programs
