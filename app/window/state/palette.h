#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/state/command.h"

/// The palette: one field that finds commands, scenarios, lessons, files, and the launches,
/// findings and remedies of the open file.
namespace warplens::window {

enum class PaletteKind : std::uint8_t {
    command,
    scenario,
    lesson,
    file,
    launch,
    finding,
    remedy,
};
/// `scenario`.
[[nodiscard]] std::string_view toString(PaletteKind kind);

struct PaletteEntry final {
    PaletteKind kind{};
    std::string words;
    std::string keys{};  ///< of a command, where it has any
    Commands commands{};
};

/// What answers to what is typed, the best first; everything there is where nothing is typed. Only
/// what can be done now. Cost: below a millisecond.
[[nodiscard]] std::vector<PaletteEntry> paletteEntries(const AppState& state);

/// Where nothing answers: why not, of a launch that the file's own main makes, of a warp or a line
/// that is not there, and of remedies that are still tried.
[[nodiscard]] std::string whyNothing(const AppState& state);

/// What a lesson is found by besides its title: its id, group, words and its scenarios' titles.
[[nodiscard]] std::string aboutLesson(const Lesson& lesson);
/// Whether it is called so, is about that, or says so.
[[nodiscard]] bool isAbout(const Lesson& lesson, const std::string& typed);

/// Lessons that are so, those whose title holds what is typed first; all where nothing is typed.
[[nodiscard]] std::vector<const Lesson*> lessonsFound(const std::string& typed);

/// How well a text answers to what is typed: the more, the better; nothing where it does not. Each
/// word of `typed` has to be there, in any order and whatever its case: as it stands, or as
/// beginnings of words that follow one another (`msw` finds `matmul-swapped`).
[[nodiscard]] std::optional<int> matchScore(std::string_view typed, std::string_view text);
/// The same of what is called `name`, before all that is only about what is typed.
[[nodiscard]] std::optional<int> namedScore(std::string_view typed, const std::string& name,
                                            const std::string& about);

}  // namespace warplens::window
