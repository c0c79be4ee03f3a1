#include "core/sweep/sweep.h"

#include "core/sweep/quantity.h"
#include "tests/fuzz/fuzz.h"

using namespace warplens;

namespace {

/// Everything that is worked out of a sweep as soon as it is opened.
void use(const Sweep& sweep) {
    (void)sweep.nextToMeasure();
    (void)sweep.nextToPredict();
    (void)tellingQuantities(sweep);
    for (const Quantity& quantity : quantitiesOf(sweep)) {
        for (const Series& series : seriesOf(sweep, quantity)) {
            for (const Series::Reading& reading : series.readings) {
                fuzz::promise(reading.point < sweep.points.size(), "a reading is of a point");
            }
        }
    }
    (void)modelInWords(sweep);
    for (const SweepPoint& point : sweep.points) (void)placeOn(sweep.plan.axis, point.experiment);
}

}  // namespace

/// The text as a sweep's file, digest and all, and the sweep alone, which the digest would keep the
/// fuzzer from.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    try {
        use(sweepFromText("fuzz", text).sweep);
    } catch (const MalformedJson& refusal) {
        fuzz::promise(std::string_view(refusal.what()).starts_with("fuzz: "),
                      "a refusal names the file");
    }
    try {
        const Sweep sweep = sweepFromJson(text);
        use(sweep);
        const std::string written = toSweepText(sweep);
        fuzz::promise(toSweepText(sweepFromText("fuzz", written).sweep) == written,
                      "a sweep reads back as it was written");
    } catch (const MalformedJson&) {
    }
    return 0;
}
