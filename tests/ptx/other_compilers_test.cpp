// PTX of clang and of Triton (other_compilers/make_ptx.sh), against results worked out here.
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

#include "tests/ptx/machine.h"

namespace warplens::ptx::test {
namespace {

/// A file's only kernel, and its memory.
class OfFile final {
  public:
    explicit OfFile(const std::string& name) : machine_(textOf(name)) {}

    template <class T>
    std::uint64_t array(const std::vector<T>& values) {
        return machine_.array(values);
    }
    void run(std::uint32_t blocks, std::uint32_t threads,
             const std::vector<std::uint64_t>& parameters, std::uint32_t dynamicBytes = 0) {
        EXPECT_EQ(machine_.program.kernels().size(), 1u);
        KernelLaunch launch;
        launch.kernel = machine_.program.kernels().front();
        launch.launch = {
            .grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .dynamicSharedBytes = dynamicBytes};
        launch.parameters.resize(parameters.size() * 8);
        std::memcpy(launch.parameters.data(), parameters.data(), launch.parameters.size());
        EXPECT_EQ(said(ptx::run(machine_.program, launch, {}, {})), "");
    }
    template <class T>
    std::vector<T> values(std::uint64_t address) const {
        return machine_.values<T>(address);
    }

  private:
    static std::string textOf(const std::string& name) {
        std::ifstream file(OTHER_COMPILERS "/" + name + ".ptx");
        return {std::istreambuf_iterator<char>(file), {}};
    }
    Machine machine_;
};

class OfClang : public testing::TestWithParam<std::string> {};

std::vector<int> numbers(std::size_t count) {
    std::vector<int> all(count);
    for (std::size_t at = 0; at < count; ++at) all[at] = static_cast<int>(at * 37 % 101);
    return all;
}

TEST_P(OfClang, SumsOfBlocks) {
    OfFile file("clang_sums." + GetParam());
    const std::vector<int> in = numbers(300);
    const std::uint64_t out = file.array(std::vector<int>(3));
    file.run(3, 128, {file.array(in), out, in.size()});
    std::vector<int> sums(3);
    for (std::size_t at = 0; at < in.size(); ++at) sums[at / 128] += in[at];
    EXPECT_EQ(file.values<int>(out), sums);
}

TEST_P(OfClang, HistogramByASwitchInAFunction) {
    OfFile file("clang_bins." + GetParam());
    const std::vector<int> in = numbers(1000);
    const std::uint64_t out = file.array(std::vector<int>(8));
    file.run(4, 96, {file.array(in), out, in.size()});
    std::vector<int> bins(8);
    for (const int value : in) {
        const int of[] = {5, value / 6 % 3, 7, value < 50 ? 1 : 6, 4, 2};
        ++bins[static_cast<std::size_t>(of[value % 6])];
    }
    EXPECT_EQ(file.values<int>(out), bins);
}

TEST_P(OfClang, StructuresRecursionAndDoubles) {
    OfFile file("clang_bodies." + GetParam());
    std::vector<std::array<float, 4>> in(70);
    for (std::size_t at = 0; at < in.size(); ++at) {
        for (std::size_t of = 0; of < 4; ++of) in[at][of] = static_cast<float>((at * 7 + of) % 13);
    }
    const std::uint64_t out = file.array(std::vector<double>(in.size()));
    file.run(3, 32, {file.array(in), out, in.size()});
    const std::vector<double> got = file.values<double>(out);
    const double fibonacci[] = {0, 1, 1, 2, 3, 5, 8};
    for (std::size_t at = 0; at < in.size(); ++at) {
        double squares = 0;
        for (std::size_t of = 0; of < 3; ++of)
            squares += (in[at][of] - in[0][of]) * (in[at][of] - in[0][of]);
        EXPECT_NEAR(got[at], std::sqrt(squares) * 10 * fibonacci[at % 7] + in[at][3], 1e-10) << at;
    }
}

INSTANTIATE_TEST_SUITE_P(Levels, OfClang, testing::Values("O0", "O2"),
                         [](const auto& level) { return level.param; });

TEST(OfTriton, SumsOfTwoArraysUnderAMask) {
    OfFile file("triton_add");
    std::vector<float> a(1000), b(1000), sums(1000);
    for (std::size_t at = 0; at < a.size(); ++at) {
        a[at] = static_cast<float>(at);
        b[at] = static_cast<float>(at % 7);
        sums[at] = a[at] + b[at];
    }
    const std::uint64_t out = file.array(std::vector<float>(1000));
    file.run(4, 128, {file.array(a), file.array(b), out, a.size(), 0, 0});
    EXPECT_EQ(file.values<float>(out), sums);
}

TEST(OfTriton, SoftmaxOfRowsByShufflesAndSharedMemory) {
    constexpr std::size_t rows = 5, columns = 100;
    OfFile file("triton_softmax");
    std::vector<float> in(rows * columns);
    for (std::size_t at = 0; at < in.size(); ++at) in[at] = static_cast<float>(at * 31 % 17) / 4;
    const std::uint64_t out = file.array(std::vector<float>(in.size()));
    file.run(rows, 128, {file.array(in), out, columns, 0, 0}, 16);
    const std::vector<float> got = file.values<float>(out);
    for (std::size_t row = 0; row < rows; ++row) {
        double sum = 0;
        for (std::size_t at = 0; at < columns; ++at)
            sum += std::exp(double{in[row * columns + at]});
        for (std::size_t at = 0; at < columns; ++at)
            EXPECT_NEAR(got[row * columns + at], std::exp(double{in[row * columns + at]}) / sum,
                        1e-6);
    }
}

TEST(OfTriton, HistogramByAtomics) {
    OfFile file("triton_bins");
    const std::vector<int> in = numbers(1000);
    const std::uint64_t out = file.array(std::vector<int>(8));
    file.run(4, 128, {file.array(in), out, in.size(), 0, 0});
    std::vector<int> bins(8);
    for (const int value : in) ++bins[static_cast<std::size_t>(value % 8)];
    EXPECT_EQ(file.values<int>(out), bins);
}

}  // namespace
}  // namespace warplens::ptx::test
