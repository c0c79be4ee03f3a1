#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "app/cli/progress.h"
#include "app/cli/subcommand.h"
#include "app/drawing/plot_sweep.h"
#include "app/figure/compose.h"
#include "core/text/format.h"

namespace warplens {
namespace {

struct RooflineOptions final {
    std::optional<std::string> recordings;
    PageOptions page;
    TableOptions table;
    bool json = false;
};

TextRows rowsOf(const Roofline& roofline) {
    TextRows rows{{"", "product", "sizes", "FLOP/access", "FLOP/DRAM byte", "FLOP/s"}};
    int number = 0;
    for (const drawing::RoofRow& row : drawing::rowsOf(roofline)) {
        rows.push_back({std::to_string(++number), row.name, row.sizes, row.perAccess,
                        row.perDramByte, row.rate});
    }
    return rows;
}

/// For programs: every number plain, and nothing where there is none.
TextRows numbersOf(const Roofline& roofline) {
    TextRows rows{{"product", "sizes", "flop_per_access", "flop_per_dram_byte", "flop_per_second"}};
    const auto plain = [](const std::optional<double>& number) {
        return number ? plainNumber(*number) : std::string();
    };
    const std::vector<drawing::RoofRow> words = drawing::rowsOf(roofline);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const RoofPoint& point = roofline.points[i];
        rows.push_back({words[i].name, words[i].sizes, plain(point.flopsPerAccess()),
                        plain(point.cached ? std::nullopt : point.flopsPerDramByte()),
                        plain(point.flopRate())});
    }
    return rows;
}

std::string reportOf(const Roofline& roofline) {
    std::string text = toTable(rowsOf(roofline)) +
                       "\nFLOP/access: for each 4 bytes asked of global memory, "
                       "predicted; DRAM bytes counted; FLOP/s timed\n";
    for (const std::string& line : drawing::provenanceOf(roofline)) text += line + '\n';
    return text;
}

ExitCode run(const RooflineOptions& options, std::vector<LimitViolation> violations) {
    const FigurePage drawn = figurePageFrom(options.page, violations);
    if (!violations.empty()) throw InvalidRequest(std::move(violations));

    RecordingLibrary library = libraryFrom(options.recordings);
    Roofline roofline = [&] {
        const ProgressLine line("tracing the products");
        return drawing::rooflineOf(rooflineExperiments(), measurementsIn(library));
    }();
    roofline.recorded = true;
    if (drawn.format) drawn.write(figure::composeRoofline(roofline, drawn.page));
    printResult(
        options.json, options.table, Document::roofline, [&]() -> const auto& { return roofline; },
        [&] { return options.table.csv ? numbersOf(roofline) : rowsOf(roofline); },
        [&] { return reportOf(roofline); });
    return ExitCode::done;
}

}  // namespace

Subcommand addRooflineCommand(CLI::App& program) {
    const auto options = std::make_shared<RooflineOptions>();
    CLI::App* parser = program.add_subcommand(
        "roofline", "set the matrix products under what a device can compute and move");
    addRecordingsOption(*parser, options->recordings);
    addPageOptions(*parser, options->page);
    addJsonFlag(*parser, options->json);
    addTableFlags(*parser, options->table);
    return {parser, [options, parser] {
                std::vector<LimitViolation> idle;
                refusePageWithoutFile(*parser, idle);
                return run(*options, std::move(idle));
            }};
}

}  // namespace warplens
