// Loads and stores (PTX ISA, "ld", "ldu", "st").
#include <span>

#include "kernels/ptx/run/access.h"
#include "kernels/ptx/run/grid.h"
#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

enum class Where : std::uint8_t { global, shared, generic };

constexpr u32 polls = 1;  // bit of `Step::option`: others may have changed what is read

// What a load of T makes of its bytes in a register of D.
template <class T, class D>
inline Stored<D> read(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return stored<D>(static_cast<D>(value));
}

template <class T, class D, int n, class PlaceOf>
void readLanes(Warp& warp, const Step* step, u32 lanes, PlaceOf placeOf) {
    alignas(64) Stored<D> values[n][lanesPerWarp];
    forEachLane(lanes, [&](u32 lane) {
        const std::byte* place = placeOf(lane);
        for (int part = 0; part < n; ++part)
            values[part][lane] = read<T, D>(place + part * sizeof(T));
    });
    // What may not be read is read as zero.
    forEachLane(warp.active & ~lanes, [&](u32 lane) {
        for (int part = 0; part < n; ++part) values[part][lane] = 0;
    });
    for (int part = 0; part < n; ++part) {
        if (step->extra[part] != noSlot) store(warp, step->extra[part], values[part]);
    }
}

template <class T, class D, int n>
__attribute__((always_inline)) inline void readRepeated(Warp& warp, const Step* step,
                                                        const SiteState& site,
                                                        const std::byte* origin) {
    if (site.runCount != 0 && (n == 1 || site.isUniform)) {
        for (int part = 0; part < n; ++part) {
            if (step->extra[part] == noSlot) continue;
            Stored<D>* to = warp.value<Stored<D>>(step->extra[part]);
            for (u32 index = 0; index < site.runCount; ++index) {
                const SiteState::Run& run = site.runs[index];
                const std::byte* place = origin + run.offset + part * sizeof(T);
                if (run.isUniform) {
                    const Stored<D> value = read<T, D>(place);
                    if (run.lanes == lanesPerWarp)
                        std::fill(to, to + lanesPerWarp, value);
                    else
                        std::fill(to + run.lane, to + run.lane + run.lanes, value);
                } else if constexpr (sizeof(T) == sizeof(Stored<D>)) {
                    if (run.lanes == lanesPerWarp)
                        std::memcpy(to, place, lanesPerWarp * sizeof(T));
                    else if (run.lanes == 16)
                        std::memcpy(to + run.lane, place, 16 * sizeof(T));
                    else
                        std::memcpy(to + run.lane, place, run.lanes * sizeof(T));
                } else {
                    for (u32 lane = 0; lane < run.lanes; ++lane)
                        to[run.lane + lane] = read<T, D>(place + lane * sizeof(T));
                }
            }
        }
        return;
    }
    if (warp.active == allLanes) {
        for (int part = 0; part < n; ++part) {
            if (step->extra[part] == noSlot) continue;
            Stored<D>* to = warp.value<Stored<D>>(step->extra[part]);
            for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
                to[lane] = read<T, D>(origin + site.offsets[lane] + part * sizeof(T));
            }
        }
        return;
    }
    readLanes<T, D, n>(warp, step, warp.active,
                       [&](u32 lane) { return origin + site.offsets[lane]; });
}

template <class T, int n, class PlaceOf>
void writeLanes(Warp& warp, const Step* step, u32 lanes, PlaceOf placeOf) {
    using S = std::conditional_t<sizeof(T) == 8, u64, u32>;
    const S* from[n];
    for (int part = 0; part < n; ++part) from[part] = warp.value<S>(step->extra[part]);
    forEachLane(lanes, [&](u32 lane) {
        std::byte* place = placeOf(lane);
        for (int part = 0; part < n; ++part) {
            const T value = static_cast<T>(from[part][lane]);
            std::memcpy(place + part * sizeof(T), &value, sizeof value);
        }
    });
}

