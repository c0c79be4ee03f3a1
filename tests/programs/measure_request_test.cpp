// From a program to what a worker needs to measure one of its launches, and whose numbers they are.
#include "kernels/device/measure_request.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <string>

#include "core/program/mangled_names.h"
#include "kernels/device/cubin.h"
#include "tests/programs/own_cache.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

class LaunchToMeasure : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "warplens-request-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder = name;
        setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
        if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
        request.source.files = {folder / "twice.cu"};
        write("twice.cu", program);
        write("factor.h", "constexpr int factor = 2;\n");
    }
    void TearDown() override { fs::remove_all(folder); }

    void write(const char* name, const std::string& text) const {
        std::ofstream(folder / name) << text;
    }
    [[nodiscard]] std::string digest() const { return programDigest(request, sourcesOf(request)); }
    [[nodiscard]] std::string refusal(std::uint32_t launch, const TraceListener& listener = {}) {
        try {
            (void)measureRequestFor(request, sourcesOf(request), launch, "9.0", listener);
        } catch (const NotMeasurable& why) {
            return why.what();
        }
        return "made";
    }

    static constexpr const char* program =
        "#include \"factor.h\"\n"
        "__global__ void twice(int* a, int n) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n) a[i] = factor * a[i];\n"
        "}\n"
        "int main(int count, char**) {\n"
        "    int* a;\n"
        "    cudaMalloc(&a, 64 * sizeof(int));\n"
        "    cudaMemset(a, 1, 64 * sizeof(int));\n"
        "    for (int i = 0; i < 2; ++i) twice<<<2, 32>>>(a, 64);\n"
        "    cudaFree(a);\n"
        "    return count - 1;\n"
        "}\n";
    fs::path folder;
    TraceRequest request;
};

TEST_F(LaunchToMeasure, HoldsTheLaunchsInputsAndItsLinesAsTraced) {
    request.source.defines = {"N=4"};
    request.source.standard = "gnu++20";
    const auto made = measureRequestFor(request, sourcesOf(request), 1, "9.0");
    EXPECT_EQ(made.sources, sourcesOf(request));
    EXPECT_EQ(made.sources.headers.size(), 1u);
    EXPECT_TRUE(made.compiler.starts_with("nvcc ")) << made.compiler;
    EXPECT_EQ(made.inputs.kernel, "twice");
    EXPECT_EQ(made.inputs.symbol, "_Z5twicePii");
    ASSERT_EQ(made.inputs.ptx.size(), 1u);
    EXPECT_NE(made.inputs.ptx[0].find(".entry _Z5twicePii("), std::string::npos);
    EXPECT_EQ(resourcesOf(made.inputs.cubin, "_Z5twicePii").staticSharedBytes, 0u);
    EXPECT_EQ(made.inputs.launch.grid.x, 2u);
    ASSERT_EQ(made.inputs.arrays.size(), 1u);
    // Bytes of 1, doubled by the launch before.
    EXPECT_EQ(made.inputs.arrays[0].before.bytes[0], std::byte{2});
    EXPECT_EQ(made.inputs.arrays[0].after.bytes[0], std::byte{4});
    EXPECT_FALSE(made.predicted.empty());
    EXPECT_FALSE(made.compiled.empty());
    const auto line = std::ranges::find(made.code, 4u, &CompiledLine::line);
    ASSERT_NE(line, made.code.end());
    EXPECT_EQ(line->file, request.source.files.front().string());
    EXPECT_TRUE(std::ranges::any_of(
        line->ptx, [](const std::string& ptx) { return ptx.starts_with("st.global.u32"); }));
}

TEST_F(LaunchToMeasure, IsLinkedWhereItsKernelCallsAnotherFile) {
    write("other.cu",
          "__device__ float far = 2;\n__device__ float value(int i) { return i + far; }\n");
    write("twice.cu",
          "extern __device__ float value(int i);\n"
          "__global__ void k(float* a) { a[threadIdx.x] = value(threadIdx.x); }\n"
          "int main() { float* a; cudaMalloc(&a, 128); k<<<1, 32>>>(a); cudaFree(a); }\n");
    request.source.files.push_back(folder / "other.cu");
    const auto made = measureRequestFor(request, sourcesOf(request), 0, "8.0");
    EXPECT_EQ(made.inputs.ptx.size(), 2u);
    EXPECT_GT(resourcesOf(made.inputs.cubin, made.inputs.symbol).registersPerThread, 3u);
    ASSERT_EQ(made.inputs.arrays.size(), 2u);
    EXPECT_EQ(made.inputs.arrays[1].symbol, "far");
}

TEST_F(LaunchToMeasure, TellsWhatItsKernelTakesOfAnSm) {
    write("twice.cu",
          "template <int N> __global__ void k(float* a) {\n    __shared__ float t[N];\n"
          "    t[threadIdx.x] = a[threadIdx.x];\n    __syncthreads();\n"
          "    a[threadIdx.x] = t[N - 1 - threadIdx.x];\n}\n"
          "int main() { float* a; cudaMalloc(&a, 128); k<32><<<1, 32>>>(a); cudaFree(a); }\n");
    const CompileAnswer answer = compiledResources(request, "k<32>", "8.6");
    const auto* const found = std::get_if<CompiledResources>(&answer);
    ASSERT_NE(found, nullptr) << std::get<Failure>(answer).message;
    EXPECT_EQ(found->resources.staticSharedBytes, 128u);
    EXPECT_EQ(found->computeCapability, "8.6");
    EXPECT_EQ(std::get<Failure>(compiledResources(request, "k<64>", "8.6")).message,
              "the compiled code has no kernel k<64>");
}

