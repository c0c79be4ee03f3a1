#pragma once

/// The functions of OpenGL 3.3 core, or of OpenGL ES 3.0 where a page is drawn, and what its
/// shaders begin with.
#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#include <glad/gl.h>
#endif

namespace warplens::window {

#ifdef __EMSCRIPTEN__
/// Shaders are compiled by another process, so that they can be begun before they are needed.
inline constexpr bool compilesBeside = true;
inline constexpr const char* shaderVersion = "#version 300 es";
inline constexpr const char* shaderHead =
    "#version 300 es\nprecision highp float;\nprecision highp int;\n";
#else
inline constexpr bool compilesBeside = false;
inline constexpr const char* shaderVersion = "#version 330 core";
inline constexpr const char* shaderHead = "#version 330 core\n";
#endif

}  // namespace warplens::window