template <class T, int n>
__attribute__((always_inline)) inline void writeRepeated(Warp& warp, const Step* step,
                                                         const SiteState& site, std::byte* origin) {
    if (n == 1 && sizeof(T) >= 4 && site.runCount != 0) {
        const T* values = warp.value<T>(step->extra[0]);
        for (u32 index = 0; index < site.runCount; ++index) {
            const SiteState::Run& run = site.runs[index];
            // Of lanes that write to one place the last one's value stays.
            if (run.isUniform)
                std::memcpy(origin + run.offset, values + run.lane + run.lanes - 1, sizeof(T));
            else if (run.lanes == lanesPerWarp)
                std::memcpy(origin, values, sizeof(T) * lanesPerWarp);
            else
                std::memcpy(origin + run.offset, values + run.lane, run.lanes * sizeof(T));
        }
        return;
    }
    writeLanes<T, n>(warp, step, warp.active,
                     [&](u32 lane) { return origin + site.offsets[lane]; });
}

/// Bytes of local memory lie in words, 128 bytes from one to the next.
template <class T>
void copyLocal(Warp& warp, u64 place, u32 part, u32 lane, T& value, bool isStore) {
    auto* stack = reinterpret_cast<std::byte*>(warp.stack.data());
    for (u32 byte = 0; byte < sizeof(T); byte += 4) {
        const u64 at = place % 4 + part * sizeof(T) + byte;
        std::byte* word =
            stack + place / 4 * narrowBytes + at / 4 * narrowBytes + lane * 4 + at % 4;
        std::byte* there = reinterpret_cast<std::byte*>(&value) + byte;
        const std::size_t count = std::min<std::size_t>(4, sizeof(T));
        if (isStore)
            std::memcpy(word, there, count);
        else
            std::memcpy(there, word, count);
    }
}
template <class T, class D, int n>
void readLocal(Warp& warp, const Step* step, u32 site) {
    const u32 lanes = reachLocal(warp, step, site, warp.active);
    alignas(64) Stored<D> values[n][lanesPerWarp] = {};
    forEachLane(lanes, [&](u32 lane) {
        for (u32 part = 0; part < n; ++part) {
            T value;
            copyLocal(warp, warp.addresses[lane], part, lane, value, false);
            values[part][lane] = stored<D>(static_cast<D>(value));
        }
    });
    for (int part = 0; part < n; ++part) {
        if (step->extra[part] != noSlot) store(warp, step->extra[part], values[part]);
    }
}
template <class T, int n>
void writeLocal(Warp& warp, const Step* step, u32 site) {
    using S = std::conditional_t<sizeof(T) == 8, u64, u32>;
    const u32 lanes = reachLocal(warp, step, site, warp.active);
    forEachLane(lanes, [&](u32 lane) {
        for (u32 part = 0; part < n; ++part) {
            T value = static_cast<T>(warp.value<S>(step->extra[part])[lane]);
            copyLocal(warp, warp.addresses[lane], part, lane, value, true);
        }
    });
}

/// Which memory a generic request's first lane is in, and which of the lanes are in the same.
struct Part final {
    Where where = Where::global;
    bool isLocal = false;
    bool isParameter = false;
    u32 lanes = 0;
};
Part takeWindow(std::span<const u64> addresses, u32 lanes) {
    const u64 window = addresses[static_cast<u32>(std::countr_zero(lanes))] & windowMask;
    Part part;
    forEachLane(lanes, [&](u32 lane) {
        if ((addresses[lane] & windowMask) == window) part.lanes |= 1u << lane;
    });
    if (window == sharedWindow) part.where = Where::shared;
    part.isLocal = window == localWindow;
    part.isParameter = window == paramWindow;
    return part;
}

/// Generic addresses of shared memory become offsets in it.
void exchangeWindow(Warp& warp) {
    for (u64& address : warp.addresses) address ^= sharedWindow;
}

/// The request of `lanes` in one memory, of the generic step's sites: global, shared, local.
template <class Use>
void forEachWindow(Warp& warp, const Step* step, Use use) {
    const u32 active = warp.active;
    alignas(64) const auto all = warp.addresses;
    for (u32 left = active; left != 0;) {
        const Part part = takeWindow(all, left);
        left &= ~part.lanes;
        warp.active = part.lanes;
        const u32 first = warp.firstLane();
        for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
            const u64 address = (part.lanes & laneBits[lane]) != 0 ? all[lane] : all[first];
            warp.addresses[lane] = part.where == Where::shared ? address ^ sharedWindow : address;
        }
        use(part, step->site + (part.where == Where::shared ? 1 : part.isLocal ? 2 : 0));
    }
    warp.active = active;
}

