#include "core/program/program_measurement.h"

#include <algorithm>

#include "core/json/archive.h"
#include "core/json/json.h"
#include "core/measurement/worker_protocol.h"
#include "core/text/format.h"

namespace warplens {

std::string inWords(const ArrayCheck& check) {
    const std::uint64_t all = check.equal + check.within + check.different;
    std::string words = check.array + ": " + groupedDigits(check.equal) + " of " +
                        groupedDigits(all) + " elements equal the host's";
    if (check.within != 0) {
        words += ", " + groupedDigits(check.within) + " within " +
                 formatNumber(check.tolerance, Unit::one) + " of the largest";
    }
    if (check.different != 0) {
        words += ", " + groupedDigits(check.different) + " differ, first at " +
                 groupedDigits(check.firstDifferent);
        if (check.reordered) words += " (the same values in another order)";
    }
    return words;
}

void describe(Archive& v, ArrayCheck& check) {
    v.type("array_check",
           "An array after the launch on the device, beside what the host's run made of it.");
    v("array", check.array, "Its name.");
    v("equal", check.equal, "Elements equal bit by bit.");
    v("within", check.within, "Not equal, but within the tolerance.");
    v("different", check.different, "All others.");
    v("first_different", check.firstDifferent,
      "Index of the first of these; 0 where there is none.");
    v("largest_error", check.largestError, "Of those within, relative to the largest magnitude.",
      {.least = 0});
    v("tolerance", check.tolerance,
      "The most that counts as within; 0 where it is compared bit by bit.", {.least = 0});
    v("reordered", check.reordered,
      "Whether some differ, but all are there in another order: that in which threads came.");
}

void describe(Archive& v, LineDifference& difference) {
    v.type("line_difference",
           "A line and kind on which the sources do not agree, summed over the line's columns.");
    v("file", difference.file, "The file, as it was named or included.");
    v("line", difference.line, "Of it, from 1; 0 where none is known.");
    v("kind", difference.kind, "What it does.");
    v("quantity", difference.quantity, "What differs: requests, sectors or wavefronts.");
    v("predicted", difference.predicted, "By the source.");
    if (v.reads()) v("probed", difference.compiled, "`compiled`, as former versions called it.");
    v("compiled", difference.compiled, "By the compiled code, on the device.");
    v("counted", difference.counted, "By the hardware.");
    v("cause", difference.cause, "Why.");
    v("words", difference.words, "The cause, with the numbers.");
    v("intervention", difference.intervention,
      "What was changed to confirm it, and what came of that; empty where nothing was.");
}

void describe(Archive& v, TriedDifference& tried) {
    v("kernel", tried.kernel, "In which kernel.");
    describe(v, tried.difference);
    v("ptx", tried.ptx, "The line's accesses in the compiled code.");
}

void describe(Archive& v, CompiledLine& line) {
    v.type("compiled_line", "What a source line became.");
    v("file", line.file, "The file, as it was named or included.");
    v("line", line.line, "Of it, from 1; 0 where none is known.");
    v("ptx", line.ptx, "Memory accesses and branches, in the order of the code.");
    v("sass", line.sass, "Machine code; empty where there is no disassembler.");
}

void describe(Archive& v, ChangedLaunch& changed) {
    v.type("changed_launch", "What the compiled code asks for after one thing was changed.");
    v("change", changed.change, "What was changed, in words.");
    v("compiled", changed.compiled, "Lines of the launch then.");
}

void describe(Archive& v, Interventions& interventions) {
    v("not_called", interventions.notCalled, "With calls taken out.");
    v("not_unrolled", interventions.notUnrolled, "With loops as they are written.");
    v("less_optimized", interventions.lessOptimized, "With few optimisations.");
    v("is_volatile", interventions.isVolatile, "With volatile parameters.");
}

void describe(Archive& v, ProgramMeasurement& measurement) {
    v.type("program_measurement", "What a GPU did in one launch of a program.");
    v("kernel", measurement.kernel, "Name expression of the instance.");
    v("launch", measurement.launch, "The execution configuration.");
    describeResults(v, measurement, true);
}

void describeResults(Archive& v, ProgramMeasurement& measurement, bool withNumbers) {
    v("device", measurement.device, "The GPU.");
    v("taken_at", measurement.takenAt, "When, in UTC: 2026-11-21T09:30:00Z.", timeStampText);
    v("version", measurement.version, "The version of Warplens that made it, as in 0.2.0.",
      versionText);
    v("compiler", measurement.compiler, "What compiled it for the device.");
    v("checks", measurement.checks, "Results beside the host's.");
    v("timing", measurement.timing, "The timed runs.");
    v("resources", measurement.resources, "What the compiled kernel takes of an SM.");
    v("counting", measurement.counting, "How the counters were read.");
    if (withNumbers) {
        v("values", measurement.values, "Every number, and every one that is missing.");
        v("lines", measurement.lines, "Compiled and counted, by place.");
    }
    v("lines_reason", measurement.linesReason, "Why no lines were counted; empty where they were.");
    v("compared_lines", measurement.comparedLines,
      "Lines, kinds and quantities that sources were compared on.");
    v("differences", measurement.differences, "Where they do not agree.");
    v("code", measurement.code,
      "The compiled code, by source line; empty where it was not asked for.");
    v("notes", measurement.notes, "What a reader must know to read the numbers.");
    v("total_seconds", measurement.totalSeconds, "From request to result, in the worker.",
      {.least = 0});
}

namespace {

template <class Entry>
bool haveCompiled(const std::vector<Entry>& entries) {
    return std::ranges::find(entries, Source::compiled, &Entry::source) != entries.end();
}

template <class Entry>
void eraseCompiled(std::vector<Entry>& entries) {
    std::erase_if(entries, [](const Entry& entry) { return entry.source == Source::compiled; });
}

void requireDocument(const std::string& schema) {
    constexpr Document document = Document::programMeasurement;
    const std::string known = schemaOf(document);
    const std::optional<int> number = schemaNumberFrom(document, schema);
    if (!number) throw MalformedJson("'" + schema + "' instead of '" + known + "'");
    if (*number > schemaNumber(document)) {
        throw MalformedJson("'" + schema + "', this version reads '" + known + "'");
    }
}

}  // namespace

void describe(Archive& v, MeasuredLaunch& launch) {
    // The numbers of all sources are in one list each.
    LaunchReport all = launch.predicted;
    const ProgramMeasurement& measured = launch.measured;
    // Where the code that was measured was run, too, its counts are told and no other compiler's.
    if (haveCompiled(measured.lines)) {
        eraseCompiled(all.values);
        eraseCompiled(all.lines);
        all.compiled = CompiledCount{.compiler = measured.compiler,
                                     .version = {},
                                     .computeCapability = measured.device.computeCapability,
                                     .blocksTraced = all.blocks};
    }
    all.values.insert(all.values.end(), measured.values.begin(), measured.values.end());
    all.lines.insert(all.lines.end(), measured.lines.begin(), measured.lines.end());
    describe(v, all);
    describeResults(v, launch.measured, false);
    if (!v.reads()) return;
    launch.measured.kernel = all.instance;
    launch.measured.launch = all.launch;
    launch.measured.values = all.values;
    launch.measured.lines = all.lines;
    // Former versions counted on the device, and did not say of what compiler's code.
    const bool ofMeasured = !all.compiled || all.compiled->compiler == launch.measured.compiler;
    const auto isOfTrace = [&](Source source) {
        return source == Source::predicted || (source == Source::compiled && !ofMeasured);
    };
    const auto isTraced = [&](const Value& value) {
        return isOfTrace(value.source) && value.metric != Metric::theoreticalOccupancy;
    };
    const auto isTracedLine = [&](const ProgramLine& line) { return isOfTrace(line.source); };
    std::erase_if(all.values, [&](const Value& value) { return !isTraced(value); });
    std::erase_if(launch.measured.values, isTraced);
    std::erase_if(all.lines, [&](const ProgramLine& line) { return !isTracedLine(line); });
    std::erase_if(launch.measured.lines, isTracedLine);
    if (ofMeasured) all.compiled.reset();
    launch.predicted = std::move(all);
    if (const auto problem = implausibility(launch.measured)) {
        Archive::refuse("launch " + std::to_string(launch.predicted.index) + ": " +
                        problem->message);
    }
}

void describe(Archive& v, MeasuredProgram& program) {
    v("program", program.program, "The file.");
    describeVersion(v);
    v.added("digest", program.digest,
            "Digest of the program's text and of all that it was compiled and launched with.",
            {.oneLine = true});
    v("launches", program.launches, "In order of launching.");
    v("notes", program.notes, "What a reader must know to read the numbers.");
}

MeasuredProgram measuredProgramFromJson(std::string_view document) {
    MeasuredProgram program;
    readJson(document, [&](Archive& v) {
        std::string schema;
        v("schema", schema, "");
        requireDocument(schema);
        describe(v, program);
    });
    return program;
}

void rename(MeasuredProgram& program, const std::string& name) {
    const auto change = [&](std::string& file) {
        if (file == program.program) file = name;
    };
    for (MeasuredLaunch& launch : program.launches) {
        change(launch.predicted.place.file);
        for (ProgramLine& line : launch.predicted.lines) change(line.place.file);
        for (ProgramLine& line : launch.measured.lines) change(line.place.file);
        for (LineDifference& difference : launch.measured.differences) change(difference.file);
        for (CompiledLine& line : launch.measured.code) change(line.file);
    }
    program.program = name;
}

}  // namespace warplens
