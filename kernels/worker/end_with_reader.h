#pragma once

namespace warplens {

/// From now on this process ends as soon as nobody reads `output` any more, whatever it does at the
/// time: a kernel that never ends would otherwise keep the device after the window, or
/// the connection to it, is gone.
void endWithReader(int output);

}  // namespace warplens
