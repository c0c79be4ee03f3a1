#include "tests/soak/random_command.h"

#include <array>
#include <type_traits>
#include <utility>

#include "app/window/state/scene.h"
#include "app/window/state/timeline.h"
#include "core/view/view_parts.h"
#include "tests/worker_stub/scripted_program_measurement.h"

namespace warplens::window::soak {
namespace {

template <class T>
using Of = std::type_identity<T>;

template <class T>
constexpr std::string_view nameOfType() {
    // GCC: `... [with T = warplens::window::Undo; std::string_view = ...]`; Clang: `... [T = ...]`.
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find("T = ") + 4);
    text = text.substr(0, text.find_first_of(";]"));
    return text.substr(text.rfind(':') + 1);
}
static_assert(nameOfType<SwapBlockAxes>() == "SwapBlockAxes");

/// One overload for each kind of command: without it this does not compile.
struct Maker final {
    Payloads& from;
    const AppState& state;

    [[nodiscard]] Dice& dice() const { return from.dice(); }
    /// One of the first `count` values of an enumeration.
    template <class Enum>
    [[nodiscard]] Enum any(std::size_t count) const {
        return static_cast<Enum>(dice().below(count));
    }
    template <class T>
    [[nodiscard]] std::optional<T> perhaps(T value) const {
        return dice().oneIn(3) ? std::nullopt : std::optional<T>(std::move(value));
    }
    // One part of a view each, by what it holds.
    [[nodiscard]] Experiment anyOf(const Experiment&) const { return from.experiment(); }
    [[nodiscard]] Index3 anyOf(Index3) const { return from.index(grid()); }
    [[nodiscard]] std::string anyOf(const std::string&) const {
        return dice().oneIn(3) ? from.lesson() : from.sweepOver(state);
    }
    [[nodiscard]] float anyOf(float) const { return from.single(0.5, 3); }
    template <NamedEnum Enum>
    [[nodiscard]] Enum anyOf(Enum) const {
        return fromWord<Enum>(dice().of(offeredWords<Enum>())).value();
    }
    template <std::unsigned_integral Number>
    [[nodiscard]] std::optional<Number> anyOf(std::optional<Number>) const {
        return perhaps(static_cast<Number>(from.count()));
    }
    [[nodiscard]] std::optional<WarpRank> anyOf(std::optional<WarpRank>) const {
        return perhaps(WarpRank{static_cast<std::uint32_t>(dice().below(40))});
    }
    [[nodiscard]] std::optional<ComputeCapability> anyOf(std::optional<ComputeCapability>) const {
        return perhaps(ComputeCapability{static_cast<std::uint32_t>(dice().between(6, 14)),
                                         static_cast<std::uint32_t>(dice().between(0, 10))});
    }

    [[nodiscard]] Extents grid() const { return state.view.experiment.launch.grid; }
    [[nodiscard]] Extents block() const { return state.view.experiment.launch.block; }

    Command operator()(Of<ChooseScenario>) const { return ChooseScenario{from.scenario()}; }
    Command operator()(Of<SetBlock>) const { return SetBlock{from.extents()}; }
    Command operator()(Of<EnterNumber>) const {
        return EnterNumber{from.field(state.edit.experiment), from.numeral(1, 2048)};
    }
    Command operator()(Of<SetGridCovers>) const { return SetGridCovers{dice().oneIn(2)}; }
    Command operator()(Of<Show>) const {
        Show change;
        const View start;
        forEachPart([&](const ViewPart&, auto of) {
            if (dice().oneIn(6)) of(change) = anyOf(of(start));
        });
        return change;
    }
    Command operator()(Of<SwapBlockAxes>) const { return SwapBlockAxes{}; }
    Command operator()(Of<FinishEdit>) const { return FinishEdit{}; }
    Command operator()(Of<Undo>) const { return Undo{}; }
    Command operator()(Of<Redo>) const { return Redo{}; }

    Command operator()(Of<ChooseBlock>) const { return ChooseBlock{from.index(grid())}; }
    Command operator()(Of<PointAtThread>) const {
        return PointAtThread{perhaps(from.index(block()))};
    }
    Command operator()(Of<HoldThread>) const { return HoldThread{from.index(block())}; }
    Command operator()(Of<ToggleWarp>) const {
        return ToggleWarp{
            {dice().oneIn(4) ? from.count() : static_cast<std::uint32_t>(dice().below(32))}};
    }

