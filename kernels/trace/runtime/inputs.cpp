#include "kernels/trace/runtime/inputs.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "kernels/trace/runtime/launch_state.h"
#include "kernels/trace/runtime/memory.h"
#include "kernels/trace/runtime/report.h"

extern "C" const void* wl_traced_copy(const void* function);

namespace warplens::runtime {
namespace {

WARPLENS_EARLY std::map<std::uint32_t, std::vector<std::byte>> remembered;  ///< by array

bool isInput(const Array& array) {
    return array.live && array.space != Space::shared && array.space != Space::dynamic;
}

std::vector<std::byte> contentsOf(const Array& array) {
    std::vector<std::byte> bytes(array.bytes);
    std::memcpy(bytes.data(), reinterpret_cast<const void*>(array.at), array.bytes);
    return bytes;
}

/// Bytes with their pointers into arrays taken out; arrays found so are added to `order`.
InputBytes withPointers(const std::byte* bytes, std::size_t size,
                        std::vector<std::uint32_t>& order) {
    InputBytes result;
    result.bytes.assign(bytes, bytes + size);
    for (std::size_t at = 0; at + 8 <= size; at += 8) {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes + at, sizeof value);
        if (!isInDeviceSlots(value)) continue;
        const std::uint32_t id = arrayAt(value);
        if (id == noArray || !isInput(arrayOf(id)) || value < arrayOf(id).at ||
            value - arrayOf(id).at > arrayOf(id).bytes) {
            continue;
        }
        auto place = std::find(order.begin(), order.end(), id);
        if (place == order.end()) place = order.insert(order.end(), id);
        result.pointers.push_back(
            {at, static_cast<std::uint32_t>(place - order.begin()), value - arrayOf(id).at});
        std::memset(result.bytes.data() + at, 0, 8);
    }
    return result;
}

/// Whether a variable of the device holds the address of a function: the host's, which is another
/// one there.
bool holdsFunctions(const std::vector<std::byte>& bytes) {
    for (std::size_t at = 0; at + sizeof(void*) <= bytes.size(); at += sizeof(void*)) {
        const void* value = nullptr;
        std::memcpy(&value, bytes.data() + at, sizeof value);
        if (value != nullptr && wl_traced_copy(value) != value) return true;
    }
    return false;
}

}  // namespace

void rememberArrays() {
    std::uint64_t total = 0;
    remembered.clear();
    for (std::uint32_t id = 0; id < arrayCount(); ++id) {
        if (!isInput(arrayOf(id))) continue;
        total += 2 * arrayOf(id).bytes;
        if (total > mostLaunchInputBytes) {
            sendNote("the inputs of launch " + std::to_string(launchState.index) + " take over " +
                     std::to_string(mostLaunchInputBytes >> 20) + " MiB: they cannot be measured");
            remembered.clear();
            return;
        }
        remembered[id] = contentsOf(arrayOf(id));
    }
}

void sendLaunchInputs(const std::string& instance) {
    if (launchState.failed) return;
    LaunchInputs inputs;
    inputs.kernel = instance;
    inputs.launch = launchState.launch;
    inputs.cooperative = launchState.cooperative;
    std::vector<std::uint32_t> order;
    std::vector<std::byte> block;
    for (const SeenParameter& parameter : launchState.parameters) {
        const std::size_t alignment = std::max(1u, parameter.alignment);
        block.resize((block.size() + alignment - 1) / alignment * alignment);
        inputs.parameterList.push_back({parameter.name, static_cast<std::uint32_t>(block.size()),
                                        static_cast<std::uint32_t>(parameter.bytes.size())});
        const auto* bytes = reinterpret_cast<const std::byte*>(parameter.bytes.data());
        block.insert(block.end(), bytes, bytes + parameter.bytes.size());
    }
    inputs.parameters = withPointers(block.data(), block.size(), order);
    for (const auto& [id, bytes] : remembered) {
        const Space space = arrayOf(id).space;
        if (space != Space::symbol && space != Space::constant) continue;
        // What it begins with the device's compiler knows itself.
        if (!holdsFunctions(bytes)) order.push_back(id);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Array& array = arrayOf(order[i]);
        const auto known = remembered.find(order[i]);
        if (known == remembered.end()) return;
        const std::vector<std::byte> after = contentsOf(array);
        InputArray& input = inputs.arrays.emplace_back();
        input.name = array.name;
        input.elementBytes = std::max(1u, array.elementBytes);
        input.isSymbol = array.space == Space::symbol || array.space == Space::constant;
        if (input.isSymbol) input.symbol = array.hostName;
        input.before = withPointers(known->second.data(), known->second.size(), order);
        input.after = withPointers(after.data(), after.size(), order);
    }
    sendInputs(launchState.index, inputs);
    remembered.clear();
}

}  // namespace warplens::runtime
