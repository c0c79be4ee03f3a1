#include <GLES3/gl3.h>
#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <emscripten.h>
#include <emscripten/html5.h>
#include <imgui.h>
#include <string_view>
#include <utility>

#include "app/platform/web/known_state.h"
#include "app/platform/web/page.h"

namespace warplens::window {
namespace {

constexpr const char* canvas = "#canvas";

// clang-format off
EM_JS(void, showCursor, (int kind), {
    Module.canvas.style.cursor =
        ['none', 'default', 'text', 'move', 'ns-resize', 'ew-resize', 'nesw-resize', 'nwse-resize',
         'pointer', 'not-allowed'][kind + 1];
});
EM_JS(void, copyText, (const char* text), { Module.copyText(UTF8ToString(text)); });
EM_JS(char*, pastedText, (), { return stringToNewUTF8(Module.pastedText || ""); });
EM_JS(int, codePointOf, (const char* key), { return UTF8ToString(key).codePointAt(0); });
EM_JS(void, askForText, (bool wanted, double y), { Module.askForText(wanted, y); });
EM_JS(double, pageRatio, (), { return globalThis.devicePixelRatio || 1; });
// clang-format on

/// A key as GLFW numbers it, from what the DOM calls keyCode: letters and digits are alike.
int keyOf(const EmscriptenKeyboardEvent& event) {
    constexpr std::array<std::array<int, 2>, 29> others{
        {{8, 259},  {9, 258},   {13, 257},  {16, 340}, {17, 341}, {18, 342}, {27, 256}, {33, 266},
         {34, 267}, {35, 269},  {36, 268},  {37, 263}, {38, 265}, {39, 262}, {40, 264}, {45, 260},
         {46, 261}, {107, 334}, {109, 333}, {91, 343}, {186, 59}, {187, 61}, {188, 44}, {189, 45},
         {190, 46}, {191, 47},  {192, 96},  {219, 91}, {221, 93}}};
    const int code = static_cast<int>(event.keyCode);
    if (std::string_view(event.code) == "NumpadEnter") return 335;
    if (code >= 112 && code <= 123) return code - 112 + 290;  // F1 to F12
    if (code >= 96 && code <= 105) return code - 96 + 320;    // of the keypad
    // Of other layouts and browsers: what the key types.
    const std::string_view typed(event.key);
    if (typed.size() == 1 &&
        std::string_view("+-=?/.,;").find(typed[0]) != std::string_view::npos) {
        return typed[0] == '+' ? '=' : typed[0] == '?' ? '/' : typed[0];
    }
    for (const auto& [from, to] : others) {
        if (from == code) return to;
    }
    return code;
}

ImGuiKey imguiKeyOf(int key) {
    if (key >= 'A' && key <= 'Z') return static_cast<ImGuiKey>(ImGuiKey_A + (key - 'A'));
    if (key >= '0' && key <= '9') return static_cast<ImGuiKey>(ImGuiKey_0 + (key - '0'));
    if (key >= 290 && key <= 301) return static_cast<ImGuiKey>(ImGuiKey_F1 + (key - 290));
    if (key >= 320 && key <= 329) return static_cast<ImGuiKey>(ImGuiKey_Keypad0 + (key - 320));
    constexpr std::array<std::array<int, 2>, 19> others{{{256, ImGuiKey_Escape},
                                                         {257, ImGuiKey_Enter},
                                                         {258, ImGuiKey_Tab},
                                                         {259, ImGuiKey_Backspace},
                                                         {260, ImGuiKey_Insert},
                                                         {261, ImGuiKey_Delete},
                                                         {262, ImGuiKey_RightArrow},
                                                         {263, ImGuiKey_LeftArrow},
                                                         {264, ImGuiKey_DownArrow},
                                                         {265, ImGuiKey_UpArrow},
                                                         {266, ImGuiKey_PageUp},
                                                         {267, ImGuiKey_PageDown},
                                                         {268, ImGuiKey_Home},
                                                         {269, ImGuiKey_End},
                                                         {335, ImGuiKey_KeypadEnter},
                                                         {340, ImGuiKey_LeftShift},
                                                         {341, ImGuiKey_LeftCtrl},
                                                         {342, ImGuiKey_LeftAlt},
                                                         {32, ImGuiKey_Space}}};
    for (const auto& [from, to] : others) {
        if (from == key) return static_cast<ImGuiKey>(to);
    }
    return ImGuiKey_None;
}

/// Whether the browser is to leave the key to the window: not what reloads, closes or searches.
bool isOurs(const EmscriptenKeyboardEvent& event, int key) {
    if (event.altKey || event.metaKey) return false;
    if (event.ctrlKey)
        return std::string_view("ACKOPSXYZ=-0").find(static_cast<char>(key)) !=
               std::string_view::npos;
    return key < 294 || key > 301;  // F5 to F12
}

/// What people do with the page, which it listens to until it is closed.
class PageInput final : public Input {
  public:
    PageInput() {
        ImGuiIO& io = ImGui::GetIO();
        io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
        io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
        io.ConfigInputTrickleEventQueue = false;  // the queue has its own order (InputQueue)
        io.SetClipboardTextFn = [](void*, const char* text) { copyText(text); };
        io.GetClipboardTextFn = [](void*) {
            static std::string kept;
            char* const text = pastedText();
            kept = text;
            std::free(text);
            return kept.c_str();
        };
        listen();
    }

