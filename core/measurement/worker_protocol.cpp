#include "core/measurement/worker_protocol.h"

#include <algorithm>
#include <array>

#include "core/json/schema.h"
#include "core/program/program_json.h"
#include "core/text/enum_names.h"
#include "core/text/format.h"

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
    if (description.device) object["device"] = treeOf(*description.device);
    object["devices"] = Json::array();
    for (const DeviceName& one : description.devices) {
        object["devices"].push_back({{"name", one.name}, {"uuid", one.uuid}});
    }
    return object;
}

Description descriptionOf(const Json& parent) {
    Description description{.device = {},
                            .deviceReason = text(parent, "device_reason"),
                            .countersAvailable = flag(parent, "counters_available"),
                            .countersReason = text(parent, "counters_reason"),
                            .version = line(parent, "version")};
    const Json& device = member(parent, "device");
    if (!device.is_null()) description.device = deviceOf(device);
    if (parent.contains("devices")) {
        for (const Json& one : list(parent, "devices")) {
            description.devices.push_back({line(one, "name"), line(one, "uuid")});
        }
    }
    return description;
}

/// Left out: warm, and as many runs as the worker finds right.
TimingRequest timingRequestOf(const Json& object) {
    TimingRequest timing{.cache = named(object, "cache", cacheBeforeFromString, CacheBefore::warm)};
    if (object.contains("runs")) {
        timing.runs = count<int>(object, "runs", mostTimedRuns);
        if (*timing.runs < fewestTimedRuns) {
            refuse("runs", "= " + std::to_string(*timing.runs) + ": from " +
                               std::to_string(fewestTimedRuns) + " to " +
                               std::to_string(mostTimedRuns));
        }
    }
    return timing;
}

Json treeOfFiles(const std::vector<ProgramFile>& files) {
    Json list = Json::array();
    for (const ProgramFile& file : files) {
        list.push_back(
            {{"path", file.path}, {"text", file.text}, {"included_as", file.includedAs}});
    }
    return list;
}

std::vector<ProgramFile> programFilesIn(const Json& object, const char* name) {
    std::vector<ProgramFile> files;
    for (const Json& file : list(object, name)) {
        files.push_back({.path = rawText(file, "path"),
                         .text = rawText(file, "text"),
                         .includedAs = rawTexts(file, "included_as")});
    }
    return files;
}

/// Of a request that is compiled.
void addTexts(Json& object, const auto& request) {
    object["units"] = treeOfFiles(request.sources.units);
    object["headers"] = treeOfFiles(request.sources.headers);
    object["defines"] = request.defines;
    object["standard"] = request.standard;
}

template <class Request>
Request withTexts(const Json& object) {
    Request request{.sources = {.units = programFilesIn(object, "units"),
                                .headers = programFilesIn(object, "headers")},
                    .defines = rawTexts(object, "defines"),
                    .standard = rawText(object, "standard")};
    if (request.sources.units.empty()) throw MalformedJson("\"units\" is empty");
    return request;
}

void addTo(Json& object, const MeasureProgramRequest& measure) {
    object["request"] = "measure_program";
    addTexts(object, measure);
    Json predicted = Json::array();
    for (const ProgramLine& line : measure.predicted) {
        predicted.push_back(program_json::lineTree(line));
    }
    object["predicted"] = std::move(predicted);
    object["counters"] = measure.counters;
    object["lines"] = measure.lines;
    object["code"] = measure.code;
    object["cache"] = toString(measure.timing.cache);
    if (measure.timing.runs) object["runs"] = *measure.timing.runs;
    object["device"] = measure.device;
    object["frame_bytes"] = framedBytes(measure.inputs);
}

MeasureProgramRequest measureProgramOf(const Json& object) {
    auto measure = withTexts<MeasureProgramRequest>(object);
    for (const Json& line : list(object, "predicted")) {
        measure.predicted.push_back(program_json::lineOf(line));
    }
    measure.counters = flag(object, "counters");
    measure.lines = flag(object, "lines");
    measure.code = flag(object, "code");
    measure.timing = timingRequestOf(object);
    measure.device = lineOrNone(object, "device");
    return measure;
}

