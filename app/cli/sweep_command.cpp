#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "app/cli/program_options.h"
#include "app/cli/progress.h"
#include "app/cli/subcommand.h"
#include "app/cli/sweeping.h"
#include "app/figure/compose.h"
#include "core/json/archive.h"
#include "core/json/json.h"
#include "core/launch/launch.h"
#include "core/program/line_costs.h"
#include "core/sweep/quantity.h"
#include "core/sweep/sweep.h"
#include "core/text/files.h"
#include "core/text/format.h"

namespace warplens {
namespace {

constexpr const char* overHelp =
    "what to vary: an argument, as in stride=1..128, n=64..1024:64 (every 64th), tile=8..32:x2 "
    "(times 2) or tile=8,16,32; grid=132..4224:x2 (blocks along x), block.x=32..1024:x2 (threads "
    "along x); array-offset=0..63; the "
    "block's shape: block=256 (every x*y=256), "
    "block=256:z (every x*y*z=256), block=32..1024 (every x*y that is a power of two between)";

struct SweepOptions final {
    ExperimentOptions experiment;
    ProgramOptions program;
    std::string over;
    WorkerOptions worker;
    std::optional<std::string> recordings;
    std::optional<std::string> save;
    std::optional<std::string> resume;
    std::vector<std::string> metrics;
    PageOptions page;
    bool predictOnly = false;
    bool force = false;
    bool json = false;
    TableOptions table;

    /// Without a GPU a sweep is predicted, unless what was asked for needs one.
    [[nodiscard]] bool mustMeasure() const { return save || resume || !worker.places.empty(); }
    [[nodiscard]] const std::optional<std::string>& file() const { return save ? save : resume; }
};

SweepPlan planFrom(const SweepOptions& options) {
    std::vector<LimitViolation> violations;
    Axis axis;
    Experiment experiment;
    collect(violations, [&] { axis = axisFrom(options.over); });
    collect(violations, [&] { experiment = experimentFrom(options.experiment); });
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    return planOf(std::move(experiment), !options.experiment.grid, std::move(axis));
}

/// What is varied cannot stand still, too.
void refuseVariedAndSet(const SweepOptions& options, std::vector<LimitViolation>& violations) {
    const auto axis = parseAxis("--over", options.over);
    if (options.over.empty() || std::holds_alternative<LimitViolation>(axis))
        return;  // said elsewhere
    const std::string varied = nameOf(std::get<Axis>(axis));
    const ExperimentOptions& set = options.experiment;
    const auto refuse = [&](const char* option, const std::string& value) {
        violations.push_back({option, "'" + value + "'", "not what --over varies"});
    };
    for (const std::string& setting : set.set) {
        if (setting.substr(0, setting.find('=')) == varied) refuse("--set", setting);
    }
    if (varied == "grid" && set.grid && set.grid->find_first_of(",x") == std::string::npos) {
        refuse("--grid", *set.grid);
    }
    if (varied == "block" && set.block) refuse("--block", *set.block);
    if (varied == "array-offset" && set.arrayOffset) {
        refuse("--array-offset", std::to_string(*set.arrayOffset));
    }
}

/// The sweep kept in the file. What is said beside it must be the same.
Sweep resumed(const SweepOptions& options) {
    Sweep sweep = loadSweep(*options.resume).sweep;
    const std::string kept = "the sweep of " + sweep.plan.base.scenario + " over " +
                             toString(sweep.plan.axis) + " in " + *options.resume;
    const std::string& scenario = options.experiment.scenario;
    if (!scenario.empty() && scenario != sweep.plan.base.scenario) {
        throw InvalidRequest({{"scenario", "'" + scenario + "'", "that of " + kept}});
    }
    const bool setAnew = options.experiment.grid || options.experiment.block ||
                         !options.experiment.set.empty() || options.experiment.arrayOffset;
    if ((!options.over.empty() || setAnew) && !(planFrom(options) == sweep.plan)) {
        throw InvalidRequest({{"--over and sizes", "'" + options.over + "'", "those of " + kept}});
    }
    forgetFailures(sweep);
    return sweep;
}

std::vector<Quantity> quantitiesFrom(const std::vector<std::string>& ids) {
    std::vector<Quantity> quantities;
    for (const std::string& id : ids) {
        const Quantity* const quantity = findQuantity(id);
        if (quantity == nullptr) {
            std::string known;
            for (const Quantity& one : allQuantities()) known += " " + std::string(one.id);
            throw InvalidRequest({{"--metric", "'" + id + "'", "one of" + known}});
        }
        quantities.push_back(*quantity);
    }
    return quantities;
}

/// Keeps the sweep in its file, as far as it has more to keep than the file.
class SweepFile final {
  public:
    SweepFile(const SweepOptions& options, const Sweep& sweep)
        : path_(options.file()), written_(options.save ? Known{} : knownOf(sweep)) {}