    Command operator()(Of<SetMapArea>) const {
        return SetMapArea{{.width = from.single(1, 3840),
                           .height = from.single(1, 2160),
                           .left = from.single(0, 60),
                           .above = from.single(0, 60),
                           .gapX = from.single(0, 60),
                           .gapY = from.single(0, 60),
                           .largestCell = from.single(1, 144),
                           .line = from.single(1, 2)}};
    }
    Command operator()(Of<ZoomMap>) const {
        return ZoomMap{from.real(0.2, 5),
                       perhaps(Point{from.single(-10, 4000), from.single(-10, 4000)})};
    }
    Command operator()(Of<PanMap>) const {
        return PanMap{from.real(-2000, 2000), from.real(-2000, 2000)};
    }
    Command operator()(Of<CentreMap>) const { return CentreMap{from.index(grid())}; }

    Command operator()(Of<TurnBlock3d>) const {
        return TurnBlock3d{from.single(-90, 90), from.single(-90, 90)};
    }
    Command operator()(Of<FrameBlock3d>) const {
        return FrameBlock3d{from.single(0.1, 80), from.single(-300, 300), from.single(-300, 300)};
    }
    Command operator()(Of<SliceBlock3d>) const {
        return SliceBlock3d{dice().below(5), {from.count(), from.count()}};
    }
    Command operator()(Of<SpreadWarps>) const { return SpreadWarps{from.single(0, 3)}; }
    Command operator()(Of<ResetBlock3d>) const { return ResetBlock3d{}; }
    Command operator()(Of<SetSmView>) const {
        return SetSmView{{perhaps(from.count()), perhaps(from.count())}};
    }
    Command operator()(Of<SetCache>) const { return SetCache{any<CacheBefore>(2)}; }
    Command operator()(Of<SetTimeView>) const {
        return SetTimeView{{perhaps(any<TimeRows>(2)),
                            perhaps(drawing::TimeSpan{from.real(0, 1), from.real(0, 1)})}};
    }

    Command operator()(Of<ChooseArray>) const {
        return ChooseArray{perhaps(dice().below(6)), perhaps(std::uint64_t{from.count()})};
    }
    Command operator()(Of<ChooseStep>) const {
        return ChooseStep{dice().oneIn(9) ? UINT64_MAX : from.count()};
    }
    Command operator()(Of<MoveStep>) const {
        constexpr std::array steps{1, -1, 0, 7, -32, INT32_MAX, INT32_MIN};
        return MoveStep{dice().of(steps)};
    }
    Command operator()(Of<TogglePlay>) const { return TogglePlay{}; }
    Command operator()(Of<SetPlaySpeed>) const {
        constexpr std::array speeds{1.0, 4.0, 16.0};
        return SetPlaySpeed{dice().oneIn(2) ? dice().of(speeds) : from.real(0, 100)};
    }
    Command operator()(Of<Tick>) const { return Tick{from.real(0, 2)}; }
    Command operator()(Of<WarpTraced>) const { return WarpTraced{from.warpTrace(state)}; }
    Command operator()(Of<SetLaunch>) const { return SetLaunch{grid(), block()}; }
    Command operator()(Of<TypeLaunch>) const { return TypeLaunch{}; }
    Command operator()(Of<SetModelView>) const { return SetModelView{}; }
    Command operator()(Of<SmModelled>) const { return SmModelled{}; }
    Command operator()(Of<LessonsRead>) const { return LessonsRead{{from.text()}}; }

