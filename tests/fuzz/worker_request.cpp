#include "core/json/json.h"
#include "core/measurement/worker_protocol.h"
#include "tests/fuzz/fuzz.h"

using namespace warplens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const WorkerRequest request = requestFromJsonLine(fuzz::textOf(data, size));
        fuzz::promise(requestFromJsonLine(toJsonLine(request)) == request,
                      "a request reads back as it was written");
    } catch (const MalformedJson&) {
    }
    return 0;
}
