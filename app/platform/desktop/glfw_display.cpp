#include "app/platform/desktop/glfw_display.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <backends/imgui_impl_glfw.h>
#include <cairo.h>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <imgui.h>
#include <string_view>
#include <utility>

#include "app/platform/gl.h"

#include "embedded/warplens_display.h"

namespace warplens::window {
namespace {

std::string glfwReason() {
    const char* reason = nullptr;
    glfwGetError(&reason);
    return reason == nullptr ? "no reason given" : reason;
}

/// Without the name of a Wayland display there is none: asked for it, libwayland would complain on
/// standard error in words of its own.
void hintPlatform() {
#ifdef GLFW_PLATFORM  // from GLFW 3.4 on
    const char* const wayland = std::getenv("WAYLAND_DISPLAY");
    const bool named = wayland != nullptr && *wayland != 0;
    if (!named && glfwPlatformSupported(GLFW_PLATFORM_X11) != GLFW_FALSE) {
        glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
    }
#endif
}

/// What the desktop knows the window by: the name of warplens.desktop and its StartupWMClass.
constexpr const char* desktopName = "warplens";

void hintDesktopName() {
    glfwWindowHintString(GLFW_X11_CLASS_NAME, desktopName);
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, desktopName);
#ifdef GLFW_WAYLAND_APP_ID  // from GLFW 3.4 on
    glfwWindowHintString(GLFW_WAYLAND_APP_ID, desktopName);
#endif
}

/// Rows from the top; red, green, blue and opacity of each pixel, colours not multiplied by it.
struct SquarePixels final {
    int side = 0;
    std::vector<unsigned char> bytes{};
};

SquarePixels pixelsOf(std::string_view png) {
    const auto read = [](void* left, unsigned char* bytes, unsigned count) {
        auto& rest = *static_cast<std::string_view*>(left);
        if (rest.size() < count) return CAIRO_STATUS_READ_ERROR;
        rest.copy(reinterpret_cast<char*>(bytes), count);
        rest.remove_prefix(count);
        return CAIRO_STATUS_SUCCESS;
    };
    cairo_surface_t* const surface = cairo_image_surface_create_from_png_stream(read, &png);
    SquarePixels pixels{cairo_image_surface_get_width(surface), {}};
    const unsigned char* row = cairo_image_surface_get_data(surface);
    for (int y = 0; y < pixels.side; ++y, row += cairo_image_surface_get_stride(surface)) {
        for (int x = 0; x < pixels.side; ++x) {
            std::uint32_t pixel = 0;
            std::memcpy(&pixel, row + x * 4, sizeof pixel);
            const std::uint32_t opacity = pixel >> 24;
            for (const unsigned shift : {16u, 8u, 0u}) {
                const std::uint32_t channel = (pixel >> shift & 255) * 255;
                pixels.bytes.push_back(
                    static_cast<unsigned char>(opacity == 0 ? 0 : channel / opacity));
            }
            pixels.bytes.push_back(static_cast<unsigned char>(opacity));
        }
    }
    cairo_surface_destroy(surface);
    return pixels;
}

/// Under Wayland the desktop finds the icon by the name instead.
void showIcon(GLFWwindow* window) {
    std::array pictures{pixelsOf(embedded_icons::embeddedFile("warplens-16.png")),
                        pixelsOf(embedded_icons::embeddedFile("warplens-48.png")),
                        pixelsOf(embedded_icons::embeddedFile("warplens-128.png"))};
    std::array<GLFWimage, pictures.size()> images{};
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        images.at(i) = {pictures.at(i).side, pictures.at(i).side, pictures.at(i).bytes.data()};
    }
    glfwSetWindowIcon(window, static_cast<int>(images.size()), images.data());
}

