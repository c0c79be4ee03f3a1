#include "kernels/programs/traced_run.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <climits>
#include <cmath>
#include <fstream>
#include <map>
#include <regex>
#include <thread>
#include <tuple>

#include "core/program/trace_frames.h"
#include "core/text/encoding.h"
#include "core/text/format.h"
#include "kernels/programs/reachable_files.h"
#include "kernels/programs/sandbox.h"

namespace warplens {
namespace {

/// What a program tells is kept up to here, and what comes after is counted: it cannot fill the
/// memory of who listens.
class Kept final {
  public:
    /// Of a launch, finding or note whose frame has so many bytes.
    [[nodiscard]] bool takes(TraceFrame kind, std::uint64_t bytes) {
        const bool isNote = kind == TraceFrame::note;
        if (bytes > mostBytes - bytes_ || (isNote && notes_ == mostNotes)) {
            ++leftOut_;
            return false;
        }
        bytes_ += bytes;
        notes_ += isNote ? 1 : 0;
        return true;
    }
    /// A sentence; empty where all was kept.
    [[nodiscard]] std::string inWords() const {
        if (leftOut_ == 0) return {};
        return "the program told more than is kept (" + std::to_string(mostNotes) + " notes, " +
               formatBytes(mostBytes) + " of launches and findings): " + groupedDigits(leftOut_) +
               " left out";
    }
    static constexpr std::size_t longestNote = 2000;

  private:
    static constexpr std::uint64_t mostBytes = std::uint64_t{512} << 20;
    static constexpr std::uint64_t mostNotes = 100;
    std::uint64_t bytes_ = 0;
    std::uint64_t notes_ = 0;
    std::uint64_t leftOut_ = 0;
};

std::string extentsText(Extents extents) {
    return std::to_string(extents.x) + ',' + std::to_string(extents.y) + ',' +
           std::to_string(extents.z);
}

std::uint64_t programMemory() {
    return memoryLimit(std::uint64_t{12} << 30);
}

std::string wishesOf(const TraceRequest& request, bool hasMain) {
    std::string text = "pipe=" + std::to_string(ChildCommand::pipe);
    if (!request.kernel.empty()) text += ";kernel=" + request.kernel;
    if (request.launch) text += ";launch=" + std::to_string(*request.launch);
    if (request.inputsOf) text += ";inputs=" + std::to_string(*request.inputsOf);
    if (request.stepsOf) {
        const Index3 block = *request.stepsOf;
        text += ";steps=" + extentsText({block.x, block.y, block.z});
    }
    if (request.keepsResults) text += ";results=1";
    if (request.grid && hasMain) text += ";grid=" + extentsText(*request.grid);
    if (request.block && hasMain) text += ";block=" + extentsText(*request.block);
    // Whole numbers: the program may be of a locale with another decimal point.
    const auto microseconds = [](double seconds) {
        return std::to_string(std::llround(seconds * 1e6));
    };
    text += ";seconds=" + microseconds(request.secondsPerLaunch);
    text += ";devices=" + std::to_string(request.devices);
    text += ";untraced=" + microseconds(request.secondsUntraced);
    text += ";all=" + microseconds(request.secondsMost);
    text += ";memory=" + std::to_string(programMemory());
    return std::string(traceEnvironment) + '=' + text;
}

ChildLimits limitsOf(const TraceRequest& request) {
    ChildLimits limits;
    limits.memoryBytes = programMemory();
    limits.fileBytes = std::uint64_t{64} << 20;
    limits.files = 256;
    limits.processes = 4096;
    limits.wall = std::chrono::duration<double>(request.secondsMost);
    const unsigned processors = std::max(2u, std::thread::hardware_concurrency());
    limits.processor = std::chrono::seconds(static_cast<int>(request.secondsMost) * processors + 1);
    return limits;
}

/// One run of a program, and what it tells.
class TracedRun final {
  public:
    TracedRun(const RunnableProgram& program, const TraceRequest& request,
              const TraceListener& listener, TracedProgram begun)
        : program_(program), request_(request), listener_(listener), result_(std::move(begun)) {}

