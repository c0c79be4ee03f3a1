#include "kernels/trace/assembly/device_code.h"

#include <algorithm>
#include <cctype>

#include "kernels/trace/assembly/hooks.h"
#include "kernels/trace/assembly/unhooked.h"

namespace warplens::assembly {
namespace {

std::string_view mnemonicOrDirective(std::string_view line) {
    while (!line.empty() && (line.front() == '\t' || line.front() == ' ')) {
        line.remove_prefix(1);
    }
    return line.substr(0, line.find_first_of(" \t"));
}

}  // namespace

DeviceCode::DeviceCode(std::span<const Unit> units) : units_(units) {
    for (const Unit& unit : units) {
        for (const Function& function : unit.functions) {
            if (function.role == Role::kernel) add(unit, function);
        }
    }
    for (std::size_t i = 0; i < functions_.size(); ++i) reach(functions_[i]);
    findEventful();
}

const DeviceFunction* DeviceCode::find(const Unit& unit, std::string_view name) const {
    const Function* function = definitionOf(unit, name).second;
    if (function == nullptr) return nullptr;
    const auto found = index_.find(function);
    return found == index_.end() ? nullptr : &functions_[found->second];
}

std::pair<const Unit*, const Function*> DeviceCode::definitionOf(const Unit& unit,
                                                                 std::string_view name) const {
    if (const auto found = unit.functionByName.find(name); found != unit.functionByName.end()) {
        return {&unit, &unit.functions[found->second]};
    }
    for (const Unit& other : units_) {
        const auto found = other.functionByName.find(name);
        if (found != other.functionByName.end()) {
            return {&other, &other.functions[found->second]};
        }
    }
    return {nullptr, nullptr};
}

void DeviceCode::add(const Unit& unit, const Function& function) {
    if (index_.contains(&function)) return;
    index_[&function] = functions_.size();
    functions_.push_back({&unit, &function, functions_.size(), false});
}

void DeviceCode::reach(DeviceFunction from) {
    for (const Instruction& instruction : from.function->body) {
        const std::string_view line = from.unit->lines[instruction.line];
        const std::string_view mnemonic = mnemonicOf(line);
        if (mnemonic.empty()) continue;
        std::string_view operands = operandsOf(line);
        if (mnemonic == "call" || mnemonic == "jmp") {
            consider(*from.unit, operands);
        } else if (const std::size_t at = operands.find("$_Z"); at != std::string_view::npos) {
            operands.remove_prefix(at + 1);
            operands = operands.substr(0, operands.find_first_of(",+"));
            consider(*from.unit, operands);
            considerTable(*from.unit, operands);
        } else if (const std::size_t open = operands.find('('); open != std::string_view::npos) {
            operands = operands.substr(0, open);
            const std::size_t before = operands.find_last_of(" ,\t");
            if (before != std::string_view::npos) operands.remove_prefix(before + 1);
            considerTable(*from.unit, operands.substr(0, operands.find('+')));
        }
    }
}

/// What a variable that code names points to is reached through it: a class's virtual functions,
/// or a pointer to a function, or a table of such.
void DeviceCode::considerTable(const Unit& unit, std::string_view table) {
    const bool isName =
        !table.empty() &&
        (std::isalpha(static_cast<unsigned char>(table[0])) != 0 || table[0] == '_');
    if (!isName || !tables_.insert(table).second) return;
    const std::string label = std::string(table) + ':';
    for (const Unit& each : units_) {
        const auto at = std::find(each.lines.begin(), each.lines.end(), label);
        for (auto line = at; line != each.lines.end() && ++line != each.lines.end();) {
            const std::string_view directive = mnemonicOrDirective(*line);
            if (directive == ".quad") consider(unit, operandsOf(*line));
            if (directive != ".quad" && directive != ".zero") break;
        }
    }
}

void DeviceCode::consider(const Unit& unit, std::string_view name) {
    const auto [home, function] = definitionOf(unit, name);
    if (function == nullptr || function->origin == Origin::ours) return;
    if (function->name.starts_with("_ZTW") || function->name.starts_with("_ZTH")) return;
    add(*home, *function);
}

bool DeviceCode::hasOwnEvents(const DeviceFunction& device) const {
    if (!unhookedAccesses(*device.unit, *device.function).empty()) return true;
    for (std::size_t i = 0; i < device.function->body.size(); ++i) {
        const std::string_view line = device.unit->lines[device.function->body[i].line];
        const std::string_view mnemonic = mnemonicOf(line);
        if (mnemonic.empty()) continue;
        if (isConditionalJump(mnemonic)) return true;
        if (mnemonic != "call") continue;
        const std::string_view callee = operandsOf(line);
        if (callee.starts_with('*') || hookNamed(callee)) return true;
        const Function* function = definitionOf(*device.unit, callee).second;
        if (function != nullptr && function->origin == Origin::ours &&
            function->role != Role::plain) {
            return true;
        }
    }
    return false;
}

void DeviceCode::findEventful() {
    for (DeviceFunction& device : functions_) device.eventful = hasOwnEvents(device);
    for (bool changed = true; changed;) {
        changed = false;
        for (DeviceFunction& device : functions_) {
            if (device.eventful || !callsEventful(device)) continue;
            device.eventful = true;
            changed = true;
        }
    }
}

bool DeviceCode::callsEventful(const DeviceFunction& device) const {
    return std::any_of(device.function->body.begin(), device.function->body.end(),
                       [&](const Instruction& instruction) {
                           const std::string_view line = device.unit->lines[instruction.line];
                           if (mnemonicOf(line) != "call") return false;
                           const DeviceFunction* callee = find(*device.unit, operandsOf(line));
                           return callee != nullptr && callee->eventful;
                       });
}

std::string_view DeviceCode::dynamicSharedOf(const DeviceFunction& kernel) const {
    // Among them the compiler's own, which give such an array's address.
    std::vector<const Function*> reached{kernel.function};
    for (std::size_t i = 0; i < reached.size(); ++i) {
        for (const std::string_view symbol : reached[i]->threadLocals) {
            if (!kernel.unit->objects.at(symbol).defined && !symbol.starts_with("_ZGV")) {
                return symbol;
            }
        }
        for (const Instruction& instruction : reached[i]->body) {
            const std::string_view line = kernel.unit->lines[instruction.line];
            if (mnemonicOf(line) != "call") continue;
            const auto [unit, callee] = definitionOf(*kernel.unit, operandsOf(line));
            if (unit == kernel.unit && std::ranges::find(reached, callee) == reached.end()) {
                reached.push_back(callee);
            }
        }
    }
    return {};
}

bool DeviceCode::usesHeap() const {
    return std::any_of(functions_.begin(), functions_.end(), [](const DeviceFunction& device) {
        return std::any_of(device.function->body.begin(), device.function->body.end(),
                           [&](const Instruction& instruction) {
                               const std::string_view line = device.unit->lines[instruction.line];
                               return mnemonicOf(line) == "call" &&
                                      !heapFunction(operandsOf(line)).empty();
                           });
    });
}

std::string_view heapFunction(std::string_view callee) {
    if (callee == "malloc" || callee == "_Znwm" || callee == "_Znam") return "wl_heap_allocate";
    if (callee == "free" || callee == "_ZdlPv" || callee == "_ZdlPvm" || callee == "_ZdaPv" ||
        callee == "_ZdaPvm") {
        return "wl_heap_free";
    }
    return {};
}

}  // namespace warplens::assembly
