#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/window/state/commands.h"

/// Everything that can happen to the state. Menu, key, click, worker and command line all make
/// these; `apply` (apply.h) does what they say.
namespace warplens::window {

/// Every kind of command; `visit` takes one overload for each.
using CommandKinds = std::tuple<
    ChooseScenario, SetBlock, SetLaunch, TypeLaunch, EnterNumber, SetGridCovers, SwapBlockAxes,
    FinishEdit, Undo, Redo, Show, ChooseBlock, PointAtThread, HoldThread, ToggleWarp, SetMapArea,
    ZoomMap, PanMap, CentreMap, TurnBlock3d, FrameBlock3d, SliceBlock3d, SpreadWarps, ResetBlock3d,
    SetSmView, SetTimeView, SetModelView, SmModelled, SetCache, ChooseArray, ChooseStep, MoveStep,
    TogglePlay, SetPlaySpeed, Tick, WarpTraced, Measure, CancelMeasure, WorkerSaid, ChoosePlace,
    ForgetPlace, TypePlace, ChooseDevice, AskForDevices, DevicesListed, WhereaboutsSaid,
    MeasureSweep, ShowSweepPoint, ChooseQuantity, PointPredicted, SweepsRead, Pin, ClearPins,
    PredictionReady, CompiledPredicted, PredictionFailed, BlockPredicted, SetMode, ToggleLessons,
    OpenLesson, TurnPage, GuessAnswer, HandIn, ChooseAnswer, TakeHint, RevealAnswer, RestartLesson,
    SlideLesson, SetMotionAt, PlayMotion, AllowMotion, EndWelcome, Presented, ToggleBlack,
    ToggleSpotlight, CompareLaunches, LessonResolved, LessonsRead, StartAgain, AskForProgram,
    EditProgram, TypeProgram, UndoTyping, RedoTyping, SaveProgram, ResolveEdit, ProgramRead,
    NewProgram, BeginExercise, EditOutside, BrowseForProgram, ProgramBrowsed, OpenProgram,
    WishForProgram, CloseProgram, RunUnconfined, StopProgram, ProgramStage, ProgramText,
    ProgramTraced, ProgramStepsTraced, ResourcesCompiled, MeasurementRead, RemediesFound,
    DifferencesFound, ApplyRemedy, ToggleLineGoal, TakeRemedyBack, RemedyWritten, SaveMeasured,
    PictureProgram, ShowMachineCode, ChooseProgramLaunch, ChooseProgramLine, ShowFinding,
    DrawFigure, OpenFigure, ChooseFigure, FigurePreviewed, FigureDrawn, ToggleProjector,
    SetHelpOpen, OpenPalette, FilterPalette, PaletteFiles, MovePalette, RunPalette, CopyText,
    PasteScene, SaveScene, OutboxTaken, OpenScene, StepBack, Report, DismissMessage>;

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

inline void append(Commands& commands, const Commands& more) {
    commands.insert(commands.end(), more.begin(), more.end());
}

}  // namespace warplens::window