    TracedProgram run() {
        const auto begin = std::chrono::steady_clock::now();
        result_.trace.program = request_.source.files.front().string();
        FrameStream frames([this](TraceFrame kind, FrameReader& in) {
            const bool isKept = kind == TraceFrame::launch || kind == TraceFrame::finding ||
                                kind == TraceFrame::note;
            if (!isKept || kept_.takes(kind, in.left())) frame(kind, in);
        });
        const Sandbox& sandbox = Sandbox::ofThisMachine();
        ChildCommand command{.arguments = {program_.binary.string()},
                             .environment = {wishesOf(request_, result_.hasMain) +
                                             ";registers=" + program_.registers},
                             .limits = limitsOf(request_),
                             .calls = SystemCalls::ofProgram,
                             .hasPipe = true};
        command.arguments.insert(command.arguments.end(), request_.arguments.begin(),
                                 request_.arguments.end());
        const Confinement what = confinement();
        command = sandbox.confined(std::move(command), what);
        const ChildResult child = runChild(
            command, [&](const char* bytes, std::size_t size) { frames.take(bytes, size); },
            listener_.cancelled);
        result_.trace.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (!sandbox.holds()) result_.trace.notes.push_back(sandbox.notHeld());
        if (frames.isBroken()) {
            result_.trace.notes.push_back(
                "what the program told of its launches broke off in the middle");
        }
        if (std::string cut = kept_.inWords(); !cut.empty()) {
            result_.trace.notes.push_back(std::move(cut));
        }
        finish(child);
        const bool wentWell = result_.trace.exit.status == 0 && !result_.trace.launches.empty();
        if (sandbox.holds() && !wentWell) noteUnreadable(what);
        lookUpAll();
        // One that had to wait is told when it ends.
        std::ranges::stable_sort(result_.trace.launches, {}, &LaunchReport::index);
        nameArrays();
        return std::move(result_);
    }

  private:
    /// The program, its folders, and the files that its arguments and its arrays' contents name.
    [[nodiscard]] Confinement confinement() const {
        Confinement what{.readable = program_.readable};
        what.readable.push_back(program_.binary);
        what.readable.insert(what.readable.end(), request_.readable.begin(),
                             request_.readable.end());
        std::error_code error;
        what.folder = std::filesystem::current_path(error);
        const auto addFile = [&](const std::string& name) {
            const std::filesystem::path path = (what.folder / name).lexically_normal();
            if (std::filesystem::is_regular_file(path, error)) what.readable.push_back(path);
        };
        for (const std::string& argument : request_.arguments) {
            addFile(argument);
            addFile(argument.substr(argument.find('=') + 1));
        }
        for (const auto& [name, array] : request_.source.launch.arrays) {
            if (array.fill.starts_with('@')) addFile(array.fill.substr(1));
        }
        return what;
    }

    /// A file that the program's strings name, which is there and is not for it to read.
    void noteUnreadable(const Confinement& what) {
        const ReachableFiles reachable{.folders = what.readable};
        std::ifstream file(program_.binary, std::ios::binary);  // may be gone by now
        const std::string binary(std::istreambuf_iterator<char>(file), {});
        for (std::size_t at = 0, end = 0; end != binary.npos; at = end + 1) {
            end = binary.find('\0', at);
            const std::string name = binary.substr(at, end - at);
            if (name.size() > PATH_MAX || name.find('/') == name.npos) continue;
            const std::filesystem::path path = wholePath(what.folder / name);
            std::error_code error;
            if (isOfTheSystem(path) || reachable.contains(path) ||
                !isProjectFolder(path.parent_path()) ||
                !std::filesystem::is_regular_file(path, error))
                continue;
            result_.trace.notes.push_back(
                "it names " + name + ", which lies outside of what it may read: -I " +
                std::filesystem::path(name).parent_path().string() + " lets it");
            return;
        }
    }

