#include "kernels/device/code/separate.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace warplens {
namespace {

DeviceCode separated(const std::string& source, std::vector<ProgramFile> headers = {}) {
    return separateDeviceCode(
        {.units = {{.path = "my.cu", .text = source}}, .headers = std::move(headers)}, 0);
}

bool has(const DeviceCode& code, const std::string& words) {
    return code.unit.text.find(words) != std::string::npos;
}

/// The line of the person's file, from 1.
std::string lineOf(const DeviceCode& code, int number) {
    std::size_t begin = code.unit.text.find('\n') + 1;  // behind #line
    for (int line = 1; line < number; ++line) begin = code.unit.text.find('\n', begin) + 1;
    return code.unit.text.substr(begin, code.unit.text.find('\n', begin) - begin);
}

constexpr const char* wholeProgram = R"(#include <cstdio>
#include <vector>
#define N 256
struct Timer { std::vector<double> times; void stop(); };
template <typename T> struct HostList { std::vector<T> items; };
struct Point { float x, y; float norm() const { return sqrt(x * x + y * y); }
    __host__ __device__ float sum() const { return x + y; } };
std::vector<int> values(N);
static const int stride = 2;
void check(int code) { if (code) { printf("}"); } }
__device__ float half(Point p) { return p.sum() / 2; }
__global__ void scale(Point* p, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = half(p[i * stride]);
}
int main() {
    scale<<<1, N>>>(nullptr, nullptr, 0);
}
)";

TEST(SeparateDeviceCode, KeepsWhatKernelsReachAndBlanksTheHost) {
    const DeviceCode code = separated(wholeProgram);
    EXPECT_TRUE(has(code, "__global__ void scale"));
    EXPECT_TRUE(has(code, "__device__ float half"));
    EXPECT_TRUE(has(code, "static const int stride = 2;"));
    EXPECT_TRUE(has(code, "struct Point"));
    EXPECT_FALSE(has(code, "main"));
    EXPECT_FALSE(has(code, "Timer"));
    EXPECT_FALSE(has(code, "HostList"));
    EXPECT_FALSE(has(code, "#include"));
    EXPECT_FALSE(has(code, "check"));
    EXPECT_FALSE(has(code, "values"));
}

TEST(SeparateDeviceCode, KeepsEveryLineWhereItWas) {
    const DeviceCode code = separated(wholeProgram);
    EXPECT_EQ(code.unit.text.substr(0, code.unit.text.find('\n')), "#line 1 \"my.cu\"");
    EXPECT_EQ(lineOf(code, 14), "    if (i < n) out[i] = half(p[i * stride]);");
    EXPECT_EQ(std::ranges::count(code.unit.text, '\n'),
              std::ranges::count(std::string(wholeProgram), '\n') + 1);
}

TEST(SeparateDeviceCode, TakesHostMembersOutOfTypesThatStay) {
    const DeviceCode code = separated(wholeProgram);
    EXPECT_FALSE(has(code, "norm"));
    EXPECT_TRUE(has(code, "__host__ __device__ float sum()"));
}

TEST(SeparateDeviceCode, IsNotMisledByBracesInStringsCommentsAndUntakenBranches) {
    const DeviceCode code = separated(R"(void host() {
#ifdef FAST
    if (true) {
#else
    if (false) {
#endif
        const char* text = "}} // {";  // }
        char c = '}'; /* } */
        auto raw = R"x(}})x";
    }
}
__global__ void k() {}
void after() {}
)");
    EXPECT_TRUE(has(code, "__global__ void k() {}"));
    EXPECT_FALSE(has(code, "text"));
    EXPECT_FALSE(has(code, "after"));
    EXPECT_TRUE(has(code, "#ifdef FAST"));
    EXPECT_TRUE(has(code, "#endif"));
}

TEST(SeparateDeviceCode, KnowsMacrosThatMarkDeviceCode) {
    const DeviceCode code = separated(R"(#define HD __host__ __device__
#define KERNEL(T) template <class T> __global__ void
HD inline float twice(float x) { return 2 * x; }
float onHost(float x) { return x; }
)");
    EXPECT_TRUE(has(code, "twice"));
    EXPECT_FALSE(has(code, "onHost"));
}

TEST(SeparateDeviceCode, WalksIntoNamespacesAndKeepsTemplatesAndVariables) {
    const DeviceCode code = separated(R"(namespace a::b {
void host();
template <typename T, int N = (3 > 2)> __global__ void k(T* p) { extern __shared__ T s[]; }
template <typename T> void launch(T* p) { k<T><<<1, 1>>>(p); }
__constant__ float table[4] = {1, 2, 3, 4};
template __global__ void k<float, 1>(float*);
}
extern "C" {
__device__ int counter = 0;
int hostCounter = 0;
}
)");
    EXPECT_TRUE(has(code, "__global__ void k(T* p)"));
    EXPECT_TRUE(has(code, "__constant__ float table[4] = {1, 2, 3, 4};"));
    EXPECT_TRUE(has(code, "template __global__ void k<float, 1>(float*);"));
    EXPECT_TRUE(has(code, "__device__ int counter"));
    EXPECT_FALSE(has(code, "launch"));
    EXPECT_FALSE(has(code, "hostCounter"));
}

