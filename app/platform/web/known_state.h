#pragma once

/// Dear ImGui's OpenGL backend asks for some twenty states each frame and puts them back, and each
/// answer waits for the process that draws. In this window they are known: it is compiled with this
/// header before its own.
#include <GLES3/gl3.h>
#ifdef __cplusplus
#include <array>

namespace warplens::window::known {

inline std::array<GLint, 4> viewport{};  ///< Canvas::bind sets it

inline void getIntegerv(GLenum name, GLint* value) {
    switch (name) {
        case GL_VIEWPORT:
        case GL_SCISSOR_BOX:
            for (std::size_t i = 0; i < viewport.size(); ++i) value[i] = viewport[i];
            return;
        case GL_ACTIVE_TEXTURE:
            *value = GL_TEXTURE0;
            return;
        case GL_BLEND_SRC_RGB:
        case GL_BLEND_SRC_ALPHA:
            *value = GL_ONE;
            return;
        case GL_BLEND_EQUATION_RGB:
        case GL_BLEND_EQUATION_ALPHA:
            *value = GL_FUNC_ADD;
            return;
        case GL_MAX_TEXTURE_SIZE:
            glGetIntegerv(name, value);
            return;
        default:
            *value = 0;  // no program, texture, sampler, buffer or vertex array
    }
}
inline GLboolean isEnabled(GLenum) {
    return GL_FALSE;
}

}  // namespace warplens::window::known

#ifdef WARPLENS_KNOWN_STATE
#define glGetIntegerv warplens::window::known::getIntegerv
#define glIsEnabled warplens::window::known::isEnabled
#endif
#endif
