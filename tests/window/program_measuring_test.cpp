// Measuring a person's own file as the window sees it: its state, and the thread that traces and
// measures, without anything drawn.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

#include "app/window/program_job.h"
#include "app/window/state/actions.h"
#include "app/window/state/apply.h"
#include "core/json/json.h"
#include "core/json/schema.h"
#include "core/text/files.h"
#include "tests/window/measuring_session.h"
#include "tests/worker_stub/scripted_program_measurement.h"

namespace warplens::window {
namespace {

using namespace std::chrono_literals;

constexpr Launch shape{.grid = {4, 1, 1}, .block = {64, 1, 1}};

LaunchReport launchOf(std::uint32_t index) {
    LaunchReport launch;
    launch.index = index;
    launch.kernel = launch.instance = "k" + std::to_string(index);
    launch.launch = shape;
    for (const std::uint32_t line : {2u, 3u}) {
        ProgramLine& place = launch.lines.emplace_back();
        place.place = {"my.cu", line, 1};
        place.kind = line == 2 ? AccessKind::load : AccessKind::store;
        place.requests = 8;
        place.sectors = 32;
        place.idealSectors = 32;
    }
    launch.values = valuesOf(launch.lines);
    return launch;
}

std::shared_ptr<const ProgramVersion> versionOf(const std::string& digest) {
    auto version = std::make_shared<ProgramVersion>();
    version->lines.assign(9, "a[i] = b[i];");
    version->statements = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    version->trace.launches = {launchOf(0), launchOf(1)};
    version->digest = digest;
    return version;
}

AppState openedState(const std::string& digest = "first") {
    AppState state = stateOf("matadd-coalesced");
    apply(state, OpenProgram{"my.cu"});
    apply(state, ProgramTraced{"my.cu", versionOf(digest)});
    return state;
}

MeasureProgramRequest requestFor(const ProgramSubject& subject) {
    MeasureProgramRequest request;
    request.sources.units = {{.path = subject.path, .text = "the text"}};
    request.inputs.kernel = subject.kernel;
    request.inputs.launch = shape;
    request.predicted = launchOf(subject.launch).lines;
    return request;
}

ProgramMeasurement measurementOf(const Running& run) {
    return tests::scriptedProgramMeasurement(requestFor(*run.program));
}

TEST(ProgramMeasuring, IsOfTheChosenLaunchAndStaysWithIt) {
    AppState state = openedState();
    apply(state, ChooseProgramLaunch{1});
    EXPECT_TRUE(mayMeasure(state));
    apply(state, Measure{});
    const Running run = *running(state);
    ASSERT_TRUE(run.program);
    EXPECT_EQ(run.program->launch, 1u);
    EXPECT_EQ(run.program->kernel, "k1");
    EXPECT_EQ(run.program->digest, "first");
    apply(state, WorkerSaid{run.number, Progress{"tracing", 0.5}});
    EXPECT_EQ(running(state)->stage, "tracing");
    EXPECT_EQ(resultOfChosen(state.program), nullptr);
    apply(state, WorkerSaid{run.number, measurementOf(run)});
    EXPECT_TRUE(std::holds_alternative<Idle>(state.measuring));
    ASSERT_NE(resultOfChosen(state.program), nullptr);
    EXPECT_EQ(resultOfChosen(state.program)->measurement->kernel, "k1");
    EXPECT_FALSE(resultOfChosen(state.program)->recorded);
    apply(state, ChooseProgramLaunch{0});
    EXPECT_EQ(resultOfChosen(state.program), nullptr);
    apply(state, ChooseProgramLaunch{1});
    EXPECT_NE(resultOfChosen(state.program), nullptr);
    EXPECT_TRUE(state.messages.empty());
    EXPECT_TRUE(state.results.empty()) << "no scenario was measured";
}

TEST(ProgramMeasuring, NeedsALaunchThatIsTracedAndAWorker) {
    AppState state = openedState();
    state.canMeasure = false;
    apply(state, Measure{});
    EXPECT_EQ(running(state), nullptr);
    state.canMeasure = true;
    apply(state, OpenProgram{"my.cu"});  // once more: nothing is known yet
    apply(state, Measure{});
    EXPECT_EQ(running(state), nullptr);
    auto failed = std::make_shared<ProgramVersion>();
    failed->failure = "my.cu:1:1: error";
    apply(state, ProgramTraced{"my.cu", std::move(failed)});
    EXPECT_FALSE(mayMeasure(state));
}

TEST(ProgramMeasuring, InALessonIsOfTheScenario) {
    AppState state = openedState();
    state.view.mode = Mode::learn;
    apply(state, Measure{});
    ASSERT_NE(running(state), nullptr);
    EXPECT_FALSE(running(state)->program);
}

TEST(ProgramMeasuring, IsNeverShownAsOfANewText) {
    AppState state = openedState("first");
    apply(state, Measure{});
    apply(state, WorkerSaid{running(state)->number, measurementOf(*running(state))});
    ASSERT_NE(resultOfChosen(state.program), nullptr);
    EXPECT_FALSE(comparedLines(state.program).empty());
    apply(state, ProgramTraced{"my.cu", versionOf("second")});
    EXPECT_EQ(resultOfChosen(state.program), nullptr);
    EXPECT_TRUE(comparedLines(state.program).empty());
    EXPECT_EQ(codeOfChosen(state.program, 2), nullptr);
    ASSERT_NE(formerResultOfChosen(state.program), nullptr);
    EXPECT_EQ(formerResultOfChosen(state.program)->digest, "first");
    apply(state, ProgramTraced{"my.cu", versionOf("first")});  // taken back in the editor
    EXPECT_NE(resultOfChosen(state.program), nullptr);
    EXPECT_EQ(formerResultOfChosen(state.program), nullptr);
}

TEST(ProgramMeasuring, OfAFileThatWasSavedMeanwhileSaysSo) {
    AppState state = openedState("first");
    apply(state, Measure{});
    const Running run = *running(state);
    apply(state, ProgramTraced{"my.cu", versionOf("second")});
    apply(state, WorkerSaid{run.number, measurementOf(run)});
    EXPECT_EQ(resultOfChosen(state.program), nullptr);
    EXPECT_NE(formerResultOfChosen(state.program), nullptr);
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages[0].text, "k0 was measured as the file was before it was saved.");
}

TEST(ProgramMeasuring, OfAFileThatIsClosedIsCalledOff) {
    for (const Command& leaving : {Command(CloseProgram{}), Command(OpenProgram{__FILE__}),
                                   Command(ChooseScenario{"matadd-swapped"})}) {
        AppState state = openedState();
        apply(state, Measure{});
        const Running run = *running(state);
        apply(state, leaving);
        EXPECT_TRUE(running(state)->cancelled);
        apply(state, WorkerSaid{run.number, measurementOf(run)});  // it came all the same
        EXPECT_TRUE(state.program.results.empty());
        EXPECT_EQ(running(state), nullptr);
    }
}

TEST(ProgramMeasuring, ResultsThatDifferAreOneWarningAndAreKept) {
    AppState state = openedState();
    apply(state, Measure{});
    ProgramMeasurement measurement = measurementOf(*running(state));
    measurement.checks = {{.array = "order", .equal = 1, .different = 1, .reordered = true},
                          {.array = "out", .equal = 98, .different = 2, .firstDifferent = 7},
                          {.array = "more", .equal = 1, .different = 1}};
    apply(state, WorkerSaid{running(state)->number, measurement});
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages[0].kind, MessageKind::warning);
    EXPECT_EQ(state.messages[0].text,
              "k0 computes something else on the GPU than on the host: out: 98 of 100 elements "
              "equal the host's, 2 differ, first at 7.");
    EXPECT_NE(resultOfChosen(state.program), nullptr);
}