CompileRequest compileRequestOf(const Json& object) {
    auto request = withTexts<CompileRequest>(object);
    request.kernel = rawText(object, "kernel");
    request.computeCapability = line(object, "compute_capability");
    return request;
}

/// The protocol's number as a line says it; nothing where it says none, as version 0.1.0 did.
std::optional<int> protocolOf(const Json& object, Document document) {
    const auto schema = object.find("schema");
    if (schema == object.end() || !schema->is_string()) return std::nullopt;
    return schemaNumberFrom(document, schema->get<std::string>());
}

void requireProtocol(const Json& object, Document document) {
    const std::optional<int> number = protocolOf(object, document);
    if (number == schemaNumber(document)) return;
    throw MalformedJson(
        (number ? "protocol " + std::to_string(*number) : std::string("another protocol")) +
        " instead of " + std::to_string(schemaNumber(document)) +
        "; the same version of Warplens is needed at both ends");
}

}  // namespace

std::string_view toString(FailureKind kind) {
    return failureKinds.at(static_cast<std::size_t>(kind));
}

std::optional<FailureKind> failureKindFromString(std::string_view text) {
    return enumeratorNamed<FailureKind>(failureKinds, text);
}

std::string toJsonLine(const WorkerRequest& request) {
    Json object{{"schema", schemaOf(Document::workerRequest)}, {"id", request.id}};
    std::visit(Match{[&](const DescribeRequest& describe) {
                         object["request"] = "describe";
                         object["device"] = describe.device;
                     },
                     [&](const MeasureRequest& measure) {
                         object["request"] = "measure";
                         object["experiment"] = treeOf(measure.experiment);
                         object["counters"] = measure.counters;
                         object["schedule"] = measure.schedule;
                         object["kernel_digest"] = measure.kernelDigest;
                         object["cache"] = toString(measure.timing.cache);
                         if (measure.timing.runs) object["runs"] = *measure.timing.runs;
                         object["device"] = measure.device;
                     },
                     [&](const MeasureProgramRequest& measure) { addTo(object, measure); },
                     [&](const CompileRequest& compile) {
                         object["request"] = "compile";
                         addTexts(object, compile);
                         object["kernel"] = compile.kernel;
                         object["compute_capability"] = compile.computeCapability;
                     },
                     [&](const CourseRequest& course) {
                         object["request"] = "course";
                         object["name"] = course.name;
                         object["kernels"] = treeOfFiles(course.kernels);
                     },
                     [&](const CancelRequest& cancel) {
                         object["request"] = "cancel";
                         object["target"] = cancel.target;
                     }},
               request.body);
    return toText(object);
}

WorkerRequest requestFromJsonLine(std::string_view source) {
    const Json object = parseObject(source);
    requireProtocol(object, Document::workerRequest);
    WorkerRequest request{.id = count(object, "id"), .body = {}};
    const std::string kind = text(object, "request");
    if (kind == "describe") {
        request.body = DescribeRequest{lineOrNone(object, "device")};
    } else if (kind == "measure") {
        request.body = MeasureRequest{experimentOf(member(object, "experiment")),
                                      flag(object, "counters"),
                                      flag(object, "schedule"),
                                      line(object, "kernel_digest"),
                                      timingRequestOf(object),
                                      lineOrNone(object, "device")};
    } else if (kind == "measure_program") {
        request.body = measureProgramOf(object);
    } else if (kind == "compile") {
        request.body = compileRequestOf(object);
    } else if (kind == "course") {
        request.body = CourseRequest{line(object, "name"), programFilesIn(object, "kernels")};
    } else if (kind == "cancel") {
        request.body = CancelRequest{count(object, "target")};
    } else {
        throw MalformedJson("unknown request '" + kind + "'");
    }
    return request;
}

