#pragma once

#include <array>
#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "app/window/state/app_state.h"
#include "core/measurement/worker_protocol.h"

/// Everything that can happen to the state. Menu, key, click, worker and command line all make
/// these.
namespace warplens::window {

struct ChooseScenario final {
    std::string id;
};
struct SetBlock final {
    Extents block;
};
/// The text of one number field (number_entry.h), whether typed, stepped or dragged to. A grid is
/// from then on fixed by hand.
struct EnterNumber final {
    std::string field;
    std::string text;
};
struct SetGridCovers final {
    bool covers = true;
};
/// Takes over a whole experiment, such as a recording's; nothing where its sizes are not those of
/// its kernel, or its arrays begin beyond mostArrayOffset.
struct SetExperiment final {
    Experiment experiment;
};
struct SwapBlockAxes final {};
/// Ends a drag: the next edit of the same field is a step of its own for Undo.
struct FinishEdit final {};
struct Undo final {};
struct Redo final {};

struct ChooseBlock final {
    Index3 block;
};
struct PointAtThread final {
    std::optional<Index3> thread;
};
/// Holds the warp, or lets it go when it is the one held.
struct ToggleWarp final {
    WarpRank warp;
};
struct ReleaseWarp final {};

/// The room the map has in the window.
struct SetMapArea final {
    MapArea area;
};
/// Larger by `factor`, or smaller; what is at `about` (pixels of the area, its middle where none
/// is given) stays there.
struct ZoomMap final {
    double factor = 1;
    std::optional<Point> about{};
};
/// What the map shows moves by so many pixels.
struct PanMap final {
    double right = 0;
    double down = 0;
};
/// The whole block or grid, from now on through every change; `nothing` leaves the camera where it
/// is.
struct FitMap final {
    MapFollows what = MapFollows::block;
};
/// Brings a block into the middle at the scale there is; a camera that follows something stays.
struct CentreMap final {
    Index3 block;
};
struct SetCellNumbers final {
    CellNumbers numbers = CellNumbers::warp;
};

struct SetBlockView final {
    BlockView view = BlockView::flat;
};
/// Turns the solid about the vertical, and tilts it, by so many degrees.
struct TurnBlock3d final {
    float turn = 0;
    float tilt = 0;
};
/// Zooms (above 0, 1 fits) and moves the solid, in cubes to the right and down.
struct FrameBlock3d final {
    float zoom = 1;
    float panX = 0;
    float panY = 0;
};
/// Keeps the threads whose index along one axis (0 x, 1 y, 2 z) lies in the range.
struct SliceBlock3d final {
    std::size_t axis = 0;
    IndexRange kept;
};
/// Moves the warps of the solid apart by so many cubes, or together again.
struct SpreadWarps final {
    float apart = 0;
};
/// Whole, together, and seen as at the start.
struct ResetBlock3d final {};
struct SetSmView final {
    SmView view;
};
struct SetTimeView final {
    TimeView view;
};
/// What the timed runs of the next measurement find in the L2.
struct SetCache final {
    CacheBefore cache = CacheBefore::warm;
};

struct SetLowerTab final {
    LowerTab tab = LowerTab::memory;
};
/// Leaves the steps to one of the kernel's arrays (ShownStep), from the first on; or all.
struct ChooseArray final {
    std::optional<std::size_t> array;
    std::optional<std::uint64_t> step{};  ///< from that place in the trace on
};
/// Shows one of the steps there are to choose from, from 0.
struct ChooseStep final {
    std::uint64_t position = 0;
};
/// Shows the step so many further on, round from the last to the first.
struct MoveStep final {
    int steps = 1;
};
/// Lets the steps go by, or stops them.
struct TogglePlay final {};
/// 1, 4 or 16.
struct SetPlaySpeed final {
    double stepsPerSecond = 4;
};
/// So much time has passed.
struct Tick final {
    double seconds = 0;
};
struct WarpTraced final {
    std::shared_ptr<const WarpTrace> trace;
};

struct Measure final {};
struct CancelMeasure final {};
/// What the worker said about measurement `number`; ignored when that one is no longer awaited.
struct WorkerSaid final {
    std::uint64_t number = 0;
    std::variant<Progress, Measurement, Failure> event;
};
/// Where to measure from now on, `ssh lab-gpu`; empty: this machine.
struct ChoosePlace final {
    std::string place{};
};
struct ForgetPlace final {
    std::string place;
};
/// What stands in the field for a new place.
struct TypePlace final {
    std::string text{};
};
/// Which of the place's GPUs; empty: the first.
struct ChooseDevice final {
    DeviceChoice device{};
};
/// Asks the place for the GPUs it has, and what it said.
struct AskForDevices final {};
struct DevicesListed final {
    std::uint64_t asked = 0;
    std::vector<DeviceName> devices{};
};
/// Where the worker runs, `on gpu07, job 4711`.
struct WhereaboutsSaid final {
    std::string words;
};
struct SetRightTab final {
    RightTab tab = RightTab::measured;
};
/// What the sweep varies, as typed: `stride=1..128`.
struct SetSweepOver final {
    std::string over;
};
/// Measures the points of the shown sweep that are missing; CancelMeasure ends it.
struct MeasureSweep final {};
/// Shows the launch of one of the shown sweep's points.
struct ShowSweepPoint final {
    std::size_t point = 0;
};
/// Plots a quantity, by its id, in the first place or the second.
struct ChooseQuantity final {
    std::size_t place = 0;
    std::string id;
};
/// Sweeps that travel with the program were read, and the one of the session before.
struct SweepsRead final {
    std::shared_ptr<const RecordingLibrary> recordings;
    std::optional<Sweep> last{};
    std::string problem{};  ///< why the latter could not be read, a sentence; empty where it could
};
struct Pin final {
    PinSlot slot = PinSlot::a;
};
struct ClearPins final {};

struct PredictionReady final {
    Prediction prediction;
};
struct PredictionFailed final {
    PredictionFailure failure;
};

/// The shown block's prediction; none where it cannot be traced, which PredictionFailed explains.
struct BlockPredicted final {
    std::optional<BlockPrediction> prediction;
};
/// Draws what is shown as a figure for a slide, unless mostFiguresDue wait already.
struct DrawFigure final {
    FigureTarget target = FigureTarget::files;
};
/// Order `number` is finished: where the figure is, or why there is none.
struct FigureDrawn final {
    std::uint64_t number = 0;
    MessageKind kind = MessageKind::note;
    std::string text;
};

struct SetMode final {
    Mode mode = Mode::explore;
};
/// Opens the lesson of what is shown, or the list; from there back to exploring.
struct ToggleLessons final {};
/// Opens a lesson at the page where one was; the list of them where it is not known or empty.
struct OpenLesson final {
    std::string id;
};
/// So many pages of the lesson on.
struct TurnPage final {
    int pages = 1;
};
/// What is typed at the lesson's question.
struct GuessAnswer final {
    std::string text;
};
/// Judges what is typed.
struct HandIn final {};
/// Judges one of the question's answers.
struct ChooseAnswer final {
    std::size_t choice = 0;
};
struct TakeHint final {};
/// Ends the question without a right answer.
struct RevealAnswer final {};
/// As if the lesson had never been opened.
struct RestartLesson final {
    std::string id;
};
/// Moves the size that the lesson lets one move.
struct SlideLesson final {
    std::int64_t value = 0;
};
/// The picture that moves, from 0 to 1; it stands there.
struct SetMotionAt final {
    double at = 0;
};
/// Lets it go on, from the beginning where it has ended; or stops it.
struct PlayMotion final {};
/// Whether pictures may move on their own.
struct AllowMotion final {
    bool allowed = true;
};
/// The slide of what is shown.
struct Presented final {
    std::shared_ptr<const Slide> slide;
};
struct ToggleBlack final {};
struct ToggleSpotlight final {};
/// Nobody has to be told any more how to begin.
struct EndWelcome final {};
/// The lesson's two launches as A and B, measured where that is possible.
struct CompareLaunches final {};
struct LessonResolved final {
    std::shared_ptr<const ResolvedLesson> resolved;
};

/// Opens the field for the path of a person's own file, or closes it.
struct AskForProgram final {
    bool open = true;
};
/// Shows a person's own file instead of a built-in scenario; again where it is shown already.
struct OpenProgram final {
    std::string path;
};
/// Back to the built-in scenarios.
struct CloseProgram final {};
/// Launches the open file's kernels with this instead of what is proposed; empty: as proposed.
struct WishForProgram final {
    ProposedValue wish;
};
/// What is being done with the open file.
struct ProgramStage final {
    std::string path;
    std::string stage;
};
/// A version of the file was traced, or could not be; ignored when another file is open by then.
struct ProgramTraced final {
    std::string path;
    std::shared_ptr<const ProgramVersion> version;
};
struct ChooseProgramLaunch final {
    std::uint32_t index = 0;
};
/// A line of the file, from 1.
struct ChooseProgramLine final {
    std::uint32_t line = 0;
};
/// Shows the line, the block and the warp of one of the trace's findings.
struct ShowFinding final {
    std::size_t finding = 0;
};

struct SetTheme final {
    ThemeName theme = ThemeName::dark;
};
struct SetTextScale final {
    float scale = 1;
};
/// Light and large; a second time, back to dark and normal.
struct ToggleProjector final {};
struct SetHelpOpen final {
    bool open = true;
};
/// Opens the field that finds everything, or closes it.
struct OpenPalette final {
    bool open = true;
};
struct FilterPalette final {
    std::string typed;
};
/// The .cu files of the folder.
struct PaletteFiles final {
    std::vector<std::string> files;
};
/// So many entries down.
struct MovePalette final {
    int entries = 1;
};
/// Does what the chosen entry says, or the one at `place`, and closes the palette.
struct RunPalette final {
    std::optional<std::size_t> place{};
};
enum class CopiedText : std::uint8_t {
    scene,     ///< what is shown, as a line (scene.h)
    csv,       ///< the numbers of the open tab
    markdown,  ///< the same
};
struct CopyText final {
    CopiedText what = CopiedText::scene;
};
/// Shows the scene that is in the clipboard.
struct PasteScene final {};
/// Keeps the scene in a file of the folder.
struct SaveScene final {};
/// What was asked of other programs is on its way.
struct OutboxTaken final {};
struct OpenScene final {
    std::string text;
};
/// One level out: closes the help, else releases the warp, else dismisses the newest message.
struct StepBack final {};
struct Report final {
    MessageKind kind = MessageKind::note;
    std::string text;
};
struct DismissMessage final {
    std::uint64_t id = 0;
};

/// Every kind of command; `visit` takes one overload for each.
using CommandKinds = std::tuple<
    ChooseScenario, SetBlock, EnterNumber, SetGridCovers, SetExperiment, SwapBlockAxes, FinishEdit,
    Undo, Redo, ChooseBlock, PointAtThread, ToggleWarp, ReleaseWarp, SetMapArea, ZoomMap, PanMap,
    FitMap, CentreMap, SetCellNumbers, SetBlockView, TurnBlock3d, FrameBlock3d, SliceBlock3d,
    SpreadWarps, ResetBlock3d, SetSmView, SetTimeView, SetCache, SetLowerTab, ChooseArray,
    ChooseStep, MoveStep, TogglePlay, SetPlaySpeed, Tick, WarpTraced, Measure, CancelMeasure,
    WorkerSaid, ChoosePlace, ForgetPlace, TypePlace, ChooseDevice, AskForDevices, DevicesListed,
    WhereaboutsSaid, SetRightTab, SetSweepOver, MeasureSweep, ShowSweepPoint, ChooseQuantity,
    PointPredicted, SweepsRead, Pin, ClearPins, PredictionReady, PredictionFailed, BlockPredicted,
    SetMode, ToggleLessons, OpenLesson, TurnPage, GuessAnswer, HandIn, ChooseAnswer, TakeHint,
    RevealAnswer, RestartLesson, SlideLesson, SetMotionAt, PlayMotion, AllowMotion, EndWelcome,
    Presented, ToggleBlack, ToggleSpotlight, CompareLaunches, LessonResolved, AskForProgram,
    OpenProgram, WishForProgram, CloseProgram, ProgramStage, ProgramTraced, ChooseProgramLaunch,
    ChooseProgramLine, ShowFinding, DrawFigure, FigureDrawn, SetTheme, SetTextScale,
    ToggleProjector, SetHelpOpen, OpenPalette, FilterPalette, PaletteFiles, MovePalette, RunPalette,
    CopyText, PasteScene, SaveScene, OutboxTaken, OpenScene, StepBack, Report, DismissMessage>;

template <class Kind, class List>
inline constexpr std::size_t placeInList = 0;
template <class Kind, class First, class... Rest>
inline constexpr std::size_t placeInList<Kind, std::tuple<First, Rest...>> =
    std::same_as<Kind, First> ? 0 : 1 + placeInList<Kind, std::tuple<Rest...>>;

template <class Kind>
concept CommandKind =
    placeInList<std::remove_cvref_t<Kind>, CommandKinds> < std::tuple_size_v<CommandKinds>;

/// One of CommandKinds. Copies share what it holds, which never changes. What a panel compiles of
/// it is what it makes: a std::variant would bring the tables of all kinds into every file.
class Command final {
  public:
    template <CommandKind Kind>
    Command(Kind kind)
        : place_(placeInList<Kind, CommandKinds>),
          content_(std::make_shared<const Kind>(std::move(kind))) {}

