#include "app/window/jobs.h"

#include <algorithm>

#include "app/platform/files.h"
#include "core/course/course.h"
#include "core/occupancy/occupancy.h"
#include "core/program/program_sources.h"
#include "core/sweep/sweep.h"
#include "core/text/files.h"
#include "kernels/library/predict.h"
#include "kernels/library/traced_kernel.h"

namespace warplens::window {
namespace {

constexpr std::chrono::milliseconds betweenLooksAtLessons{300};

/// When files of the folder were saved, by their names.
using SavedTimes = std::map<std::string, std::filesystem::file_time_type>;
SavedTimes savedTimes(const std::filesystem::path& folder, const char* extension) {
    SavedTimes times;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() != extension) continue;
        const auto saved = entry.last_write_time(error);
        if (!error) times.emplace(entry.path().string(), saved);
    }
    return times;
}

/// What stands in them; of one that cannot be read nothing.
std::map<std::string, std::string> textsOf(const SavedTimes& files) {
    std::map<std::string, std::string> texts;
    for (const auto& [file, saved] : files) {
        try {
            texts.emplace(file, readFile(file, mostSourceBytes));
        } catch (const std::exception&) {
            texts.emplace(file, "");
        }
    }
    return texts;
}

/// The file that sweeps of a session are kept in, for one window at a time.
class SessionFile final {
  public:
    explicit SessionFile(std::filesystem::path path) : path_(std::move(path)) {}

    Command write(const Sweep& sweep) {
        try {
            std::filesystem::create_directories(path_.parent_path());
            if (!lock_) {
                if (auto lock = FileLock::of(path_)) lock_.emplace(std::move(*lock));
            }
            if (!lock_) {
                return Report{MessageKind::warning, "Another window keeps its sweeps in " +
                                                        path_.string() +
                                                        ": those of this one end with it"};
            }
            save(sweep, path_);
            return Tick{};
        } catch (const std::exception& error) {
            return Report{MessageKind::warning,
                          "The sweep cannot be kept: " + std::string(error.what())};
        }
    }

  private:
    std::filesystem::path path_;
    std::optional<FileLock> lock_;
};

/// Of a page all recordings, and the sweep that is kept in `file` (none where it is empty). A file
/// that cannot be read is moved aside to `<file>.bad`, and named.
SweepsRead readFirst(const std::filesystem::path& file) {
    auto library = std::make_shared<RecordingLibrary>();
    if (const auto folder = fetchedRecordings(); folder && !folder->empty())
        *library = recordingsWith(*folder);
    SweepsRead read{std::move(library), {}, {}};
    std::error_code missing;
    if (!std::filesystem::is_regular_file(file, missing)) return read;
    try {
        read.last = loadSweep(file).sweep;
    } catch (const std::exception& error) {
        // The next sweep would take its place.
        std::filesystem::path aside = file;
        aside += ".bad";
        std::error_code failed;
        std::filesystem::rename(file, aside, failed);
        read.problem = "The sweep of the last session could not be read. " +
                       (failed ? "It stays " + file.string() : "It is kept as " + aside.string()) +
                       " (" + error.what() + ").";
    }
    return read;
}

}  // namespace

Command predictNow(const Experiment& experiment, std::stop_token stop) {
    try {
        const std::vector<LimitViolation> violations = validateRun(experiment);
        if (!violations.empty()) return PredictionFailed{{experiment, toString(violations)}};
        return PredictionReady{predict(experiment, {.stop = std::move(stop)})};
    } catch (const std::exception& error) {
        return PredictionFailed{{experiment, error.what()}};
    }
}

Command predictCompiledNow(const Experiment& experiment, std::stop_token stop) {
    if (!validateRun(experiment).empty()) return CompiledPredicted{};
    try {
        return CompiledPredicted{predictCompiled(experiment, {.stop = std::move(stop)})};
    } catch (const std::exception&) {
        return CompiledPredicted{};
    }
}

