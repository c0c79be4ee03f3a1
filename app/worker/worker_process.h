#pragma once

#include <chrono>
#include <csignal>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/text/files.h"
#include "kernels/programs/child_process.h"

namespace warplens {

/// Appends what can be read without waiting, at most `most` bytes, to `text`. False at the end of
/// the stream.
[[nodiscard]] bool readAvailable(const FileDescriptor& file, std::string& text, std::size_t most);

/// What waitpid(2) said about a process that has ended, in words: `exited with code 3`,
/// `was ended by signal 9 (Killed)`. Codes over 128 are read as the shell writes them, as the
/// signal that ended the command.
[[nodiscard]] std::string exitStatusInWords(int waitStatus);

/// The line is what a shell writes when a command of it ends like this, `Killed`: nothing new.
[[nodiscard]] bool isShellsNotice(const std::string& line, int waitStatus);

/// The shell found no such command, or may not run it (exit codes 127 and 126).
[[nodiscard]] bool saysCommandNotFound(int waitStatus);

/// A shell command in a session of its own (no Ctrl-C of the terminal reaches it, and an ssh in it
/// cannot stop and ask for a password there), its three standard streams on pipes. Nothing here
/// waits for it, except the destructor for a fraction of a second.
class WorkerProcess final {
  public:
    /// Throws std::system_error when the system has no process or pipe left.
    explicit WorkerProcess(const std::string& command);
    WorkerProcess(WorkerProcess&&) = delete;
    /// Closes the command's input, gives it a moment to end by itself, then kills its group.
    ~WorkerProcess();

    [[nodiscard]] int processId() const { return process_->processId(); }

    /// Takes `text` to be written to the command's input as it takes it.
    void send(const std::string& text) { outgoing_ += text; }

    /// Waits up to `milliseconds` for something to read, then moves what there is, in bounded
    /// pieces: input that was sent, output, errors.
    void exchange(int milliseconds);

    /// Output not yet taken; the caller removes what it has used.
    [[nodiscard]] std::string& output() { return output_; }
    /// So many bytes of it have no end of a line, as the caller has found: a long line that comes
    /// in pieces is searched once.
    [[nodiscard]] std::size_t& searched() { return searched_; }
    /// Nothing more will come: the command has ended or has closed its output.
    [[nodiscard]] bool outputEnded() const { return outputEnded_; }

    /// The wait status once the command has ended.
    [[nodiscard]] std::optional<int> exitStatus() { return process_->exitStatus(); }

    /// Lines of its standard error that were not taken yet, as far as they are kept.
    [[nodiscard]] std::vector<std::string> takeErrorLines();

    /// The last line that is not empty of what it wrote to its standard error, as printable text.
    [[nodiscard]] std::string lastErrorLine() const;

    /// Nothing more will be sent.
    void closeInput() { input_.close(); }

    /// Asks the whole process group to end (SIGTERM), as srun needs it to end its job.
    void terminate() const { process_->signal(SIGTERM); }
    /// Kills the whole process group.
    void kill() const { process_->signal(SIGKILL); }

    /// Waits until it has ended, no longer than this. True when it has.
    bool endsWithin(std::chrono::milliseconds time) { return process_->endsWithin(time); }

  private:
    void writeOutgoing();

    std::optional<ChildProcess> process_;
    FileDescriptor input_;
    FileDescriptor outputEnd_;
    FileDescriptor errorEnd_;
    std::string outgoing_;
    std::size_t written_ = 0;  ///< bytes of `outgoing_` that the command has got
    std::string output_;
    std::size_t searched_ = 0;
    std::string errors_;
    std::size_t errorsTaken_ = 0;  ///< bytes of `errors_` that were taken as lines
    bool outputEnded_ = false;
};

}  // namespace warplens
