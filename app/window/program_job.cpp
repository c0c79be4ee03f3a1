#include "app/window/program_job.h"

#include <chrono>

#include "core/program/program_measurement.h"
#include "core/text/files.h"

namespace warplens {
void allowUnconfined();  // kernels/programs/sandbox.h, which a page has not
}  // namespace warplens

namespace warplens::window {

/// How often the open file is looked at. An editor that writes it in steps is waited for by as
/// much.
constexpr std::chrono::milliseconds betweenLooks{150};

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
    : tracer_(std::move(tracer)),
      finished_(std::move(finished)),
      tracing_(
          [this](const Wanted& wanted, const std::stop_token& stop) { return trace(wanted, stop); },
          finished_),
      reading_([](const KeptPlace& place, const std::stop_token&) { return readKeptNow(place); },
               finished_),
      watching_([this] { look(); }, betweenLooks) {}

Command ProgramJob::trace(const Wanted& wanted, const std::stop_token& stop) {
    const TracingProgress tell{.stage =
                                   [&](std::string words) {
                                       const std::scoped_lock lock(mutex_);
                                       stage_ = ProgramStage{wanted.path, std::move(words)};
                                       finished_();
                                   },
                               .text =
                                   [&](const std::vector<std::string>& lines) {
                                       auto text =
                                           std::make_shared<const std::vector<std::string>>(lines);
                                       const std::scoped_lock lock(mutex_);
                                       text_ = ProgramText{wanted.path, std::move(text)};
                                       finished_();
                                   }};
    auto version = std::make_shared<ProgramVersion>();
    std::stop_source halt;
    const std::stop_callback overtaken(stop, [&] { halt.request_stop(); });
    {
        const std::scoped_lock lock(mutex_);
        halt_ = halt;
    }
    try {
        if (wanted.unconfined) allowUnconfined();
        *version = tracer_(wanted.path, wanted.wishes, halt.get_token(), tell);
    } catch (const std::exception& error) {
        version->failure = error.what();
    }
    return ProgramTraced{wanted.path, std::move(version)};
}

void ProgramJob::look() {
    std::string path;
    {
        const std::scoped_lock lock(mutex_);
        path = path_;
    }
    if (path.empty()) return;
    std::error_code error;
    FileTime saved = std::filesystem::last_write_time(path, error);
    if (error) saved = FileTime::min();  // what is wrong is said by who reads it
    const std::scoped_lock lock(mutex_);
    if (path != path_ || saved == saved_) return;
    saved_ = saved;
    finished_();
}

Commands ProgramJob::step(const AppState& state) {
    const ProgramState& program = state.program;
    Wanted wanted{program.path, program.opened, {}, program.wishes, program.unconfined};
    Commands commands;
    {
        const std::scoped_lock lock(mutex_);
        if (path_ != program.path) {
            path_ = program.path;
            saved_ = FileTime{};
            stage_.reset();
            text_.reset();
            watching_.post([this] { look(); });
        }
        wanted.saved = saved_;
        if (program.stopping) halt_.request_stop();
        if (text_) commands.emplace_back(*std::exchange(text_, std::nullopt));
        if (stage_) commands.emplace_back(*std::exchange(stage_, std::nullopt));
    }
    if (program.isOpen() && wanted.saved != FileTime{}) tracing_.want(wanted);
    if (auto command = tracing_.take()) commands.push_back(std::move(*command));
    if (program.now && program.stage.empty()) reading_.want({program.kept, program.path});
    if (auto command = reading_.take()) commands.push_back(std::move(*command));
    return commands;
}

}  // namespace warplens::window
