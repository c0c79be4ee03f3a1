// Products of small matrices by a whole warp (PTX ISA, "Warp Level Matrix Multiply-Accumulate
// Instructions"): which lane holds which element is in the figures there; of `wmma` it is as on
// devices of compute capability 9.0.
#include <algorithm>
#include <cmath>

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
    /// Sums of `m8n32k16` are those of the product of both matrices turned, `m32n8k16`.
    [[nodiscard]] bool isTurned() const { return role == Role::c && m == 8 && n == 32; }
    /// Whether elements of a register lie below one another.
    [[nodiscard]] bool isAlongColumns() const { return role == Role::b || isTurned(); }
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
        if (isTurned()) return {within * 2 + index % 2, group + 8 * (index / 2)};
        if (m == 8) return {group, within * 2 + index % 2};
        const u32 row = group + 8 * (index % 4 / 2);
        const u32 column = within * 2 + index % 2;
        return m == 32 ? Place{row + 16 * (index / 4), column}
                       : Place{row, column + 8 * (index / 4)};
    }
};

constexpr u32 mostElements = 32 * 32;

constexpr u32 bitsOf(Type type) {
    if (type == Type::e4m3x2 || type == Type::e5m2x2) return 8;
    return 8 * bytesOf(type);
}
constexpr u32 perRegister(Type type) {
    return std::max(1u, 32 / bitsOf(type));
}

/// A matrix of a product.
struct Matrix final {
    Type type{};
    std::vector<Slot> slots{};  ///< its registers
    /// Where an element lies in it, row by row, by register, element of that, and lane.
    std::vector<u16> cells{};

    /// False where `fragment` and the registers are of no shape that has a figure: not all that
    /// lanes hold is in the matrix.
    bool place(const Fragment& fragment) {
        if (slots.size() < fragment.registers()) return false;
        for (u32 reg = 0; reg < slots.size(); ++reg) {
            for (u32 at = 0; at < lanesPerWarp * fragment.perRegister; ++at) {
                const auto [row, column] =
                    fragment.place(at % lanesPerWarp, reg, at / lanesPerWarp);
                if (row >= fragment.rows() || column >= fragment.columns()) return false;
                cells.push_back(u16(row * fragment.columns() + column));
            }
        }
        return true;
    }
};

/// What is multiplied and how.
struct Product final {
    u32 m = 0, n = 0, k = 0;
    Matrix a{}, b{}, c{}, d{};
    bool saturates = false;
};

/// An element's value by its bits; those above it are another's.
template <Type type, class Bits>
double numberOf(Bits bits) {
    if constexpr (type == Type::f16)
        return toFloat(Half{u16(bits)});
    else if constexpr (type == Type::bf16)
        return toFloat(Bfloat{u16(bits)});
    else if constexpr (type == Type::tf32)
        return std::bit_cast<float>(bits & 0xffffe000u);
    else if constexpr (type == Type::f32)
        return std::bit_cast<float>(bits);
    else if constexpr (type == Type::f64)
        return std::bit_cast<double>(bits);
    else if constexpr (type == Type::u8)
        return static_cast<double>(bits & 0xffu);
    else if constexpr (type == Type::s8)
        return s8(bits);
    else if constexpr (type == Type::s32)
        return s32(bits);
    else
        return fromSmallFloat(bits & 0xffu, type == Type::e4m3x2 ? 3 : 2);
}

template <Type type>
auto bitsOfNumber(double value, bool saturates) {
    if constexpr (type == Type::f16)
        return u32{toHalf(roundToOdd(value)).bits};
    else if constexpr (type == Type::f32)
        return std::bit_cast<u32>(static_cast<float>(value));
    else if constexpr (type == Type::f64)
        return std::bit_cast<u64>(value);
    else {
        const auto whole = s64(value);
        return u32(s32(saturates ? std::clamp<s64>(whole, INT32_MIN, INT32_MAX) : whole));
    }
}

/// `use.operator()<T>()` for the type of a matrix's elements; false for others.
template <Type... types, class Use>
bool withElements(Type type, Use use) {
    return ((type == types && (use.template operator()<types>(), true)) || ...);
}
bool isMultiplied(Type type, auto use) {
    return withElements<Type::f16, Type::bf16, Type::tf32, Type::f64, Type::u8, Type::s8,
                        Type::e4m3x2, Type::e5m2x2>(type, use);
}
bool isSummed(Type type, auto use) {
    return withElements<Type::f16, Type::f32, Type::f64, Type::s32>(type, use);
}
constexpr auto doNothing = []<Type>() {};

