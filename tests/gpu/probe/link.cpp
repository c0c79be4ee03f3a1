#include "tests/gpu/probe/link.h"

#include <cstdint>
#include <dlfcn.h>

#include "kernels/device/compile.h"

namespace warplens {
namespace {

/// nvJitLink's functions (nvJitLink documentation, "User Interface").
struct JitLinkLibrary final {
    struct Link;  ///< opaque
    int (*create)(Link** link, std::uint32_t optionCount, const char** options) = nullptr;
    int (*destroy)(Link** link) = nullptr;
    int (*addData)(Link* link, int inputType, const void* data, std::size_t size,
                   const char* name) = nullptr;
    int (*complete)(Link* link) = nullptr;
    int (*linkedCubinSize)(Link* link, std::size_t* size) = nullptr;
    int (*linkedCubin)(Link* link, void* cubin) = nullptr;
    int (*errorLogSize)(Link* link, std::size_t* size) = nullptr;
    int (*errorLog)(Link* link, char* log) = nullptr;

    JitLinkLibrary() {
        void* const library = openCudaLibrary("libnvJitLink.so.13");
        if (library == nullptr) {
            throw CompilerUnavailable(
                "libnvJitLink.so.13 not found; install the CUDA Toolkit 13, or `pip install "
                "nvidia-nvjitlink`");
        }
        find(library, create, "nvJitLinkCreate");
        find(library, destroy, "nvJitLinkDestroy");
        find(library, addData, "nvJitLinkAddData");
        find(library, complete, "nvJitLinkComplete");
        find(library, linkedCubinSize, "nvJitLinkGetLinkedCubinSize");
        find(library, linkedCubin, "nvJitLinkGetLinkedCubin");
        find(library, errorLogSize, "nvJitLinkGetErrorLogSize");
        find(library, errorLog, "nvJitLinkGetErrorLog");
    }

  private:
    template <class Function>
    static void find(void* library, Function& function, const char* name) {
        function = reinterpret_cast<Function>(dlsym(library, name));
        if (function == nullptr) {
            throw CompilerUnavailable(std::string("libnvJitLink.so.13 has no ") + name);
        }
    }
};

constexpr int jitLinkInputPtx = 2;  ///< NVJITLINK_INPUT_PTX

/// Owns one link.
class JitLink final {
  public:
    JitLink(const JitLinkLibrary& library, const std::vector<std::string>& options)
        : library_(library) {
        std::vector<const char*> texts;
        for (const std::string& option : options) texts.push_back(option.c_str());
        require(library_.create(&link_, static_cast<std::uint32_t>(texts.size()), texts.data()),
                "nvJitLinkCreate");
    }
    JitLink(const JitLink&) = delete;
    JitLink& operator=(const JitLink&) = delete;
    ~JitLink() { library_.destroy(&link_); }

    void require(int result, const char* call) const {
        if (result == 0) return;
        std::string words = std::string(call) + ": error " + std::to_string(result);
        std::size_t size = 0;
        if (link_ != nullptr && library_.errorLogSize(link_, &size) == 0 && size > 1) {
            std::string log(size, '\0');
            if (library_.errorLog(link_, log.data()) == 0) words += "\n" + log.substr(0, size - 1);
        }
        throw CompileError(words);
    }
    [[nodiscard]] JitLinkLibrary::Link* handle() const { return link_; }

  private:
    const JitLinkLibrary& library_;
    JitLinkLibrary::Link* link_ = nullptr;
};

}  // namespace

std::string linkPtx(const std::vector<PtxPart>& parts, int computeCapability,
                    unsigned mostRegisters) {
    static const JitLinkLibrary library;  // a failed attempt throws and is made again next time
    std::vector<std::string> options{"-arch=sm_" + std::to_string(computeCapability)};
    if (mostRegisters != 0) options.push_back("-maxrregcount=" + std::to_string(mostRegisters));
    const JitLink link(library, options);
    for (const PtxPart& part : parts) {
        // With the closing zero, as PTX wants it.
        link.require(library.addData(link.handle(), jitLinkInputPtx, part.ptx.c_str(),
                                     part.ptx.size() + 1, part.name.c_str()),
                     "nvJitLinkAddData");
    }
    link.require(library.complete(link.handle()), "nvJitLinkComplete");
    std::size_t size = 0;
    link.require(library.linkedCubinSize(link.handle(), &size), "nvJitLinkGetLinkedCubinSize");
    std::string cubin(size, '\0');
    link.require(library.linkedCubin(link.handle(), cubin.data()), "nvJitLinkGetLinkedCubin");
    return cubin;
}

}  // namespace warplens
