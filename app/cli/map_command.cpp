#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>
#include <optional>
#include <unistd.h>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/subcommand.h"
#include "core/json/archive.h"
#include "core/json/json.h"
#include "core/kernel/problem_share.h"
#include "core/launch/mapping.h"
#include "core/scenario/scenario.h"
#include "core/text/format.h"

namespace warplens {
namespace {

// Every thread of a launch, blocks and threads in linear order, written as it is computed: memory
// does not grow with the launch.

/// Calls `visit(block, thread, rank)` for every thread in linear order. Where they run over the
/// terminal that is progress enough.
void forEachThread(const Launch& launch, const auto& visit) {
    const auto threads = static_cast<std::uint32_t>(launch.block.count());
    std::optional<ProgressLine> line;
    if (::isatty(STDOUT_FILENO) != 1) line.emplace("writing threads");
    const auto blocks = static_cast<double>(launch.grid.count());
    for (std::uint64_t blockRank = 0; blockRank < launch.grid.count(); ++blockRank) {
        if (line && blockRank % 1024 == 0) line->show(static_cast<double>(blockRank) / blocks);
        const Index3 block = blockIndexInGrid(blockRank, launch.grid);
        for (ThreadRank rank; rank.value < threads; ++rank.value) {
            visit(block, threadIndexInBlock(rank, launch.block), rank);
        }
    }
}

/// Builds one line without allocating.
class Line final {
  public:
    Line& add(std::string_view text) {
        text.copy(end_, text.size());
        end_ += text.size();
        return *this;
    }
    Line& add(std::uint64_t number) {
        end_ = std::to_chars(end_, text_ + sizeof text_, number).ptr;
        return *this;
    }
    [[nodiscard]] std::string_view text() const {
        return {text_, static_cast<std::size_t>(end_ - text_)};
    }

  private:
    char text_[256];  // ten numbers of at most 20 digits and the names between them
    char* end_ = text_;
};

/// Lines `block_x,..,lane,element`; `linear`, `warp` and `lane` are within the block, `element` is
/// empty for a thread outside the problem.
void writeThreadsAsCsv(const Experiment& experiment, Output& output) {
    output.write("block_x,block_y,block_z,thread_x,thread_y,thread_z,linear,warp,lane,element\n");
    const Kernel& kernel = kernelOf(experiment);
    forEachThread(experiment.launch, [&](Index3 block, Index3 thread, ThreadRank rank) {
        Line line;
        for (const std::uint32_t index : {block.x, block.y, block.z, thread.x, thread.y, thread.z,
                                          rank.value, warpRankInBlock(rank).value}) {
            line.add(index).add(",");
        }
        line.add(laneIndex(rank).value).add(",");
        if (const auto element =
                kernel.element(experiment.arguments, experiment.launch, block, thread)) {
            line.add(*element);
        }
        output.write(line.add("\n").text());
    });
}

/// One thread, as its line is written below.
struct ListedThread final {
    Index3 block;
    Index3 thread;
    std::uint32_t linear = 0;
    std::uint32_t warp = 0;
    std::uint32_t lane = 0;
    std::optional<std::uint64_t> element;
};

void describe(Archive& v, ListedThread& thread) {
    v("block", thread.block, "Index of its block.");
    v("thread", thread.thread, "Its index in the block.");
    v("linear", thread.linear, "Its linear rank in the block.", {.most = 1023});
    v("warp", thread.warp, "Rank of its warp in the block.", {.most = 31});
    v("lane", thread.lane, "Its lane.", {.most = 31});
    v.nullable("element", thread.element,
               "The element of the output that it computes; null for a thread outside the "
               "problem.");
}

/// What stands before the threads.
void describeHead(Archive& v, Experiment experiment) {
    describeVersion(v);
    describe(v, experiment);
}

/// One object: `scenario`, `launch`, `arguments` and `threads`, each thread with what CSV has and
/// its `element` of the output array, null for a thread outside the problem.
void writeThreadsAsJson(const Experiment& experiment, Output& output) {
    const Kernel& kernel = kernelOf(experiment);
    std::string head = writeDocument(
        Document::map, [&](Archive& v) { describeHead(v, experiment); }, -1);
    head.pop_back();  // the closing brace: the threads go in before it
    output.write(head + ",\"threads\":[");
    std::string_view separator = "\n";
    forEachThread(experiment.launch, [&](Index3 block, Index3 thread, ThreadRank rank) {
        Line line;
        line.add(separator).add("{\"block\":[").add(block.x).add(",").add(block.y).add(",");
        line.add(block.z).add("],\"thread\":[").add(thread.x).add(",").add(thread.y).add(",");
        line.add(thread.z).add("],\"linear\":").add(rank.value).add(",\"warp\":");
        line.add(warpRankInBlock(rank).value).add(",\"lane\":").add(laneIndex(rank).value);
        line.add(",\"element\":");
        const auto element = kernel.element(experiment.arguments, experiment.launch, block, thread);
        if (element) {
            line.add(*element);
        } else {
            line.add("null");
        }
        output.write(line.add("}").text());
        separator = ",\n";
    });
    output.write("\n]}\n");
}

constexpr int shownRuns = 3;

/// Numbers that follow one another written together: `0-15, 512-527`, with what is too much for a
/// table left out: `0, 512, 1024, ... 15872`.
class Runs final {
  public:
    void add(std::uint64_t number) {
        if (last_ && number == *last_ + 1) {
            last_ = number;
            return;
        }
        finishRun();
        first_ = last_ = number;
    }
    [[nodiscard]] std::string text() {
        finishRun();
        first_ = last_ = std::nullopt;
        if (runs_ > shownRuns + 1) return text_ + ", ... " + latest_;
        return runs_ > shownRuns ? text_ + ", " + latest_ : text_;
    }

