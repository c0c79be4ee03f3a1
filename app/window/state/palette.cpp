#include "app/window/state/palette.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "app/lessons/library.h"
#include "app/window/state/actions.h"
#include "core/lesson/lesson.h"

namespace warplens::window {

namespace {

std::string lowered(std::string_view text) {
    std::string small(text);
    for (char& c : small) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return small;
}

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           (static_cast<unsigned char>(c) & 0x80);
}

bool beginsWord(const std::string& text, std::size_t at) {
    return at == 0 || !isLetter(text[at - 1]);
}

/// Whether the letters are beginnings of words, in their order; `at` is where the first stands.
bool isAbbreviated(const std::string& word, const std::string& text, std::size_t at) {
    for (std::size_t i = 1; i < word.size(); ++i) {
        std::size_t next = at + 1;
        while (next < text.size() &&
               (text[next] != word[i] || (next != at + 1 && !beginsWord(text, next)))) {
            ++next;
        }
        if (next == text.size()) return false;
        at = next;
    }
    return true;
}

std::optional<int> abbreviation(const std::string& word, const std::string& text) {
    constexpr int score = 20;
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
        if (text[begin] == word[0] && beginsWord(text, begin) && isAbbreviated(word, text, begin)) {
            return score;
        }
    }
    return std::nullopt;
}

std::optional<int> scoreOf(const std::string& word, const std::string& text) {
    std::optional<int> best;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const int score = at == 0 ? 100 : beginsWord(text, at) ? 80 : 50;
        best = std::max(best.value_or(0), score);
    }
    return best ? best : abbreviation(word, text);
}

}  // namespace

std::optional<int> matchScore(std::string_view typed, std::string_view text) {
    const std::string wanted = lowered(typed);
    const std::string there = lowered(text);
    int sum = 0;
    for (std::size_t at = 0; at < wanted.size();) {
        const std::size_t begin = wanted.find_first_not_of(' ', at);
        if (begin == std::string::npos) break;
        at = std::min(wanted.find(' ', begin), wanted.size());
        const auto score = scoreOf(wanted.substr(begin, at - begin), there);
        if (!score) return std::nullopt;
        sum += *score;
    }
    return sum;
}

namespace {

/// Found by what they are called before what is only about them.
constexpr int called = 1000;

struct Scored final {
    int score = 0;
    PaletteEntry entry;
};

/// What is done many times over, and what ends the palette itself.
bool isMeantForKeys(Act act) {
    constexpr std::array only{Act::moveLeft, Act::moveRight, Act::moveUp, Act::moveDown,
                              Act::turnLeft, Act::turnRight, Act::turnUp, Act::turnDown,
                              Act::palette,  Act::back};
    return std::ranges::find(only, act) != only.end();
}

}  // namespace

std::string aboutLesson(const Lesson& lesson) {
    std::string about = lesson.id + ' ' + std::string(groupTitle(lesson.group));
    for (const std::string& word : lesson.words) about += ' ' + word;
    for (const auto& [name, launch] : lesson.launches) {
        about += ' ' + std::string(scenarioNamed(launch.scenario).title);
    }
    return about;
}

std::string_view toString(PaletteKind kind) {
    constexpr std::array<std::string_view, 4> words{"", "scenario", "lesson", "file"};
    return words.at(static_cast<std::size_t>(kind));
}

std::vector<PaletteEntry> paletteEntries(const AppState& state) {
    const std::string& typed = state.palette.typed;
    std::vector<Scored> found;
    const auto offer = [&](PaletteEntry entry, const std::string& about) {
        if (const auto score = matchScore(typed, entry.words)) {
            found.push_back({called + *score, std::move(entry)});
        } else if (const auto mentioned = matchScore(typed, entry.words + ' ' + about)) {
            found.push_back({*mentioned, std::move(entry)});
        }
    };
    for (const Action& action : allActions()) {
        if (isMeantForKeys(action.act) || !isPossible(state, action)) continue;
        offer({PaletteKind::command,
               std::string(action.does),
               keysOf(action),
               {action.command(state)}},
              std::string(action.label) + ' ' + std::string(titleOf(action.group)));
    }
    for (const Scenario& scenario : allScenarios()) {
        Commands commands;
        if (state.view.mode == Mode::learn) commands.emplace_back(SetMode{Mode::explore});
        commands.emplace_back(ChooseScenario{std::string(scenario.id)});
        offer({PaletteKind::scenario, std::string(scenario.title), {}, std::move(commands)},
              std::string(scenario.id) + ' ' + std::string(groupTitle(scenario.group)));
    }
    for (const Lesson& lesson : builtInLessons().lessons) {
        offer({PaletteKind::lesson, lesson.title, {}, {OpenLesson{lesson.id}}},
              aboutLesson(lesson) + " lesson");
    }
    const auto open = [&](const std::string& path) -> Commands {
        if (state.view.mode == Mode::explore) return {OpenProgram{path}};
        return {SetMode{Mode::explore}, OpenProgram{path}};
    };
    if (typed.ends_with(".cu")) {
        found.push_back({3 * called, {PaletteKind::file, "Open " + typed, {}, open(typed)}});
    }
    for (const std::string& file : state.palette.files) {
        offer({PaletteKind::file, file, {}, open("./" + file)}, "file open");
    }
    std::ranges::stable_sort(found, std::ranges::greater{}, &Scored::score);
    std::vector<PaletteEntry> entries;
    entries.reserve(found.size());
    for (Scored& one : found) entries.push_back(std::move(one.entry));
    return entries;
}

}  // namespace warplens::window