TEST(ProgramMeasuring, AtALineTheNumberThatTheSourcesDifferOnIsShown) {
    AppState state = openedState();
    apply(state, Measure{});
    apply(state, WorkerSaid{running(state)->number, measurementOf(*running(state))});
    const auto lines = comparedLines(state.program);
    EXPECT_EQ(lines.at(2), (ComparedLine{{8, 7, 7}, "requests", true}));
    EXPECT_EQ(lines.at(3), (ComparedLine{{32, 32, 32}, "sectors", false}));
    ASSERT_EQ(differencesOfChosen(state.program, 2).size(), 1u);
    EXPECT_EQ(differencesOfChosen(state.program, 2)[0]->words, "scripted: one request less");
    EXPECT_TRUE(differencesOfChosen(state.program, 3).empty());
    ASSERT_NE(codeOfChosen(state.program, 2), nullptr);
    EXPECT_EQ(comparisonOfChosen(state.program, 2).size(), 1u);
    EXPECT_EQ(comparisonOfChosen(state.program).size(), 2u);
}

TEST(ProgramMeasuring, WhyCompiledCodeDiffersIsTriedAtALineWhereNothingIsMeasured) {
    auto version = std::make_shared<ProgramVersion>(*versionOf("first"));
    std::vector<ProgramLine>& lines = version->trace.launches[0].lines;
    for (ProgramLine line : std::vector<ProgramLine>(lines)) {
        line.source = Source::compiled;
        if (line.place.line == 2) line.requests = 7;
        lines.push_back(line);
    }
    AppState state = stateOf("matadd-coalesced");
    apply(state, OpenProgram{"my.cu"});
    apply(state, ProgramTraced{"my.cu", version});
    EXPECT_FALSE(wantedDifferences(state.program)) << "no line is chosen";
    apply(state, ChooseProgramLine{3});
    EXPECT_FALSE(wantedDifferences(state.program)) << "it does the same";
    apply(state, ChooseProgramLine{2});
    const auto place = wantedDifferences(state.program);
    ASSERT_TRUE(place);
    EXPECT_EQ(ofNow(state.program.differences, state.program), nullptr);
    auto found = std::make_shared<ProgramDifferences>();
    found->place = *place;
    for (const char* kernel : {"k0", "k1"})
        found->tried.push_back({kernel, {.file = "my.cu", .line = 2, .words = kernel}});
    apply(state, DifferencesFound{found});
    ASSERT_EQ(differencesOfChosen(state.program, 2).size(), 1u);
    EXPECT_EQ(differencesOfChosen(state.program, 2)[0]->words, "k0");
    EXPECT_TRUE(differencesOfChosen(state.program, 3).empty());
    apply(state, ProgramTraced{"my.cu", versionOf("second")});
    EXPECT_EQ(ofNow(state.program.differences, state.program), nullptr) << "of the version before";
}