template <Type type>
using BitsOf = std::conditional_t<type == Type::f64, u64, u32>;

template <Type type>
void gather(const Warp& warp, const Matrix& matrix, double* to) {
    const u16* cells = matrix.cells.data();
    for (const Slot slot : matrix.slots) {
        const auto* values = warp.value<BitsOf<type>>(slot);
        for (u32 element = 0; element < perRegister(type); ++element, cells += lanesPerWarp) {
            for (u32 lane = 0; lane < lanesPerWarp; ++lane)
                to[cells[lane]] = numberOf<type>(values[lane] >> (element * bitsOf(type)));
        }
    }
}

template <Type type>
void scatter(Warp& warp, const Product& product, const double* from) {
    const u16* cells = product.d.cells.data();
    for (const Slot slot : product.d.slots) {
        auto* values = warp.value<BitsOf<type>>(slot);
        std::fill_n(values, lanesPerWarp, 0);
        for (u32 element = 0; element < perRegister(type); ++element, cells += lanesPerWarp) {
            for (u32 lane = 0; lane < lanesPerWarp; ++lane)
                values[lane] |= bitsOfNumber<type>(from[cells[lane]], product.saturates)
                                << (element * bitsOf(type));
        }
    }
}

/// Products of all but f64 are exact.
WARPLENS_CLONES void addProducts(const Product& product, const double* a, const double* b,
                                 double* c) {
    for (u32 row = 0; row < product.m; ++row, c += product.n) {
        for (u32 at = 0; at < product.k; ++at) {
            const double factor = *a++;
            const double* others = b + at * product.n;
            for (u32 column = 0; column < product.n; ++column) c[column] += factor * others[column];
        }
    }
}
void addRounded(const Product& product, const double* a, const double* b, double* c) {
    for (u32 row = 0; row < product.m; ++row, c += product.n) {
        for (u32 at = 0; at < product.k; ++at, ++a) {
            for (u32 column = 0; column < product.n; ++column)
                c[column] = std::fma(*a, b[at * product.n + column], c[column]);
        }
    }
}

