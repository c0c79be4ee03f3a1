// A worker that measures, but whose first request faults on the device.
//
//   warplens-faulty-worker FAULT FILE
//
// FAULT happens until FILE exists, which it creates; from then on this is the worker that measures.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "kernels/worker/request_loop.h"
#include "tests/gpu/fault_kernels.h"

namespace {

void happen(const std::string& fault) {
    if (fault == "illegal-address") return warplens::tests::touchIllegalAddress();
    if (fault == "hang") return warplens::tests::hangOnDevice();
    if (fault == "exhausted-memory") return warplens::tests::exhaustMemory();
    if (fault == "held-memory") return warplens::tests::holdMemory(std::size_t{512} << 20);
    std::cerr << "no such fault: " << fault << '\n';
    std::exit(64);
}

}  // namespace

int main(int count, char** arguments) {
    using namespace warplens;
    if (count != 3) return 64;
    const std::string fault = arguments[1];
    const std::string file = arguments[2];
    return superviseRequests(
        [&](std::istream& in, std::ostream& out, const WatchedLine& watched) {
            const MeasuringWork measure(&watched);
            return answerRequests(in, out,
                                  [&](const WorkerRequest& request, const ReportProgress& report,
                                      std::stop_token stop) {
                                      if (!std::ifstream(file)) {
                                          std::ofstream{file};
                                          report({"checking the result", 0.1});
                                          happen(fault);
                                      }
                                      return measure(request, report, std::move(stop));
                                  });
        },
        std::chrono::seconds(60));
}
