#include <algorithm>
#include <cstring>
#include <random>
#include <string>

#include "kernels/ptx/run/grid.h"
#include "kernels/ptx/run/launch_lines.h"
#include "tests/fuzz/fuzz.h"

using namespace warplens;

namespace {

void runKernel(ptx::Program& program, ptx::Memory& memory, const ptx::Function& kernel) {
    ptx::KernelLaunch launch;
    launch.kernel = &kernel;
    launch.launch = {.grid = {2, 1, 1}, .block = {40, 1, 1}, .dynamicSharedBytes = 256};
    launch.parameters.resize(kernel.parameterBytes());
    for (const ptx::Parameter& parameter : kernel.parameters) {
        if (parameter.bytes == 0) continue;
        std::uint64_t value = 33;
        if (parameter.bytes == 8) {
            const ptx::Allocation* array = memory.allocate(4096);
            if (array == nullptr) return;
            value = array->address;
        }
        std::memcpy(launch.parameters.data() + parameter.offset, &value,
                    std::min(parameter.bytes, 8u));
    }
    const ptx::Bounds bounds{
        .jumps = 1 << 16, .stackBytes = 16 << 10, .blocksAtOnce = 4, .bytesAtOnce = 32 << 20};
    const ptx::LaunchResult result = ptx::run(program, launch, {}, bounds);
    for (const Finding& finding : result.findings)
        fuzz::promise(!finding.words.empty(), "what is found has words");
    static_cast<void>(ptx::linesOf(program, result, Source::predicted,
                                   [](std::uint32_t array) { return std::to_string(array); }));
}

}  // namespace

/// The text as PTX, of which each kernel is run.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto read = ptx::readModule(std::string(fuzz::textOf(data, size)));
    if (std::holds_alternative<ptx::ReadError>(read)) return 0;
    ptx::Memory memory(64 << 20);
    ptx::Program program(memory);
    if (const auto problem = program.add(std::move(std::get<ptx::Module>(read)))) {
        fuzz::promise(!problem->empty(), "a refusal says why");
        return 0;
    }
    for (const ptx::Function* kernel : program.kernels()) runKernel(program, memory, *kernel);
    return 0;
}

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION

namespace {

/// Where words of PTX begin, and how long they are.
std::vector<std::pair<std::size_t, std::size_t>> wordsOf(std::string_view text) {
    constexpr std::string_view between = " \t\n,;[]{}()<>+@!|:";
    std::vector<std::pair<std::size_t, std::size_t>> words;
    for (std::size_t at = 0;
         (at = text.find_first_not_of(between, at)) != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(between, at), text.size());
        words.emplace_back(at, end - at);
        at = end;
    }
    return words;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// Mostly words of the text in each other's place: what is no PTX at all is refused early.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
    std::minstd_rand random(seed);
    std::string text(fuzz::textOf(data, size));
    if (random() % 8 == 0) return LLVMFuzzerMutate(data, size, most);
    for (unsigned times = 1 + random() % 3; times > 0; --times) {
        const auto now = wordsOf(text);
        if (now.size() < 2) break;
        const auto& [at, length] = now[random() % now.size()];
        const auto& [from, count] = now[random() % now.size()];
        const std::string word = text.substr(from, count);
        switch (random() % 5) {
            case 0: {  // a line once more
                const std::size_t begin = text.rfind('\n', at) + 1;
                const std::size_t end = std::min(text.find('\n', at), text.size());
                text.insert(begin, text.substr(begin, end - begin) + "\n");
                break;
            }
            case 1: {  // a line less
                const std::size_t begin = text.rfind('\n', at) + 1;
                const std::size_t end = std::min(text.find('\n', at), text.size());
                text.erase(begin, end - begin);
                break;
            }
            case 2: {  // an instruction's word
                const std::size_t dot = text.find('.', at);
                const std::size_t other = word.find('.');
                if (dot >= at + length || other == std::string::npos) break;
                text.replace(dot, at + length - dot, word.substr(other));
                break;
            }
            default:
                text.replace(at, length, word);
        }
    }
    const std::size_t kept = std::min(text.size(), most);
    std::memcpy(data, text.data(), kept);
    return kept;
}

#endif
