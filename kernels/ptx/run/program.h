#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/ptx/read/module.h"
#include "kernels/ptx/run/memory.h"
#include "kernels/ptx/run/step.h"

namespace warplens::ptx {

/// An array in shared memory. Addresses of different arrays lie 1 MiB apart, so that an index that
/// runs over an array's end is found; banks are as if they began at a multiple of 128 bytes.
struct SharedArray final {
    std::string_view name{};
    u64 address = 0;  ///< in the window
    u64 bytes = 0;
    u64 offset = 0;  ///< in the block's memory
    u32 alignment = 1;
};
inline constexpr u64 sharedArrayShift = 20;

/// Shared memory that CUDA's own libraries use (PTX ISA, "%reserved_smem_offset"): cooperative
/// groups of several warps meet by it. Zero when a block begins.
inline constexpr std::size_t reservedShared = 1;  ///< index in `SharedLayout::arrays`
inline constexpr u64 reservedSharedBytes = 1024;

/// The shared memory of a launch's blocks.
struct SharedLayout final {
    std::vector<SharedArray>
        arrays;  ///< by address >> sharedArrayShift; the first is dynamic memory
    u64 bytes = 0;
};

/// What findings and reports call an array.
[[nodiscard]] std::string findingName(const Allocation& array);
[[nodiscard]] std::string findingName(const SharedArray& array);

/// Sites of all code of a program, one after the other.
using Sites = std::vector<Site>;

/// PTX modules, linked: functions by name, variables in memory.
class Program final {
  public:
    explicit Program(Memory& memory) : memory_(memory) {}
    ~Program();

    /// Adds a module and places its variables. The text of what is wrong, or nothing.
    [[nodiscard]] std::optional<std::string> add(Module module);

    [[nodiscard]] std::vector<const Function*> kernels() const;
    [[nodiscard]] const std::vector<std::unique_ptr<Module>>& modules() const { return modules_; }
    [[nodiscard]] const Function* function(std::string_view name) const;
    /// A global or constant variable; null where there is none.
    [[nodiscard]] const Allocation* variable(std::string_view name) const;
    /// Names of arrays by `ArrayCounts::array`: of shared memory, and of variables; empty of
    /// others.
    [[nodiscard]] std::string sharedName(u32 array) const;
    [[nodiscard]] std::string variableName(u32 array) const;
    [[nodiscard]] const Module& moduleOf(const Function& function) const;

    [[nodiscard]] const Code& code(const Function& function);
    [[nodiscard]] const Function* functionAt(u64 address) const;
    [[nodiscard]] const Sites& sites() const { return sites_; }
    [[nodiscard]] Memory& memory() const { return memory_; }
    /// Of a launch with so much dynamic shared memory. Offsets are packed.
    [[nodiscard]] SharedLayout sharedLayout(const Function& kernel, u32 dynamicBytes);
    /// The kernel's code and that of all functions that it may call.
    [[nodiscard]] std::vector<const Code*> codesOf(const Function& kernel);
    /// Of global, constant and shared variables (of shared ones the offset in the window) and of
    /// functions; absent where there is none of that name.
    [[nodiscard]] std::optional<u64> addressOf(std::string_view name) const;
    [[nodiscard]] bool isShared(std::string_view name) const;
    /// The function's code, which may be empty until it runs, as called from `caller`; null where
    /// it has no body.
    [[nodiscard]] const Code* codeOf(std::string_view name, const Origin& caller);

    /// The same program, optimised: what only the compiler knows of a line is asked there.
    void isOf(const Program& optimized) { optimized_ = &optimized; }
    /// Whether all atomics in shared memory that the optimised code has at the line count lanes
    /// (`Site::countsLanes`), as far as it was decoded; false where it has none.
    [[nodiscard]] bool countsLanesAt(const Origin& origin) const;

  private:
    bool place(const Variable& variable);
    [[nodiscard]] std::string writeAddresses(const Module& module);

    Memory& memory_;
    const Program* optimized_ = nullptr;
    std::vector<std::unique_ptr<Module>> modules_;
    std::map<std::string_view, const Function*> functions_;
    std::map<const Function*, const Module*> owners_;
    mutable std::vector<const Function*> byAddress_;  ///< whose addresses were asked for
    std::vector<Code*> waiting_;                      ///< to be decoded
    bool hasCallsByAddress_ = false;
    std::map<std::string_view, u64> variables_;
    std::vector<SharedArray> shared_{SharedArray{.address = 1ull << sharedArrayShift},
                                     SharedArray{.name = "reserved shared memory",
                                                 .address = 2ull << sharedArrayShift,
                                                 .bytes = reservedSharedBytes}};
    std::map<std::string_view, u64> sharedAddresses_{
        {"%reserved_smem_offset_begin", shared_[reservedShared].address},
        {"%reserved_smem_offset_0", shared_[reservedShared].address},
        {"%reserved_smem_offset_1", shared_[reservedShared].address}};
    std::map<std::pair<const Function*, Origin>, std::unique_ptr<Code>> codes_;  ///< by caller, too
    Sites sites_;
};

}  // namespace warplens::ptx