    bool await(double) override { return !framesDue(); }

    std::vector<KeyPress> beginFrame() override {
        frameBegins();
        std::vector<KeyPress> presses;
        for (const InputEvent& event : queue_.takeFrame()) {
            std::visit([this](const auto& what) { give(what); }, event);
            const auto* key = std::get_if<KeyChanged>(&event);
            if (key == nullptr || key->action == 0) continue;
            presses.push_back({key->key, (key->modifiers & 2) != 0, (key->modifiers & 1) != 0});
        }
        ImGuiIO& io = ImGui::GetIO();
        const double now = emscripten_get_now();
        io.DeltaTime = static_cast<float>(std::clamp((now - last_) / 1000, 0.001, 1.0));
        last_ = now;
        int width = 0;
        int height = 0;
        emscripten_get_canvas_element_size(canvas, &width, &height);
        io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
        if (const int cursor = ImGui::GetMouseCursor(); cursor != std::exchange(cursor_, cursor))
            showCursor(cursor);
        // A phone shows its keyboard where somebody has tapped what is typed into.
        if (const bool types = io.WantTextInput; types != std::exchange(types_, types) && touches_)
            askForText(types, touchedY_);
        return presses;
    }

    /// Of a field of the page; 8 deletes the letter before.
    void typeLetter(unsigned codePoint) {
        if (codePoint == 8) {
            for (const int action : {1, 0}) happened(KeyChanged{259, 0, action, 0});
        } else {
            happened(CharacterTyped{codePoint});
        }
        wantFrames();
    }

    void drop(const char* path) {
        dropped_.emplace_back(path);
        wantFrames();
    }

  private:
    static float ratio() { return static_cast<float>(pageRatio()); }

    static void give(const PointerMoved& event) {
        ImGui::GetIO().AddMousePosEvent(static_cast<float>(event.x) * ratio(),
                                        static_cast<float>(event.y) * ratio());
    }
    void give(const ButtonChanged& event) {
        ImGuiIO& io = ImGui::GetIO();
        constexpr double doubleClickSeconds = 0.3;
        // By the hand's time; Dear ImGui would go by the frames'.
        if (event.down) {
            io.MouseDoubleClickTime =
                doubleClicks_.completes(event, doubleClickSeconds) ? FLT_MAX : 0.0F;
        }
        io.AddMouseButtonEvent(event.button, event.down);
    }
    static void give(const WheelTurned& event) {
        ImGui::GetIO().AddMouseWheelEvent(static_cast<float>(event.x), static_cast<float>(event.y));
    }
    static void give(const KeyChanged& event) {
        ImGuiIO& io = ImGui::GetIO();
        io.AddKeyEvent(ImGuiMod_Shift, (event.modifiers & 1) != 0);
        io.AddKeyEvent(ImGuiMod_Ctrl, (event.modifiers & 2) != 0);
        io.AddKeyEvent(ImGuiMod_Alt, (event.modifiers & 4) != 0);
        if (const ImGuiKey name = imguiKeyOf(event.key); name != ImGuiKey_None)
            io.AddKeyEvent(name, event.action != 0);
    }
    static void give(const CharacterTyped& event) {
        ImGui::GetIO().AddInputCharacter(event.codePoint);
    }
    static void give(const FocusChanged& event) { ImGui::GetIO().AddFocusEvent(event.focused); }

    void movePointer(double x, double y) { happened(PointerMoved{x, y}); }
    void button(int button, bool down) {
        const double now = emscripten_get_now() / 1000;
        happened(ButtonChanged{button, down, now, now});
    }
    void wheel(double x, double y) { happened(WheelTurned{x, y}); }

