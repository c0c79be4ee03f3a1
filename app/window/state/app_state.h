#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/drawing/block3d_layout.h"
#include "app/drawing/items.h"
#include "app/drawing/map_layout.h"
#include "app/drawing/warp_trace.h"
#include "app/recordings/library.h"
#include "app/window/state/lesson_view.h"
#include "app/window/state/program.h"
#include "app/window/state/sm_view.h"
#include "app/window/state/sweep.h"
#include "core/launch/mapping.h"
#include "core/measurement/worker_protocol.h"
#include "core/program/launch_report.h"
#include "core/view/view.h"

/// The window's state: one value, changed only by `apply` (apply.h), drawn by the panels.
namespace warplens::window {

/// Where the window measures: on this machine, or at places that a person has typed.
struct Places final {
    /// Runs the worker on this machine, or is what the command line named; empty: there is none.
    std::string here;
    bool hereIsNamed = false;        ///< by the command line
    std::vector<std::string> known;  ///< other places, as typed, oldest first; kept in the settings
    std::string typed;               ///< and not taken over yet
    std::string chosen;              ///< one of them; empty: `here`
    DeviceChoice device;             ///< which of the GPUs there; empty: the first
    std::vector<DeviceName> devices;  ///< all there, once they were asked for
    std::uint64_t asked = 0;          ///< number of the last question for them
    bool asking = false;
    std::string
        whereabouts;  ///< of the worker, `on gpu07, job 4711`; empty here and before it runs
    friend bool operator==(const Places&, const Places&) = default;
};

/// What a person is editing. The experiment may be illegal: it is what the fields show.
struct Edit final {
    Experiment experiment;
    bool gridCovers = true;  ///< the grid follows from the block and the problem size
    /// Texts of fields that hold no number the field could have (editing.h), by field; the
    /// experiment keeps the field's last number.
    std::map<std::string, std::string> unread{};
    friend bool operator==(const Edit&, const Edit&) = default;
};

/// The steps of the warp in focus going by on their own (timeline.h).
struct Playback final {
    bool playing = false;
    double stepsPerSecond = 4;  ///< 1, 4 or 16
    double due = 0;             ///< part of the next step's time that has passed
    friend bool operator==(const Playback&, const Playback&) = default;
};

/// How the map is looked at where its camera follows nothing.
struct MapView final {
    MapArea area;  ///< what the window has room for, as it said last
    MapCamera camera;
    friend bool operator==(const MapView&, const MapView&) = default;
};

struct Idle final {
    friend bool operator==(const Idle&, const Idle&) = default;
};
/// A measurement under way. Who performs it looks for a number it has not started yet.
struct Running final {
    std::uint64_t number = 0;
    Experiment experiment;
    std::string stage;
    double fraction = 0;
    bool cancelled = false;  ///< asked to stop, not stopped yet
    /// Instead of the experiment, a launch of the open file.
    std::optional<ProgramSubject> program{};
    friend bool operator==(const Running&, const Running&) = default;
};
struct Failed final {
    Failure failure;
    friend bool operator==(const Failed&, const Failed&) = default;
};
using MeasuringStatus = std::variant<Idle, Running, Failed>;

/// A measurement as it is shown: taken now, or read from a recording.
struct Result final {
    SharedMeasurement measurement;
    bool recorded = false;
    friend bool operator==(const Result&, const Result&) = default;
};

enum class MessageKind : std::uint8_t { note, warning, error };
struct Message final {
    std::uint64_t id = 0;
    MessageKind kind = MessageKind::note;
    std::string text;
    double since = 0;     ///< AppState::now when it came
    bool ofFile = false;  ///< gone when another file is opened, or a next version of it
    friend bool operator==(const Message&, const Message&) = default;
};

enum class FigureTarget : std::uint8_t { files, clipboard };
/// What of the window a figure is drawn of.
enum class FigureOf : std::uint8_t {
    shown,  ///< the launch by the picture on the screen
    pair,   ///< A against B
    source,
    sweep,
    roofline,
};
/// How a figure is saved.
struct FigurePaper final {
    int width = 1280;  ///< points of a PDF; a PNG has twice as many pixels
    int height = 720;
    Theme theme = Theme::light;
    bool pdf = true;
    bool svg = true;
    bool png = true;
    std::string name{};     ///< of the files, without an ending; empty: what is proposed
    std::string folder{};   ///< empty: where people keep pictures
    std::string title{};    ///< over the figure; empty: its own
    std::string caption{};  ///< below it
    friend bool operator==(const FigurePaper&, const FigurePaper&) = default;
};
/// What of it is typed anew for every figure.
inline constexpr std::array figureWords{&FigurePaper::name, &FigurePaper::title,
                                        &FigurePaper::caption};
struct FigureChoice final {
    FigureOf of{};
    FigurePaper paper{};
    friend bool operator==(const FigureChoice&, const FigureChoice&) = default;
};
inline constexpr std::size_t longestFolder = 400;      ///< bytes
inline constexpr std::size_t longestFigureName = 200;  ///< bytes, of its title and caption, too
/// Orders that wait at once; whoever holds the key down is told so.
inline constexpr std::size_t mostFiguresDue = 8;
/// Of two launches that are held against each other what is drawn, in the order it is presented.
enum class PairPart : std::uint8_t { a, b, both };

/// A figure for a slide that somebody asked for: of what was shown then.
struct FigureOrder final {
    std::uint64_t number = 0;
    FigureTarget target = FigureTarget::files;
    std::optional<FigurePaper> paper{};  ///< none: every format, as slides are
    View view;
    BlockDemand demand{};  ///< of the SM whose slots are shown
    std::optional<Result> result{};
    /// Held against it: `part` is drawn of both.
    std::optional<Result> against{};
    PairPart part = PairPart::both;
    /// Instead of the launch, where their tab is open.
    std::shared_ptr<const KeptSweep> sweep{};
    std::vector<Quantity> quantities{};  ///< of the sweep
    std::shared_ptr<const Roofline> roofline{};
    /// Instead of the view's launch, a launch of a person's own file, and the one held against it.
    std::optional<ShownLaunch> program{};
    std::optional<ShownLaunch> programAgainst{};
    friend bool operator==(const FigureOrder&, const FigureOrder&) = default;
};

enum class PinSlot : std::uint8_t { a, b };

/// A picture for the whole screen, and how it is shown.
struct Slide final {
    drawing::Items items;
    Rgb background = 0;
    int width = 0;  ///< pixels that it was composed for
    int height = 0;
};
struct PresentView final {
    std::shared_ptr<const Slide> slide{};  ///< the latest; null before the first
    bool black = false;                    ///< nothing is shown
    bool spotlight = false;                ///< all but what the pointer is at is dimmed
    bool lesson = false;                   ///< the opened lesson's pages; its end goes back to it
    PairPart part = PairPart::both;        ///< of two launches beside each other
    friend bool operator==(const PresentView&, const PresentView&) = default;
};

/// The window that saves a figure.
struct FigureSheet final {
    bool open = false;
    FigureChoice choice{};
    std::optional<FigureOrder> typedFor{};   ///< what the choice's words were typed for
    std::shared_ptr<const Slide> preview{};  ///< the latest; null before the first
    std::uint64_t saving = 0;                ///< the order's number while it is; 0: none is
    std::string problem{};                   ///< why the last one was not saved
    friend bool operator==(const FigureSheet&, const FigureSheet&) = default;
};

/// The field that finds commands, scenarios, lessons and files (palette.h).
struct PaletteState final {
    bool open = false;
    std::string typed{};
    std::size_t chosen = 0;            ///< among what is found
    std::vector<std::string> files{};  ///< .cu files of the folder, when it was opened
    friend bool operator==(const PaletteState&, const PaletteState&) = default;
};
inline constexpr std::size_t longestPaletteText = 200;  ///< bytes

/// What the window is asked to hand on to other programs, and to take from them.
struct Outbox final {
    std::string text{};   ///< for the clipboard; empty: none
    std::string words{};  ///< that say so when it is there
    bool pastes = false;  ///< the clipboard's text is a scene to show
    bool saves = false;   ///< the scene is to be kept in a file
    /// A file to begin with is to be made: the exercise of this lesson, or of none.
    std::optional<std::string> newProgram{};
    std::string newPath{};      ///< of one without a lesson; empty: one that is free
    bool readsProgram = false;  ///< the open file's text is wanted, for the editor
    bool savesProgram = false;  ///< and is to be written
    bool editsOutside = false;  ///< the open file is to be opened in the person's editor
    std::optional<RemedyWrite> writesRemedy{};
    /// Text that was not saved when its file was left, by the file's path.
    std::map<std::string, std::string> drafts{};
    bool savesMeasured = false;  ///< and so is what was measured of the open file
    friend bool operator==(const Outbox&, const Outbox&) = default;
};

/// What survives a restart.
struct Settings final {
    View view;                          ///< with the launch as it was edited, which may be illegal
    bool hasLaunch = false;             ///< it has one
    bool gridCovers = true;             ///< as in Edit
    double stepsPerSecond = 4;          ///< while playing
    std::vector<std::string> recent{};  ///< files that were opened, the newest first
    std::vector<std::string> places{};  ///< other machines to measure on, as typed
    std::string place{};                ///< the one chosen; empty: this machine
    DeviceChoice device{};              ///< which of its GPUs; empty: the first
    Theme figureTheme = Theme::light;   ///< of the figures that are saved
    LessonsProgress progress{};
    bool motion = true;
    bool welcome = true;  ///< nothing is known of a session before
    int width = 1600;     ///< window size in screen coordinates
    int height = 960;
    friend bool operator==(const Settings&, const Settings&) = default;
};

struct PredictionFailure final {
    Experiment experiment;
    std::string reason;
    friend bool operator==(const PredictionFailure&, const PredictionFailure&) = default;
};

/// A text size that the command line asks for: of this run alone, unless it is changed in it.
struct TextOnce final {
    float asked = 1;
    float kept = 1;  ///< in the settings
    friend bool operator==(const TextOnce&, const TextOnce&) = default;
};

struct AppState final {
    View view;  ///< its launch is the last legal one: what the mapping draws
    Edit edit;
    bool kernelsSaved = false;      ///< of the course, since they were read
    bool startsAgain = false;       ///< the window ends, and is opened once more
    std::uint32_t browses = 0;      ///< how often the desktop's dialog was asked for
    std::uint32_t launchTyped = 0;  ///< how often the keyboard was wanted in the launch's fields
    std::optional<Index3> pointed;  ///< thread of the shown block under the pointer
    std::optional<Index3> held;     ///< thread of it that was asked for, while its warp is held
    PresentView present;
    Block3dView block3d;
    Playback playback;
    MapView map;
    SmView sm;
    std::shared_ptr<const CompiledPlace> compiled;  ///< the latest; null before the first
    TimeView time;
    std::shared_ptr<const ModelledSm> model;  ///< the latest; null before the first
    SweepState sweep;
    RoofState roof;
    Places places;
    LessonView lesson;
    ProgramState program;
    std::vector<std::string> recent;  ///< files that were opened, the newest first; whole paths
    FigureSheet figure{};
    PaletteState palette;
    Outbox outbox;
    MeasuringStatus measuring;
    TimingRequest timing;         ///< of the next measurement
    std::vector<Result> results;  ///< the latest of each experiment, newest last
    std::optional<Result> pinnedA;
    std::optional<Result> pinnedB;
    std::optional<ShownLaunch> pinnedProgram;  ///< as A, for launches of a person's own file
    /// What was pinned, as above, when a lesson was opened: it is again once that is left.
    std::optional<
        std::tuple<std::optional<Result>, std::optional<Result>, std::optional<ShownLaunch>>>
        pinsBefore{};
    std::variant<std::monostate, LaunchReport, PredictionFailure> prediction;
    std::optional<LaunchReport> blockPrediction;  ///< the latest, of whatever block
    std::shared_ptr<const WarpTrace> warpTrace;   ///< the latest; null before the first
    std::vector<FigureOrder> figures;             ///< not finished yet, oldest first
    std::vector<Message> messages;
    std::shared_ptr<const RecordingLibrary> library = std::make_shared<RecordingLibrary>();
    bool canMeasure = false;
    bool helpOpen = false;
    int helpScrolled = 0;  ///< by keys since it was opened, in tenths of what can be seen of it
    bool motion = true;    ///< pictures may move on their own
    std::optional<TextOnce> textOnce{};
    bool welcome = false;  ///< nobody has used it before: it asks what to begin with
    double now = 0;        ///< seconds that have passed since the start, by Tick

