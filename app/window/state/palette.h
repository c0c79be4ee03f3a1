#pragma once

#include <string>
#include <vector>

#include "app/window/state/command.h"

/// The palette: one field that finds commands, scenarios, lessons and files.
namespace warplens::window {

enum class PaletteKind : std::uint8_t { command, scenario, lesson, file };
/// `scenario`.
[[nodiscard]] std::string_view toString(PaletteKind kind);

struct PaletteEntry final {
    PaletteKind kind{};
    std::string words;
    std::string keys{};  ///< of a command, where it has any
    Commands commands{};
};

/// What answers to what is typed, the best first; everything there is where nothing is typed. Only
/// what can be done now. Cost: some 10 microseconds.
[[nodiscard]] std::vector<PaletteEntry> paletteEntries(const AppState& state);

}  // namespace warplens::window
