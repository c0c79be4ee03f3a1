#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "core/text/format.h"
#include "kernels/worker/end_with_reader.h"
#include "kernels/worker/work.h"

namespace {

constexpr const char* usage =
    "Measures CUDA kernels for warplens: it answers JSON requests, one a line, on standard input.\n"
    "warplens starts it, here or elsewhere; see `warplens measure --help`.\n";

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
    if (count != 1) {
        std::cerr << "warplens-measure takes no arguments but --help and --version\n" << usage;
        return 2;
    }
    std::signal(SIGPIPE, SIG_DFL);  // nobody listens any more: end
    warplens::endWithReader();
    const int code = warplens::answerRequests(std::cin, std::cout, warplens::measuringWork());
    std::cout.flush();
    // Without waiting for a detached reader or for destructors of a poisoned context.
    if (code != 0) std::_Exit(code);
    return 0;
}