template <class T, class D, int n>
void readSlowly(Warp& warp, const Step* step, u32 site, bool isShared) {
    const Reached reached = isShared ? reachShared(warp, step, site, warp.active)
                                     : reachGlobal(warp, step, site, warp.active);
    if (reached.origin != nullptr) {
        readRepeated<T, D, n>(warp, step, warp.sites[site], reached.origin);
    } else {
        std::byte** places = placesOf(warp);
        readLanes<T, D, n>(warp, step, reached.lanes, [&](u32 lane) { return places[lane]; });
    }
    if (warp.isObserved) observe(warp, step, site, reached.lanes);
}
template <class T, class D, int n>
void readParameters(Warp& warp, const Step* step) {
    const std::span<const std::byte> bytes = warp.block->worker->grid().parameters();
    u32 lanes = 0;
    forEachLane(warp.active, [&](u32 lane) {
        const u64 at = warp.addresses[lane] & ~windowMask;
        if (at <= bytes.size() && bytes.size() - at >= n * sizeof(T)) lanes |= 1u << lane;
    });
    if (lanes != warp.active) {
        report(warp, step, FindingKind::outOfBounds,
               static_cast<u32>(std::countr_zero(warp.active & ~lanes)),
               [] { return std::string("a kernel's parameters are read behind their end"); });
    }
    readLanes<T, D, n>(warp, step, lanes, [&](u32 lane) {
        return bytes.data() + (warp.addresses[lane] & ~windowMask);
    });
}
template <class T, class D, int n>
[[gnu::noinline]] void readGeneric(Warp& warp, const Step* step) {
    forEachWindow(warp, step, [&](const Part& part, u32 site) {
        if (part.isLocal)
            readLocal<T, D, n>(warp, step, site);
        else if (part.isParameter)
            readParameters<T, D, n>(warp, step);
        else
            readSlowly<T, D, n>(warp, step, site, part.where == Where::shared);
    });
}
template <class T, int n>
void writeSlowly(Warp& warp, const Step* step, u32 site, bool isShared) {
    // Observers look at memory before it changes.
    const Reached reached = isShared ? reachShared(warp, step, site, warp.active)
                                     : reachGlobal(warp, step, site, warp.active);
    if (warp.isObserved) observe(warp, step, site, reached.lanes);
    if (reached.origin != nullptr) {
        writeRepeated<T, n>(warp, step, warp.sites[site], reached.origin);
    } else {
        std::byte** places = placesOf(warp);
        writeLanes<T, n>(warp, step, reached.lanes, [&](u32 lane) { return places[lane]; });
    }
}
template <class T, int n>
[[gnu::noinline]] void writeGeneric(Warp& warp, const Step* step) {
    forEachWindow(warp, step, [&](const Part& part, u32 site) {
        if (part.isLocal)
            writeLocal<T, n>(warp, step, site);
        else if (part.isParameter)
            report(warp, step, FindingKind::wildPointer, warp.firstLane(),
                   [] { return std::string("a kernel's parameters are written"); });
        else
            writeSlowly<T, n>(warp, step, site, part.where == Where::shared);
    });
}

/// The request repeats, counted: its first lane's byte. Null where it does not.
template <u32 bytes, Where where>
__attribute__((always_inline)) inline std::byte* repeated(Warp& warp, const Step* step, u32& site) {
    const u64* from = warp.value<u64>(step->a);
    u64 first = from[warp.firstLane()] + static_cast<u64>(step->immediate);
    site = step->site;
    bool isShared = where == Where::shared;
    if (where == Where::generic && (first & windowMask) == sharedWindow) {
        isShared = true;
        first ^= sharedWindow;
        ++site;
    }
    SiteState& state = warp.sites[site];
    if (!repeats(warp, state, from, first, bytes)) [[unlikely]]
        return nullptr;
    ++state.hits;
    if (!isShared) state.countSectors(first);
    if (warp.isObserved) {
        takeAddresses(warp, step);
        if (where == Where::generic && isShared) exchangeWindow(warp);
    }
    return originOf(warp, state, first, isShared);
}

