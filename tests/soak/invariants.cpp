#include "tests/soak/invariants.h"

#include <algorithm>
#include <cmath>

#include "app/lessons/library.h"
#include "app/window/settings.h"
#include "app/window/state/cameras.h"

namespace warplens::window::soak {
namespace {

constexpr std::size_t mostUndo = 200;
constexpr std::size_t mostResults = 64;
constexpr std::size_t mostMessages = 4;
constexpr std::size_t mostSweeps = 12;
constexpr std::size_t mostRoofPredictions = 64;

/// Gathers the sentences that do not hold.
class Findings final {
  public:
    void expect(bool holds, std::string sentence) {
        if (!holds) found_.push_back(std::move(sentence));
    }
    [[nodiscard]] std::vector<std::string> take() { return std::move(found_); }

  private:
    std::vector<std::string> found_;
};

bool inside(Index3 index, Extents extents) {
    return index.x < extents.x && index.y < extents.y && index.z < extents.z;
}

void checkSelection(const AppState& state, Findings& findings) {
    const Launch& launch = state.view.experiment.launch;
    const View& view = state.view;
    findings.expect(inside(view.block, launch.grid), "the chosen block is in the grid");
    findings.expect(!state.pointed || inside(*state.pointed, launch.block),
                    "the pointed thread is in the block");
    findings.expect(!view.warp || view.warp->value < warpCountPerBlock(launch.block),
                    "the held warp is in the block");
    findings.expect(inside(threadInFocus(state), launch.block),
                    "the thread in focus is in the block");
    const double due = state.playback.due;
    const double speed = state.playback.stepsPerSecond;
    findings.expect(due >= 0 && due <= 1, "part of a step is due");
    findings.expect(speed == 1 || speed == 4 || speed == 16, "the speed is one of three");
}

void checkEdit(const AppState& state, Findings& findings) {
    findings.expect(validate(state.view.experiment).empty(), "the shown launch is legal");
    const bool drawable = isDrawable(state.edit);
    const std::vector<LimitViolation> violations = violationsOf(state);
    findings.expect(!drawable || state.view.experiment == state.edit.experiment,
                    "a legal edit is shown");
    findings.expect(drawable || !violations.empty(), "an illegal edit has its violations named");
    for (const LimitViolation& violation : violations) {
        findings.expect(!violation.name.empty() && !violation.limit.empty(),
                        "a violation names what is wrong and the limit: " + toString(violation));
    }
}

void checkAmounts(const AppState& state, Findings& findings) {
    findings.expect(state.undo.size() + state.redo.size() <= mostUndo, "undo is bounded");
    findings.expect(state.results.size() <= mostResults, "results are bounded");
    findings.expect(state.messages.size() <= mostMessages, "messages are bounded");
    findings.expect(state.sweep.kept.size() <= mostSweeps, "kept sweeps are bounded");
    findings.expect(state.roof.predicted.size() <= mostRoofPredictions,
                    "predictions for the roof are bounded");
    findings.expect(state.figures.size() <= mostFiguresDue, "figures not drawn yet are bounded");
    for (const auto& [id, progress] : state.lesson.progress) {
        findings.expect(progress.guess.size() <= longestGuess, "a guess is short");
        findings.expect(progress.answered != Answered::open || progress.page == 0,
                        "no page behind a question is reached before its answer");
    }
    findings.expect(state.lesson.motion.at >= 0 && state.lesson.motion.at <= 1,
                    "a picture moves from its beginning to its end");
    for (const Message& message : state.messages) {
        findings.expect(message.id <= state.lastNumber, "a message's number was given out");
    }
    for (auto one = state.results.begin(); one != state.results.end(); ++one) {
        const bool twice =
            std::any_of(std::next(one), state.results.end(), [&](const Result& other) {
                return other.measurement->experiment == one->measurement->experiment;
            });
        findings.expect(!twice, "there is one result of each experiment");
    }
}

void checkViews(const AppState& state, Findings& findings) {
    const MapLayout layout = mapLayout(state);
    const MapCamera camera = mapCamera(state, layout);
    findings.expect(std::isfinite(camera.cell) && camera.cell > 0, "the map has a scale");
    findings.expect(std::isfinite(camera.centre.x) && std::isfinite(camera.centre.y),
                    "the middle of the map is somewhere");
    const Block3dView& block3d = state.block3d;
    findings.expect(block3d.zoom >= leastZoom && block3d.zoom <= largestZoom,
                    "the cubes have a zoom");
    findings.expect(std::abs(block3d.turn) <= 360 && std::abs(block3d.tilt) <= 90,
                    "the cubes have a side");
    findings.expect(std::abs(block3d.panX) <= farthestPan && std::abs(block3d.panY) <= farthestPan,
                    "the cubes are near");
    findings.expect(block3d.apart >= 0 && block3d.apart <= farthestApart,
                    "warps are near one another");
    findings.expect(
        state.view.textScale >= leastTextScale && state.view.textScale <= largestTextScale,
        "text has a size");
    const auto& span = state.time.span;
    findings.expect(!span || (span->begin >= 0 && span->begin < span->end && span->end <= 1),
                    "the span of time lies in the whole");
}

void checkWork(const AppState& state, Findings& findings) {
    const Running* const run = running(state);
    findings.expect(run == nullptr || run->number <= state.lastNumber,
                    "a measurement's number was given out");
    findings.expect(run == nullptr || (run->fraction >= 0 && run->fraction <= 1),
                    "progress lies between none and all");
    findings.expect(!state.sweep.measuring || run != nullptr,
                    "while a sweep is measured, a point of it is");
    findings.expect(!state.sweep.measuring || shownSweep(state) != nullptr,
                    "a sweep that is measured is kept");
    findings.expect(!state.lesson.comparing || run != nullptr,
                    "while a lesson compares, a launch of it is measured");
    findings.expect(state.view.lesson.empty() || findLesson(state.view.lesson) != nullptr,
                    "an opened lesson is known");
}

void checkSettings(const AppState& state, Findings& findings) {
    const Settings kept = settingsOf(state, 1600, 960);
    const Settings read = settingsFromJson(toJson(kept));
    findings.expect(read == kept, "settings read back as they were written: " + toJson(kept) +
                                      "and were read as " + toJson(read));
}

}  // namespace

std::vector<std::string> brokenInvariants(const AppState& state) {
    Findings findings;
    checkSelection(state, findings);
    checkEdit(state, findings);
    checkAmounts(state, findings);
    checkViews(state, findings);
    checkWork(state, findings);
    checkSettings(state, findings);
    return findings.take();
}

}  // namespace warplens::window::soak
