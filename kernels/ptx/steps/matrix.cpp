// Products of small matrices by a whole warp (PTX ISA, "Warp Level Matrix Multiply-Accumulate
// Instructions"): which lane holds which element is in the figures there; of `wmma` it is as on
// devices of compute capability 9.0.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "kernels/ptx/run/access.h"
#include "kernels/ptx/run/grid.h"
#include "kernels/ptx/run/warp.h"
#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

enum class Role : u8 { a, b, c };

/// A matrix over the registers of 32 lanes.
struct Fragment final {
    Role role = Role::a;
    u32 m = 0, n = 0, k = 0;
    u32 perRegister = 1;  ///< elements
    struct Place final {
        u32 row, column;
    };
    [[nodiscard]] u32 rows() const { return role == Role::b ? k : m; }
    [[nodiscard]] u32 columns() const { return role == Role::a ? k : n; }
    /// Registers of a lane before its elements come again.
    [[nodiscard]] u32 registers() const {
        return std::max(1u, rows() * columns() / lanesPerWarp / perRegister);
    }
    [[nodiscard]] Place place(u32 lane, u32 reg, u32 element) const {
        const u32 group = lane / 4;
        const u32 within = lane % 4;
        const u32 all = registers();
        reg %= all;
        if (role == Role::b) {
            const u32 each = std::max(1u, k / (4 * perRegister));  // of eight columns
            return {within * perRegister + element + 4 * perRegister * (reg % each),
                    group + 8 * (reg / each)};
        }
        if (role == Role::a) {
            if (m == 8) return {group, within * perRegister + element + 4 * perRegister * reg};
            const u32 each = m == 32 ? all / 2 : all;
            const u32 half = reg / each;
            reg %= each;
            return {16 * half + group + 8 * (reg % 2),
                    within * perRegister + element + 4 * perRegister * (reg / 2)};
        }
        const u32 index = reg * perRegister + element;
        if (m == 8) return {group, within * 2 + index % 2 + 8 * (index / 2)};
        const u32 row = group + 8 * (index % 4 / 2);
        const u32 column = within * 2 + index % 2;
        return m == 32 ? Place{row + 16 * (index / 4), column}
                       : Place{row, column + 8 * (index / 4)};
    }
};

/// Whether all that lanes hold is in the matrix: so it is of the shapes that have a figure.
bool fits(const Fragment& fragment) {
    for (u32 reg = 0; reg < fragment.registers(); ++reg) {
        for (u32 at = 0; at < lanesPerWarp * fragment.perRegister; ++at) {
            const auto [row, column] = fragment.place(at % lanesPerWarp, reg, at / lanesPerWarp);
            if (row >= fragment.rows() || column >= fragment.columns()) return false;
        }
    }
    return true;
}

constexpr u32 mostElements = 32 * 32;

/// What is multiplied and how.
struct Product final {
    Fragment a{}, b{}, c{};
    Type aType{}, bType{}, cType{}, dType{};
    std::vector<Slot> aSlots{}, bSlots{}, cSlots{}, dSlots{};
    bool saturates = false;
};

/// An element's value by its bits.
double numberOf(Type type, u64 bits) {
    switch (type) {
        case Type::f16:
            return toFloat(Half{u16(bits)});
        case Type::bf16:
            return toFloat(Bfloat{u16(bits)});
        case Type::tf32:
            return std::bit_cast<float>(u32(bits) & 0xffffe000u);
        case Type::f32:
            return std::bit_cast<float>(u32(bits));
        case Type::f64:
            return std::bit_cast<double>(bits);
        case Type::u8:
            return static_cast<double>(bits & 0xffu);
        case Type::s8:
            return s8(bits);
        case Type::s32:
            return s32(bits);
        case Type::e4m3x2:
            return fromSmallFloat(u32(bits), 3);
        default:
            return fromSmallFloat(u32(bits), 2);
    }
}
u32 bitsOf(Type type) {
    if (type == Type::e4m3x2 || type == Type::e5m2x2) return 8;
    return 8 * bytesOf(type);
}