std::string toJsonLine(const WorkerEvent& event) {
    Json object{{"schema", schemaOf(Document::workerEvent)}, {"id", event.id}};
    std::visit(Match{[&](const Hello& hello) {
                         object["event"] = "hello";
                         object["version"] = hello.version;
                         object["host"] = hello.host;
                         object["job"] = hello.job;
                     },
                     [&](const Description& description) {
                         object["event"] = "description";
                         object["description"] = tree(description);
                     },
                     [&](const Progress& progress) {
                         object["event"] = "progress";
                         object["stage"] = progress.stage;
                         object["fraction"] = progress.fraction;
                         if (progress.before) object["before"] = *progress.before;
                     },
                     [&](const Measurement& measurement) {
                         object["event"] = "result";
                         object["result"] = treeOf(measurement);
                     },
                     [&](const ProgramMeasurement& measurement) {
                         object["event"] = "program_result";
                         object["result"] = program_json::treeOf(measurement);
                     },
                     [&](const CompiledResources& compiled) {
                         object["event"] = "compiled";
                         object["resources"] = treeOf(compiled.resources);
                         object["compute_capability"] = compiled.computeCapability;
                         object["compiler"] = compiled.compiler;
                     },
                     [&](const Failure& failure) {
                         object["event"] = "error";
                         object["kind"] = toString(failure.kind);
                         object["message"] = failure.message;
                     }},
               event.body);
    return toText(object);
}

std::string toWire(const WorkerRequest& request) {
    std::string wire = toJsonLine(request) + '\n';
    if (const auto* measure = std::get_if<MeasureProgramRequest>(&request.body)) {
        const std::vector<std::byte> frame = toFrame(measure->inputs);
        wire.append(reinterpret_cast<const char*>(frame.data()), frame.size());
    }
    return wire;
}

std::uint64_t frameBytesAfter(std::string_view line) {
    const Json object = parseObject(line);
    if (!object.contains("frame_bytes")) return 0;
    return count(object, "frame_bytes", mostLaunchInputBytes);
}

WorkerEvent eventFromJsonLine(std::string_view source) {
    const Json object = parseObject(source);
    requireProtocol(object, Document::workerEvent);
    WorkerEvent event{.id = count(object, "id"), .body = Progress{}};
    const std::string kind = text(object, "event");
    if (kind == "hello") {
        event.body =
            Hello{line(object, "version"), line(object, "host"), lineOrNone(object, "job")};
    } else if (kind == "description") {
        event.body = descriptionOf(member(object, "description"));
    } else if (kind == "progress") {
        const double fraction = number(object, "fraction");
        Progress progress{text(object, "stage"), std::clamp(fraction, 0.0, 1.0)};
        if (object.contains("before")) progress.before = count(object, "before");
        event.body = std::move(progress);
    } else if (kind == "result") {
        event.body = measurementOf(member(object, "result"));
    } else if (kind == "program_result") {
        event.body = program_json::programMeasurementOf(member(object, "result"));
    } else if (kind == "compiled") {
        event.body =
            CompiledResources{json_reader::resourcesOf(member(object, "resources")),
                              line(object, "compute_capability"), line(object, "compiler")};
    } else if (kind == "error") {
        event.body = Failure{named(object, "kind", failureKindFromString), text(object, "message")};
    } else {
        throw MalformedJson("unknown event '" + kind + "'");
    }
    return event;
}

bool isEventLine(std::string_view line) {
    try {
        return parseObject(line).contains("event");
    } catch (const MalformedJson&) {
        return false;
    }
}

std::string strangerProblem(std::string_view source) {
    const std::string here = "this is Warplens " + version();
    const std::string remedy = "; install the same version at both ends";
    const Json object = parseObject(source);
    const std::optional<int> protocol = protocolOf(object, Document::workerEvent);
    const bool greets = object.contains("event") && object["event"] == "hello";
    if (!protocol || !greets) {
        return "the worker does not say what it is, as that of Warplens 0.1.0 did not, and " +
               here + remedy;
    }
    const std::string host = lineOrNone(object, "host");
    const std::string theWorker = "the worker" + (host.empty() ? "" : " on " + host);
    const int protocolOfOurs = schemaNumber(Document::workerEvent);
    if (protocol != protocolOfOurs) {
        return theWorker + " speaks protocol " + std::to_string(*protocol) + ", and " + here +
               ", which speaks " + std::to_string(protocolOfOurs) + remedy;
    }
    if (lineOrNone(object, "version") != version()) {
        return theWorker + " is of Warplens " + lineOrNone(object, "version") + ", and " + here +
               remedy;
    }
    return {};
}

}  // namespace warplens
