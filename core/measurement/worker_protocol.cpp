#include "core/measurement/worker_protocol.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/json/archive.h"
#include "core/json/json_tree.h"
#include "core/text/format.h"
#include "core/text/names.h"

namespace warplens {

RequestHead requestHead(std::string_view line) {
    using nlohmann::json;
    // Only these members are kept: texts of programs are passed by.
    const auto keep = [](int depth, json::parse_event_t event, const json& parsed) {
        if (event != json::parse_event_t::key) return true;
        return depth == 1 && (parsed == "id" || parsed == "request" || parsed == "target" ||
                              parsed == "frame_bytes");
    };
    const json object = json::parse(line, keep, false);
    RequestHead head;
    if (!object.is_object()) return head;
    const auto number = [&](const char* name) {
        const auto found = object.find(name);
        return found != object.end() && found->is_number_unsigned() ? found->get<std::uint64_t>()
                                                                    : 0;
    };
    head.id = number("id");
    head.target = number("target");
    head.frameBytes = number("frame_bytes");
    if (head.frameBytes > mostLaunchInputBytes) head.frameBytes = 0;
    const auto request = object.find("request");
    if (request != object.end() && request->is_string()) head.request = *request;
    return head;
}

namespace {

constexpr const char* idWords = "Number of the request, chosen by who asks.";

void describeDevice(Archive& v, DeviceChoice& device) {
    v.added(
        "device", device,
        "Of `describe` and `measure`: which GPU, its number from 0 or its UUID or the beginning "
        "of it; empty: the first.",
        {.oneLine = true});
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

void describe(Archive& v, ProgramFile& file) {
    v("path", file.path, "Name of the file.", {.asWritten = true});
    v("text", file.text, "What it holds.", {.asWritten = true});
    v("included_as", file.includedAs, "The names that `#include` directives give it.",
      {.asWritten = true});
}

void describe(Archive& v, DescribeRequest& request) {
    describeDevice(v, request.device);
    v.added("name", request.name,
            "Of `describe`: whether only the GPU's name and compute capability are asked for, "
            "which needs no turn on it.");
}

void describe(Archive& v, MeasureRequest& request) {
    v("experiment", request.experiment, "Of `measure`: the launch.");
    v("counters", request.counters, "Of `measure`: whether hardware counters are read.");
    v("schedule", request.schedule,
      "Of `measure`: whether it is recorded which SM ran which block.");
    v("kernel_digest", request.kernelDigest,
      "Of `measure`: digest of the kernel's source that is meant.", {.oneLine = true});
    describe(v, request.timing);
    describeDevice(v, request.device);
}

void describe(Archive& v, MeasureProgramRequest& request) {
    v("units", request.sources.units, "Of `measure_program`: the .cu files, with their text.");
    if (v.reads() && request.sources.units.empty()) Archive::refuse("units", "is empty");
    v("headers", request.sources.headers,
      "Of `measure_program`: the person's own headers, with their text.");
    v("compiler", request.compiler, "Of `measure_program`: what made its code, as `nvcc 13.0`.",
      {.oneLine = true});
    v("predicted", request.predicted,
      "Of `measure_program`: lines of the launch as they are written.");
    v("compiled", request.compiled, "Of `measure_program`: lines of the launch as compiled.");
    v("interventions", request.interventions,
      "Of `measure_program`: what the lines come to with one thing changed.");
    v("code", request.code, "Of `measure_program`: PTX and machine code of each line.");
    v("notes", request.notes, "Of `measure_program`: what is to be told of it.");
    v("counters", request.counters, "Of `measure`: whether hardware counters are read.");
    v("lines", request.lines, "Of `measure_program`: whether each source line is counted.");
    describe(v, request.timing);
    describeDevice(v, request.device);
    if (v.reads()) return;
    v.derived("frame_bytes", framedBytes(request.inputs),
              "Of `measure_program`: bytes that follow the line, with the launch's inputs.",
              {.most = mostLaunchInputBytes});
}

void describe(Archive& v, CompileRequest& request) {
    v("file", request.file, "Of `compile`: name of the kernel's file.", {.asWritten = true});
    v("text", request.text, "Of `compile`: what it holds.", {.asWritten = true});
    v("kernel", request.kernel, "Of `compile`: the kernel's instance, as `scan<true>`.",
      {.asWritten = true});
    v("compute_capability", request.computeCapability,
      "Of `compile`: which machine code is made, as 9.0.", {.oneLine = true});
}

void describe(Archive& v, CourseRequest& request) {
    v("name", request.name,
      "Of `course`, the first request where a course is open: what the ids of its scenarios begin "
      "with. It is not answered.",
      {.oneLine = true});
    v("kernels", request.kernels, "Of `course`: its kernels' files.");
}

void describe(Archive& v, CancelRequest& request) {
    v("target", request.target, "Of `cancel`: the request to give up.");
}

void describe(Archive& v, WorkerRequest& request) {
    v("id", request.id, idWords);
    v.tagged("request", request.body,
             {"describe", "measure", "measure_program", "compile", "course", "cancel"},
             "What is asked for.", [&](auto& body) { describe(v, body); });
}

void describe(Archive& v, DeviceName& device) {
    v("name", device.name, "What kind it is.", {.oneLine = true});
    v("uuid", device.uuid, "Which one it is, as nvidia-smi names it.", {.oneLine = true});
    v.added("compute_capability", device.computeCapability, "As 9.0.", {.oneLine = true});
}

void describe(Archive& v, Description& description) {
    v.nullable("device", description.device, "Its GPU; null for none.");
    v("device_reason", description.deviceReason, "Why there is none; empty where there is.");
    v("counters_available", description.countersAvailable,
      "Whether it can read hardware counters.");
    v("counters_reason", description.countersReason, "Why not; empty where it can.");
    v("version", description.version, "The version of Warplens that made it, as in 0.2.0.",
      versionText);
    v.added("devices", description.devices, "All GPUs it sees, by their numbers.");
}

void describe(Archive& v, Hello& hello) {
    v("version", hello.version, "The version of Warplens that made it, as in 0.2.0.", versionText);
    v("host", hello.host, "Of `hello`: the machine it runs on.", {.oneLine = true});
    v.added("job", hello.job, "Of `hello`: number of the Slurm job it runs in; empty outside one.",
            {.oneLine = true});
}

void describe(Archive& v, Progress& progress) {
    v("stage", progress.stage, "Of `progress`: what is being done.");
    v("fraction", progress.fraction, "Of `progress`: how much is done.",
      v.reads() ? Rule{} : Rule{.least = 0, .most = 1});
    progress.fraction = std::clamp(progress.fraction, 0.0, 1.0);
    v("before", progress.before,
      "Of `progress`: how many others are measured first on the same GPU.");
}

void describe(Archive& v, CompiledResources& compiled) {
    v("resources", compiled.resources, "Of `compiled`: what the kernel takes of an SM.");
    v("compute_capability", compiled.computeCapability, "Of `compiled`: that it was compiled for.",
      {.oneLine = true});
    v("compiler", compiled.compiler, "Of `compiled`: as `NVRTC 13.0`.", {.oneLine = true});
}

void describe(Archive& v, Failure& failure) {
    v("kind", failure.kind, "What kind of failure.");
    v("message", failure.message, "In words.");
}

void describe(Archive& v, WorkerEvent& event) {
    v("id", event.id, idWords);
    const auto result = [&](auto& body) { v("result", body, "Of `result` and `program_result`."); };
    v.tagged("event", event.body,
             {"description", "progress", "result", "program_result", "compiled", "error", "hello"},
             "What happened; `hello` comes before all others.",
             Match{[&](auto& body) { describe(v, body); },
                   [&](Description& body) {
                       v("description", body, "Of `description`: what the worker can do.");
                   },
                   [&](Measurement& body) { result(body); },
                   [&](ProgramMeasurement& body) { result(body); }});
}

std::string toJsonLine(const WorkerRequest& request) {
    return toDocument(Document::workerRequest, request, -1);
}

std::string toJsonLine(const WorkerEvent& event) {
    return toDocument(Document::workerEvent, event, -1);
}

std::string toWire(const WorkerRequest& request) {
    std::string wire = toJsonLine(request) + '\n';
    if (const auto* measure = std::get_if<MeasureProgramRequest>(&request.body)) {
        const std::vector<std::byte> frame = toFrame(measure->inputs);
        wire.append(reinterpret_cast<const char*>(frame.data()), frame.size());
    }
    return wire;
}

WorkerRequest requestFromJsonLine(std::string_view line, const TakeFrame& takeFrame) {
    const Json object = parseObject(line);
    std::uint64_t frameBytes = 0;
    readTree(object, [&](Archive& v) {
        v.added("frame_bytes", frameBytes, "", {.most = mostLaunchInputBytes});
    });
    if (takeFrame) takeFrame(frameBytes);
    requireProtocol(object, Document::workerRequest);
    WorkerRequest request;
    readTree(object, membersOf(request));
    return request;
}

WorkerEvent eventFromJsonLine(std::string_view line) {
    const Json object = parseObject(line);
    requireProtocol(object, Document::workerEvent);
    WorkerEvent event;
    readTree(object, membersOf(event));
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
    const auto told = [&](const char* name) {
        std::string text;
        readTree(object, [&](Archive& v) { v.added(name, text, "", {.oneLine = true}); });
        return text;
    };
    const std::optional<int> protocol = protocolOf(object, Document::workerEvent);
    const bool greets = object.contains("event") && object["event"] == "hello";
    if (!protocol || !greets) {
        return "the worker does not say what it is, as that of Warplens 0.1.0 did not, and " +
               here + remedy;
    }
    const std::string host = told("host");
    const std::string theWorker = "the worker" + (host.empty() ? "" : " on " + host);
    const int protocolOfOurs = schemaNumber(Document::workerEvent);
    if (protocol != protocolOfOurs) {
        return theWorker + " speaks protocol " + std::to_string(*protocol) + ", and " + here +
               ", which speaks " + std::to_string(protocolOfOurs) + remedy;
    }
    if (told("version") != version()) {
        return theWorker + " is of Warplens " + told("version") + ", and " + here + remedy;
    }
    return {};
}

}  // namespace warplens
