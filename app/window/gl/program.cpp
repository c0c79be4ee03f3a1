#include "app/window/gl/program.h"

#include <sstream>
#include <utility>

#include "app/platform/gl.h"

namespace warplens::window {
namespace {

std::string logOf(unsigned handle, bool program) {
    std::string log(2048, '\0');
    GLsizei length = 0;
    if (program) {
        glGetProgramInfoLog(handle, static_cast<GLsizei>(log.size()), &length, log.data());
    } else {
        glGetShaderInfoLog(handle, static_cast<GLsizei>(log.size()), &length, log.data());
    }
    log.resize(static_cast<std::size_t>(length));
    return log;
}

/// Deletes the shader when the program that uses it has been linked, or failed to.
struct Shader final {
    unsigned handle;
    Shader(unsigned kind, std::string_view source) : handle(glCreateShader(kind)) {
        const char* text = source.data();
        const auto length = static_cast<GLint>(source.size());
        glShaderSource(handle, 1, &text, &length);
        glCompileShader(handle);
    }
    Shader(const Shader&) = delete;
    Shader& operator=(const Shader&) = delete;
    ~Shader() { glDeleteShader(handle); }

    void check() const {
        GLint compiled = 0;
        glGetShaderiv(handle, GL_COMPILE_STATUS, &compiled);
        if (compiled == 0) throw ShaderError(logOf(handle, false));
    }
};

}  // namespace

Program::Program(std::string_view vertexSource, std::string_view fragmentSource) {
    const Shader vertex(GL_VERTEX_SHADER, vertexSource);
    const Shader fragment(GL_FRAGMENT_SHADER, fragmentSource);
    vertex.check();
    fragment.check();
    handle_ = glCreateProgram();
    glAttachShader(handle_, vertex.handle);
    glAttachShader(handle_, fragment.handle);
    glLinkProgram(handle_);
    GLint linked = 0;
    glGetProgramiv(handle_, GL_LINK_STATUS, &linked);
    if (linked == 0) {
        const std::string log = logOf(handle_, true);
        glDeleteProgram(std::exchange(handle_, 0));
        throw ShaderError(log);
    }
}

Program::Program(Program&& other) noexcept : handle_(std::exchange(other.handle_, 0)) {}

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
