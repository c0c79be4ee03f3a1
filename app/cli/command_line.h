#pragma once

#include <functional>
#include <string>

namespace warplens {

/// Everything the program does, from its arguments to its exit code. Results go to standard output,
/// all other words to standard error, each line there after `warplens: `.
[[nodiscard]] int runCommandLine(int argumentCount, char** arguments);

/// The same up to the point where the command would be run: what is wrong with the command line as
/// a whole has been said by then, and calling the result then only gives the exit code.
[[nodiscard]] std::function<int()> understandCommandLine(int argumentCount, char** arguments);

/// Opens the course that the first line of an exercise's file names, where none is open: its folder
/// is beside the file, in a folder above it, or where the program runs.
void openCourseOfExercise(const std::string& file);

}  // namespace warplens
