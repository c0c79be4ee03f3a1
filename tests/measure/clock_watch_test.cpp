#include <gtest/gtest.h>

#include "kernels/measure/device/device_query.h"

namespace warplens {
namespace {

constexpr ClockWatch::Seen atFull{
    .smLowest = 1980, .smHighest = 1980, .smMost = 1980, .memory = 3201};

TEST(Clocks, AreFreeWhereNothingHoldsThem) {
    EXPECT_EQ(clockStateOf(atFull), ClockState::free);
    EXPECT_EQ(inWords(atFull),
              "SM 1980 MHz while timed, of at most 1980; memory 3201 MHz; not locked");
    ClockWatch::Seen moving = atFull;
    moving.smLowest = 1755;
    EXPECT_EQ(clockStateOf(moving), ClockState::free);
    EXPECT_EQ(inWords(moving).substr(0, 15), "SM 1755 to 1980");
}

TEST(Clocks, ThatStandStillBelowTheirHighestAreTakenForLocked) {
    ClockWatch::Seen still = atFull;
    still.smLowest = still.smHighest = 1500;
    EXPECT_EQ(clockStateOf(still), ClockState::locked);
    EXPECT_NE(inWords(still).find("most likely locked"), std::string::npos);
    still.reasons = 0x1;  // idle
    EXPECT_EQ(clockStateOf(still), ClockState::free);
}

TEST(Clocks, SetByApplicationClocksAreLocked) {
    ClockWatch::Seen set = atFull;
    set.reasons = 0x2;
    EXPECT_EQ(clockStateOf(set), ClockState::locked);
    set = atFull;
    set.applicationClocksSet = true;
    EXPECT_EQ(clockStateOf(set), ClockState::locked);
}

TEST(Clocks, SayWhatHoldsThemBack) {
    ClockWatch::Seen held = atFull;
    held.smLowest = held.smHighest = 1500;
    for (const auto& [reason, words] : {std::pair{0x4, "the power limit"},
                                        {0x20, "heat"},
                                        {0x40, "heat"},
                                        {0x80, "the power brake"},
                                        {0x10, "another GPU"},
                                        {0x8, "a hardware slowdown"}}) {
        held.reasons = static_cast<std::uint64_t>(reason);
        EXPECT_EQ(clockStateOf(held), ClockState::limited);
        EXPECT_NE(inWords(held).find(words), std::string::npos) << inWords(held);
    }
}

TEST(Clocks, AreUnknownWithoutADriver) {
    EXPECT_EQ(clockStateOf({}), ClockState::unknown);
    EXPECT_EQ(inWords(ClockWatch::Seen{}), "not readable");
}

}  // namespace
}  // namespace warplens