TEST_F(LaunchToMeasure, LeavesTablesOfFunctionsToTheDevicesCompiler) {
    write("twice.cu",
          "__device__ float twice(float x) { return 2 * x; }\n"
          "__device__ float (*chosen)(float) = twice;\n__device__ float other = 5;\n"
          "__global__ void k(float* a) { a[threadIdx.x] = chosen(other); }\n"
          "int main() { float* a; cudaMalloc(&a, 128); k<<<1, 32>>>(a); cudaFree(a); }\n");
    const auto made = measureRequestFor(request, sourcesOf(request), 0, "9.0");
    ASSERT_EQ(made.inputs.arrays.size(), 2u);
    EXPECT_EQ(made.inputs.arrays[0].name, "a");
    EXPECT_EQ(made.inputs.arrays[1].symbol, "other");
}

TEST_F(LaunchToMeasure, HasTheVariablesOfItsKernelAndNoOthers) {
    write("twice.cu",
          "namespace { __device__ float unnameable = 1; }\n__device__ float far = 2, none = 3;\n"
          "__device__ __noinline__ float value(int i) { return i + far; }\n"
          "__global__ void other(float* a) { a[threadIdx.x] = unnameable + none; }\n"
          "__global__ void k(float* a) { a[threadIdx.x] = value(threadIdx.x); }\n"
          "int main() {\n    float* a;\n    cudaMalloc(&a, 128);\n    other<<<1, 32>>>(a);\n"
          "    k<<<1, 32>>>(a);\n    cudaFree(a);\n}\n");
    const auto made = measureRequestFor(request, sourcesOf(request), 1, "9.0");
    ASSERT_EQ(made.inputs.arrays.size(), 2u);
    EXPECT_EQ(made.inputs.arrays[0].name, "a");
    EXPECT_EQ(made.inputs.arrays[1].symbol, "far");
    const auto before = measureRequestFor(request, sourcesOf(request), 0, "9.0");
    ASSERT_EQ(before.inputs.arrays.size(), 3u);
    EXPECT_EQ((std::set{kernelName(before.inputs.arrays[1].symbol),
                        kernelName(before.inputs.arrays[2].symbol)}),
              (std::set<std::string>{"none", "unnameable"}));
}

TEST_F(LaunchToMeasure, TakesNoSmallNumbersForAddresses) {
    write("twice.cu",
          "__global__ void k(unsigned char* a) { a[threadIdx.x] *= 2; }\n"
          "int main() {\n    unsigned char* a, b[4096];\n"
          "    for (int i = 0; i < 4096; ++i) b[i] = (i >> 3 >> (i & 7)) & 1;\n"
          "    cudaMalloc(&a, 4096);\n    cudaMemcpy(a, b, 4096, cudaMemcpyHostToDevice);\n"
          "    k<<<4, 1024>>>(a);\n    cudaFree(a);\n}\n");
    const auto made = measureRequestFor(request, sourcesOf(request), 0, "9.0");
    ASSERT_EQ(made.inputs.arrays.size(), 1u);
    EXPECT_TRUE(made.inputs.arrays[0].before.pointers.empty());
}

TEST_F(LaunchToMeasure, IsRefusedWhereTheKernelReadsATexture) {
    std::ifstream textures(PROGRAM_FOLDER "/textures.cu");
    const std::string text{std::istreambuf_iterator<char>(textures), {}};
    write("twice.cu", text.c_str());
    EXPECT_EQ(refusal(0),
              "launch 0 cannot be measured: the inputs of launch 0 include textures or surfaces, "
              "which are of this machine alone");
}

TEST_F(LaunchToMeasure, IsRefusedWhereTheProgramDoesNotComeToTheLaunch) {
    EXPECT_EQ(refusal(7), "launch 7 cannot be measured: the program ended before it");
}

TEST_F(LaunchToMeasure, IsRefusedWhereAFileChangesMeanwhile) {
    TraceListener listener;
    listener.launch = [&](const LaunchReport&) {
        write("factor.h", "constexpr int factor = 3;\n");
    };
    EXPECT_EQ(refusal(0, listener),
              "launch 0 was not measured: a file of the program was changed meanwhile");
}

TEST_F(LaunchToMeasure, BelongsToTheTextOfAllFilesAndToWhatTheyAreLaunchedWith) {
    const std::string before = digest();
    EXPECT_EQ(digest(), before);
    write("factor.h", "constexpr int factor = 3;\n");
    EXPECT_NE(digest(), before) << "of a header";
    write("factor.h", "constexpr int factor = 2;\n");
    EXPECT_EQ(digest(), before) << "taken back";
    const TraceRequest plain = request;
    request.source.defines = {"N=4"};
    EXPECT_NE(digest(), before);
    request = plain;
    request.arguments = {"7"};
    EXPECT_NE(digest(), before);
    request = plain;
    request.block = Extents{64};
    EXPECT_NE(digest(), before);
    request = plain;
    request.source.launch.arrays["a"].fill = "ramp";
    EXPECT_NE(digest(), before);
    request = plain;
    request.source.settings = {"n=100"};
    const std::string set = digest();
    EXPECT_NE(set, before);
    request = plain;
    request.source.launch.values["n"] = "100";
    EXPECT_EQ(digest(), set) << "the window's field and --set say the same";
}

TEST_F(LaunchToMeasure, IsOfTheTextWhereverTheFileLies) {
    const std::string before = digest();
    fs::create_directory(folder / "elsewhere");
    fs::copy(folder / "factor.h", folder / "elsewhere");
    fs::copy(folder / "twice.cu", folder / "elsewhere" / "other.cu");
    request.source.files = {folder / "elsewhere" / "other.cu"};
    EXPECT_EQ(digest(), before);
}

}  // namespace
}  // namespace warplens
