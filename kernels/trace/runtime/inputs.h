#pragma once

#include <string>

namespace warplens::runtime {

/// Keeps what all arrays hold before the launch.
void rememberArrays();
/// Sends the launch's inputs, and what came of them.
void sendLaunchInputs(const std::string& instance);

}  // namespace warplens::runtime