/// No larger than the screen it opens on: its edges would be out of reach.
void fitScreen(GLFWwindow* window) {
    GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
    if (monitor == nullptr) return;
    PixelSize room;
    glfwGetMonitorWorkarea(monitor, nullptr, nullptr, &room.width, &room.height);
    PixelSize size;
    glfwGetWindowSize(window, &size.width, &size.height);
    if (room.width <= 0 || room.height <= 0) return;
    if (size.width <= room.width && size.height <= room.height) return;
    glfwSetWindowSize(window, std::min(size.width, room.width), std::min(size.height, room.height));
}

static_assert(GLFW_KEY_ESCAPE == 256 && GLFW_KEY_ENTER == 257 && GLFW_KEY_TAB == 258 &&
                  GLFW_KEY_PAGE_UP == 266 && GLFW_KEY_PAGE_DOWN == 267 &&
                  GLFW_KEY_KP_ENTER == 335 && GLFW_KEY_F1 == 290 && GLFW_KEY_F5 == 294 &&
                  GLFW_KEY_KP_0 == 320 && GLFW_KEY_KP_EQUAL == 336 && GLFW_KEY_KP_ADD == 334 &&
                  GLFW_KEY_KP_SUBTRACT == 333 && GLFW_KEY_LEFT_SHIFT == 340 &&
                  GLFW_KEY_RIGHT_SUPER == 347 && GLFW_KEY_RIGHT == 262 && GLFW_KEY_LEFT == 263 &&
                  GLFW_KEY_DOWN == 264 && GLFW_KEY_UP == 265 && GLFW_KEY_SPACE == 32 &&
                  GLFW_RELEASE == 0 && GLFW_PRESS == 1 && GLFW_REPEAT == 2,
              "the numbers of state/action_keys.h and input_queue.cpp are GLFW's");

/// From 1.87 on Dear ImGui keeps such a queue itself, which its own callbacks fill.
constexpr bool imguiQueues = IMGUI_VERSION_NUM >= 18700;

constexpr double doubleClickSeconds = 0.3;

/// Tab is ours (panels/widgets.h); so are the keys that turn pages, but where text is typed.
bool isKept(const KeyChanged& key) {
    if (key.key == GLFW_KEY_TAB) return true;
    return (key.key == GLFW_KEY_PAGE_UP || key.key == GLFW_KEY_PAGE_DOWN) &&
           key.action != GLFW_RELEASE && !ImGui::GetIO().WantTextInput;
}

GlfwInput& inputOf(GLFWwindow* window) {
    return *static_cast<GlfwInput*>(glfwGetWindowUserPointer(window));
}

}  // namespace

GlfwDisplay::GlfwDisplay(const std::string& title, PixelSize size) {
    hintPlatform();
    if (glfwInit() == GLFW_FALSE) {
        throw WindowUnavailable("no display to open a window on: " + glfwReason());
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // until it has its size
    // 3D blocks have their own depth buffer; without one here a software rasteriser draws
    // rectangles in a shorter way.
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    hintDesktopName();
    window_ = glfwCreateWindow(size.width, size.height, title.c_str(), nullptr, nullptr);
    if (window_ == nullptr) {
        const std::string reason = glfwReason();
        glfwTerminate();
        throw WindowUnavailable("no window with OpenGL 3.3: " + reason, howToGetOpenGl);
    }
    showIcon(window_);
    fitScreen(window_);
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
    if (gladLoadGL(glfwGetProcAddress) == 0) {
        glfwDestroyWindow(window_);
        glfwTerminate();
        throw WindowUnavailable("the display gives no OpenGL functions");
    }
    glfwShowWindow(window_);
}

GlfwDisplay::~GlfwDisplay() {
    glfwDestroyWindow(window_);
    glfwTerminate();
}

PixelSize GlfwDisplay::framebufferSize() const {
    PixelSize size;
    glfwGetFramebufferSize(window_, &size.width, &size.height);
    return size;
}

void GlfwDisplay::bind() {
    const PixelSize size = framebufferSize();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, size.width, size.height);
}

