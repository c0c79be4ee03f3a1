#include "app/window/sweep_jobs.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/platform/files.h"
#include "app/window/jobs.h"
#include "core/sweep/json.h"
#include "core/text/files.h"

namespace warplens::window {
namespace {

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
