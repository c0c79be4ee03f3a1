#include "app/lessons/library.h"
#include "app/platform/files.h"
#include "app/window/program_job.h"
#include "core/text/files.h"

namespace warplens::window {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t mostFileBytes = 4u << 20;

constexpr std::string_view newFile = R"(// out[i] = 2 * in[i]
#include <cstdio>
#include <vector>

__global__ void twice(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

int main() {
    const int n = 1000;
    std::vector<float> host(n, 1.0f);
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);

    const dim3 block(256);
    const dim3 grid((n + block.x - 1) / block.x);
    twice<<<grid, block>>>(in, out, n);

    cudaMemcpy(host.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[n - 1]);
    cudaFree(in);
    cudaFree(out);
}
)";

Command saved(const ProgramState& program) {
    const std::string& text = program.editor.text;
    std::error_code error;
    // One that is gone is written anew.
    const std::string now =
        fs::exists(program.path, error) ? readFile(program.path, mostFileBytes) : text;
    if (now != program.editor.saved && now != text) return ProgramRead{program.path, now};
    writeFileAtomically(program.path, text);
    handOver(program.path);
    return ProgramRead{program.path, text, true};
}

Commands begun(const std::string& exercise, const std::string& wanted) {
    if (!wanted.empty()) {
        writeFileAtomically(wanted, newFile);
        return {OpenProgram{wanted.find('/') == wanted.npos ? "./" + wanted : wanted},
                EditProgram{}};
    }
    const Lesson* const lesson = findLesson(exercise);
    const std::string text = lesson == nullptr ? std::string(newFile) : exerciseFile(*lesson);
    const std::string name =
        lesson == nullptr ? "kernel" : lesson->id.substr(lesson->id.rfind('/') + 1);
    std::string path = name + ".cu";
    // One goes on where an exercise was left.
    const bool goesOn =
        lesson != nullptr && fs::exists(path) &&
        readFile(path, mostFileBytes).starts_with(text.substr(0, text.find('\n') + 1));
    if (!goesOn) {
        path = newStem({}, name, {".cu"}).string() + ".cu";
        writeFileAtomically(path, text);
    }
    return {OpenProgram{"./" + path}, EditProgram{}};
}

/// Where the file holds what it must.
Command written(const RemedyWrite& write) {
    std::string before = readFile(write.file, mostFileBytes);
    if (!write.expected.empty() && before != write.expected)
        throw std::runtime_error(write.file + " was changed since; it stays as it is");
    writeFileAtomically(write.file, write.text);
    return RemedyWritten{{write.file, std::move(before), write.text}, !write.expected.empty()};
}

/// What was not saved, beside its file.
Command draftKept(const std::string& path, const std::string& text) {
    const fs::path kept = newStem(fs::path(path).parent_path(),
                                  fs::path(path).filename().string() + ".unsaved", {""});
    writeFileAtomically(kept, text);
    return Report{MessageKind::warning,
                  "What was not saved of " + path + " is in " + kept.string() + "."};
}

}  // namespace

Commands exchangeFiles(const AppState& state) {
    Commands commands;
    const Outbox& outbox = state.outbox;
    const ProgramState& program = state.program;
    const auto attempt = [&](const std::string& what, const auto& work, bool ofFile = true) {
        try {
            append(commands, work());
        } catch (const std::exception& error) {
            commands.emplace_back(Report{MessageKind::error, what + ": " + error.what(), ofFile});
        }
    };
    for (const auto& [path, text] : outbox.drafts) {
        attempt(
            "Not kept: what was typed in " + path,
            [&, path = path, text = text] { return Commands{draftKept(path, text)}; }, false);
    }
    if (outbox.newProgram) {
        attempt(
            "No file begun", [&] { return begun(*outbox.newProgram, outbox.newPath); }, false);
    }
    if (outbox.readsProgram) {
        attempt("Not read", [&] {
            return Commands{ProgramRead{program.path, readFile(program.path, mostFileBytes)}};
        });
    }
    if (outbox.savesProgram) attempt("Not saved", [&] { return Commands{saved(program)}; });
    if (outbox.writesRemedy)
        attempt("Not written", [&] { return Commands{written(*outbox.writesRemedy)}; });
    if (outbox.editsOutside) {
        attempt("Not opened in an editor", [&] { return Commands{openInEditor(program)}; });
    }
    return commands;
}

}  // namespace warplens::window