TEST(SeparateDeviceCode, KeepsConstexprFunctionsThatKernelsCallAndNoOthers) {
    const DeviceCode code = separated(R"(constexpr int square(int x) { return x * x; }
constexpr int unused(int x) { return x; }
int plain(int x) { return x; }
__global__ void k(int* p) { p[0] = square(3); }
)");
    EXPECT_TRUE(has(code, "square(int x)"));
    EXPECT_FALSE(has(code, "unused"));
    EXPECT_FALSE(has(code, "plain"));
    ASSERT_EQ(code.unmarked.size(), 1u);
    EXPECT_EQ(code.unmarked[0].firstLine, 1);
}

TEST(SeparateDeviceCode, SeparatesTheProgramsOwnHeadersUnderTheirNames) {
    const DeviceCode code = separated(
        "#include \"lib/mine.h\"\n#include <vector>\n__global__ void k(Mine m) {}\n",
        {{.path = "lib/mine.h",
          .text = "#pragma once\n#include <string>\nstruct Mine { int n; };\nvoid host();\n",
          .includedAs = {"lib/mine.h", "mine.h"}}});
    EXPECT_TRUE(has(code, "#include \"lib/mine.h\""));
    EXPECT_FALSE(has(code, "vector"));
    ASSERT_EQ(code.headers.size(), 2u);
    EXPECT_EQ(code.headers[0].name, "lib/mine.h");
    EXPECT_EQ(code.headers[1].name, "mine.h");
    EXPECT_NE(code.headers[0].text.find("struct Mine { int n; };"), std::string::npos);
    EXPECT_EQ(code.headers[0].text.find("host"), std::string::npos);
    EXPECT_EQ(code.headers[0].text.find("<string>"), std::string::npos);
}

TEST(SeparateDeviceCode, LeavesOutWhatItIsToldTo) {
    const std::string source = "const int n = 3;\n__global__ void k(int* p) { p[0] = n; }\n";
    const ProgramSources sources{.units = {{.path = "my.cu", .text = source}}};
    const DeviceCode code = separateDeviceCode(sources, 0);
    ASSERT_EQ(code.unmarked.size(), 1u);
    const DeviceCode less = separateDeviceCode(sources, 0, {code.unmarked[0].id});
    EXPECT_EQ(less.unit.text.find("const int n"), std::string::npos);
    EXPECT_NE(less.unit.text.find("__global__ void k"), std::string::npos);
}

TEST(SeparateDeviceCode, OutlivesTextThatIsNoProgram) {
    for (const char* text : {"", "}", "{", "(((", "#", "#define", "\"", "/*", "template <", "R\"(",
                             "struct {", "a b c", "\\", "<<<", "__global__", "namespace {",
                             "operator", "extern \"C\" {", "#if\n#else\n__global__ void k() {"}) {
        const DeviceCode code = separated(text);
        EXPECT_TRUE(code.unit.text.starts_with("#line 1")) << text;
    }
}

TEST(LaunchedKernels, AreNamedAsTheSourceWritesThem) {
    EXPECT_EQ(launchedKernels("int main() { add<<<1, 2>>>(a); ns::scan<true, 4><<<g, b>>>(x); "
                              "if (a < b) add<<<3, 4>>>(a); }"),
              (std::vector<std::string>{"add", "ns::scan<true, 4>"}));
}

}  // namespace
TEST(Separate, KeepsWhatTheKernelsOfALaunchName) {
    ProgramSources sources;
    sources.units.push_back(
        {"own.cu",
         "struct Add { __device__ int operator()(int a) const { return a; } };\n"
         "struct Other { int a; };\n"
         "template <class F> __global__ void k(F f) { f(1); }\n"
         "int main() { k<<<1, 1>>>(Add()); }\n"});
    const std::string text = separateDeviceCode(sources, 0, {}, {"k<Add>"}).unit.text;
    EXPECT_NE(text.find("struct Add"), std::string::npos);
    EXPECT_EQ(text.find("struct Other"), std::string::npos);
}

TEST(Separate, ManagedVariablesAreTheDevices) {
    ProgramSources sources;
    sources.units.push_back({"own.cu",
                             "__managed__ int rounds = 0;\n"
                             "__global__ void k() { ++rounds; }\n"});
    const std::string text = separateDeviceCode(sources, 0).unit.text;
    EXPECT_NE(text.find("__device__  int rounds = 0;"), std::string::npos);
}

}  // namespace warplens