Command predictBlockNow(const BlockPlace& place, std::stop_token stop) {
    if (!validateRun(place.experiment).empty()) return BlockPredicted{};
    try {
        return BlockPredicted{
            predictBlock(place.experiment, place.block, {.stop = std::move(stop)})};
    } catch (const std::exception&) {
        return BlockPredicted{};
    }
}

Command predictPointNow(const Experiment& experiment, std::stop_token stop) {
    try {
        return PointPredicted{experiment, toPoint(predict(experiment, {.stop = std::move(stop)}))};
    } catch (const std::exception& error) {
        return PointPredicted{experiment, NotPredicted{error.what()}};
    }
}

Command traceWarpNow(const WarpPlace& place, std::stop_token) {
    return WarpTraced{std::make_shared<const WarpTrace>(traceWarp(place))};
}

/// Of the one that gets most.
std::uint64_t blocksOfSm(const ModelPlace& place) {
    const std::uint64_t sms = place.model.multiprocessors;
    return (place.experiment.launch.grid.count() + sms - 1) / sms;
}

std::optional<ModelPlace> modelPlace(const AppState& state) {
    const Experiment& experiment = state.view.experiment;
    if (showsProgram(state) || !validateRun(experiment).empty()) return std::nullopt;
    const ShownSm sm = shownSm(state);
    const ModelView& wanted = state.time.model;
    ModelPlace place{.experiment = experiment, .block = state.view.block};
    // As many as fit, as there are for it, and as are wanted.
    place.resident = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        occupancyOf(sm.limits, sm.block).residentBlocks, blocksOfSm(place)));
    if (wanted.resident != 0) place.resident = std::min(place.resident, wanted.resident);
    if (wanted.latency != 0) place.model.globalLatency = wanted.latency;
    return place.resident == 0 ? std::nullopt : std::optional(place);
}

Command modelNow(const ModelPlace& place, const std::stop_token& stop) {
    thread_local std::pair<Experiment, Index3> of;
    thread_local BlockProgram program;
    auto modelled = std::make_shared<ModelledSm>();
    modelled->place = place;
    try {
        if (program.warps.empty() || of != std::pair(place.experiment, place.block)) {
            program = blockProgramOf(place.experiment, place.block, stop);
            of = {place.experiment, place.block};
        }
        modelled->run = runModel(program, place.model, blocksOfSm(place), place.resident);
        modelled->cut = program.cut;
    } catch (const std::exception& error) {
        program = {};
        modelled->failure = error.what();
    }
    return SmModelled{std::move(modelled)};
}

LessonWatch::LessonWatch(std::function<void()> finished) {
    if (openedCourse() == nullptr) return;
    const std::filesystem::path folder = openedCourse()->folder;
    thread_.emplace(
        [this, finished = std::move(finished), folder,
         seen = std::make_shared<SavedTimes>(savedTimes(folder / "lessons", ".json")),
         kernels = std::make_shared<SavedTimes>(savedTimes(folder, ".cu")),
         opened = textsOf(savedTimes(folder, ".cu"))] {
            SavedTimes now = savedTimes(folder / "lessons", ".json");
            SavedTimes nowKernels = savedTimes(folder, ".cu");
            if (now == *seen && nowKernels == *kernels) return;
            LessonsRead read;
            for (const auto& [file, text] : textsOf(nowKernels)) {
                const auto before = opened.find(file);
                if (before == opened.end() || before->second != text)
                    read.kernels.push_back(std::filesystem::path(file).filename().string());
            }
            *seen = std::move(now);
            *kernels = std::move(nowKernels);
            readLessonsAgain();
            read.problems = builtInLessons().problems;
            {
                const std::scoped_lock lock(mutex_);
                read_ = std::move(read);
            }
            finished();
        },
        betweenLooksAtLessons);
}

std::optional<Command> LessonWatch::take() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    return lock ? std::exchange(read_, std::nullopt) : std::nullopt;
}

bool operator==(const LessonPlace& a, const LessonPlace& b) {
    return a.id == b.id && a.library == b.library && a.lessons == b.lessons &&
           std::ranges::equal(a.fresh, b.fresh,
                              [](const SharedMeasurement& one, const SharedMeasurement& other) {
                                  return one->takenAt == other->takenAt;
                              });
}