  private:
    void finishRun() {
        if (!first_) return;
        latest_ = std::to_string(*first_) + (*last_ == *first_ ? "" : "-" + std::to_string(*last_));
        if (++runs_ <= shownRuns) text_ += (text_.empty() ? "" : ", ") + latest_;
    }
    std::optional<std::uint64_t> first_;
    std::optional<std::uint64_t> last_;
    std::string text_;
    std::string latest_;
    int runs_ = 0;
};

std::string coverageOfProblem(const Experiment& experiment, const Kernel& kernel) {
    if (kernel.work.empty()) return "";
    const ProblemShare share = shareOf(kernel, experiment.arguments, experiment.launch);
    // Where fewer elements are written than there are to work on.
    const auto output = std::ranges::find(kernel.arrays, ArrayRole::output, &KernelArray::role);
    const bool writesFewer = !kernel.writtenBy.empty() && output != kernel.arrays.end() &&
                             output->length(experiment.arguments, experiment.launch) <
                                 kernel.work(experiment.arguments).count();
    std::string text = "coverage   " + groupedDigits(share.inside) + " threads have " +
                       (writesFewer ? "a part of the work, " : "an element, ") +
                       groupedDigits(share.outside) + " have none, " + groupedDigits(share.missed) +
                       (writesFewer ? " parts" : " elements") + " are missed\n";
    if (share.times > 1) {
        text += "           each is done " + groupedDigits(share.times) +
                " times, by threads that differ in what the kernel does not look at\n";
    }
    if (writesFewer) {
        text += "           some of them write: the elements below and of --csv are those of " +
                output->name + "\n";
    }
    return text;
}

std::vector<std::string> rowOf(const Experiment& experiment, const Kernel& kernel, WarpRank warp) {
    const Extents block = experiment.launch.block;
    const ThreadRank first = firstThreadOfWarp(warp);
    const std::uint32_t count = threadCountInWarp(warp, block);
    Runs elements;
    std::uint32_t outside = 0;
    for (std::uint32_t lane = 0; lane < count; ++lane) {
        const Index3 thread = threadIndexInBlock({first.value + lane}, block);
        const auto element = kernel.element(experiment.arguments, experiment.launch, {}, thread);
        if (element) {
            elements.add(*element);
        } else {
            ++outside;
        }
    }
    std::string reached = elements.text();
    if (outside != 0) {
        reached += (reached.empty() ? "" : "; ") + std::to_string(outside) + " without one";
    }
    const ThreadRank last{first.value + count - 1};
    return {std::to_string(warp.value), std::to_string(count),
            std::to_string(first.value) + "-" + std::to_string(last.value),
            toString(threadIndexInBlock(first, block)) + " to " +
                toString(threadIndexInBlock(last, block)),
            reached};
}

/// Summary of the launch, and the warps of the first block with their threads and elements.
std::string warpSummary(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    const Launch& launch = experiment.launch;
    const std::uint32_t warps = warpCountPerBlock(launch.block);
    std::string text = titleOf(experiment) + "\n\n";
    text += "threads    " + groupedCount(launch.threadCount()) + ": " +
            counted(launch.grid.count(), "block") + " of " + groupedDigits(launch.block.count()) +
            '\n';
    text += "warps      " + std::to_string(warps) + " in each block, " +
            counted(idleLaneCount(launch.block), "lane") + " of the last one idle\n";
    text += coverageOfProblem(experiment, kernel);
    text += "\nEvery block is split alike. The first one:\n";
    std::vector<std::vector<std::string>> rows{
        {"warp", "threads", "linear", "thread (x,y,z)", "elements"}};
    for (WarpRank warp; warp.value < warps; ++warp.value) {
        rows.push_back(rowOf(experiment, kernel, warp));
    }
    return text + toTable(rows) + "\n--csv and --json list every thread.\n";
}

struct MapOptions final {
    ExperimentOptions experiment;
    bool csv = false;
    bool json = false;
};

}  // namespace

Subcommand addMapCommand(CLI::App& program) {
    const auto options = std::make_shared<MapOptions>();
    CLI::App* parser = program.add_subcommand(
        "map", "every thread: its block, linear index, warp, lane and element");
    addExperimentOptions(*parser, options->experiment)->required();
    CLI::Option* csv = parser->add_flag("--csv", options->csv, "one line for each thread");
    addJsonFlag(*parser, options->json);
    parser->get_option("--json")->excludes(csv);
    const auto run = [options] {
        const Experiment experiment = experimentFrom(options->experiment);
        Output output;
        if (options->csv) {
            writeThreadsAsCsv(experiment, output);
        } else if (options->json) {
            writeThreadsAsJson(experiment, output);
        } else {
            output.write(warpSummary(experiment));
        }
        output.flush();
        return ExitCode::done;
    };
    const auto schema = [](Document document) {
        return schemaText(document, [](Archive& v) {
            describeHead(v, {});
            std::vector<ListedThread> threads;
            v("threads", threads, "Blocks and threads in linear order.");
        });
    };
    return {.parser = parser, .run = run, .schemas = {{Document::map, schema}}};
}

}  // namespace warplens
