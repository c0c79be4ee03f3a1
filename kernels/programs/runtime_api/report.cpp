#include "kernels/programs/runtime_api/report.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <execinfo.h>
#include <mutex>
#include <set>
#include <sys/resource.h>
#include <unistd.h>

#include "core/program/trace_frames.h"
#include "core/text/encoding.h"

namespace warplens::programs {
namespace {

std::optional<Extents> extentsIn(const std::string& text) {
    const auto parsed = parseExtents("launch", text);
    const auto* extents = std::get_if<Extents>(&parsed);
    return extents == nullptr ? std::nullopt : std::optional(*extents);
}

Options readOptions() {
    Options found;
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
        const std::string value = entry.substr(equals + 1);
        if (name == "pipe") found.pipe = std::atoi(value.c_str());
        if (name == "kernel") found.kernel = value;
        if (name == "launch") found.launch = static_cast<std::uint32_t>(std::atoll(value.c_str()));
        // Whole microseconds: the program may be of a locale with another decimal point.
        if (name == "seconds") found.secondsPerLaunch = std::atof(value.c_str()) * 1e-6;
        if (name == "untraced") found.secondsMost = std::atof(value.c_str()) * 1e-6;
        for (std::size_t at = 0; name == "registers" && at < value.size();) {
            const std::size_t colon = std::min(value.find(':', at), value.size() - 1);
            found.registers[value.substr(at, colon - at)] = std::atoi(value.c_str() + colon + 1);
            at = std::min(value.find(',', colon), value.size() - 1) + 1;
        }
        if (name == "devices") found.devices = std::max(1, std::atoi(value.c_str()));
        if (name == "all") found.secondsOfAll = std::atof(value.c_str()) * 1e-6;
        if (name == "memory") found.memoryMost = std::strtoull(value.c_str(), nullptr, 10);
        if (name == "results") found.keepsResults = true;
        if (name == "grid") found.grid = extentsIn(value);
        if (name == "block") found.block = extentsIn(value);
        if (name == "inputs")
            found.inputsOf = static_cast<std::uint32_t>(std::atoll(value.c_str()));
        if (name == "steps") {
            const std::optional<Extents> block = extentsIn(value);
            if (block) found.stepsOf = Index3{block->x, block->y, block->z};
        }
    }
    return found;
}

void writeAll(const std::vector<std::byte>& bytes) {
    const std::byte* at = bytes.data();
    std::size_t left = bytes.size();
    while (left > 0) {
        const ssize_t written = ::write(options().pipe, at, left);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        at += written;
        left -= static_cast<std::size_t>(written);
    }
}

std::mutex sending;  // the thread that tells that the time is over sends, too

void send(TraceFrame kind, const std::vector<std::byte>& bytes) {
    static const pid_t process = getpid();
    // A child that the program forked says nothing.
    if (options().pipe < 0 || getpid() != process) return;
    FrameWriter head;
    head.number(static_cast<std::uint32_t>(kind));
    head.number<std::uint64_t>(bytes.size());
    const std::lock_guard lock(sending);
    writeAll(head.take());
    writeAll(bytes);
}

bool areDoubted = false;

void sendDoubted(const std::string& words, const std::vector<std::uint64_t>& addresses = {}) {
    static int left = 8;
    if (left == 0) return;
    --left;
    sendNote(words + ": it may be so only since launches before it were not run whole", addresses);
}

}  // namespace

const Options& options() {
    static const Options read = readOptions();
    return read;
}

std::uint64_t mostHeld() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return static_cast<std::uint64_t>(used.ru_maxrss) << 10;
}

bool isMemoryFull(std::uint64_t before) {
    const std::uint64_t held = mostHeld();
    return options().memoryMost != 0 && held > before && held > options().memoryMost / 10 * 8;
}

std::vector<std::uint64_t> callers() {
    std::array<void*, 24> frames;
    const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
    std::vector<std::uint64_t> addresses;
    // What is returned to may be the next line already.
    for (int at = 0; at < count; ++at)
        addresses.push_back(reinterpret_cast<std::uint64_t>(frames[static_cast<std::size_t>(at)]) -
                            1);
    return addresses;
}

void sendLaunch(const LaunchReport& launch, const std::vector<std::uint64_t>& addresses) {
    FrameWriter out;
    write(out, launch);
    out.whole(addresses);
    send(TraceFrame::launch, out.take());
}

void doubtFindings() {
    areDoubted = true;
}

void sendFinding(const Finding& finding) {
    if (areDoubted) {
        const std::string& file = finding.place.file;
        return sendDoubted(finding.words + " in " + finding.kernel + " (" +
                           file.substr(file.rfind('/') + 1) + ':' +
                           std::to_string(finding.place.line) + ')');
    }
    FrameWriter out;
    write(out, finding);
    send(TraceFrame::finding, out.take());
}

void sendFinding(FindingKind kind, const std::string& words,
                 const std::vector<std::uint64_t>& addresses) {
    if (areDoubted && (kind == FindingKind::launchRefused || kind == FindingKind::crash))
        return sendDoubted(words, addresses);
    Finding finding;
    finding.kind = kind;
    finding.words = words;
    FrameWriter out;
    write(out, finding);
    out.whole(addresses);
    send(TraceFrame::finding, out.take());
}

void sendArray(std::uint32_t id, bool isFreed, const std::vector<std::uint64_t>& addresses) {
    FrameWriter out;
    out.number(id);
    out.number<std::uint32_t>(isFreed ? 1 : 0);
    out.whole(addresses);
    send(TraceFrame::array, out.take());
}

void sendInputs(std::uint32_t launch, const LaunchInputs& inputs) {
    FrameWriter out;
    out.number(launch);
    out.whole(toFrame(inputs));
    send(TraceFrame::inputs, out.take());
}

void sendResult(const std::byte* bytes, std::size_t size, std::uint32_t elementBytes) {
    if (!options().keepsResults) return;
    FrameWriter out;
    out.number(elementBytes);
    out.number<std::uint64_t>(size);
    out.raw(bytes, size);
    send(TraceFrame::result, out.take());
}

void sendWritten(const std::byte* bytes, std::size_t size) {
    if (!options().keepsResults) return;
    FrameWriter out;
    out.text(digestOf({reinterpret_cast<const char*>(bytes), size}));
    send(TraceFrame::written, out.take());
}

void sendReached(std::uint64_t bytes) {
    if (!options().keepsResults) return;
    FrameWriter out;
    out.number(bytes);
    send(TraceFrame::reached, out.take());
}

void sendSteps(const BlockSteps& steps) {
    FrameWriter out;
    write(out, steps);
    send(TraceFrame::steps, out.take());
}

void sendNote(const std::string& note, const std::vector<std::uint64_t>& addresses) {
    static auto& sent = *new std::set<std::string>;  // the program's end still asks it
    {
        const std::lock_guard lock(sending);
        if (!sent.insert(note).second) return;
    }
    FrameWriter out;
    out.text(note);
    if (!addresses.empty()) out.whole(addresses);
    send(TraceFrame::note, out.take());
}

}  // namespace warplens::programs
