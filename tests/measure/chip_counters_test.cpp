#include "kernels/measure/counters/chip_counters.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "kernels/measure/counters/cupti_library.h"
#include "tests/support/refusal.h"

namespace warplens {
namespace {

/// Chips below compute capability 7.5, which CUPTI still names but does not profile.
bool tooOld(const std::string& chip) {
    return chip.starts_with("GV");
}

/// Chips that share the system's memory.
bool integrated(const std::string& chip) {
    return chip == "GA10B" || chip == "GB10B" || chip == "GB20B";
}

std::vector<std::string> supportedChips(const CuptiLibrary& cupti) {
    auto params = WARPLENS_CUPTI_PARAMS(CUpti_Profiler_Host_GetSupportedChips_Params);
    cupti.check(cupti.hostGetSupportedChips(&params), "cuptiProfilerHostGetSupportedChips");
    return {params.ppChipNames, params.ppChipNames + params.numChips};
}

class ChipCountersTest : public testing::Test {
  protected:
    void SetUp() override {
        try {
            cupti_ = &CuptiLibrary::open();
        } catch (const CountersUnavailable& error) {
            GTEST_SKIP() << "no CUPTI here: " << error.what();
        }
    }
    const CuptiLibrary* cupti_ = nullptr;
};

TEST_F(ChipCountersTest, everyChipFromTuringOnCountsEveryQuantity) {
    int tried = 0;
    for (const std::string& chip : supportedChips(*cupti_)) {
        if (tooOld(chip)) continue;
        const ChipCounters counters(*cupti_, chip);
        for (const CounterRow& row : counterTable()) {
            const bool known = std::ranges::count(counters.counters(), row.counter) == 1;
            const bool expected = row.counter != Counter::dramBytes || !integrated(chip);
            EXPECT_EQ(known, expected) << chip << ' ' << row.names.front();
        }
        EXPECT_GE(counters.passes(), 1) << chip;
        EXPECT_LE(counters.passes(), 6) << chip;
        ++tried;
    }
    EXPECT_GE(tried, 25);
}

TEST_F(ChipCountersTest, anUnknownChipIsRefusedWithItsReason) {
    const std::string why =
        tests::refusal<CountersUnavailable>([&] { const ChipCounters counters(*cupti_, "gh100"); });
    EXPECT_NE(why.find("does not know this GPU"), std::string::npos);
}

TEST(CounterTable, isInTheOrderOfItsEnumeration) {
    for (std::size_t i = 0; i < counterCount; ++i) {
        EXPECT_EQ(static_cast<std::size_t>(counterTable()[i].counter), i);
    }
}

TEST(CuptiErrors, lockedCountersNameTheRemedy) {
    const std::string text = explain(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "name");
    EXPECT_NE(text.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos);
    const std::string busy = explain(CUPTI_ERROR_HARDWARE_BUSY, "name");
    EXPECT_NE(busy.find("dcgmi profile --pause"), std::string::npos);
}

}  // namespace
}  // namespace warplens
