#include <gtest/gtest.h>

#include "kernels/measure/scenario_launch.h"
#include "tests/support/refusal.h"

namespace warplens {
namespace {

TEST(MemoryLimit, acceptsWhatFitsToTheByteAndRefusesOneMore) {
    const Experiment e = complete({"matadd-coalesced", {}, {}, {{"n", 1024}}});
    constexpr std::uint64_t needed = 3u * 1024 * 1024 * 4;
    EXPECT_NO_THROW(requireMemory(e, needed, "a device"));
    const std::string why =
        tests::refusal<InvalidRequest>([&] { requireMemory(e, needed - 1, "a device"); });
    EXPECT_EQ(why,
              "memory of the arrays = 12,582,912 bytes (12.0 MiB): at most 12,582,911 bytes "
              "(12.0 MiB), free on a device");
}

}  // namespace
}  // namespace warplens
