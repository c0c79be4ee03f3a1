#include <gtest/gtest.h>

#include "core/text/format.h"

namespace warplens {
namespace {

TEST(Csv, QuotesWhatWouldEndAField) {
    EXPECT_EQ(toCsv({{"a", "b"}, {"1,5", "say \"x\""}, {"two\nlines", ""}}),
              "a,b\n\"1,5\",\"say \"\"x\"\"\"\n\"two\nlines\",\n");
}

TEST(Markdown, HasOneRowForEachAndKeepsBarsInTheirFields) {
    EXPECT_EQ(toMarkdown({{"a", "b"}, {"x|y", "two\nlines"}, {"short"}}),
              "| a | b |\n| --- | --- |\n| x\\|y | two lines |\n| short |  |\n");
    EXPECT_EQ(toMarkdown({}), "");
}

}  // namespace
}  // namespace warplens
