#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "app/window/jobs.h"
#include "app/window/state/command.h"

/// What the window does with files of programs: it traces, reads, writes and opens them.
namespace warplens::window {

/// What is told of a file while it is traced.
struct TracingProgress final {
    std::function<void(std::string)> stage = [](const std::string&) {};  ///< what is being done
    /// The lines that are traced.
    std::function<void(const std::vector<std::string>&)> text =
        [](const std::vector<std::string>&) {};
};
/// Traces a file, its kernels launched as wished where nothing launches them; throws what cannot be
/// said in a trace.
using ProgramTracer =
    std::function<ProgramVersion(const std::string& path, const std::vector<ProposedValue>& wishes,
                                 std::stop_token stop, const TracingProgress& tell)>;

/// A kept measurement, read for the file that is open: MeasurementRead.
struct KeptPlace final {
    std::string path;
    std::string program;  ///< which its lines are to name
    friend bool operator==(const KeptPlace&, const KeptPlace&) = default;
};
[[nodiscard]] Command readKeptNow(const KeptPlace& place);

/// Keeps the newest version of the open file traced: at once when it is opened, and again whenever
/// it was saved. A version that is overtaken is stopped. Files are looked at from a thread of its
/// own. Kept measurements are read once the file is traced.
class ProgramJob final {
  public:
    /// `finished` is called on the job's threads when commands wait to be taken.
    ProgramJob(ProgramTracer tracer, std::function<void()> finished);

    /// To be called every frame: what is to be traced, and what came of it.
    [[nodiscard]] Commands step(const AppState& state);
    [[nodiscard]] bool busy() const { return tracing_.busy() || reading_.busy(); }

  private:
    struct Wanted final {
        std::string path;
        std::uint32_t opened = 0;  ///< as ProgramState counts them
        std::filesystem::file_time_type saved{};
        std::vector<ProposedValue> wishes{};
        bool unconfined = false;
        friend bool operator==(const Wanted&, const Wanted&) = default;
    };
    Command trace(const Wanted& wanted, const std::stop_token& stop);
    void look();

    using FileTime = std::filesystem::file_time_type;
    ProgramTracer tracer_;
    std::function<void()> finished_;
    std::mutex mutex_;  ///< of what follows, which the threads and the window know
    std::string path_;  ///< to watch; empty: nothing
    FileTime saved_{};  ///< when it was saved last, as far as was seen
    std::optional<ProgramStage> stage_;
    std::optional<ProgramText> text_;
    std::stop_source halt_;  ///< ends the run under way, whose version is shown all the same
    NewestJob<Wanted> tracing_;
    NewestJob<KeptPlace> reading_;
    WorkerThread watching_;  ///< last: ends before what it uses
};

/// Reads and writes the text of the open file, begins new files and keeps drafts, as the state's
/// outbox has it; what came of it.
[[nodiscard]] Commands exchangeFiles(const AppState& state);

/// Opens the file at its line in the person's editor, which outlives the window; what came of it.
/// app/platform has it, and the next.
[[nodiscard]] Command openInEditor(const ProgramState& program);

/// Lets the person choose a file in the desktop's dialog, of zenity or kdialog, or the browser's:
/// ProgramBrowsed. Returns when that is closed, or stopped; in a page at once, and the file is
/// dropped when it is chosen.
[[nodiscard]] Command browseNow(std::uint32_t number, const std::stop_token& stop);

}  // namespace warplens::window
