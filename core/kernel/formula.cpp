#include "core/kernel/formula.h"

#include <algorithm>
#include <bit>
#include <cctype>

#include "core/launch/mapping.h"

namespace warplens {
namespace {

auto find(auto& entries, std::string_view name) {
    return std::find_if(entries.begin(), entries.end(),
                        [&](const Arguments::Entry& entry) { return entry.first == name; });
}

using Number = std::uint64_t;
using Place = FormulaPlace;

/// A name that every formula may use.
struct Builtin final {
    std::string_view name;
    Number (*at)(const Place& place);
};
constexpr std::array<Builtin, 20> builtins{{
    {"threadIdx.x", [](const Place& p) -> Number { return p.thread.x; }},
    {"threadIdx.y", [](const Place& p) -> Number { return p.thread.y; }},
    {"threadIdx.z", [](const Place& p) -> Number { return p.thread.z; }},
    {"blockIdx.x", [](const Place& p) -> Number { return p.block.x; }},
    {"blockIdx.y", [](const Place& p) -> Number { return p.block.y; }},
    {"blockIdx.z", [](const Place& p) -> Number { return p.block.z; }},
    {"blockDim.x", [](const Place& p) -> Number { return p.launch.block.x; }},
    {"blockDim.y", [](const Place& p) -> Number { return p.launch.block.y; }},
    {"blockDim.z", [](const Place& p) -> Number { return p.launch.block.z; }},
    {"gridDim.x", [](const Place& p) -> Number { return p.launch.grid.x; }},
    {"gridDim.y", [](const Place& p) -> Number { return p.launch.grid.y; }},
    {"gridDim.z", [](const Place& p) -> Number { return p.launch.grid.z; }},
    {"x", [](const Place& p) { return Number{p.block.x} * p.launch.block.x + p.thread.x; }},
    {"y", [](const Place& p) { return Number{p.block.y} * p.launch.block.y + p.thread.y; }},
    {"z", [](const Place& p) { return Number{p.block.z} * p.launch.block.z + p.thread.z; }},
    {"thread",
     [](const Place& p) -> Number { return threadRankInBlock(p.thread, p.launch.block).value; }},
    {"block", [](const Place& p) { return blockRankInGrid(p.block, p.launch.grid); }},
    {"threads", [](const Place& p) { return p.launch.block.count(); }},
    {"blocks", [](const Place& p) { return p.launch.grid.count(); }},
    {"element", [](const Place& p) { return p.element; }},
}};

/// From 0 to just below `below`: the high half of a product with the mixed low half of `a` (the
/// finaliser of MurmurHash3).
Number randomBelow(Number a, Number below) {
    auto h = static_cast<std::uint32_t>(a) + 0x9e3779b9u;
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    return h * (below & 0xffffffff) >> 32;
}

struct Operator final {
    std::string_view sign;
    int level;  ///< the weakest is 0
    Number (*of)(Number a, Number b);
};
constexpr int comparisons = 2;
constexpr int levels = 5;
/// A sign that another one begins with stands behind it.
constexpr std::array<Operator, 13> operators{{
    {"or", 0, [](Number a, Number b) -> Number { return a != 0 || b != 0; }},
    {"and", 1, [](Number a, Number b) -> Number { return a != 0 && b != 0; }},
    {"<=", comparisons, [](Number a, Number b) -> Number { return a <= b; }},
    {"<", comparisons, [](Number a, Number b) -> Number { return a < b; }},
    {">=", comparisons, [](Number a, Number b) -> Number { return a >= b; }},
    {">", comparisons, [](Number a, Number b) -> Number { return a > b; }},
    {"==", comparisons, [](Number a, Number b) -> Number { return a == b; }},
    {"!=", comparisons, [](Number a, Number b) -> Number { return a != b; }},
    {"+", 3, [](Number a, Number b) { return a + b; }},
    {"-", 3, [](Number a, Number b) { return a - b; }},
    {"*", 4, [](Number a, Number b) { return a * b; }},
    {"/", 4, [](Number a, Number b) { return b == 0 ? 0 : a / b; }},
    {"%", 4, [](Number a, Number b) { return b == 0 ? 0 : a % b; }},
}};
struct Function final {
    std::string_view name;
    int operands;
    Number (*of)(Number a, Number b);
};
/// Those of one operand leave the second out.
constexpr std::array<Function, 5> functions{{
    {"min", 2, [](Number a, Number b) { return std::min(a, b); }},
    {"max", 2, [](Number a, Number b) { return std::max(a, b); }},
    {"ceil_div", 2, [](Number a, Number b) { return b == 0 ? 0 : a / b + (a % b != 0 ? 1 : 0); }},
    {"random", 2, randomBelow},
    {"is_power_of_two", 1, [](Number a, Number) -> Number { return std::has_single_bit(a); }},
}};

}  // namespace

std::int64_t Arguments::at(std::string_view name) const {
    const auto found = find(entries_, name);
    if (found == entries_.end()) throw std::out_of_range("no argument " + std::string(name));
    return found->second;
}

bool Arguments::contains(std::string_view name) const {
    return find(entries_, name) != entries_.end();
}

void Arguments::set(std::string_view name, std::int64_t value) {
    const auto found = find(entries_, name);
    if (found == entries_.end()) {
        entries_.emplace_back(name, value);
    } else {
        found->second = value;
    }
}

std::string toString(const Arguments& arguments) {
    std::string text;
    for (const auto& [name, value] : arguments.entries()) {
        text += (text.empty() ? "" : " ") + name + '=' + std::to_string(value);
    }
    return text;
}

/// Precedence climbing.
class FormulaParser final {
  public:
    FormulaParser(Formula& formula, std::string_view text) : formula_(formula), text_(text) {}

