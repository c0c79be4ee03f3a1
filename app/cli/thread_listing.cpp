#include "app/cli/thread_listing.h"

#include <charconv>
#include <optional>
#include <unistd.h>

#include "app/cli/documentation/schemas.h"
#include "app/cli/progress_line.h"
#include "core/json/archive.h"
#include "core/json/json.h"
#include "core/launch/mapping.h"
#include "core/text/format.h"

namespace warplens {
namespace {

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

}  // namespace

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

namespace {

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

}  // namespace

std::string mapSchema() {
    return schemaText(Document::map, [](Archive& v) {
        describeHead(v, {});
        std::vector<ListedThread> threads;
        v("threads", threads, "Blocks and threads in linear order.");
    });
}

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

}  // namespace warplens
