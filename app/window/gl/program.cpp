#include "app/window/gl/program.h"

#include <array>
#include <sstream>
#include <utility>

#include "app/platform/gl.h"

namespace warplens::window {
namespace {

/// What `read` gives: glGetProgramInfoLog of a program, glGetShaderInfoLog of a shader.
template <class Read>
std::string logOf(unsigned handle, Read read) {
    std::string log(2048, '\0');
    GLsizei length = 0;
    read(handle, static_cast<GLsizei>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    return log;
}

}  // namespace

Program::Program(std::string_view vertexSource, std::string_view fragmentSource)
    : handle_(glCreateProgram()) {
    for (const auto& [kind, source] : {std::pair{GL_VERTEX_SHADER, vertexSource},
                                       std::pair{GL_FRAGMENT_SHADER, fragmentSource}}) {
        const unsigned shader = glCreateShader(static_cast<GLenum>(kind));
        const char* text = source.data();
        const auto length = static_cast<GLint>(source.size());
        glShaderSource(shader, 1, &text, &length);
        glCompileShader(shader);
        glAttachShader(handle_, shader);
        glDeleteShader(shader);  // with the program
    }
    glLinkProgram(handle_);
}

void Program::check() {
    if (isChecked_) return;
    GLint linked = 0;
    glGetProgramiv(handle_, GL_LINK_STATUS, &linked);
    isChecked_ = linked != 0;
    if (isChecked_) return;
    std::array<unsigned, 2> shaders{};
    glGetAttachedShaders(handle_, 2, nullptr, shaders.data());
    std::string log;
    for (const unsigned shader : shaders) log += logOf(shader, glGetShaderInfoLog);
    throw ShaderError(log + logOf(handle_, glGetProgramInfoLog));
}

Program::Program(Program&& other) noexcept
    : handle_(std::exchange(other.handle_, 0)), isChecked_(other.isChecked_) {}

Program::~Program() {
    if (handle_ != 0) glDeleteProgram(handle_);
}

int Program::uniform(const char* name) const {
    return glGetUniformLocation(handle_, name);
}

std::string flatOutputs(std::string_view fragmentSource) {
    constexpr std::string_view start = "flat in ";
    std::string declared;
    std::string copied = "void handOver() {\n";
    std::istringstream lines{std::string(fragmentSource)};
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with('#')) {
            declared += line + '\n';
            copied += line + '\n';
        } else if (line.starts_with(start)) {
            std::istringstream words(line.substr(start.size()));
            std::string type;
            std::string name;
            words >> type >> name;
            name.erase(name.find(';'));
            const std::string given = 'u' + name.substr(1);
            declared += "uniform " + type + ' ' + given + ";\n";
            declared += std::string("flat out ") + type + ' ' + name + ";\n";
            copied += "    " + name + " = " + given + ";\n";
        }
    }
    return declared + copied + "}\n";
}

}  // namespace warplens::window
