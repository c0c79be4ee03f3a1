#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cxxabi.h>
#include <map>
#include <tuple>
#include <unistd.h>

#include "kernels/trace/runtime/launch_state.h"
#include "kernels/trace/runtime/report.h"

extern "C" {
extern const warplens::runtime::SiteRow __start_wl_sites[] __attribute__((weak));
extern const warplens::runtime::SiteRow __stop_wl_sites[] __attribute__((weak));
}

namespace warplens::runtime {

WARPLENS_EARLY LaunchState launchState;
WARPLENS_EARLY LaneProgram laneProgram;
WARPLENS_EARLY LaneRunner laneRunner(laneProgram, {.stackBytes = std::size_t{256} * 1024,
                                                   .guardBytes = 4096,
                                                   .mostEvents = std::uint64_t{4} << 20});

namespace {

/// Findings by kind, place and launch: told when the launch ends, with how often they came up.
struct Found final {
    Finding finding;
    std::vector<std::uint64_t> addresses;
};
WARPLENS_EARLY std::map<std::tuple<FindingKind, std::string, std::uint32_t, std::uint32_t>, Found>
    found;
constexpr std::size_t mostFindings = 1000;

void note(Finding finding, std::vector<std::uint64_t> addresses = {}) {
    if (launchState.isTrial) return;
    const auto key = std::make_tuple(
        finding.kind, finding.place.file, finding.place.line,
        finding.place.line == 0 ? static_cast<std::uint32_t>(found.size()) : finding.place.column);
    if (const auto known = found.find(key); known != found.end()) {
        ++known->second.finding.times;
        return;
    }
    if (found.size() >= mostFindings) return;
    found.emplace(key, Found{std::move(finding), std::move(addresses)});
}

Finding inKernel(FindingKind kind, const std::string& words, std::uint32_t site,
                 const Index3* thread) {
    Finding finding;
    finding.kind = kind;
    finding.words = words;
    finding.place = placeOf(site);
    finding.kernel = launchState.kernel;
    finding.launch = launchState.index;
    finding.block = launchState.block;
    if (thread != nullptr) {
        finding.thread = *thread;
    } else if (laneRunner.current() != nullptr) {
        finding.thread = laneRunner.current()->thread;
    }
    return finding;
}

}  // namespace

void sendFindings() {
    for (const auto& [key, each] : found) sendFinding(each.finding, each.addresses);
    found.clear();
}

const SiteRow& siteRow(std::uint32_t site) {
    return __start_wl_sites[site - 1];
}

std::uint32_t siteCount() {
    return static_cast<std::uint32_t>(__stop_wl_sites - __start_wl_sites);
}

SourcePlace placeOf(std::uint32_t site) {
    if (site == 0 || site > siteCount()) return {};
    const SiteRow& row = siteRow(site);
    return {row.file == nullptr ? "" : row.file, row.line, row.column};
}

void giveUp(const std::string& words) {
    sendFindings();
    Finding finding;
    finding.kind = FindingKind::notSupported;
    finding.words = words;
    finding.kernel = launchState.kernel;
    finding.place = launchState.place;
    sendFinding(finding, {});
    _exit(125);
}

void requireFirstThread() {
    if (gettid() == getpid()) return;
    // The first thread may be adding to what was found: the launch it is in has not ended.
    Finding finding;
    finding.kind = FindingKind::notSupported;
    finding.words =
        "CUDA is called by a thread that the program has started: only its first one can be traced";
    sendFinding(finding, {});
    _exit(125);
}

void addFinding(FindingKind kind, const std::string& words, std::uint32_t site,
                const Index3* thread) {
    note(inKernel(kind, words, site, thread));
}

void addFindingInKernel(FindingKind kind, const std::string& words, const SourcePlace& place) {
    Finding finding = inKernel(kind, words, 0, nullptr);
    finding.place = place;
    note(std::move(finding));
}

void addFindingAt(FindingKind kind, const std::string& words, const SourcePlace& place) {
    Finding finding;
    finding.kind = kind;
    finding.words = words;
    finding.place = place;
    note(std::move(finding));
}

void addHostFinding(FindingKind kind, const std::string& words,
                    const std::vector<std::uint64_t>& addresses) {
    Finding finding;
    finding.kind = kind;
    finding.words = words;
    note(std::move(finding), addresses);
}

void failLaunch(FindingKind kind, const std::string& words, std::uint32_t site, int error,
                const Index3* thread) {
    note(inKernel(kind, words, site, thread));
    launchState.failed = true;
    launchState.error = error;
    if (laneRunner.current() != nullptr) laneRunner.abandon();
}

std::string demangled(const char* symbol) {
    // Other names would be read as those of types: `a` is a signed char.
    if (std::strncmp(symbol, "_Z", 2) != 0) return symbol;
    int status = 0;
    char* text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
    std::string name = status == 0 ? text : symbol;
    std::free(text);
    return name;
}

std::string lastNameOf(const char* symbol) {
    std::string name = demangled(symbol);
    if (const std::size_t colons = name.rfind("::"); colons != std::string::npos) {
        name = name.substr(colons + 2);
    }
    return name;
}

double cpuSeconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace warplens::runtime
