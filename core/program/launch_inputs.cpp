#include "core/program/launch_inputs.h"

#include <algorithm>

#include "core/program/byte_frame.h"

namespace warplens {
namespace {

constexpr std::uint32_t frameMagic = 0x4e494c57;  // WLIN
constexpr std::uint32_t frameVersion = 1;
constexpr std::uint64_t frameHeaderBytes = 16;
constexpr std::uint64_t pointerBytes = 8;

std::uint64_t sizeOf(const InputBytes& bytes) {
    return 8 + bytes.bytes.size() + 4 + bytes.pointers.size() * 20;
}

void write(FrameWriter& out, const InputBytes& bytes) {
    out.bytes(bytes.bytes);
    out.number<std::uint32_t>(static_cast<std::uint32_t>(bytes.pointers.size()));
    for (const PointerRelocation& pointer : bytes.pointers) {
        out.number(pointer.offset);
        out.number(pointer.array);
        out.number(pointer.byteOffset);
    }
}

InputBytes readBytes(FrameReader& in) {
    InputBytes bytes{.bytes = in.bytes(), .pointers = {}};
    bytes.pointers.resize(in.count(20));
    std::uint64_t free = 0;
    for (PointerRelocation& pointer : bytes.pointers) {
        pointer.offset = in.number<std::uint64_t>();
        pointer.array = in.number<std::uint32_t>();
        pointer.byteOffset = in.number<std::uint64_t>();
        if (pointer.offset < free || pointer.offset > bytes.bytes.size() ||
            bytes.bytes.size() - pointer.offset < pointerBytes) {
            throw MalformedFrame("a pointer at byte " + std::to_string(pointer.offset) + " of " +
                                 std::to_string(bytes.bytes.size()) +
                                 ": must lie within, after the one before");
        }
        free = pointer.offset + pointerBytes;
    }
    return bytes;
}

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

std::uint64_t framedBytes(const LaunchInputs& inputs) {
    std::uint64_t size = frameHeaderBytes + 4 + inputs.kernel.size() + 28 + 1 + 4 + 4;
    size += sizeOf(inputs.parameters);
    for (const InputParameter& parameter : inputs.parameterList) size += 12 + parameter.name.size();
    for (const InputArray& array : inputs.arrays) {
        size += 13 + array.name.size() + array.symbol.size();
        size += sizeOf(array.before) + sizeOf(array.after);
    }
    return size;
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
    out.number<std::uint64_t>(size - frameHeaderBytes);
    out.text(inputs.kernel);
    writeExtents(out, inputs.launch.grid);
    writeExtents(out, inputs.launch.block);
    out.number(inputs.launch.dynamicSharedBytes);
    out.number<std::uint8_t>(inputs.cooperative ? 1 : 0);
    write(out, inputs.parameters);
    out.number<std::uint32_t>(static_cast<std::uint32_t>(inputs.parameterList.size()));
    for (const InputParameter& parameter : inputs.parameterList) {
        out.text(parameter.name);
        out.number(parameter.offset);
        out.number(parameter.bytes);
    }
    out.number<std::uint32_t>(static_cast<std::uint32_t>(inputs.arrays.size()));
    for (const InputArray& array : inputs.arrays) {
        out.text(array.name);
        out.number(array.elementBytes);
        out.number<std::uint8_t>(array.isSymbol ? 1 : 0);
        out.text(array.symbol);
        write(out, array.before);
        write(out, array.after);
    }
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
    inputs.kernel = in.text();
    inputs.launch.grid = readExtents(in);
    inputs.launch.block = readExtents(in);
    inputs.launch.dynamicSharedBytes = in.number<std::uint32_t>();
    inputs.cooperative = in.flag();
    inputs.parameters = readBytes(in);
    inputs.parameterList.resize(in.count(12));
    for (InputParameter& parameter : inputs.parameterList) {
        parameter.name = in.text();
        parameter.offset = in.number<std::uint32_t>();
        parameter.bytes = in.number<std::uint32_t>();
        const std::uint64_t end = std::uint64_t{parameter.offset} + parameter.bytes;
        if (end > inputs.parameters.bytes.size()) {
            throw MalformedFrame("parameter '" + parameter.name + "' ends at byte " +
                                 std::to_string(end) + " of " +
                                 std::to_string(inputs.parameters.bytes.size()));
        }
    }
    inputs.arrays.resize(in.count(37));
    for (InputArray& array : inputs.arrays) {
        array.name = in.text();
        array.elementBytes = in.number<std::uint32_t>();
        array.isSymbol = in.flag();
        array.symbol = in.text();
        array.before = readBytes(in);
        array.after = readBytes(in);
    }
    if (!in.atEnd()) throw MalformedFrame("bytes after the end");
    checkPointers(inputs.parameters, inputs.arrays);
    for (const InputArray& array : inputs.arrays) {
        checkPointers(array.before, inputs.arrays);
        checkPointers(array.after, inputs.arrays);
    }
    return inputs;
}

}  // namespace warplens
