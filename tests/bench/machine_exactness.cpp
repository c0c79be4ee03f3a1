// Compares what the machine counts of whole launches of the built-in kernels with what is predicted
// of the same random launches, from some blocks of each kind: every memory value must be the same.
// PTX_FOLDER holds two files for each kernel, as scripts/make_kernel_ptx.sh makes them with any
// nvcc.
//   bench_machine_exactness PTX_FOLDER LAUNCHES_PER_SCENARIO SEED [MOST_STEPS]

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <map>

#include "core/access/line_cost.h"
#include "core/kernel/element_type.h"
#include "core/text/format.h"
#include "kernels/library/predict.h"
#include "kernels/ptx/open/signature.h"
#include "kernels/ptx/run/grid.h"
#include "tests/support/random_experiment.h"

using namespace warplens;

namespace {

struct Loaded final {
    ptx::Memory memory;
    std::unique_ptr<ptx::Program> program;
    std::map<std::string, const ptx::Function*> kernels;
};

std::unique_ptr<Loaded> load(const std::string& path) {
    std::ifstream in(path);
    if (!in) return nullptr;
    auto module = ptx::readModule({std::istreambuf_iterator<char>(in), {}});
    if (const auto* error = std::get_if<ptx::ReadError>(&module)) {
        std::fprintf(stderr, "%s:%u: %s\n", path.c_str(), error->row, error->message.c_str());
        return nullptr;
    }
    auto loaded = std::make_unique<Loaded>();
    loaded->program = std::make_unique<ptx::Program>(loaded->memory);
    if (loaded->program->add(std::move(std::get<ptx::Module>(module)))) return nullptr;
    for (const ptx::Function* kernel : loaded->program->kernels()) {
        loaded->kernels[ptx::signatureOf(*kernel).kernel] = kernel;
    }
    return loaded;
}

/// An argument as the kernel takes it.
void put(std::vector<std::byte>& bytes, std::uint32_t at, std::uint64_t bits, std::uint32_t size) {
    std::memcpy(bytes.data() + at, &bits, size);
}

struct Counted final {
    std::vector<ProgramLine> lines;
    std::string problem;
    std::uint64_t laneAccesses = 0;
    double seconds = 0;
};

Counted count(Loaded& loaded, const Experiment& e) {
    const Kernel& kernel = kernelOf(e);
    Counted counted{};
    const auto found = loaded.kernels.find(kernel.instance(e.arguments));
    if (found == loaded.kernels.end()) return counted.problem = "no kernel in the PTX", counted;
    const ptx::Function& function = *found->second;
    ptx::KernelLaunch launch{&function, e.launch,
                             std::vector<std::byte>(function.parameterBytes())};
    launch.launch.dynamicSharedBytes = dynamicSharedBytes(e);
    std::map<std::uint32_t, std::size_t> arrayOf;
    std::vector<std::uint64_t> addresses;
    for (std::size_t at = 0; at < kernel.parameters.size(); ++at) {
        const CallParameter& parameter = kernel.parameters[at];
        const ptx::Parameter& place = function.parameters.at(at);
        if (!parameter.isArray) {
            put(launch.parameters, place.offset,
                static_cast<std::uint64_t>(e.arguments.at(kernel.sizes[parameter.which].name)),
                place.bytes);
            continue;
        }
        const KernelArray& array = kernel.arrays[parameter.which];
        const std::uint32_t bytes = infoOf(array.type).bytes;
        const std::uint64_t elements = array.length(e.arguments, e.launch);
        ptx::Allocation* made = loaded.memory.allocate((elements + e.arrayOffset) * bytes);
        if (made == nullptr) return counted.problem = "no memory", counted;
        made->elementAlignment = bytes > 16 ? 16 : bytes;
        std::byte* data = made->data + e.arrayOffset * bytes;
        for (std::uint64_t i = 0; array.role == ArrayRole::input && i < elements; ++i) {
            if (!array.filled.empty()) {
                const std::uint64_t value =
                    array.filled(e.arguments, {.launch = e.launch, .element = i});
                std::memcpy(data + i * bytes, &value, bytes);
            } else if (bytes % 4 == 0) {
                for (std::uint32_t part = 0; part < bytes / 4; ++part) {
                    const float value = inputValue(static_cast<std::uint32_t>(parameter.which),
                                                   i * (bytes / 4) + part);
                    std::memcpy(data + i * bytes + part * 4, &value, 4);
                }
            }
        }
        arrayOf[made->id] = parameter.which;
        addresses.push_back(made->address);
        put(launch.parameters, place.offset, made->address + e.arrayOffset * bytes, 8);
    }
    const std::clock_t begin = std::clock();
    const ptx::LaunchResult result = ptx::run(*loaded.program, launch);
    counted.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    counted.laneAccesses = result.laneAccesses;
    for (const std::uint64_t address : addresses) loaded.memory.release(address);
    if (!result.ended.empty()) counted.problem = result.ended;
    for (const Finding& finding : result.findings) counted.problem += finding.words + "; ";
    for (const ptx::ArrayCounts& entry : result.counts) {
        const ptx::Site& site = loaded.program->sites()[entry.site];
        const auto array = arrayOf.find(entry.array);
        const bool hasArray = isGlobal(site.kind) ? array != arrayOf.end()
                                                  : isShared(site.kind) && !kernel.shared.empty();
        if (!hasArray) continue;
        ProgramLine& line = counted.lines.emplace_back(ProgramLine{entry.counts});
        line.kind = site.kind;
        line.requestedBytes =
            line.activeLanes * (site.wholeBytes != 0 ? site.wholeBytes : site.bytes);
        line.array =
            isGlobal(site.kind) ? kernel.arrays[array->second].name : kernel.shared.front().name;
    }
    return counted;
}

/// Values of memory that differ; of shared memory the kernel's, since parts of an array have names
/// here.
std::string differences(const LaunchReport& prediction, const Counted& counted) {
    const Kernel& kernel = kernelOf(prediction.experiment());
    std::string found = counted.problem.empty() ? "" : "\n  " + counted.problem;
    const std::vector<Value> values = valuesOf(counted.lines, &kernel);
    for (const Value& mine : values) {
        const std::string_view id = metricInfo(mine.metric).id;
        const bool isShared = id.find("shared") != std::string_view::npos ||
                              id.find("bank") != std::string_view::npos;
        if (id.find("branch") != std::string_view::npos || (isShared && mine.subject != "kernel"))
            continue;
        for (const Value& theirs : prediction.values) {
            if (theirs.metric != mine.metric || theirs.subject != mine.subject ||
                theirs.variant != mine.variant)
                continue;
            const double* a = theirs.number();
            const double* b = mine.number();
            if ((a == nullptr) == (b == nullptr) && (a == nullptr || *a == *b)) continue;
            found += "\n  " + mine.subject + ' ' + std::string(id) + ": predicted " +
                     (a ? std::to_string(*a) : "nothing") + ", counted " +
                     (b ? std::to_string(*b) : "nothing");
        }
    }
    const Experiment& e = prediction.experiment();
    return found.empty() ? found
                         : e.scenario + ' ' + toLaunchSyntax(e.launch) + ' ' + sizesOf(e) + found;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fputs(
            "usage: bench_machine_exactness PTX_FOLDER LAUNCHES_PER_SCENARIO SEED [MOST_STEPS]\n",
            stderr);
        return 2;
    }
    const int launches = std::atoi(argv[2]);
    const std::uint64_t seed = std::strtoull(argv[3], nullptr, 10);
    const std::uint64_t mostSteps = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1'000'000;
    std::map<std::string, std::unique_ptr<Loaded>> files;
    std::uint64_t total = 0;
    std::uint64_t differing = 0;
    std::uint64_t skipped = 0;
    for (const Scenario& scenario : allScenarios()) {
        std::mt19937_64 random(seed +
                               static_cast<std::uint64_t>(&scenario - allScenarios().data()));
        const Kernel& kernel = kernelOf(scenario.kernel);
        const std::string stem = kernel.file.substr(kernel.file.rfind('/') + 1);
        auto& loaded = files[stem];
        if (!loaded)
            loaded =
                load(std::string(argv[1]) + '/' + stem.substr(0, stem.rfind('.')) + ".debug.ptx");
        if (!loaded) {
            std::printf("%-20s no PTX\n", std::string(scenario.id).c_str());
            ++skipped;
            continue;
        }
        std::uint64_t mine = 0;
        std::uint64_t lanes = 0;
        double seconds = 0;
        for (int i = 0; i < launches; ++i, ++total) {
            const LaunchReport p = predict(randomWideExperiment(scenario, random, mostSteps));
            if (!p.exact) continue;
            const Counted counted = count(*loaded, p.experiment());
            lanes += counted.laneAccesses;
            seconds += counted.seconds;
            const std::string found = differences(p, counted);
            if (found.empty()) continue;
            if (++mine <= 2) std::printf("%s\n", found.c_str());
        }
        differing += mine;
        std::printf("%-20s %5d launches, %llu differ; %.0f million lane accesses a second\n",
                    std::string(scenario.id).c_str(), launches,
                    static_cast<unsigned long long>(mine),
                    seconds == 0 ? 0 : static_cast<double>(lanes) / seconds * 1e-6);
        std::fflush(stdout);
    }
    std::printf("\n%s launches, %s differ, %s scenarios without PTX\n",
                groupedDigits(total).c_str(), groupedDigits(differing).c_str(),
                groupedDigits(skipped).c_str());
    return differing == 0 && skipped == 0 ? 0 : 1;
}
