// How fast PTX of tests/bench/machine_rate.cu runs, in million lane accesses a second, everything
// counted: for each file on one core by processor time; of those made with -G once more with all
// fault checks, of the others on two cores by the clock.
//   nvcc -ptx -arch=sm_90 -lineinfo -o O.ptx tests/bench/machine_rate.cu
//   nvcc -ptx -arch=sm_90 -G -o G.ptx tests/bench/machine_rate.cu
//   bench_machine_rate ROUNDS O.ptx G.ptx [KERNEL]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "kernels/ptx/check/faults.h"
#include "kernels/ptx/run/grid.h"

using namespace warplens;

namespace {

constexpr std::size_t elements = 2048 * 2048;

struct Row final {
    const char* kernel;
    const char* words;
    Extents grid;
    Extents block;
    int n;
};
constexpr Row rows[] = {
    {"product", "product 512 x 512 from global memory", {32, 32, 1}, {16, 16, 1}, 512},
    {"tiles", "product 512 x 512 by tiles of 16", {32, 32, 1}, {16, 16, 1}, 512},
    {"sum", "sum 2048 x 2048", {128, 128, 1}, {16, 16, 1}, 2048},
    {"twoArms", "two arms by odd and even lanes", {2048, 1, 1}, {256, 1, 1}, 2048 * 256},
    {"unevenLoop", "as many rounds as the lane's number", {1024, 1, 1}, {256, 1, 1}, 1024 * 256},
    {"interleavedSum", "interleaved sum in shared memory", {4096, 1, 1}, {256, 1, 1}, 4096 * 256},
};

/// A way to run a file's kernels, with an instance of everything it needs.
struct Way final {
    std::string name;
    bool isChecked = false;
    std::size_t width = 1;
    ptx::Memory memory;
    ptx::Program program{memory};
    std::vector<std::byte> parameters = std::vector<std::byte>(28);

    Way(const std::string& path, const char* how, bool checked, std::size_t threads)
        : name(path + how), isChecked(checked), width(threads) {
        std::ifstream in(path);
        auto module = ptx::readModule({std::istreambuf_iterator<char>(in), {}});
        if (const auto* error = std::get_if<ptx::ReadError>(&module)) fail(error->message);
        if (const auto problem = program.add(std::move(std::get<ptx::Module>(module))))
            fail(*problem);
        for (std::size_t at = 0; at < 3; ++at) {
            ptx::Allocation* array = memory.allocate(elements * sizeof(float));
            for (std::size_t i = 0; i < elements; ++i) {
                const auto value = static_cast<float>(i % 7);
                std::memcpy(array->data + i * sizeof value, &value, sizeof value);
            }
            std::memcpy(parameters.data() + 8 * at, &array->address, 8);
        }
    }
    [[noreturn]] void fail(const std::string& why) const {
        std::fprintf(stderr, "%s: %s\n", name.c_str(), why.c_str());
        std::exit(2);
    }

    /// Million lane accesses a second.
    double rate(const Row& row, std::uint64_t& accesses) {
        ptx::KernelLaunch launch{nullptr, {.grid = row.grid, .block = row.block}, parameters};
        for (const ptx::Function* kernel : program.kernels()) {
            // As C++ mangles it: the name with its length before it.
            const std::string mangled = std::to_string(std::strlen(row.kernel)) + row.kernel;
            if (kernel->name.find(mangled) != std::string_view::npos) launch.kernel = kernel;
        }
        if (launch.kernel == nullptr) fail(std::string("no kernel ") + row.kernel);
        std::memcpy(launch.parameters.data() + 24, &row.n, sizeof row.n);
        ptx::Surroundings surroundings;
        ptx::check::Faults faults(program);
        if (isChecked) {
            for (const auto& [address, array] : memory.allocations())
                faults.markWritten(address, array.bytes);
            surroundings.observers.push_back(&faults);
        }
        surroundings.width = width;
        surroundings.sideBySide = [](std::size_t count, const auto& task) {
#if defined(__EMSCRIPTEN__)
            for (std::size_t at = 0; at < count; ++at) task(at);
#else
            std::vector<std::jthread> threads;
            for (std::size_t at = 0; at < count; ++at) threads.emplace_back(task, at);
#endif
        };
        const std::clock_t processor = std::clock();
        const auto clock = std::chrono::steady_clock::now();
        const ptx::LaunchResult result = ptx::run(program, launch, surroundings);
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - clock;
        const double seconds = width > 1
                                   ? wall.count()
                                   : static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC;
        if (!result.ended.empty() || !result.findings.empty())
            fail(result.ended.empty() ? result.findings[0].words : result.ended);
        for (const Finding& finding : faults.take()) {
            // The arrays are those of the largest launch.
            if (finding.kind != FindingKind::notReached) fail(finding.words);
        }
        accesses = result.laneAccesses;
        return static_cast<double>(accesses) / seconds * 1e-6;
    }
};

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 2 ? std::atoi(argv[1]) : 0;
    if (rounds < 1) {
        std::fputs("usage: bench_machine_rate ROUNDS FILE.ptx... [KERNEL]\n", stderr);
        return 2;
    }
    std::vector<std::unique_ptr<Way>> ways;
    std::string only;
    for (int at = 2; at < argc; ++at) {
        const std::string path = argv[at];
        if (!path.ends_with(".ptx")) {
            only = path;
            continue;
        }
        ways.push_back(std::make_unique<Way>(path, "", false, 1));
        const bool isDebug =
            ways.back()->program.moduleOf(*ways.back()->program.kernels()[0]).isDebug;
        if (isDebug)
            ways.push_back(std::make_unique<Way>(path, ", all checks", true, 1));
        else if (std::thread::hardware_concurrency() > 1)
            ways.push_back(std::make_unique<Way>(path, ", 2 cores", false, 2));
    }
    for (const Row& row : rows) {
        if (!only.empty() && only != row.kernel) continue;
        std::printf("%s\n", row.words);
        std::vector<std::vector<double>> rates(ways.size());
        std::vector<std::uint64_t> accesses(ways.size());
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t at = 0; at < ways.size(); ++at)
                rates[at].push_back(ways[at]->rate(row, accesses[at]));
        }
        for (std::size_t at = 0; at < ways.size(); ++at) {
            std::ranges::sort(rates[at]);
            std::printf("  %-40s %11llu accesses  median %6.0f M/s  best %6.0f M/s\n",
                        ways[at]->name.c_str(), static_cast<unsigned long long>(accesses[at]),
                        rates[at][rates[at].size() / 2], rates[at].back());
        }
    }
}