    /// Writes a point that was measured at once. Predictions are soon made again: of many, only so
    /// often that writing takes a twentieth of the time.
    void keep(const Sweep& sweep, bool atOnce = true) {
        const Known known = knownOf(sweep);
        const auto start = Clock::now();
        if (!path_ || known <= written_ || (!atOnce && start < notBefore_)) return;
        try {
            save(sweep, *path_);
        } catch (const std::exception& error) {
            problem_ = error.what();  // a sweep of an hour is not given up for it
            path_.reset();
        }
        written_ = known;
        notBefore_ = Clock::now() + 19 * (Clock::now() - start);
    }

    /// Why the rest is not kept; empty where it is.
    [[nodiscard]] const std::string& problem() const { return problem_; }

  private:
    using Clock = std::chrono::steady_clock;
    /// What was measured counts before all else.
    using Known = std::pair<std::size_t, std::size_t>;
    static Known knownOf(const Sweep& sweep) {
        return {sweep.measuredCount(), sweep.failedCount() + sweep.predictedCount()};
    }

    std::optional<std::string> path_;
    std::string problem_;
    Known written_;
    Clock::time_point notBefore_{};
};

/// Measures what is open; where that is not possible recordings stand in, unless measuring is what
/// was asked for. Says in `recorded` whether no point was measured now.
SweepEnd measure(Sweep& sweep, const SweepOptions& options, SweepFile& file, bool& recorded) {
    const std::size_t before = sweep.measuredCount();
    SweepEnd end;
    try {
        end = measurePoints(sweep, options.worker, [&] { file.keep(sweep); });
    } catch (const CommandFailed& failure) {
        end = {failure.code(), {failure.what()}};
    }
    recorded = sweep.measuredCount() == before;
    if (end.code != ExitCode::impossible || options.mustMeasure()) return end;
    RecordingLibrary library = libraryFrom(options.recordings);
    addBuiltInSweeps(library);
    fillFrom(sweep, measurementsIn(library));
    const std::size_t found = sweep.measuredCount();
    end.problems.push_back(
        found == 0 ? "there is no recording of these points either: predicted only"
                   : std::to_string(found) + " of " + std::to_string(sweep.points.size()) +
                         " points are from recordings instead");
    return {ExitCode::done, std::move(end.problems)};
}

/// What is wrong with the files to write, before any work.
void requireNothingLost(const SweepOptions& options, const Sweep& sweep) {
    if (options.save && options.save != options.resume) {
        requireNothingLost("--save", *options.save, sweep, options.force);
    } else if (options.resume) {
        requireWritable("--resume", *options.resume);
    }
    if (options.page.path) {
        requireNoneButPictureLost("--output", *options.page.path, options.force);
    }
}

/// Options that change nothing beside the others.
std::vector<LimitViolation> idleIn(const CLI::App& parser, const SweepOptions& options) {
    std::vector<LimitViolation> idle;
    refusePageWithoutFile(parser, idle);
    if (options.predictOnly) {
        refuseMeasuringOptions(parser, "without --predict-only", idle);
        refuseIdle(parser, {"--recordings"}, "without --predict-only", idle);
    } else if (options.mustMeasure()) {
        refuseIdle(parser, {"--recordings"}, "without --worker, --save and --resume", idle);
    }
    if (options.json && !options.page.path) {
        refuseIdle(parser, {"--metric"}, "with --output, or without --json", idle);
    }
    if (!options.save && !options.resume && !options.page.path) {
        refuseIdle(parser, {"--force"}, "with --save, --resume or --output", idle);
    }
    refuseVariedAndSet(options, idle);
    return idle;
}

/// The file that is written after each point, held from before it is read. Nothing where none is.
std::optional<FileLock> lockedFile(const SweepOptions& options) {
    if (!options.file()) return std::nullopt;
    std::optional<FileLock> lock = FileLock::of(*options.file());
    if (!lock) {
        throw CommandFailed(ExitCode::failed, "another sweep is being written to " +
                                                  *options.file() +
                                                  ": wait for its end, or --save to another file");
    }
    return lock;
}

ExitCode run(const SweepOptions& options, std::vector<LimitViolation> violations) {
    const std::optional<FileLock> lock = lockedFile(options);
    std::vector<Quantity> quantities;
    Sweep sweep;
    collect(violations,
            [&] { sweep = options.resume ? resumed(options) : sweepOf(planFrom(options)); });
    collect(violations, [&] { quantities = quantitiesFrom(options.metrics); });
    const FigurePage drawn = figurePageFrom(options.page, violations);
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    requireNothingLost(options, sweep);

    const InterruptNoted noted;
    SweepFile file(options, sweep);
    bool recorded = true;
    SweepEnd end;
    if (!options.predictOnly && sweep.nextToMeasure()) {
        end = measure(sweep, options, file, recorded);
    }
    if (!InterruptNoted::happened() &&
        !predictPoints(sweep, [&] { file.keep(sweep, /*atOnce=*/false); })) {
        end.code = exitCodeForSignal(InterruptNoted::signal());
        end.problems.emplace_back("cancelled while predicting");
    }
    file.keep(sweep);
    if (quantities.empty()) quantities = tellingQuantities(sweep);
    if (drawn.format && !InterruptNoted::happened()) {
        drawn.write(figure::composeSweep({sweep, quantities, recorded}, drawn.page));
    }
    printResult(
        options.json, options.table, Document::sweep, [&]() -> const auto& { return sweep; },
        [&] { return rowsOf(sweep); }, [&] { return reportOf(sweep, quantities, recorded); });
    for (const std::string& problem : end.problems) complain(problem);
    if (drawn.format && InterruptNoted::happened()) {
        complain("no figure: it would have a part of the points");
    }
    if (!file.problem().empty()) {
        complain("not all is kept: " + file.problem());
        if (end.code == ExitCode::done) end.code = ExitCode::failed;
    } else if (options.file() && sweep.nextToMeasure() && !options.predictOnly) {
        complain("kept in " + *options.file() + "; --resume " + *options.file() + " goes on");
    }
    return end.code;
}

struct ProgramPoint final {
    std::string value;  ///< `N=64`, `block=16,16`
    TraceRequest request;
    ProgramTrace trace{};
    std::string failure{};
};

std::string shapeWords(Extents extents) {
    return std::to_string(extents.x) + ',' + std::to_string(extents.y) + ',' +
           std::to_string(extents.z);
}

std::vector<ProgramPoint> programPointsOf(const TraceRequest& base, const Axis& axis) {
    std::vector<ProgramPoint> points;
    if (const auto* shapes = std::get_if<BlockAxis>(&axis)) {
        for (const Extents shape : shapesOf(*shapes)) {
            points.push_back({"block=" + shapeWords(shape), base});
            points.back().request.block = shape;
        }
        return points;
    }
    const auto& argument = std::get<ArgumentAxis>(axis);
    for (const std::int64_t value : argument.values) {
        const std::string setting = argument.name + '=' + std::to_string(value);
        ProgramPoint& point = points.emplace_back(ProgramPoint{setting, base});
        const auto extent = static_cast<std::uint32_t>(value);
        if (argument.name == "grid") {
            point.request.grid = Extents{extent, 1, 1};
        } else if (argument.name == "block.x") {
            Extents block = base.block.value_or(Extents{1, 1, 1});
            block.x = extent;
            point.request.block = block;
        } else {
            point.request.source.settings.push_back(setting);
        }
    }
    return points;
}

void predictProgramPoint(ProgramPoint& point) {
    try {
        point.trace = tracedShowing(point.request).trace;
        if (point.trace.launches.empty() && !point.trace.findings.empty()) {
            point.failure = point.trace.findings.front().words;
        }
    } catch (const CommandFailed& failed) {
        if (failed.code() == ExitCode::impossible) throw;
        point.failure = failed.what();
    } catch (const InvalidRequest& invalid) {
        point.failure = joined(invalid.violations(), "; ",
                               [](const LimitViolation& violation) { return toString(violation); });
    }
}

/// One row for each launch of each point.
TextRows programRowsOf(const std::vector<ProgramPoint>& points, bool grouped) {
    TextRows rows{{"point", "launch", "kernel", "grid", "block", "threads", "requests", "sectors",
                   "ideal_sectors", "shared_requests", "wavefronts", "ideal_wavefronts", "branches",
                   "divergent", "findings"}};
    const auto number = [&](std::uint64_t value) {
        return grouped ? groupedDigits(value) : std::to_string(value);
    };
    for (const ProgramPoint& point : points) {
        if (!point.failure.empty()) {
            rows.push_back({point.value, "-", point.failure.substr(0, point.failure.find('\n'))});
            rows.back().resize(rows.front().size());
        }
        for (const LaunchReport& launch : point.trace.launches) {
            if (!launch.traced) continue;
            const LineCosts costs = costsOf(launch);
            rows.push_back({point.value, std::to_string(launch.index), launch.kernel,
                            toString(launch.launch.grid), toString(launch.launch.block),
                            number(launch.launch.threadCount()), number(costs.global.requests),
                            number(costs.global.sectors), number(costs.global.idealSectors),
                            number(costs.shared.requests), number(costs.shared.wavefronts),
                            number(costs.shared.idealWavefronts), number(costs.branch.requests),
                            number(costs.branch.divergent),
                            std::to_string(point.trace.findings.size())});
        }
    }
    return rows;
}

/// With other blocks, the rows of a launch are of the same work only where as many threads do it,
/// those aside that the last blocks have in excess.
void tellOtherWork(const std::vector<ProgramPoint>& points) {
    std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> threads;  // least and most
    std::set<std::uint32_t> others;
    for (const ProgramPoint& point : points) {
        for (const LaunchReport& launch : point.trace.launches) {
            const std::uint64_t count = launch.launch.threadCount();
            if (point.request.grid || !launch.overridden || count < launch.own.threadCount())
                others.insert(launch.index);
            const auto [known, isNew] = threads.try_emplace(launch.index, count, count);
            known->second = {std::min(known->second.first, count),
                             std::max(known->second.second, count)};
        }
    }
    for (const auto& [index, range] : threads) {
        if (range.first == range.second || !others.contains(index)) continue;
        complain("launch " + std::to_string(index) + " has " + groupedDigits(range.first) + " to " +
                 groupedDigits(range.second) +
                 " threads: the points are not of the same work where the grid stays as it is");
    }
}

struct ProgramSweep final {
    std::string program;
    std::string over;
    std::vector<ProgramPoint> points;
};

void describe(Archive& v, ProgramPoint& point) {
    v("value", point.value, "What was set, as in N=64.");
    v.optional("failure", point.failure,
               "Why it has no launches: the compiler's words, say. Absent where it has.");
    v("launches", point.trace.launches, "In order of launching.");
}

void describe(Archive& v, ProgramSweep& sweep) {
    describeVersion(v);
    v("program", sweep.program, "The file.");
    v("over", sweep.over, "What is varied, as --over reads it.");
    v("points", sweep.points, "In order.");
}

/// Predicts the program once for each point of the axis, a macro (of a file without main: a number
/// of its kernels), `grid`, `block.x` or the block's shape, and prints its launches' totals. What
/// keeps one point from being predicted is told there. Throws CommandFailed where no point could
/// be.
ExitCode sweepProgram(const TraceRequest& base, const Axis& axis, const TableOptions& table,
                      bool json) {
    std::vector<ProgramPoint> points = programPointsOf(base, axis);
    bool some = false;
    for (ProgramPoint& point : points) {
        predictProgramPoint(point);
        some = some || point.failure.empty();
    }
    if (!some) {
        throw CommandFailed(ExitCode::failed, points.front().value + ": " + points.front().failure);
    }
    const auto* const argument = std::get_if<ArgumentAxis>(&axis);
    if (argument == nullptr || argument->name == "block.x") tellOtherWork(points);
    printResult(
        json, table, Document::programSweep,
        [&] {
            return ProgramSweep{base.source.files.front().string(), toString(axis), points};
        },
        [&] { return programRowsOf(points, false); },
        [&] { return toTable(programRowsOf(points, true)); });
    return ExitCode::done;
}

/// Of a .cu file: predicted, and not kept.
ExitCode runProgram(const CLI::App& parser, const SweepOptions& options,
                    std::vector<LimitViolation> violations) {
    refuseMeasuringOptions(parser, "with a scenario", violations);
    Axis axis;
    TraceRequest request;
    collect(violations, [&] { axis = axisFrom(options.over); });
    collect(violations, [&] { request = traceRequestFrom(options.experiment, options.program); });
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    return sweepProgram(request, axis, options.table, options.json);
}

}  // namespace

Subcommand addSweepCommand(CLI::App& program) {
    const auto options = std::make_shared<SweepOptions>();
    CLI::App* parser = program.add_subcommand(
        "sweep",
        "vary an argument or the block's shape, and set what is predicted and measured "
        "beside one another");
    addExperimentOptions(*parser, options->experiment);
    addArrayOffsetOption(*parser, options->experiment);
    addText(*parser, "--over", options->over, value::axis, overHelp);
    addSharedMeasuringOptions(*parser, options->worker);
    parser->add_flag("--predict-only", options->predictOnly, "measure nothing");
    addRecordingsOption(*parser, options->recordings);
    addText(*parser, "--save", options->save, value::file,
            "keep the sweep there, written after every point that is measured");
    addText(*parser, "--resume", options->resume, value::file,
            "go on with the sweep kept there, and keep it there unless --save names another file");
    addText(*parser, "--metric", options->metrics, value::quantity,
            "quantity to show, as in effective_bandwidth; may be repeated, a figure shows "
            "the first two; left out, those that tell most");
    addPageOptions(*parser, options->page);
    addForceFlag(*parser, options->force);
    addJsonFlag(*parser, options->json);
    addTableFlags(*parser, options->table);
    addProgramOptions(*parser, options->program);
    return {
        parser,
        [options, parser] {
            return runSubject(
                *parser, options->experiment.scenario, options->program,
                {.ofScenarios = {"--array-offset", "--recordings", "--save", "--resume", "--metric",
                                 "--output", "--size", "--theme", "--force"},
                 .scenario = [&] { return run(*options, idleIn(*parser, *options)); },
                 .program =
                     [&](auto idle) { return runProgram(*parser, *options, std::move(idle)); }});
        },
        &options->program.arguments,
        {{Document::programSweep, schemaFor<ProgramSweep>}}};
}

}  // namespace warplens
