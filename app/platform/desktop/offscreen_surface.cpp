#include "app/platform/desktop/offscreen_surface.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <array>
#include <cstring>
#include <string_view>
#include <sys/resource.h>

#include "app/platform/gl.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

/// 0.7 GiB is what Mesa 22.3 takes with two processors; each further one adds its threads' stacks.
constexpr rlim_t leastAddressSpace = 1u << 30;

/// A driver that draws on the processor ends the program where it may address less memory than that
/// takes (`ulimit -v`), or writes where it must not, as Mesa's.
void requireAddressSpace() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur >= leastAddressSpace) return;
    throw WindowUnavailable("this process may address " + formatBytes(limit.rlim_cur) +
                            " (ulimit -v): at least " + formatBytes(leastAddressSpace) +
                            " to draw with OpenGL");
}

bool contains(const char* extensions, std::string_view name) {
    return extensions != nullptr && std::string_view(extensions).find(name) != std::string::npos;
}

/// The displays to try, best first: each GPU without a window system, Mesa's surfaceless platform,
/// and whatever the environment calls the default.
std::vector<std::pair<std::string, EGLDisplay>> candidates() {
    std::vector<std::pair<std::string, EGLDisplay>> found;
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    const auto platformDisplay = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
        eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (platformDisplay != nullptr && contains(extensions, "EGL_EXT_platform_device")) {
        const auto queryDevices =
            reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
        std::array<EGLDeviceEXT, 16> devices{};
        EGLint count = 0;
        if (queryDevices != nullptr &&
            queryDevices(static_cast<EGLint>(devices.size()), devices.data(), &count) == EGL_TRUE) {
            for (EGLint i = 0; i < count; ++i) {
                found.emplace_back(
                    "EGL device " + std::to_string(i),
                    platformDisplay(EGL_PLATFORM_DEVICE_EXT,
                                    devices.at(static_cast<std::size_t>(i)), nullptr));
            }
        }
    }
    if (platformDisplay != nullptr && contains(extensions, "EGL_MESA_platform_surfaceless")) {
        found.emplace_back("EGL surfaceless", platformDisplay(EGL_PLATFORM_SURFACELESS_MESA,
                                                              EGL_DEFAULT_DISPLAY, nullptr));
    }
    found.emplace_back("EGL default display", eglGetDisplay(EGL_DEFAULT_DISPLAY));
    return found;
}

}  // namespace

class OffscreenSurface::EglContext final {
  public:
    EglContext() {
        requireAddressSpace();
        std::string tried;
        for (const auto& [name, display] : candidates()) {
            const char* problem = open(display);
            if (problem == nullptr) return;
            tried += (tried.empty() ? "" : "; ") + name + ": " + problem;
        }
        throw WindowUnavailable("no OpenGL 3.3 to draw offscreen with (" + tried + ")",
                                howToGetOpenGl);
    }
    EglContext(EglContext&&) = delete;
    ~EglContext() { close(); }

  private:
    /// Null when the context is current, else what could not be had.
    const char* open(EGLDisplay display) {
        if (display == EGL_NO_DISPLAY) return "no display";
        if (eglInitialize(display, nullptr, nullptr) == EGL_FALSE) return "does not initialise";
        display_ = display;
        const char* problem = makeCurrent();
        if (problem != nullptr) close();
        return problem;
    }

    const char* makeCurrent() {
        if (eglBindAPI(EGL_OPENGL_API) == EGL_FALSE) return "has no desktop OpenGL";
        constexpr std::array<EGLint, 5> wantedConfig{EGL_SURFACE_TYPE, EGL_PBUFFER_BIT,
                                                     EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
        EGLConfig config = nullptr;
        EGLint count = 0;
        if (eglChooseConfig(display_, wantedConfig.data(), &config, 1, &count) == EGL_FALSE ||
            count == 0) {
            return "has no configuration for OpenGL";
        }
        constexpr std::array<EGLint, 7> wantedContext{EGL_CONTEXT_MAJOR_VERSION,
                                                      3,
                                                      EGL_CONTEXT_MINOR_VERSION,
                                                      3,
                                                      EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                                      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                                      EGL_NONE};
        context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, wantedContext.data());
        if (context_ == EGL_NO_CONTEXT) return "has no OpenGL 3.3 core";
        if (!contains(eglQueryString(display_, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context")) {
            constexpr std::array<EGLint, 5> one{EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
            surface_ = eglCreatePbufferSurface(display_, config, one.data());
        }
        if (eglMakeCurrent(display_, surface_, surface_, context_) == EGL_FALSE) {
            return "does not make its context current";
        }
        if (gladLoadGL(reinterpret_cast<GLADloadfunc>(eglGetProcAddress)) == 0) {
            return "gives no OpenGL functions";
        }
        return nullptr;
    }

    void close() {
        if (display_ == EGL_NO_DISPLAY) return;
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (surface_ != EGL_NO_SURFACE) eglDestroySurface(display_, surface_);
        if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
        // eglTerminate is left out: it would pull the display from under any other user of it in
        // this process, and the process's end does the same.
        display_ = EGL_NO_DISPLAY;
        context_ = EGL_NO_CONTEXT;
        surface_ = EGL_NO_SURFACE;
    }

    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
    EGLSurface surface_ = EGL_NO_SURFACE;
};

OffscreenSurface::OffscreenSurface(PixelSize size)
    : size_(size), context_(std::make_unique<EglContext>()) {
    GLint largest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (size.width < 1 || size.height < 1 || size.width > largest || size.height > largest) {
        throw WindowUnavailable("a picture of " + std::to_string(size.width) + "x" +
                                std::to_string(size.height) + " pixels; this OpenGL draws up to " +
                                std::to_string(largest) + " a side");
    }
    // A texture, because a renderbuffer cannot ask for this order of bytes: the one that windows
    // have, and for which a software rasteriser draws rectangles in a shorter way.
    glGenTextures(1, &colorBuffer_);
    glBindTexture(GL_TEXTURE_2D, colorBuffer_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size.width, size.height, 0, GL_BGRA, GL_UNSIGNED_BYTE,
                 nullptr);
    glBindTexture(GL_TEXTURE_2D, 0);
    glGenFramebuffers(1, &framebuffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colorBuffer_, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        throw WindowUnavailable("the offscreen framebuffer is not complete");
    }
}

OffscreenSurface::~OffscreenSurface() {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteTextures(1, &colorBuffer_);
}

void OffscreenSurface::bind() {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glViewport(0, 0, size_.width, size_.height);
}

void OffscreenSurface::present() {
    glFinish();
}

std::vector<unsigned char> OffscreenSurface::readPixels() const {
    const auto rowBytes = static_cast<std::size_t>(size_.width) * 3;
    const auto rows = static_cast<std::size_t>(size_.height);
    std::vector<unsigned char> upwards(rowBytes * rows);
    std::vector<unsigned char> pixels(rowBytes * rows);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, size_.width, size_.height, GL_RGB, GL_UNSIGNED_BYTE, upwards.data());
    for (std::size_t row = 0; row < rows; ++row) {
        std::memcpy(&pixels[row * rowBytes], &upwards[(rows - 1 - row) * rowBytes], rowBytes);
    }
    return pixels;
}

std::string OffscreenSurface::renderer() const {
    return reinterpret_cast<const char*>(glGetString(GL_RENDERER));
}

}  // namespace warplens::window
