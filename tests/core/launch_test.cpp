#include "core/launch/launch.h"

#include <gtest/gtest.h>

namespace warplens {
namespace {

std::string violationsOf(const Launch& launch) {
    return toString(validate(launch));
}
std::string violationsOfGrid(Extents grid) {
    return violationsOf({.grid = grid, .block = {}});
}
std::string violationsOfBlock(Extents block, std::uint32_t sharedBytes = 0) {
    return violationsOf({.grid = {}, .block = block, .dynamicSharedBytes = sharedBytes});
}

TEST(ValidateLaunch, AcceptsEveryLimitItself) {
    EXPECT_EQ(violationsOf({.grid = {2147483647u, 65535u, 65535u}, .block = {1024}}), "");
    EXPECT_EQ(violationsOfBlock({1, 1024}), "");
    EXPECT_EQ(violationsOfBlock({16, 1, 64}), "");
    EXPECT_EQ(violationsOfBlock({32, 32}, 49152), "");
}

TEST(ValidateLaunch, RefusesOneMoreThanEachLimit) {
    EXPECT_EQ(violationsOfGrid({2147483648u}), "grid x = 2147483648: at most 2147483647");
    EXPECT_EQ(violationsOfGrid({1, 65536}), "grid y = 65536: at most 65535");
    EXPECT_EQ(violationsOfGrid({1, 1, 65536}), "grid z = 65536: at most 65535");
    EXPECT_EQ(violationsOfBlock({1, 1, 65}), "block z = 65: at most 64");
    EXPECT_EQ(violationsOfBlock({33, 32}), "threads per block = 33,32 = 1056: at most 1024");
    EXPECT_EQ(violationsOfBlock({1, 1025}),
              "block y = 1025: at most 1024; threads per block = 1,1025 = 1025: at most 1024");
    EXPECT_EQ(violationsOfBlock({32}, 49153), "dynamic shared memory = 49153 bytes: at most 49152");
}

TEST(ValidateLaunch, RefusesEveryZero) {
    EXPECT_EQ(violationsOf({.grid = {0, 0, 0}, .block = {0, 0, 0}}),
              "grid x = 0: at least 1; grid y = 0: at least 1; grid z = 0: at least 1; "
              "block x = 0: at least 1; block y = 0: at least 1; block z = 0: at least 1");
}

TEST(ValidateLaunch, NamesEveryBrokenLimitAtOnce) {
    EXPECT_EQ(validate({.grid = {0, 65536, 1}, .block = {1024, 2, 65}}).size(), 4u);
}

TEST(LaunchSyntax, ReadsAsCuda) {
    EXPECT_EQ(toLaunchSyntax({.grid = {4}, .block = {256}}), "<<<4, 256>>>");
    EXPECT_EQ(toLaunchSyntax({.grid = {32, 32}, .block = {16, 16}}),
              "<<<dim3(32, 32), dim3(16, 16)>>>");
    EXPECT_EQ(toLaunchSyntax({.grid = {1, 1, 2}, .block = {8}, .dynamicSharedBytes = 64}),
              "<<<dim3(1, 1, 2), 8, 64>>>");
}

}  // namespace
}  // namespace warplens
