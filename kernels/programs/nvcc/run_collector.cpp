#include "kernels/programs/nvcc/run_collector.h"

namespace warplens::programs {

RunCollector::RunCollector(const std::vector<std::filesystem::path>& files) {
    for (const std::filesystem::path& file : files) {
        names_.emplace_back(std::filesystem::absolute(file).lexically_normal().string(),
                            file.string());
        std::error_code error;
        names_.emplace_back(std::filesystem::canonical(file, error).string(), file.string());
    }
    if (!files.empty()) trace_.program = files.front().string();
}

void RunCollector::name(SourcePlace& place) const {
    for (const auto& [path, given] : names_) {
        if (place.file == path) place.file = given;
    }
}

void RunCollector::onFrame(TraceFrame kind, FrameReader& in) {
    if (kind == TraceFrame::launch) {
        ProgramLaunch& launch = trace_.launches.emplace_back(readLaunch(in));
        for (ProgramLine& line : launch.lines) name(line.place);
        launch.values = valuesOf(launch.lines);
    } else if (kind == TraceFrame::finding) {
        name(trace_.findings.emplace_back(readFinding(in)).place);
    } else if (kind == TraceFrame::note) {
        trace_.notes.push_back(in.text());
    }
}

ProgramTrace RunCollector::finish() {
    if (frames_.isBroken()) {
        trace_.notes.push_back("what the program told of its launches broke off in the middle");
    }
    return std::move(trace_);
}

}  // namespace warplens::programs
