#pragma once

#include <map>
#include <string>

#include "kernels/ptx/run/grid.h"

namespace warplens::programs {

/// Kernels as the program's own text declares them. Files are read once, where PTX names them.
class Declarations final {
  public:
    /// The names of the kernel's parameters, in order; `argument 2` where its text says none.
    [[nodiscard]] std::vector<std::string> parametersOf(const ptx::Program& program,
                                                        const ptx::Function& kernel);

  private:
    void read(const std::string& path);
    std::map<std::string, std::vector<std::vector<std::string>>> kernels_;  ///< by plain name
    std::map<std::string, bool> files_;
};

/// `ns::scan<true>` of the mangled name of a kernel.
[[nodiscard]] std::string kernelName(std::string_view mangled);
/// `tile` of a variable's mangled name.
[[nodiscard]] std::string variableName(std::string_view mangled);

/// Gives arrays the names that the kernel has for them: of the parameter that points into it, else
/// of a parameter with a pointer into it among its bytes.
void nameArrays(ptx::Memory& memory, const ptx::KernelLaunch& launch,
                const std::vector<std::string>& parameters);

}  // namespace warplens::programs
