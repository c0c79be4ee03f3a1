#include "core/program/program_trace.h"

#include <algorithm>

#include "core/json/archive.h"
#include "core/json/json.h"

namespace warplens {

void describe(Archive& v, Finding& finding) {
    v("kind", finding.kind, "What.");
    v("words", finding.words, "The same in words.");
    describePlace(v, finding.place);
    v("kernel", finding.kernel, "In which kernel; empty on the host.");
    v("launch", finding.launch, "In which launch.");
    v("block", finding.block, "In which block.");
    v("thread", finding.thread, "In which thread.");
    v("other_line", finding.otherLine, "Of a race: where the other thread accesses, if known.");
    v("times", finding.times, "How often.", {.least = 1});
    v.optional("written_later", finding.isWrittenLater,
               "Of uninitialised shared memory: it is written, but later.");
    v.optional("of_mask", finding.isOfMask,
               "Of a barrier mismatch: it is of a warp intrinsic's mask, which names lanes that do "
               "not come.");
}

void describe(Archive& v, ProgramExit& exit) {
    v.nullable("status", exit.status, "Its exit status; null where a signal or a limit ended it.");
    v("signal", exit.signal, "The signal that ended it; empty for none.");
    v("stopped", exit.stopped, "The limit that ended it; empty for none.");
    v("output", exit.output, "What it printed.");
    v("output_cut", exit.outputCut, "Whether it printed more.");
}

void describe(Archive& v, ProgramTrace& trace) {
    v("program", trace.program, "The file.");
    describeVersion(v);
    v("launches", trace.launches, "In order of launching.");
    v("findings", trace.findings, "What it does wrong.");
    v("notes", trace.notes, "What a reader must know to read the numbers.");
    v("exit", trace.exit, "How the program ended.");
    v("compile_seconds", trace.compileSeconds, "How long compiling took, in seconds.",
      {.least = 0});
    v("seconds", trace.seconds, "How long it ran, in seconds.", {.least = 0});
}

void joinLeaks(ProgramTrace& trace) {
    const bool hasFailed = trace.exit.status.value_or(0) != 0;
    std::vector<Finding> all;
    for (Finding& finding : trace.findings) {
        if (hasFailed && finding.kind == FindingKind::neverFreed) continue;
        const auto known = std::ranges::find_if(all, [&](const Finding& other) {
            return finding.kind == FindingKind::neverFreed && other.kind == finding.kind &&
                   other.place.line == finding.place.line &&
                   other.place.file == finding.place.file && other.kernel == finding.kernel;
        });
        if (known == all.end()) {
            all.push_back(std::move(finding));
            continue;
        }
        const auto begin = [](std::string_view words) {  // `a (4000 bytes)`
            for (const std::string_view end : {" is never freed", " are never freed"}) {
                if (words.ends_with(end)) words.remove_suffix(end.size());
            }
            return std::string(words);
        };
        const std::string array = begin(finding.words);
        const std::string before = begin(known->words);
        if ((", " + before + ',').find(", " + array + ',') == std::string::npos)
            known->words = before + ", " + array + " are never freed";
    }
    trace.findings = std::move(all);
}

}  // namespace warplens
