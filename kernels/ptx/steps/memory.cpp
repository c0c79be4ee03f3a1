// Loads and stores (PTX ISA, "ld", "ldu", "st").
#include <span>

#include "kernels/ptx/run/access.h"
#include "kernels/ptx/run/grid.h"
#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

/// Where an access goes, as far as the instruction says. `parameter` is a kernel's own one at the
/// immediate; `argument` one of a call, in words of the frame from `mode` on.
enum class Form : u8 { global, shared, generic, local, parameter, argument };

constexpr u32 polls = 1;  // bit of `Step::option`: others may have changed what is read

/// A T as it lies in a register, without a sign.
template <class T>
inline Stored<T> read(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

/// Bytes of local memory, and of arguments, lie in words of the stack, 128 bytes from one to the
/// next: the place of a lane's one.
std::byte* wordOf(Warp& warp, u64 place, u32 lane) {
    return reinterpret_cast<std::byte*>(warp.stack.data()) + place / 4 * narrowBytes + lane * 4 +
           place % 4;
}

/// Loads n values of T for each lane.
template <class T, int n>
struct Load final {
    using Part = T;
    static constexpr bool isStore = false;
    static constexpr u32 bytes = n * sizeof(T);

    /// `placeOf(lane, part)` is where a lane's n-th T is. Wide ones in words have their upper half
    /// in the next word.
    template <bool inWords = false, class PlaceOf>
    static void lanes(Warp& warp, const Step* step, u32 lanes, PlaceOf placeOf) {
        alignas(64) Stored<T> values[n][lanesPerWarp];
        for (u32 part = 0; part < n; ++part) {
            forEachLane(lanes, [&](u32 lane) {
                const std::byte* place = placeOf(lane, part);
                std::byte whole[sizeof(T)];
                if constexpr (inWords && sizeof(T) == 8) {
                    std::memcpy(whole, place, 4);
                    std::memcpy(whole + 4, place + narrowBytes, 4);
                    place = whole;
                }
                values[part][lane] = read<T>(place);
            });
            // What may not be read is read as zero.
            forEachLane(warp.active & ~lanes, [&](u32 lane) { values[part][lane] = 0; });
        }
        for (int part = 0; part < n; ++part) {
            if (step->extra[part] != noSlot) store(warp, step->extra[part], values[part]);
        }
    }

    /// All active lanes, whose request has the site's last shape, from the first one's byte.
    __attribute__((always_inline)) static void shaped(Warp& warp, const Step* step,
                                                      const Shape& shape, const std::byte* origin) {
        const bool byRuns = shape.runCount != 0 && (n == 1 || shape.isUniform);
        for (int part = 0; part < n; ++part) {
            if (step->extra[part] == noSlot) continue;
            if (!byRuns) {
                // Lanes that are not active read what the first one does, and keep what they have.
                forLanes<T>(
                    warp, step->extra[part], [&](u32 lane) __attribute__((always_inline)) {
                        return static_cast<T>(
                            read<T>(origin + s64(shape.offsets[lane]) + part * sizeof(T)));
                    });
                continue;
            }
            Stored<T>* to = warp.value<Stored<T>>(step->extra[part]);
            for (u32 index = 0; index < shape.runCount; ++index) {
                const Shape::Run& run = shape.runs[index];
                const std::byte* place = origin + run.offset + part * sizeof(T);
                if (run.isUniform) {
                    const Stored<T> value = read<T>(place);
                    if (run.lanes == lanesPerWarp)
                        std::fill(to, to + lanesPerWarp, value);
                    else
                        std::fill(to + run.lane, to + run.lane + run.lanes, value);
                } else if (shape.isSparse) {
                    for (u32 lane = run.lane; lane < run.lane + u32{run.lanes}; ++lane) {
                        const Stored<T> value = read<T>(place + (lane - run.lane) * sizeof(T));
                        to[lane] = (shape.mask & laneBits[lane]) != 0 ? value : to[lane];
                    }
                } else if constexpr (sizeof(T) == sizeof(Stored<T>)) {
                    if (run.lanes == lanesPerWarp)
                        std::memcpy(to, place, lanesPerWarp * sizeof(T));
                    else if (run.lanes == 16)
                        std::memcpy(to + run.lane, place, 16 * sizeof(T));
                    else
                        std::memcpy(to + run.lane, place, run.lanes * sizeof(T));
                } else {
                    for (u32 lane = 0; lane < run.lanes; ++lane)
                        to[run.lane + lane] = read<T>(place + lane * sizeof(T));
                }
            }
        }
    }
};

/// Stores n values of T for each lane.
template <class T, int n>
struct Store final {
    using Part = T;
    static constexpr bool isStore = true;
    static constexpr u32 bytes = n * sizeof(T);

    template <bool inWords = false, class PlaceOf>
    static void lanes(Warp& warp, const Step* step, u32 lanes, PlaceOf placeOf) {
        using S = std::conditional_t<sizeof(T) == 8, u64, u32>;
        forEachLane(lanes, [&](u32 lane) {
            for (u32 part = 0; part < n; ++part) {
                const T value = static_cast<T>(warp.value<S>(step->extra[part])[lane]);
                std::byte* place = placeOf(lane, part);
                constexpr bool isSplit = inWords && sizeof(T) == 8;
                std::memcpy(place, &value, isSplit ? 4 : sizeof value);
                if constexpr (isSplit) {
                    const auto upper = u32(value >> 32);
                    std::memcpy(place + narrowBytes, &upper, 4);
                }
            }
        });
    }

    __attribute__((always_inline)) static void shaped(Warp& warp, const Step* step,
                                                      const Shape& shape, std::byte* origin) {
        if (n != 1 || sizeof(T) < 4 || shape.runCount == 0 || shape.isSparse) {
            lanes(warp, step, warp.active, [&](u32 lane, u32 part) {
                return origin + s64(shape.offsets[lane]) + part * sizeof(T);
            });
            return;
        }
        const T* values = warp.value<T>(step->extra[0]);
        for (u32 index = 0; index < shape.runCount; ++index) {
            const Shape::Run& run = shape.runs[index];
            // Of lanes that write to one place the last one's value stays.
            if (run.isUniform)
                std::memcpy(origin + run.offset, values + run.lane + run.lanes - 1, sizeof(T));
            else if (run.lanes == lanesPerWarp)
                std::memcpy(origin, values, sizeof(T) * lanesPerWarp);
            else
                std::memcpy(origin + run.offset, values + run.lane, run.lanes * sizeof(T));
        }
    }
};

/// A request to global or shared memory whose shape is not the site's last one.
template <class Access>
void inArrays(Warp& warp, const Step* step, u32 site, bool isShared) {
    if (Access::isStore) warp.hasChanged = true;
    const Reached reached = reach(warp, step, site, warp.active, isShared);
    if (reached.origin != nullptr)
        return Access::shaped(warp, step, *warp.sites[site].shape, reached.origin);
    std::byte** places = placesOf(warp);
    Access::lanes(warp, step, reached.lanes, [&](u32 lane, u32 part) {
        return places[lane] + part * sizeof(typename Access::Part);
    });
}
template <class Access>
void inLocal(Warp& warp, const Step* step, u32 site) {
    const u32 lanes = reachLocal(warp, step, site, warp.active);
    Access::template lanes<true>(warp, step, lanes, [&](u32 lane, u32 part) {
        return wordOf(warp, warp.addresses[lane] + part * sizeof(typename Access::Part), lane);
    });
}
/// By a generic address.
template <class Access>
void inParameters(Warp& warp, const Step* step) {
    if constexpr (Access::isStore) {
        report(warp, step, FindingKind::wildPointer, warp.firstLane(),
               "a kernel's parameters are written");
    } else {
        const std::span<const std::byte> bytes = gridOf(warp).parameters();
        u32 lanes = 0;
        forEachLane(warp.active, [&](u32 lane) {
            const u64 at = warp.addresses[lane] & ~windowMask;
            if (at <= bytes.size() && bytes.size() - at >= Access::bytes) lanes |= 1u << lane;
        });
        if (lanes != warp.active) {
            report(warp, step, FindingKind::outOfBounds, lowest(warp.active & ~lanes),
                   "a kernel's parameters are read behind their end");
        }
        Access::lanes(warp, step, lanes, [&](u32 lane, u32 part) {
            return bytes.data() + (warp.addresses[lane] & ~windowMask) +
                   part * sizeof(typename Access::Part);
        });
    }
}

/// The request repeats, counted: its first lane's byte. Null where it does not.
template <u32 bytes, Form form>
__attribute__((always_inline)) inline std::byte* repeated(Warp& warp, const Step* step, u32& site) {
    const u64* from = warp.value<u64>(step->a);
    u64 first = from[warp.firstLane()] + u64(step->immediate);
    site = step->site;
    bool isShared = form == Form::shared;
    if (form == Form::generic && (first & windowMask) == sharedWindow) {
        isShared = true;
        first ^= sharedWindow;
        ++site;
    }
    SiteState& state = warp.sites[site];
    if (!repeats(warp, state, from, first, bytes)) [[unlikely]] {
        if (!state.recall(warp.active) || !repeats(warp, state, from, first, bytes)) return nullptr;
    }
    ++state.shape->hits;
    if (!isShared) state.countSectors(first);
    if (warp.isObserved) {
        takeAddresses(warp, step);
        if (form == Form::generic && isShared) {
            for (u64& address : warp.addresses) address ^= sharedWindow;
        }
    }
    return originOf(warp, state, first, isShared);
}

template <class Access, Form form>
[[gnu::noinline]] void anew(Warp& warp, const Step* step) {
    takeAddresses(warp, step);
    if constexpr (form != Form::generic)
        return inArrays<Access>(warp, step, step->site, form == Form::shared);
    forEachWindow(warp, [&](u64 window) {
        if (window == localWindow)
            inLocal<Access>(warp, step, step->site + 2);
        else if (window == paramWindow)
            inParameters<Access>(warp, step);
        else
            inArrays<Access>(warp, step, step->site + (window == sharedWindow ? 1 : 0),
                             window == sharedWindow);
    });
}

template <class Access, Form form>
WARPLENS_CLONES const Step* toArrays(Warp& warp, const Step* step) {
    if (!Access::isStore && (step->option & polls) != 0) {
        warp.hasPolled = true;
        warp.polled = step;
    }
    u32 site;
    if (std::byte* origin = repeated<Access::bytes, form>(warp, step, site)) [[likely]] {
        if (Access::isStore) warp.hasChanged = true;
        const Shape& shape = *warp.sites[site].shape;
        if (warp.isObserved) observe(warp, step, site, warp.active, shape.pattern);
        Access::shaped(warp, step, shape, origin);
    } else {
        anew<Access, form>(warp, step);
    }
    WARPLENS_GO(warp, step + 1);
}

/// Of one's own memory, and of what a call hands over.
template <class Access, Form form>
const Step* toOwn(Warp& warp, const Step* step) {
    constexpr u32 width = sizeof(typename Access::Part);
    if constexpr (form == Form::local) {
        takeAddresses(warp, step);
        inLocal<Access>(warp, step, step->site);
    } else if constexpr (form == Form::parameter) {
        const std::byte* from = gridOf(warp).parameters().data() + step->immediate;
        Access::lanes(warp, step, warp.active, [&](u32, u32 part) { return from + part * width; });
    } else {
        const u64 place = (warp.frame + step->mode) / lanesPerWarp + u64(step->immediate);
        Access::template lanes<true>(warp, step, warp.active, [&](u32 lane, u32 part) {
            return wordOf(warp, place + part * width, lane);
        });
    }
    WARPLENS_GO(warp, step + 1);
}

template <class Access>
Handler handlerOf(Form form) {
    switch (form) {
        case Form::global:
            return toArrays<Access, Form::global>;
        case Form::shared:
            return toArrays<Access, Form::shared>;
        case Form::generic:
            return toArrays<Access, Form::generic>;
        case Form::local:
            return toOwn<Access, Form::local>;
        case Form::argument:
            return toOwn<Access, Form::argument>;
        default:
            if constexpr (!Access::isStore) return toOwn<Access, Form::parameter>;
            return nullptr;
    }
}
template <class T>
Handler handlerOf(bool isStore, Form form, std::size_t parts) {
    const auto of = [=]<int n>() {
        return isStore ? handlerOf<Store<T, n>>(form) : handlerOf<Load<T, n>>(form);
    };
    return parts == 1   ? of.template operator()<1>()
           : parts == 2 ? of.template operator()<2>()
                        : of.template operator()<4>();
}
Handler handlerOf(u32 width, bool isStore, Form form, std::size_t parts) {
    switch (width) {
        case 1:
            return handlerOf<u8>(isStore, form, parts);
        case 2:
            return handlerOf<u16>(isStore, form, parts);
        case 4:
            return handlerOf<u32>(isStore, form, parts);
        case 8:
            return handlerOf<u64>(isStore, form, parts);
        default:
            return nullptr;
    }
}
/// The first of the sites of an access: a generic one has one for each memory.
u32 addSites(Decoder& decoder, bool isStore, Form form, u32 bytes) {
    constexpr AccessKind loads[] = {AccessKind::load, AccessKind::sharedLoad,
                                    AccessKind::localLoad};
    constexpr AccessKind stores[] = {AccessKind::store, AccessKind::sharedStore,
                                     AccessKind::localStore};
    const auto& kinds = isStore ? stores : loads;
    const u32 first = decoder.addSite(kinds[form == Form::shared  ? 1
                                            : form == Form::local ? 2
                                                                  : 0],
                                      bytes);
    if (form == Form::generic) {
        decoder.addSite(kinds[1], bytes);
        decoder.addSite(kinds[2], bytes);
    }
    return first;
}
Form formOf(Space space) {
    return space == Space::global || space == Space::constant ? Form::global
           : space == Space::shared                           ? Form::shared
           : space == Space::local                            ? Form::local
                                                              : Form::generic;
}
/// Of a type's values as they are loaded, numbers of 32 bits, or of 64.
template <class D>
constexpr auto extended = [](auto value) { return static_cast<D>(value); };
template <class D>
Handler extendTo(Type type) {
    return withType(type, []<class T>() -> Handler {
        if constexpr (std::is_integral_v<T>) return apply<extended<D>, T>;
        return nullptr;
    });
}

bool access(Decoder& decoder, const Instruction& instruction, bool isStore) {
    const Type type = instruction.type();
    if (instruction.operands.size() < 2) return decoder.fail();
    const Operand& memory = instruction.operands[isStore ? 0 : 1];
    const Operand& values = instruction.operands[isStore ? 1 : 0];
    const bool isList = values.kind == Operand::Kind::list;
    const std::size_t parts = isList ? values.parts.size() : 1;
    if (memory.kind != Operand::Kind::memory || (parts != 1 && parts != 2 && parts != 4))
        return decoder.fail();
    Step step;
    bool wide = false;
    const u32 width = bytesOf(type);
    for (std::size_t part = 0; part < parts; ++part) {
        const Operand& value = isList ? values.parts[part] : values;
        if (value.kind == Operand::Kind::none && !isStore) continue;
        wide |= bytesOf(decoder.registerType(value)) == 8 && width < 8;
        step.extra[part] = isStore ? decoder.source(value, type) : decoder.target(value);
    }
    // The lower half of a register is stored; what it gets more than is loaded is filled by the
    // sign of integers that have one.
    const bool hasSign = isSigned(type) && !isFloat(type);
    const bool extends = !isStore && (wide || (hasSign && width < 4));
    std::array<Slot, 4> targets{};
    for (std::size_t part = 0; part < parts; ++part) {
        if (!extends || step.extra[part] == noSlot) continue;
        targets[part] = std::exchange(step.extra[part], decoder.temporary(narrowBytes));
    }
    if (instruction.which({"volatile", "relaxed", "acquire", "mmio"})) step.option |= polls;
    const u32 bytes = width * u32(parts);
    const Space space = decoder.spaceOf(instruction);
    Form form = formOf(space);
    const Parameter* parameter = isStore ? nullptr : decoder.kernelParameter(memory.symbol);
    if (space == Space::param && memory.reg < 0) {
        form = parameter != nullptr ? Form::parameter : Form::argument;
        const Call::Bytes* argument = decoder.parameterBytes(memory.symbol);
        if (parameter == nullptr && argument == nullptr)
            return decoder.fail("there is no parameter '" + std::string(memory.symbol) + "'");
        const u32 end = parameter != nullptr ? parameter->bytes : (argument->bytes + 3) / 4 * 4;
        if (memory.offset < 0 || memory.offset + bytes > end)
            return decoder.fail(parameter != nullptr ? "a parameter is read behind its end"
                                                     : "an argument is accessed behind its end");
        step.immediate = memory.offset + (parameter != nullptr ? parameter->offset : 0);
        step.mode = parameter != nullptr ? 0 : argument->offset;
    } else {
        step.a = decoder.address(memory);
        step.immediate = memory.offset;
        step.site = addSites(decoder, isStore, form, bytes);
    }
    step.run = handlerOf(width, isStore, form, parts);
    if (step.run == nullptr) return decoder.fail();
    decoder.emit(step);
    constexpr Type bits[] = {Type::b8, Type::b16, Type::b32};
    for (std::size_t part = 0; part < parts; ++part) {
        if (targets[part] == noSlot) continue;
        const Type from = hasSign ? type : bits[std::countr_zero(width)];
        decoder.emit({.run = wide ? extendTo<s64>(from) : extendTo<s32>(from),
                      .d = targets[part],
                      .a = step.extra[part]});
    }
    return true;
}

}  // namespace

bool emitAccess(Decoder& decoder, bool isStore, Type type, Space space, Slot address, s64 offset,
                Slot value, Slot second) {
    const Form form = formOf(space);
    const u32 parts = second == noSlot ? 1 : 2;
    Step step{.a = address, .extra = {value, second}, .immediate = offset};
    step.run = handlerOf(bytesOf(type), isStore, form, parts);
    step.site = addSites(decoder, isStore, form, bytesOf(type) * parts);
    decoder.emit(step);
    return step.run != nullptr;
}

void addMemory(InstructionTable& table) {
    table.decode({"ld", "ldu"}, [](Decoder& decoder, const Instruction& instruction) {
        return access(decoder, instruction, false);
    });
    table.decode({"st"}, [](Decoder& decoder, const Instruction& instruction) {
        return !instruction.has("async") && !instruction.has("bulk") &&
               access(decoder, instruction, true);
    });
}

}  // namespace warplens::ptx
