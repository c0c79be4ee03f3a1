#include "core/library/kernel_file.h"

#include <gtest/gtest.h>

namespace warplens {
namespace {

const std::string doubling = R"(// Doubles every value.
//
// size n: 1024, 1 to 2147483647, values
// array in: in, n
// array out: out, n
// branch inside: the thread has a value
// work: n
// element: x if x < n
// written by: element
// moves: 8 * n
//
// scenario B9: doubling
// title: Doubling
// look for: Neighbours read
//   neighbours.
// block: 256
// set n: 512
__global__ void twice(const float* in, float* out, int n) {
    __shared__ float4 tile[8][9];
    int i = blockIdx.x * blockDim.x + threadIdx.x;  // an ordinary comment
    if (i < n) {  // name: inside
        for (int k = 0; k < 4; ++k) {  // step: k
            out[i] = 2.0f * in[i];
        }
        __syncthreads();
    }
}
)";

std::string with(std::string_view what, std::string_view by) {
    std::string text = doubling;
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), by);
}

std::string refusal(const std::string& text) {
    try {
        (void)parseKernelFile("twice.cu", text);
    } catch (const MalformedKernelFile& malformed) {
        return malformed.what();
    }
    return "none";
}

TEST(KernelFile, saysAllThatTheHeaderAndTheCodeSay) {
    const Kernel file = parseKernelFile("twice.cu", doubling);
    EXPECT_EQ(file.text, doubling);
    EXPECT_EQ(file.about, "Doubles every value.");
    EXPECT_EQ(file.name, "twice");
    ASSERT_EQ(file.sizes.size(), 1u);
    EXPECT_EQ(file.sizes[0].initial, 1024);
    EXPECT_EQ(file.sizes[0].maximum, 2147483647);
    EXPECT_EQ(file.sizes[0].meaning, "values");
    ASSERT_EQ(file.arrays.size(), 2u);
    EXPECT_EQ(file.arrays[1].role, ArrayRole::output);
    EXPECT_EQ(file.arrays[1].length({{"n", 5}}), 5u);
    ASSERT_EQ(file.branches.size(), 1u);
    EXPECT_EQ(file.branches[0].line, 21u);
    ASSERT_EQ(file.loops.size(), 1u);
    EXPECT_EQ(file.loops[0].line, 22u);
    EXPECT_EQ(file.loops[0].lastLine, 24u);
    ASSERT_EQ(file.shared.size(), 1u);
    EXPECT_EQ(file.shared[0].elementBytes, 16u);
    EXPECT_EQ(file.shared[0].columns({}), 9u);
    EXPECT_TRUE(file.usesBarriers);
    ASSERT_EQ(file.scenarios.size(), 1u);
    EXPECT_EQ(file.scenarios[0].id, "doubling");
    EXPECT_EQ(file.scenarios[0].lookFor, "Neighbours read neighbours.");
    EXPECT_EQ(file.scenarios[0].set.at(0).second, 512);
}

TEST(KernelFile, knowsEveryTypeOfArraysAndSizes) {
    for (const ElementTypeInfo& type : elementTypes()) {
        for (const std::string_view name : {type.name, type.also}) {
            if (name.empty()) continue;
            const Kernel kernel = parseKernelFile(
                "twice.cu", with("const float* in", "const " + std::string(name) + "* in"));
            EXPECT_EQ(kernel.arrays[0].type, type.type) << name;
            EXPECT_EQ(byteCount(kernel.arrays[0].type), type.bytes) << name;
            const std::string shared = with("float4 tile", std::string(name) + " tile");
            EXPECT_EQ(parseKernelFile("twice.cu", shared).shared[0].elementBytes, type.bytes);
            if (!type.holdsSizes()) continue;
            std::string text = with("1024, 1 to 2147483647", "1024, 1 to 1000000");
            text.replace(text.find(", int n"), 7, ", " + std::string(name) + " n");
            EXPECT_EQ(parseKernelFile("twice.cu", text).parameters[2].type, type.type) << name;
        }
    }
}

TEST(ElementType, hasTheBitsThatANumberHasOnTheDevice) {
    EXPECT_EQ(bitsOf(ElementType::int32, -1) & 0xffffffff, 0xffffffff);
    EXPECT_EQ(bitsOf(ElementType::int64, -2), UINT64_MAX - 1);
    EXPECT_EQ(bitsOf(ElementType::float32, 3), 0x40400000u);
    EXPECT_EQ(bitsOf(ElementType::float64, -3), 0xc008000000000000u);
}

