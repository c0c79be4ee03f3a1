#include "core/json/json.h"
#include "core/measurement/worker_protocol.h"
#include "tests/fuzz/fuzz.h"

using namespace warplens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const WorkerEvent event = eventFromJsonLine(fuzz::textOf(data, size));
        const std::string line = toJsonLine(event);
        fuzz::promise(line.find('\n') == std::string::npos, "an event is one line");
        fuzz::promise(toJsonLine(eventFromJsonLine(line)) == line,
                      "an event reads back as it was written");
    } catch (const MalformedJson&) {
    }
    return 0;
}
