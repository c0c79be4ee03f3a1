#include "kernels/ptx/open/proposed_launch.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "core/kernel/arguments.h"
#include "core/kernel/formula.h"
#include "core/kernel/input_data.h"
#include "core/launch/limit_violation.h"

namespace warplens::ptx {
namespace {

constexpr std::uint64_t proposedNumber = 1000;
constexpr std::uint64_t mostProposedElements = 1ull << 24;
constexpr std::uint32_t threadsOnOneAxis = 256;
constexpr std::uint32_t threadsOnTwoAxes = 16;

[[noreturn]] void refuse(const std::string& name, const std::string& value,
                         const std::string& limit) {
    throw InvalidRequest({{name, "'" + value + "'", limit}});
}

/// Whether the kernel asks which thread or block it is along the axis.
bool usesAxis(const Function& kernel, char axis) {
    const std::string thread = std::string("%tid.") + axis;
    const std::string block = std::string("%ctaid.") + axis;
    return std::ranges::any_of(kernel.instructions, [&](const Instruction& instruction) {
        return std::ranges::any_of(instruction.operands, [&](const Operand& operand) {
            return operand.symbol == thread || operand.symbol == block;
        });
    });
}

template <class T>
void put(std::vector<std::byte>& bytes, std::uint32_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// Elements of 4 or 8 bytes are numbers; of others every 4 bytes are.
void fill(Allocation& array, const DeclaredParameter& parameter, std::uint32_t rank,
          const std::string& how, std::uint64_t below) {
    const bool isDouble = parameter.type.starts_with("double");
    const std::size_t width = isDouble ? 8
                              : parameter.elementBytes == 1 || parameter.elementBytes == 2
                                  ? parameter.elementBytes
                                  : 4;
    const bool isRandom = how.empty() || how == "random";
    const double number = isRandom || how == "ramp" ? 0 : std::strtod(how.c_str(), nullptr);
    for (std::uint64_t at = 0; (at + 1) * width <= array.bytes; ++at) {
        std::byte* to = array.data + at * width;
        const double value =
            isRandom ? inputValue(rank, at) * (parameter.isFloat ? 1.0 : static_cast<double>(below))
            : how == "ramp" ? static_cast<double>(at)
                            : number;
        if (isDouble) {
            std::memcpy(to, &value, 8);
        } else if (parameter.isFloat && width == 4) {
            const auto single = static_cast<float>(value);
            std::memcpy(to, &single, 4);
        } else {
            const auto whole = static_cast<std::int64_t>(value);
            std::memcpy(to, &whole, width);
        }
    }
}

}  // namespace

ProposedLaunch proposeLaunch(Memory& memory, const Function& kernel, const LaunchChoices& choices) {
    ProposedLaunch proposed;
    proposed.signature = signatureOf(kernel);
    proposed.launch.kernel = &kernel;
    proposed.launch.parameters.resize(kernel.parameterBytes());
    const std::vector<DeclaredParameter>& parameters = proposed.signature.parameters;
    const auto known = [&](const std::string& name, bool isPointer) {
        return std::ranges::any_of(
            parameters, [&](const auto& p) { return p.name == name && p.isPointer == isPointer; });
    };
    for (const auto& [name, value] : choices.values) {
        if (!known(name, false))
            refuse(
                "--set", name + "=" + value,
                "a number among the parameters of " + proposed.signature.kernel + ", p0, p1, ...");
    }
    for (const auto& [name, array] : choices.arrays) {
        if (!known(name, true))
            refuse(
                "--array", name,
                "a pointer among the parameters of " + proposed.signature.kernel + ", p0, p1, ...");
    }
    // Numbers first: arrays are as large as they say.
    Arguments sizes;
    std::vector<std::string> names;
    std::uint64_t largest = 0;
    std::uint64_t smallest = proposedNumber;
    for (std::size_t at = 0; at < parameters.size(); ++at) {
        const DeclaredParameter& parameter = parameters[at];
        const Parameter& place = kernel.parameters[at];
        if (parameter.isPointer) continue;
        const auto chosen = choices.values.find(parameter.name);
        if (place.bytes > 8) {
            proposed.notes.push_back(parameter.name +
                                     (parameter.type.empty() ? "" : " (" + parameter.type + ")") +
                                     ": " + std::to_string(place.bytes) + " bytes of zeros");
            continue;
        }
        if (parameter.isFloat) {
            const std::string text = chosen == choices.values.end() ? "1" : chosen->second;
            char* end = nullptr;
            const double value = std::strtod(text.c_str(), &end);
            if (text.empty() || *end != '\0') refuse(parameter.name, text, "a number");
            if (place.bytes == 8)
                put(proposed.launch.parameters, place.offset, value);
            else
                put(proposed.launch.parameters, place.offset, static_cast<float>(value));
            proposed.notes.push_back(parameter.name + " = " + text);
            continue;
        }
        std::int64_t value = proposedNumber;
        if (chosen != choices.values.end()) {
            const std::string& text = chosen->second;
            const auto [end, error] =
                std::from_chars(text.data(), text.data() + text.size(), value);
            if (error != std::errc() || end != text.data() + text.size())
                refuse(parameter.name, text, "a whole number");
        }
        std::memcpy(proposed.launch.parameters.data() + place.offset, &value, place.bytes);
        names.push_back(parameter.name);
        sizes.set(parameter.name, static_cast<std::uint64_t>(value));
        largest = std::max(largest, static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0)));
        if (value > 0) smallest = std::min(smallest, static_cast<std::uint64_t>(value));
        proposed.notes.push_back(parameter.name + " = " + std::to_string(value));
    }
    if (largest == 0) largest = proposedNumber;
    const bool onTwo = usesAxis(kernel, 'y');
    proposed.launch.launch.block = choices.block.value_or(
        onTwo ? Extents{threadsOnTwoAxes, threadsOnTwoAxes, 1} : Extents{threadsOnOneAxis, 1, 1});
    const Extents block = proposed.launch.launch.block;
    const auto blocksFor = [&](std::uint32_t threads) {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(
            (largest + std::max(1u, threads) - 1) / std::max(1u, threads), 65535));
    };
    proposed.launch.launch.grid =
        choices.grid.value_or(Extents{blocksFor(block.x), onTwo ? blocksFor(block.y) : 1, 1});
    if (auto broken = validate(proposed.launch.launch); !broken.empty())
        throw InvalidRequest(std::move(broken));
    for (std::size_t at = 0; at < parameters.size(); ++at) {
        const DeclaredParameter& parameter = parameters[at];
        if (!parameter.isPointer) continue;
        const auto chosen = choices.arrays.find(parameter.name);
        std::uint64_t elements =
            std::min(mostProposedElements, largest > (1u << 12) ? largest : largest * largest);
        if (chosen != choices.arrays.end() && !chosen->second.elements.empty()) {
            try {
                elements = Formula(chosen->second.elements, names)(sizes);
            } catch (const MalformedFormula& malformed) {
                refuse(parameter.name, chosen->second.elements, malformed.what());
            }
        }
        Allocation* array = elements > UINT64_MAX / 64
                                ? nullptr
                                : memory.allocate(elements * parameter.elementBytes);
        if (array == nullptr)
            refuse(parameter.name,
                   std::to_string(elements) + " elements of " +
                       std::to_string(parameter.elementBytes) + " bytes",
                   "what fits into the memory that kernels get here");
        const std::string how =
            chosen == choices.arrays.end() ? std::string() : chosen->second.fill;
        fill(*array, parameter, static_cast<std::uint32_t>(at), how, smallest);
        put(proposed.launch.parameters, kernel.parameters[at].offset, array->address);
        array->elementAlignment = parameter.elementAlignment;
        array->name = parameter.name;
        proposed.arrays[array->id] = parameter.name;
        proposed.notes.push_back(parameter.name + ": " + std::to_string(elements) + " elements, " +
                                 (how.empty() ? "random" : how));
    }
    return proposed;
}

}  // namespace warplens::ptx
