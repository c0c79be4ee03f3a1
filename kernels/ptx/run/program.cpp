#include "kernels/ptx/run/program.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>

#include "kernels/ptx/open/signature.h"
#include "kernels/ptx/run/grid.h"
#include "kernels/ptx/steps/decoder.h"

namespace warplens::ptx {
namespace {

/// Code of libraries' functions for each place that they are called from, before they share one.
constexpr std::size_t mostCodes = 1u << 14;

/// The same in all programs that have a function of that name: one may leave its address to
/// another.
u64 addressOf(const Function& function) {
    return functionWindow | (std::hash<std::string_view>{}(function.name) & ~windowMask & ~u64{15});
}

}  // namespace

std::string findingName(const Allocation& array) {
    return array.name.empty() ? "array " + std::to_string(array.id) : declaredName(array.name);
}
std::string findingName(const SharedArray& array) {
    return array.name.empty() ? "dynamic shared memory" : declaredName(array.name);
}

Program::~Program() = default;

std::optional<std::string> Program::add(Module module) {
    const Module& added = *modules_.emplace_back(std::make_unique<Module>(std::move(module)));
    for (const auto& [name, function] : added.functions) {
        owners_[function.get()] = &added;
        const Function*& known = functions_[function->name];
        if (known == nullptr || known->isDeclaration) known = function.get();
        for (const auto& [inner, variable] : function->variables) {
            if (variable.space == Space::shared && !place(variable))
                return "shared memory of over 1 MiB in one array";
        }
    }
    for (const auto& [name, target] : added.aliases) {
        if (const auto found = functions_.find(target); found != functions_.end())
            functions_[name] = found->second;
    }
    for (const auto& [name, variable] : added.variables) {
        if (!place(variable))
            return "no room for the variable '" + std::string(name) + "' of " +
                   std::to_string(variable.bytes) + " bytes";
    }
    const std::string problem = writeAddresses(added);
    if (!problem.empty()) return problem;
    return std::nullopt;
}

bool Program::place(const Variable& variable) {
    if (variable.space == Space::shared) {
        if (sharedAddresses_.contains(variable.name)) return true;
        if (variable.bytes == 0) {  // all without bounds are the same memory
            sharedAddresses_[variable.name] = shared_[0].address;
            shared_[0].alignment = std::max(shared_[0].alignment, variable.alignment);
            return true;
        }
        const u64 address = (shared_.size() + 1) << sharedArrayShift;
        if (variable.bytes > 1u << sharedArrayShift || address >> 32 != 0) return false;
        sharedAddresses_[variable.name] = address;
        shared_.push_back({.name = variable.name,
                           .address = address,
                           .bytes = variable.bytes,
                           .alignment = variable.alignment});
        return true;
    }
    if (variable.isExternal || variables_.contains(variable.name)) return true;
    const auto kind =
        variable.space == Space::constant ? Allocation::Kind::constant : Allocation::Kind::variable;
    // Programs on one memory share their variables; those that only the compiler names are each
    // one's own.
    const Allocation* made =
        variable.name.starts_with('$') ? nullptr : memory_.variable(variable.name);
    if (made == nullptr || made->bytes != variable.bytes) {
        Allocation* fresh = memory_.allocate(variable.bytes, kind, std::string(variable.name));
        if (fresh != nullptr) fresh->elementAlignment = variable.alignment;
        made = fresh;
    }
    if (made == nullptr) return false;
    if (!variable.initial.empty())
        std::memcpy(made->data, variable.initial.data(), variable.initial.size());
    variables_[variable.name] = made->address;
    return true;
}

std::string Program::writeAddresses(const Module& module) {
    for (const auto& [name, variable] : module.variables) {
        if (variable.addresses.empty()) continue;
        const Allocation* array = memory_.find(variables_[name]);
        for (const Variable::Address& address : variable.addresses) {
            const std::optional<u64> value = addressOf(address.symbol);
            if (!value)
                return "'" + std::string(name) + "' names '" + std::string(address.symbol) +
                       "', which is not here";
            const u64 bits = (*value + u64(address.offset)) >> address.shift;
            if (array == nullptr || address.at + address.bytes > array->bytes) continue;
            std::memcpy(array->data + address.at, &bits, std::min(8u, address.bytes));
        }
    }
    return {};
}

std::vector<const Function*> Program::kernels() const {
    std::vector<const Function*> kernels;
    for (const auto& [name, function] : functions_) {
        if (function->isKernel && !function->isDeclaration) kernels.push_back(function);
    }
    return kernels;
}

const Function* Program::function(std::string_view name) const {
    const auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : found->second;
}

const Allocation* Program::variable(std::string_view name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? nullptr : memory_.find(found->second);
}

std::string Program::sharedName(u32 array) const {
    const std::size_t index = (array & ~inShared) - 1;
    return index < shared_.size() ? findingName(shared_[index]) : std::string();
}

std::string Program::variableName(u32 array) const {
    for (const auto& [address, allocation] : memory_.allocations()) {
        if (allocation.id == array) return declaredName(allocation.name);
    }
    return {};
}

const Module& Program::moduleOf(const Function& function) const {
    return *owners_.at(&function);
}

std::optional<u64> Program::addressOf(std::string_view name) const {
    if (const auto shared = sharedAddresses_.find(name); shared != sharedAddresses_.end())
        return shared->second;
    if (const auto variable = variables_.find(name); variable != variables_.end())
        return variable->second;
    const auto function = functions_.find(name);
    if (function == functions_.end() || function->second->isDeclaration) return std::nullopt;
    if (std::ranges::find(byAddress_, function->second) == byAddress_.end())
        byAddress_.push_back(function->second);
    return ptx::addressOf(*function->second);
}

bool Program::isShared(std::string_view name) const {
    return sharedAddresses_.contains(name);
}

const Function* Program::functionAt(u64 address) const {
    const auto found = std::ranges::find(
        byAddress_, address, [](const Function* function) { return ptx::addressOf(*function); });
    return found == byAddress_.end() ? nullptr : *found;
}

const Code* Program::codeOf(std::string_view name, const Origin& caller) {
    const Function* target = function(name);
    if (target == nullptr || target->isDeclaration) return nullptr;
    const bool hasCaller = target->isLibrary && caller.function != nullptr &&
                           !caller.function->isLibrary && codes_.size() < mostCodes;
    const Origin of = hasCaller ? caller : Origin{};
    std::unique_ptr<Code>& code = codes_[{target, of}];
    if (!code) {
        code = std::make_unique<Code>();
        code->function = target;
        code->caller = of;
        waiting_.push_back(code.get());
    }
    return code.get();
}

bool Program::countsLanesAt(const Origin& origin) const {
    if (optimized_ == nullptr) return false;
    const SourcePlace line = sourcePlace(*this, origin);
    bool counts = false;
    for (const Site& site : optimized_->sites_) {
        if (site.kind != AccessKind::sharedAtomic || site.origin.place.line != line.line) continue;
        if (sourcePlace(*optimized_, site.origin).file != line.file) continue;
        if (!site.countsLanes) return false;
        counts = true;
    }
    return counts;
}

const Code& Program::code(const Function& function) {
    const Code* wanted = codeOf(function.name, {});
    // Functions are decoded one after the other, however deep they call one another.
    const auto decodeAll = [&] {
        while (!waiting_.empty()) {
            Code& code = *waiting_.back();
            waiting_.pop_back();
            Decoder(*code.function, code, *this, sites_).decode();
            hasCallsByAddress_ |= code.callsByAddress;
        }
    };
    decodeAll();
    // What may be called by address is ready, too, before anything runs.
    for (std::size_t at = 0; hasCallsByAddress_ && at < byAddress_.size(); ++at) {
        static_cast<void>(codeOf(byAddress_[at]->name, {}));
        decodeAll();
    }
    return *wanted;
}

std::vector<const Code*> Program::codesOf(const Function& kernel) {
    std::vector<const Code*> codes{&code(kernel)};
    std::set<const Code*> known{codes[0]};
    const auto addOnce = [&](const Code* code) {
        if (code != nullptr && known.insert(code).second) codes.push_back(code);
    };
    for (std::size_t at = 0; at < codes.size(); ++at) {
        for (const auto& call : codes[at]->calls) addOnce(call->code);
        if (!codes[at]->callsByAddress) continue;
        for (const Function* function : byAddress_) addOnce(codeOf(function->name, {}));
    }
    return codes;
}

SharedLayout Program::sharedLayout(const Function& kernel, u32 dynamicBytes) {
    SharedLayout layout{shared_, 0};
    for (SharedArray& array : layout.arrays) array.bytes = 0;
    const std::function<void(const Operand&)> use = [&](const Operand& operand) {
        if (!operand.symbol.empty()) {
            if (const auto found = sharedAddresses_.find(operand.symbol);
                found != sharedAddresses_.end()) {
                const std::size_t index = (found->second >> sharedArrayShift) - 1;
                layout.arrays[index].bytes = shared_[index].bytes;
            }
        }
        for (const Operand& part : operand.parts) use(part);
    };
    std::set<const Function*> known;
    for (const Code* code : codesOf(kernel)) {
        if (!known.insert(code->function).second) continue;
        for (const Instruction& instruction : code->function->instructions) {
            for (const Operand& operand : instruction.operands) use(operand);
        }
    }
    // Dynamic memory comes behind the others.
    layout.arrays[0].bytes = dynamicBytes;
    for (std::size_t at = 1; at <= layout.arrays.size(); ++at) {
        SharedArray& array = layout.arrays[at % layout.arrays.size()];
        if (array.bytes == 0) continue;
        const u64 alignment = std::max<u64>(array.alignment, 16);
        array.offset = roundedUp(layout.bytes, alignment);
        layout.bytes = array.offset + array.bytes;
    }
    return layout;
}

}  // namespace warplens::ptx