template <class T, class D, int n, Where where>
[[gnu::noinline]] void readAnew(Warp& warp, const Step* step) {
    takeAddresses(warp, step);
    if constexpr (where == Where::generic)
        readGeneric<T, D, n>(warp, step);
    else
        readSlowly<T, D, n>(warp, step, step->site, where == Where::shared);
}
template <class T, int n, Where where>
[[gnu::noinline]] void writeAnew(Warp& warp, const Step* step) {
    takeAddresses(warp, step);
    if constexpr (where == Where::generic)
        writeGeneric<T, n>(warp, step);
    else
        writeSlowly<T, n>(warp, step, step->site, where == Where::shared);
}

template <class T, class D, int n, Where where>
WARPLENS_CLONES const Step* load(Warp& warp, const Step* step) {
    if ((step->option & polls) != 0) warp.hasPolled = true;
    u32 site;
    if (const std::byte* origin = repeated<n * sizeof(T), where>(warp, step, site)) [[likely]] {
        readRepeated<T, D, n>(warp, step, warp.sites[site], origin);
        if (warp.isObserved) observe(warp, step, site, warp.active);
    } else {
        readAnew<T, D, n, where>(warp, step);
    }
    WARPLENS_GO(warp, step + 1);
}

template <class T, int n, Where where>
WARPLENS_CLONES const Step* storeTo(Warp& warp, const Step* step) {
    warp.hasChanged = true;
    u32 site;
    if (std::byte* origin = repeated<n * sizeof(T), where>(warp, step, site)) [[likely]] {
        if (warp.isObserved) observe(warp, step, site, warp.active);
        writeRepeated<T, n>(warp, step, warp.sites[site], origin);
    } else {
        writeAnew<T, n, where>(warp, step);
    }
    WARPLENS_GO(warp, step + 1);
}

template <class T, class D, int n>
const Step* loadLocal(Warp& warp, const Step* step) {
    takeAddresses(warp, step);
    readLocal<T, D, n>(warp, step, step->site);
    WARPLENS_GO(warp, step + 1);
}
template <class T, int n>
const Step* storeLocal(Warp& warp, const Step* step) {
    takeAddresses(warp, step);
    writeLocal<T, n>(warp, step, step->site);
    WARPLENS_GO(warp, step + 1);
}

/// A kernel's parameter at a place that is known: the same for all lanes.
template <class T, class D, int n>
const Step* loadParameter(Warp& warp, const Step* step) {
    const std::byte* from = warp.block->worker->grid().parameters().data() + step->immediate;
    for (int part = 0; part < n; ++part) {
        if (step->extra[part] == noSlot) continue;
        alignas(64) Stored<D> values[lanesPerWarp];
        std::fill(std::begin(values), std::end(values), read<T, D>(from + part * sizeof(T)));
        store(warp, step->extra[part], values);
    }
    WARPLENS_GO(warp, step + 1);
}
/// Parameters and results of calls: words in the frame. mode: where they begin.
template <class T, class D, int n>
const Step* loadArgument(Warp& warp, const Step* step) {
    alignas(64) Stored<D> values[n][lanesPerWarp];
    const u64 place = (warp.frame + step->mode) / lanesPerWarp + static_cast<u64>(step->immediate);
    for (u32 part = 0; part < n; ++part) {
        for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
            T value;
            copyLocal(warp, place, part, lane, value, false);
            values[part][lane] = stored<D>(static_cast<D>(value));
        }
        if (step->extra[part] != noSlot) store(warp, step->extra[part], values[part]);
    }
    WARPLENS_GO(warp, step + 1);
}
template <class T, int n>
const Step* storeArgument(Warp& warp, const Step* step) {
    using S = std::conditional_t<sizeof(T) == 8, u64, u32>;
    const u64 place = (warp.frame + step->mode) / lanesPerWarp + static_cast<u64>(step->immediate);
    forEachLane(warp.active, [&](u32 lane) {
        for (u32 part = 0; part < n; ++part) {
            T value = static_cast<T>(warp.value<S>(step->extra[part])[lane]);
            copyLocal(warp, place, part, lane, value, true);
        }
    });
    WARPLENS_GO(warp, step + 1);
}

