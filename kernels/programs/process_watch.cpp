#include "kernels/programs/process_watch.h"

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "core/text/files.h"

namespace warplens {
namespace {

constexpr std::size_t mostProcesses = 4096;

/// Its beginning; empty where it cannot be read.
std::string readSystemFile(const std::string& path) {
    const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 4096> text;
    const ssize_t size = file.isOpen() ? read(file.value(), text.data(), text.size()) : 0;
    return {text.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

/// The number behind `name` in a table of names and numbers.
std::uint64_t numberOf(std::string_view table, std::string_view name) {
    const std::size_t at = table.find(name);
    if (at == std::string_view::npos) return 0;
    return std::strtoull(table.data() + at + name.size(), nullptr, 10);
}

}  // namespace

std::string ProcessWatch::exceeded() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return {};
    next_ = now + interval;
    std::uint64_t kibibytes = 0;
    std::uint64_t threads = 0;
    std::vector<pid_t> processes{child_.processId()};
    for (std::size_t i = 0; i < processes.size() && processes.size() < mostProcesses; ++i) {
        const std::string id = std::to_string(processes[i]);
        const std::string status = readSystemFile("/proc/" + id + "/status");
        for (const char* kind : {"VmRSS:", "VmSwap:", "VmPTE:"})
            kibibytes += numberOf(status, kind);
        threads += numberOf(status, "Threads:");
        const std::string children = readSystemFile("/proc/" + id + "/task/" + id + "/children");
        const char* text = children.c_str();
        for (char* end = nullptr; *text != '\0'; text = end) {
            const long child = std::strtol(text, &end, 10);
            if (end == text || child <= 0) break;
            processes.push_back(static_cast<pid_t>(child));
        }
    }
    return inWords(kibibytes, threads);
}

std::string ProcessWatch::inWords(std::uint64_t kibibytes, std::uint64_t threads) const {
    if (threads_ != 0 && (threads > threads_ || child_.group().ranOutOfThreads())) {
        return "it started more than " + std::to_string(threads_) + " threads";
    }
    if (memoryBytes_ != 0 && (kibibytes > memoryBytes_ >> 10 || child_.group().ranOutOfMemory())) {
        return "it took more than " + std::to_string(memoryBytes_ >> 20) + " MiB of memory";
    }
    return {};
}

}  // namespace warplens
