// run_program [--compiler PATH] [--cc 90] FILE.cu... [-- ARGUMENTS]: compiles a program with nvcc
// against our runtime API, runs it, and prints what was counted as JSON. Exits as the program does.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/json/json.h"
#include "kernels/programs/sandbox.h"
#include "kernels/programs/trace_program.h"

namespace {

using namespace warplens;

TraceRequest parsed(int count, char** texts) {
    TraceRequest request;
    request.secondsPerLaunch = 60;
    for (int at = 1; at < count; ++at) {
        const std::string text = texts[at];
        if (text == "--compiler" && at + 1 < count)
            request.compiler = texts[++at];
        else if (text == "--cc" && at + 1 < count)
            request.computeCapability = std::atoi(texts[++at]);
        else if (text == "--")
            request.arguments.assign(texts + at + 1, texts + count), at = count;
        else if (text.starts_with("-I"))
            request.source.includes.push_back(text.substr(2));
        else if (text.starts_with("-D"))
            request.source.defines.push_back(text.substr(2));
        else
            request.source.files.push_back(text);
    }
    return request;
}

}  // namespace

int main(int count, char** texts) {
    const TraceRequest request = parsed(count, texts);
    if (request.source.files.empty()) {
        std::fprintf(stderr, "run_program [--compiler PATH] [--cc 90] FILE.cu... [-- ARGUMENTS]\n");
        return 2;
    }
    try {
        allowUnconfined();  // of the programs of this project
        const ProgramTrace trace = traceProgram(request).trace;
        std::puts(toJson(trace).c_str());
        return trace.exit.status.value_or(128);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