enum class Form : std::uint8_t { global, shared, generic, local, parameter, argument };

template <class T, class D, int n>
Handler loadAs(Form form) {
    switch (form) {
        case Form::global:
            return load<T, D, n, Where::global>;
        case Form::shared:
            return load<T, D, n, Where::shared>;
        case Form::generic:
            return load<T, D, n, Where::generic>;
        case Form::local:
            return loadLocal<T, D, n>;
        case Form::parameter:
            return loadParameter<T, D, n>;
        default:
            return loadArgument<T, D, n>;
    }
}
template <class T, int n>
Handler storeAs(Form form) {
    switch (form) {
        case Form::global:
            return storeTo<T, n, Where::global>;
        case Form::shared:
            return storeTo<T, n, Where::shared>;
        case Form::generic:
            return storeTo<T, n, Where::generic>;
        case Form::local:
            return storeLocal<T, n>;
        default:
            return storeArgument<T, n>;
    }
}
template <class T, class D>
Handler loadOf(Form form, std::size_t parts) {
    return parts == 1   ? loadAs<T, D, 1>(form)
           : parts == 2 ? loadAs<T, D, 2>(form)
                        : loadAs<T, D, 4>(form);
}
template <class T>
Handler storeOf(Form form, std::size_t parts) {
    return parts == 1   ? storeAs<T, 1>(form)
           : parts == 2 ? storeAs<T, 2>(form)
                        : storeAs<T, 4>(form);
}
Handler loadHandler(Type type, bool intoWide, Form form, std::size_t parts) {
    using s64 = std::int64_t;
    switch (type) {
        case Type::b8:
        case Type::u8:
            return intoWide ? loadOf<std::uint8_t, u64>(form, parts)
                            : loadOf<std::uint8_t, u32>(form, parts);
        case Type::s8:
            return intoWide ? loadOf<std::int8_t, s64>(form, parts)
                            : loadOf<std::int8_t, std::int32_t>(form, parts);
        case Type::b16:
        case Type::u16:
        case Type::f16:
        case Type::bf16:
            return intoWide ? loadOf<std::uint16_t, u64>(form, parts)
                            : loadOf<std::uint16_t, u32>(form, parts);
        case Type::s16:
            return intoWide ? loadOf<std::int16_t, s64>(form, parts)
                            : loadOf<std::int16_t, std::int32_t>(form, parts);
        case Type::s32:
            return intoWide ? loadOf<std::int32_t, s64>(form, parts)
                            : loadOf<u32, u32>(form, parts);
        default:
            break;
    }
    if (bytesOf(type) == 4)
        return intoWide ? loadOf<u32, u64>(form, parts) : loadOf<u32, u32>(form, parts);
    return bytesOf(type) == 8 ? loadOf<u64, u64>(form, parts) : nullptr;
}
Handler storeHandler(Type type, Form form, std::size_t parts) {
    switch (bytesOf(type)) {
        case 1:
            return storeOf<std::uint8_t>(form, parts);
        case 2:
            return storeOf<std::uint16_t>(form, parts);
        case 4:
            return storeOf<u32>(form, parts);
        case 8:
            return storeOf<u64>(form, parts);
        default:
            return nullptr;
    }
}

/// Where an address is in the step: register a and the immediate.
struct Address final {
    Slot base = noSlot;
    std::int64_t offset = 0;
};
bool isWeak(const Instruction& instruction) {
    for (const std::string_view word : instruction.words) {
        if (word == "volatile" || word == "relaxed" || word == "acquire" || word == "mmio")
            return false;
    }
    return true;
}

