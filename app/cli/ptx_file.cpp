#include "app/cli/ptx_file.h"

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "kernels/ptx/open/file_trace.h"

namespace warplens {
namespace {

constexpr std::uintmax_t mostBytes = 256u << 20;

std::string textOf(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        throw CommandFailed(ExitCode::invalid, path.string() + ": there is no such file");
    }
    if (std::filesystem::file_size(path, error) > mostBytes) {
        throw CommandFailed(ExitCode::invalid, path.string() + ": larger than 256 MiB");
    }
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

ptx::LaunchChoices choicesOf(const TraceRequest& request) {
    ptx::LaunchChoices choices;
    choices.grid = request.grid;
    choices.block = request.block;
    for (const std::string& setting : request.source.settings) {
        const std::size_t equals = setting.find('=');
        choices.values[setting.substr(0, equals)] = setting.substr(equals + 1);
    }
    for (const auto& [name, wish] : request.source.launch.arrays) {
        choices.arrays[name] = {wish.elements, wish.fill};
    }
    return choices;
}

void sideBySide(std::size_t count, const std::function<void(std::size_t)>& task) {
    std::vector<std::jthread> threads;
    for (std::size_t at = 0; at < count; ++at) threads.emplace_back([&task, at] { task(at); });
}

}  // namespace

TracedProgram tracePtxFile(const TraceRequest& request) {
    const std::filesystem::path& path = request.source.files.front();
    const auto begin = std::chrono::steady_clock::now();
    ptx::FileRequest file{.path = path.string(),
                          .kernel = request.kernel,
                          .choices = choicesOf(request),
                          .width = std::max(1u, std::thread::hardware_concurrency()),
                          .sideBySide = sideBySide};
    file.isStopped = [&] {
        return InterruptNoted::happened() || std::chrono::steady_clock::now() - begin >
                                                 std::chrono::duration<double>(request.secondsMost);
    };
    TracedProgram traced;
    traced.hasMain = false;
    try {
        traced.trace = ptx::traceFile(textOf(path), file);
    } catch (const InvalidRequest&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw CommandFailed(ExitCode::invalid, error.what());
    }
    return traced;
}

}  // namespace warplens
