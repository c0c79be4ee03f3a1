#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/subcommand.h"
#include "app/cli/text_table.h"
#include "app/drawing/plot_roof.h"
#include "app/drawing/roof_points.h"
#include "app/figure/roofline.h"
#include "core/text/atomic_file.h"

namespace warplens {
namespace {

/// Lane accesses up to which a product is traced whole.
constexpr std::uint64_t tracedForRoof = 20'000'000;

struct RooflineOptions final {
    std::optional<std::string> recordings;
    std::string figure;
    std::string size = "1280x720";
    std::string theme = "light";
    bool json = false;
};

std::string reportOf(const Roofline& roofline) {
    std::vector<std::vector<std::string>> rows{
        {"", "product", "sizes", "FLOP/access", "FLOP/DRAM byte", "FLOP/s"}};
    int number = 0;
    for (const drawing::RoofRow& row : drawing::rowsOf(roofline)) {
        rows.push_back({std::to_string(++number), row.name, row.sizes, row.perAccess,
                        row.perDramByte, row.rate});
    }
    std::string text = toTable(rows) +
                       "\nFLOP/access: for each 4 bytes asked of global memory, "
                       "predicted; DRAM bytes counted; FLOP/s timed\n";
    for (const std::string& line : drawing::provenanceOf(roofline)) text += line + '\n';
    return text;
}

ExitCode run(const RooflineOptions& options) {
    std::vector<Breach> breaches;
    figure::Page page;
    figure::Format format{};
    const auto collect = [&](auto&& read) {
        try {
            read();
        } catch (const InvalidRequest& invalid) {
            breaches.insert(breaches.end(), invalid.breaches().begin(), invalid.breaches().end());
        }
    };
    collect([&] { page.size = figure::pageSizeFrom(options.size); });
    collect([&] { page.theme = figure::themeFrom(options.theme); });
    if (!options.figure.empty()) collect([&] { format = figure::formatOf(options.figure); });
    if (!breaches.empty()) throw InvalidRequest(std::move(breaches));

    RecordingLibrary library = libraryFrom(options.recordings);
    Roofline roofline =
        drawing::rooflineOf(rooflineExperiments(), measurementsIn(library), tracedForRoof);
    roofline.recorded = true;
    if (!options.figure.empty()) {
        writeFileAtomically(options.figure,
                            figure::render(figure::composeRoofline(roofline, page), format));
    }
    print(options.json ? toJson(roofline) + '\n' : reportOf(roofline));
    return ExitCode::done;
}

}  // namespace

Subcommand addRooflineCommand(CLI::App& program) {
    const auto options = std::make_shared<RooflineOptions>();
    CLI::App* parser = program.add_subcommand(
        "roofline", "set the matrix products under what a device can compute and move");
    addRecordingsOption(*parser, options->recordings);
    parser->add_option("-o,--output", options->figure, "figure to draw: .pdf, .svg or .png");
    parser->add_option("--size", options->size, "points or pixels, as in 1280x720")
        ->capture_default_str();
    parser->add_option("--theme", options->theme, "light, dark or print")->capture_default_str();
    addJsonFlag(*parser, options->json);
    return {parser, [options] { return run(*options); }};
}

}  // namespace warplens