bool access(Decoder& decoder, const Instruction& instruction, bool isStore) {
    const Type type = instruction.type();
    if (instruction.operands.size() < 2 || bytesOf(type) == 0) return decoder.fail();
    const Operand& memory = instruction.operands[isStore ? 0 : 1];
    const Operand& values = instruction.operands[isStore ? 1 : 0];
    const std::size_t parts = values.kind == Operand::Kind::list ? values.parts.size() : 1;
    if (memory.kind != Operand::Kind::memory || (parts != 1 && parts != 2 && parts != 4))
        return decoder.fail();
    Slot slots[4] = {noSlot, noSlot, noSlot, noSlot};
    bool wide = false;
    for (std::size_t part = 0; part < parts; ++part) {
        const Operand& value =
            parts == 1 && values.kind != Operand::Kind::list ? values : values.parts[part];
        if (value.kind == Operand::Kind::none && !isStore) continue;
        wide |= bytesOf(decoder.registerType(value)) == 8;
        slots[part] = isStore ? decoder.source(value, type) : decoder.target(value);
    }
    if (isStore && wide && bytesOf(type) < 8) {  // the lower half of a register
        for (std::size_t part = 0; part < parts; ++part)
            slots[part] = decoder.lowerHalf(slots[part]);
    }
    const auto finish = [&](Step& step) {
        std::copy(std::begin(slots), std::end(slots), std::begin(step.extra));
        if (!isWeak(instruction)) step.option |= polls;
        return true;
    };
    const Space space = decoder.spaceOf(instruction);
    const auto handlerOf = [&](Form form) {
        return isStore ? storeHandler(type, form, parts) : loadHandler(type, wide, form, parts);
    };
    if (space == Space::param && memory.reg < 0) {
        const auto bytes = static_cast<std::int64_t>(bytesOf(type) * parts);
        if (const Parameter* parameter = decoder.kernelParameter(memory.symbol);
            parameter && !isStore) {
            if (memory.offset < 0 || memory.offset + bytes > parameter->bytes)
                return decoder.fail("a parameter is read behind its end");
            const Handler run = handlerOf(Form::parameter);
            if (run == nullptr) return decoder.fail();
            Step& step = decoder.emit(run);
            step.immediate = parameter->offset + memory.offset;
            return finish(step);
        }
        const Call::Bytes* argument = decoder.parameterBytes(memory.symbol);
        if (argument == nullptr)
            return decoder.fail("there is no parameter '" + std::string(memory.symbol) + "'");
        if (memory.offset < 0 || memory.offset + bytes > (argument->bytes + 3) / 4 * 4)
            return decoder.fail("an argument is accessed behind its end");
        const Handler run = handlerOf(Form::argument);
        if (run == nullptr) return decoder.fail();
        Step& step = decoder.emit(run);
        step.mode = argument->offset;
        step.immediate = memory.offset;
        return finish(step);
    }
    const Form form = space == Space::global || space == Space::constant ? Form::global
                      : space == Space::shared                           ? Form::shared
                      : space == Space::local                            ? Form::local
                                                                         : Form::generic;
    const Handler run = handlerOf(form);
    if (run == nullptr) return decoder.fail();
    const Slot base = decoder.address(memory);
    const u32 bytes = static_cast<u32>(bytesOf(type) * parts);
    u32 site = 0;
    if (form == Form::shared) {
        site = decoder.addSite(isStore ? SiteKind::sharedStore : SiteKind::sharedLoad, bytes);
    } else if (form == Form::local) {
        site = decoder.addSite(isStore ? SiteKind::localStore : SiteKind::localLoad, bytes);
    } else {
        site = decoder.addSite(isStore ? SiteKind::globalStore : SiteKind::globalLoad, bytes);
        if (form == Form::generic) {
            decoder.addSite(isStore ? SiteKind::sharedStore : SiteKind::sharedLoad, bytes);
            decoder.addSite(isStore ? SiteKind::localStore : SiteKind::localLoad, bytes);
        }
    }
    Step& step = decoder.emit(run);
    step.a = base;
    step.immediate = memory.offset;
    step.site = site;
    return finish(step);
}
bool loadInstruction(Decoder& decoder, const Instruction& instruction) {
    return access(decoder, instruction, false);
}
bool storeInstruction(Decoder& decoder, const Instruction& instruction) {
    return !instruction.has("async") && !instruction.has("bulk") &&
           access(decoder, instruction, true);
}

constexpr Opcode opcodes[] = {
    {"ld", loadInstruction}, {"ldu", loadInstruction}, {"st", storeInstruction}};

}  // namespace

std::span<const Opcode> memoryOpcodes() {
    return opcodes;
}

}  // namespace warplens::ptx
