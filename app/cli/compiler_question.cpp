#include "app/cli/compiler_question.h"

#include <cstdlib>
#include <iostream>
#include <unistd.h>

#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "core/text/format.h"
#include "core/text/lines.h"
#include "kernels/programs/compiler.h"

namespace warplens {
namespace {

constexpr const char* licence =
    "NVIDIA's, the End User License Agreement of the CUDA Toolkit "
    "(https://docs.nvidia.com/cuda/eula/)";

bool isAcceptedBefore() {
    const char* answer = std::getenv(licenceVariable);
    return answer != nullptr && std::string_view(answer) == "1";
}

bool canAsk() {
    return isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
}

std::string whatIsDone(const std::filesystem::path& from) {
    const std::string place = " into " + programs::ownCompilerFolder().string();
    if (!from.empty()) return "This copies NVIDIA's compiler from " + from.string() + place + ".";
    return "This fetches NVIDIA's compiler (" + formatBytes(programs::bytesToFetch()) +
           " with pip, " + formatBytes(programs::bytesUnpacked) + " on the disk)" + place + ".";
}

bool isYes(std::string_view answer) {
    answer = trimmed(answer);
    return answer == "y" || answer == "Y" || answer == "yes" || answer == "Yes";
}

}  // namespace

void askForCompiler(const std::filesystem::path& from) {
    complain(whatIsDone(from));
    complain(std::string("Its licence is ") + licence + ".");
    if (isAcceptedBefore()) return;
    if (!canAsk()) {
        throw CommandFailed(ExitCode::impossible,
                            std::string("nobody can be asked here whether you accept it: ") +
                                licenceVariable + "=1 in the environment says that you do");
    }
    std::cerr << "warplens: Do you accept it, and shall this be done? [y/N] " << std::flush;
    std::string answer;
    if (!std::getline(std::cin, answer) || !isYes(answer))
        throw CommandFailed(ExitCode::failed, "no compiler was set up");
}

programs::OwnCompiler setUpCompilerShowing(const std::filesystem::path& from) {
    askForCompiler(from);
    const InterruptNoted noted;
    ProgressLine line("beginning");
    try {
        return programs::setUpCompiler(from, [&](double done, const std::string& what) {
            endIfInterrupted();
            line.show(done, what);
        });
    } catch (const Cancelled&) {
        endIfInterrupted();
        throw;
    } catch (const programs::CompilerNotSetUp& reason) {
        throw CommandFailed(ExitCode::impossible, reason.what());
    }
}

void offerCompiler() {
    static bool offered = false;
    if (offered || !canAsk()) return;
    offered = true;
    complain("A .cu file needs NVIDIA's compiler, and none is on this machine.");
    (void)setUpCompilerShowing({});
}

}  // namespace warplens
