// The child that runs one kernel of a course: it is linked to the kernel's own code, for the host
// and with events, and answers what it is asked through its standard input and output (wire.h).

#include <bit>
#include <cstdio>
#include <iostream>
#include <memory>
#include <numeric>
#include <optional>
#include <string>

#include "core/kernel/kernel.h"
#include "core/library/kernel_file.h"
#include "core/measurement/json_trees.h"
#include "kernels/course/wire.h"
#include "kernels/library/block_demand.h"
#include "kernels/library/predict.h"
#include "kernels/library/run/unit_row.h"
#include "kernels/library/traced_kernel.h"

extern "C" const warplens::library::UnitRow wl_unit_course;

namespace warplens::library {

namespace {
std::string fileName;
}

/// Instead of the built-in ones.
std::span<const LibraryUnit> libraryUnits() {
    static const LibraryUnit unit{fileName, &wl_unit_course};
    return {&unit, 1};
}

namespace {

using namespace json_reader;

void write(const void* bytes, std::size_t size) {
    if (std::fwrite(bytes, 1, size, stdout) != size) std::exit(1);
}

void write(const course::Record& record) {
    write(&record, sizeof record);
}

class Teller final : public trace::WarpObserver {
  public:
    explicit Teller(const Kernel& kernel) : kernel_(kernel) {}
    void onRequest(const trace::WarpRequest& request) override {
        write({.kind = course::RecordKind::request,
               .event = static_cast<std::uint8_t>(request.kind),
               .subject = request.subject,
               .line = request.line,
               .bytes = request.bytes,
               .lanes = request.activeLanes});
        write(request.addresses.data(), request.addresses.size_bytes());
    }
    void onBranch(const trace::WarpBranch& branch) override {
        const auto named =
            std::ranges::find(kernel_.branches, std::string_view(branch.name), &KernelBranch::name);
        write({.kind = course::RecordKind::branch,
               .subject = static_cast<std::uint16_t>(named - kernel_.branches.begin()),
               .line = branch.line,
               .lanes = branch.activeLanes,
               .value = branch.takenLanes});
    }
    void onRound(const trace::WarpRound& round) override {
        write({.kind = course::RecordKind::round,
               .line = round.line,
               .lanes = round.activeLanes,
               .value = static_cast<std::uint64_t>(round.value)});
    }

  private:
    const Kernel& kernel_;
};

void fail(const std::string& words) {
    const std::string kept = words.substr(0, course::mostFaultBytes);
    write({.kind = course::RecordKind::fault, .value = kept.size()});
    write(kept.data(), kept.size());
}

void tellShared(const Experiment& experiment, const TracedKernel& kernel) {
    const std::vector<trace::SharedPlace>& places = kernel.sharedPlaces();
    write({.kind = course::RecordKind::shared,
           .lanes = static_cast<std::uint32_t>(places.size()),
           .value = staticSharedBytes(experiment)});
    for (const trace::SharedPlace& place : places) {
        const course::SharedRecord told{place.offset, place.elementBytes, place.columns};
        write(&told, sizeof told);
    }
}

/// With what inputs hold in their first elements, and 0 behind them.
std::shared_ptr<const ArrayMemory> memoryWithInputs(const Experiment& experiment) {
    constexpr std::uint64_t mostWords = 1 << 20;
    const Kernel& file = kernelOf(experiment);
    auto memory = std::make_shared<ArrayMemory>(experiment, true);
    for (std::size_t i = 0; i < file.arrays.size(); ++i) {
        if (file.arrays[i].role != ArrayRole::input) continue;
        std::vector<std::uint64_t> words(std::min(memory->arrays()[i].bytes / 4, mostWords));
        std::iota(words.begin(), words.end(), std::uint64_t{0});
        (void)memory->provide(i, words);
    }
    return memory;
}

/// What a TracedKernel is made for.
struct Wanted final {
    Experiment experiment;
    bool rounds = false;
    bool computes = false;
    friend bool operator==(const Wanted&, const Wanted&) = default;
};

int serve() {
    std::string line;
    if (!std::getline(std::cin, line)) return 1;
    const Json first = parseObject(line);
    fileName = rawText(first, "file");
    Kernel file = parseKernelFile(fileName, rawText(first, "text"));
    file.enterCourse(rawText(first, "course"));
    file.course.clear();  // its code is part of this program
    std::vector<Kernel> files;
    files.push_back(std::move(file));
    addKernels(std::move(files));
    Wanted made;
    std::unique_ptr<TracedKernel> kernel;
    while (std::getline(std::cin, line)) {
        try {
            const Json asked = parseObject(line);
            const Wanted wanted{experimentOf(member(asked, "experiment")),
                                asked.value("rounds", false), asked.value("computes", false)};
            if (kernel == nullptr || wanted != made) {
                kernel = std::make_unique<TracedKernel>(
                    wanted.experiment,
                    wanted.computes ? memoryWithInputs(wanted.experiment) : nullptr);
                if (wanted.rounds) kernel->reportRounds();
                made = wanted;
            }
            if (!asked.contains("block")) {
                tellShared(made.experiment, *kernel);
            } else {
                std::vector<ThreadRank> only;
                for (const Json& rank : list(asked, "only")) {
                    only.push_back({rank.get<std::uint32_t>()});
                }
                Teller teller(kernel->kernel());
                const std::uint64_t events =
                    kernel->runBlock(tripleOf(asked, "block"), teller, only);
                write({.kind = course::RecordKind::done, .value = events});
            }
        } catch (const std::exception& error) {
            kernel = nullptr;
            fail(error.what());
        }
        std::fflush(stdout);
    }
    return 0;
}

}  // namespace
}  // namespace warplens::library

int main() {
    return warplens::library::serve();
}
