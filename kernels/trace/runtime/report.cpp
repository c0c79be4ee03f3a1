#include "kernels/trace/runtime/report.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include "core/program/trace_frames.h"

namespace warplens::runtime {
namespace {

Extents extentsIn(const char* text) {
    Extents extents;
    std::sscanf(text, "%u,%u,%u", &extents.x, &extents.y, &extents.z);
    return extents;
}

/// Of whole microseconds.
double secondsIn(const char* text) {
    return static_cast<double>(std::atoll(text)) * 1e-6;
}

/// `pipe=5;kernel=scan;grid=4,1,1;seconds=1000000`.
Wishes readWishes() {
    Wishes found;
    found.process = getpid();
    const char* text = std::getenv(traceEnvironment);
    if (text == nullptr) return found;
    std::string rest = text;
    unsetenv(traceEnvironment);
    while (!rest.empty()) {
        const std::size_t end = rest.find(';');
        const std::string entry = rest.substr(0, end);
        rest = end == std::string::npos ? "" : rest.substr(end + 1);
        const std::size_t equals = entry.find('=');
        if (equals == std::string::npos) continue;
        const std::string name = entry.substr(0, equals);
        const char* value = entry.c_str() + equals + 1;
        if (name == "pipe") found.pipe = std::atoi(value);
        if (name == "kernel") found.kernel = value;
        if (name == "launch") found.launch = std::atoll(value);
        if (name == "inputs") found.inputsOf = std::atoll(value);
        if (name == "seconds") found.secondsPerLaunch = secondsIn(value);
        if (name == "untraced") found.secondsUntraced = secondsIn(value);
        if (name == "turn") found.secondsPerTurn = secondsIn(value);
        if (name == "steps") {
            const Extents block = extentsIn(value);
            found.hasSteps = true;
            found.stepsOf = {block.x, block.y, block.z};
        }
        if (name == "grid") {
            found.hasGrid = true;
            found.grid = extentsIn(value);
        }
        if (name == "block") {
            found.hasBlock = true;
            found.block = extentsIn(value);
        }
    }
    return found;
}

void writeAll(const void* bytes, std::size_t size) {
    const char* at = static_cast<const char*>(bytes);
    while (size > 0) {
        const ssize_t written = ::write(wishes().pipe, at, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        at += written;
        size -= static_cast<std::size_t>(written);
    }
}

void send(TraceFrame kind, const std::vector<std::byte>& bytes) {
    if (wishes().pipe < 0 || getpid() != wishes().process) return;
    FrameWriter head;
    head.number(static_cast<std::uint32_t>(kind));
    head.number<std::uint64_t>(bytes.size());
    const std::vector<std::byte> header = head.take();
    writeAll(header.data(), header.size());
    writeAll(bytes.data(), bytes.size());
}

}  // namespace

const Wishes& wishes() {
    static const Wishes read = readWishes();
    return read;
}

void sendLaunch(const LaunchReport& launch) {
    FrameWriter out;
    write(out, launch);
    send(TraceFrame::launch, out.take());
}

void sendFinding(const Finding& finding, const std::vector<std::uint64_t>& addresses) {
    if (wishes().pipe < 0) {
        std::fprintf(stderr, "%s:%u:%u: %s\n", finding.place.file.c_str(), finding.place.line,
                     finding.place.column, finding.words.c_str());
    }
    FrameWriter out;
    write(out, finding);
    out.number<std::uint32_t>(static_cast<std::uint32_t>(addresses.size()));
    for (const std::uint64_t address : addresses) out.number(address);
    send(TraceFrame::finding, out.take());
}

void sendNote(const std::string& note) {
    FrameWriter out;
    out.text(note);
    send(TraceFrame::note, out.take());
}

void sendInputs(std::uint32_t launch, const LaunchInputs& inputs) {
    const std::vector<std::byte> frame = toFrame(inputs);
    FrameWriter out;
    out.number(launch);
    out.bytes(frame);
    send(TraceFrame::inputs, out.take());
}

void sendSteps(const BlockSteps& steps) {
    FrameWriter out;
    write(out, steps);
    send(TraceFrame::steps, out.take());
}

void sendProgress(std::uint32_t launch, std::uint64_t done, std::uint64_t of) {
    FrameWriter out;
    out.number(launch);
    out.number(done);
    out.number(of);
    send(TraceFrame::progress, out.take());
}

}  // namespace warplens::runtime
