#include "kernels/programs/measure_request.h"

#include <algorithm>

#include "core/text/encoding.h"

namespace warplens {
namespace {

/// NVRTC knows no GNU dialects; nvcc's own default is C++17.
std::string standardForDevice(const std::string& standard) {
    if (standard.empty()) return "c++17";
    return standard.starts_with("gnu") ? "c" + standard.substr(3) : standard;
}

/// Macros that the program is compiled with; without a main, settings are parameters' values.
std::vector<std::string> definesOf(const ProgramSource& source, bool hasMain) {
    std::vector<std::string> defines = source.defines;
    if (hasMain) defines.insert(defines.end(), source.settings.begin(), source.settings.end());
    return defines;
}

/// Texts one after the other, each with its length before it: no two lists are written alike.
class Joined final {
  public:
    void add(std::string_view text) {
        all_ += std::to_string(text.size()) + ':';
        all_ += text;
    }
    void add(const std::vector<std::string>& texts) {
        add(std::to_string(texts.size()));
        for (const std::string& text : texts) add(text);
    }
    void add(const std::optional<Extents>& extents) { add(extents ? toString(*extents) : ""); }
    [[nodiscard]] const std::string& text() const { return all_; }

  private:
    std::string all_;
};

std::string whyWithoutInputs(const TracedProgram& traced, std::uint32_t launch) {
    const ProgramTrace& trace = traced.trace;
    const auto found = std::ranges::find(trace.launches, launch, &LaunchReport::index);
    if (found == trace.launches.end()) {
        const ProgramExit& exit = trace.exit;
        std::string why = "the program ended before it";
        if (!exit.stopped.empty()) why += ": " + exit.stopped;
        if (!exit.signal.empty()) why += ", by " + exit.signal;
        return why;
    }
    const std::string number = std::to_string(launch);
    const auto why = std::ranges::find_if(trace.notes, [&](const std::string& note) {
        return note.starts_with("the inputs of launch " + number + ' ') ||
               (note.starts_with("launch " + number + " (") &&
                note.find("blocks were run in the time for it") != std::string::npos);
    });
    return why == trace.notes.end() ? "its inputs could not be kept" : *why;
}

}  // namespace

ProgramSources sourcesOf(const TraceRequest& request) {
    std::vector<std::string> units;
    for (const auto& path : request.source.files) units.push_back(path.string());
    return readProgramSources(units, request.source.includes);
}

std::string programDigest(const TraceRequest& request, const ProgramSources& sources) {
    Joined all;
    for (const auto* const files : {&sources.units, &sources.headers}) {
        all.add(std::to_string(files->size()));
        for (const ProgramFile& file : *files) all.add(file.text);
    }
    const ProgramSource& source = request.source;
    all.add(source.defines);
    all.add(source.standard);
    // Of a file without main, the values of parameters, whichever way they were given.
    std::vector<std::string> settings = source.settings;
    for (const auto& [name, value] : source.launch.values) settings.push_back(name + '=' + value);
    std::ranges::sort(settings);
    all.add(settings);
    all.add(request.arguments);
    all.add(request.grid);
    all.add(request.block);
    for (const auto& [name, array] : source.launch.arrays) {
        all.add(std::vector{name, array.elements, array.fill});
    }
    return digestOf(all.text());
}

MeasureProgramRequest measureRequestFor(const TraceRequest& request, const ProgramSources& sources,
                                        std::uint32_t launch, const TraceListener& listener) {
    TraceRequest again = request;
    again.launch = again.inputsOf = launch;
    TracedProgram traced = traceProgram(again, listener);
    const std::string which = "launch " + std::to_string(launch);
    if (sourcesOf(request) != sources) {
        throw NotMeasurable(which +
                            " was not measured: a file of the program was changed meanwhile");
    }
    if (!traced.inputs) {
        throw NotMeasurable(which + " cannot be measured: " + whyWithoutInputs(traced, launch));
    }
    MeasureProgramRequest measure;
    measure.sources = sources;
    measure.defines = definesOf(request.source, traced.hasMain);
    measure.standard = standardForDevice(request.source.standard);
    measure.inputs = std::move(*traced.inputs);
    // Of the same run: what launches before it left may depend on the order of their threads. A
    // sample says what the whole is like, not what it is: nothing to compare line by line.
    for (LaunchReport& same : traced.trace.launches) {
        if (same.index == launch && same.exact) measure.predicted = std::move(same.lines);
    }
    std::erase_if(measure.predicted,
                  [](const ProgramLine& line) { return line.source != Source::predicted; });
    return measure;
}

CompileRequest compileRequestFor(const TraceRequest& request, bool hasMain,
                                 const ProgramSources& sources, const std::string& instance,
                                 const std::string& computeCapability) {
    return {.sources = sources,
            .defines = definesOf(request.source, hasMain),
            .standard = standardForDevice(request.source.standard),
            .kernel = instance,
            .computeCapability = computeCapability};
}

}  // namespace warplens
