#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/platform/input_queue.h"
#include "app/platform/surface.h"

namespace warplens::window {

/// What a person does with mouse, keyboard and files, for Dear ImGui and for the shortcuts. Ended
/// before both the display and ImGui's context are.
class Input {
  public:
    Input() = default;
    Input(Input&&) = delete;
    virtual ~Input() = default;

    /// Sleeps until something happens, `seconds` at most; not at all while frames are due, and not
    /// in a page, which comes back by itself. True when nothing happened.
    [[nodiscard]] virtual bool await(double seconds) = 0;

    /// Begins Dear ImGui's frame with what happened next, and returns the keys pressed.
    [[nodiscard]] virtual std::vector<KeyPress> beginFrame() = 0;

    /// Paths of files that were dropped on the window since the last call.
    [[nodiscard]] std::vector<std::string> takeDropped() { return std::exchange(dropped_, {}); }

    /// Dear ImGui settles sizes and hovers in the frames after something changed.
    void wantFrames() { framesDue_ = framesAfterEvent; }
    [[nodiscard]] bool framesDue() const { return framesDue_ > 0 || !queue_.empty(); }

  protected:
    static constexpr int framesAfterEvent = 3;

    void happened(InputEvent event) {
        queue_.add(event);
        wantFrames();
    }
    void frameBegins() {
        if (framesDue_ > 0) --framesDue_;
    }

    InputQueue queue_;
    std::vector<std::string> dropped_;

  private:
    int framesDue_ = framesAfterEvent;
};

/// The window of a desktop, or the canvas of a page.
class Display : public Surface {
  public:
    /// Listens from now on, for the Dear ImGui context that is current.
    [[nodiscard]] virtual std::unique_ptr<Input> listen() = 0;

    /// Waits until everything asked for so far is drawn, for whoever measures how long that takes.
    virtual void finish() = 0;

    /// Over the whole of the monitor that it is on, without a border; or as it was before.
    virtual void fillScreen(bool fills) = 0;

    /// Pixels for each design pixel that the display asks for, 1 on an ordinary one.
    [[nodiscard]] virtual float contentScale() const = 0;
    /// As settings keep it: the same on every display, however fine.
    [[nodiscard]] virtual PixelSize designSize() const = 0;

    /// Whether the person has closed it.
    [[nodiscard]] virtual bool isClosed() const = 0;

    virtual void setClipboard(const std::string& text) = 0;
    [[nodiscard]] virtual std::string clipboard() const = 0;
};

/// Ends a sleep of `Input::await`, or has a page draw again. From any thread.
void wakeDisplay();

}  // namespace warplens::window
