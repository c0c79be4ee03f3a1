#include "core/library/formula.h"

#include <algorithm>
#include <bit>
#include <cctype>

#include "core/launch/mapping.h"

namespace warplens {
namespace {

constexpr std::array<std::string_view, 20> builtins{
    "threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x", "blockIdx.y",
    "blockIdx.z",  "blockDim.x",  "blockDim.y",  "blockDim.z", "gridDim.x",
    "gridDim.y",   "gridDim.z",   "x",           "y",          "z",
    "thread",      "block",       "threads",     "blocks",     "element"};

std::uint64_t builtinAt(std::uint64_t which, const FormulaPlace& p) {
    const auto& [grid, block, shared] = p.launch;
    switch (which) {
        case 0:
            return p.thread.x;
        case 1:
            return p.thread.y;
        case 2:
            return p.thread.z;
        case 3:
            return p.block.x;
        case 4:
            return p.block.y;
        case 5:
            return p.block.z;
        case 6:
            return block.x;
        case 7:
            return block.y;
        case 8:
            return block.z;
        case 9:
            return grid.x;
        case 10:
            return grid.y;
        case 11:
            return grid.z;
        case 12:
            return std::uint64_t{p.block.x} * block.x + p.thread.x;
        case 13:
            return std::uint64_t{p.block.y} * block.y + p.thread.y;
        case 14:
            return std::uint64_t{p.block.z} * block.z + p.thread.z;
        case 15:
            return threadRankInBlock(p.thread, block).value;
        case 16:
            return blockRankInGrid(p.block, grid);
        case 17:
            return block.count();
        case 18:
            return grid.count();
        default:
            return p.element;
    }
}

/// From 0 to just below `below`: the high half of a product with the mixed low half of `a` (the
/// finaliser of MurmurHash3).
std::uint64_t randomBelow(std::uint64_t a, std::uint64_t below) {
    auto h = static_cast<std::uint32_t>(a) + 0x9e3779b9u;
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    return h * (below & 0xffffffff) >> 32;
}

}  // namespace

/// Precedence climbing, weakest first: or, and, comparisons, sums, products.
class FormulaParser final {
  public:
    FormulaParser(Formula& formula, std::string_view text) : formula_(formula), text_(text) {}

    void parse() {
        either();
        skipBlanks();
        if (at_ != text_.size()) fail("expected an operator");
        std::size_t depth = 0;
        for (const Formula::Step& step : formula_.steps_) {
            if (step.what <= Do::size) {
                ++depth;
            } else if (step.what != Do::isPowerOfTwo) {
                --depth;
            }
            if (depth > Formula::mostDepth) fail("too deeply nested");
        }
    }

  private:
    using Do = Formula::Do;

    [[noreturn]] void fail(const std::string& words) const { throw MalformedFormula(at_, words); }
    void skipBlanks() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }
    bool take(std::string_view sign) {
        skipBlanks();
        if (!text_.substr(at_).starts_with(sign)) return false;
        const bool isWord = std::isalpha(static_cast<unsigned char>(sign.front())) != 0;
        const std::size_t end = at_ + sign.size();
        if (isWord && end < text_.size() && isPartOfName(text_[end])) return false;
        at_ = end;
        return true;
    }
    static bool isPartOfName(char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    }
    void emit(Do what, std::uint64_t operand = 0) { formula_.steps_.push_back({what, operand}); }

