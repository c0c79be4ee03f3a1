// Text that is PTX, and text that is not: the row and what is wrong.
#include <gtest/gtest.h>

#include "kernels/ptx/read/flow.h"
#include "tests/ptx/machine.h"

namespace warplens::ptx::test {
namespace {

std::string errorOf(const std::string& text) {
    const auto read = readModule(text);
    const auto* error = std::get_if<ReadError>(&read);
    return error == nullptr ? "" : std::to_string(error->row) + ": " + error->message;
}

TEST(Reader, SaysInWhichRowAndWhat) {
    EXPECT_EQ(errorOf("int main() {}"), "1: expected a directive, found 'int'");
    EXPECT_EQ(errorOf(".version 8.0\n.address_size 32\n"),
              "2: addresses of '32' bits: only 64 are run");
    EXPECT_EQ(errorOf(".visible .entry k()\n{\n.reg .b32 %r<2>;\nadd.u32 %r0 %r1;\n}"),
              "4: expected ',' or ';' after an operand of 'add.u32', found '%r1'");
    EXPECT_EQ(errorOf(".visible .entry k()\n{\nret;\n"), "4: expected '}', found the end");
    EXPECT_EQ(errorOf(".visible .entry k()\n{\n@%p1 ret;\n}"), "3: '%p1' is not a register");
    EXPECT_EQ(errorOf(".visible .entry k()\n{\n.reg .pred;\n}").substr(0, 3), "3: ");
    EXPECT_EQ(errorOf(".global .align 3 .b8 a[4];"), "1: an alignment of 3 bytes");
    EXPECT_EQ(errorOf(".global .b8 a[2] = {1, 2, 3};"),
              "1: 'a' has more initial values than elements");
    EXPECT_EQ(errorOf(".global .b8 a[1000000][1000000][2];"), "1: 'a' is larger than 2^40 bytes");
    EXPECT_EQ(errorOf(".entry k() { .reg .b32 %r<9999999>; }"), "1: more than 2^20 registers");
    EXPECT_EQ(errorOf(".entry k() { " + std::string(100, '{')).substr(0, 38),
              "1: blocks are nested more than 64 deep");
    EXPECT_EQ(errorOf(".entry k() { mov.b32 " + std::string(100, '{')).substr(0, 40),
              "1: operands are nested more than 64 deep");
    EXPECT_EQ(errorOf(""), "");
    EXPECT_EQ(errorOf(std::string(1000, '\0')).substr(0, 3), "1: ");
}

Module moduleOf(const std::string& text) {
    auto read = readModule(text);
    if (const auto* error = std::get_if<ReadError>(&read)) throw std::runtime_error(error->message);
    return std::move(std::get<Module>(read));
}

TEST(Reader, KnowsTargetFilesVariablesAndParameters) {
    const Module module = moduleOf(
        ".version 8.4\n.target sm_90a, debug\n.address_size 64\n.file 1 \"a.cu\"\n.file 2 "
        "\"/usr/b.h\", 17, 23\n"
        ".const .align 8 .f64 c = 0d3FF8000000000000;\n.global .align 4 .b8 g[3][2] = {1, 2, 3, "
        "-1};\n.global .u64 p[2] = {generic(g), g+4};\n"
        ".visible .entry k(.param .u8 a, .param .align 16 .b8 b[20], .param .u64 .ptr .global "
        ".align 1 c) .maxntid 32, 1, 1 { ret; }\n");
    EXPECT_EQ(module.version, "8.4");
    EXPECT_EQ(module.target, "sm_90a");
    EXPECT_TRUE(module.isDebug);
    EXPECT_EQ(module.files.at(1), "a.cu");
    EXPECT_EQ(module.files.at(2), "/usr/b.h");
    EXPECT_EQ(module.variables.at("g").bytes, 6u);
    EXPECT_EQ(module.variables.at("g").initial, (std::vector<std::uint8_t>{1, 2, 3, 255}));
    ASSERT_EQ(module.variables.at("p").addresses.size(), 2u);
    EXPECT_EQ(module.variables.at("p").addresses[1].offset, 4);
    const Function& kernel = *module.functions.at("k");
    ASSERT_EQ(kernel.parameters.size(), 3u);
    EXPECT_EQ(kernel.parameters[1].offset, 16u);
    EXPECT_EQ(kernel.parameters[2].offset, 40u);
    EXPECT_EQ(kernel.parameterBytes(), 48u);
}

/// `file:line` of each instruction of a kernel, and of functions, in files 1 and 2 of a person and
/// 3 and 4 of the toolkit.
std::string placesOf(const std::string& body) {
    const Module module =
        moduleOf(".entry k() { .reg .b32 %r<4>;\n" + body +
                 "}\n.file 1 \"/home/me/a.cu\"\n.file 2 \"/home/me/include/b.cuh\"\n.file 3 "
                 "\"/usr/local/cuda/bin/../targets/x86_64-linux/include/cuda_fp16.hpp\"\n.file 4 "
                 "\"/opt/py/nvidia/cu13/include/sm_20_intrinsics.hpp\"\n");
    const Function& kernel = *module.functions.at("k");
    std::string text = kernel.isLibrary ? "library" : "";
    for (const Instruction& instruction : kernel.instructions)
        text += " " + std::to_string(instruction.place.file) + ":" +
                std::to_string(instruction.place.line);
    return text;
}

TEST(Reader, PlacesAreThePersons) {
    const std::string add = "add.s32 %r1, %r2, %r3;\n";
    // A function of the person's that was inlined stays where it is.
    EXPECT_EQ(placesOf(".loc 1 7 3\n" + add + ".loc 2 40 9, function_name $L__info_string0, " +
                       "inlined_at 1 8 5\n" + add + ".loc 1 9 1\nret;"),
              " 1:7 2:40 1:9");
    // A library's is where it was called, also through another one; where that is not said, where
    // its caller was before.
    EXPECT_EQ(placesOf(".loc 1 7 3\n" + add + ".loc 3 221 9, function_name $L__info_string0, " +
                       "inlined_at 2 8 5\n" + add +
                       ".loc 4 12 1, function_name $L__info_string1 + 4, inlined_at 3 221 9\n" +
                       add + ".loc 4 13 1\n" + add + ".loc 1 0 0\nret;"),
              " 1:7 2:8 2:8 2:8 2:8");
    EXPECT_EQ(placesOf(add + ".loc 1 7 3\nret;"), " 1:7 1:7");
    EXPECT_EQ(placesOf(add + ".loc 3 9 1\nret;"), "library 0:0 3:9");
}

TEST(Reader, CopiesThatTheCompilerWroteCountWhereTheyAreMade) {
    const auto isLibrarys = [](const std::string& name, const char* last) {
        const Module module = moduleOf(".func " + name + "() { .reg .b32 %r<4>;\n.loc 1 7 8\n" +
                                       "add.s32 %r1, %r2, %r3;\n.loc 1 " + last +
                                       " 8\nret;\n}\n.file 1 \"/home/me/a.cu\"\n");
        return module.functions.at(name)->isLibrary;
    };
    EXPECT_TRUE(isLibrarys("_ZN4CellC1ERKS_", "7"));
    EXPECT_TRUE(isLibrarys("_ZN4CellaSEOS_", "7"));
    EXPECT_FALSE(isLibrarys("_ZN4CellC1ERKS_", "9")) << "the person's own";
    EXPECT_FALSE(isLibrarys("_ZN4Cell4copyEv", "7"));
}

TEST(Reader, FilesOfAToolkitAreToldFromThePersons) {
    for (const char* path :
         {"/usr/include/c++/12/cmath", "/home/me/tools/12.4/bin/..//include/sm_30_intrinsics.hpp",
          "/home/me/.venv/lib/python3.11/site-packages/nvidia/cu13/include/cuda_fp16.hpp",
          "/sw/toolkit/targets/x86_64-linux/include/cuda_fp16.hpp"})
        EXPECT_TRUE(isLibrary(path)) << path;
    for (const char* path : {"/home/me/cuda-homework/include/load.cuh", "src/cuda/include/k.cuh",
                             "/home/me/my_cuda_runtime.cu", "kernels_generated_by_me.cu"})
        EXPECT_FALSE(isLibrary(path)) << path;
}

TEST(Reader, RowsAreOfThePtx) {
    const Module module =
        moduleOf(".entry k() { .reg .b32 %r<4>;\nmul.lo.s32 %r1, %r1, -3;\nret; }");
    const auto& instructions = module.functions.at("k")->instructions;
    EXPECT_EQ(static_cast<std::int64_t>(instructions[0].operands[2].bits), -3);
    EXPECT_EQ(instructions[1].row, instructions[0].row + 1);
}

TEST(Reader, RegistersAndLabelsAreOfTheirBlock) {
    const Module module = moduleOf(
        ".entry k() { .reg .b32 x, %r<3>;\n"
        "{ .reg .b64 x; mov.u64 x, 1; bra L; L: }\n{ mov.u32 x, 2; bra L; L: }\nmov.u32 %r2, x; "
        "ret; }");
    const Function& kernel = *module.functions.at("k");
    EXPECT_EQ(kernel.registers[static_cast<std::size_t>(kernel.instructions[0].operands[0].reg)],
              Type::b64);
    EXPECT_EQ(kernel.registers[static_cast<std::size_t>(kernel.instructions[2].operands[0].reg)],
              Type::b32);
    EXPECT_NE(kernel.instructions[1].operands[0].symbol, kernel.instructions[3].operands[0].symbol);
}

TEST(Reader, NumbersAreOfEveryForm) {
    const Module module = moduleOf(
        ".entry k() { mov.u64 _, 0x1F; mov.u64 _, 017; mov.u64 _, 0b101; mov.u64 _, 42U; mov.u64 "
        "_, 0xFFFFFFFFFFFFFFFF;"
        "mov.f32 _, 0f40490FDB; mov.f64 _, 0dC000000000000000; mov.f32 _, 1.5; mov.f32 _, -2.5e3; "
        "}");
    const auto& instructions = module.functions.at("k")->instructions;
    const std::uint64_t integers[] = {31, 15, 5, 42, ~0ull};
    for (std::size_t at = 0; at < std::size(integers); ++at)
        EXPECT_EQ(instructions[at].operands[1].bits, integers[at]);
    const double reals[] = {static_cast<double>(std::bit_cast<float>(0x40490fdbu)), -2.0, 1.5,
                            -2500.0};
    for (std::size_t at = 0; at < std::size(reals); ++at)
        EXPECT_EQ(std::bit_cast<double>(instructions[5 + at].operands[1].bits), reals[at]);
}

/// Labels to which the branches of a body meet, by name; "-" where they do not.
std::vector<std::string> meetings(const std::string& body) {
    const Module module =
        moduleOf(".entry k() { .reg .pred %p<9>; .reg .b32 %r<9>;\n" + body + "\n}");
    const Function& kernel = *module.functions.at("k");
    const ControlFlow flow(kernel);
    std::vector<std::string> names;
    for (std::uint32_t at = 0; at < kernel.instructions.size(); ++at) {
        const Instruction& instruction = kernel.instructions[at];
        if (instruction.words[0] != "brx" &&
            (instruction.words[0] != "bra" || instruction.guard < 0))
            continue;
        std::string name = "-";
        for (const auto& [label, target] : kernel.labels) {
            if (target == flow.reconvergence(at)) name = label;
        }
        names.push_back(name);
    }
    return names;
}

TEST(Reader, BranchesMeetAtTheirImmediatePostDominator) {
    using Names = std::vector<std::string>;
    EXPECT_EQ(meetings("@%p1 bra B; mov.u32 %r1, 1; bra C; B: mov.u32 %r1, 2; C: mov.u32 %r2, 1; "
                       "ret;"),
              (Names{"C"}));
    EXPECT_EQ(meetings("L: mov.u32 %r1, 1; @%p1 bra L; X: ret;"), (Names{"X"}));
    // A way that ends does not count beside one that goes on, also out of a loop.
    EXPECT_EQ(meetings("@%p1 bra B; ret; B: mov.u32 %r1, 2; ret;"), (Names{"B"}));
    EXPECT_EQ(
        meetings("L: @%p1 bra E; N: @%p2 bra J; J: @%p3 bra L; X: mov.u32 %r1, 1; bra O; E: ret; "
                 "O: ret;"),
        (Names{"N", "J", "X"}));
    // A guarded return in a branch leaves the meeting where it was, but for the guard's own way
    // out.
    EXPECT_EQ(
        meetings(
            "@%p1 bra B; @%p2 bra C; A: mov.u32 %r1, 1; C: bra D; B: mov.u32 %r1, 2; D: mov.u32 "
            "%r2, 1; ret;"),
        (Names{"D", "C"}));
    EXPECT_EQ(meetings("ts: .branchtargets A, B, C; brx.idx %r1, ts; A: bra D; B: bra D; C: "
                       "mov.u32 %r1, 1; D: mov.u32 %r2, 1; ret;"),
              (Names{"D"}));
    // A jump to a return that stands alone is a return (ptxas makes an EXIT of it): here out of a
    // loop, whose other lanes meet behind it, and in one of two ways, which nobody waits for.
    EXPECT_EQ(meetings("L: @%p1 bra X; @%p2 bra R; N: bra L; X: mov.u32 %r1, 1; bra R; R: ret;"),
              (Names{"X", "N"}));
    EXPECT_EQ(meetings("L: @%p1 bra X; @%p2 bra N; bra R; N: bra L; X: mov.u32 %r1, 1; R: ret;"),
              (Names{"X", "N"}));
    // A loop that never ends has no way to the end at all.
    EXPECT_EQ(meetings("L: @%p1 bra L; bra L;").size(), 1u);
    // Unreachable code, branches to the next instruction, and to the end.
    EXPECT_EQ(meetings("@%p1 bra N; N: bra E; mov.u32 %r1, 1; E:"), (Names{"N"}));
}

TEST(Reader, LabelsThatAreNotThereAreToldWhereTheyAreReached) {
    Machine machine(kernel(0, "bra NOWHERE;"));
    EXPECT_NE(said(machine.run({1, 1, 1}, {32, 1, 1}, {})).find("there is no label 'NOWHERE'"),
              std::string::npos);
}

}  // namespace
}  // namespace warplens::ptx::test