void GlfwDisplay::fillScreen(bool fills) {
    if (fills == before_.has_value()) return;
    if (!fills) {
        Frame frame = *std::exchange(before_, std::nullopt);
        // With its frame inside the screen: until a Wayland compositor has answered, a larger one
        // is an error that ends the connection. The window's size is the screen's now; a monitor's
        // mode is in pixels there.
        const PixelSize screen = windowSize();
        frame.width = std::min(frame.width, screen.width - border_.width);
        frame.height = std::min(frame.height, screen.height - border_.height);
        glfwSetWindowMonitor(window_, nullptr, frame.x, frame.y, frame.width, frame.height, 0);
        return;
    }
    Frame frame;
    glfwGetWindowPos(window_, &frame.x, &frame.y);
    glfwGetWindowSize(window_, &frame.width, &frame.height);
    before_ = frame;
    // The monitor with the middle of the window.
    int count = 0;
    GLFWmonitor** const monitors = glfwGetMonitors(&count);
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    for (int i = 0; i < count; ++i) {
        Frame area;
        glfwGetMonitorWorkarea(monitors[i], &area.x, &area.y, &area.width, &area.height);
        const int x = frame.x + frame.width / 2 - area.x;
        const int y = frame.y + frame.height / 2 - area.y;
        if (x >= 0 && x < area.width && y >= 0 && y < area.height) monitor = monitors[i];
    }
    if (monitor == nullptr) return;
    const GLFWvidmode* const mode = glfwGetVideoMode(monitor);
    int left = 0;
    int top = 0;
    int right = 0;
    int bottom = 0;
    glfwGetWindowFrameSize(window_, &left, &top, &right, &bottom);
    border_ = {left + right, top + bottom};
    glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void GlfwDisplay::finish() {
    glFinish();
}

void GlfwDisplay::present() {
    glfwSwapBuffers(window_);
}

float GlfwDisplay::contentScale() const {
    float x = 1;
    float y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    // Where the framebuffer is already finer than the screen coordinates, ImGui scales it itself.
    const PixelSize framebuffer = framebufferSize();
    const PixelSize screen = windowSize();
    const float finer =
        screen.width > 0 ? static_cast<float>(framebuffer.width) / static_cast<float>(screen.width)
                         : 1;
    return finer > 0 ? x / finer : x;
}

std::unique_ptr<Input> GlfwDisplay::listen() {
    return std::make_unique<GlfwInput>(window_);
}

bool GlfwDisplay::isClosed() const {
    return glfwWindowShouldClose(window_) != GLFW_FALSE;
}

void GlfwDisplay::setClipboard(const std::string& text) {
    glfwSetClipboardString(window_, text.c_str());
}

std::string GlfwDisplay::clipboard() const {
    const char* const text = glfwGetClipboardString(window_);
    return text == nullptr ? "" : text;
}

void wakeDisplay() {
    glfwPostEmptyEvent();
}

PixelSize GlfwDisplay::windowSize() const {
    PixelSize size;
    glfwGetWindowSize(window_, &size.width, &size.height);
    return size;
}

PixelSize GlfwDisplay::designSize() const {
    const float scale = std::max(0.1F, contentScale());
    const PixelSize size = windowSize();
    const auto design = [&](int side) {
        return static_cast<int>(std::lround(static_cast<float>(side) / scale));
    };
    return {design(size.width), design(size.height)};
}

GlfwInput::GlfwInput(GLFWwindow* window) : window_(window), lastHeard_(glfwGetTime()) {
    listen();
    ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    // Where it installs its callbacks it calls ours before its own.
    ImGui_ImplGlfw_InitForOpenGL(window, imguiQueues);
    glfwGetCursorPos(window, &pointer_.x, &pointer_.y);
}

GlfwInput::~GlfwInput() {
    ImGui_ImplGlfw_Shutdown();
}

void GlfwInput::listen() {
    glfwSetWindowUserPointer(window_, this);
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int scanCode, int action, int mods) {
        inputOf(w).happened(KeyChanged{key, scanCode, action, mods});
    });
    glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned codePoint) {
        inputOf(w).happened(CharacterTyped{codePoint});
    });
    glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) {
        inputOf(w).happened(PointerMoved{x, y});
    });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int) {
        GlfwInput& input = inputOf(w);
        const double now = glfwGetTime();
        input.happened(ButtonChanged{button, action == GLFW_PRESS,
                                     input.asleep_ ? now : input.lastHeard_, now});
    });
    glfwSetScrollCallback(window_, [](GLFWwindow* w, double x, double y) {
        inputOf(w).happened(WheelTurned{x, y});
    });
    glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
        GlfwInput& input = inputOf(w);
        input.dropped_.insert(input.dropped_.end(), paths, paths + count);
        input.wantFrames();
    });
    glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int focused) {
        inputOf(w).happened(FocusChanged{focused != GLFW_FALSE});
    });
    glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int entered) {
        if constexpr (!imguiQueues) ImGui_ImplGlfw_CursorEnterCallback(w, entered);
        inputOf(w).wantFrames();
    });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { inputOf(w).wantFrames(); });
    glfwSetFramebufferSizeCallback(window_,
                                   [](GLFWwindow* w, int, int) { inputOf(w).wantFrames(); });
}