std::optional<LessonPlace> lessonPlace(const AppState& state) {
    const Lesson* const lesson = findLesson(state.view.lesson);
    if (lesson == nullptr) return std::nullopt;
    LessonPlace place{.id = lesson->id, .library = state.library, .lessons = &builtInLessons()};
    for (const Result& result : state.results) {
        const bool asked = std::ranges::any_of(lesson->launches, [&](const auto& launch) {
            return launch.second == result.measurement->experiment;
        });
        if (asked && !result.recorded) place.fresh.push_back(result.measurement);
    }
    return place;
}

Command tellNow(const LessonPlace& place, const std::stop_token& stop) {
    const Lesson* const lesson = findLesson(place.id);
    if (lesson == nullptr) return LessonResolved{};
    try {
        std::vector<Measurement> fresh;
        for (const SharedMeasurement& one : place.fresh) fresh.push_back(*one);
        const LessonEvidence evidence = evidenceFor(*lesson, fresh, *place.library, stop);
        return LessonResolved{std::make_shared<const ResolvedLesson>(tell(*lesson, evidence))};
    } catch (const std::exception& error) {
        if (stop.stop_requested()) return LessonResolved{};  // another one is wanted
        return LessonResolved{nullptr, LessonFailure{place.id, error.what()}};
    }
}

SweepsRead readSweeps() {
    auto library = std::make_shared<RecordingLibrary>();
    addBuiltInSweeps(*library);
    if (const auto folder = fetchedRecordings(); folder && !folder->empty())
        addFrom(*library, *folder / "sweeps");
    return {std::move(library), {}, {}};
}

std::filesystem::path sweepFileBeside(const std::filesystem::path& settingsFile) {
    return settingsFile.empty() ? settingsFile : settingsFile.parent_path() / "sweep.json";
}

SweepJobs::SweepJobs(std::filesystem::path file, const std::function<void()>& finished)
    : reading_([](const std::filesystem::path& path,
                  const std::stop_token&) { return Command(readFirst(path)); },
               finished),
      readingSweeps_([](const std::filesystem::path&,
                        const std::stop_token&) { return Command(readSweeps()); },
                     finished),
      predicting_(predictPointNow, finished),
      writing_(
          [session = std::make_shared<SessionFile>(file)](
              const Snapshot& sweep, const std::stop_token&) { return session->write(*sweep); },
          finished),
      file_(std::move(file)) {}

void SweepJobs::keep(const AppState& state) {
    if (state.sweep.measuring && state.sweep.measuring != kept_) {
        kept_ = state.sweep.measuring;
        written_ = 0;
    }
    if (file_.empty() || !kept_) return;
    const auto sweep = std::ranges::find_if(
        state.sweep.kept, [&](const KeptSweep& one) { return one.sweep.plan == kept_; });
    if (sweep == state.sweep.kept.end()) return;
    const std::size_t known = sweep->sweep.measuredCount() + sweep->sweep.failedCount();
    if (known == written_ || known == 0) return;
    written_ = known;
    writing_.want(std::make_shared<const Sweep>(sweep->sweep));
}

Commands SweepJobs::step(const AppState& state) {
    Commands commands;
    const auto take = [&](auto& job) {
        if (auto command = job.take()) commands.push_back(std::move(*command));
    };
    if (fetchedRecordings()) reading_.want(file_);
    take(reading_);
    if (state.sweep.recordings && state.view.tab == RightTab::sweep) {
        if (const auto folder = fetchedRecordings()) readingSweeps_.want(*folder);
    }
    take(readingSweeps_);
    take(predicting_);
    take(writing_);
    std::optional<Experiment> next = nextSweepPrediction(state);
    if (!next) next = nextRoofPrediction(state);
    if (next && !predicting_.busy()) predicting_.want(*next);
    keep(state);
    return commands;
}

}  // namespace warplens::window