    void frame(TraceFrame kind, FrameReader& in) {
        ProgramTrace& trace = result_.trace;
        switch (kind) {
            case TraceFrame::launch: {
                LaunchReport launch = readLaunch(in);
                for (ProgramLine& line : launch.lines) correct(line.place);
                sortByPlace(launch.lines);
                if (launch.traced) launch.values = valuesOf(launch.lines);
                trace.launches.push_back(std::move(launch));
                const auto index = trace.launches.size() - 1;
                lookUp(in, [this, &trace, index](SourcePlace place) {
                    places_[placeOfLaunch(trace.launches[index].index)] =
                        " of " + place.file + ':' + std::to_string(place.line);
                    trace.launches[index].place = std::move(place);
                });
                if (listener_.launch) listener_.launch(trace.launches.back());
                break;
            }
            case TraceFrame::finding: {
                Finding finding = readFinding(in);
                correct(finding.place);
                // What the main that was proposed leaves behind is not the person's.
                if (result_.hasMain || finding.kind != FindingKind::neverFreed) {
                    trace.findings.push_back(std::move(finding));
                    const auto index = trace.findings.size() - 1;
                    lookUp(in, [&trace, index](SourcePlace place) {
                        trace.findings[index].place = std::move(place);
                    });
                }
                break;
            }
            case TraceFrame::note: {
                trace.notes.push_back(sanitizedLine(in.text(), Kept::longestNote));
                const auto index = trace.notes.size() - 1;
                lookUp(in, [&trace, index](const SourcePlace& place) {
                    trace.notes[index] += ", at " + place.file + ':' + std::to_string(place.line);
                });
                break;
            }
            case TraceFrame::inputs: {
                (void)in.number<std::uint32_t>();
                std::vector<std::byte> frame;
                in(frame);
                result_.inputs = launchInputsFromFrame(frame);
                break;
            }
            case TraceFrame::steps: {
                BlockSteps steps = readSteps(in);
                for (SourcePlace& place : steps.places) correct(place);
                steps.file = trace.program;
                result_.steps = std::move(steps);
                break;
            }
            case TraceFrame::array: {
                const auto id = in.number<std::uint32_t>();
                const bool isFreed = in.number<std::uint32_t>() != 0;
                lookUp(in, [this, id, isFreed](const SourcePlace& place) {
                    const std::string at = place.file + ':' + std::to_string(place.line);
                    std::string& places = places_[placesOfArray(id)];
                    places = isFreed ? ", at " + at + places : places + "; made at " + at;
                    if (program_.nameOfArrayAt && !isFreed)
                        arrays_[id] = program_.nameOfArrayAt(place);
                });
                break;
            }
            case TraceFrame::result:
                resultBytes_ += in.left();
                if (resultBytes_ <= mostResultBytes) {
                    ProgramResult& result = result_.results.emplace_back();
                    result.elementBytes = in.number<std::uint32_t>();
                    in(result.bytes);
                }
                break;
            case TraceFrame::written:
                result_.written.push_back(in.text());
                break;
            case TraceFrame::reached:
                result_.bytesReached = in.number<std::uint64_t>();
                break;
            default:
                throw MalformedFrame("unknown frame");
        }
    }