    Command operator()(Of<Measure>) const { return Measure{}; }
    Command operator()(Of<CancelMeasure>) const { return CancelMeasure{}; }
    Command operator()(Of<WorkerSaid>) const {
        const Running* const run = running(state);
        const bool awaited = run != nullptr && !dice().oneIn(5);
        WorkerSaid said{.number = awaited ? run->number : from.count(), .event = {}};
        if (dice().oneIn(3)) {
            said.event = Progress{from.text(), from.real(0, 1)};
        } else if (dice().oneIn(4)) {
            said.event = from.failure();
        } else if (const LaunchReport* const launch = chosenLaunch(state.program);
                   launch != nullptr && dice().oneIn(2)) {
            auto& measurement =
                said.event.emplace<ProgramMeasurement>(tests::scriptedProgramMeasurement());
            measurement.launch = launch->launch;
            measurement.differences[0].line = from.count() % 12;
            for (std::string* const file :
                 {&measurement.lines[0].place.file, &measurement.differences[0].file,
                  &measurement.code[0].file}) {
                *file = state.program.path;
            }
        } else {
            Measurement& measurement = said.event.emplace<Measurement>(from.measurement(state));
            if (awaited && !dice().oneIn(4)) measurement.experiment = run->experiment;
        }
        return said;
    }
    Command operator()(Of<MeasureSweep>) const { return MeasureSweep{}; }
    Command operator()(Of<ShowSweepPoint>) const {
        return ShowSweepPoint{dice().oneIn(9) ? SIZE_MAX : dice().below(200)};
    }
    Command operator()(Of<ChooseQuantity>) const {
        return ChooseQuantity{dice().below(4), dice().oneIn(9)
                                                   ? from.text()
                                                   : std::string(dice().of(allQuantities()).id)};
    }
    Command operator()(Of<PointPredicted>) const { return from.pointPredicted(state); }
    Command operator()(Of<SweepsRead>) const { return SweepsRead{from.sweeps(), from.lastSweep()}; }
    Command operator()(Of<Pin>) const { return Pin{any<PinSlot>(2)}; }
    Command operator()(Of<ClearPins>) const { return ClearPins{}; }

    Command operator()(Of<PredictionReady>) const {
        return PredictionReady{from.prediction(state)};
    }
    Command operator()(Of<CompiledPredicted>) const {
        return CompiledPredicted{from.blockPrediction(state)};
    }
    Command operator()(Of<PredictionFailed>) const {
        return PredictionFailed{{from.experimentOf(state), from.text()}};
    }
    Command operator()(Of<BlockPredicted>) const {
        return BlockPredicted{from.blockPrediction(state)};
    }

