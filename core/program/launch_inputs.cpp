#include "core/program/launch_inputs.h"

#include "core/program/byte_frame.h"

namespace warplens {
namespace {

constexpr std::uint32_t frameMagic = 0x4e494c57;  // WLIN
constexpr std::uint32_t frameVersion = 3;
constexpr std::uint64_t frameHeaderBytes = 16;
constexpr std::uint64_t pointerBytes = 8;

void checkPointers(const InputBytes& bytes, const std::vector<InputArray>& arrays) {
    for (const PointerRelocation& pointer : bytes.pointers) {
        if (pointer.array >= arrays.size()) {
            throw MalformedFrame("a pointer into array " + std::to_string(pointer.array) + " of " +
                                 std::to_string(arrays.size()));
        }
        const std::uint64_t size = arrays[pointer.array].before.bytes.size();
        if (pointer.byteOffset > size) {
            throw MalformedFrame("a pointer to byte " + std::to_string(pointer.byteOffset) +
                                 " of an array of " + std::to_string(size));
        }
    }
}

}  // namespace

void frame(auto& f, PointerRelocation& pointer) {
    f(pointer.offset, pointer.array, pointer.byteOffset);
}

void frame(auto& f, InputBytes& bytes) {
    f(bytes.bytes, bytes.pointers);
    std::uint64_t free = 0;
    for (const PointerRelocation& pointer : bytes.pointers) {
        if (pointer.offset < free || pointer.offset > bytes.bytes.size() ||
            bytes.bytes.size() - pointer.offset < pointerBytes) {
            throw MalformedFrame("a pointer at byte " + std::to_string(pointer.offset) + " of " +
                                 std::to_string(bytes.bytes.size()) +
                                 ": must lie within, after the one before");
        }
        free = pointer.offset + pointerBytes;
    }
}

void frame(auto& f, InputParameter& parameter) {
    f(parameter.name, parameter.offset, parameter.bytes);
}

void frame(auto& f, InputArray& array) {
    f(array.name, array.elementBytes, array.symbol, array.before, array.after);
}

void frame(auto& f, LaunchInputs& inputs) {
    f(inputs.kernel, inputs.symbol, inputs.ptx, inputs.cubin, inputs.launch, inputs.cooperative,
      inputs.parameters, inputs.parameterList, inputs.arrays);
    for (const InputParameter& parameter : inputs.parameterList) {
        const std::uint64_t end = std::uint64_t{parameter.offset} + parameter.bytes;
        if (end > inputs.parameters.bytes.size()) {
            throw MalformedFrame("parameter '" + parameter.name + "' ends at byte " +
                                 std::to_string(end) + " of " +
                                 std::to_string(inputs.parameters.bytes.size()));
        }
    }
}

std::uint64_t framedBytes(const LaunchInputs& inputs) {
    FrameCounter counter;
    counter(const_cast<LaunchInputs&>(inputs));  // which leaves it as it is
    return frameHeaderBytes + counter.bytes();
}

std::vector<std::byte> toFrame(const LaunchInputs& inputs) {
    const std::uint64_t size = framedBytes(inputs);
    if (size > mostLaunchInputBytes) {
        throw InvalidRequest({{"bytes of the launch's inputs", std::to_string(size),
                               "at most " + std::to_string(mostLaunchInputBytes)}});
    }
    FrameWriter out;
    out.reserve(size);
    out.number(frameMagic);
    out.number(frameVersion);
    out.number(size - frameHeaderBytes);
    out.whole(inputs);
    return out.take();
}

LaunchInputs launchInputsFromFrame(std::span<const std::byte> frame) {
    if (frame.size() > mostLaunchInputBytes) {
        throw MalformedFrame(std::to_string(frame.size()) + " bytes: at most " +
                             std::to_string(mostLaunchInputBytes));
    }
    FrameReader in(frame);
    if (in.number<std::uint32_t>() != frameMagic) throw MalformedFrame("not a launch's inputs");
    if (const auto version = in.number<std::uint32_t>(); version != frameVersion) {
        throw MalformedFrame("version " + std::to_string(version) + " of a launch's inputs: only " +
                             std::to_string(frameVersion) + " is known");
    }
    if (in.number<std::uint64_t>() != frame.size() - frameHeaderBytes) {
        throw MalformedFrame("the length does not fit");
    }
    LaunchInputs inputs;
    in(inputs);
    if (!in.atEnd()) throw MalformedFrame("bytes after the end");
    checkPointers(inputs.parameters, inputs.arrays);
    for (const InputArray& array : inputs.arrays) {
        checkPointers(array.before, inputs.arrays);
        checkPointers(array.after, inputs.arrays);
    }
    return inputs;
}

}  // namespace warplens
