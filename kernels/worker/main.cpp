#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "core/text/format.h"
#include "kernels/worker/end_with_reader.h"
#include "kernels/worker/work.h"

int main(int count, char** arguments) {
    if (count == 2 && std::strcmp(arguments[1], "--version") == 0) {
        std::cout << "warplens-measure " << warplens::version() << '\n';
        return 0;
    }
    if (count != 1) {
        std::cerr
            << "warplens-measure takes no arguments: it answers JSON requests, one a line, on "
               "standard input.\nwarplens starts it; see `warplens measure --help`.\n";
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
