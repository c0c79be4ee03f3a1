#pragma once

#include <stdexcept>
#include <string_view>

namespace warplens::window {

/// A shader that did not compile or link; the message is the driver's log.
class ShaderError final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Owns one linked program of the current OpenGL context.
class Program final {
  public:
    /// Throws ShaderError.
    Program(std::string_view vertexSource, std::string_view fragmentSource);
    Program(Program&& other) noexcept;
    ~Program();

    [[nodiscard]] unsigned handle() const { return handle_; }
    /// Location of a uniform, -1 when the shader does not use it.
    [[nodiscard]] int uniform(const char* name) const;

  private:
    unsigned handle_ = 0;
};

}  // namespace warplens::window