    void parse() {
        expression(0);
        skipBlanks();
        if (at_ != text_.size()) fail("expected an operator");
        std::size_t depth = 0;
        for (const Formula::Step& step : formula_.steps_) {
            depth = step.what == Do::operation ? depth - 1 : depth + 1;
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
    void push(Do what, Number operand) { formula_.steps_.push_back({what, operand}); }
    void apply(Number (*of)(Number, Number)) { formula_.steps_.push_back({Do::operation, 0, of}); }

    const Operator* takeOperator(int level) {
        for (const Operator& each : operators) {
            if (each.level == level && take(each.sign)) return &each;
        }
        return nullptr;
    }
    /// Operators of one level are taken from the left; of comparisons there is one.
    void expression(int level) {
        if (level == levels) return operand();
        expression(level + 1);
        while (const Operator* const found = takeOperator(level)) {
            expression(level + 1);
            apply(found->of);
            if (level == comparisons) return;
        }
    }
    void operand() {
        if (++nesting_ > 64) fail("too deeply nested");
        skipBlanks();
        if (take("(")) {
            expression(0);
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
        Number value = 0;
        while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
            if (value > UINT64_MAX / 10 - 10) fail("the number is too large");
            value = value * 10 + static_cast<std::uint64_t>(text_[at_++] - '0');
        }
        push(Do::number, value);
    }
    void named() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && isPartOfName(text_[at_])) ++at_;
        const std::string_view name = text_.substr(begin, at_ - begin);
        if (name.empty()) fail("expected a number, a name or (");
        if (const auto* f = std::ranges::find(functions, name, &Function::name);
            f != functions.end()) {
            if (!take("(")) fail("expected (");
            expression(0);
            if (f->operands == 1) push(Do::number, 0);
            for (int i = 1; i < f->operands; ++i) {
                if (!take(",")) fail("expected ,");
                expression(0);
            }
            if (!take(")")) fail("expected )");
            return apply(f->of);
        }
        if (const auto size = std::ranges::find(formula_.sizes_, name);
            size != formula_.sizes_.end()) {
            return push(Do::size, static_cast<std::uint64_t>(size - formula_.sizes_.begin()));
        }
        const auto* builtin = std::ranges::find(builtins, name, &Builtin::name);
        if (builtin == builtins.end()) {
            at_ = begin;
            fail("'" + std::string(name) + "' is no size of this kernel and no name of CUDA's");
        }
        push(Do::builtin, static_cast<std::uint64_t>(builtin - builtins.begin()));
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
    std::array<Number, mostDepth> stack;
    std::size_t depth = 0;
    for (const Step& step : steps_) {
        if (step.what == Do::operation) {
            --depth;
            stack[depth - 1] = step.of(stack[depth - 1], stack[depth]);
        } else if (step.what == Do::number) {
            stack[depth++] = step.operand;
        } else if (step.what == Do::builtin) {
            stack[depth++] = builtins[step.operand].at(place);
        } else {
            stack[depth++] = static_cast<Number>(arguments.at(sizes_[step.operand]));
        }
    }
    return depth == 0 ? 0 : stack[0];
}

Formula Formula::with(const Arguments& arguments) const {
    Formula bound = *this;
    for (Step& step : bound.steps_) {
        if (step.what != Do::size) continue;
        step = {Do::number, static_cast<Number>(arguments.at(sizes_[step.operand]))};
    }
    return bound;
}

Extents ExtentsFormula::operator()(const Arguments& arguments) const {
    const auto extent = [&](std::size_t axis) {
        return axis < along.size() ? static_cast<std::uint32_t>(along[axis](arguments)) : 1u;
    };
    return {extent(0), extent(1), extent(2)};
}

}  // namespace warplens
