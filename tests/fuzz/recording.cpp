#include "core/measurement/recording.h"

#include "core/json/json.h"
#include "core/schedule/schedule.h"
#include "tests/fuzz/fuzz.h"

using namespace warplens;

namespace {

/// Everything that is worked out of a measurement as soon as it is opened.
void use(const Measurement& measurement) {
    if (!measurement.schedule) return;
    (void)inWords(*measurement.schedule);
    (void)warpsInWords(*measurement.schedule);
}

}  // namespace

/// The text as a recording, digest and all, and its measurement alone, which the digest would keep
/// the fuzzer from.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    try {
        use(recordingFromText("fuzz", text).measurement);
    } catch (const MalformedJson&) {
    }
    try {
        const Measurement measurement = fromJson<Measurement>(text);
        use(measurement);
        const std::string written = toRecordingText(measurement);
        fuzz::promise(toRecordingText(recordingFromText("fuzz", written).measurement) == written,
                      "a recording reads back as it was written");
    } catch (const MalformedJson&) {
    }
    return 0;
}
