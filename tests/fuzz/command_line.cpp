#include "app/cli/command_line.h"

#include <string>
#include <vector>

#include "tests/fuzz/fuzz.h"

using namespace warplens;

namespace {

/// Commands that start no process, write no file, open no window and never take long.
bool isHarmless(const std::vector<std::string>& words) {
    return words.size() > 1 && (words[1] == "occupancy" || words[1] == "list");
}

}  // namespace

/// One argument a line. Run with -close_fd_mask=3: refusals are said on standard error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::string> words{"warplens", ""};
    for (const char c : fuzz::textOf(data, size)) {
        if (c == '\n') {
            words.emplace_back();
        } else if (c != '\0') {
            words.back() += c;
        }
    }
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const auto run = understandCommandLine(static_cast<int>(words.size()), arguments.data());
    fuzz::promise(static_cast<bool>(run), "there is always an exit code");
    if (isHarmless(words)) {
        const int code = run();
        fuzz::promise(code >= 0 && code <= 3, "the exit code is one of four");
    }
    return 0;
}