    template <CommandKind Kind>
    [[nodiscard]] bool is() const {
        return place_ == placeInList<Kind, CommandKinds>;
    }
    /// What it holds; null where it is of another kind.
    template <CommandKind Kind>
    [[nodiscard]] const Kind* as() const {
        return is<Kind>() ? static_cast<const Kind*>(content_.get()) : nullptr;
    }
    /// Calls `visitor` with what the command holds; `Returned` is what every overload returns.
    template <class Returned, class Visitor>
    Returned visit(const Visitor& visitor) const {
        return [&]<class... Kinds>(std::type_identity<std::tuple<Kinds...>>) {
            using Call = Returned (*)(const Visitor&, const void*);
            static constexpr std::array<Call, sizeof...(Kinds)> calls{
                [](const Visitor& called, const void* content) -> Returned {
                    return called(*static_cast<const Kinds*>(content));
                }...};
            return calls.at(place_)(visitor, content_.get());
        }(std::type_identity<CommandKinds>{});
    }

  private:
    std::size_t place_;
    std::shared_ptr<const void> content_;
};
using Commands = std::vector<Command>;

/// Changes the state. Never fails: a command that makes no sense now does nothing, or leaves a
/// message.
void apply(AppState& state, const Command& command);

/// Whether `apply` does anything with it now. While a lesson's question is open, what would lead to
/// its answer is locked.
[[nodiscard]] bool isLocked(const AppState& state, const Command& command);

/// As `apply`, locked or not: for what a lesson itself brings about.
void applyFreely(AppState& state, const Command& command);

}  // namespace warplens::window
