#include "core/kernel/formula.h"

#include <gtest/gtest.h>

namespace warplens {
namespace {

const std::vector<std::string> sizes{"n", "width"};

std::uint64_t valueOf(std::string_view text) {
    const FormulaPlace place{.launch = {.grid = {3, 2, 1}, .block = {8, 4, 1}},
                             .block = {2, 1, 0},
                             .thread = {5, 3, 0},
                             .element = 77};
    const Formula formula(text, sizes);
    const Arguments arguments{{"n", 100}, {"width", 7}};
    const std::uint64_t value = formula(arguments, place);
    EXPECT_EQ(formula.with(arguments)({}, place), value);
    return value;
}

TEST(Formula, knowsSizesAndThePlaceOfAThread) {
    EXPECT_EQ(valueOf("n"), 100u);
    EXPECT_EQ(valueOf("x"), 2u * 8 + 5);
    EXPECT_EQ(valueOf("y"), 1u * 4 + 3);
    EXPECT_EQ(valueOf("thread"), 3u * 8 + 5);
    EXPECT_EQ(valueOf("block"), 1u * 3 + 2);
    EXPECT_EQ(valueOf("threads"), 32u);
    EXPECT_EQ(valueOf("blocks"), 6u);
    EXPECT_EQ(valueOf("blockDim.x * gridDim.y"), 16u);
    EXPECT_EQ(valueOf("element % n"), 77u);
}

TEST(Formula, followsPrecedence) {
    EXPECT_EQ(valueOf("2 + 3 * 4"), 14u);
    EXPECT_EQ(valueOf("(2 + 3) * 4"), 20u);
    EXPECT_EQ(valueOf("100 - 10 - 1"), 89u);
    EXPECT_EQ(valueOf("100 / 7 / 2"), 7u);
    EXPECT_EQ(valueOf("1 + 1 < 3 and 4 <= 4 or 0"), 1u);
    EXPECT_EQ(valueOf("3 >= 4 or 4 > 4"), 0u);
    EXPECT_EQ(valueOf("3 >= 3 and 5 > 4 and 3 != 4 and 3 == 3"), 1u);
}

TEST(Formula, hasFunctions) {
    EXPECT_EQ(valueOf("ceil_div(n, width)"), 15u);
    EXPECT_EQ(valueOf("min(n, width) + max(1, 2)"), 9u);
    EXPECT_EQ(valueOf("is_power_of_two(64)"), 1u);
    EXPECT_EQ(valueOf("is_power_of_two(n)"), 0u);
}

TEST(Formula, dividesByZeroToZero) {
    EXPECT_EQ(valueOf("n / 0"), 0u);
    EXPECT_EQ(valueOf("n % 0"), 0u);
    EXPECT_EQ(valueOf("ceil_div(n, 0)"), 0u);
}

std::string formulaRefusal(std::string_view text) {
    try {
        (void)Formula(text, sizes);
    } catch (const MalformedFormula& malformed) {
        return std::to_string(malformed.at) + ": " + malformed.what();
    }
    return "none";
}

TEST(Formula, saysWhereItIsMalformed) {
    EXPECT_EQ(formulaRefusal("n * height"),
              "4: 'height' is no size of this kernel and no name of CUDA's");
    EXPECT_EQ(formulaRefusal("n *"), "3: expected a number, a name or (");
    EXPECT_EQ(formulaRefusal("(n"), "2: expected )");
    EXPECT_EQ(formulaRefusal("n n"), "2: expected an operator");
    EXPECT_EQ(formulaRefusal("min(n)"), "5: expected ,");
    EXPECT_EQ(formulaRefusal("99999999999999999999"), "19: the number is too large");
    EXPECT_NE(formulaRefusal(std::string(100, '(')).find("too deeply nested"), std::string::npos);
    std::string deep = "1";
    for (int i = 0; i < 20; ++i) deep = "1 + (" + deep + ')';
    EXPECT_NE(formulaRefusal(deep).find("too deeply nested"), std::string::npos);
}

}  // namespace
}  // namespace warplens
