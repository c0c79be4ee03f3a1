#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "app/cli/documentation/schemas.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/subcommand.h"
#include "app/cli/text_table.h"
#include "app/cli/worker_check.h"
#include "app/window/gl/offscreen_surface.h"
#include "app/window/window.h"
#include "core/json/archive.h"
#include "core/text/format.h"
#include "kernels/programs/nvcc/cuda_compiler.h"

namespace warplens {
namespace {

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

MachineFinding examineCompiler() {
    const std::vector<programs::CudaCompiler> found = programs::cudaCompilers();
    std::string all;
    for (const programs::CudaCompiler& compiler : found) {
        all += (all.empty() ? "" : "; ") + compiler.nvcc.string() + " " +
               programs::versionOf(compiler) + " (" + compiler.foundBy + ")";
    }
    if (!found.empty()) return {"nvcc", true, all, ""};
    return {"nvcc", false, "no compiler of NVIDIA's",
            "what it makes of a .cu file is told where the CUDA toolkit is installed, or CUDA_HOME "
            "names its folder"};
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
    return {parser, [options] { return run(*options); }};
}

std::string doctorSchema() {
    return schemaFor<DoctorReport>(Document::doctor);
}

}  // namespace warplens