bool GlfwInput::await(double seconds) {
    glfwPollEvents();
    if (!framesDue()) {
        asleep_ = true;
        glfwWaitEventsTimeout(seconds);
        asleep_ = false;
    }
    lastHeard_ = glfwGetTime();
    return !framesDue();
}

void GlfwInput::give(const PointerMoved& event) {
    pointer_ = event;
}

void GlfwInput::give(const ButtonChanged& event) {
    if (event.button < 0 || event.button >= static_cast<int>(buttons_.size())) return;
    buttons_.at(static_cast<std::size_t>(event.button)) = event.down;
    if (event.down) {
        // By the hand's time; Dear ImGui would go by the frames'.
        ImGui::GetIO().MouseDoubleClickTime =
            doubleClicks_.completes(event, doubleClickSeconds) ? FLT_MAX : 0.0F;
    }
}

void GlfwInput::give(const WheelTurned& event) const {
    ImGui_ImplGlfw_ScrollCallback(window_, event.x, event.y);
}

void GlfwInput::give(const KeyChanged& event) const {
    ImGui_ImplGlfw_KeyCallback(window_, event.key, event.scanCode, event.action, event.modifiers);
}

void GlfwInput::give(const CharacterTyped& event) const {
    ImGui_ImplGlfw_CharCallback(window_, event.codePoint);
}

void GlfwInput::give(const FocusChanged& event) const {
    ImGui_ImplGlfw_WindowFocusCallback(window_, event.focused ? GLFW_TRUE : GLFW_FALSE);
}

std::vector<KeyPress> GlfwInput::beginFrame() {
    frameBegins();
    std::vector<KeyPress> presses;
    do {
        for (const InputEvent& event : queue_.takeFrame()) {
            const auto* key = std::get_if<KeyChanged>(&event);
            const bool kept = key != nullptr && isKept(*key);
            if constexpr (!imguiQueues) {
                if (!kept) std::visit([this](const auto& e) { give(e); }, event);
            }
            if (key == nullptr || key->action == GLFW_RELEASE) continue;
            presses.push_back({key->key, (key->modifiers & GLFW_MOD_CONTROL) != 0,
                               (key->modifiers & GLFW_MOD_SHIFT) != 0});
        }
    } while (imguiQueues && !queue_.empty());
    ImGui_ImplGlfw_NewFrame();
    if constexpr (!imguiQueues) {
        // It asked the window, which is ahead of the queue.
        ImGuiIO& io = ImGui::GetIO();
        if (io.MousePos.x != -FLT_MAX) {
            io.MousePos = {static_cast<float>(pointer_.x), static_cast<float>(pointer_.y)};
        }
        for (std::size_t i = 0; i < buttons_.size(); ++i) io.MouseDown[i] = buttons_.at(i);
    }
    return presses;
}

}  // namespace warplens::window
