#include "kernels/worker/request_loop.h"

#include <future>
#include <gtest/gtest.h>
#include <istream>
#include <new>
#include <source_location>
#include <sstream>
#include <utility>

#include "core/launch/launch.h"
#include "core/text/format.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/device/driver.h"
#include "kernels/measure/measuring.h"
#include "kernels/measure/scenario_launch.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens {
namespace {

template <class Error>
Failure failureFrom(Error error) {
    return failureOf(std::make_exception_ptr(std::move(error)));
}

CudaError fault(CUresult code) {
    return {code, "cuMemFree", std::source_location::current()};
}

TEST(WorkerFailure, saysWhatKindOfFailureItWas) {
    EXPECT_EQ(failureFrom(InvalidRequest({{"n", "0", "at least 1"}})),
              (Failure{FailureKind::invalid, "n = 0: at least 1"}));
    EXPECT_EQ(failureFrom(NoDevice("none")), (Failure{FailureKind::impossible, "none"}));
    EXPECT_EQ(failureFrom(WrongResult("c[1] is 7")),
              (Failure{FailureKind::wrongResult, "c[1] is 7"}));
    EXPECT_EQ(failureFrom(Cancelled()), (Failure{FailureKind::cancelled, "cancelled"}));
    EXPECT_EQ(failureFrom(fault(CUDA_ERROR_ILLEGAL_ADDRESS)).kind, FailureKind::failed);
    EXPECT_EQ(failureFrom(std::bad_alloc()),
              (Failure{FailureKind::failed, "the worker's own memory is exhausted"}));
    EXPECT_EQ(failureFrom(std::runtime_error("odd")), (Failure{FailureKind::failed, "odd"}));
}

TEST(WorkerFailure, endsTheWorkerUnlessTheRequestAloneWasTheReason) {
    EXPECT_TRUE(endsWorker(FailureKind::failed));
    EXPECT_TRUE(endsWorker(FailureKind::impossible));
    EXPECT_FALSE(endsWorker(FailureKind::invalid));
    EXPECT_FALSE(endsWorker(FailureKind::wrongResult));
    EXPECT_FALSE(endsWorker(FailureKind::cancelled));
}

/// Text that tells when all of it was read.
class ReadToEnd final : public std::stringbuf {
  public:
    using std::stringbuf::stringbuf;
    std::promise<void> isRead;

  protected:
    int_type underflow() override {
        const int_type next = std::stringbuf::underflow();
        if (next == traits_type::eof() && !std::exchange(wasTold_, true)) isRead.set_value();
        return next;
    }

  private:
    bool wasTold_ = false;
};

/// What the loop says to these requests, line by line, and its exit code.
struct Conversation final {
    std::vector<WorkerEvent> events{};
    int code = 0;
};

Conversation converse(const Work& work, std::size_t requests) {
    std::string lines;
    for (std::uint64_t id = 1; id <= requests; ++id) {
        lines += toJsonLine({id, MeasureRequest{initialExperiment(allScenarios().front())}}) + '\n';
    }
    // A reader that the loop leaves behind goes on, and needs its streams, never destroyed, and for
    // the rest of the requests what the process destroys at its end.
    ReadToEnd& text = *new ReadToEnd(lines);
    std::istream& in = *new std::istream(&text);
    std::ostringstream& out = *new std::ostringstream;
    Conversation conversation{.code = answerRequests(in, out, work)};
    text.isRead.get_future().wait();
    std::istringstream said(out.str());
    std::string line;
    while (std::getline(said, line)) {
        if (!line.empty()) conversation.events.push_back(eventFromJsonLine(line));
    }
    return conversation;
}

TEST(RequestLoop, goesOnAfterAFailureOfTheRequestAlone) {
    const Conversation conversation = converse(
        [](const WorkerRequest& request, const ReportProgress&, const std::stop_token&) -> Answer {
            if (request.id == 1) throw fault(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
            return tests::scriptedMeasurement(std::get<MeasureRequest>(request.body).experiment);
        },
        2);
    ASSERT_EQ(conversation.events.size(), 2u);
    EXPECT_EQ(std::get<Failure>(conversation.events[0].body),
              (Failure{FailureKind::invalid,
                       "a block of this size takes more registers or shared memory than an SM "
                       "has; take a smaller one (CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)"}));
    EXPECT_TRUE(std::holds_alternative<Measurement>(conversation.events[1].body));
    EXPECT_EQ(conversation.events[1].id, 2u);
    EXPECT_EQ(conversation.code, 0);
}

TEST(RequestLoop, endsAfterAFaultOfTheDevice) {
    int asked = 0;
    const Conversation conversation = converse(
        [&](const WorkerRequest&, const ReportProgress& report, const std::stop_token&) -> Answer {
            ++asked;
            report({"checking the result", 0.1});
            throw fault(CUDA_ERROR_ILLEGAL_ADDRESS);
        },
        2);
    ASSERT_EQ(conversation.events.size(), 2u);
    EXPECT_EQ(std::get<Progress>(conversation.events[0].body).stage, "checking the result");
    EXPECT_EQ(std::get<Failure>(conversation.events[1].body).message,
              "the kernel touched an address outside its arrays (CUDA_ERROR_ILLEGAL_ADDRESS)");
    EXPECT_EQ(asked, 1) << "the second request is for a fresh worker";
    EXPECT_EQ(conversation.code, 1);
}

}  // namespace
}  // namespace warplens
