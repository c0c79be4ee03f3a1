#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <istream>
#include <string_view>

#include "core/text/format.h"
#include "kernels/turns/watchdog.h"
#include "kernels/worker/answer_output.h"
#include "kernels/worker/end_with_reader.h"
#include "kernels/worker/renewal.h"
#include "kernels/worker/standard_input.h"
#include "kernels/worker/work.h"

namespace {

constexpr const char* usage =
    "Measures CUDA kernels for warplens: it answers JSON requests, one a line, on standard input.\n"
    "warplens starts it, here or elsewhere; see `warplens measure --help`.\n";

/// How long the device's memory is kept when nobody asks for anything.
std::chrono::milliseconds idleTime() {
    constexpr std::chrono::seconds usual{60};
    // For tests.
    const char* const other = std::getenv("WARPLENS_IDLE_MILLISECONDS");
    return other != nullptr ? std::chrono::milliseconds(std::strtol(other, nullptr, 10)) : usual;
}

}  // namespace

int main(int count, char** arguments) {
    const std::string_view argument = count == 2 ? arguments[1] : "";
    if (argument == "--version") {
        std::cout << "warplens-measure " << warplens::version() << '\n';
        return 0;
    }
    if (argument == "--help" || argument == "-h") {
        std::cout << usage;
        return 0;
    }
    const bool continued =
        count == 3 && std::string_view(arguments[1]) == warplens::continuedOption;
    if (count != 1 && !continued) {
        std::cerr << "warplens-measure takes no arguments but --help and --version\n" << usage;
        return 2;
    }
    std::signal(SIGPIPE, SIG_DFL);  // nobody listens any more: end
    warplens::Watchdog watchdog;    // before there are threads
    warplens::StandardInput input(
        continued ? warplens::readLeft(static_cast<int>(std::strtol(arguments[2], nullptr, 10)))
                  : std::string());
    warplens::AnswerOutput output;
    warplens::ProcessRenewal renewal(input, output, watchdog, idleTime());
    std::istream requests(&input);
    std::ostream answers(&output);
    warplens::endWithReader(output.descriptor());
    const warplens::MeasuringWork work(&watchdog);
    const int code = warplens::answerRequests(
        requests, answers, work, [&] { return work.rest(); }, &renewal, !continued);
    answers.flush();
    // Without waiting for a detached reader or for destructors of a poisoned context.
    if (code != 0) std::_Exit(code);
    return 0;
}