TEST(KernelFile, namesTheLineOfWhatIsWrong) {
    EXPECT_EQ(refusal(with("array in: in, n", "array in: in, m")),
              "twice.cu:4: array in: in 'm', at its character 1: 'm' is no size of this kernel and "
              "no name of CUDA's");
    EXPECT_EQ(refusal(with("array in: in, n", "array of: in, n")),
              "twice.cu:18: no 'array in: ...' in the header");
    EXPECT_EQ(refusal(with("size n: 1024,", "size n: 0,")),
              "twice.cu:3: size n: begins with 0, which is not from 1 to 2147483647");
    EXPECT_EQ(refusal(with("size n: 1024,", "size n: many,")),
              "twice.cu:3: size n: 'many' is no whole number");
    EXPECT_EQ(
        refusal(with("moves: 8 * n", "weighs: 8 * n")),
        "twice.cu:10: 'weighs' is nothing that a header says (a line that goes on begins with "
        "two blanks)");
    EXPECT_NE(refusal(with("moves: 8 * n", "mowes: 8 * n")).find("says; did you mean 'moves'?"),
              std::string::npos);
    EXPECT_NE(refusal(with("set n: 512", "set: n=512"))
                  .find("twice.cu:17: 'set': it takes a name, 'set NAME: ...'"),
              std::string::npos);
    EXPECT_EQ(refusal(with("// moves: 8 * n\n", "")), "twice.cu:17: no 'moves: ...' in the header");
    EXPECT_EQ(refusal(with("// title: Doubling\n", "")),
              "twice.cu:12: scenario doubling has no 'title: ...'");
    EXPECT_EQ(refusal(with("block: 256", "block: 256,")),
              "twice.cu:16: block = '256,': whole numbers as in 16,16 or 16x16");
    EXPECT_EQ(refusal(with("set n: 512", "set n: 0")),
              "twice.cu:17: set n: 0 is not from 1 to 2147483647");
    EXPECT_EQ(refusal(with("scenario B9: doubling", "scenario B9: Doubling!")),
              "twice.cu:12: scenario B9: 'Doubling!' is no id: small letters, digits and '-'");
}

TEST(KernelFile, namesTheLineOfACodeThatIsNotUnderstood) {
    EXPECT_EQ(refusal(with("  // name: inside", "")),
              "twice.cu:18: no line is named 'inside' (// name: inside)");
    EXPECT_EQ(refusal(with("// an ordinary comment", "// name: inside")),
              "twice.cu:21: line 20 is named 'inside', too");
    EXPECT_EQ(refusal(with("// an ordinary comment", "// step: i")),
              "twice.cu:20: no loop begins on this line, with { at its end");
    EXPECT_EQ(refusal(with("// an ordinary comment", "// name: a b")),
              "twice.cu:20: 'a b' is no name");
    EXPECT_EQ(refusal(with("const float* in", "const half* in")),
              "twice.cu:18: parameter 'in': arrays of " + namesOfTypes(false) + " only, not half");
    EXPECT_EQ(refusal(with(", int n", ", float2 n")),
              "twice.cu:18: parameter 'n': pointers, " + namesOfTypes(true) + " only, not float2");
    EXPECT_EQ(refusal(with(", int n", ", float n")),
              "twice.cu:18: size n: 2147483647 is not from -16777216 to 16777216, as its type, "
              "float, has it");
    EXPECT_EQ(refusal("int main() {}\n"), "twice.cu:1: there is no __global__ function in it");
    EXPECT_EQ(refusal(doubling + "__global__ void other() {}\n"),
              "twice.cu:28: a second kernel: each has a file of its own");
}

TEST(KernelDigest, isOfTheCodeAlone) {
    const auto digest = [](const std::string& text) {
        return kernelDigest(parseKernelFile("twice.cu", text));
    };
    const std::string plain = digest(doubling);
    EXPECT_EQ(plain.size(), 16u);
    EXPECT_EQ(digest(with("// an ordinary comment", "// another one")), plain);
    EXPECT_EQ(digest(with("title: Doubling", "title: Two times")), plain);
    EXPECT_EQ(digest(with("    if (i < n) {", "  if ( i<n ) {")), plain);
    EXPECT_NE(digest(with("2.0f * in[i]", "3.0f * in[i]")), plain);
    EXPECT_NE(digest(with("int i = blockIdx.x", "inti = blockIdx.x")), plain);
}

TEST(KernelFile, withATemplateHasAnInstanceForEachValueOfItsSize) {
    const std::string text = with("__global__", "template <int N>\n__global__");
    EXPECT_EQ(refusal(text), "twice.cu:19: no 'template N: SIZE' in the header");
    std::string whole = text;
    whole.insert(whole.find("// array in"),
                 "// size side: 8, one of 8 16, extent\n// template N: side\n");
    const Kernel file = parseKernelFile("twice.cu", whole);
    EXPECT_EQ(file.instances(), (std::vector<std::string>{"twice<8>", "twice<16>"}));
    EXPECT_EQ(file.instance({{"side", 16}}), "twice<16>");
}

}  // namespace
}  // namespace warplens
