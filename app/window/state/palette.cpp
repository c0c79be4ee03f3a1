#include "app/window/state/palette.h"

#include <algorithm>
#include <array>
#include <functional>

#include "app/lessons/library.h"
#include "app/window/state/actions.h"
#include "app/window/state/fuzzy.h"
#include "core/lesson/lesson.h"

namespace warplens::window {
namespace {

/// Found by what they are called before what is only about them.
constexpr int called = 1000;

struct Scored final {
    int score = 0;
    PaletteEntry entry;
};

class Finder final {
  public:
    explicit Finder(const AppState& state) : state_(state) {}

    void actions() {
        for (const Action& action : allActions()) {
            if (isMeantForKeys(action.act) || !isPossible(state_, action)) continue;
            offer({PaletteKind::command,
                   std::string(action.does),
                   keysOf(action),
                   {action.command(state_)}},
                  std::string(action.label) + ' ' + std::string(titleOf(action.group)));
        }
    }
    void scenarios() {
        for (const Scenario& scenario : allScenarios()) {
            Commands commands;
            if (state_.mode == Mode::learn) commands.emplace_back(SetMode{Mode::explore});
            commands.emplace_back(ChooseScenario{std::string(scenario.id)});
            offer({PaletteKind::scenario, std::string(scenario.title), {}, std::move(commands)},
                  std::string(scenario.id) + ' ' + std::string(groupTitle(scenario.group)));
        }
    }
    void lessons() {
        for (const Lesson& lesson : builtInLessons().lessons) {
            offer({PaletteKind::lesson, lesson.title, {}, {OpenLesson{lesson.id}}},
                  lesson.id + ' ' + std::string(groupTitle(lesson.group)) + " lesson");
        }
    }
    void files() {
        const std::string& typed = state_.palette.typed;
        const auto open = [&](const std::string& path) {
            Commands commands;
            if (state_.mode != Mode::explore) commands.emplace_back(SetMode{Mode::explore});
            commands.emplace_back(OpenProgram{path});
            return commands;
        };
        if (typed.ends_with(".cu")) {
            found_.push_back({3 * called, {PaletteKind::file, "Open " + typed, {}, open(typed)}});
        }
        for (const std::string& file : state_.palette.files) {
            offer({PaletteKind::file, file, {}, open("./" + file)}, "file open");
        }
    }

    std::vector<PaletteEntry> sorted() && {
        std::ranges::stable_sort(found_, std::ranges::greater{}, &Scored::score);
        std::vector<PaletteEntry> entries;
        entries.reserve(found_.size());
        for (Scored& one : found_) entries.push_back(std::move(one.entry));
        return entries;
    }

  private:
    /// What is done many times over, and what ends the palette itself.
    static bool isMeantForKeys(Act act) {
        constexpr std::array only{Act::moveLeft, Act::moveRight, Act::moveUp, Act::moveDown,
                                  Act::turnLeft, Act::turnRight, Act::turnUp, Act::turnDown,
                                  Act::palette,  Act::back};
        return std::ranges::find(only, act) != only.end();
    }

    void offer(PaletteEntry entry, const std::string& about) {
        const std::string& typed = state_.palette.typed;
        if (const auto score = matchScore(typed, entry.words)) {
            found_.push_back({called + *score, std::move(entry)});
        } else if (const auto mentioned = matchScore(typed, entry.words + ' ' + about)) {
            found_.push_back({*mentioned, std::move(entry)});
        }
    }

    const AppState& state_;
    std::vector<Scored> found_;
};

}  // namespace

std::string_view toString(PaletteKind kind) {
    constexpr std::array<std::string_view, 4> words{"", "scenario", "lesson", "file"};
    return words.at(static_cast<std::size_t>(kind));
}

std::vector<PaletteEntry> paletteEntries(const AppState& state) {
    Finder finder(state);
    finder.actions();
    finder.scenarios();
    finder.lessons();
    finder.files();
    return std::move(finder).sorted();
}

}  // namespace warplens::window
