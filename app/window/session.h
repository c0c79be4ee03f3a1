#pragma once

#include <chrono>

#include "app/platform/display.h"
#include "app/window/figure_job.h"
#include "app/window/jobs.h"
#include "app/window/measuring.h"
#include "app/window/opening.h"
#include "app/window/program_job.h"
#include "app/window/settings.h"
#include "app/window/state_file.h"
#include "app/window/ui.h"
#include "app/window/window.h"

namespace warplens::window {

/// The window from when it opens until it is closed, frame by frame, whoever keeps the time: the
/// loop of a desktop's program, or a page's browser.
class Session final {
  public:
    /// Goes on from `opening`, which the options asked for, on `display`, which stays until the
    /// session ends.
    Session(const WindowOptions& options, Opening opening, Display& display);
    /// Writes what is to be kept, and the figures that are due.
    ~Session();

    /// Seconds until the next frame is due where nothing happens; 0 where one is due now.
    [[nodiscard]] double patience() const;

    /// Waits as `Input::await` does, then does what people and jobs call for and draws. False when
    /// the window is to be closed.
    bool frame();

    /// Whether it ends to be opened once more.
    [[nodiscard]] bool startsAgain() const { return state_.startsAgain; }

    /// Has settings kept before it returns.
    void keepSettings() { settings_.keepNow(settingsNow()); }

    /// What is shown, in sentences, for people who do not see it; nothing that an open question
    /// covers. Traces one warp.
    [[nodiscard]] std::string description() const;

  private:
    void applyAll(const Commands& commands);
    template <class Job>
    void follow(Job& job);
    void press(const std::vector<KeyPress>& keys);
    void startJobs();
    void draw();
    /// No input waits to be drawn and nothing is under way.
    [[nodiscard]] bool isSettled() const;
    [[nodiscard]] Settings settingsNow() const;

    Display& display_;
    bool (*asksToEnd_)();
    Opening opening_;
    AppState& state_ = opening_.state;
    Ui ui_;
    std::unique_ptr<Input> input_ = display_.listen();
    Measuring measuring_;
    NewestJob<Experiment> prediction_;
    NewestJob<Experiment> compiled_;
    NewestJob<BlockPlace> blockPrediction_;
    NewestJob<WarpPlace> tracing_;
    NewestJob<LessonPlace> lessons_;
    NewestJob<ModelPlace> modelling_;
    LessonWatch lessonWatch_;
    NewestJob<PresentPlace> presenting_;
    NewestJob<PresentPlace> previewing_;
    NewestJob<FigureOrder> figures_;
    ProgramJob programs_;
    NewestJob<StepsPlace> programSteps_;
    NewestJob<RemedyPlace> remedies_;
    NewestJob<RemedyPlace> differences_;
    NewestJob<std::uint32_t> browsing_;
    NewestJob<CompilePlace> compiling_;
    SweepJobs sweeps_;
    SettingsKeeper settings_;
    StateFile stateFile_;
    FrameMeter meter_;
    std::chrono::steady_clock::time_point lastTick_ = std::chrono::steady_clock::now();
    bool prepared_ = false;      ///< every kind of picture
    bool hasPresented_ = false;  ///< how that is left was said
};

}  // namespace warplens::window
