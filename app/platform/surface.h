#pragma once

#include <stdexcept>
#include <string>

namespace warplens {

/// Says the reason, and after it what helps, where something is known to.
class WindowUnavailable final : public std::runtime_error {
  public:
    explicit WindowUnavailable(const std::string& why, const std::string& whatHelps = {})
        : std::runtime_error(whatHelps.empty() ? why : why + "; " + whatHelps),
          reason(why),
          remedy(whatHelps) {}

    std::string reason;
    std::string remedy;
};

/// What brings OpenGL where no driver of a GPU does.
inline constexpr const char* howToGetOpenGl =
    "install libgl1 and libegl1, whose Mesa draws without a GPU";

namespace window {

struct PixelSize final {
    int width = 0;
    int height = 0;
    friend constexpr bool operator==(const PixelSize&, const PixelSize&) = default;
};

/// Somewhere to draw with OpenGL 3.3 core or WebGL 2: a window on a display, a page's canvas, or
/// pixels in memory. The context is current from construction to destruction.
class Surface {
  public:
    Surface() = default;
    Surface(Surface&&) = delete;
    virtual ~Surface() = default;

    [[nodiscard]] virtual PixelSize framebufferSize() const = 0;
    /// Makes the surface's framebuffer the one drawn into.
    virtual void bind() = 0;
    /// Shows what was drawn.
    virtual void present() = 0;
};

}  // namespace window
}  // namespace warplens