TEST(ProgramMeasuring, WhereNoLineWastesTheFirstThatTheyDifferOnIsChosen) {
    AppState state = openedState();
    EXPECT_EQ(state.program.line, 0u);
    apply(state, Measure{});
    apply(state, WorkerSaid{running(state)->number, measurementOf(*running(state))});
    EXPECT_EQ(state.program.line, 2u);
    apply(state, ChooseProgramLine{3});
    apply(state, Measure{});
    apply(state, WorkerSaid{running(state)->number, measurementOf(*running(state))});
    EXPECT_EQ(state.program.line, 3u) << "what a person has chosen stays";
    apply(state, ChooseProgramLaunch{1});
    apply(state, ChooseProgramLaunch{0});
    EXPECT_EQ(state.program.line, 2u);
}

TEST(ProgramMeasuring, LinesOfOneStatementAreComparedTogether) {
    AppState state = openedState();
    auto version = std::make_shared<ProgramVersion>(*state.program.now);
    version->statements[2] = 2;  // line 3 goes on with what line 2 begins
    version->trace.launches[0].lines[1].kind = AccessKind::load;
    apply(state, ProgramTraced{"my.cu", version});
    apply(state, Measure{});
    ProgramMeasurement measurement = measurementOf(*running(state));
    measurement.lines = {version->trace.launches[0].lines[0]};
    measurement.lines[0].source = Source::compiled;
    measurement.lines[0].requests = 16;
    apply(state, WorkerSaid{running(state)->number, measurement});
    for (const std::uint32_t line : {2u, 3u}) {
        const auto comparisons = comparisonOfChosen(state.program, line);
        ASSERT_EQ(comparisons.size(), 1u);
        EXPECT_EQ(comparisons[0].counts[0]->requests, 16u);
        EXPECT_EQ(comparisons[0].counts[1]->requests, 16u);
    }
}