void gather(const Warp& warp, const Fragment& fragment, Type type, const std::vector<Slot>& slots,
            double* matrix) {
    const u32 bits = bitsOf(type);
    const u64 mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
    const auto registers = std::min<u32>(fragment.registers(), u32(slots.size()));
    for (u32 reg = 0; reg < registers; ++reg) {
        for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
            const u64 whole =
                bits == 64 ? warp.value<u64>(slots[reg])[lane] : warp.value<u32>(slots[reg])[lane];
            for (u32 element = 0; element < fragment.perRegister; ++element) {
                const Fragment::Place at = fragment.place(lane, reg, element);
                matrix[at.row * fragment.columns() + at.column] =
                    numberOf(type, whole >> (element * bits) & mask);
            }
        }
    }
}

u64 resultOf(Type type, double value, bool saturates) {
    switch (type) {
        case Type::f16:
            return toHalf(roundToOdd(value)).bits;
        case Type::f32:
            return std::bit_cast<u32>(static_cast<float>(value));
        case Type::f64:
            return std::bit_cast<u64>(value);
        default: {
            const auto whole = s64(value);
            return u32(s32(saturates ? std::clamp<s64>(whole, INT32_MIN, INT32_MAX) : whole));
        }
    }
}

/// Sums are exact but for their last rounding; of f64 each step is rounded.
const Step* multiply(Warp& warp, const Step* step) {
    const auto& product = *static_cast<const Product*>(step->more);
    static thread_local std::array<double, mostElements> a, b, c;
    gather(warp, product.a, product.aType, product.aSlots, a.data());
    gather(warp, product.b, product.bType, product.bSlots, b.data());
    gather(warp, product.c, product.cType, product.cSlots, c.data());
    const u32 m = product.a.m;
    const u32 n = product.a.n;
    const u32 k = product.a.k;
    for (u32 row = 0; row < m; ++row) {
        for (u32 column = 0; column < n; ++column) {
            double sum = c[row * n + column];
            for (u32 at = 0; at < k; ++at) sum = std::fma(a[row * k + at], b[at * n + column], sum);
            c[row * n + column] = sum;
        }
    }
    Fragment result = product.c;
    const u32 bits = bitsOf(product.dType);
    result.perRegister = std::max(1u, 32 / bits);
    for (u32 reg = 0; reg < product.dSlots.size(); ++reg) {
        for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
            u64 whole = 0;
            for (u32 element = 0; element < result.perRegister; ++element) {
                const Fragment::Place at = result.place(lane, reg, element);
                whole |= resultOf(product.dType, c[at.row * n + at.column], product.saturates)
                         << (element * bits);
            }
            if (bits == 64)
                warp.value<u64>(product.dSlots[reg])[lane] = whole;
            else
                warp.value<u32>(product.dSlots[reg])[lane] = u32(whole);
        }
    }
    WARPLENS_GO(warp, step + 1);
}

/// `m16n8k16`.
bool takeShape(const Instruction& instruction, Fragment& of) {
    for (const std::string_view word : instruction.words) {
        if (std::sscanf(std::string(word).c_str(), "m%4un%4uk%4u", &of.m, &of.n, &of.k) != 3)
            continue;
        const u32 sizes[] = {of.m * of.k, of.k * of.n, of.m * of.n};
        return std::ranges::all_of(sizes,
                                   [](u32 size) { return size != 0 && size <= mostElements; });
    }
    return false;
}

/// Types of elements, which may be of other names than those of registers.
std::vector<Type> typesOf(const Instruction& instruction) {
    std::vector<Type> types;
    for (const std::string_view word : instruction.words) {
        if (word == "e4m3")
            types.push_back(Type::e4m3x2);
        else if (word == "e5m2")
            types.push_back(Type::e5m2x2);
        else if (typeNamed(word) != Type::none)
            types.push_back(typeNamed(word));
    }
    return types;
}

