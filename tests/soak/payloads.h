#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/recordings/library.h"
#include "app/window/state/command.h"
#include "tests/soak/dice.h"

namespace warplens::window::soak {

/// What random commands carry: sane, extreme and nonsensical.
class Payloads final {
  public:
    /// Reads the recordings and sweeps that travel with the program, predicts a few launches and
    /// tells every lesson: about a second.
    explicit Payloads(std::uint64_t seed);

    [[nodiscard]] Dice& dice() { return dice_; }
    [[nodiscard]] std::shared_ptr<const RecordingLibrary> recordings() const { return recordings_; }
    [[nodiscard]] std::shared_ptr<const RecordingLibrary> sweeps() const { return sweeps_; }

    /// Any 32-bit number, those beside limits often.
    [[nodiscard]] std::uint32_t count();
    /// Any number at all: no number, infinite, or within the bounds or near them.
    [[nodiscard]] double real(double least, double most);
    [[nodiscard]] float single(double least, double most);
    [[nodiscard]] Extents extents();
    /// Mostly inside the extents.
    [[nodiscard]] Index3 index(Extents within);
    /// From empty to a hundred thousand bytes; some of it no UTF-8.
    [[nodiscard]] std::string text();
    /// As it may be typed into the field of a number between these.
    [[nodiscard]] std::string numeral(std::int64_t least, std::int64_t most);

    [[nodiscard]] std::string scenario();
    [[nodiscard]] std::string lesson();
    /// The name of a number field; most are fields of this experiment.
    [[nodiscard]] std::string field(const Experiment& experiment);
    [[nodiscard]] std::string sweepOver(const AppState& state);

    /// Any launch, legal or not.
    [[nodiscard]] Experiment experiment();
    /// One that the state is about, where there is one; else any.
    [[nodiscard]] Experiment experimentOf(const AppState& state);
    /// A real one, of its own launch, of one the state awaits, or bent in some way.
    [[nodiscard]] Measurement measurement(const AppState& state);
    [[nodiscard]] Failure failure();
    [[nodiscard]] LaunchReport prediction(const AppState& state);
    [[nodiscard]] std::optional<LaunchReport> blockPrediction(const AppState& state);
    [[nodiscard]] PointPredicted pointPredicted(const AppState& state);
    [[nodiscard]] std::shared_ptr<const WarpTrace> warpTrace(const AppState& state);
    [[nodiscard]] std::optional<Sweep> lastSweep();
    [[nodiscard]] std::shared_ptr<const ResolvedLesson> resolved(const AppState& state);

  private:
    [[nodiscard]] Experiment lawfulExperiment();
    void bend(Experiment& experiment);
    void bend(Measurement& measurement);

    Dice dice_;
    std::shared_ptr<const RecordingLibrary> recordings_;
    std::shared_ptr<const RecordingLibrary> sweeps_;
    std::vector<const Measurement*> measurements_;  ///< of both
    std::vector<LaunchReport> predictions_;
    std::vector<std::shared_ptr<const ResolvedLesson>> resolved_;
};

}  // namespace warplens::window::soak