TEST(KeptMeasurement, IsShownBesideTheFileThatItIsOf) {
    AppState state = openedState("first");
    apply(state, Measure{});
    MeasuredProgram kept{.program = "my.cu", .digest = "first"};
    kept.launches.push_back({launchOf(0), measurementOf(*running(state))});
    apply(state, WorkerSaid{running(state)->number, Failure{FailureKind::cancelled, ""}});
    state.messages.clear();
    apply(state, OpenProgram{"m.json"});
    EXPECT_EQ(state.program.path, "my.cu");
    apply(state, MeasurementRead{"m.json", std::make_shared<const MeasuredProgram>(kept)});
    ASSERT_NE(resultOfChosen(state.program), nullptr);
    EXPECT_TRUE(resultOfChosen(state.program)->recorded);
    EXPECT_TRUE(state.messages.empty());

    kept.digest = "another";
    apply(state, OpenProgram{"m.json"});
    apply(state, MeasurementRead{"m.json", std::make_shared<const MeasuredProgram>(kept)});
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages[0].text,
              "Not opened: m.json: it was measured of another text of the file, or launched with "
              "other values; measure this one.");
    EXPECT_EQ(resultOfChosen(state.program)->digest, "first") << "what is there stays";
}

TEST(KeptMeasurement, IsSavedOfWhatWasMeasuredOfTheTextAsItIs) {
    AppState state = openedState("first");
    const Action& save = actionOf(Act::saveMeasured);
    EXPECT_FALSE(isPossible(state, save));
    apply(state, SaveMeasured{});
    EXPECT_FALSE(state.outbox.savesMeasured) << "there is nothing to save";
    apply(state, ChooseProgramLaunch{1});
    apply(state, Measure{});
    const ProgramMeasurement measured = measurementOf(*running(state));
    apply(state, WorkerSaid{running(state)->number, measured});
    EXPECT_TRUE(isPossible(state, save));
    apply(state, save.command(state));
    EXPECT_TRUE(state.outbox.savesMeasured);
    const MeasuredProgram kept = measuredProgramFromJson(
        toDocument(Document::programMeasurement, measuredOf(state.program)));
    EXPECT_EQ(kept.program, "my.cu");
    EXPECT_EQ(kept.digest, "first");
    ASSERT_EQ(kept.launches.size(), 1u) << "the other launch was not measured";
    EXPECT_EQ(kept.launches[0].predicted.index, 1u);
    EXPECT_EQ(kept.launches[0].measured.timing.medianSeconds, measured.timing.medianSeconds);
    // What is read again is shown as it was.
    AppState later = openedState("first");
    apply(later, OpenProgram{"m.json"});
    apply(later, MeasurementRead{"m.json", std::make_shared<const MeasuredProgram>(kept)});
    apply(later, ChooseProgramLaunch{1});
    EXPECT_NE(resultOfChosen(later.program), nullptr);

    apply(state, ProgramTraced{"my.cu", versionOf("second")});
    EXPECT_TRUE(measuredOf(state.program).launches.empty()) << "another text";
}

TEST(KeptMeasurement, NeedsItsFile) {
    AppState state = openedState();
    apply(state, CloseProgram{});
    apply(state, OpenProgram{"m.json"});
    EXPECT_FALSE(state.program.isOpen());
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages[0].text,
              "m.json: a measurement is shown beside its .cu file; open that first.");
}

TEST(KeptMeasurement, ThatCannotBeReadIsSaidInAWord) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "m.json";
    const auto problemOf = [&] {
        return readKeptNow({path, "my.cu"}).as<MeasurementRead>()->problem;
    };
    EXPECT_NE(problemOf().find("No such file"), std::string::npos) << problemOf();
    writeFileAtomically(path, "{\"schema\": \"warplens.recording/2\"}");
    EXPECT_EQ(problemOf(), "'warplens.recording/2' instead of 'warplens.program_measurement/2'");
    writeFileAtomically(path, std::string(100, '\x01'));
    EXPECT_EQ(problemOf(), "not JSON, or cut off");
    std::filesystem::remove(path);
    std::filesystem::create_directory(path);
    EXPECT_NE(problemOf().find("directory"), std::string::npos) << problemOf();
}

MeasureProgramRequest prepared(const ProgramSubject& subject, const std::string& capability,
                               const std::stop_token&,
                               const std::function<void(std::string, double)>& tell) {
    EXPECT_EQ(capability, "9.0");
    tell("tracing", 0.5);
    return requestFor(subject);
}

/// A window with a file open, whose traces take as long as `prepare` takes.
MeasuringSession sessionWith(const std::string& part, ProgramPreparer prepare = prepared) {
    return MeasuringSession(part, openedState(), std::move(prepare));
}

