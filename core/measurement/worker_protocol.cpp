#include "core/measurement/worker_protocol.h"

#include <algorithm>
#include <array>

#include "core/measurement/json.h"
#include "core/measurement/json_reader.h"

namespace warplens {
namespace {

using namespace json_reader;

constexpr std::array<std::string_view, 5> failureKinds{"invalid", "impossible", "wrong_result",
                                                       "cancelled", "failed"};

/// Calls the one of `cases` that takes the alternative held.
template <class... Cases>
struct Match : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;  // Clang 16 does not find it itself

Json tree(const Description& description) {
    Json object{{"device", nullptr},
                {"device_reason", description.deviceReason},
                {"counters_available", description.countersAvailable},
                {"counters_reason", description.countersReason},
                {"version", description.version}};
    if (description.device) object["device"] = Json::parse(toJson(*description.device, -1));
    return object;
}

Description descriptionOf(const Json& parent) {
    Description description{.device = {},
                            .deviceReason = text(parent, "device_reason"),
                            .countersAvailable = flag(parent, "counters_available"),
                            .countersReason = text(parent, "counters_reason"),
                            .version = text(parent, "version")};
    const Json& device = member(parent, "device");
    if (!device.is_null()) description.device = deviceFromJson(device.dump());
    return description;
}

std::string line(const Json& object) {
    return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string_view toString(FailureKind kind) {
    return failureKinds.at(static_cast<std::size_t>(kind));
}

std::optional<FailureKind> failureKindFromString(std::string_view text) {
    const auto found = std::ranges::find(failureKinds, text);
    if (found == failureKinds.end()) return std::nullopt;
    return static_cast<FailureKind>(found - failureKinds.begin());
}

std::string toJsonLine(const WorkerRequest& request) {
    Json object{{"id", request.id}};
    std::visit(Match{[&](const DescribeRequest&) { object["request"] = "describe"; },
                     [&](const MeasureRequest& measure) {
                         object["request"] = "measure";
                         object["experiment"] = Json::parse(toJson(measure.experiment, -1));
                         object["counters"] = measure.counters;
                         object["schedule"] = measure.schedule;
                     },
                     [&](const CancelRequest& cancel) {
                         object["request"] = "cancel";
                         object["target"] = cancel.target;
                     }},
               request.body);
    return line(object);
}

WorkerRequest requestFromJsonLine(std::string_view source) {
    const Json object = parseObject(source);
    WorkerRequest request{.id = count(object, "id"), .body = {}};
    const std::string kind = text(object, "request");
    if (kind == "describe") {
        request.body = DescribeRequest{};
    } else if (kind == "measure") {
        request.body = MeasureRequest{experimentFromJson(member(object, "experiment").dump()),
                                      flag(object, "counters"),
                                      object.contains("schedule") && flag(object, "schedule")};
    } else if (kind == "cancel") {
        request.body = CancelRequest{count(object, "target")};
    } else {
        throw MalformedJson("unknown request '" + kind + "'");
    }
    return request;
}

std::string toJsonLine(const WorkerEvent& event) {
    Json object{{"id", event.id}};
    std::visit(Match{[&](const Description& description) {
                         object["event"] = "description";
                         object["description"] = tree(description);
                     },
                     [&](const Progress& progress) {
                         object["event"] = "progress";
                         object["stage"] = progress.stage;
                         object["fraction"] = progress.fraction;
                     },
                     [&](const Measurement& measurement) {
                         object["event"] = "result";
                         object["result"] = Json::parse(toJson(measurement, -1));
                     },
                     [&](const Failure& failure) {
                         object["event"] = "error";
                         object["kind"] = toString(failure.kind);
                         object["message"] = failure.message;
                     }},
               event.body);
    return line(object);
}

WorkerEvent eventFromJsonLine(std::string_view source) {
    const Json object = parseObject(source);
    WorkerEvent event{.id = count(object, "id"), .body = Progress{}};
    const std::string kind = text(object, "event");
    if (kind == "description") {
        event.body = descriptionOf(member(object, "description"));
    } else if (kind == "progress") {
        const double fraction = number(object, "fraction");
        event.body = Progress{text(object, "stage"), std::clamp(fraction, 0.0, 1.0)};
    } else if (kind == "result") {
        event.body = measurementFromJson(member(object, "result").dump());
    } else if (kind == "error") {
        const auto failure = failureKindFromString(text(object, "kind"));
        if (!failure) throw MalformedJson("unknown kind of error '" + text(object, "kind") + "'");
        event.body = Failure{*failure, text(object, "message")};
    } else {
        throw MalformedJson("unknown event '" + kind + "'");
    }
    return event;
}

}  // namespace warplens
