#include "app/window/program_job.h"

#include <condition_variable>
#include <mutex>

#include "core/program/measured_program.h"
#include "core/text/atomic_file.h"

namespace warplens::window {

using FileTime = std::filesystem::file_time_type;

/// How often the open file is looked at. An editor that writes it in steps is waited for by as
/// much.
constexpr std::chrono::milliseconds betweenLooks{150};

/// What both threads and the window know.
struct ProgramJob::Shared final {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::string path;  ///< to watch; empty: nothing
    FileTime saved{};  ///< when it was saved last, as far as was seen
    std::optional<ProgramStage> stage;
    std::optional<ProgramText> text;
    std::stop_source halt;  ///< ends the run under way, whose version is shown all the same
};

Command readKeptNow(const KeptPlace& place) {
    if (place.path.empty()) return MeasurementRead{};
    try {
        auto program = std::make_shared<MeasuredProgram>(
            measuredProgramFromJson(readFile(place.path, mostKeptBytes)));
        rename(*program, place.program);
        return MeasurementRead{place.path, std::move(program)};
    } catch (const std::exception& error) {
        return MeasurementRead{place.path, nullptr, error.what()};
    }
}

ProgramJob::ProgramJob(ProgramTracer tracer, std::function<void()> finished)
    : shared_(std::make_shared<Shared>()),
      finished_(std::move(finished)),
      tracing_(
          [tracer = std::move(tracer), shared = shared_, finished = finished_](
              const Wanted& wanted, const std::stop_token& stop) {
              const TracingProgress tell{
                  .stage =
                      [&](std::string words) {
                          const std::scoped_lock lock(shared->mutex);
                          shared->stage = ProgramStage{wanted.path, std::move(words)};
                          finished();
                      },
                  .text =
                      [&](const std::vector<std::string>& lines) {
                          auto text = std::make_shared<const std::vector<std::string>>(lines);
                          const std::scoped_lock lock(shared->mutex);
                          shared->text = ProgramText{wanted.path, std::move(text)};
                          finished();
                      }};
              auto version = std::make_shared<ProgramVersion>();
              std::stop_source halt;
              const std::stop_callback overtaken(stop, [&] { halt.request_stop(); });
              {
                  const std::scoped_lock lock(shared->mutex);
                  shared->halt = halt;
              }
              try {
                  *version = tracer(wanted.path, wanted.wishes, halt.get_token(), tell);
              } catch (const std::exception& error) {
                  version->failure = error.what();
              }
              return ProgramTraced{wanted.path, std::move(version)};
          },
          finished_),
      reading_([](const KeptPlace& place, const std::stop_token&) { return readKeptNow(place); },
               finished_) {
    watching_ = std::jthread([this](const std::stop_token& ending) { watch(ending); });
}

ProgramJob::~ProgramJob() = default;

void ProgramJob::watch(const std::stop_token& ending) {
    Shared& shared = *shared_;
    std::unique_lock lock(shared.mutex);
    while (!ending.stop_requested()) {
        shared.changed.wait(lock, ending, [&] { return !shared.path.empty(); });
        const std::string path = shared.path;
        lock.unlock();
        std::error_code error;
        FileTime saved = std::filesystem::last_write_time(path, error);
        if (error) saved = FileTime::min();  // what is wrong is said by who reads it
        lock.lock();
        if (path == shared.path && saved != shared.saved) {
            shared.saved = saved;
            finished_();
        }
        shared.changed.wait_for(lock, ending, betweenLooks, [] { return false; });
    }
}

Commands ProgramJob::step(const AppState& state) {
    const ProgramState& program = state.program;
    Wanted wanted{program.path, program.opened, {}, program.wishes};
    Commands commands;
    {
        const std::scoped_lock lock(shared_->mutex);
        if (shared_->path != program.path) {
            shared_->path = program.path;
            shared_->saved = FileTime{};
            shared_->stage.reset();
            shared_->text.reset();
            shared_->changed.notify_all();
        }
        wanted.saved = shared_->saved;
        if (program.stopping) shared_->halt.request_stop();
        if (shared_->text) commands.emplace_back(*std::exchange(shared_->text, std::nullopt));
        if (shared_->stage) commands.emplace_back(*std::exchange(shared_->stage, std::nullopt));
    }
    if (program.isOpen() && wanted.saved != FileTime{}) tracing_.want(wanted);
    if (auto command = tracing_.take()) commands.push_back(std::move(*command));
    if (program.now && program.stage.empty()) reading_.want({program.kept, program.path});
    if (auto command = reading_.take()) commands.push_back(std::move(*command));
    return commands;
}

}  // namespace warplens::window