    std::vector<Edit> undo;
    std::vector<Edit> redo;
    std::string openEdit;          ///< field being dragged: its steps undo as one
    std::uint64_t lastNumber = 0;  ///< given out to measurements and messages
};

/// What to keep of it for the next start.
[[nodiscard]] Settings settingsOf(const AppState& state, int width, int height);

/// The state a window opens with.
[[nodiscard]] AppState initialState(Edit edit, std::shared_ptr<const RecordingLibrary> library,
                                    bool canMeasure);

[[nodiscard]] const Scenario& scenarioOf(const AppState& state);
[[nodiscard]] const Kernel& kernelOf(const AppState& state);

/// Everything that keeps the edited experiment from being drawn or run.
[[nodiscard]] std::vector<LimitViolation> violationsOf(const AppState& state);
[[nodiscard]] bool isDrawable(const Edit& edit);
/// Who refuses it, as a heading over them: sizes are the kernel's matter, not CUDA's.
[[nodiscard]] std::string_view refusalOf(const Edit& edit);

/// The result to show for an experiment: the latest measurement, by itself or as a point of a
/// sweep, else its recording.
[[nodiscard]] std::optional<Result> resultOf(const AppState& state, const Experiment& experiment);
/// That of the drawn one.
[[nodiscard]] std::optional<Result> shownResult(const AppState& state);

/// The prediction, if it is of the experiment that is drawn.
[[nodiscard]] const LaunchReport* shownPrediction(const AppState& state);

/// The prediction of the block whose threads are drawn, if it is there.
[[nodiscard]] const LaunchReport* shownBlockPrediction(const AppState& state);

/// The thread that is held, with its warp.
[[nodiscard]] std::optional<Index3> heldThread(const AppState& state);
/// The thread the window speaks of: pointed at, else held, else the held warp's first, else the
/// block's first.
[[nodiscard]] Index3 threadInFocus(const AppState& state);
/// That thread's warp, whose requests are shown.
[[nodiscard]] WarpPlace warpInFocus(const AppState& state);
/// Its trace; null while there is none.
[[nodiscard]] const WarpTrace* shownTrace(const AppState& state);

/// Recordings of the drawn experiment's scenario.
[[nodiscard]] std::vector<const Recording*> recordingsOfScenario(const AppState& state);

/// What a figure of the state shows; its number and target are left open.
[[nodiscard]] FigureOrder figureOf(const AppState& state);
/// Whether a step, or the array whose steps go by, was chosen, and it stands on the screen.
[[nodiscard]] bool stepIsChosen(const AppState& state);
/// Whether its picture is of one step of a warp.
[[nodiscard]] bool figureShowsStep(const AppState& state);
/// Whether two launches beside each other are presented, which have no steps in common.
[[nodiscard]] bool presentsPair(const AppState& state);
/// The same as it was chosen; what is not there any more is what is shown.
[[nodiscard]] FigureOrder figureOf(const AppState& state, const FigureChoice& choice);
/// Whether there is something to draw of it.
[[nodiscard]] bool canDraw(const AppState& state, FigureOf of);

/// What the shown launch is held against: B where both are pinned, else A with what is shown.
[[nodiscard]] std::optional<std::pair<Result, Result>> comparedNow(const AppState& state);

/// Whether the window is light, and its text large.
[[nodiscard]] bool isForProjector(const AppState& state);

/// Whether what is shown, and Measure measures, is the open file.
[[nodiscard]] bool showsProgram(const AppState& state);

/// Whether Measure would be accepted now.
[[nodiscard]] bool mayMeasure(const AppState& state);

[[nodiscard]] const Running* running(const AppState& state);

}  // namespace warplens::window