    Command operator()(Of<ToggleLessons>) const { return ToggleLessons{}; }
    Command operator()(Of<OpenLesson>) const { return OpenLesson{from.lesson()}; }
    Command operator()(Of<SetMode>) const { return SetMode{any<Mode>(3)}; }
    Command operator()(Of<TurnPage>) const {
        return TurnPage{static_cast<int>(dice().below(20)) - 6};
    }
    Command operator()(Of<HandIn>) const { return HandIn{}; }
    Command operator()(Of<TakeHint>) const { return TakeHint{}; }
    Command operator()(Of<RestartLesson>) const { return RestartLesson{from.lesson()}; }
    Command operator()(Of<SlideLesson>) const {
        return SlideLesson{static_cast<std::int64_t>(dice().below(80)) - 20};
    }
    Command operator()(Of<SetMotionAt>) const {
        return SetMotionAt{static_cast<double>(dice().below(1000)) / 500 - 0.5};
    }
    Command operator()(Of<PlayMotion>) const { return PlayMotion{}; }
    Command operator()(Of<AllowMotion>) const { return AllowMotion{dice().oneIn(2)}; }
    Command operator()(Of<EndWelcome>) const { return EndWelcome{}; }
    Command operator()(Of<Presented>) const { return Presented{}; }
    Command operator()(Of<ToggleBlack>) const { return ToggleBlack{}; }
    Command operator()(Of<ToggleSpotlight>) const { return ToggleSpotlight{}; }
    Command operator()(Of<GuessAnswer>) const { return GuessAnswer{from.numeral(0, 100'000)}; }
    Command operator()(Of<ChooseAnswer>) const {
        return ChooseAnswer{dice().oneIn(9) ? SIZE_MAX : dice().below(5)};
    }
    Command operator()(Of<RevealAnswer>) const { return RevealAnswer{}; }
    Command operator()(Of<CompareLaunches>) const { return CompareLaunches{}; }
    Command operator()(Of<LessonResolved>) const { return LessonResolved{from.resolved(state)}; }

    Command operator()(Of<ChoosePlace>) const { return ChoosePlace{from.text()}; }
    Command operator()(Of<ForgetPlace>) const { return ForgetPlace{from.text()}; }
    Command operator()(Of<TypePlace>) const { return TypePlace{from.text()}; }
    Command operator()(Of<ChooseDevice>) const { return ChooseDevice{}; }
    Command operator()(Of<AskForDevices>) const { return AskForDevices{}; }
    Command operator()(Of<DevicesListed>) const { return DevicesListed{from.count(), {}}; }
    Command operator()(Of<WhereaboutsSaid>) const { return WhereaboutsSaid{from.text()}; }

    Command operator()(Of<AskForProgram>) const { return AskForProgram{dice().oneIn(2)}; }
    Command operator()(Of<OpenProgram>) const { return OpenProgram{from.text()}; }
    Command operator()(Of<RunUnconfined>) const { return RunUnconfined{}; }
    Command operator()(Of<StopProgram>) const { return StopProgram{}; }
    Command operator()(Of<WishForProgram>) const {
        return WishForProgram{
            {.kind = any<ProposedKind>(5), .name = from.text(), .value = from.text()}};
    }
    Command operator()(Of<CloseProgram>) const { return CloseProgram{}; }
    Command operator()(Of<ProgramStage>) const {
        return ProgramStage{state.program.path, from.text()};
    }
    Command operator()(Of<ProgramText>) const {
        return ProgramText{state.program.path, std::make_shared<const std::vector<std::string>>(
                                                   dice().below(9), "a[i] = 0;")};
    }
    Command operator()(Of<SaveMeasured>) const { return SaveMeasured{}; }
    Command operator()(Of<EditProgram>) const { return EditProgram{dice().oneIn(2)}; }
    Command operator()(Of<TypeProgram>) const { return TypeProgram{from.text()}; }
    Command operator()(Of<UndoTyping>) const { return UndoTyping{}; }
    Command operator()(Of<RedoTyping>) const { return RedoTyping{}; }
    Command operator()(Of<SaveProgram>) const { return SaveProgram{}; }
    Command operator()(Of<ResolveEdit>) const { return ResolveEdit{dice().oneIn(2)}; }
    Command operator()(Of<ProgramRead>) const {
        return ProgramRead{state.program.path, from.text(), dice().oneIn(2)};
    }
    Command operator()(Of<NewProgram>) const { return NewProgram{}; }
    Command operator()(Of<EditOutside>) const { return EditOutside{}; }
    Command operator()(Of<BrowseForProgram>) const { return BrowseForProgram{}; }
    Command operator()(Of<ProgramBrowsed>) const {
        return dice().oneIn(2) ? ProgramBrowsed{from.text(), {}} : ProgramBrowsed{{}, from.text()};
    }
    Command operator()(Of<RemediesFound>) const {
        auto found = std::make_shared<ProgramRemedies>();
        found->place = wantedRemedies(state.program).value_or(RemedyPlace{});
        return RemediesFound{std::move(found)};
    }
    Command operator()(Of<DifferencesFound>) const {
        auto found = std::make_shared<ProgramDifferences>();
        found->place = wantedRemedies(state.program).value_or(RemedyPlace{});
        TriedDifference& tried = found->tried.emplace_back();
        if (const LaunchReport* const launch = chosenLaunch(state.program))
            tried.kernel = launch->kernel;
        tried.difference.file = state.program.path;
        tried.difference.line = from.count() % 12;
        tried.difference.words = from.text();
        return DifferencesFound{std::move(found)};
    }
    Command operator()(Of<ApplyRemedy>) const { return ApplyRemedy{dice().below(3)}; }
    Command operator()(Of<ToggleLineGoal>) const { return ToggleLineGoal{}; }
    Command operator()(Of<TakeRemedyBack>) const { return TakeRemedyBack{}; }
    Command operator()(Of<RemedyWritten>) const { return RemedyWritten{{}, dice().oneIn(2)}; }
    /// A trace of a launch and a finding that may or may not be of the file.
    Command operator()(Of<ProgramTraced>) const {
        auto version = std::make_shared<ProgramVersion>();
        version->lines.assign(dice().below(9), "a[i] = 0;");
        if (dice().oneIn(4)) version->failure = from.text();
        version->failureLine = dice().oneIn(4) ? from.count() : 0;
        LaunchReport launch;
        launch.index = static_cast<std::uint32_t>(dice().below(3));
        launch.launch = {grid(), block()};
        ProgramLine& line = launch.lines.emplace_back();
        line.place = {state.program.path, from.count() % 12, 1};
        line.requests = from.count();
        line.sectors = from.count();
        line.idealSectors = from.count();
        version->trace.launches.push_back(launch);
        Finding& finding = version->trace.findings.emplace_back();
        finding.words = from.text();
        finding.place = {state.program.path, from.count(), 1};
        finding.launch = launch.index;
        finding.block = from.index(grid());
        finding.thread = from.index(block());
        return ProgramTraced{state.program.path, std::move(version)};
    }
    /// Of the block that is shown, or of another one.
    Command operator()(Of<ProgramStepsTraced>) const {
        auto steps = std::make_shared<ProgramSteps>();
        steps->place = wantedSteps(state).value_or(StepsPlace{});
        if (dice().oneIn(4)) steps->place.block = from.index(grid());
        if (dice().oneIn(4)) {
            steps->failure = from.text();
            return ProgramStepsTraced{std::move(steps)};
        }
        auto of = std::make_shared<BlockSteps>();
        of->file = state.program.path;
        of->block = steps->place.block;
        of->places.push_back({of->file, from.count() % 12, 1});
        of->arrays.push_back({from.text(), 4, 0});
        of->branches.push_back({0, from.text()});
        of->warps.resize(dice().below(34));
        for (WarpSteps& warp : of->warps) {
            for (warp.total = dice().below(9); warp.steps.size() < warp.total;) {
                warp.steps.push_back({.bytes = 4, .active = 1});
                warp.offsets.push_back(from.count() * 4);
                warp.steps.push_back({.kind = AccessKind::branch, .active = 3, .taken = 1});
            }
            warp.total = warp.steps.size();
        }
        steps->steps = std::move(of);
        return ProgramStepsTraced{std::move(steps)};
    }
    /// Of the kernel that is shown, or of another one.
    Command operator()(Of<ResourcesCompiled>) const {
        auto compiled = std::make_shared<CompiledPlace>();
        compiled->place = wantedCompilation(state).value_or(CompilePlace{});
        compiled->answer = Failure{FailureKind::failed, from.text()};
        if (dice().oneIn(2)) {
            compiled->answer = CompiledResources{
                {from.count() % 300, from.count(), from.count()}, from.text(), from.text()};
        }
        return ResourcesCompiled{std::move(compiled)};
    }
    Command operator()(Of<ChooseProgramLaunch>) const {
        return ChooseProgramLaunch{static_cast<std::uint32_t>(dice().below(4))};
    }
    Command operator()(Of<ChooseProgramLine>) const { return ChooseProgramLine{from.count()}; }
    Command operator()(Of<MeasurementRead>) const {
        return MeasurementRead{state.program.kept, nullptr, from.text()};
    }
    Command operator()(Of<PictureProgram>) const { return PictureProgram{dice().oneIn(2)}; }
    Command operator()(Of<ShowMachineCode>) const { return ShowMachineCode{dice().oneIn(2)}; }
    Command operator()(Of<ShowFinding>) const { return ShowFinding{dice().below(3)}; }

    Command operator()(Of<DrawFigure>) const { return DrawFigure{any<FigureTarget>(2)}; }
    Command operator()(Of<FigureDrawn>) const {
        const bool awaited = !state.figures.empty() && !dice().oneIn(4);
        return FigureDrawn{awaited ? state.figures.front().number : from.count(),
                           any<MessageKind>(3), from.text()};
    }

    Command operator()(Of<ToggleProjector>) const { return ToggleProjector{}; }
    Command operator()(Of<OpenFigure>) const { return OpenFigure{dice().oneIn(2)}; }
    Command operator()(Of<ChooseFigure>) const {
        return ChooseFigure{{.of = static_cast<FigureOf>(dice().below(5)), .paper = {}}};
    }
    Command operator()(Of<FigurePreviewed>) const { return FigurePreviewed{}; }
    Command operator()(Of<SetHelpOpen>) const { return SetHelpOpen{dice().oneIn(2)}; }
    Command operator()(Of<OpenPalette>) const { return OpenPalette{dice().oneIn(2)}; }
    Command operator()(Of<FilterPalette>) const { return FilterPalette{from.text()}; }
    Command operator()(Of<PaletteFiles>) const { return PaletteFiles{{from.text(), from.text()}}; }
    Command operator()(Of<MovePalette>) const {
        constexpr std::array entries{1, -1, 8, INT32_MAX, INT32_MIN};
        return MovePalette{dice().of(entries)};
    }
    Command operator()(Of<RunPalette>) const { return RunPalette{perhaps(dice().below(200))}; }
    Command operator()(Of<CopyText>) const { return CopyText{any<CopiedText>(4)}; }
    Command operator()(Of<PasteScene>) const { return PasteScene{}; }
    Command operator()(Of<SaveScene>) const { return SaveScene{}; }
    Command operator()(Of<OutboxTaken>) const { return OutboxTaken{}; }
    Command operator()(Of<OpenScene>) const {
        return OpenScene{dice().oneIn(2) ? sceneOf(state) : from.text()};
    }
    Command operator()(Of<StartAgain>) const { return StartAgain{}; }
    Command operator()(Of<StepBack>) const { return StepBack{}; }
    Command operator()(Of<Report>) const { return Report{any<MessageKind>(3), from.text()}; }
    Command operator()(Of<BeginExercise>) const { return BeginExercise{}; }
    Command operator()(Of<DismissMessage>) const {
        const bool there = !state.messages.empty() && !dice().oneIn(3);
        return DismissMessage{there ? dice().of(state.messages).id : from.count()};
    }
};

constexpr std::size_t kinds = std::tuple_size_v<CommandKinds>;

using Make = Command (*)(const Maker&);
template <std::size_t... I>
constexpr std::array<Make, kinds> makersOf(std::index_sequence<I...>) {
    return {
        [](const Maker& maker) { return maker(Of<std::tuple_element_t<I, CommandKinds>>{}); }...};
}
constexpr std::array<Make, kinds> makers = makersOf(std::make_index_sequence<kinds>{});

template <class... Fs>
struct Overloaded final : Fs... {
    using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;  // Clang 16 does not find it itself

}  // namespace

Command RandomCommands::next(const AppState& state) {
    Dice& dice = payloads_.dice();
    if (again_ > 0) {
        --again_;
    } else {
        kind_ = dice.below(kinds);
        if (dice.oneIn(30)) again_ = dice.between(1, 30);
    }
    return makers.at(kind_)(Maker{payloads_, state});
}

std::string_view nameOf(const Command& command) {
    return command.visit<std::string_view>(
        [](const auto& one) { return nameOfType<std::decay_t<decltype(one)>>(); });
}

std::string inWords(const Command& command) {
    constexpr std::size_t longest = 80;
    const std::string payload = command.visit<std::string>(Overloaded{
        [](const ChooseScenario& one) { return one.id; },
        [](const SetBlock& one) { return toString(one.block); },
        [](const EnterNumber& one) { return one.field + " = '" + one.text + "'"; },
        [](const Show& one) {
            std::string words = one.over.value_or("");
            forEachPart([&](const ViewPart& part, auto of) {
                if (of(one)) words += ' ' + std::string(part.scene) + std::string(part.option);
            });
            if (!one.experiment) return words;
            return one.experiment->scenario + ' ' + toString(one.experiment->launch.grid) + ' ' +
                   toString(one.experiment->launch.block) + ' ' + sizesOf(*one.experiment) + words;
        },
        [](const OpenLesson& one) { return one.id; },
        [](const TurnPage& one) { return std::to_string(one.pages); },
        [](const ShowSweepPoint& one) { return std::to_string(one.point); },
        [](const ZoomMap& one) { return std::to_string(one.factor); },
        [](const Tick& one) { return std::to_string(one.seconds); },
        [](const auto&) { return std::string(); },
    });
    return std::string(nameOf(command)) + ' ' + payload.substr(0, longest);
}

}  // namespace warplens::window::soak
