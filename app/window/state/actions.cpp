#include "app/window/state/actions.h"

#include "app/window/state/action_keys.h"
#include "app/window/state/apply.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

using namespace keys;

std::string keyName(int key) {
    constexpr std::array<std::pair<int, const char*>, 15> names{{{keyEscape, "Esc"},
                                                                 {keyRight, "→"},
                                                                 {keyLeft, "←"},
                                                                 {keyDown, "↓"},
                                                                 {keyUp, "↑"},
                                                                 {keyPageUp, "Page Up"},
                                                                 {keyPageDown, "Page Down"},
                                                                 {keyEnter, "Enter"},
                                                                 {keypadEnter, "Enter"},
                                                                 {keyF1, "F1"},
                                                                 {keyF5, "F5"},
                                                                 {keypadSubtract, "-"},
                                                                 {keypadAdd, "+"},
                                                                 {'=', "+"},
                                                                 {' ', "Space"}}};
    const auto* const found = std::ranges::find(names, key, &std::pair<int, const char*>::first);
    return found == names.end() ? std::string(1, static_cast<char>(key)) : found->second;
}

/// In the palette: its own keys; all others are typed into its field.
std::optional<Command> paletteCommand(KeyPress press) {
    const auto& opening = actionOf(Act::palette).presses;
    if (press.control && std::ranges::find(opening, press) != opening.end())
        return FilterPalette{};  // begins anew
    switch (press.key) {
        case keyDown:
            return MovePalette{1};
        case keyUp:
            return MovePalette{-1};
        case keyPageDown:
            return MovePalette{8};
        case keyPageUp:
            return MovePalette{-8};
        case keyEnter:
        case keypadEnter:
            return RunPalette{};
        case keyEscape:
            return OpenPalette{false};
        default:
            return std::nullopt;
    }
}

/// What moves the picture, or a lesson on: nothing does behind what lies over it.
bool moves(Act act) {
    constexpr std::array moving{Act::pageOn,     Act::pageBack,  Act::pageEnter,
                                Act::slideOn,    Act::slideBack, Act::slideSpace,
                                Act::stepBefore, Act::stepAfter, Act::play};
    return std::ranges::count(moving, act) != 0;
}

}  // namespace

std::string_view titleOf(ActGroup group) {
    constexpr std::array<std::string_view, 7> titles{"Launch",          "View",  "Warp",  "Results",
                                                     "Learn and teach", "Files", "Window"};
    return titles.at(static_cast<std::size_t>(group));
}

/// How far a key scrolls the help, in tenths of what can be seen of it; 0: not at all.
static int helpScrollOf(KeyPress press) {
    if (press.control || press.shift) return 0;
    switch (press.key) {
        case keyPageDown:
        case ' ':
            return 8;
        case keyPageUp:
            return -8;
        case keyDown:
            return 1;
        case keyUp:
            return -1;
        default:
            return 0;
    }
}

std::string keyText(KeyPress press) {
    // Of these the shifted key is the sign itself.
    if (press.shift && press.key == '/') return "?";
    const bool sign = press.key == '=' || press.key == ',' || press.key == '.';
    std::string text = press.control ? "Ctrl+" : "";
    if (press.shift && !sign) text += "Shift+";
    // Among digits it would be read as one.
    if (press.key == 'O' && text.empty()) return "O (letter)";
    return text + keyName(press.key);
}

const Action& actionOf(Act act) {
    return *std::ranges::find(allActions(), act, &Action::act);
}

const Action& actionOf(PictureKind picture) {
    return *std::ranges::find_if(allActions(), [&](const Action& action) {
        return action.act == Act::picture && action.picture == picture;
    });
}

std::string keysOf(const Action& action) {
    std::string all;
    std::string last;
    for (const KeyPress& press : action.presses) {
        if (press.key == 0) break;
        std::string text = keyText(press);
        if (text == last) continue;
        addWords(all, ", ", text);
        last = std::move(text);
    }
    return all;
}

bool isPossible(const AppState& state, const Action& action) {
    return action.sensible(state) && !isLocked(state, action.command(state));
}

std::optional<Command> commandFor(const AppState& state, KeyPress press, bool typing) {
    if (state.palette.open) return paletteCommand(press);
    if (const int tenths = helpScrollOf(press); state.helpOpen && tenths != 0)
        return SetHelpOpen{true, tenths};
    const bool types = !press.control && press.key < keyEscape;
    const bool isCovered = state.program.asking || state.figure.open || state.helpOpen;
    for (const Action& action : allActions()) {
        if (isCovered && moves(action.act)) continue;
        const bool ofAnswer =
            (action.act == Act::present || action.act == Act::projector) && asksUnanswered(state);
        if (typing && !ofAnswer && (types || !action.whileTyping)) continue;
        if (std::ranges::find(action.presses, press) == action.presses.end()) continue;
        // One key may mean one thing here and another there.
        if (action.sensible(state)) return action.command(state);
    }
    return std::nullopt;
}

}  // namespace warplens::window