bool isMultiplied(Type type) {
    constexpr Type known[] = {Type::f16, Type::bf16, Type::tf32,   Type::f64,
                              Type::u8,  Type::s8,   Type::e4m3x2, Type::e5m2x2};
    return std::ranges::find(known, type) != std::end(known);
}

bool isSummed(Type type) {
    return type == Type::f16 || type == Type::f32 || type == Type::f64 || type == Type::s32;
}

bool emitProduct(Decoder& decoder, const Instruction& instruction, Product product) {
    const std::vector<Operand>& operands = instruction.operands;
    if (operands.size() != 4 || !takeShape(instruction, product.a)) return decoder.fail();
    for (const std::string_view word : instruction.words) {
        if (word.starts_with("sp") || word == "b1" || word == "s4" || word == "u4" ||
            word.starts_with("kind") || word == "xor" || word == "and")
            return decoder.fail("products of sparse matrices, of single bits and of four");
    }
    if (!isMultiplied(product.aType) || !isMultiplied(product.bType) || !isSummed(product.cType) ||
        !isSummed(product.dType))
        return decoder.fail();
    if (product.a.m == 8 && product.a.n == 8 && bitsOf(product.aType) == 16)
        return decoder.fail("the products of compute capability 7.0");
    product.b = product.c = product.a;
    product.b.role = Role::b;
    product.c.role = Role::c;
    product.a.perRegister = std::max(1u, 32 / bitsOf(product.aType));
    product.b.perRegister = std::max(1u, 32 / bitsOf(product.bType));
    product.c.perRegister = std::max(1u, 32 / bitsOf(product.cType));
    Fragment result = product.c;
    result.perRegister = std::max(1u, 32 / bitsOf(product.dType));
    product.dSlots = decoder.slots(operands[0], true, product.dType);
    product.aSlots = decoder.slots(operands[1], false, product.aType);
    product.bSlots = decoder.slots(operands[2], false, product.bType);
    product.cSlots = decoder.slots(operands[3], false, product.cType);
    if (product.aSlots.size() < product.a.registers() ||
        product.bSlots.size() < product.b.registers() ||
        product.cSlots.size() < product.c.registers() || !fits(product.a) || !fits(product.b) ||
        !fits(product.c) || !fits(result))
        return decoder.fail("a shape that is not known");
    product.saturates = instruction.has("satfinite");
    decoder.emit(multiply).more = decoder.keep(std::move(product));
    return true;
}

/// `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 d, a, b, c`.
bool productInstruction(Decoder& decoder, const Instruction& instruction) {
    const std::vector<Type> types = typesOf(instruction);
    // Types of d and c alone where those of a and b follow.
    const bool isHalf = instruction.words[0] == "wmma" && types.size() == 2;
    if (types.size() != 4 && !isHalf) return decoder.fail();
    return emitProduct(decoder, instruction,
                       {.aType = isHalf ? Type::f16 : types[1],
                        .bType = isHalf ? Type::f16 : types[2],
                        .cType = types.back(),
                        .dType = types[0]});
}

/// Of a register of a fragment in memory: where a lane's elements, from one on, are.
struct Placed final {
    Fragment fragment;
    u32 reg = 0;
    u32 element = 0;
    bool isColumnMajor = false;
    u32 elementBytes = 2;
};
/// a: the first element of all, b: elements from one row, or column, to the next.
const Step* placeInMatrix(Warp& warp, const Step* step) {
    const auto& placed = *static_cast<const Placed*>(step->more);
    const u64* base = warp.value<u64>(step->a);
    const u32* stride = warp.value<u32>(step->b);
    alignas(64) u64 result[lanesPerWarp];
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        const Fragment::Place at = placed.fragment.place(lane, placed.reg, placed.element);
        const u64 index = placed.isColumnMajor ? at.row + u64{at.column} * stride[lane]
                                               : at.column + u64{at.row} * stride[lane];
        result[lane] = base[lane] + index * placed.elementBytes;
    }
    store(warp, step->d, result);
    WARPLENS_GO(warp, step + 1);
}
constexpr auto repeated = [](u32 a) { return a; };
constexpr auto takePart = [](u32 a, u32 shift) { return a >> shift; };

