#pragma once

#include <glad/gl.h>

#include "app/drawing/palette.h"
#include "app/window/gl/program.h"

namespace warplens::window {

/// Sets uniforms of the bound program by name; names it does not use are passed over.
struct Uniforms final {
    const Program& program;

    void set(const char* name, int value) const { glUniform1i(program.uniform(name), value); }
    void set(const char* name, std::uint32_t value) const {
        glUniform1ui(program.uniform(name), value);
    }
    void set(const char* name, float value) const { glUniform1f(program.uniform(name), value); }
    void set(const char* name, float x, float y) const { glUniform2f(program.uniform(name), x, y); }
    void set(const char* name, int x, int y) const { glUniform2i(program.uniform(name), x, y); }
    void set(const char* name, std::uint32_t x, std::uint32_t y) const {
        glUniform2ui(program.uniform(name), x, y);
    }
    void set(const char* name, int x, int y, int z) const {
        glUniform3i(program.uniform(name), x, y, z);
    }
    void set(const char* name, std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
        glUniform3ui(program.uniform(name), x, y, z);
    }
    void set(const char* name, std::uint32_t x, std::uint32_t y, std::uint32_t z,
             std::uint32_t w) const {
        glUniform4ui(program.uniform(name), x, y, z, w);
    }
    template <std::size_t count>
    void set(const char* name, const std::array<Rgb, count>& colors) const {
        std::array<float, 3 * count> parts{};
        for (std::size_t i = 0; i < count; ++i) {
            parts.at(3 * i) = static_cast<float>(colors.at(i) >> 16 & 255) / 255.0F;
            parts.at(3 * i + 1) = static_cast<float>(colors.at(i) >> 8 & 255) / 255.0F;
            parts.at(3 * i + 2) = static_cast<float>(colors.at(i) & 255) / 255.0F;
        }
        glUniform3fv(program.uniform(name), static_cast<GLsizei>(count), parts.data());
    }
    void color(const char* name, Rgb value) const { set(name, std::array<Rgb, 1>{value}); }
};

}  // namespace warplens::window
