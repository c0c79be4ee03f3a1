#include "core/launch/launch.h"
#include "core/launch/mapping.h"
#include "tests/fuzz/fuzz.h"

using namespace warplens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto parsed = parseExtents("block", fuzz::textOf(data, size));
    if (const auto* violation = std::get_if<LimitViolation>(&parsed)) {
        fuzz::promise(violation->name.starts_with("block") && !violation->limit.empty(),
                      "a refusal says of what, and what is allowed");
        return 0;
    }
    const Extents extents = std::get<Extents>(parsed);
    const auto again = parseExtents("block", toString(extents));
    fuzz::promise(std::holds_alternative<Extents>(again) && std::get<Extents>(again) == extents,
                  "extents read back as they are written");
    const Launch launch{.grid = extents, .block = extents};
    if (!validate(launch).empty()) return 0;
    fuzz::promise(extents.count() >= 1 && extents.count() <= 1024, "a legal block has threads");
    const ThreadRank last{static_cast<std::uint32_t>(extents.count() - 1)};
    fuzz::promise(threadRankInBlock(threadIndexInBlock(last, extents), extents) == last,
                  "the last thread is found again");
    return 0;
}