    EM_BOOL onMouse(int kind, const EmscriptenMouseEvent& event) {
        constexpr std::array buttons{0, 2, 1};
        touches_ = false;
        movePointer(event.targetX, event.targetY);
        if (kind != EMSCRIPTEN_EVENT_MOUSEMOVE && event.button < buttons.size())
            button(buttons[event.button], kind == EMSCRIPTEN_EVENT_MOUSEDOWN);
        return kind == EMSCRIPTEN_EVENT_MOUSEDOWN && event.button != 0;
    }
    EM_BOOL onWheel(int, const EmscriptenWheelEvent& event) {
        const double unit = event.deltaMode == DOM_DELTA_PIXEL ? 100 : 3;
        wheel(-event.deltaX / unit, -event.deltaY / unit);
        return true;
    }
    EM_BOOL onKey(int kind, const EmscriptenKeyboardEvent& event) {
        const bool down = kind == EMSCRIPTEN_EVENT_KEYDOWN;
        const int key = keyOf(event);
        happened(KeyChanged{
            key, 0, down ? (event.repeat ? 2 : 1) : 0,
            (event.shiftKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.altKey ? 4 : 0)});
        const std::string_view typed(event.key);
        // A named key has several letters of ASCII.
        const bool types =
            typed.size() == 1 || (!typed.empty() && static_cast<unsigned char>(typed[0]) >= 0x80);
        if (down && types && !event.ctrlKey && !event.metaKey)
            happened(CharacterTyped{static_cast<unsigned>(codePointOf(event.key))});
        return isOurs(event, key);
    }
    /// One finger is the mouse's left button; two zoom as a wheel does, between them.
    EM_BOOL onTouch(int kind, const EmscriptenTouchEvent& event) {
        double x = 0;
        double y = 0;
        double apart = 0;
        const int count = event.numTouches;
        const int fingers =
            kind == EMSCRIPTEN_EVENT_TOUCHEND || kind == EMSCRIPTEN_EVENT_TOUCHCANCEL
                ? static_cast<int>(
                      std::count_if(event.touches, event.touches + count,
                                    [](const EmscriptenTouchPoint& one) { return !one.isChanged; }))
                : count;
        for (int i = 0; i < count; ++i) {
            x += static_cast<double>(event.touches[i].targetX) / count;
            y += static_cast<double>(event.touches[i].targetY) / count;
        }
        if (count >= 2) {
            apart = std::hypot(event.touches[0].targetX - event.touches[1].targetX,
                               event.touches[0].targetY - event.touches[1].targetY);
        }
        if (fingers >= 2) {
            if (touching_ == 1) button(0, false);
            movePointer(x, y);
            if (apart_ > 0 && apart > 0) wheel(0, 6 * std::log2(apart / apart_));
            apart_ = apart;
        } else if (fingers == 1 && touching_ < 2) {
            movePointer(x, y);
            touches_ = true;
            touchedY_ = y;
            if (touching_ == 0) button(0, true);
        } else if (fingers == 0 && touching_ == 1) {
            button(0, false);
            // Some browsers show a keyboard only while they tell of a tap.
            if (types_) askForText(true, touchedY_);
        }
        // Of two fingers the one that stays does nothing more.
        touching_ = fingers == 0 ? 0 : std::max(touching_, fingers);
        if (touching_ < 2) apart_ = 0;
        return true;
    }

    EM_BOOL onFocus(int kind, const EmscriptenFocusEvent&) {
        happened(FocusChanged{kind == EMSCRIPTEN_EVENT_FOCUS});
        return false;
    }
    EM_BOOL onResize(int, const EmscriptenUiEvent&) { return false; }

    template <auto Method, class Event>
    static EM_BOOL call(int kind, const Event* event, void* input) {
        auto& called = *static_cast<PageInput*>(input);
        const bool isTaken = (called.*Method)(kind, *event);
        called.wantFrames();
        wakeDisplay();
        return isTaken;
    }
    void listen() {
        constexpr auto mouse = call<&PageInput::onMouse, EmscriptenMouseEvent>;
        constexpr auto key = call<&PageInput::onKey, EmscriptenKeyboardEvent>;
        constexpr auto touch = call<&PageInput::onTouch, EmscriptenTouchEvent>;
        constexpr auto focus = call<&PageInput::onFocus, EmscriptenFocusEvent>;
        constexpr auto wheel = call<&PageInput::onWheel, EmscriptenWheelEvent>;
        constexpr auto resize = call<&PageInput::onResize, EmscriptenUiEvent>;
        const char* const window = EMSCRIPTEN_EVENT_TARGET_WINDOW;
        // Moves and releases also where the pointer has left the canvas.
        emscripten_set_mousemove_callback(window, this, true, mouse);
        emscripten_set_mouseup_callback(window, this, true, mouse);
        emscripten_set_mousedown_callback(canvas, this, true, mouse);
        emscripten_set_wheel_callback(canvas, this, true, wheel);
        emscripten_set_keydown_callback(window, this, true, key);
        emscripten_set_keyup_callback(window, this, true, key);
        emscripten_set_touchstart_callback(canvas, this, true, touch);
        emscripten_set_touchmove_callback(canvas, this, true, touch);
        emscripten_set_touchend_callback(canvas, this, true, touch);
        emscripten_set_touchcancel_callback(canvas, this, true, touch);
        emscripten_set_focus_callback(window, this, true, focus);
        emscripten_set_blur_callback(window, this, true, focus);
        emscripten_set_resize_callback(window, this, true, resize);
        current = this;
    }

