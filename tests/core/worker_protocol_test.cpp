#include "core/measurement/worker_protocol.h"

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "core/json/schema.h"
#include "core/text/format.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens {
namespace {

Experiment anExperiment() {
    return initialExperiment(scenarioNamed("matadd-coalesced"));
}

void expectOneLine(const std::string& line) {
    EXPECT_EQ(line.find('\n'), std::string::npos);
}

TEST(WorkerRequest, ReadsBackAsItWasWritten) {
    for (const WorkerRequest& request :
         {WorkerRequest{1, DescribeRequest{}},
          WorkerRequest{2, MeasureRequest{anExperiment(), false}},
          WorkerRequest{4, MeasureRequest{anExperiment(), true, true, "0123456789abcdef"}},
          WorkerRequest{0, CourseRequest{"lecture", {{.path = "a.cu", .text = "// a\n"}}}},
          WorkerRequest{3, CancelRequest{2}}}) {
        expectOneLine(toJsonLine(request));
        EXPECT_EQ(requestFromJsonLine(toJsonLine(request)), request);
    }
}

TEST(WorkerEvent, ReadsBackAsItWasWritten) {
    const Measurement measurement = tests::scriptedMeasurement(anExperiment());
    for (const WorkerEvent& event :
         {WorkerEvent{1, Progress{"timing\nnow", 0.5}}, WorkerEvent{2, measurement},
          WorkerEvent{3, Failure{FailureKind::cancelled, "stopped"}},
          WorkerEvent{4, Description{measurement.device, "", true, "", "0.1.0"}},
          WorkerEvent{5, Description{{}, "no GPU", false, "no GPU", "0.1.0"}},
          WorkerEvent{0, Hello{"0.1.0", "lab-gpu"}}}) {
        expectOneLine(toJsonLine(event));
        EXPECT_EQ(eventFromJsonLine(toJsonLine(event)), event);
    }
}

/// With the protocol's number, where it is an object.
std::string ofThisProtocol(Document document, const std::string& line) {
    if (!line.starts_with("{\"")) return line;
    return R"({"schema":")" + schemaOf(document) + "\"," + line.substr(1);
}

TEST(WorkerEvent, KeepsAFractionBetweenZeroAndOne) {
    const WorkerEvent event = eventFromJsonLine(
        ofThisProtocol(Document::workerEvent,
                       R"({"id": 1, "event": "progress", "stage": "timing", "fraction": 17})"));
    EXPECT_EQ(std::get<Progress>(event.body).fraction, 1.0);
}

class NotAnEvent : public testing::TestWithParam<const char*> {};

TEST_P(NotAnEvent, IsRefused) {
    EXPECT_THROW((void)eventFromJsonLine(ofThisProtocol(Document::workerEvent, GetParam())),
                 MalformedJson);
    EXPECT_THROW((void)requestFromJsonLine(ofThisProtocol(Document::workerRequest, GetParam())),
                 MalformedJson);
}

TEST(WorkerProtocol, OfAnotherNumberIsRefusedWithBoth) {
    const auto refusalOf = [](const std::string& line) {
        try {
            (void)requestFromJsonLine(line);
        } catch (const MalformedJson& malformed) {
            return std::string(malformed.what());
        }
        return std::string("accepted");
    };
    EXPECT_EQ(refusalOf(R"({"schema": "warplens.worker_request/3", "id": 1})"),
              "protocol 3 instead of 2; the same version of Warplens is needed at both ends");
    EXPECT_EQ(refusalOf(R"({"id": 1, "request": "describe"})"),
              "another protocol instead of 2; the same version of Warplens is needed at both ends");
    EXPECT_TRUE(isEventLine(R"({"id": 1, "event": "progress"})"));
    for (const char* banner : {"", "Welcome!", "[1, 2]", R"({"level": "info"})", "{{ lab-gpu }}"}) {
        EXPECT_FALSE(isEventLine(banner)) << banner;
    }
    EXPECT_EQ(strangerProblem(toJsonLine(WorkerEvent{0, Hello{version(), ""}})), "");
    EXPECT_TRUE(strangerProblem(toJsonLine(WorkerEvent{0, Hello{"0.0.1", ""}}))
                    .starts_with("the worker is of Warplens 0.0.1, and this is Warplens "));
}

INSTANTIATE_TEST_SUITE_P(
    WorkerProtocol, NotAnEvent,
    testing::Values("", "hello", "{}", "[1]", "null", R"({"id": -1, "event": "progress"})",
                    R"({"id": 1})", R"({"id": 1, "event": "dance", "request": "dance"})",
                    R"({"id": 1, "event": "progress", "stage": "x"})",
                    R"({"id": 1, "event": "progress", "stage": 4, "fraction": 0})",
                    R"({"id": 1, "event": "result", "result": {}})",
                    R"({"id": 1, "event": "error", "kind": "odd", "message": ""})",
                    R"({"id": 1, "event": "description", "description": 5})",
                    R"({"id": 1, "request": "measure", "experiment": {}, "counters": true})",
                    R"({"id": 1, "request": "cancel"})",
                    R"({"id": 1.5, "request": "describe", "event": "progress"})"));

}  // namespace
}  // namespace warplens
