#include <algorithm>
#include <optional>

#include "kernels/library/predict.h"
#include "kernels/library/traced_kernel.h"

namespace warplens {
namespace {

/// Where no part of the launch stands for itself: half a second.
constexpr std::uint64_t mostEventsOfAll = std::uint64_t{1} << 24;
/// Of inputs that are made whole: some milliseconds.
constexpr std::uint64_t mostWordsWhole = std::uint64_t{1} << 20;

using library::ArrayMemory;

/// Collects the words of global memory that lanes load and store.
class TouchedWords final : public trace::WarpObserver {
  public:
    explicit TouchedWords(const Experiment& experiment, const Kernel& file) {
        for (std::size_t i = 0; i < file.arrays.size(); ++i) {
            begins_.push_back(trace::baseAddress(static_cast<std::uint16_t>(i)) +
                              experiment.arrayOffset * byteCount(file.arrays[i].type));
        }
        loads.resize(begins_.size());
        stores.resize(begins_.size());
    }

    void onRequest(const trace::WarpRequest& request) override {
        if (!isGlobal(request.kind)) return;
        adds = adds || request.kind == AccessKind::atomic;
        auto& words = (request.kind == AccessKind::load ? loads : stores)[request.subject];
        for (const std::uint64_t address : request.addresses) {
            const std::uint64_t first = (address - begins_[request.subject]) / 4;
            for (std::uint64_t word = 0; word < request.bytes / 4; ++word) {
                words.push_back(first + word);
            }
        }
    }
    void onBranch(const trace::WarpBranch&) override {}

    std::vector<std::vector<std::uint64_t>> loads;  ///< of each array, places of four bytes
    std::vector<std::vector<std::uint64_t>> stores;
    bool adds = false;  ///< by atomics

  private:
    std::vector<std::uint64_t> begins_;
};

/// The launch in pieces that can be run alone.
class Pieces final {
  public:
    explicit Pieces(const TracedKernel& kernel, const Experiment& experiment)
        : launch_(experiment.launch),
          whole_(kernel.kernel().usesBarriers),
          warpsPerBlock_(warpCountPerBlock(experiment.launch.block)) {}

    [[nodiscard]] std::uint64_t warpsOfGrid() const {
        return launch_.grid.count() * warpsPerBlock_;
    }
    [[nodiscard]] std::uint64_t warpsOfPiece() const { return whole_ ? warpsPerBlock_ : 1; }
    [[nodiscard]] std::uint64_t count() const { return warpsOfGrid() / warpsOfPiece(); }

    std::uint64_t run(TracedKernel& kernel, std::uint64_t piece,
                      trace::WarpObserver& observer) const {
        if (whole_) return kernel.runBlock(blockIndexInGrid(piece, launch_.grid), observer);
        const WarpRank warp{static_cast<std::uint32_t>(piece % warpsPerBlock_)};
        return kernel.runWarp(blockIndexInGrid(piece / warpsPerBlock_, launch_.grid), warp,
                              observer);
    }

  private:
    Launch launch_;
    bool whole_;
    std::uint64_t warpsPerBlock_;
};

}  // namespace

HostResult hostResultOf(const Experiment& experiment, std::uint64_t mostEvents,
                        std::string_view ptx) {
    const Kernel& file = kernelOf(experiment);
    const auto memory = std::make_shared<ArrayMemory>(experiment, true);
    TracedKernel kernel(experiment, memory, ptx);
    const Pieces pieces(kernel, experiment);

    TouchedWords first(experiment, file);
    // Arithmetic leaves no events, and takes its time all the same.
    const auto& steps = kernel.kernel().stepsPerElement;
    const std::uint64_t perLane =
        steps.empty() ? 1 : steps(experiment.arguments, experiment.launch);
    const std::uint64_t cost =
        std::max(pieces.run(kernel, 0, first), perLane * pieces.warpsOfPiece() * lanesPerWarp);
    const std::uint64_t least = std::min<std::uint64_t>(pieces.count(), 2);
    // What all add to follows from all of them.
    const std::uint64_t most = (first.adds ? mostEventsOfAll : mostEvents) / cost;
    if (first.adds && most < pieces.count()) {
        return {.words = {}, .warps = 0, .warpsOfGrid = pieces.warpsOfGrid()};
    }
    const std::uint64_t count = std::clamp(most, least, pieces.count());
    const auto piece = [&](std::uint64_t i) {
        const std::uint64_t last = pieces.count() - 1;
        return count < 2 ? 0 : last / (count - 1) * i + last % (count - 1) * i / (count - 1);
    };
    // Small inputs are made whole: what is read of them need not be found out first.
    std::vector<std::size_t> inputs;
    std::uint64_t inputWords = 0;
    for (std::size_t array = 0; array < file.arrays.size(); ++array) {
        if (file.arrays[array].role != ArrayRole::input) continue;
        inputs.push_back(array);
        inputWords += memory->arrays()[array].bytes / 4;
    }
    const bool isWhole = inputWords <= mostWordsWhole;
    for (const std::size_t array : inputs) {
        if (isWhole) memory->provideAll(array);
    }
    std::optional<TouchedWords> touched;
    for (bool changed = true; changed;) {
        touched.emplace(experiment, file);
        memory->clearOutputs();
        for (std::uint64_t i = 0; i < count; ++i) pieces.run(kernel, piece(i), *touched);
        changed = false;
        for (const std::size_t array : inputs) {
            changed = (!isWhole && memory->provide(array, touched->loads[array])) || changed;
        }
    }
    HostResult result{
        .words = {}, .warps = count * pieces.warpsOfPiece(), .warpsOfGrid = pieces.warpsOfGrid()};
    const auto output = std::ranges::find(file.arrays, ArrayRole::output, &KernelArray::role);
    const auto array = static_cast<std::size_t>(output - file.arrays.begin());
    std::vector<std::uint64_t>& places = touched->stores[array];
    if (!std::ranges::is_sorted(places)) std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    for (const std::uint64_t place : places) {
        result.words.push_back({place, memory->word(array, place)});
    }
    return result;
}

}  // namespace warplens
