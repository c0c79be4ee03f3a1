#include "app/platform/web/page.h"

#include <emscripten.h>
#include <emscripten/html5.h>
#include <exception>

#include "app/lessons/library.h"
#include "app/window/session.h"
#include "app/window/state/apply.h"
#include "app/window/state/scene.h"

namespace warplens::window {
namespace {

// clang-format off
EM_JS(void, say, (const char* words), { Module.say(UTF8ToString(words)); });
EM_JS(void, drawn, (bool settled), { Module.drawn(settled); });
EM_JS(void, described, (const char* words), {
    document.getElementById('described').textContent = UTF8ToString(words);
});
// clang-format on

/// Draws when the browser says so, and only where something is due.
class Clock final {
  public:
    Clock(const WindowOptions& options, Opening opening)
        : display_(openCanvas()), session_(options, std::move(opening), *display_) {}

    /// Has the browser call back: at its next picture where something waits, else when the session
    /// has something to do by itself.
    void schedule() {
        if (isAsked_ || isDrawing_ || idlePasses_ > mostIdlePasses) return;
        const double seconds = isPosted() ? 0 : session_.patience();
        if (timer_ != 0) emscripten_clear_timeout(timer_);
        timer_ = 0;
        if (seconds <= 0) {
            isAsked_ = true;
            emscripten_request_animation_frame(
                [](double, void* clock) { return static_cast<Clock*>(clock)->pass(); }, this);
        } else {
            timer_ = emscripten_set_timeout([](void* clock) { static_cast<Clock*>(clock)->pass(); },
                                            1000 * seconds, this);
        }
    }

    /// Something has happened.
    void wake() {
        idlePasses_ = 0;
        restingPasses_ = 0;
        schedule();
    }

    void keepSettings() { session_.keepSettings(); }

  private:
    EM_BOOL pass() {
        isAsked_ = false;
        timer_ = 0;
        isDrawing_ = true;
        try {
            session_.frame();
            // One task between two pictures, and none while something is to be seen first.
            if (session_.patience() > 0 || !std::exchange(waited_, true)) {
                waited_ = !runPosted();
            }
            const bool rests = !isPosted() && session_.patience() > 0;
            idlePasses_ = rests && session_.patience() >= 1 ? idlePasses_ + 1 : 0;
            restingPasses_ = rests ? restingPasses_ + 1 : 0;
            drawn(rests);
            // Not while somebody drags: the first picture after an event is followed by others.
            // What goes by itself, as a note does, is gone before the last.
            if (restingPasses_ == 2 || idlePasses_ == mostIdlePasses)
                described(session_.description().c_str());
        } catch (const std::exception& error) {
            say(error.what());
            return false;
        }
        isDrawing_ = false;
        schedule();
        return false;
    }

    std::unique_ptr<Display> display_;
    Session session_;
    bool isAsked_ = false;
    bool isDrawing_ = false;
    bool waited_ = false;
    long timer_ = 0;
    /// What is shown has settled, and settings are kept, some passes after the last event: then
    /// nothing is done until the next one.
    static constexpr int mostIdlePasses = 3;
    int idlePasses_ = 0;
    int restingPasses_ = 0;  ///< one after the other, with nothing that waits to be done
};

Clock* pageClock = nullptr;

/// What the page was asked to show, and what is wrong with that.
WindowOptions optionsOfPage(std::string& wrong) {
    WindowOptions options;
    options.settingsFile = "/settings/settings.json";
    const std::string asked = askedFor();
    const PageDocument& carried = readCarried();
    if (carried.program) {
        options.program = carried.program->trace.program;
        if (carried.program->measured)
            options.measured = std::make_shared<const MeasuredProgram>(*carried.program->measured);
    } else if (!carried.scene.empty() && asked.empty()) {
        options.scene = carried.scene;
    } else if (asked.empty()) {
        return options;
    } else if (asked.starts_with('{')) {
        options.scene = asked;
    } else if (asked.starts_with("lesson/") && findLesson(asked.substr(7)) != nullptr) {
        options.view.lesson = asked.substr(7);
    } else if (findScenario(asked) != nullptr) {
        options.view.experiment = initialExperiment(scenarioNamed(asked));
    } else {
        wrong = "This link is cut off, or names no scenario and no lesson: " + asked;
    }
    return options;
}

}  // namespace

void wakeDisplay() {
    if (pageClock != nullptr) pageClock->wake();
}

/// Called by the page when it is left: what was done since settings were last kept.
extern "C" EMSCRIPTEN_KEEPALIVE void keepSettings() {
    if (pageClock != nullptr) pageClock->keepSettings();
}

}  // namespace warplens::window

int main() {
    using namespace warplens::window;
    try {
        restoreFiles();
        std::string wrong;
        const warplens::WindowOptions options = optionsOfPage(wrong);
        Opening opening = openState(options);
        if (!wrong.empty()) apply(opening.state, Report{MessageKind::error, wrong});
        pageClock = new Clock(options, std::move(opening));
        pageClock->schedule();
    } catch (const std::exception& error) {
        say(error.what());
    }
    return 0;
}
