#pragma once

#include <filesystem>
#include <functional>

#include "core/sweep/sweep.h"

namespace CLI {
class App;
}  // namespace CLI

/// What stands in a file that is about to be written, looked at before any work is done: nothing
/// that was measured is lost unasked, nor anything else that is not of the same kind.
namespace warplens {

/// --force.
void addForceFlag(CLI::App& parser, bool& force);

/// Throws InvalidRequest for an `option` without a file, and CommandFailed for a file that cannot
/// be written, or cannot be made in its folder: better said before something that takes minutes. A
/// course's `recordings` folder is made where there is none yet.
void requireWritable(const char* option, const std::filesystem::path& file);

/// For a file that is to hold a measurement. Throws as `requireWritable`, and InvalidRequest where
/// it is a pipe or device, or holds anything and `force` was not given.
void requireNothingLost(const char* option, const std::filesystem::path& file, bool force);

/// The same for a file that is to hold `sweep`: predictions of the same sweep may be replaced.
void requireNothingLost(const char* option, const std::filesystem::path& file, const Sweep& sweep,
                        bool force);

/// For a file that is to hold a picture: a picture may be replaced by a picture, since the file was
/// named.
void requireNoneButPictureLost(const char* option, const std::filesystem::path& file, bool force);

}  // namespace warplens