TEST(ProgramMeasuringThread, TracesAndMeasures) {
    MeasuringSession session = sessionWith("answers");
    session.measure();
    ASSERT_NE(resultOfChosen(session.state.program), nullptr);
    EXPECT_TRUE(session.state.messages.empty());
    apply(session.state, CloseProgram{});
    session.measure();
    EXPECT_TRUE(shownResult(session.state)) << "by the same worker, a scenario";
}

struct ProgramFault final {
    const char* part;
    const char* message;
};
class ProgramFaults : public testing::TestWithParam<ProgramFault> {};

TEST_P(ProgramFaults, AreOneMessageAndTheNextMeasureWorks) {
    MeasuringSession session = sessionWith(GetParam().part);
    session.measure();
    ASSERT_EQ(session.state.messages.size(), 1u);
    EXPECT_EQ(session.state.messages[0].text, GetParam().message);
    EXPECT_EQ(session.state.messages[0].kind, MessageKind::error);
    EXPECT_EQ(resultOfChosen(session.state.program), nullptr);
    EXPECT_TRUE(session.state.program.isOpen());
    session.measure();
    EXPECT_NE(resultOfChosen(session.state.program), nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    WorkerFaults, ProgramFaults,
    testing::Values(
        ProgramFault{"crashes",
                     "Not measured: the worker was ended by signal 9 (Killed) while 'timing'. The "
                     "next Measure starts a fresh worker."},
        ProgramFault{"no-gpu", "Not measured: scripted: no GPU here."},
        ProgramFault{"too-large", "Not measured: scripted: memory = 2: at most 1."},
        ProgramFault{
            "lies-time",
            "Not measured: the worker wrote something that is not the protocol: "
            "'{\"schema\":\"warplens.worker_event/3\",\"id\":2,\"event\":\"program_result\","
            "\"result\":{\"k...' (\"median_s\" = -1: at least 0). The next Measure starts a "
            "fresh worker."}),
    [](const auto& fault) {
        std::string name = fault.param.part;
        std::erase(name, '-');
        return name;
    });

TEST(ProgramMeasuringThread, SaysWhatKeepsALaunchFromBeingMeasured) {
    MeasuringSession session = sessionWith(
        "answers", [](const auto&, const auto&, const auto&, const auto&) -> MeasureProgramRequest {
            throw std::runtime_error("launch 0 cannot be measured: its inputs take over 512 MiB");
        });
    session.measure();
    ASSERT_EQ(session.state.messages.size(), 1u);
    EXPECT_EQ(session.state.messages[0].text,
              "Not measured: launch 0 cannot be measured: its inputs take over 512 MiB.");
}

TEST(ProgramMeasuringThread, CanBeCancelledWhileItTraces) {
    std::atomic<bool> tracing = false;
    MeasuringSession session = sessionWith(
        "answers", [&](const auto& subject, const auto&, const std::stop_token& stop, const auto&) {
            tracing = true;
            while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
            return requestFor(subject);
        });
    apply(session.state, Measure{});
    while (!tracing) session.frame();
    for (int frame = 0; frame < 5; ++frame) session.frame();
    EXPECT_NE(running(session.state), nullptr) << "no frame waits for it";
    apply(session.state, CancelMeasure{});
    session.follow();
    ASSERT_EQ(session.state.messages.size(), 1u);
    EXPECT_EQ(session.state.messages[0].text, "Measurement cancelled.");
    EXPECT_TRUE(std::holds_alternative<Idle>(session.state.measuring));
}

TEST(ProgramMeasuringThread, CanBeCancelledInTheWorker) {
    MeasuringSession session = sessionWith("slow");
    apply(session.state, Measure{});
    while (running(session.state) != nullptr && running(session.state)->stage != "timing") {
        session.frame();
    }
    apply(session.state, CancelMeasure{});
    session.follow();
    ASSERT_EQ(session.state.messages.size(), 1u);
    EXPECT_EQ(session.state.messages[0].text, "Measurement cancelled.");
}

TEST(ProgramMeasuringThread, EndsWithTheWindowWhileItTraces) {
    std::atomic<bool> tracing = false;
    MeasuringSession session = sessionWith(
        "answers", [&](const auto& subject, const auto&, const std::stop_token& stop, const auto&) {
            tracing = true;
            while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
            return requestFor(subject);
        });
    apply(session.state, Measure{});
    while (!tracing) session.frame();
    // The session goes out of scope here.
}

}  // namespace
}  // namespace warplens::window
