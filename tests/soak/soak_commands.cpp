// Random commands on one state, as long as one likes: `soak_commands --seconds 3600 --seed 7`. Ends
// with 1 where an invariant broke, something was thrown, memory grew after the warm-up, or one
// command took the time that a person notices; what it takes to see it again is printed.

#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "app/window/state/apply.h"
#include "tests/soak/frame_questions.h"
#include "tests/soak/invariants.h"
#include "tests/soak/memory_curve.h"
#include "tests/soak/random_command.h"

namespace {

using namespace warplens;
using namespace warplens::window;
using namespace warplens::window::soak;
using Clock = std::chrono::steady_clock;

constexpr double frameSeconds = 0.016;
constexpr double mostSeconds = 0.25;  ///< of one command
constexpr std::uint64_t commandsPerFrame = 4;
constexpr std::uint64_t commandsPerCheck = 64;
constexpr std::size_t commandsShown = 12;

struct Options final {
    double seconds = 5;
    std::uint64_t seed = 1;
    std::uint64_t commands = UINT64_MAX;
};

[[noreturn]] void refuse(std::string_view what) {
    std::fprintf(stderr,
                 "%.*s\nusage: soak_commands [--seconds N] [--seed S] [--commands N]\n"
                 "  --commands N ends after so many, however long they take\n",
                 static_cast<int>(what.size()), what.data());
    std::exit(2);
}

Options optionsFrom(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; i += 2) {
        const std::string_view name = arguments[i];
        if (i + 1 == count) refuse(std::string(name) + ": a number is missing");
        const std::string_view text = arguments[i + 1];
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc{} || end != text.data() + text.size() || number == 0) {
            refuse(std::string(name) + " = '" + std::string(text) + "': a number from 1 on");
        }
        if (name == "--seconds") {
            options.seconds = static_cast<double>(number);
        } else if (name == "--seed") {
            options.seed = number;
        } else if (name == "--commands") {
            options.commands = number;
            options.seconds = 1e9;
        } else {
            refuse("unknown option " + std::string(name));
        }
    }
    return options;
}

/// Of this thread: other programs on the machine do not count.
double processorSeconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// What is needed to see a failure again, printed even when the program crashes.
struct Trail final {
    std::uint64_t seed = 0;
    std::uint64_t applied = 0;
    std::array<std::string, commandsShown> last;  ///< a ring: the next place is the oldest
};
Trail trail;

void printTrail() {
    std::printf(
        "seed %llu, command %llu; to see it again: soak_commands --seed %llu --commands %llu\n",
        static_cast<unsigned long long>(trail.seed), static_cast<unsigned long long>(trail.applied),
        static_cast<unsigned long long>(trail.seed),
        static_cast<unsigned long long>(trail.applied));
    std::printf("the last commands, the newest at the end:\n");
    for (std::size_t i = 0; i < commandsShown; ++i) {
        const std::string& one = trail.last.at((trail.applied + i) % commandsShown);
        if (!one.empty()) std::printf("  %s\n", one.c_str());
    }
    std::fflush(stdout);
}

/// Printing from a signal handler may go wrong, but the program is lost anyway.
void crashed(int signal) {
    std::printf("ended by signal %d\n", signal);
    printTrail();
    std::_Exit(1);
}

/// The slowest of its kind.
struct Slowest final {
    double seconds = 0;
    std::string what;
    std::uint64_t overFrame = 0;  ///< how often it took longer than a frame may
    void add(double took, const Command& command) {
        if (took > frameSeconds) ++overFrame;
        if (took <= seconds) return;
        seconds = took;
        what = inWords(command);
    }
};

class Soak final {
  public:
    explicit Soak(const Options& options)
        : options_(options),
          commands_(options.seed),
          state_(initialState({initialExperiment(allScenarios().front()), true},
                              commands_.payloads().recordings(), true)) {}

    /// Whether all went well.
    bool run() {
        const Clock::time_point begin = Clock::now();
        double passed = 0;
        double reported = 0;
        while (passed < options_.seconds && trail.applied < options_.commands) {
            step();
            // The clock is asked seldom, and memory more seldom.
            if (trail.applied % commandsPerCheck != 0) continue;
            if (!sound()) return false;
            passed = std::chrono::duration<double>(Clock::now() - begin).count();
            memory_.at(passed / options_.seconds);
            if (passed - reported < 60) continue;
            reported = passed;
            report(passed);
        }
        report(std::chrono::duration<double>(Clock::now() - begin).count());
        return sound() && fast() && lean();
    }

  private:
    void step() {
        const Command command = commands_.next(state_);
        trail.last.at(trail.applied % commandsShown) = inWords(command);
        ++trail.applied;
        const double begin = processorSeconds();
        apply(state_, command);
        const double applied = processorSeconds();
        applying_.add(applied - begin, command);
        if (trail.applied % commandsPerFrame != 0) return;
        answers_ += askAsAFrameDoes(state_);
        asking_.add(processorSeconds() - applied, command);
    }

    bool sound() const {
        const std::vector<std::string> broken = brokenInvariants(state_);
        for (const std::string& sentence : broken) std::printf("broken: %s\n", sentence.c_str());
        return broken.empty();
    }

    bool fast() const {
        if (applying_.seconds <= mostSeconds) return true;
        std::printf("broken: a command takes at most %.0f ms\n", 1e3 * mostSeconds);
        return false;
    }

    bool lean() const {
        if (options_.seconds < MemoryCurve::judgedFromSeconds || !memory_.grew()) return true;
        std::printf("broken: memory grows by at most %.0f %% after the warm-up\n",
                    1e2 * MemoryCurve::mostGrowth);
        return false;
    }

    void report(double seconds) const {
        std::printf(
            "%.0f s: %llu commands, seed %llu; resident %s; slowest apply %.2f ms (%s), %llu "
            "over 16 ms; slowest frame's questions %.2f ms (after %s), %llu over 16 ms\n",
            seconds, static_cast<unsigned long long>(trail.applied),
            static_cast<unsigned long long>(options_.seed), memory_.inWords().c_str(),
            1e3 * applying_.seconds, applying_.what.c_str(),
            static_cast<unsigned long long>(applying_.overFrame), 1e3 * asking_.seconds,
            asking_.what.c_str(), static_cast<unsigned long long>(asking_.overFrame));
        std::fflush(stdout);
    }

    Options options_;
    RandomCommands commands_;
    AppState state_;
    Slowest applying_;
    Slowest asking_;
    MemoryCurve memory_;
    std::size_t answers_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
    const Options options = optionsFrom(count, arguments);
    trail.seed = options.seed;
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL})
        std::signal(signal, crashed);
    try {
        Soak soak(options);
        if (soak.run()) return 0;
    } catch (const std::exception& error) {
        std::printf("broken: thrown: %s\n", error.what());
    }
    printTrail();
    return 1;
}
