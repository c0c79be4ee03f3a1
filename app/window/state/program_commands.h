#pragma once

#include "app/window/state/command.h"

/// What commands do to the open file, and to what the window shows of it.
namespace warplens::window {

void perform(AppState& state, const AskForProgram& command);
void perform(AppState& state, const ProgramBrowsed& command);
void perform(AppState& state, const SaveProgram& command);
void perform(AppState& state, const NewProgram& command);
void perform(AppState& state, const OpenProgram& command);
void perform(AppState& state, const CloseProgram& command);
void perform(AppState& state, const RunUnconfined& command);
void perform(AppState& state, const ProgramText& command);
void perform(AppState& state, const ProgramTraced& command);
void perform(AppState& state, const RemediesFound& command);
void perform(AppState& state, const ApplyRemedy& command);
void perform(AppState& state, const ToggleLineGoal& command);
void perform(AppState& state, const RemedyWritten& command);
void perform(AppState& state, const ChooseProgramLaunch& command);
void perform(AppState& state, const ChooseProgramLine& command);
void perform(AppState& state, const ChooseBlock& command);
void perform(AppState& state, const ShowFinding& command);

}  // namespace warplens::window
