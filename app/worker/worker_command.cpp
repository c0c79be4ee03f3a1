#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <unistd.h>

#include "app/worker/route.h"
#include "app/worker/worker_client.h"
#include "core/text/program_path.h"

namespace warplens {
namespace {

constexpr const char* workerName = "warplens-measure";

bool isProgram(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::filesystem::path workerPath() {
    const std::filesystem::path self = programPath();
    if (!self.empty() && isProgram(self.parent_path() / workerName)) {
        return self.parent_path() / workerName;
    }
    const char* path = std::getenv("PATH");
    std::string_view folders = path ? path : "";
    while (!folders.empty()) {
        const std::string_view folder = folders.substr(0, folders.find(':'));
        folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
        if (!folder.empty() && isProgram(std::filesystem::path(folder) / workerName)) {
            return std::filesystem::path(folder) / workerName;
        }
    }
    return {};
}

}  // namespace

std::string defaultWorkerCommand() {
    const std::filesystem::path worker = workerPath();
    return worker.empty() ? std::string() : quotedForShell(worker.string());
}

}  // namespace warplens
