#include "tests/cli/program.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sys/wait.h>

#include "core/text/files.h"
#include "tests/support/temporary_folder.h"

namespace warplens::tests {

ProgramRun runShell(const std::string& script) {
    const TemporaryFolder folder;
    const TemporaryFolder results;
    const std::string output = (results.path() / "output").string();
    const std::string errors = (results.path() / "errors").string();
    // The PATH holds no warplens-measure, so that every machine answers alike.
    const std::string line = "cd " + folder.path().string() +
                             " && unset DISPLAY WAYLAND_DISPLAY && PATH=/usr/bin:/bin "
                             "WARPLENS='" WARPLENS_PROGRAM "' && (" +
                             script + "\n) >" + output + " 2>" + errors + " </dev/null";
    const int status = std::system(line.c_str());
    ProgramRun run{WIFEXITED(status) ? WEXITSTATUS(status) : -1, readFile(output),
                   readFile(errors)};
    // By this the test counts as skipped where there is none.
    if (run.errors.find("NVIDIA's compiler, and none is here") != std::string::npos)
        std::puts("NO_CUDA_COMPILER");
    return run;
}

ProgramRun runProgram(const std::string& arguments) {
    return runShell("\"$WARPLENS\" " + arguments);
}

ProgramRun runOwn(const std::string& script) {
    const std::string mainOf =
        "main_of() { printf 'int main() {\\n    %s;\\n    cudaMalloc(&a, %s);\\n    "
        "cudaMemset(a, 0, %s);\\n    %s\\n    cudaFree(a);\\n}\\n' \"$1\" \"$2\" \"$2\" \"$3\"; "
        "}\n";
    return runShell(mainOf +
                    "export XDG_CACHE_HOME='" COURSE_CACHE "'; OWN='" DOCS_FOLDER
                    "/brightness.cu'; MEASURED='" PROGRAM_FOLDER
                    "/more/matvec_warp_per_row.cu'; KEPT='" DOCS_FOLDER "/matvec-h200.json'\n" +
                    script);
}

testing::AssertionResult holds(const std::string& text, const std::string& words) {
    if (text.find(words) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "'" << words << "' is not in\n" << text;
}

std::string today() {
    std::array<char, 16> day{};
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    std::strftime(day.data(), day.size(), "%Y-%m-%d", ::gmtime_r(&now, &utc));
    return day.data();
}

}  // namespace warplens::tests
