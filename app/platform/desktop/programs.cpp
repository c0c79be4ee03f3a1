#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>

#include "app/window/program_job.h"
#include "core/text/encoding.h"
#include "kernels/programs/run_child.h"

// What a desktop's other programs do with people's files: editors and dialogs.
namespace warplens::window {
namespace {

namespace fs = std::filesystem;

/// How an editor is told the line.
enum class LineStyle : std::uint8_t { colon, plus, option };
struct Editor final {
    const char* program;
    LineStyle line;
    const char* option = "";
};
constexpr std::array editors{
    Editor{"code", LineStyle::colon, "-g"},    Editor{"codium", LineStyle::colon, "-g"},
    Editor{"cursor", LineStyle::colon, "-g"},  Editor{"zed", LineStyle::colon},
    Editor{"subl", LineStyle::colon},          Editor{"kate", LineStyle::option, "-l"},
    Editor{"kwrite", LineStyle::option, "-l"}, Editor{"gnome-text-editor", LineStyle::plus},
    Editor{"gedit", LineStyle::plus},          Editor{"xed", LineStyle::plus},
    Editor{"pluma", LineStyle::plus},          Editor{"mousepad", LineStyle::option, "-l"},
    Editor{"geany", LineStyle::option, "-l"},  Editor{"gvim", LineStyle::plus},
    Editor{"emacs", LineStyle::plus},          Editor{"emacsclient", LineStyle::plus}};

std::vector<std::string> callOf(const Editor& editor, const std::string& program,
                                const std::string& file, const std::string& line) {
    std::vector<std::string> call{program};
    if (editor.line == LineStyle::option) {
        call.insert(call.end(), {editor.option, line, file});
    } else if (editor.line == LineStyle::plus) {
        call.insert(call.end(), {"+" + line, file});
    } else {
        if (*editor.option != '\0') call.emplace_back(editor.option);
        call.push_back(file + ":" + line);
    }
    return call;
}

/// $VISUAL or $EDITOR where it has a window of its own, or the first that there is; else what the
/// desktop opens such a file with. Empty where there is none of these.
std::vector<std::string> editorCall(const std::string& file, std::uint32_t number) {
    const std::string line = std::to_string(std::max(number, 1U));
    for (const char* const variable : {"VISUAL", "EDITOR"}) {
        const char* const wanted = std::getenv(variable);
        if (wanted == nullptr) continue;
        const std::string name = fs::path(wanted).filename().string();
        const auto* const known = std::ranges::find_if(
            editors, [&](const Editor& editor) { return name == editor.program; });
        if (known != editors.end()) return callOf(*known, wanted, file, line);
    }
    for (const Editor& editor : editors) {
        if (const std::string found = findProgram(editor.program); !found.empty()) {
            return callOf(editor, found, file, line);
        }
    }
    const std::string opener = findProgram("xdg-open");
    return opener.empty() ? std::vector<std::string>() : std::vector<std::string>{opener, file};
}

Command notOpened(const std::string& why) {
    return Report{MessageKind::error, "Not opened in an editor: " + why};
}

}  // namespace

Command openInEditor(const ProgramState& program) {
    std::vector<std::string> call = editorCall(fs::absolute(program.path).string(), program.line);
    if (call.empty()) {
        return notOpened("none of those that Warplens knows was found; $VISUAL names one");
    }
    const std::string name = fs::path(call.front()).filename().string();
    // It outlives the window.
    call.insert(call.begin(), {"setsid", "-f"});
    std::vector<char*> arguments;
    for (std::string& word : call) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int error = posix_spawnp(&child, "setsid", nullptr, nullptr, arguments.data(), environ);
    if (error != 0) return notOpened(std::strerror(error));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (status != 0) return notOpened(name + " could not be started");
    return Report{MessageKind::note, "Opened in " + name + "; saving there shows here."};
}

Command browseNow(std::uint32_t number, const std::stop_token& stop) {
    if (number == 0) return ProgramBrowsed{};
    std::vector<std::string> call;
    if (const std::string zenity = findProgram("zenity"); !zenity.empty()) {
        call = {zenity, "--file-selection", "--title=Open a .cu file",
                "--file-filter=CUDA | *.cu *.cuh *.ptx", "--file-filter=All files | *"};
    } else if (const std::string kdialog = findProgram("kdialog"); !kdialog.empty()) {
        call = {kdialog, "--getopenfilename", fs::current_path().string(),
                "CUDA (*.cu *.cuh *.ptx);;All files (*)"};
    } else {
        return ProgramBrowsed{
            {}, "The desktop has no dialog that can be used: install zenity or kdialog."};
    }
    ChildCommand command{.arguments = call, .environment = ownEnvironment()};
    const ChildResult result = runChild(command, {}, [&] { return stop.stop_requested(); });
    if (result.status != 0) return ProgramBrowsed{};
    // Toolkits warn on the same stream.
    for (const std::string_view line : splitLines(result.output)) {
        if (line.starts_with('/') && fs::exists(line)) return ProgramBrowsed{std::string(line)};
    }
    return ProgramBrowsed{};
}

}  // namespace warplens::window
