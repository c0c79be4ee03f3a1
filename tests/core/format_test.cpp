#include "core/text/format.h"

#include <gtest/gtest.h>

#include "core/measurement/measurement.h"
#include "core/text/encoding.h"

namespace warplens {
namespace {

TEST(GroupedDigits, SetsACommaBeforeEveryThirdDigit) {
    EXPECT_EQ(groupedDigits(0), "0");
    EXPECT_EQ(groupedDigits(999), "999");
    EXPECT_EQ(groupedDigits(1000), "1,000");
    EXPECT_EQ(groupedDigits(UINT64_MAX), "18,446,744,073,709,551,615");
    EXPECT_EQ(groupedCount(UINT64_MAX), "2^64 or more") << "where counts stop";
    EXPECT_EQ(groupedCount(UINT64_MAX - 1), "18,446,744,073,709,551,614");
}

TEST(ReadNumber, TakesTheDecimalNumberThatTheTextBeginsWith) {
    EXPECT_EQ(readNumber("1.5e3x")->value, 1500);
    EXPECT_EQ(readNumber("1.5e3x")->rest, "x");
    EXPECT_EQ(readNumber("-.5")->value, -0.5);
    EXPECT_EQ(readNumber("2e").value().rest, "e");
    for (const char* none : {"", " 1", "+1", "e1", "nan", "inf", "x", "1e999"}) {
        EXPECT_FALSE(readNumber(none)) << none;
    }
    EXPECT_EQ(readNumber("0x10")->value, 0);
}

TEST(FormatNumber, ChoosesThePrefixThatLeavesThreeDigits) {
    EXPECT_EQ(formatNumber(4.24e12, Unit::bytesPerSecond), "4.24 TB/s");
    EXPECT_EQ(formatNumber(2.9e-6, Unit::seconds), "2.90 µs");
    EXPECT_EQ(formatNumber(0.0123, Unit::seconds), "12.3 ms");
    EXPECT_EQ(formatNumber(999.9e9, Unit::bytesPerSecond), "1.00 TB/s");
    EXPECT_EQ(formatNumber(0, Unit::bytesPerSecond), "0.00 B/s");
}

TEST(FormatNumber, DoesNotRoundAlmostAllToAll) {
    EXPECT_EQ(formatNumber(99.96, Unit::percent), "99.96 %");
    EXPECT_EQ(formatNumber(100, Unit::percent), "100.0 %");
    EXPECT_EQ(formatNumber(25, Unit::percent), "25.0 %");
}

TEST(FormatNumber, DoesNotRoundAlmostNothingToNothing) {
    EXPECT_EQ(formatNumber(0.0234, Unit::percent), "0.023 %");
    EXPECT_EQ(formatNumber(0.5, Unit::percent), "0.50 %");
    EXPECT_EQ(formatNumber(0.0018, Unit::percent), "0.0018 %");
    EXPECT_EQ(formatNumber(1, Unit::percent), "1.0 %");
    EXPECT_EQ(formatNumber(0, Unit::percent), "0.0 %");
    EXPECT_EQ(formatNumber(99.9996, Unit::percent), "99.9996 %");
}

TEST(FormatNumber, WritesCountsWhole) {
    EXPECT_EQ(formatNumber(5628e6, Unit::sectors), "5,628,000,000 sectors");
    EXPECT_EQ(formatNumber(8192, Unit::count), "8,192");
}

TEST(FormatValue, GivesTheReasonWhereThereIsNoNumber) {
    EXPECT_EQ(
        formatValue({Metric::time, "kernel", Source::timed, Variant::none, Unavailable{"no GPU"}}),
        "no GPU");
}

TEST(FormatBytes, CountsInPowersOfTwo) {
    EXPECT_EQ(formatBytes(512), "512 B");
    EXPECT_EQ(formatBytes(60u << 20), "60.0 MiB");
}

TEST(SanitizedText, TextIsFreeOfWhatATerminalWouldObey) {
    EXPECT_EQ(sanitized("plain, \u00e9, \u00d7\nand two lines"),
              "plain, \u00e9, \u00d7\nand two lines");
    EXPECT_EQ(sanitized("\x1b]0;title\x07 \r\t\x7f" + std::string(1, '\0')), " ]0;title   \t  ");
}

TEST(SanitizedText, TextHasNoControlInUtf8AndNothingThatTurnsItsDirection) {
    EXPECT_EQ(sanitized("\u009b31m\u0080\u009f, \u00a0\u00e9"), " 31m  , \u00a0\u00e9");
    for (const char* turning :
         {"\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069"}) {
        EXPECT_EQ(sanitized(std::string("a") + turning + "b"), "a\ufffdb");
    }
    EXPECT_EQ(sanitized("\u200d\u2010\u2029\u202f\u2065\u206a\u061b"),
              "\u200d\u2010\u2029\u202f\u2065\u206a\u061b");
    EXPECT_EQ(sanitized("\x9b"
                        "5m"),
              "\ufffd5m");
    EXPECT_EQ(sanitizedWhole(std::string(5000, 'x') + '\x1b').size(), 5001u);
    EXPECT_EQ(sanitizedLine("a\nb\tc\x1b"), "a b c ");
}

TEST(SanitizedText, JsonMeansTheSame) {
    EXPECT_EQ(sanitizedJson("{\n\"a\": \"\u009b\u202e\u061c\x7f\u00e9\"}"),
              "{\n\"a\": \"\\u009b\\u202e\\u061c\\u007f\u00e9\"}");
}

TEST(SanitizedText, TextIsCutBetweenTwoCharacters) {
    EXPECT_EQ(sanitized("123456", 6), "123456");
    EXPECT_EQ(sanitized("1234567", 6), "123...");
    EXPECT_EQ(sanitized("12\u00e94567", 6), "12...");
    EXPECT_EQ(sanitized(std::string(5000, 'x')).size(), 4000u);
    EXPECT_EQ(sanitized(sanitized(std::string(5000, 'x'))), sanitized(std::string(5000, 'x')));
}

TEST(Counted, NamesOneThingAndSeveral) {
    EXPECT_EQ(counted(0, "block"), "0 blocks");
    EXPECT_EQ(counted(1, "block"), "1 block");
    EXPECT_EQ(counted(1024, "block"), "1,024 blocks");
    EXPECT_EQ(formatNumber(1, Unit::requests), "1 request");
    EXPECT_EQ(formatNumber(2, Unit::sectors), "2 sectors");
    EXPECT_EQ(formatNumber(1, Unit::count), "1");
}

TEST(PlainNumber, IsShortWhateverItsSize) {
    EXPECT_EQ(plainNumber(1e308), "1e+308");
    EXPECT_EQ(plainNumber(0.25), "0.25");
    EXPECT_EQ(plainNumber(-16384), "-16384");
}

}  // namespace
}  // namespace warplens
