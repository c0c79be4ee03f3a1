// Whether prediction, the compiled code's PTX and counters agree on every launch of a
// folder's programs, in two steps, as the machine with the GPU may have no C++ compiler and little
// time:
//   agreement_programs prepare FOLDER REQUESTS [INCLUDE]
//       traces them, or a single file, with headers in a folder, and writes what a worker is to
//       measure
//   agreement_programs measure REQUESTS REPORT [FROM COUNT]
//       measures with the warplens-measure beside it: all, or COUNT of them from the FROMth on
// Of launches alike (kernel, blocks, threads) the first two are measured.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

#include "app/worker/worker_client.h"
#include "core/measurement/measurement.h"
#include "core/text/format.h"
#include "kernels/device/measure_request.h"
#include "kernels/programs/trace_program.h"

namespace {

using namespace warplens;
namespace fs = std::filesystem;

std::vector<fs::path> programsIn(const fs::path& folder) {
    std::vector<fs::path> found;
    if (fs::is_regular_file(folder)) return {folder};
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const fs::path kind = entry.path().parent_path().filename();
        const bool isOther = kind == "findings" || kind == "without_main" || kind == "several";
        if (entry.path().extension() == ".cu" && !isOther) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::string shapeOf(const LaunchReport& launch) {
    return launch.kernel + toLaunchSyntax(launch.launch);
}

/// What a launch does at a line, by one source.
struct Counts final {
    std::uint64_t requests = 0;
    std::uint64_t units = 0;  ///< sectors, wavefronts or divergent warps
    friend bool operator==(const Counts&, const Counts&) = default;
};
using CountedLines = std::map<std::pair<std::uint32_t, AccessKind>, Counts>;

CountedLines countsOf(const std::vector<ProgramLine>& lines, Source source) {
    CountedLines counts;
    for (const ProgramLine& line : lines) {
        if (line.source != source || line.kind == AccessKind::branch) continue;
        Counts& at = counts[{line.place.line, line.kind}];
        at.requests += line.requests;
        at.units += line.sectors != 0 ? line.sectors : line.wavefronts;
    }
    std::erase_if(counts, [](const auto& each) { return each.second == Counts{}; });
    return counts;
}

void prepare(const fs::path& program, const std::vector<std::string>& includes, std::ostream& out) {
    TraceRequest request;
    request.source.files = {program.filename()};
    request.source.includes = includes;
    const ProgramSources sources = sourcesOf(request);
    const ProgramTrace whole = traceProgram(request).trace;
    std::map<std::string, int> alike;
    for (const LaunchReport& launch : whole.launches) {
        if (++alike[shapeOf(launch)] > 2) continue;
        MeasureProgramRequest measure;
        try {
            measure = measureRequestFor(request, sources, launch.index, "9.0");
        } catch (const NotMeasurable& why) {
            std::cerr << program << ": " << why.what() << '\n';
            continue;
        }
        measure.timing.runs = 30;
        out << program.filename().string() << '\t' << launch.index << '\t' << launch.kernel << '\n'
            << toWire({.id = 1, .body = std::move(measure)});
    }
}

struct Prepared final {
    std::string program;
    std::string index;
    std::string kernel;
    MeasureProgramRequest request;
};

/// False at the end.
bool read(std::istream& in, Prepared& prepared) {
    std::string head;
    if (!std::getline(in, head)) return false;
    std::istringstream words(head);
    std::getline(words, prepared.program, '\t');
    std::getline(words, prepared.index, '\t');
    std::getline(words, prepared.kernel);
    std::string line;
    std::getline(in, line);
    std::vector<std::byte> frame;
    prepared.request = std::get<MeasureProgramRequest>(
        requestFromJsonLine(line, [&](std::uint64_t bytes) { frame.resize(bytes); }).body);
    in.read(reinterpret_cast<char*>(frame.data()), static_cast<std::streamsize>(frame.size()));
    prepared.request.inputs = launchInputsFromFrame(frame);
    return true;
}

/// A total of a launch.
struct Total final {
    const char* name;
    std::vector<AccessKind> kinds;
    std::uint64_t ProgramLine::*member;
};
const std::array<Total, 7>& totals() {
    static const std::array<Total, 7> all{
        {{"load requests", {AccessKind::load}, &ProgramLine::requests},
         {"load sectors", {AccessKind::load}, &ProgramLine::sectors},
         {"store requests", {AccessKind::store}, &ProgramLine::requests},
         {"store sectors", {AccessKind::store}, &ProgramLine::sectors},
         {"shared requests",
          {AccessKind::sharedLoad, AccessKind::sharedStore},
          &ProgramLine::requests},
         {"shared wavefronts",
          {AccessKind::sharedLoad, AccessKind::sharedStore},
          &ProgramLine::wavefronts},
         {"atomic requests", {AccessKind::atomic}, &ProgramLine::requests}}};
    return all;
}

std::uint64_t sumOf(const std::vector<ProgramLine>& lines, const Total& total, Source source) {
    std::uint64_t sum = 0;
    for (const ProgramLine& line : lines) {
        if (line.source == source &&
            std::count(total.kinds.begin(), total.kinds.end(), line.kind)) {
            sum += line.*total.member;
        }
    }
    return sum;
}

struct Tally final {
    std::size_t launches = 0;
    std::size_t failed = 0;
    std::map<std::string, int> programs;
    std::uint64_t compared = 0;
    std::map<DifferenceCause, std::uint64_t> causes;
    std::uint64_t equalTotals = 0;
    std::uint64_t otherTotals = 0;
    std::uint64_t explainedTotals = 0;  ///< of those: all differences of the launch have a cause
    std::uint64_t equalResults = 0;
    std::uint64_t reorderedResults = 0;
    std::uint64_t otherResults = 0;
    std::uint64_t countedLines = 0;
    std::uint64_t asCounted = 0;  ///< of those, by the PTX
    std::string device;
    std::string compiler;
};

std::string resultsOf(const ProgramMeasurement& measured, Tally& tally) {
    std::uint64_t within = 0;
    std::uint64_t different = 0;
    bool reordered = true;
    for (const ArrayCheck& check : measured.checks) {
        within += check.within;
        different += check.different;
        reordered = reordered && (check.different == 0 || check.reordered);
    }
    ++(different == 0 ? tally.equalResults
       : reordered    ? tally.reorderedResults
                      : tally.otherResults);
    if (different != 0 && reordered) return "results equal the host's in another order";
    if (different != 0) return groupedDigits(different) + " results differ";
    return within == 0 ? "results equal the host's"
                       : "results equal the host's, " + groupedDigits(within) + " but for rounding";
}

/// Where the PTX and the counters do not say the same of a line.
std::string compiledReport(const ProgramMeasurement& measured, Tally& tally) {
    if (!measured.linesReason.empty()) return {};
    const CountedLines compiled = countsOf(measured.lines, Source::compiled);
    const CountedLines counted = countsOf(measured.lines, Source::counted);
    CountedLines all = compiled;
    all.insert(counted.begin(), counted.end());
    std::ostringstream out;
    const auto at = [](const CountedLines& lines, const auto& place) {
        const auto found = lines.find(place);
        return found == lines.end() ? Counts{} : found->second;
    };
    const auto words = [](const Counts& counts) {
        return groupedDigits(counts.requests) + '/' + groupedDigits(counts.units);
    };
    for (const auto& [place, any] : all) {
        const Counts here = at(compiled, place);
        const Counts there = at(counted, place);
        ++tally.countedLines;
        tally.asCounted += here == there ? 1 : 0;
        if (here == there) continue;
        out << "    line " << place.first << ' ' << toString(place.second) << ": PTX "
            << words(here) << ", counted " << words(there) << '\n';
    }
    return out.str();
}

std::string padded(std::string text, std::size_t width, bool right) {
    if (text.size() < width) text.insert(right ? 0 : text.size(), width - text.size(), ' ');
    return text;
}

std::string reportOf(const Prepared& prepared, const ProgramMeasurement& measured, Tally& tally) {
    std::ostringstream out;
    tally.compared += measured.comparedLines;
    tally.device = measured.device.name;
    tally.compiler = measured.compiler;
    out << prepared.program << " launch " << prepared.index << ' ' << prepared.kernel << ": "
        << resultsOf(measured, tally) << "; " << measured.comparedLines << " numbers compared, "
        << measured.differences.size() << " differ; time "
        << formatNumber(measured.timing.medianSeconds, Unit::seconds) << " ("
        << inWords(measured.timing.from) << ")\n";
    const bool isExplained =
        std::ranges::none_of(measured.differences, [](const LineDifference& difference) {
            return difference.cause == DifferenceCause::unexplained;
        });
    for (const Total& total : totals()) {
        const std::uint64_t predicted = sumOf(prepared.request.predicted, total, Source::predicted);
        const std::uint64_t compiled = sumOf(measured.lines, total, Source::compiled);
        const std::uint64_t counted = sumOf(measured.lines, total, Source::counted);
        if (predicted + compiled + counted == 0) continue;
        const bool isCounted = measured.linesReason.empty();
        const bool equal = predicted == compiled && (!isCounted || predicted == counted);
        ++(equal ? tally.equalTotals : tally.otherTotals);
        if (!equal && isExplained) ++tally.explainedTotals;
        out << "    " << padded(total.name, 18, false) << " predicted "
            << padded(groupedDigits(predicted), 6, true) << "  compiled "
            << padded(groupedDigits(compiled), 6, true) << "  counted "
            << padded(isCounted ? groupedDigits(counted) : "-", 6, true) << (equal ? "" : "   <")
            << '\n';
    }
    for (const LineDifference& difference : measured.differences) {
        ++tally.causes[difference.cause];
        out << "    line " << difference.line << ' ' << toString(difference.kind) << ' '
            << difference.quantity << ": " << toString(difference.cause) << ": "
            << difference.words;
        if (!difference.intervention.empty()) out << " [" << difference.intervention << ']';
        out << '\n';
    }
    out << compiledReport(measured, tally);
    if (!measured.linesReason.empty()) out << "    not counted: " << measured.linesReason << '\n';
    return out.str();
}

std::string headOf(const Tally& tally) {
    std::uint64_t differences = 0;
    const auto open = tally.causes.find(DifferenceCause::unexplained);
    const std::uint64_t unexplained = open == tally.causes.end() ? 0 : open->second;
    std::string causes;
    for (const auto& [cause, count] : tally.causes) {
        differences += count;
        causes += (causes.empty() ? " " : ", ") + groupedDigits(count) + ' ' +
                  std::string(toString(cause));
    }
    std::ostringstream out;
    out << "Programs under tests/programs on an " << tally.device << ", " << tally.compiler << ".\n"
        << tally.launches << " launches of " << tally.programs.size()
        << " programs; not measured: " << tally.failed << ". Results: " << tally.equalResults
        << " launches as on the host, " << tally.reorderedResults << " in another order, "
        << tally.otherResults << " others.\n"
        << "Totals of launches: " << tally.equalTotals << " equal in all three sources, "
        << tally.otherTotals << " not (marked <), of which " << tally.explainedTotals
        << " with every cause confirmed.\n"
        << "Line by line: " << tally.compared << " numbers compared, " << differences << " differ, "
        << differences - unexplained << " with a cause that an intervention confirms, "
        << unexplained << " unexplained:" << causes << ".\n"
        << "The measured PTX, run without the device (requests/sectors or wavefronts): of "
        << tally.countedLines << " lines that were counted " << tally.asCounted
        << " as the hardware did.\n\n";
    return out.str();
}

/// The report is there, as far as it goes, after each launch. Whether one at least was measured.
bool measure(std::istream& in, const fs::path& report, std::size_t from, std::size_t count) {
    WorkerClient worker({.command = defaultWorkerCommand(), .deadline = std::chrono::seconds(30)});
    Tally tally;
    std::string text;
    Prepared prepared;
    for (std::size_t i = 0; read(in, prepared); ++i) {
        if (i < from || i - from >= count) continue;
        ++tally.launches;
        ++tally.programs[prepared.program];
        (void)worker.measureProgram(prepared.request);
        for (;;) {
            const std::optional<WorkerEvent> event = worker.wait(std::chrono::seconds(60));
            if (event && std::holds_alternative<ProgramMeasurement>(event->body)) {
                text += reportOf(prepared, std::get<ProgramMeasurement>(event->body), tally);
                break;
            }
            if (event && !std::holds_alternative<Failure>(event->body)) continue;
            ++tally.failed;
            text += prepared.program + " launch " + prepared.index + ' ' + prepared.kernel +
                    ": not measured: " +
                    (event ? std::get<Failure>(event->body).message : "no answer") + '\n';
            break;
        }
        std::ofstream(report) << headOf(tally) << text;
    }
    std::cout << headOf(tally);
    return tally.failed < tally.launches;
}

}  // namespace

int main(int count, char** arguments) {
    const std::string verb = count >= 4 && count <= 6 ? arguments[1] : "";
    try {
        if (verb == "prepare") {
            std::ofstream out(arguments[3], std::ios::binary);
            const fs::path folder = fs::absolute(arguments[2]);
            const std::vector<std::string> includes(arguments + 4, arguments + count);
            for (const fs::path& program : programsIn(folder)) {
                fs::current_path(program.parent_path());
                prepare(program, includes, out);
            }
            return out.good() ? 0 : 1;
        }
        if (verb == "measure") {
            std::ifstream in(arguments[2], std::ios::binary);
            const bool part = count == 6;
            const bool any = measure(in, arguments[3], part ? std::stoull(arguments[4]) : 0,
                                     part ? std::stoull(arguments[5]) : std::size_t(-1));
            return any ? 0 : 1;
        }
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
    std::cerr << "agreement_programs prepare FOLDER REQUESTS [INCLUDE] | measure REQUESTS REPORT "
                 "[FROM COUNT]\n";
    return 2;
}
