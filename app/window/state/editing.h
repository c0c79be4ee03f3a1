#pragma once

#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "app/window/state/app_state.h"

/// The launch as a person edits it: what is typed into the number fields (`block x` .. `grid z`,
/// and the kernel's sizes by name), what follows from an edit, and Undo; and what the window says.
namespace warplens::window {

/// Takes over the number in `text`, or keeps the text as it is where it holds none that the field
/// could have. False when there is no such field.
[[nodiscard]] bool enterNumber(Edit& edit, std::string_view field, std::string_view text);

/// What is wrong with a text that was kept: `block x = 'abc': a whole number`,
/// `grid y = -5: at least 1`.
[[nodiscard]] LimitViolation violationOfText(const Edit& edit, std::string_view field,
                                             std::string_view text);

/// Drops the texts kept for the fields whose name begins with `group`.
void forgetTexts(Edit& edit, std::string_view group);

/// Takes an edit over, and what follows from it: grid, selection, camera, sweep. `field` names what
/// is edited; steps of one drag share a name and undo together.
void change(AppState& state, Edit next, std::string field);
/// Its grid covers where it is the one that does; else it was chosen by hand and stays.
[[nodiscard]] Edit editOf(const Experiment& experiment);
/// What showing an experiment does.
void takeExperiment(AppState& state, const Experiment& experiment);
/// The launch as code: as it is typed, or the one that is shown where something typed is no number.
[[nodiscard]] const Launch& writtenLaunch(const AppState& state);
void undo(AppState& state);
void redo(AppState& state);

/// Lets go of what is not in the shown launch, `before` being the one shown until now.
void keepSelectionInside(AppState& state, const Experiment& before);

/// Says it, once however often: the oldest of more than four messages goes.
/// One `ofFile` goes with what it is about of the open file (forgetFileMessages).
void report(AppState& state, MessageKind kind, const std::string& said, bool ofFile = false);
void forgetFileMessages(AppState& state);

/// Does the work; what it throws becomes a message, so that one mistake of ours does not end the
/// window.
template <class Work>
void guarded(AppState& state, const Work& work) {
    try {
        work();
    } catch (const std::exception& error) {
        report(state, MessageKind::error, std::string("That went wrong: ") + error.what());
    }
}

/// How much there is still to be seen of a message: 1 until it fades.
[[nodiscard]] double strengthOf(const AppState& state, const Message& message);
/// Seconds until a message fades or is gone; nothing while none will.
[[nodiscard]] std::optional<double> secondsToNextFade(const AppState& state);

}  // namespace warplens::window
