#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/cli/measuring.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "app/cli/subcommand.h"
#include "app/platform/desktop/offscreen_surface.h"
#include "app/window/window.h"
#include "app/worker/route.h"
#include "app/worker/worker_client.h"
#include "core/json/archive.h"
#include "core/text/format.h"
#include "kernels/programs/compiler.h"
#include "kernels/programs/cuda_compiler.h"
#include "kernels/programs/sandbox.h"

namespace warplens {
namespace {

/// One thing a machine can do, or what keeps it from that and what to do about it.
struct MachineFinding final {
    std::string name;
    bool ok = false;
    std::string detail;
    std::string remedy;
};

using namespace std::chrono_literals;

constexpr const char* measureElsewhere =
    "recordings and predictions still work; --worker can measure on another machine";

/// Words of a command that failed, and what helps; HOST and PLACE are put in.
struct Remedy final {
    Transport transport;
    std::string_view words;
    std::string_view remedy;
};

constexpr std::array remedies{
    Remedy{Transport::ssh, "Permission denied",
           "HOST accepts no key of yours: `ssh-copy-id HOST` asks for the password once and leaves "
           "one there"},
    Remedy{Transport::ssh, "Host key verification failed",
           "`ssh HOST` once by hand, and confirm that it is that machine"},
    Remedy{Transport::ssh, "Could not resolve hostname",
           "no machine of that name is known here; ~/.ssh/config can give HOST an address"},
    Remedy{Transport::ssh, "Connection refused",
           "HOST is there but takes no ssh: its administrator can start sshd"},
    Remedy{Transport::ssh, "timed out",
           "HOST does not answer: is it on, and reachable from this network?"},
    Remedy{Transport::ssh, "No route to host",
           "HOST does not answer: is it on, and reachable from this network?"},
    Remedy{Transport::slurm, "srun: not found",
           "Slurm's commands are not on this machine; name one that has them, as in --worker 'ssh "
           "login PLACE'"},
    Remedy{Transport::slurm, "srun: command not found",
           "Slurm's commands are not on that machine; name the cluster's login node"},
    Remedy{Transport::slurm, "Invalid partition", "`sinfo` lists the partitions there are"},
    Remedy{Transport::slurm, "Invalid generic resource",
           "`sinfo -o '%P %G'` lists what the partitions have, as in gpu:1"},
    Remedy{Transport::slurm, "Requested node configuration is not available",
           "no node has that much; `sinfo -o '%P %G %l'` lists what there is"},
    Remedy{Transport::slurm, "Unable to contact slurm controller",
           "the cluster's controller does not answer; its administrator can tell"},
};

std::string filledIn(std::string_view remedy, const Route& route, const std::string& place) {
    std::string text(remedy);
    const auto put = [&](std::string_view name, const std::string& value) {
        for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;) {
            text.replace(at, name.size(), value);
            at += value.size();
        }
    };
    put("PLACE", place);
    put("HOST", route.host);
    return text;
}

bool isMissingProgram(const std::string& words) {
    for (const char* sign : {"not found", "No such file or directory"}) {
        if (words.find(sign) != std::string::npos && words.find("srun: ") == std::string::npos) {
            return true;
        }
    }
    return words.find("execve()") != std::string::npos;
}

std::string installing(const Route& route, const std::string& place) {
    const std::vector<std::string> own = wordsOf(defaultWorkerCommand());
    const std::string path = own.empty() ? "/path/to/warplens-measure" : own.front();
    const Installation installation = installationOn(route, path);
    if (!installation.command.empty()) {
        return "there is no such program on " + route.host + ". `" + installation.command +
               "` brings it there; then use --worker " + quotedForShell(installation.place);
    }
    if (route.transport == Transport::slurm && isPortable(path)) {
        return "there is no such program on the node. Where nodes share the homes, put this whole "
               "folder there; then use --worker '" +
               place + " FOLDER/bin/warplens-measure'";
    }
    if (route.transport == Transport::slurm) {
        return "there is no such program on the node. `cp " + quotedForShell(path) +
               " ~/` puts it where nodes that share the homes find it; then use --worker '" +
               place + " ~/warplens-measure'";
    }
    return "run it by hand to see more";
}

/// What the worker says about itself and the device, or why it does not.
std::variant<Description, Failure> describe(const std::string& place, const std::string& device,
                                            std::string& whereabouts) {
    const InterruptNoted noted;
    ProgressLine line("asking the worker");
    WorkerClient worker({.command = place, .deadline = 30s, .device = device});
    (void)worker.describe();
    while (true) {
        const std::optional<WorkerEvent> event = worker.wait(100ms);
        endIfInterrupted();
        if (!event) continue;
        line.clear();
        if (!std::holds_alternative<Progress>(event->body)) tellBanner(worker);
        if (const auto* failure = std::get_if<Failure>(&event->body)) return *failure;
        if (const auto* found = std::get_if<Description>(&event->body)) {
            whereabouts = worker.whereabouts();
            return *found;
        }
    }
}

std::string inWords(const Device& device) {
    return device.name + ", compute capability " + device.computeCapability + ", " +
           std::to_string(device.multiprocessors) + " SMs, " + formatBytes(device.memoryBytes) +
           ", driver " + device.driver + ", CUDA " + device.cuda +
           (device.uuid.empty() ? "" : ", " + device.uuid);
}

/// Rows of one GPU; `number` is empty where there is only one.
void examineDevice(const Description& found, const std::string& number,
                   std::vector<MachineFinding>& findings) {
    const std::string suffix = number.empty() ? "" : " " + number;
    if (found.device) {
        findings.push_back({"GPU" + suffix, true, inWords(*found.device), ""});
    } else {
        findings.push_back({"GPU" + suffix, false, found.deviceReason, measureElsewhere});
    }
    findings.push_back({"counters" + suffix, found.countersAvailable,
                        found.countersAvailable ? "CUPTI can read them" : found.countersReason,
                        found.countersAvailable ? "" : "everything else is measured without them"});
}

void tellOfNoWorker(const WorkerOptions& options, std::vector<MachineFinding>& findings) {
    const bool driver = std::filesystem::exists("/proc/driver/nvidia/version");
    findings.push_back(
        !options.places.empty()
            ? MachineFinding{"worker", false, "--worker is empty",
                             "name a worker's shell command, or leave --worker out"}
            : MachineFinding{"worker", false,
                             "warplens-measure is neither beside this program nor on PATH",
                             "install the CUDA Toolkit 13 and build again"});
    findings.push_back({"GPU", false,
                        driver ? "an NVIDIA driver is loaded, but there is no worker to ask it"
                               : "no NVIDIA driver is loaded",
                        measureElsewhere});
    findings.push_back({"counters", false, "no worker to read them", measureElsewhere});
}

/// What to do about a worker that did not answer: its command failed with these words.
std::string remedyFor(const std::string& place, const Failure& failure) {
    const Route route = routeOf(place);
    for (const Remedy& one : remedies) {
        const bool fits = one.transport == route.transport ||
                          (one.transport == Transport::ssh && !route.host.empty());
        if (fits && failure.message.find(one.words) != std::string::npos) {
            return filledIn(one.remedy, route, place);
        }
    }
    if (route.transport != Transport::here && isMissingProgram(failure.message)) {
        return installing(route, place);
    }
    return "run it by hand to see more";
}

/// What the worker that the options name can do, a row for each GPU there and its counters, or what
/// is wrong on the way to it and the command that helps. That nothing can be measured here is an
/// answer, and `done`; a worker that was named and does not answer is not.
ExitCode examineMeasuring(const WorkerOptions& options, std::vector<MachineFinding>& findings) {
    const std::string place = workerCommand(options);
    if (place.empty()) {
        tellOfNoWorker(options, findings);
        return options.places.empty() ? ExitCode::done : ExitCode::impossible;
    }
    std::string whereabouts;
    const auto answer = describe(place, options.device, whereabouts);
    if (const auto* failure = std::get_if<Failure>(&answer)) {
        findings.push_back(
            {"worker", false, place + ": " + failure->message, remedyFor(place, *failure)});
        findings.push_back({"GPU", false, "the worker did not answer", measureElsewhere});
        findings.push_back({"counters", false, "the worker did not answer", measureElsewhere});
        return options.places.empty() ? ExitCode::done : exitCodeFor(failure->kind);
    }
    const auto& found = std::get<Description>(answer);
    findings.push_back(
        {"worker", true,
         place + ", version " + found.version + (whereabouts.empty() ? "" : ", " + whereabouts),
         ""});
    if (found.devices.size() < 2 || !options.device.empty()) {
        examineDevice(found, "", findings);
        return ExitCode::done;
    }
    for (std::size_t number = 0; number < found.devices.size(); ++number) {
        const std::string name = std::to_string(number);
        // The first has answered already.
        const auto one = number == 0 ? answer : describe(place, name, whereabouts);
        if (const auto* description = std::get_if<Description>(&one)) {
            examineDevice(*description, name, findings);
        } else {
            findings.push_back({"GPU " + name, false,
                                found.devices[number].name + ", " + found.devices[number].uuid +
                                    ": " + std::get<Failure>(one).message,
                                measureElsewhere});
        }
    }
    return ExitCode::done;
}

struct DoctorOptions final {
    WorkerOptions worker;
    std::optional<std::string> recordings;
    bool json = false;
};

MachineFinding examineDrawing() {
    try {
        const window::OffscreenSurface surface({64, 64});
        return {"OpenGL", true, "3.3 offscreen on " + surface.renderer(), ""};
    } catch (const WindowUnavailable& none) {
        return {"OpenGL", false, none.reason, none.remedy};
    } catch (const std::exception& reason) {
        return {"OpenGL", false, reason.what(), ""};
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

/// Of all that a .cu file needs. The first compiler is used, where --compiler names no other.
MachineFinding examineCompiler() {
    const std::vector<programs::CudaCompiler> found = programs::cudaCompilers();
    const Sandbox& sandbox = Sandbox::ofThisMachine();
    const bool mayRun = sandbox.holds() || isUnconfinedAllowed();
    MachineFinding finding{"nvcc", false, "", ""};
    const auto lacks = [&](const std::string& what, const std::string& remedy) {
        finding.detail += (finding.detail.empty() ? "" : "; ") + what;
        finding.remedy += (finding.remedy.empty() ? "" : "; ") + remedy;
    };
    for (const programs::CudaCompiler& compiler : found) {
        const std::string version = mayRun ? programs::versionOf(compiler) : "is not run";
        finding.detail += (finding.detail.empty()   ? "used: "
                           : &compiler == &found[1] ? "; --compiler takes: "
                                                    : ", ") +
                          compiler.nvcc.string() + ' ' +
                          (version.empty() ? "that does not run" : version) + " (" +
                          compiler.foundBy + ')';
    }
    if (found.empty()) lacks("no compiler of NVIDIA's", programs::howToGetCompiler);
    if (hostCompiler().empty())
        lacks("no g++, which it needs for a program's host code",
              "install g++ (apt install g++), or name one with WARPLENS_CXX");
    if (!mayRun) lacks(sandbox.notHeld(), "--unconfined runs programs all the same");
    finding.ok = finding.remedy.empty();
    return finding;
}

std::string toText(const std::vector<MachineFinding>& findings) {
    std::vector<std::vector<std::string>> rows;
    for (const MachineFinding& finding : findings) {
        rows.push_back({finding.name, finding.ok ? "ok" : "missing", finding.detail});
        if (!finding.remedy.empty()) rows.push_back({"", "", "-> " + finding.remedy});
    }
    return toTable(rows);
}

struct DoctorReport final {
    std::vector<MachineFinding> checks;
};

void describe(Archive& v, DoctorReport& report) {
    describeVersion(v);
    v.each("checks", report.checks, "One for each thing.", [&](MachineFinding& check) {
        v("name", check.name,
          "What: warplens, worker, GPU, counters, OpenGL, display, nvcc, recordings.");
        v("ok", check.ok, "Whether it is there.");
        v("detail", check.detail, "What was found.");
        v("remedy", check.remedy, "What to do about it; empty where nothing.");
    });
}

ExitCode run(const DoctorOptions& options) {
    std::vector<MachineFinding> findings{{"warplens", true, "version " + version(), ""}};
    const ExitCode code = examineMeasuring(options.worker, findings);
    findings.push_back(examineDrawing());
    findings.push_back(examineDisplay());
    findings.push_back(examineCompiler());
    findings.push_back(examineRecordings(libraryFrom(options.recordings)));
    if (options.json) {
        printDocument(Document::doctor, DoctorReport{findings});
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
    return {.parser = parser,
            .run = [options] { return run(*options); },
            .schemas = {{Document::doctor, schemaFor<DoctorReport>}}};
}

}  // namespace warplens