/// `wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {...}, [p], stride`, and stores of d.
bool matrixAccess(Decoder& decoder, const Instruction& instruction, bool isStore) {
    const std::vector<Operand>& operands = instruction.operands;
    Fragment fragment;
    if (operands.size() < 2 || !takeShape(instruction, fragment)) return decoder.fail();
    const Type type = instruction.type();
    if (!isMultiplied(type) && type != Type::f32 && type != Type::s32) return decoder.fail();
    fragment.role = instruction.has("a") ? Role::a : instruction.has("b") ? Role::b : Role::c;
    fragment.perRegister = std::max(1u, 32 / bitsOf(type));
    const bool isColumnMajor = instruction.has("col");
    const Operand& memory = operands[isStore ? 0 : 1];
    const std::vector<Slot> slots = decoder.slots(operands[isStore ? 1 : 0], !isStore, type);
    if (slots.size() < fragment.registers()) return decoder.fail("a shape that is not known");
    const Slot base = decoder.address(memory);
    const Slot stride =
        operands.size() > 2
            ? decoder.source(operands[2], Type::u32)
            : decoder.constant(isColumnMajor ? fragment.rows() : fragment.columns(), false);
    // Elements of a register that lie beside one another in memory go together.
    const bool together = fragment.perRegister == 1 || isColumnMajor == (fragment.role == Role::b);
    const u32 pieces = together ? 1 : fragment.perRegister;
    const u32 bytes = bitsOf(type) / 8 * (fragment.perRegister / pieces);
    constexpr Type whole[] = {Type::b8, Type::b16, Type::b32, Type::b64};
    const Type piece = whole[std::countr_zero(bytes)];
    for (u32 reg = 0; reg < slots.size(); ++reg) {
        // What comes again is in a register already.
        if (reg >= fragment.registers()) {
            if (!isStore)
                decoder.emit({.run = apply<repeated, u32>,
                              .d = slots[reg],
                              .a = slots[reg % fragment.registers()]});
            continue;
        }
        Slot parts[4];
        for (u32 at = 0; at < pieces; ++at) {
            const Slot address = decoder.temporary(wideBytes);
            decoder.emit({.run = placeInMatrix, .d = address, .a = base, .b = stride}).more =
                decoder.keep(Placed{fragment, reg, at, isColumnMajor, bitsOf(type) / 8});
            parts[at] = pieces == 1 ? slots[reg] : decoder.temporary(narrowBytes);
            if (isStore && pieces > 1)
                decoder.emit({.run = apply<takePart, u32, u32>,
                              .d = parts[at],
                              .a = slots[reg],
                              .b = decoder.constant(at * bitsOf(type), false)});
            if (!emitAccess(decoder, isStore, piece, decoder.spaceOf(instruction), address,
                            memory.offset, parts[at]))
                return decoder.fail();
        }
        if (!isStore && pieces > 1)
            decoder.emit({.run = packWord,
                          .d = slots[reg],
                          .extra = {parts[0], parts[1], parts[2], parts[3]},
                          .mode = pieces,
                          .option = bitsOf(type)});
    }
    return true;
}

bool matrixInstruction(Decoder& decoder, const Instruction& instruction) {
    if (instruction.has("load")) return matrixAccess(decoder, instruction, false);
    if (instruction.has("store")) return matrixAccess(decoder, instruction, true);
    return productInstruction(decoder, instruction);
}

