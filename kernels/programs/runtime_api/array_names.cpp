#include "kernels/programs/runtime_api/array_names.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>

#include "core/program/mangled_names.h"
#include "core/program/program_sources.h"
#include "kernels/ptx/open/signature.h"
#include "kernels/ptx/read/module.h"

namespace warplens::programs {
namespace {

/// `scan` of `ns::scan<true>`.
std::string plainName(std::string_view name) {
    name = name.substr(0, name.find('<'));
    const std::size_t colons = name.rfind("::");
    return std::string(colons == std::string_view::npos ? name : name.substr(colons + 2));
}

}  // namespace

std::string variableName(std::string_view mangled) {
    // Constants that nvcc makes for a function have its name and a number.
    const std::size_t number = mangled.rfind("_$");
    if (number != mangled.npos && mangled.starts_with("_Z"))
        return "constant of " + plainName(kernelName(mangled.substr(0, number)));
    // Memory that a function has of its own is named after it: `stencil(float*)::t`.
    const std::string name = demangled(mangled);
    const std::size_t bracket = name.rfind(')');
    const std::size_t colons = name.rfind("::");
    if (colons == std::string::npos || (bracket != std::string::npos && colons < bracket))
        return name;
    return name.substr(colons + 2);
}

void Declarations::read(const std::string& path) {
    if (!files_.emplace(path, true).second || ptx::isLibrary(path)) return;
    std::ifstream file(path, std::ios::binary);
    const std::string masked =
        source::maskedText(std::string(std::istreambuf_iterator<char>(file), {}));
    for (const source::KernelSource& kernel : source::kernelsIn(masked)) {
        std::vector<std::string>& names = kernels_[kernel.name].emplace_back();
        for (const source::KernelParameter& parameter : kernel.parameters)
            names.push_back(parameter.name);
    }
}

std::vector<std::string> Declarations::parametersOf(const ptx::Program& program,
                                                    const ptx::Function& kernel) {
    for (const auto& [number, path] : program.moduleOf(kernel).files) read(path);
    const auto found = kernels_.find(plainName(kernelName(kernel.name)));
    std::vector<std::string> names;
    if (found != kernels_.end()) {
        for (const std::vector<std::string>& candidate : found->second) {
            if (candidate.size() == kernel.parameters.size()) names = candidate;
        }
    }
    names.resize(kernel.parameters.size());
    for (std::size_t at = 0; at < names.size(); ++at) {
        if (names[at].empty()) names[at] = "argument " + std::to_string(at);
    }
    return names;
}

namespace {

/// Which of a kernel's parameters are pointers by its C++ name: a struct may have as many bytes.
std::vector<bool> pointersAmong(std::string_view mangled, std::size_t count) {
    std::vector<bool> pointers(count, true);
    const std::string name = demangled(mangled);
    std::size_t at = parametersBegin(name);
    if (at == name.size()) return pointers;  // of C: nothing says
    int depth = 0;
    std::size_t index = 0;
    for (char last = 0; ++at < name.size() && index < count;) {
        const char c = name[at];
        const bool isEnd = depth == 0 && (c == ',' || c == ')');
        if (isEnd) pointers[index++] = last == '*';
        if (c == '<' || c == '(') ++depth;
        if (c == '>' || c == ')') --depth;
        // `float* __restrict__`, `float const* const`
        const bool isQualifier = std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
        if (isEnd || (c != ' ' && !(isQualifier && last == '*'))) last = isEnd ? char{} : c;
        if (isEnd && c == ')') break;
    }
    return pointers;
}

}  // namespace

std::vector<ParameterArray> parameterArrays(const ptx::Memory& memory,
                                            const ptx::KernelLaunch& launch) {
    std::vector<ParameterArray> arrays;
    const ptx::Signature signature = ptx::signatureOf(*launch.kernel);
    const std::vector<bool> pointers =
        pointersAmong(launch.kernel->name, launch.kernel->parameters.size());
    for (std::size_t index = 0; index < launch.kernel->parameters.size(); ++index) {
        const ptx::Parameter& parameter = launch.kernel->parameters[index];
        // What a struct points to is called where it was made.
        if (parameter.bytes != 8 || !pointers[index]) continue;
        std::uint64_t value = 0;
        std::memcpy(&value, launch.parameters.data() + parameter.offset, sizeof value);
        const ptx::Allocation* array = memory.find(value);
        if (array == nullptr || array->freed) continue;
        const ptx::DeclaredParameter& declared = signature.parameters[index];
        arrays.push_back({array, index, declared.elementBytes, declared.elementAlignment,
                          value - array->address});
    }
    return arrays;
}

void nameArrays(ptx::Memory& memory, const ptx::KernelLaunch& launch,
                const std::vector<std::string>& parameters) {
    struct Described final {
        std::string name;
        std::uint32_t elementAlignment = ~0u;
        std::uint64_t stretch = 0;
    };
    std::map<std::uint64_t, Described> arrays;
    for (const ParameterArray& pointed : parameterArrays(memory, launch)) {
        auto& [name, alignment, stretch] = arrays[pointed.array->address];
        stretch = std::gcd(stretch, pointed.offset);
        // Of several types the one that promises least.
        alignment = std::min(alignment, pointed.elementAlignment);
        const std::string& parameter = parameters[pointed.parameter];
        if (name.empty())
            name = parameter;
        else if (name != parameter)
            name += ", " + parameter;
    }
    for (const auto& [address, array] : memory.allocations()) {
        if (array.freed || array.isVariable) continue;
        const auto found = arrays.find(address);
        if (found == arrays.end())
            memory.describe(address, {}, 0);
        else
            memory.describe(address, found->second.name, found->second.elementAlignment,
                            found->second.stretch);
    }
}

ArrayNames::ArrayNames(ptx::Program& program, const ptx::KernelLaunch& launch)
    : shared_(program.sharedLayout(*launch.kernel, launch.launch.dynamicSharedBytes)) {
    for (const auto& [address, array] : program.memory().allocations()) global_[array.id] = &array;
    std::set<const ptx::Function*> seen;
    read(program, *launch.kernel, seen);
}

std::string ArrayNames::of(std::uint32_t array) const {
    if (array == ptx::noArray) return {};
    if ((array & ptx::inShared) != 0) {
        const std::size_t index = (array & ~ptx::inShared) - 1;
        const std::string_view name =
            index < shared_.arrays.size() ? shared_.arrays[index].name : std::string_view();
        return name.empty() ? dynamic_ : variableName(name);
    }
    const auto found = global_.find(array);
    if (found == global_.end()) return {};
    if (found->second->name.empty()) return "array " + std::to_string(array);
    // `__cudart_i2opi_f`, which sinf has for large numbers.
    if (found->second->name.starts_with("__cudart_")) return std::string(toolkitTable);
    return variableName(found->second->name);
}

bool ArrayNames::mayUse(const ptx::Allocation& variable) const {
    return callsByAddress_ || variables_.contains(variable.name);
}

void ArrayNames::read(const ptx::Program& program, const ptx::Function& function,
                      std::set<const ptx::Function*>& seen) {
    static const std::set<std::string_view> handled{"tex",  "tld4",  "txq", "suld",
                                                    "sust", "sured", "suq"};
    if (!seen.insert(&function).second) return;
    const ptx::Module& module = program.moduleOf(function);
    for (const ptx::Instruction& instruction : function.instructions) {
        if (instruction.words.empty()) continue;
        const std::string_view name = instruction.words[0];
        const auto isCalled = [&](const ptx::Operand& operand) {
            return module.functions.contains(operand.symbol);
        };
        if (name == "call" && std::ranges::none_of(instruction.operands, isCalled))
            callsByAddress_ = true;
        takesHandles_ = takesHandles_ || handled.contains(name);
        for (const ptx::Operand& operand : instruction.operands) {
            const auto variable = module.variables.find(operand.symbol);
            if (variable != module.variables.end()) {
                variables_.emplace(variable->first);
                if (variable->second.bytes == 0 && variable->second.space == ptx::Space::shared)
                    dynamic_ = variableName(variable->first);
            }
            const ptx::Function* const called = program.function(operand.symbol);
            if (called != nullptr) read(program, *called, seen);
        }
    }
}

}  // namespace warplens::programs
