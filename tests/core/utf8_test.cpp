#include <gtest/gtest.h>

#include "core/text/encoding.h"

namespace warplens {
namespace {

TEST(AsUtf8, LeavesTextAsItIs) {
    for (const char* text : {"", "plain", "größer → 😀", "\xf4\x8f\xbf\xbf", "\xee\x80\x80"}) {
        EXPECT_EQ(asUtf8(text, 100), text);
    }
    const std::string withZero("a\0b", 3);
    EXPECT_EQ(asUtf8(withZero, 100), withZero);
}

TEST(AsUtf8, PutsAReplacementForEachByteThatBelongsToNoCharacter) {
    const std::string mark = "\xef\xbf\xbd";
    EXPECT_EQ(asUtf8("a\xff\xfe z", 100), "a" + mark + mark + " z");
    EXPECT_EQ(asUtf8("\xe2\x82", 100), mark + mark) << "cut short";
    EXPECT_EQ(asUtf8("\xe2\x28\xa1", 100), mark + "(" + mark);
    EXPECT_EQ(asUtf8("\xc0\x80", 100), mark + mark) << "too long a form of 0";
    EXPECT_EQ(asUtf8("\xed\xa0\x80", 100), mark + mark + mark) << "half of a pair of UTF-16";
    EXPECT_EQ(asUtf8("\xf4\x90\x80\x80", 100), mark + mark + mark + mark) << "beyond U+10FFFF";
}

TEST(AsUtf8, EndsBetweenTwoCharacters) {
    EXPECT_EQ(asUtf8("größer", 3), "gr");
    EXPECT_EQ(asUtf8("größer", 4), "grö");
    EXPECT_EQ(asUtf8("\xff", 2), "");
    EXPECT_EQ(asUtf8("abc", 0), "");
}

}  // namespace
}  // namespace warplens
