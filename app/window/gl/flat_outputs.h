#pragma once

#include <string>
#include <string_view>

namespace warplens::window {

/// The part of a vertex shader that hands uniforms on to a fragment shader: for every line
/// `flat in TYPE fNAME;` of the fragment shader `uniform TYPE uNAME;` and `flat out TYPE fNAME;`,
/// then `void handOver()`, which copies one to the other. Conditions of the preprocessor stay round
/// them.
///
/// A software rasteriser fetches each component of a uniform anew for every few pixels, with a
/// check of its bounds; one that is handed over costs next to nothing. OpenGL 3.3 promises room for
/// 60 components of all that is handed over.
[[nodiscard]] std::string flatOutputs(std::string_view fragmentSource);

}  // namespace warplens::window
