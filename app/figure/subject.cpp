#include "app/figure/subject.h"

#include <algorithm>
#include <filesystem>

#include "core/measurement/measurement.h"
#include "core/program/branch_reasons.h"
#include "core/program/line_costs.h"
#include "core/text/format.h"
#include "kernels/library/predict.h"
#include "kernels/library/prepared_launch.h"

namespace warplens::figure {
namespace {

constexpr const char* launchedInLine = ", launched in line ";

std::string sourceLine(const Measurement& measurement, bool recorded) {
    std::string names;
    for (const Source source : {Source::compiled, Source::counted, Source::timed}) {
        const bool used = std::ranges::any_of(measurement.values, [&](const Value& value) {
            return value.source == source && value.number() != nullptr;
        });
        if (used) addWords(names, ", ", toString(source));
    }
    return names + (recorded ? ": recorded on " : ": measured on ") + takenOn(measurement) +
           "; timed " + std::string(inWords(measurement.timing.from)) +
           (measurement.timing.cache == CacheBefore::cold ? ", L2 cold" : "");
}

/// How many blocks were looked at differs from run to run, the figure does not.
std::string sourceLine(const LaunchReport& prediction) {
    if (prediction.exact && prediction.kinds != 0) {
        return "predicted on the host, exact: " + groupedDigits(prediction.kinds) +
               (prediction.kinds == 1 ? " kind" : " kinds") + " of block among " +
               groupedDigits(prediction.blocks);
    }
    return "predicted on the host, " + howPredicted(prediction);
}

/// Whether it is a loop's condition, the one branch of its line beside what is called there.
bool isLoopOf(const BlockSteps& steps, const ProgramLine& line) {
    const auto isThere = [&](const StepBranch& branch) {
        const SourcePlace& place = steps.places[branch.place];
        return place.line == line.place.line && sameFile(place.file, steps.file);
    };
    const auto branch = std::ranges::find_if(steps.branches, isThere);
    return line.nth <= 1 && std::ranges::count_if(steps.branches, isThere) == 1 &&
           isLoopCondition(branch->statement);
}

bool holdsPredictions(const Measurement& measurement) {
    return std::ranges::any_of(measurement.values, [](const Value& value) {
        return value.metric == Metric::globalStoreRequests && value.source == Source::predicted;
    });
}

}  // namespace

PictureKind pictureFrom(std::string_view text) {
    std::string known;
    for (const PictureRow& row : pictures) {
        if (row.word.empty()) continue;
        if (row.word == text) return row.picture;
        known += ' ' + std::string(row.word);
    }
    throw InvalidRequest({{"--view", "'" + std::string(text) + "'", "one of" + known}});
}

void requireProblem(PictureKind picture, const Kernel* kernel,
                    std::vector<LimitViolation>& violations) {
    if (picture != PictureKind::coverage || (kernel != nullptr && !kernel->work.empty())) return;
    std::string others;
    for (const PictureRow& row : pictures) {
        const bool isScenarios = row.picture == PictureKind::times;
        if (row.word.empty() || row.picture == picture || (isScenarios && kernel == nullptr)) {
            continue;
        }
        others += ' ' + std::string(row.word);
    }
    violations.push_back(
        {"--view", "'coverage'",
         "is of kernels that say how many elements they have; this one has" + others});
}

std::string pictureWords() {
    std::string words;
    for (const PictureRow& row : pictures) {
        if (!row.word.empty()) addWords(words, "|", row.word);
    }
    return words;
}

Subject subjectOf(Experiment experiment, const Shown& shown) {
    Subject subject;
    subject.view.experiment = std::move(experiment);
    std::optional<LaunchReport> prediction;
    std::string predicted;
    if (shown.measurement != nullptr && holdsPredictions(*shown.measurement)) {
        predicted = "predicted: what the source asks for";
    } else {
        const std::vector<LimitViolation> violations = validateRun(subject.view.experiment);
        try {
            if (violations.empty()) {
                prediction = predict(subject.view.experiment);
                predicted = sourceLine(*prediction);
            } else {
                predicted = "not predicted: " + toString(violations.front());
            }
        } catch (const std::exception& error) {
            predicted = std::string("not predicted: ") + error.what();
        }
    }
    subject.evidence =
        evidenceOf(prediction ? &*prediction : nullptr, shown.measurement, shown.recorded);
    if (shown.measurement != nullptr) {
        subject.provenance.push_back(sourceLine(*shown.measurement, shown.recorded));
        subject.schedule = shown.measurement->schedule;
        subject.timing = shown.measurement->timing;
        subject.device = shown.measurement->device;
        if (const auto& resources = shown.measurement->resources) {
            subject.localBytes = resources->localBytesPerThread;
        }
    }
    subject.provenance.push_back(std::move(predicted));
    return subject;
}

Subject subjectOf(const LaunchReport& launch, const std::string& file,
                  std::shared_ptr<const BlockSteps> steps, const ProgramMeasurement* measured) {
    Subject subject;
    subject.view.experiment = initialExperiment(scenarioNamed("warp-grouping"));
    subject.view.experiment.launch = launch.launch;
    subject.kernel = launch.kernel;
    subject.launch = launch.index;
    subject.barriers = launch.barriers;
    subject.arguments = launch.arguments;
    subject.file = std::filesystem::path(file).filename().string();
    if (steps != nullptr) subject.view.block = steps->block;
    subject.evidence = evidenceOf(launch, measured, true);
    if (hasCompiled(launch)) subject.compiledBranches.emplace();
    for (const ProgramLine& line : launch.lines) {
        if (line.source == Source::compiled && line.kind == AccessKind::branch &&
            sameFile(line.place.file, file))
            (*subject.compiledBranches)[line.place.line].add(line);
        if (isLocal(line.kind)) subject.localSectors += line.sectors;
        if (line.source != Source::predicted) continue;
        if (line.kind == AccessKind::load) subject.loadedBytes += line.uniqueBytes;
        if (line.kind == AccessKind::store) subject.storedBytes += line.uniqueBytes;
        if (line.kind == AccessKind::constantLoad)
            subject.constantTurns[line.array] += line.wavefronts;
        const bool isHere = sameFile(line.place.file, file);
        const bool isLoop =
            isHere && line.kind == AccessKind::branch && steps != nullptr && isLoopOf(*steps, line);
        if (isLoop) subject.loops[line.place.line].add(line);
        if (isHere && (isLoop || !line.isGuard) && line.kind == AccessKind::branch)
            subject.divergentLines[line.place.line] += isLoop ? 0 : line.divergent;
        if (const std::size_t end = line.reason.find(goesByArgument);
            isHere && end != line.reason.npos) {
            std::string& called = subject.divergentCalls[line.place.line];
            called = line.reason.substr(0, end);
            std::erase(called, '`');
        }
        if (!line.isGuard || isLoop) continue;
        subject.divergentGuards[isHere ? line.place.line : 0] += line.divergent;
    }
    BlockDemand demand{.threads = launch.launch.block.count(),
                       .registersPerThread = assumedRegisters};
    demand.dynamicSharedBytes = launch.launch.dynamicSharedBytes;
    if (steps != nullptr) demand.staticSharedBytes = steps->staticSharedBytes;
    if (measured != nullptr) {
        demand.registersPerThread = measured->resources.registersPerThread;
        demand.staticSharedBytes = measured->resources.staticSharedBytes;
        subject.view.capability = smLimitsNamed(measured->device.computeCapability).capability;
        subject.timing = measured->timing;
        subject.device = measured->device;
        subject.provenance.push_back("compiled, counted, timed: recorded on " +
                                     measured->device.name + ", " + dayOf(measured->takenAt));
    }
    subject.demand = demand;
    subject.provenance.push_back(predictedFrom(launch, file));
    subject.program = std::move(steps);
    return subject;
}

std::string oneOfLaunches(const ProgramTrace& trace, const LaunchReport& launch) {
    if (std::ranges::count(trace.launches, launch.kernel, &LaunchReport::kernel) < 2) return {};
    return "launch " + groupedDigits(launch.index) + " of " + groupedDigits(trace.launches.size());
}

std::string predictedFrom(const LaunchReport& launch, const std::string& file) {
    const std::filesystem::path path = file;
    return "predicted from " + (path.is_absolute() ? path.filename().string() : file) +
           launchedInLine + std::to_string(launch.place.line) + ": " +
           groupedDigits(launch.blocksTraced) + " of " + groupedDigits(launch.blocks) +
           " blocks traced";
}

std::string namingLines(std::string provenance, const std::vector<std::uint32_t>& lines) {
    const std::size_t from = provenance.find(launchedInLine);
    if (from == std::string::npos || lines.empty()) return provenance;
    const std::string numbers =
        joined(lines, ", ", [](std::uint32_t line) { return std::to_string(line); });
    return provenance.replace(from, provenance.find(':', from) - from,
                              (lines.size() == 1 ? ", line " : ", lines ") + numbers);
}

std::string titleOf(const Subject& subject) {
    return !subject.kernel.empty()
               ? subject.kernel + ", " + subject.file
               : std::string(scenarioNamed(subject.view.experiment.scenario).title);
}

Shown recordingOf(const RecordingLibrary& library, const Experiment& experiment) {
    const Recording* recording = findRecording(library.recordings, experiment);
    return recording == nullptr ? Shown{} : Shown{&recording->measurement, true};
}

}  // namespace warplens::figure
