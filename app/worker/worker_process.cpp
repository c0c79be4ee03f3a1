#include "app/worker/worker_process.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <poll.h>

#include "app/worker/worker_words.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t mostBytesAtOnce = 1u << 20;
constexpr std::size_t keptErrorBytes = 4096;
constexpr auto timeToEnd = 250ms;  // after its input was closed

}  // namespace

WorkerProcess::WorkerProcess(const std::string& command) {
    Pipe input = makePipe();
    Pipe output = makePipe();
    Pipe errors = makePipe();
    setNonBlocking(input.writeEnd);
    setNonBlocking(output.readEnd);
    setNonBlocking(errors.readEnd);
    // It may outlive us: srun, told that its input has ended, takes its job out of the queue first.
    process_.emplace(ChildStart{
        .arguments = {"/bin/sh", "-c", command},
        .environment = ownEnvironment(),
        .streams = {input.readEnd.value(), output.writeEnd.value(), errors.writeEnd.value()},
        .endsWithUs = false});
    input_ = std::move(input.writeEnd);
    outputEnd_ = std::move(output.readEnd);
    errorEnd_ = std::move(errors.readEnd);
}

WorkerProcess::~WorkerProcess() {
    input_.close();
    outputEnd_.close();
    errorEnd_.close();
    (void)endsWithin(timeToEnd);
}

/// What was written stays where it is until all was: moving up the rest each time would take a time
/// that grows with the square of it.
void WorkerProcess::writeOutgoing() {
    if (outgoing_.empty() || !input_.isOpen()) return;
    const auto count = writeAvailable(input_, std::string_view(outgoing_).substr(written_));
    if (!count) input_.close();
    written_ += count.value_or(0);
    if (count && written_ < outgoing_.size()) return;
    outgoing_ = std::string();  // its memory, too
    written_ = 0;
}

void WorkerProcess::exchange(int milliseconds) {
    // Asked before reading: all that a process wrote before it ended is then there to be read.
    const bool ended = exitStatus().has_value();
    std::array<pollfd, 3> watched{{{outputEnd_.value(), POLLIN, 0},
                                   {errorEnd_.value(), POLLIN, 0},
                                   {outgoing_.empty() ? -1 : input_.value(), POLLOUT, 0}}};
    (void)::poll(watched.data(), watched.size(), ended ? 0 : milliseconds);
    writeOutgoing();
    if (errorEnd_.isOpen()) {
        if (!readAvailable(errorEnd_, errors_, mostBytesAtOnce)) errorEnd_.close();
        if (errors_.size() > keptErrorBytes) {
            const std::size_t dropped = errors_.size() - keptErrorBytes;
            errors_.erase(0, dropped);
            errorsTaken_ -= std::min(errorsTaken_, dropped);
        }
    }
    if (outputEnd_.isOpen()) {
        const std::size_t before = output_.size();
        const bool open = readAvailable(outputEnd_, output_, mostBytesAtOnce);
        // A child of the command may hold the pipe open after the command has ended.
        const bool drained = output_.size() - before < mostBytesAtOnce;
        if (!open || (ended && drained)) {
            outputEnd_.close();
            outputEnded_ = true;
        }
    }
}

std::string WorkerProcess::lastErrorLine() const {
    std::string_view text = errors_;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    const std::size_t start = text.rfind('\n');
    if (start != std::string_view::npos) text.remove_prefix(start + 1);
    return printable(text, 300);
}

std::vector<std::string> WorkerProcess::takeErrorLines() {
    std::vector<std::string> lines;
    for (std::size_t end; (end = errors_.find('\n', errorsTaken_)) != std::string::npos;) {
        lines.push_back(errors_.substr(errorsTaken_, end - errorsTaken_));
        errorsTaken_ = end + 1;
    }
    return lines;
}

}  // namespace warplens
