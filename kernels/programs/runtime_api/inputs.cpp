#include "kernels/programs/runtime_api/inputs.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "core/program/launch_inputs.h"
#include "kernels/programs/runtime_api/array_names.h"
#include "kernels/programs/runtime_api/report.h"

namespace warplens::programs {
namespace {

using Kind = ptx::Allocation::Kind;

/// Arrays of a launch's inputs in their order, and bytes whose pointers are into them.
class Inputs final {
  public:
    explicit Inputs(const ptx::Memory& memory) : memory_(memory) {
        for (const auto& [address, array] : memory.allocations()) {
            first_ = std::min(first_, address);
            end_ = std::max(end_, address + array.bytes);
        }
    }
    /// The bytes with their pointers into arrays taken out; these arrays are inputs, too.
    [[nodiscard]] InputBytes withPointers(const std::byte* bytes, std::size_t size) {
        InputBytes result;
        result.bytes.assign(bytes, bytes + size);
        for (std::size_t at = 0; at + 8 <= size; at += 8) {
            std::uint64_t value = 0;
            std::memcpy(&value, bytes + at, sizeof value);
            const ptx::Allocation* array = pointed(value);
            if (array == nullptr) continue;
            result.pointers.push_back({at, add(*array), value - array->address});
            std::memset(result.bytes.data() + at, 0, 8);
        }
        return result;
    }
    std::uint32_t add(const ptx::Allocation& array) {
        auto place = std::ranges::find(order, &array);
        if (place == order.end()) place = order.insert(order.end(), &array);
        return static_cast<std::uint32_t>(place - order.begin());
    }
    std::vector<const ptx::Allocation*> order;

  private:
    /// The array that a pointer is into, or at the end of; null where it is none.
    [[nodiscard]] const ptx::Allocation* pointed(std::uint64_t value) const {
        if (value < first_ || value > end_) return nullptr;
        const ptx::Allocation* array = memory_.find(value);
        if (array == nullptr) array = memory_.find(value - 1);
        return array == nullptr || array->freed ? nullptr : array;
    }
    const ptx::Memory& memory_;
    std::uint64_t first_ = ~std::uint64_t{0};
    std::uint64_t end_ = 0;
};

/// Whether a variable holds the address of a function, which is another one elsewhere.
bool holdsFunctions(const std::byte* bytes, std::size_t size) {
    for (std::size_t at = 0; at + 8 <= size; at += 8) {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes + at, sizeof value);
        if ((value & ptx::windowMask) == ptx::functionWindow) return true;
    }
    return false;
}

/// PTX of the kernel's module, and of all others where it needs one of them.
std::vector<std::string> linkedWith(const ptx::Program& program, const ptx::Function& kernel) {
    const ptx::Module& own = program.moduleOf(kernel);
    std::vector<std::string> texts{*own.text};
    const bool isWhole =
        own.text->find(".extern .global") == std::string::npos &&
        own.text->find(".extern .const") == std::string::npos &&
        std::ranges::none_of(own.functions, [&](const auto& entry) {
            const ptx::Function* found = program.function(entry.first);
            return entry.second->isDeclaration && found != nullptr && !found->isDeclaration;
        });
    for (const auto& module : program.modules()) {
        if (!isWhole && module.get() != &own) texts.push_back(*module->text);
    }
    return texts;
}

}  // namespace

KeptInputs::KeptInputs(RuntimeDevice& device, std::uint32_t index)
    : device_(device), index_(index) {
    std::uint64_t bytes = 0;
    for (const auto& [address, array] : device.memory().allocations())
        bytes += array.freed ? 0 : 2 * array.bytes;
    areKept_ = bytes <= mostLaunchInputBytes;
    if (areKept_) {
        device.memory().save(before_);
    } else {
        sendNote("the inputs of launch " + std::to_string(index) + " take over " +
                 std::to_string(mostLaunchInputBytes >> 20) + " MiB");
    }
}

void KeptInputs::send(const ptx::KernelLaunch& launch, const std::string& instance,
                      const std::vector<std::string>& parameters) const {
    if (!areKept_) return;
    const ArrayNames arrayNames(device_.compiled(), launch);
    if (arrayNames.takesHandles()) {
        sendNote("the inputs of launch " + std::to_string(index_) +
                 " include textures or surfaces, which are of this machine alone");
        return;
    }
    const ptx::Memory& memory = device_.memory();
    Inputs inputs(memory);
    std::map<std::uint32_t, std::uint32_t> elementBytes;  // by id
    for (const ParameterArray& pointed : parameterArrays(memory, launch))
        elementBytes.emplace(pointed.array->id, pointed.elementBytes);
    LaunchInputs sent;
    sent.kernel = instance;
    sent.symbol = launch.kernel->name;
    sent.ptx = linkedWith(device_.compiled(), *launch.kernel);
    sent.launch = launch.launch;
    sent.cooperative = launch.isCooperative;
    for (std::size_t at = 0; at < launch.kernel->parameters.size(); ++at) {
        const ptx::Parameter& parameter = launch.kernel->parameters[at];
        sent.parameterList.push_back({parameters[at], parameter.offset, parameter.bytes});
    }
    sent.parameters = inputs.withPointers(launch.parameters.data(), launch.parameters.size());
    const std::vector<const ptx::Allocation*> variables = device_.variables();
    for (const ptx::Allocation* variable : variables) {
        if (!arrayNames.mayUse(*variable)) continue;
        const std::vector<std::byte> before = before_.bytesOf(*variable);
        // What holds functions the device's compiler begins itself.
        if (!before.empty() && !holdsFunctions(before.data(), variable->bytes))
            inputs.add(*variable);
    }
    for (std::size_t at = 0; at < inputs.order.size(); ++at) {
        const ptx::Allocation& array = *inputs.order[at];
        if (!before_.has(array)) return;
        const std::vector<std::byte> before = before_.bytesOf(array);
        InputArray& input = sent.arrays.emplace_back();
        input.name = arrayNames.of(array.id);
        const auto declared = elementBytes.find(array.id);
        input.elementBytes = declared != elementBytes.end()
                                 ? declared->second
                                 : std::max(1U, device_.faults().elementBytes(array.address));
        if (std::ranges::find(variables, &array) != variables.end()) input.symbol = array.name;
        input.before = inputs.withPointers(before.data(), array.bytes);
        input.after = inputs.withPointers(array.data, array.bytes);
    }
    sendInputs(index_, sent);
}

}  // namespace warplens::programs
