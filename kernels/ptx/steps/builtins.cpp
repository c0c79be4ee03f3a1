// Functions that every device has (CUDA Programming Guide, "Formatted Output", "Dynamic Global
// Memory Allocation and Operations", "Assertion").
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string>

#include "kernels/ptx/run/access.h"
#include "kernels/ptx/run/grid.h"
#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

constexpr std::size_t mostText = 1 << 16;  // of one call

/// A 32-bit word of a lane's argument or result.
u32& wordOf(const Warp& warp, const Call::Bytes& bytes, u32 word, u32 lane) {
    return reinterpret_cast<u32*>(warp.banks[0] + bytes.offset + word * narrowBytes)[lane];
}
/// A lane's argument of up to 8 bytes.
u64 argumentOf(const Warp& warp, const Call& call, std::size_t index, u32 lane) {
    if (index >= call.arguments.size()) return 0;
    const Call::Bytes& bytes = call.arguments[index];
    const u64 low = bytes.bytes == 0 ? 0 : wordOf(warp, bytes, 0, lane);
    return bytes.bytes <= 4 ? low : low | u64{wordOf(warp, bytes, 1, lane)} << 32;
}

/// Calls `of(warp, step, call, lane)` for each lane, whose result it returns.
template <auto of>
const Step* eachLane(Warp& warp, const Step* step) {
    const Call& call = *static_cast<const Call*>(step->more);
    forEachLane(warp.active, [&](u32 lane) {
        const u64 value = of(warp, step, call, lane);
        if (call.results.empty()) return;
        const Call::Bytes& result = call.results[0];
        if (result.bytes != 0) wordOf(warp, result, 0, lane) = u32(value);
        if (result.bytes > 4) wordOf(warp, result, 1, lane) = u32(value >> 32);
    });
    WARPLENS_GO(warp, step + 1);
}
Memory& memoryOf(const Warp& warp) {
    return gridOf(warp).program().memory();
}

/// Copies bytes at a generic address, as the lane sees it, to `own`, or from there; false where
/// there are none.
bool moveBytes(Warp& warp, u32 lane, u64 address, std::size_t count, std::byte* own, bool writes) {
    const auto move = [&](std::byte* there, std::byte* here, std::size_t bytes) {
        std::memcpy(writes ? there : here, writes ? here : there, bytes);
    };
    if ((address & windowMask) == localWindow) {
        const u64 at = address & 0xffffffffu;
        auto* stack = reinterpret_cast<std::byte*>(warp.stack.data());
        for (std::size_t byte = 0; byte < count; ++byte) {
            const u64 place = (at + byte) / 4 * narrowBytes + lane * 4 + (at + byte) % 4;
            if (place >= warp.stack.size() * sizeof(CacheLine)) return false;
            move(stack + place, own + byte, 1);
        }
        return true;
    }
    const Allocation* array = memoryOf(warp).find(address);
    if (array == nullptr || array->freed || !array->holds(address, count)) return false;
    if (writes) warp.block->worker->willWrite(*array, address - array->address, count);
    move(array->data + (address - array->address), own, count);
    return true;
}
bool readBytes(Warp& warp, u32 lane, u64 address, std::size_t count, std::byte* to) {
    return moveBytes(warp, lane, address, count, to, false);
}
template <class T>
bool write(Warp& warp, u32 lane, u64 address, T value) {
    return moveBytes(warp, lane, address, sizeof value, reinterpret_cast<std::byte*>(&value), true);
}
std::string readText(Warp& warp, u32 lane, u64 address) {
    std::string text;
    for (std::byte c; text.size() < mostText &&
                      readBytes(warp, lane, address + text.size(), 1, &c) && c != std::byte{0};) {
        text += static_cast<char>(c);
    }
    return text;
}

