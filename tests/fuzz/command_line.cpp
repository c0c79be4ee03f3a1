#include "app/cli/command_line.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/scenario/scenario.h"
#include "tests/fuzz/fuzz.h"

using namespace warplens;

namespace {

/// Options with which `occupancy` reads no file; there is none with which it writes one.
constexpr std::array<std::string_view, 9> harmlessOptions{
    "--grid",   "--block",    "--set", "--array-offset", "--registers",
    "--shared", "--carveout", "--cc",  "--json"};

/// Options that are not listed may read a folder, and the name of a scenario has all recordings
/// read that come with the program, which takes as long as a thousand other inputs.
bool isHarmless(const std::string& word) {
    if (!word.starts_with('-')) return findScenario(word) == nullptr;
    const std::string_view option = std::string_view(word).substr(0, word.find('='));
    return std::ranges::find(harmlessOptions, option) != harmlessOptions.end();
}

/// Whether the command starts no process, touches no file, opens no window and never takes long:
/// one alone. All others are understood, which does none of that, and not carried out.
bool isHarmless(const std::vector<std::string>& words) {
    return words.size() > 1 && words[1] == "occupancy" &&
           std::all_of(words.begin() + 2, words.end(),
                       [](const std::string& word) { return isHarmless(word); });
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
