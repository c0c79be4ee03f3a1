#include "app/window/program_tracer.h"

#include <charconv>
#include <map>
#include <mutex>
#include <set>

#include "app/lessons/library.h"
#include "app/window/state/program_changes.h"
#include "app/worker/worker_client.h"
#include "core/course/course.h"
#include "core/launch/launch.h"
#include "core/program/cuda_tokens.h"
#include "core/program/joined_atomics.h"
#include "core/text/encoding.h"
#include "core/text/files.h"
#include "core/text/format.h"
#include "kernels/device/difference_trial.h"
#include "kernels/device/measure_request.h"
#include "kernels/library/prepared_launch.h"
#include "kernels/programs/reachable_files.h"
#include "kernels/programs/remedy_trial.h"
#include "kernels/programs/sandbox.h"

namespace warplens::window {
namespace {

/// The largest file that is shown, in bytes.
constexpr std::uint64_t largestSource = 4u << 20;

std::vector<std::string> linesOf(const std::filesystem::path& path) {
    return linesShown(readFile(path, largestSource));
}

/// The line that a compiler's words are about, `name.cu:12:5: error: …`; 0 where they name none.
std::uint32_t lineNamedIn(std::string_view words, std::string_view name) {
    const std::string begin = std::string(name) + ':';
    for (std::size_t at = 0; (at = words.find(begin, at)) != std::string_view::npos;) {
        at += begin.size();
        std::uint32_t line = 0;
        const char* const end = words.data() + words.size();
        if (std::from_chars(words.data() + at, end, line).ec == std::errc()) return line;
    }
    return 0;
}

void take(TraceRequest& request, const ProposedValue& wish) {
    source::LaunchWishes& wishes = request.source.launch;
    const auto extents = [&](std::optional<Extents>& to, const char* name) {
        auto read = parseExtents(name, wish.value);
        if (auto* const broken = std::get_if<LimitViolation>(&read))
            throw InvalidRequest({*broken});
        to = std::get<Extents>(read);
    };
    switch (wish.kind) {
        case ProposedKind::block:
            return extents(request.block, "block");
        case ProposedKind::grid:
            return extents(request.grid, "grid");
        case ProposedKind::number:
            wishes.values[wish.name] = wish.value;
            return;
        case ProposedKind::elements:
            wishes.arrays[wish.name].elements = wish.value;
            return;
        case ProposedKind::fill:
            wishes.arrays[wish.name].fill = wish.value;
            return;
    }
}

/// The programs that files belong to, by path: as the command line says, or as they were traced.
std::map<std::filesystem::path, TraceRequest> programs;
std::mutex programsUsed;

void belongsTo(const TraceRequest& request, const std::filesystem::path& file) {
    const std::lock_guard lock(programsUsed);
    programs.insert_or_assign(wholePath(file), request);
}

TraceRequest requestFor(const std::string& path, const std::vector<ProposedValue>& wishes) {
    TraceRequest request;
    request.source.files = {path};
    {
        const std::lock_guard lock(programsUsed);
        const auto known = programs.find(wholePath(path));
        if (known != programs.end()) request = known->second;
    }
    for (const ProposedValue& wish : wishes) take(request, wish);
    return request;
}

TraceListener listenerOf(const std::stop_token& stop) {
    TraceListener listener;
    listener.cancelled = [stop] { return stop.stop_requested(); };
    return listener;
}

/// Sets `failure` where the work cannot be done, or the file is not what was traced.
template <class Tried, class Work>
std::shared_ptr<const TriedFor<Tried>> triedFor(const RemedyPlace& place, const Work& work) {
    auto found = std::make_shared<TriedFor<Tried>>();
    found->place = place;
    try {
        const TraceRequest request = requestFor(place.path, place.wishes);
        const ProgramSources sources = sourcesOf(request);
        if (programDigest(request, sources) != place.version->digest)
            throw std::runtime_error(place.path + " was changed");
        found->tried = work(request, sources);
    } catch (const std::exception& error) {
        found->failure = error.what();
    }
    return found;
}

}  // namespace

bool mayCompilePrograms() {
    return true;
}

void openProgramAs(const TraceRequest& request) {
    belongsTo(request, request.source.files.front());
}

ProgramVersion traceVersion(const std::string& path, const std::vector<ProposedValue>& wishes,
                            const std::stop_token& stop, const TracingProgress& tell) {
    ProgramVersion version;
    version.lines = linesOf(path);
    tell.text(version.lines);
    try {
        const TraceRequest request = requestFor(path, wishes);
        const ProgramSources sources = sourcesOf(request);
        version.digest = programDigest(request, sources);
        version.statements = statementLines(readFile(path, largestSource));
        TraceListener listener = listenerOf(stop);
        listener.launch = [&](const LaunchReport& launch) {
            tell.stage("launch " + std::to_string(launch.index + 1) + " traced");
        };
        TracedProgram traced = traceProgram(request, listener);
        version.trace = std::move(traced.trace);
        version.proposed = std::move(traced.proposed);
        std::set<std::string> files;
        for (const LaunchReport& launch : version.trace.launches) {
            for (const ProgramLine& line : launch.lines) files.insert(line.place.file);
        }
        const TraceRequest whole = requestFor(path, {});
        for (const std::string& file : files) {
            if (!sameFile(file, path)) belongsTo(whole, file);
        }
        if (const Lesson* const lesson = lessonOfExercise(sources)) {
            version.exercise = {lesson->id, leftToDo(*lesson, version.trace, sources)};
        } else if (isBesideLesson(path)) {
            version.exercise = {"", warningsOf(version.trace, sources)};
        }
    } catch (const CompileFailed& refusal) {
        version.failure = refusal.what();
        version.failureLine =
            lineNamedIn(version.failure, std::filesystem::path(path).filename().string());
    } catch (const NotConfined& refusal) {
        version.notConfined = true;
        version.failure = std::string("It was not run: ") + refusal.what();
    } catch (const NoCompiler& none) {
        version.noCompiler = true;
        version.failure = none.what();
    } catch (const std::exception& refusal) {
        version.failure = refusal.what();
    }
    return version;
}

MeasureProgramRequest prepareMeasurement(const ProgramSubject& subject,
                                         const std::string& computeCapability,
                                         const std::stop_token& stop,
                                         const std::function<void(std::string, double)>& tell) {
    const TraceRequest request = requestFor(subject.path, subject.wishes);
    const ProgramSources sources = sourcesOf(request);
    if (programDigest(request, sources) != subject.digest) {
        throw NotMeasurable(subject.path +
                            " was changed; it is measured once its new text is traced");
    }
    tell("compiling for the trace of its inputs", 0);
    return measureRequestFor(request, sources, subject.launch, computeCapability, listenerOf(stop));
}

Command findRemediesNow(const RemedyPlace& place, const std::stop_token& stop, std::uint32_t line) {
    const auto work = [&](const TraceRequest& request, const ProgramSources& /*sources*/) {
        RemedySearch search{.cancelled = [stop] { return stop.stop_requested(); }};
        if (line != 0) search.lines = {{request.source.files.front().string(), line, 0}};
        return tryRemedies(request, search);
    };
    return RemediesFound{triedFor<TriedRemedy>(place, work)};
}

Command findDifferencesNow(const RemedyPlace& place, const std::stop_token& stop) {
    const auto work = [&](const TraceRequest& request, const ProgramSources& sources) {
        return tryDifferences(request, place.version->trace, sources,
                              [stop] { return stop.stop_requested(); });
    };
    return DifferencesFound{triedFor<TriedDifference>(place, work)};
}

Command traceStepsNow(const StepsPlace& place, const std::stop_token& stop) {
    auto steps = std::make_shared<ProgramSteps>();
    steps->place = place;
    try {
        TraceRequest request = requestFor(place.path, place.wishes);
        request.launch = place.launch;
        request.stepsOf = place.block;
        TracedProgram traced = traceProgram(request, listenerOf(stop));
        const ProgramTrace& trace = traced.trace;
        if (traced.steps) {
            for (const LaunchReport& launch : place.version->trace.launches)
                if (launch.index == place.launch) tellJoined(*traced.steps, launch);
            // Lines are those of the open file, which may be another one of the program's.
            traced.steps->file = place.path;
            steps->steps = std::make_shared<const BlockSteps>(*std::move(traced.steps));
        } else {
            steps->failure = trace.findings.empty() ? whyWithout("this launch", trace)
                                                    : trace.findings.front().words;
        }
    } catch (const std::exception& error) {
        steps->failure = error.what();
    }
    return ProgramStepsTraced{std::move(steps)};
}

CompileAnswer compileAsPinned(const ShownLaunch& shown, const std::string& computeCapability) {
    try {
        TraceRequest request = requestFor(shown.path, {});
        if (linesOf(shown.path) != shown.version->lines)
            replaceText(request, shown.path, joined(shown.version->lines, "\n") + '\n');
        return compiledResources(request, shown.predicted().instance, computeCapability, {});
    } catch (const std::exception& error) {
        return Failure{FailureKind::failed, error.what()};
    }
}

Command compileNow(const CompilePlace& place, const std::stop_token& stop) {
    const auto cancelled = [&] { return stop.stop_requested(); };
    CompileAnswer answer;
    try {
        answer = place.program
                     ? compiledResources(requestFor(place.program->path, place.program->wishes),
                                         place.instance, place.computeCapability, cancelled)
                     : compileHere(compileRequestFor(*place.kernel, place.instance,
                                                     place.computeCapability),
                                   cancelled);
    } catch (const std::exception& error) {
        answer = Failure{FailureKind::failed, error.what()};
    }
    return ResourcesCompiled{
        std::make_shared<const CompiledPlace>(CompiledPlace{place, std::move(answer)})};
}

}  // namespace warplens::window