    /// Return addresses that a frame may end with: their place is looked up when the program has
    /// ended, of all together.
    void lookUp(FrameReader& in, std::function<void(SourcePlace)> take) {
        if (in.left() == 0) return;
        CallAddresses addresses;
        in(addresses);
        if (addresses.empty() || calls_.size() == mostCalls) return;
        calls_.push_back(std::move(addresses));
        takers_.push_back(std::move(take));
    }
    void lookUpAll() {
        if (calls_.empty() || !program_.ofAddresses) return;
        const std::vector<SourcePlace> places = program_.ofAddresses(calls_);
        for (std::size_t at = 0; at < places.size(); ++at) {
            if (!places[at].file.empty()) takers_[at](places[at]);
        }
    }
    /// In place of what arrays are called that only their place can name.
    void nameArrays() {
        static const std::regex unknown(R"(\{(array|launch) \d+\})");
        for (Finding& finding : result_.trace.findings) {
            std::smatch found;
            while (std::regex_search(finding.words, found, unknown)) {
                const std::string place = places_[found.str()];
                finding.words = found.prefix().str() + place + found.suffix().str();
            }
        }
        if (arrays_.empty()) return;
        for (LaunchReport& launch : result_.trace.launches) {
            for (ProgramLine& line : launch.lines) rename(line.array);
            if (launch.traced) launch.values = valuesOf(launch.lines);
        }
        if (result_.steps) {
            for (StepArray& array : result_.steps->arrays) rename(array.name);
        }
        if (result_.inputs) {
            for (InputArray& array : result_.inputs->arrays) rename(array.name);
        }
        for (Finding& finding : result_.trace.findings) {
            rename(finding.words);
            if (finding.accessed) rename(finding.accessed->array);
        }
        for (std::string& note : result_.trace.notes) rename(note);
    }
    void rename(std::string& words) const {
        const std::string begin = unnamedArray(0).substr(0, unnamedArray(0).size() - 1);
        for (std::size_t at = 0; (at = words.find(begin, at)) != std::string::npos;) {
            const std::size_t number = at + begin.size();
            std::size_t end = number;
            while (end < words.size() && std::isdigit(static_cast<unsigned char>(words[end])) != 0)
                ++end;
            const auto found =
                arrays_.find(static_cast<std::uint32_t>(std::atoll(words.c_str() + number)));
            const bool isOne = end > number && found != arrays_.end() && !found->second.empty();
            if (isOne) words.replace(at, end - at, found->second);
            at = isOne ? at + found->second.size() : number;
        }
    }

    void correct(SourcePlace& place) const {
        if (program_.correct) program_.correct(place);
    }
    /// What the compiler made of a place stands below what was written there.
    static void sortByPlace(std::vector<ProgramLine>& lines) {
        std::sort(lines.begin(), lines.end(), [](const ProgramLine& a, const ProgramLine& b) {
            return std::tie(a.place.file, a.place.line, a.place.column, a.kind, a.array, a.source) <
                   std::tie(b.place.file, b.place.line, b.place.column, b.kind, b.array, b.source);
        });
    }

    void finish(const ChildResult& child) {
        ProgramExit& exit = result_.trace.exit;
        exit.status = child.status;
        exit.stopped = child.stopped;
        // It is called what the person calls it, not what it was built as.
        const std::string called = request_.source.files.front().stem().string();
        exit.output = child.output;
        for (const auto& built : {program_.binary, program_.binary.filename()})
            for (std::size_t at = 0;
                 (at = exit.output.find(built.string(), at)) != std::string::npos;
                 at += called.size())
                exit.output.replace(at, built.string().size(), called);
        exit.outputCut = child.outputCut;
        int signal = child.signal;
        // bubblewrap returns 128 + the signal of what it ran.
        if (signal == 0 && child.status && *child.status > 128 &&
            sigabbrev_np(*child.status - 128) != nullptr && Sandbox::ofThisMachine().holds()) {
            signal = *child.status - 128;
            exit.status.reset();
        }
        if (signal != 0) {
            const char* name = sigabbrev_np(signal);
            exit.signal = name == nullptr ? std::to_string(signal) : "SIG" + std::string(name);
        }
    }

    const RunnableProgram& program_;
    const TraceRequest& request_;
    const TraceListener& listener_;
    static constexpr std::size_t mostCalls = 10'000;
    static constexpr std::uint64_t mostResultBytes = std::uint64_t{256} << 20;
    std::uint64_t resultBytes_ = 0;
    Kept kept_;
    std::vector<CallAddresses> calls_;
    std::vector<std::function<void(SourcePlace)>> takers_;  ///< of the calls' places
    std::map<std::uint32_t, std::string> arrays_;           ///< names by id
    std::map<std::string, std::string> places_;             ///< by `placesOfArray`
    TracedProgram result_;
};

}  // namespace

TracedProgram tracedRun(const RunnableProgram& program, const TraceRequest& request,
                        const TraceListener& listener, TracedProgram begun) {
    return TracedRun(program, request, listener, std::move(begun)).run();
}

}  // namespace warplens