    DoubleClicks doubleClicks_;
    double last_ = 0;
    int cursor_ = ImGuiMouseCursor_Arrow;
    int touching_ = 0;
    double apart_ = 0;
    bool touches_ = false;  ///< and has no mouse
    double touchedY_ = 0;   ///< of the last tap, in the page
    bool types_ = false;    ///< a field is open

  public:
    static inline PageInput* current = nullptr;
};

class Canvas final : public Display {
  public:
    Canvas() {
        EmscriptenWebGLContextAttributes wanted;
        emscripten_webgl_init_context_attributes(&wanted);
        wanted.majorVersion = 2;
        wanted.alpha = false;
        wanted.depth = false;
        wanted.stencil = false;
        wanted.antialias = false;
        // Each is an answer that is waited for, and none is used.
        wanted.enableExtensionsByDefault = false;
        context_ = emscripten_webgl_create_context(canvas, &wanted);
        if (context_ <= 0) {
            throw WindowUnavailable("this browser gives no WebGL 2",
                                    "switch on hardware acceleration, or take another browser");
        }
        emscripten_webgl_make_context_current(context_);
    }
    ~Canvas() override { emscripten_webgl_destroy_context(context_); }

    PixelSize framebufferSize() const override {
        PixelSize size;
        emscripten_get_canvas_element_size(canvas, &size.width, &size.height);
        return size;
    }
    void bind() override {
        // The page's room, in the screen's own pixels.
        double width = 0;
        double height = 0;
        emscripten_get_element_css_size(canvas, &width, &height);
        const PixelSize now{static_cast<int>(std::lround(width * pageRatio())),
                            static_cast<int>(std::lround(height * pageRatio()))};
        if (now != framebufferSize())
            emscripten_set_canvas_element_size(canvas, now.width, now.height);
        known::viewport = {0, 0, now.width, now.height};
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glViewport(0, 0, now.width, now.height);
    }
    void present() override {}
    std::unique_ptr<Input> listen() override { return std::make_unique<PageInput>(); }
    void finish() override {}
    void fillScreen(bool fills) override {
        if (fills == std::exchange(fills_, fills)) return;
        if (fills) {
            emscripten_request_fullscreen(canvas, true);
        } else {
            emscripten_exit_fullscreen();
        }
    }
    float contentScale() const override { return static_cast<float>(pageRatio()); }
    PixelSize designSize() const override {
        const PixelSize size = framebufferSize();
        return {static_cast<int>(size.width / pageRatio()),
                static_cast<int>(size.height / pageRatio())};
    }
    bool isClosed() const override { return false; }
    /// A scene as the address that opens it.
    void setClipboard(const std::string& text) override {
        const bool isScene =
            text.starts_with('{') && text.find("\"warplens_scene\"") != std::string::npos;
        copyText((isScene ? linkTo(text) : text).c_str());
    }
    std::string clipboard() const override {
        char* const text = pastedText();
        std::string kept = text;
        std::free(text);
        return kept;
    }

  private:
    EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context_ = 0;
    bool fills_ = false;
};

}  // namespace

std::unique_ptr<Display> openCanvas() {
    return std::make_unique<Canvas>();
}

/// Called by the page for each letter that a phone's keyboard types.
extern "C" EMSCRIPTEN_KEEPALIVE void typeLetter(unsigned codePoint) {
    if (PageInput::current != nullptr) PageInput::current->typeLetter(codePoint);
    wakeDisplay();
}

/// Called by the page when a file lies in its own file system at `path`.
extern "C" EMSCRIPTEN_KEEPALIVE void openFile(const char* path) {
    if (PageInput::current != nullptr) PageInput::current->drop(path);
    wakeDisplay();
}

}  // namespace warplens::window
