#include "app/platform/desktop/glfw_input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <cfloat>
#include <imgui.h>

namespace warplens::window {
namespace {

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
