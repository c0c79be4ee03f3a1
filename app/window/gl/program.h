#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace warplens::window {

/// A shader that did not compile or link; the message is the driver's log.
class ShaderError final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Owns one program of the current OpenGL context.
class Program final {
  public:
    /// Has it made, which may go on beside the caller.
    Program(std::string_view vertexSource, std::string_view fragmentSource);
    Program(Program&& other) noexcept;
    ~Program();

    /// Waits until it is there. Throws ShaderError.
    void check();
    [[nodiscard]] bool isChecked() const { return isChecked_; }
    [[nodiscard]] unsigned handle() const { return handle_; }
    /// Location of a uniform, -1 when the shader does not use it.
    [[nodiscard]] int uniform(const char* name) const;

  private:
    unsigned handle_ = 0;
    bool isChecked_ = false;
};

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