/// What `printf` writes, and how many arguments it takes: these lie one behind the other, each
/// aligned to its size.
std::pair<std::string, u32> formatted(Warp& warp, u32 lane, const std::string& format,
                                      u64 arguments) {
    constexpr int mostDigits = 1024;  // of a width or precision
    std::string text;
    u32 taken = 0;
    u64 at = 0;
    const auto next = [&](std::size_t bytes) {
        at = (at + bytes - 1) / bytes * bytes;
        std::array<std::byte, 8> value{};
        readBytes(warp, lane, arguments + at, bytes, value.data());
        at += bytes;
        ++taken;
        return value;
    };
    for (std::size_t i = 0; i < format.size() && text.size() < mostText; ++i) {
        if (format[i] != '%') {
            text += format[i];
            continue;
        }
        std::string specification = "%";
        std::string_view length;
        for (++i; i < format.size() && std::string_view("-+ #0123456789.*hlzjt").find(format[i]) !=
                                           std::string_view::npos;) {
            const char c = format[i];
            if (c == '*') {
                specification += std::to_string(std::clamp(
                    std::bit_cast<std::array<int, 2>>(next(4))[0], -mostDigits, mostDigits));
                ++i;
            } else if (c >= '1' && c <= '9') {
                int digits = 0;
                for (; i < format.size() && format[i] >= '0' && format[i] <= '9'; ++i)
                    digits = std::min(10 * digits + format[i] - '0', mostDigits);
                specification += std::to_string(digits);
            } else if (c == 'h') {
                length = length.empty() ? "h" : "hh";
                ++i;
            } else if (c >= 'a') {
                length = "ll";
                ++i;
            } else {
                specification += c;
                ++i;
            }
        }
        if (i >= format.size()) break;
        const char conversion = format[i];
        if (conversion == '%') {
            text += '%';
            continue;
        }
        if (specification.size() > 24) specification.resize(1);  // no flag is worth repeating
        std::array<char, 4096> buffer{};
        const auto print = [&](const std::string& with, auto value) {
            std::snprintf(buffer.data(), buffer.size(), with.c_str(), value);
            text += buffer.data();
        };
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        if (std::string_view("diouxX").find(conversion) != std::string_view::npos) {
            specification += length;
            if (length == "ll")
                print(specification + conversion, std::bit_cast<long long>(next(8)));
            else
                print(specification + conversion, std::bit_cast<std::array<int, 2>>(next(4))[0]);
        } else if (conversion == 'c') {
            print(specification + conversion, std::bit_cast<std::array<int, 2>>(next(4))[0]);
        } else if (std::string_view("eEfFgGaA").find(conversion) != std::string_view::npos) {
            print(specification + conversion, std::bit_cast<double>(next(8)));
        } else if (conversion == 's') {
            const std::string value = readText(warp, lane, std::bit_cast<u64>(next(8)));
            if (specification == "%")
                text += value;
            else
                print(specification + conversion, value.c_str());
        } else if (conversion == 'p') {
            print(std::string("0x%llx"), std::bit_cast<unsigned long long>(next(8)));
        } else {
            text += specification + conversion;
        }
#pragma GCC diagnostic pop
    }
    return {std::move(text), taken};
}

/// Returns how many arguments it took (CUDA Programming Guide, "Formatted Output"), not characters.
u64 printFormatted(Warp& warp, const Step*, const Call& call, u32 lane) {
    const std::string format = readText(warp, lane, argumentOf(warp, call, 0, lane));
    const auto [text, taken] = formatted(warp, lane, format, argumentOf(warp, call, 1, lane));
    gridOf(warp).print(text);
    return taken;
}

u64 allocate(Warp& warp, const Step*, const Call& call, u32 lane) {
    const Allocation* made =
        memoryOf(warp).allocate(argumentOf(warp, call, 0, lane), Allocation::Kind::heap);
    return made != nullptr ? made->address : 0;
}

/// `cudaMalloc(&pointer, bytes)` of device code; returns an error's number.
u64 allocateAt(Warp& warp, const Step*, const Call& call, u32 lane) {
    constexpr u64 memoryAllocation = 2;
    const u64 at = argumentOf(warp, call, 0, lane);
    const Allocation* made =
        memoryOf(warp).allocate(argumentOf(warp, call, 1, lane), Allocation::Kind::heap);
    if (made == nullptr) return memoryAllocation;
    return write(warp, lane, at, made->address) ? 0 : 1;
}

