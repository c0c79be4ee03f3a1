#include <utility>

#include "app/platform/desktop/glfw_display.h"
#include "app/window/session.h"

#ifdef __GLIBC__  // known once a header of the C library is there
#include <malloc.h>
#endif

namespace warplens {
namespace {

/// The C library of GNU gives every thread a heap of its own, and takes ever larger blocks from it.
/// What one thread makes and another lets go of, as traces and predictions are, leaves holes there
/// that a window which is open for hours would grow by.
void keepHeapsTogether() {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 1 << 18);  // from here on a block goes back to the system when freed
    mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

}  // namespace

int runWindow(const WindowOptions& options) {
    keepHeapsTogether();
    window::Opening opening = window::openState(options);
    const window::Settings& last = opening.settings;
    window::GlfwDisplay display("Warplens", {last.width, last.height});
    window::Session session(options, std::move(opening), display);
    while (session.frame()) {
    }
    return 0;
}

}  // namespace warplens