/// Sums are exact but for their last rounding; of f64 each step is rounded.
const Step* multiply(Warp& warp, const Step* step) {
    const auto& product = *static_cast<const Product*>(step->more);
    static thread_local std::array<double, mostElements> a, b, c;
    isMultiplied(product.a.type, [&]<Type type>() { gather<type>(warp, product.a, a.data()); });
    isMultiplied(product.b.type, [&]<Type type>() { gather<type>(warp, product.b, b.data()); });
    isSummed(product.c.type, [&]<Type type>() { gather<type>(warp, product.c, c.data()); });
    (product.a.type == Type::f64 ? addRounded : addProducts)(product, a.data(), b.data(), c.data());
    isSummed(product.d.type, [&]<Type type>() { scatter<type>(warp, product, c.data()); });
    warp.budget -= product.k;  // takes as long as some jumps
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

bool emitProduct(Decoder& decoder, const Instruction& instruction, Product product) {
    const std::vector<Operand>& operands = instruction.operands;
    Fragment shape;
    if (operands.size() != 4 || !takeShape(instruction, shape)) return decoder.fail();
    for (const std::string_view word : instruction.words) {
        if (word.starts_with("sp") || word == "b1" || word == "s4" || word == "u4" ||
            word.starts_with("kind") || word == "xor" || word == "and")
            return decoder.fail("products of sparse matrices, of single bits and of four");
    }
    if (!isMultiplied(product.a.type, doNothing) || !isMultiplied(product.b.type, doNothing) ||
        !isSummed(product.c.type, doNothing) || !isSummed(product.d.type, doNothing))
        return decoder.fail();
    if (shape.m == 8 && shape.n == 8 && bitsOf(product.a.type) == 16)
        return decoder.fail("the products of compute capability 7.0");
    product.m = shape.m;
    product.n = shape.n;
    product.k = shape.k;
    const auto place = [&](Matrix& matrix, Role role, std::size_t operand) {
        shape.role = role;
        shape.perRegister = perRegister(matrix.type);
        matrix.slots = decoder.slots(operands[operand], operand == 0, matrix.type);
        return matrix.place(shape);
    };
    if (!place(product.d, Role::c, 0) || !place(product.a, Role::a, 1) ||
        !place(product.b, Role::b, 2) || !place(product.c, Role::c, 3))
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
                       {.a = {.type = isHalf ? Type::f16 : types[1]},
                        .b = {.type = isHalf ? Type::f16 : types[2]},
                        .c = {.type = types.back()},
                        .d = {.type = types[0]}});
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

/// `ldmatrix`, and what loads as it does.
void emitMatrices(Decoder& decoder, std::span<const Slot> slots, Slot address, s64 offset,
                  bool isStore, bool isTransposed) {
    Step step{.run = moveMatrices,
              .a = address,
              .immediate = offset,
              .mode = u32(slots.size()),
              .option = (isTransposed ? 1u : 0u) | (isStore ? 2u : 0u)};
    std::ranges::copy(slots, step.extra);
    step.site = decoder.addSite(isStore ? AccessKind::sharedStore : AccessKind::sharedLoad, 16);
    decoder.emit(step);
}

bool matricesInstruction(Decoder& decoder, const Instruction& instruction) {
    const bool isStore = instruction.words[0] == "stmatrix";
    if (instruction.operands.size() != 2 || !instruction.has("m8n8") || !instruction.has("b16"))
        return decoder.fail();
    const Operand& memory = instruction.operands[isStore ? 0 : 1];
    const std::vector<Slot> slots =
        decoder.slots(instruction.operands[isStore ? 1 : 0], !isStore, Type::b32);
    if (slots.empty() || slots.size() > 4 || slots.size() == 3) return decoder.fail();
    emitMatrices(decoder, slots, decoder.address(memory), memory.offset, isStore,
                 instruction.has("trans"));
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

/// Where a register of a fragment has its part of a matrix in memory.
struct Placed final {
    Fragment fragment;
    u32 reg = 0;
    /// Each lane's own element; or, of the 8 x 8 pairs of bytes of a register, a row's beginning by
    /// lanes as `ldmatrix` has them, or a row's word.
    enum class Part : u8 { element, row, word } part = Part::element;
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
        const bool isElement = placed.part == Placed::Part::element;
        const bool isWord = placed.part == Placed::Part::word;
        const u32 reg = placed.reg + (placed.part == Placed::Part::row ? lane / 8 : 0);
        auto [row, column] = placed.fragment.place(isElement ? lane : 0, reg, placed.element);
        if (!isElement) (placed.isColumnMajor ? column : row) += isWord ? lane / 4 : lane % 8;
        const u64 index = placed.isColumnMajor ? row + u64{column} * stride[lane]
                                               : column + u64{row} * stride[lane];
        result[lane] =
            base[lane] + index * placed.elementBytes + (isWord ? lane % 4 * sizeof(u32) : 0);
    }
    store(warp, step->d, result);
    WARPLENS_GO(warp, step + 1);
}
constexpr auto repeated = [](u32 a) { return a; };
constexpr auto takePart = [](u32 a, u32 shift) { return a >> shift; };

/// A `wmma.load` or `wmma.store`, made of the accesses that ptxas makes of it for 9.0.
struct MatrixAccess final {
    Decoder& decoder;
    const Instruction& instruction;
    bool isStore = false;
    Fragment fragment{};
    bool isColumnMajor = false;
    Type type{};
    std::vector<Slot> slots{};
    s64 offset = 0;
    Slot base = noSlot, stride = noSlot;

    Slot place(Placed::Part part, u32 reg, u32 element = 0) {
        const Slot address = decoder.temporary(wideBytes);
        decoder.emit({.run = placeInMatrix, .d = address, .a = base, .b = stride}).more =
            decoder.keep(Placed{fragment, reg, part, element, isColumnMajor, bitsOf(type) / 8});
        return address;
    }
    bool access(Type piece, Slot address, Slot value, Slot second = noSlot) {
        return emitAccess(decoder, isStore, piece, decoder.spaceOf(instruction), address, offset,
                          value, second);
    }
    /// Whole rows of 16 bytes: `LDSM`, or a word a lane, and turned (`MOVM`) where a lane's
    /// elements lie a row apart.
    bool rows(bool isTurned) {
        const bool isWhole =
            !isStore && fragment.role != Role::c && decoder.spaceOf(instruction) == Space::shared;
        const u32 halves = (fragment.role == Role::a ? fragment.m : fragment.n) / 32 + 1;
        const u32 each = isWhole ? fragment.registers() / halves : 1;
        for (u32 reg = 0; reg < fragment.registers(); reg += each) {
            if (isWhole) {
                emitMatrices(decoder, std::span(slots).subspan(reg, each),
                             place(Placed::Part::row, reg), offset, false, isTurned);
                continue;
            }
            const Slot address = place(Placed::Part::word, reg);
            const Slot value = isTurned ? decoder.temporary(narrowBytes) : slots[reg];
            const auto turn = [&](Slot to, Slot from) {
                decoder.emit({.run = transposeMatrix, .d = to, .a = from});
            };
            if (isTurned && isStore) turn(value, slots[reg]);
            if (!access(Type::b32, address, value)) return false;
            if (isTurned && !isStore) turn(slots[reg], value);
        }
        return true;
    }
    /// A register's elements one by one; `inPairs`: two registers at a time.
    bool elements(bool inPairs) {
        constexpr Type whole[] = {Type::b8, Type::b16, Type::b32, Type::b64};
        const Type piece = whole[std::countr_zero(bitsOf(type) / 8)];
        const u32 pieces = fragment.perRegister;
        for (u32 reg = 0; reg < fragment.registers(); reg += inPairs ? 2 : 1) {
            Slot parts[4];
            for (u32 at = 0; at < pieces; ++at) {
                const Slot address = place(Placed::Part::element, reg, at);
                parts[at] = pieces == 1 ? slots[reg] : decoder.temporary(narrowBytes);
                if (isStore && pieces > 1)
                    decoder.emit({.run = apply<takePart, u32, u32>,
                                  .d = parts[at],
                                  .a = slots[reg],
                                  .b = decoder.constant(at * bitsOf(type), false)});
                if (!access(piece, address, parts[at], inPairs ? slots[reg + 1] : noSlot))
                    return false;
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
};

/// `wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {...}, [p], stride`, and stores of d.
bool matrixAccess(Decoder& decoder, const Instruction& instruction, bool isStore) {
    const std::vector<Operand>& operands = instruction.operands;
    MatrixAccess moved{.decoder = decoder, .instruction = instruction, .isStore = isStore};
    Fragment& fragment = moved.fragment;
    if (operands.size() < 2 || !takeShape(instruction, fragment)) return decoder.fail();
    const Type type = moved.type = instruction.type();
    if (!isMultiplied(type, doNothing) && !isSummed(type, doNothing)) return decoder.fail();
    fragment.role = instruction.has("a") ? Role::a : instruction.has("b") ? Role::b : Role::c;
    fragment.perRegister = perRegister(type);
    moved.isColumnMajor = instruction.has("col");
    const Operand& memory = operands[isStore ? 0 : 1];
    moved.slots = decoder.slots(operands[isStore ? 1 : 0], !isStore, type);
    const u32 registers = fragment.registers();
    if (moved.slots.size() < registers) return decoder.fail("a shape that is not known");
    moved.base = decoder.address(memory);
    moved.offset = memory.offset;
    const u32 side = moved.isColumnMajor ? fragment.rows() : fragment.columns();
    moved.stride = operands.size() > 2 ? decoder.source(operands[2], Type::u32)
                                       : decoder.constant(side, false);
    const bool isTurned = moved.isColumnMajor != fragment.isAlongColumns();
    const bool isWide = fragment.perRegister == 1;
    if (!(!isWide && (!isTurned || bitsOf(type) == 16)
              ? moved.rows(isTurned)
              : moved.elements(isWide && fragment.role == Role::c && !isTurned)))
        return decoder.fail();
    // What comes again is in a register already.
    for (u32 reg = registers; !isStore && reg < moved.slots.size(); ++reg)
        decoder.emit({.run = apply<repeated, u32>,
                      .d = moved.slots[reg],
                      .a = moved.slots[reg % registers]});
    return true;
}

bool matrixInstruction(Decoder& decoder, const Instruction& instruction) {
    if (instruction.has("load")) return matrixAccess(decoder, instruction, false);
    if (instruction.has("store")) return matrixAccess(decoder, instruction, true);
    return productInstruction(decoder, instruction);
}

}  // namespace

void addMatrices(InstructionTable& table) {
    table.decode({"mma"}, productInstruction);
    table.decode({"wmma"}, matrixInstruction);
    table.decode({"ldmatrix", "stmatrix"}, matricesInstruction);
    table.set("movmatrix", InstructionTable::Form{"dA", transposeMatrix});
}

}  // namespace warplens::ptx