    void either() {
        for (both(); take("or"); emit(Do::either)) both();
    }
    void both() {
        for (comparison(); take("and"); emit(Do::both)) comparison();
    }
    void comparison() {
        sum();
        if (take("<=")) {
            sum();
            emit(Do::lessOrEqual);
        } else if (take("<")) {
            sum();
            emit(Do::less);
        } else if (take("==")) {
            sum();
            emit(Do::equal);
        } else if (take("!=")) {
            sum();
            emit(Do::unequal);
        } else if (take(">=")) {
            sum();
            emit(Do::less);
            negate();
        } else if (take(">")) {
            sum();
            emit(Do::lessOrEqual);
            negate();
        }
    }
    void negate() {
        emit(Do::number, 0);
        emit(Do::equal);
    }
    void sum() {
        product();
        for (;;) {
            if (take("+")) {
                product();
                emit(Do::add);
            } else if (take("-")) {
                product();
                emit(Do::subtract);
            } else {
                return;
            }
        }
    }
    void product() {
        operand();
        for (;;) {
            if (take("*")) {
                operand();
                emit(Do::multiply);
            } else if (take("/")) {
                operand();
                emit(Do::divide);
            } else if (take("%")) {
                operand();
                emit(Do::remainder);
            } else {
                return;
            }
        }
    }
    void operand() {
        if (++nesting_ > 64) fail("too deeply nested");
        skipBlanks();
        if (take("(")) {
            either();
            if (!take(")")) fail("expected )");
        } else if (at_ < text_.size() &&
                   std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
            number();
        } else {
            named();
        }
        --nesting_;
    }
    void number() {
        std::uint64_t value = 0;
        while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
            if (value > UINT64_MAX / 10 - 10) fail("the number is too large");
            value = value * 10 + static_cast<std::uint64_t>(text_[at_++] - '0');
        }
        emit(Do::number, value);
    }
    void named() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && isPartOfName(text_[at_])) ++at_;
        const std::string_view name = text_.substr(begin, at_ - begin);
        if (name.empty()) fail("expected a number, a name or (");
        struct Function final {
            std::string_view name;
            int operands;
            Do what;
        };
        static constexpr std::array<Function, 5> functions{
            {{"min", 2, Do::least},
             {"max", 2, Do::greatest},
             {"ceil_div", 2, Do::ceilingDivision},
             {"random", 2, Do::random},
             {"is_power_of_two", 1, Do::isPowerOfTwo}}};
        if (const auto* f = std::ranges::find(functions, name, &Function::name);
            f != functions.end()) {
            if (!take("(")) fail("expected (");
            either();
            for (int i = 1; i < f->operands; ++i) {
                if (!take(",")) fail("expected ,");
                either();
            }
            if (!take(")")) fail("expected )");
            return emit(f->what);
        }
        if (const auto size = std::ranges::find(formula_.sizes_, name);
            size != formula_.sizes_.end()) {
            return emit(Do::size, static_cast<std::uint64_t>(size - formula_.sizes_.begin()));
        }
        const auto* builtin = std::ranges::find(builtins, name);
        if (builtin == builtins.end()) {
            at_ = begin;
            fail("'" + std::string(name) + "' is no size of this kernel and no name of CUDA's");
        }
        emit(Do::builtin, static_cast<std::uint64_t>(builtin - builtins.begin()));
    }

    Formula& formula_;
    std::string_view text_;
    std::size_t at_ = 0;
    int nesting_ = 0;
};

Formula::Formula(std::string_view text, std::span<const std::string> sizes)
    : text_(text), sizes_(sizes.begin(), sizes.end()) {
    FormulaParser(*this, text).parse();
}

std::uint64_t Formula::operator()(const Arguments& arguments, const FormulaPlace& place) const {
    std::array<std::uint64_t, mostDepth + 1> stack;
    std::size_t depth = 0;
    for (const Step& step : steps_) {
        if (step.what <= Do::size) {
            stack[depth++] = step.what == Do::number ? step.operand
                             : step.what == Do::builtin
                                 ? builtinAt(step.operand, place)
                                 : static_cast<std::uint64_t>(arguments.at(sizes_[step.operand]));
            continue;
        }
        if (step.what == Do::isPowerOfTwo) {
            stack[depth - 1] = std::has_single_bit(stack[depth - 1]) ? 1 : 0;
            continue;
        }
        const std::uint64_t b = stack[--depth];
        std::uint64_t& a = stack[depth - 1];
        switch (step.what) {
            case Do::add:
                a += b;
                break;
            case Do::subtract:
                a -= b;
                break;
            case Do::multiply:
                a *= b;
                break;
            case Do::divide:
                a = b == 0 ? 0 : a / b;
                break;
            case Do::remainder:
                a = b == 0 ? 0 : a % b;
                break;
            case Do::less:
                a = a < b ? 1 : 0;
                break;
            case Do::lessOrEqual:
                a = a <= b ? 1 : 0;
                break;
            case Do::equal:
                a = a == b ? 1 : 0;
                break;
            case Do::unequal:
                a = a != b ? 1 : 0;
                break;
            case Do::both:
                a = a != 0 && b != 0 ? 1 : 0;
                break;
            case Do::either:
                a = a != 0 || b != 0 ? 1 : 0;
                break;
            case Do::least:
                a = std::min(a, b);
                break;
            case Do::greatest:
                a = std::max(a, b);
                break;
            case Do::random:
                a = randomBelow(a, b);
                break;
            default:
                a = b == 0 ? 0 : a / b + (a % b != 0 ? 1 : 0);
        }
    }
    return depth == 0 ? 0 : stack[0];
}

Formula Formula::with(const Arguments& arguments) const {
    Formula bound = *this;
    for (Step& step : bound.steps_) {
        if (step.what != Do::size) continue;
        step = {Do::number, static_cast<std::uint64_t>(arguments.at(sizes_[step.operand]))};
    }
    return bound;
}

bool Formula::names(std::string_view builtin) const {
    const auto which =
        static_cast<std::uint64_t>(std::ranges::find(builtins, builtin) - builtins.begin());
    return std::ranges::any_of(steps_, [&](const Step& step) {
        return step.what == Do::builtin && step.operand == which;
    });
}

}  // namespace warplens
