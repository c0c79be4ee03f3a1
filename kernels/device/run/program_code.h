#pragma once

#include <map>
#include <string>

#include "core/program/launch_inputs.h"
#include "kernels/device/compile/compile.h"

namespace warplens {

/// The compiled unit in which a launch's kernel lies.
struct ProgramCode final {
    std::size_t unit = 0;  ///< index into ProgramSources::units
    std::shared_ptr<const CompiledUnit> compiled{};
    std::string kernel{};                          ///< symbol
    std::map<std::string, std::string> symbols{};  ///< of device variables, by name expression
};

/// Compiles the units of a program until one has the launch's kernel. Throws CompileError: the
/// words of the unit that names the kernel, with the file's own lines.
[[nodiscard]] ProgramCode compileProgram(const ProgramSources& sources, const LaunchInputs& inputs,
                                         const CompileOptions& options);

}  // namespace warplens
