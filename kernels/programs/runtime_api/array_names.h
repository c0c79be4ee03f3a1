#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

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

/// `tile` of a variable's mangled name.
[[nodiscard]] std::string variableName(std::string_view mangled);

/// An array that a parameter of a kernel points into.
struct ParameterArray final {
    const ptx::Allocation* array = nullptr;
    std::size_t parameter = 0;
    std::uint32_t elementBytes = 0;      ///< as it is declared; 4 where that is not known
    std::uint32_t elementAlignment = 0;  ///< of numbers and vectors; else 0
    std::uint64_t offset = 0;            ///< from the array's first byte
};
/// By parameter. Of one that is a struct nothing is known.
[[nodiscard]] std::vector<ParameterArray> parameterArrays(const ptx::Memory& memory,
                                                          const ptx::KernelLaunch& launch);

/// Gives arrays the names that the kernel has for them: of the parameter that points into it, else
/// of a parameter with a pointer into it among its bytes.
void nameArrays(ptx::Memory& memory, const ptx::KernelLaunch& launch,
                const std::vector<std::string>& parameters);

/// What arrays are called in one launch: by ids, those in shared memory by their places in the
/// layout (`ptx::ArrayCounts::array`). Holds while no array is made or freed.
class ArrayNames final {
  public:
    ArrayNames(ptx::Program& program, const ptx::KernelLaunch& launch);
    [[nodiscard]] std::string of(std::uint32_t array) const;
    /// Whether the kernel, or a function that it calls, names the variable; true as well where it
    /// calls functions by their addresses.
    [[nodiscard]] bool mayUse(const ptx::Allocation& variable) const;
    /// Whether there is an instruction in them that takes a texture's or a surface's handle.
    [[nodiscard]] bool takesHandles() const { return takesHandles_; }

  private:
    /// What the function and those that it calls use. Memory of a size that the launch says has a
    /// name of its own in each kernel.
    void read(const ptx::Program& program, const ptx::Function& function,
              std::set<const ptx::Function*>& seen);

    ptx::SharedLayout shared_;
    std::map<std::uint32_t, const ptx::Allocation*> global_;
    std::string dynamic_ = "dynamic shared memory";
    std::set<std::string, std::less<>> variables_;
    bool callsByAddress_ = false;
    bool takesHandles_ = false;
};

}  // namespace warplens::programs