u64 release(Warp& warp, const Step* step, const Call& call, u32 lane) {
    const u64 address = argumentOf(warp, call, 0, lane);
    if (address == 0) return 0;
    Memory& memory = memoryOf(warp);
    const Allocation* array = memory.find(address);
    if (array == nullptr || array->kind != Allocation::Kind::heap || !memory.release(address))
        report(warp, step, FindingKind::wildPointer, lane,
               "free of what malloc did not give, or gave and took back");
    return 0;
}

const Step* failAssertion(Warp& warp, const Step* step) {
    const Call& call = *static_cast<const Call*>(step->more);
    const u32 lane = warp.firstLane();
    const std::string condition = readText(warp, lane, argumentOf(warp, call, 0, lane));
    report(warp, step, FindingKind::failedAssertion, lane,
           [&] { return "assert(" + condition + ") does not hold"; });
    return endLaunch(warp, "an assertion failed");
}

/// What device code calls for `kernel<<<grid, block, shared>>>(...)`: memory for its parameters,
/// and then the launch (CUDA Programming Guide, "Dynamic Parallelism").
u64 prepareLaunch(Warp& warp, const Step*, const Call& call, u32 lane) {
    GridRun& grid = gridOf(warp);
    const Function* kernel = grid.program().functionAt(argumentOf(warp, call, 0, lane));
    if (kernel == nullptr || call.arguments.size() < 4) return 0;
    const auto extents = [&](std::size_t index) {
        const Call::Bytes& bytes = call.arguments[index];
        const auto axis = [&](u32 word) {
            return bytes.bytes < 4 * (word + 1) ? 1 : wordOf(warp, bytes, word, lane);
        };
        return Extents{axis(0), axis(1), axis(2)};
    };
    KernelLaunch launch;
    launch.kernel = kernel;
    launch.launch.grid = extents(1);
    launch.launch.block = extents(2);
    launch.launch.dynamicSharedBytes = u32(argumentOf(warp, call, 3, lane));
    const Allocation* memory = memoryOf(warp).allocate(std::max(8u, kernel->parameterBytes()),
                                                       Allocation::Kind::heap, launchParameters);
    if (memory == nullptr) return 0;
    grid.prepareLaunch(memory->address, std::move(launch));
    return memory->address;
}
u64 makeLaunch(Warp& warp, const Step*, const Call& call, u32 lane) {
    constexpr u64 invalidValue = 1;
    warp.hasChanged = true;
    const u64 address = argumentOf(warp, call, 0, lane);
    return gridOf(warp).makeLaunch(address) ? 0 : invalidValue;
}
/// Streams and errors of device code: all goes well, in the order of the launches.
u64 succeed(Warp&, const Step*, const Call&, u32) {
    return 0;
}
/// `cudaGraphSetConditional(handle, value)`: the handle is the address of the value.
u64 setConditional(Warp& warp, const Step*, const Call& call, u32 lane) {
    (void)write(warp, lane, argumentOf(warp, call, 0, lane), u32(argumentOf(warp, call, 1, lane)));
    return 0;
}

struct Builtin final {
    std::string_view name;
    Handler run;
};
constexpr Builtin builtins[] = {{"vprintf", eachLane<printFormatted>},
                                {"malloc", eachLane<allocate>},
                                {"free", eachLane<release>},
                                {"__assertfail", failAssertion},
                                {"__cudaCDP2Malloc", eachLane<allocateAt>},
                                {"__cudaCDP2Free", eachLane<release>},
                                {"__cudaCDP2GetParameterBufferV2", eachLane<prepareLaunch>},
                                {"__cudaCDP2LaunchDeviceV2", eachLane<makeLaunch>},
                                {"__cudaCDP2StreamCreateWithFlags", eachLane<succeed>},
                                {"__cudaCDP2StreamDestroy", eachLane<succeed>},
                                {"__cudaCDP2GetLastError", eachLane<succeed>},
                                {"__cudaCDP2PeekAtLastError", eachLane<succeed>},
                                {"__cudaCDP2EventRecord", eachLane<succeed>},
                                {"__cudaCDP2StreamWaitEvent", eachLane<succeed>},
                                {"cudaGraphSetConditional", eachLane<setConditional>}};

}  // namespace

Handler builtinNamed(std::string_view name) {
    for (const Builtin& builtin : builtins) {
        if (builtin.name == name) return builtin.run;
    }
    return nullptr;
}

}  // namespace warplens::ptx