/// `ldmatrix` and `stmatrix`: eight lanes give the rows of each 8 x 8 matrix of 16 bits. extra: a
/// register of each; mode: how many; option 1: transposed, 2: it is stored.
const Step* moveMatrices(Warp& warp, const Step* step) {
    const u32 given = step->mode == 4 ? allLanes : (1u << (8 * step->mode)) - 1;
    const bool isStore = (step->option & 2u) != 0;
    const bool isTransposed = (step->option & 1u) != 0;
    takeAddresses(warp, step);
    for (u64& address : warp.addresses)
        if ((address & windowMask) == sharedWindow) address ^= sharedWindow;
    // Those of lanes that give no row are of nothing.
    for (u32 lane = 8 * step->mode; lane < lanesPerWarp; ++lane)
        warp.addresses[lane] = warp.addresses[0];
    const u32 active = std::exchange(warp.active, given & warp.active);
    alignas(64) u16 rows[lanesPerWarp][8] = {};
    const auto moveRows = [&] {
        forEachPlace(warp, step, step->site, warp.active, true, [&](u32 lane, std::byte* place) {
            std::memcpy(isStore ? static_cast<void*>(place) : rows[lane],
                        isStore ? static_cast<void*>(rows[lane]) : place, sizeof rows[lane]);
        });
    };
    if (!isStore) moveRows();
    for (u32 matrix = 0; matrix < step->mode; ++matrix) {
        u32* values = warp.value<u32>(step->extra[matrix]);
        for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
            for (u32 element = 0; element < 2; ++element) {
                u32 row = lane / 4;
                u32 column = lane % 4 * 2 + element;
                if (isTransposed) std::swap(row, column);
                u16& cell = rows[matrix * 8 + row][column];
                const u32 shift = 16 * element;
                if (isStore)
                    cell = u16(values[lane] >> shift);
                else
                    values[lane] = (values[lane] & ~(0xffffu << shift)) | u32{cell} << shift;
            }
        }
    }
    if (isStore) moveRows();
    warp.active = active;
    warp.hasChanged |= isStore;
    WARPLENS_GO(warp, step + 1);
}

bool matricesInstruction(Decoder& decoder, const Instruction& instruction) {
    const bool isStore = instruction.words[0] == "stmatrix";
    if (instruction.operands.size() != 2 || !instruction.has("m8n8") || !instruction.has("b16"))
        return decoder.fail();
    const Operand& memory = instruction.operands[isStore ? 0 : 1];
    const std::vector<Slot> slots =
        decoder.slots(instruction.operands[isStore ? 1 : 0], !isStore, Type::b32);
    if (slots.empty() || slots.size() > 4 || slots.size() == 3) return decoder.fail();
    Step step{.run = moveMatrices,
              .a = decoder.address(memory),
              .immediate = memory.offset,
              .mode = u32(slots.size()),
              .option = (instruction.has("trans") ? 1u : 0u) | (isStore ? 2u : 0u)};
    std::ranges::copy(slots, step.extra);
    step.site = decoder.addSite(isStore ? AccessKind::sharedStore : AccessKind::sharedLoad, 16);
    decoder.emit(step);
    return true;
}

const Step* transposeMatrix(Warp& warp, const Step* step) {
    alignas(64) u32 from[lanesPerWarp];
    std::copy_n(warp.value<u32>(step->a), lanesPerWarp, from);
    forLanes<u32>(warp, step->d, [&](u32 lane) {
        const auto element = [&](u32 row) {  // of what was, in this lane's column
            return from[row * 4 + lane / 8] >> (16 * (lane / 4 % 2)) & 0xffffu;
        };
        return element(lane % 4 * 2) | element(lane % 4 * 2 + 1) << 16;
    });
    WARPLENS_GO(warp, step + 1);
}

}  // namespace

void addMatrices(InstructionTable& table) {
    table.decode({"mma"}, productInstruction);
    table.decode({"wmma"}, matrixInstruction);
    table.decode({"ldmatrix", "stmatrix"}, matricesInstruction);
    table.set("movmatrix", InstructionTable::Form{"dA", transposeMatrix});
}

}  // namespace warplens::ptx
