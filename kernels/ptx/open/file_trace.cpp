#include "kernels/ptx/open/file_trace.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/kernel/element_type.h"
#include "core/kernel/formula.h"
#include "core/launch/launch.h"
#include "core/program/branch_reasons.h"
#include "kernels/ptx/open/signature.h"
#include "kernels/ptx/run/grid.h"
#include "kernels/ptx/run/launch_lines.h"

namespace warplens::ptx {
namespace {

constexpr u64 proposedNumber = 1000;
constexpr u64 mostProposedElements = 1ull << 24;
constexpr u32 threadsOnOneAxis = 256;
constexpr u32 threadsOnTwoAxes = 16;

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
void put(std::vector<std::byte>& bytes, u32 at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// Elements of 4 or 8 bytes are numbers; of others every 4 bytes are.
void fill(Allocation& array, const DeclaredParameter& parameter, u32 rank, const std::string& how,
          u64 below) {
    const bool isDouble = parameter.type.starts_with("double");
    const std::size_t width = isDouble ? 8
                              : parameter.elementBytes == 1 || parameter.elementBytes == 2
                                  ? parameter.elementBytes
                                  : 4;
    const bool isRandom = how.empty() || how == "random";
    const double number = isRandom || how == "ramp" ? 0 : std::strtod(how.c_str(), nullptr);
    for (u64 at = 0; (at + 1) * width <= array.bytes; ++at) {
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
            const auto whole = s64(value);
            std::memcpy(to, &whole, width);
        }
    }
}

struct ProposedLaunch final {
    KernelLaunch launch;
    Signature signature;
    std::vector<std::string> notes;     ///< with what the kernel is launched, a sentence each
    std::map<u32, std::string> arrays;  ///< names by id
};

/// A launch of the kernel with arrays made in `memory`: numbers are 1,000, so that a guard that is
/// missing is found, arrays as many elements as two of them make; the grid covers the largest
/// number along the axes that the kernel asks for. Throws InvalidRequest for a wish that does not
/// fit, with the limit.
ProposedLaunch proposeLaunch(Memory& memory, const Function& kernel,
                             const source::LaunchWishes& wishes) {
    ProposedLaunch proposed;
    proposed.signature = signatureOf(kernel);
    proposed.launch.kernel = &kernel;
    proposed.launch.parameters.resize(kernel.parameterBytes());
    const std::vector<DeclaredParameter>& parameters = proposed.signature.parameters;
    const auto known = [&](const std::string& name, bool isPointer) {
        return std::ranges::any_of(
            parameters, [&](const auto& p) { return p.name == name && p.isPointer == isPointer; });
    };
    for (const auto& [name, value] : wishes.values) {
        if (!known(name, false))
            refuse(
                "--set", name + "=" + value,
                "a number among the parameters of " + proposed.signature.kernel + ", p0, p1, ...");
    }
    for (const auto& [name, array] : wishes.arrays) {
        if (!known(name, true))
            refuse(
                "--array", name,
                "a pointer among the parameters of " + proposed.signature.kernel + ", p0, p1, ...");
    }
    // Numbers first: arrays are as large as they say.
    Arguments sizes;
    std::vector<std::string> names;
    u64 largest = 0;
    u64 smallest = proposedNumber;
    for (std::size_t at = 0; at < parameters.size(); ++at) {
        const DeclaredParameter& parameter = parameters[at];
        const Parameter& place = kernel.parameters[at];
        if (parameter.isPointer) continue;
        const auto chosen = wishes.values.find(parameter.name);
        if (place.bytes > 8) {
            proposed.notes.push_back(parameter.name +
                                     (parameter.type.empty() ? "" : " (" + parameter.type + ")") +
                                     ": " + std::to_string(place.bytes) + " bytes of zeros");
            continue;
        }
        if (parameter.isFloat) {
            const std::string text = chosen == wishes.values.end() ? "1" : chosen->second;
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
        s64 value = proposedNumber;
        if (chosen != wishes.values.end()) {
            const std::string& text = chosen->second;
            const auto [end, error] =
                std::from_chars(text.data(), text.data() + text.size(), value);
            if (error != std::errc() || end != text.data() + text.size())
                refuse(parameter.name, text, "a whole number");
        }
        std::memcpy(proposed.launch.parameters.data() + place.offset, &value, place.bytes);
        names.push_back(parameter.name);
        sizes.set(parameter.name, u64(value));
        largest = std::max(largest, u64(std::max<s64>(value, 0)));
        if (value > 0) smallest = std::min(smallest, u64(value));
        proposed.notes.push_back(parameter.name + " = " + std::to_string(value));
    }
    if (largest == 0) largest = proposedNumber;
    const bool onTwo = usesAxis(kernel, 'y');
    proposed.launch.launch.block = wishes.block.value_or(
        onTwo ? Extents{threadsOnTwoAxes, threadsOnTwoAxes, 1} : Extents{threadsOnOneAxis, 1, 1});
    const Extents block = proposed.launch.launch.block;
    const auto blocksFor = [&](u32 threads) {
        return u32(
            std::min<u64>((largest + std::max(1u, threads) - 1) / std::max(1u, threads), 65535));
    };
    proposed.launch.launch.grid =
        wishes.grid.value_or(Extents{blocksFor(block.x), onTwo ? blocksFor(block.y) : 1, 1});
    if (auto broken = validate(proposed.launch.launch); !broken.empty())
        throw InvalidRequest(std::move(broken));
    for (std::size_t at = 0; at < parameters.size(); ++at) {
        const DeclaredParameter& parameter = parameters[at];
        if (!parameter.isPointer) continue;
        const auto chosen = wishes.arrays.find(parameter.name);
        u64 elements =
            std::min(mostProposedElements, largest > (1u << 12) ? largest : largest * largest);
        if (chosen != wishes.arrays.end() && !chosen->second.elements.empty()) {
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
        const std::string how = chosen == wishes.arrays.end() ? std::string() : chosen->second.fill;
        fill(*array, parameter, u32(at), how, smallest);
        put(proposed.launch.parameters, kernel.parameters[at].offset, array->address);
        array->elementAlignment = parameter.elementAlignment;
        array->name = parameter.name;
        proposed.arrays[array->id] = parameter.name;
        proposed.notes.push_back(parameter.name + ": " + std::to_string(elements) + " elements, " +
                                 (how.empty() ? "random" : how));
    }
    return proposed;
}

/// A kernel's name without its template arguments and namespaces.
std::string shortName(const std::string& name) {
    const std::string plain = name.substr(0, name.find('<'));
    const std::size_t colons = plain.rfind("::");
    return colons == std::string::npos ? plain : plain.substr(colons + 2);
}

}  // namespace

ProgramTrace traceFile(std::string text, const FileRequest& request) {
    auto read = readModule(std::move(text));
    if (const auto* error = std::get_if<ReadError>(&read)) {
        throw std::runtime_error(request.path + ":" + std::to_string(error->row) + ": " +
                                 error->message);
    }
    Module& module = std::get<Module>(read);
    const bool isDebug = module.isDebug;
    Memory memory;
    Program program(memory);
    if (const auto problem = program.add(std::move(module))) {
        throw std::runtime_error(request.path + ": " + *problem);
    }
    ProgramTrace trace;
    trace.program = request.path;
    trace.exit.status = 0;
    Surroundings surroundings;
    surroundings.print = [&](std::string_view printed) {
        constexpr std::size_t mostOutput = 1 << 20;
        const std::size_t room = mostOutput - std::min(mostOutput, trace.exit.output.size());
        trace.exit.output += printed.substr(0, room);
        trace.exit.outputCut |= printed.size() > room;
    };
    surroundings.width = request.width;
    surroundings.sideBySide = request.sideBySide;
    surroundings.isStopped = request.isStopped;
    const auto begin = std::chrono::steady_clock::now();
    std::string others;
    for (const Function* kernel : program.kernels()) {
        const std::string name = signatureOf(*kernel).kernel;
        if (!request.kernel.empty() && request.kernel != name &&
            request.kernel != shortName(name) && request.kernel != kernel->name) {
            others += (others.empty() ? "" : ", ") + shortName(name);
            continue;
        }
        const auto index = u32(trace.launches.size());
        ProposedLaunch proposed = proposeLaunch(memory, *kernel, request.wishes);
        std::string with =
            shortName(name) + " is launched as " + toLaunchSyntax(proposed.launch.launch);
        for (const std::string& note : proposed.notes) with += ", " + note;
        trace.notes.push_back(with);
        const auto start = std::chrono::steady_clock::now();
        LaunchResult result = run(program, proposed.launch, surroundings);
        LaunchReport& launch = trace.launches.emplace_back();
        launch.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        launch.index = index;
        launch.kernel = shortName(name);
        launch.instance = name;
        launch.launch = proposed.launch.launch;
        launch.overridden = request.wishes.grid || request.wishes.block;
        launch.blocks = proposed.launch.launch.grid.count();
        launch.blocksTraced = result.blocks;
        launch.exact = result.ended.empty();
        launch.laneAccesses = result.laneAccesses;
        launch.lines = linesOf(
            program, result, isDebug ? Source::predicted : Source::compiled, [&](u32 array) {
                if ((array & inShared) != 0 && array != noArray) return program.sharedName(array);
                const auto known = proposed.arrays.find(array);
                return known == proposed.arrays.end() ? program.variableName(array) : known->second;
            });
        joinBranches(launch.lines, {});
        launch.values = valuesOf(launch.lines);
        for (Finding& finding : result.findings) {
            finding.kernel = launch.kernel;
            finding.launch = index;
            trace.findings.push_back(std::move(finding));
        }
        if (!result.ended.empty())
            trace.notes.push_back(shortName(name) + " did not run to its end: " + result.ended);
        if (result.inOrder)
            trace.notes.push_back(
                shortName(name) +
                ": blocks ran one after the other, since what one does depends on others");
    }
    if (trace.launches.empty()) {
        if (others.empty()) throw std::runtime_error(request.path + ": there is no kernel in it");
        throw InvalidRequest({{"--kernel", "'" + request.kernel + "'", "one of " + others}});
    }
    trace.notes.push_back(isDebug ? "compiled with -G: counts are what the source asks for"
                                  : "optimised code: counts are what the compiled code asks for");
    trace.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return trace;
}

}  // namespace warplens::ptx
