#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "kernels/trace/assembly/unit.h"

namespace warplens::assembly {

/// A function that kernels reach.
struct DeviceFunction final {
    const Unit* unit = nullptr;
    const Function* function = nullptr;
    std::size_t index = 0;
    bool eventful = false;
};

/// All functions of all units that kernels reach, and which of them have events.
class DeviceCode final {
  public:
    explicit DeviceCode(std::span<const Unit> units);

    [[nodiscard]] const std::vector<DeviceFunction>& functions() const { return functions_; }

    /// The function that a call in `unit` reaches; null for one that is not copied.
    [[nodiscard]] const DeviceFunction* find(const Unit& unit, std::string_view name) const;
    /// Any function, copied or not.
    [[nodiscard]] std::pair<const Unit*, const Function*> definitionOf(const Unit& unit,
                                                                       std::string_view name) const;
    /// The symbol of the first `extern __shared__` array that the kernel names, or else a function
    /// of its unit that it calls; empty for none.
    [[nodiscard]] std::string_view dynamicSharedOf(const DeviceFunction& kernel) const;
    /// Whether kernels take memory from their heap, directly or in functions that they call.
    [[nodiscard]] bool usesHeap() const;

  private:
    void add(const Unit& unit, const Function& function);
    void reach(DeviceFunction from);
    void considerTable(const Unit& unit, std::string_view table);
    void consider(const Unit& unit, std::string_view name);
    [[nodiscard]] bool hasOwnEvents(const DeviceFunction& device) const;
    void findEventful();
    [[nodiscard]] bool callsEventful(const DeviceFunction& device) const;

    std::span<const Unit> units_;
    std::vector<DeviceFunction> functions_;
    std::unordered_map<const Function*, std::size_t> index_;
    std::unordered_set<std::string_view> tables_;  ///< variables that were looked into
};

/// Kernels have a heap of their own (memory.h): what a call of malloc, new, free or delete becomes;
/// empty for what has nothing to do with it.
[[nodiscard]] std::string_view heapFunction(std::string_view callee);

}  // namespace warplens::assembly
