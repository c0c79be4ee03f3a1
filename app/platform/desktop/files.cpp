#include "app/platform/files.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <system_error>

#include "core/text/files.h"

namespace warplens::window {
namespace {

namespace fs = std::filesystem;

/// Exit code of a program of the desktop that takes `bytes` on its standard input; 127 where there
/// is none of that name, which the ignored SIGPIPE (command_line.cpp) lets us live to see.
int feed(const char* command, const std::string& bytes) {
    std::FILE* const pipe = ::popen(command, "w");
    if (pipe == nullptr) throw std::system_error(errno, std::generic_category(), command);
    const bool whole = std::fwrite(bytes.data(), 1, bytes.size(), pipe) == bytes.size();
    const int status = ::pclose(pipe);
    if (!WIFEXITED(status)) return 1;
    return WEXITSTATUS(status) == 0 && !whole ? 1 : WEXITSTATUS(status);
}

/// The value of XDG_PICTURES_DIR in user-dirs.dirs: `"$HOME/Pictures"` or an absolute path.
fs::path configuredPictures(const fs::path& home) {
    const char* const config = std::getenv("XDG_CONFIG_HOME");
    const fs::path folder =
        config != nullptr && *config != '\0' ? fs::path(config) : home / ".config";
    try {
        const std::string text = readFile(folder / "user-dirs.dirs");
        const std::string key = "XDG_PICTURES_DIR=\"";
        std::size_t at = text.starts_with(key) ? 0 : text.find('\n' + key);
        if (at == std::string::npos) return {};
        at = text.find('"', at) + 1;
        const std::string value = text.substr(at, text.find('"', at) - at);
        return value.starts_with("$HOME/") ? home / value.substr(6) : fs::path(value);
    } catch (const std::system_error&) {
        return {};
    }
}

}  // namespace

fs::path picturesFolder() {
    std::error_code ignored;
    if (const char* const name = std::getenv("HOME"); name != nullptr && *name != '\0') {
        const fs::path home(name);
        for (const fs::path& folder : {configuredPictures(home), home / "Pictures"}) {
            if (folder.is_absolute() && folder != home && fs::is_directory(folder, ignored)) {
                return folder;
            }
        }
    }
    return fs::current_path(ignored);
}

/// GLFW copies text alone, so the desktop's own tools take the picture.
std::string copyPicture(const std::string& png) {
    const char* const wayland = std::getenv("WAYLAND_DISPLAY");
    const bool isWayland = wayland != nullptr && *wayland != '\0';
    const std::string tool = isWayland ? "wl-copy" : "xclip";
    const int code =
        feed(isWayland ? "exec wl-copy --type image/png >/dev/null 2>&1"
                       : "exec xclip -selection clipboard -target image/png >/dev/null 2>&1",
             png);
    if (code == 0) return {};
    return code == 127
               ? tool + " is not installed. It is in the package " +
                     (isWayland ? "wl-clipboard" : "xclip") + "; S saves the figure as files."
               : tool + " ended with code " + std::to_string(code) + ".";
}

std::optional<fs::path> fetchedRecordings() {
    return fs::path();
}

void handOver(const fs::path&) {}

void keepFile(const fs::path&) {}

}  // namespace warplens::window
