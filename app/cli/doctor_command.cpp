#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/interrupt.h"
#include "app/cli/measuring.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/subcommand.h"
#include "app/cli/text_table.h"
#include "app/window/gl/offscreen_surface.h"
#include "app/worker/worker_client.h"
#include "core/text/format.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;

struct DoctorOptions final {
    WorkerOptions worker;
    std::optional<std::string> recordings;
    bool json = false;
};

/// One thing this machine can do, or what keeps it from that and what to do about it.
struct MachineFinding final {
    std::string name;
    bool ok = false;
    std::string detail;
    std::string remedy;
};

/// What the worker says about itself, or why it does not.
std::variant<Description, Failure> describe(const std::string& command) {
    const InterruptNoted noted;
    const ProgressLine line("asking the worker");
    WorkerClient worker({.command = command, .deadline = 30s});
    (void)worker.describe();
    while (true) {
        const std::optional<WorkerEvent> event = worker.wait(100ms);
        endIfInterrupted();
        if (!event) continue;
        tellBanner(worker);
        if (const auto* failure = std::get_if<Failure>(&event->body)) return *failure;
        if (const auto* found = std::get_if<Description>(&event->body)) return *found;
    }
}

std::string inWords(const Device& device) {
    return device.name + ", compute capability " + device.computeCapability + ", " +
           std::to_string(device.multiprocessors) + " SMs, " + formatBytes(device.memoryBytes) +
           ", driver " + device.driver + ", CUDA " + device.cuda;
}

/// That nothing can be measured here is an answer, and `done`; a worker that was named and does not
/// answer is not.
ExitCode examineMeasuring(const WorkerOptions& options, std::vector<MachineFinding>& findings) {
    const std::string command = workerCommand(options);
    constexpr const char* elsewhere =
        "recordings and predictions still work; --worker can measure on another machine";
    if (command.empty()) {
        const bool driver = std::filesystem::exists("/proc/driver/nvidia/version");
        findings.push_back(
            options.command
                ? MachineFinding{"worker", false, "--worker is empty",
                                 "name a worker's shell command, or leave --worker out"}
                : MachineFinding{"worker", false,
                                 "warplens-measure is neither beside this program nor on PATH",
                                 "install the CUDA Toolkit 13 and build again"});
        findings.push_back({"GPU", false,
                            driver ? "an NVIDIA driver is loaded, but there is no worker to ask it"
                                   : "no NVIDIA driver is loaded",
                            elsewhere});
        findings.push_back({"counters", false, "no worker to read them", elsewhere});
        return options.command ? ExitCode::impossible : ExitCode::done;
    }
    const auto answer = describe(command);
    if (const auto* failure = std::get_if<Failure>(&answer)) {
        findings.push_back(
            {"worker", false, command + ": " + failure->message, "run it by hand to see more"});
        findings.push_back({"GPU", false, "the worker did not answer", elsewhere});
        findings.push_back({"counters", false, "the worker did not answer", elsewhere});
        return options.command ? exitCodeFor(failure->kind) : ExitCode::done;
    }
    const auto& found = std::get<Description>(answer);
    findings.push_back({"worker", true, command + ", version " + found.version, ""});
    if (found.device) {
        findings.push_back({"GPU", true, inWords(*found.device), ""});
    } else {
        findings.push_back({"GPU", false, found.deviceReason, elsewhere});
    }
    findings.push_back({"counters", found.countersAvailable,
                        found.countersAvailable ? "CUPTI can read them" : found.countersReason,
                        found.countersAvailable ? "" : "everything else is measured without them"});
    return ExitCode::done;
}

MachineFinding examineDrawing() {
    try {
        const window::OffscreenSurface surface({64, 64});
        return {"OpenGL", true, "3.3 offscreen on " + surface.renderer(), ""};
    } catch (const std::exception& reason) {
        return {"OpenGL", false, reason.what(),
                "install libgl1-mesa-dri, which draws without a GPU"};
    }
}

MachineFinding examineDisplay() {
    for (const char* name : {"WAYLAND_DISPLAY", "DISPLAY"}) {
        const char* value = std::getenv(name);
        if (value && *value) return {"display", true, std::string(name) + "=" + value, ""};
    }
    return {"display", false, "neither DISPLAY nor WAYLAND_DISPLAY is set",
            "`warplens screenshot` draws the window into a file without one"};
}

MachineFinding examineRecordings(const RecordingLibrary& library) {
    std::string detail = std::to_string(library.recordings.size()) + " usable";
    for (const std::string& problem : library.problems) detail += "; refused: " + problem;
    const bool ok = library.problems.empty() && !library.recordings.empty();
    return {"recordings", ok, detail,
            ok ? "" : "`warplens measure SCENARIO --save FILE` writes one on a machine with a GPU"};
}

std::string toText(const std::vector<MachineFinding>& findings) {
    std::vector<std::vector<std::string>> rows;
    for (const MachineFinding& finding : findings) {
        rows.push_back({finding.name, finding.ok ? "ok" : "missing", finding.detail});
        if (!finding.remedy.empty()) rows.push_back({"", "", "-> " + finding.remedy});
    }
    return toTable(rows);
}

std::string toJsonText(const std::vector<MachineFinding>& findings) {
    using Json = nlohmann::ordered_json;
    Json object{{"version", version()}, {"checks", Json::array()}};
    for (const MachineFinding& finding : findings) {
        object["checks"].push_back({{"name", finding.name},
                                    {"ok", finding.ok},
                                    {"detail", finding.detail},
                                    {"remedy", finding.remedy}});
    }
    return object.dump(2, ' ', false, Json::error_handler_t::replace);
}

ExitCode run(const DoctorOptions& options) {
    std::vector<MachineFinding> findings{{"warplens", true, "version " + version(), ""}};
    const ExitCode code = examineMeasuring(options.worker, findings);
    findings.push_back(examineDrawing());
    findings.push_back(examineDisplay());
    findings.push_back(examineRecordings(libraryFrom(options.recordings)));
    if (options.json) {
        printDocument(Document::doctor, toJsonText(findings));
    } else {
        print(toText(findings));
    }
    return code;
}

}  // namespace

Subcommand addDoctorCommand(CLI::App& program) {
    const auto options = std::make_shared<DoctorOptions>();
    CLI::App* parser =
        program.add_subcommand("doctor", "what this machine can do, and why not the rest");
    addWorkerOption(*parser, options->worker);
    addRecordingsOption(*parser, options->recordings);
    addJsonFlag(*parser, options->json);
    return {parser, [options] { return run(*options); }};
}

}  // namespace warplens
