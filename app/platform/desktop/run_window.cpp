#include <fstream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

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

/// With what it was called with; returns where that cannot be.
void startAgain() {
    std::vector<std::string> words(1);
    std::ifstream called("/proc/self/cmdline", std::ios::binary);
    for (char c = 0; called.get(c);) {
        if (c == 0)
            words.emplace_back();
        else
            words.back() += c;
    }
    words.pop_back();
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv("/proc/self/exe", arguments.data());
    std::perror("warplens: not started again");
}

}  // namespace

int runWindow(const WindowOptions& options) {
    keepHeapsTogether();
    bool again = false;
    {
        window::Opening opening = window::openState(options);
        const window::Settings& last = opening.settings;
        window::GlfwDisplay display("Warplens", {last.width, last.height});
        window::Session session(options, std::move(opening), display);
        while (session.frame()) {
        }
        again = session.startsAgain();
    }
    if (again) startAgain();
    return again ? 1 : 0;
}

}  // namespace warplens
