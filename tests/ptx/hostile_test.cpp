// PTX that means harm, or that nobody meant: words, bounded memory, and nothing outside the arrays.
#include <gtest/gtest.h>

#include "tests/ptx/machine.h"

namespace warplens::ptx::test {
namespace {

TEST(Hostile, OffsetsThatSpanAllOfTheAddressSpaceDoNotRepeat) {
    // The second request learns a shape whose lowest and highest lanes fall, with an overflow, into
    // the array of the first one; the third repeats it.
    Machine few(kernel(1,
                       "ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; mov.u32 %r9, 0;\n"
                       "LOOP: mov.u64 %rd6, %rd0; setp.eq.u32 %p1, %r9, 0; @%p1 bra ACCESS;\n"
                       "add.u64 %rd6, %rd0, 0x8000000000000008;\n"
                       "setp.eq.u32 %p3, %r0, 1; @%p3 add.u64 %rd6, %rd0, 8;\n"
                       "setp.eq.u32 %p4, %r0, 2; @%p4 mov.u64 %rd6, %rd0;\n"
                       "ACCESS: ld.global.u64 %rd7, [%rd6];\n"
                       "add.u32 %r9, %r9, 1; setp.lt.u32 %p5, %r9, 4; @%p5 bra LOOP;"));
    const LaunchResult result = few.run({1, 1, 1}, {3, 1, 1}, {few.zeros<std::uint64_t>(32)});
    ASSERT_EQ(result.findings.size(), 1u) << said(result);
    EXPECT_EQ(result.findings[0].times, 3u);
}

TEST(Hostile, SharedAddressesBeyondTheWindowAreWithinItOrTold) {
    Machine machine(kernel(1,
                           "mov.u64 %rd1, s; add.u64 %rd1, %rd1, 0x700000000000; mov.u32 %r9, 0;\n"
                           "LOOP: st.shared.u32 [%rd1], %r9; ld.shared.u32 %r2, [%rd1];\n"
                           "add.u32 %r9, %r9, 1; setp.lt.u32 %p5, %r9, 4; @%p5 bra LOOP;",
                           ".shared .align 4 .b8 s[64];\n"));
    const LaunchResult result = machine.run({1, 1, 1}, {32, 1, 1}, {0});
    EXPECT_EQ(result.ended, "");
}

TEST(Hostile, RegistersOfTheWrongWidthAreTold) {
    for (const char* body :
         {"add.u64 %rd1, %r1, %r2;", "add.u64 %r1, %rd1, %rd2;", "mov.u64 %r1, 5;",
          "add.u32 %r1, %p1, %p2;", "add.f64 %f1, %f2, %f3;", "mov.u64 %p1, %p2;",
          "ld.param.u64 %p1, [p0];", "cvt.u64.u32 %r1, %r1;", "mov.b64 {%p1, %p2}, %rd1;",
          "shfl.sync.idx.b32 %p1, %p2, %p3, %p4, %p5;", "st.global.u64 [%rd1], %p1;",
          "mul.wide.u32 %h1, %r1, %r2;", "setp.eq.u64 %p1, %r1, %h1;",
          "bfi.b64 %r1, %r2, %r3, %r4, %r5;", "fma.rn.f64 %p1, %p2, %p3, %p4;",
          "atom.global.add.u64 %p1, [%rd1], %p3;", "popc.b64 %r1, %p1;",
          "ld.global.v4.u64 {%p1, %p2, %h3, %h4}, [%rd1];", "selp.b64 %p1, %p2, %p3, %r1;"}) {
        Machine machine(kernel(1, std::string(body) + body + body));
        const LaunchResult result =
            machine.run({2, 1, 1}, {64, 1, 1}, {machine.zeros<std::uint64_t>(64)});
        SUCCEED() << body << said(result);
    }
}

TEST(Hostile, InstructionsWithoutOperandsAreTold) {
    for (const char* opcode : {"add.u32",
                               "sub.cc.u32",
                               "subc.u32",
                               "mul.wide.u32",
                               "mad.lo.u32",
                               "madc.hi.u32",
                               "div.s32",
                               "rem.u64",
                               "abs.s32",
                               "neg.f32",
                               "min.f32",
                               "max.s16",
                               "sad.u32",
                               "and.b32",
                               "not.pred",
                               "shl.b32",
                               "shf.l.wrap.b32",
                               "bfe.u32",
                               "bfi.b32",
                               "bfind.u32",
                               "brev.b32",
                               "popc.b32",
                               "clz.b64",
                               "prmt.b32",
                               "lop3.b32",
                               "dp4a.u32.u32",
                               "dp2a.lo.u32.u32",
                               "bmsk.clamp.b32",
                               "fns.b32",
                               "szext.wrap.u32",
                               "cnot.b32",
                               "mul24.lo.u32",
                               "mad24.hi.u32",
                               "fma.rn.f32",
                               "rcp.rn.f32",
                               "sqrt.rn.f64",
                               "rsqrt.approx.f32",
                               "sin.approx.f32",
                               "cos.approx.f32",
                               "lg2.approx.f32",
                               "ex2.approx.f32",
                               "tanh.approx.f32",
                               "testp.finite.f32",
                               "copysign.f32",
                               "setp.eq.u32",
                               "set.eq.u32.u32",
                               "selp.u32",
                               "slct.u32.s32",
                               "mov.u32",
                               "mov.pred",
                               "cvt.u32.u64",
                               "cvta.global.u64",
                               "isspacep.global",
                               "ld.global.u32",
                               "ldu.global.u32",
                               "st.global.u32",
                               "atom.global.add.u32",
                               "red.global.add.u32",
                               "bra",
                               "brx.idx",
                               "call",
                               "call.uni",
                               "bar.sync",
                               "bar.red.popc.u32",
                               "bar.red.and.pred",
                               "bar.arrive",
                               "barrier.sync",
                               "bar.warp.sync",
                               "vote.sync.ballot.b32",
                               "vote.all.pred",
                               "shfl.sync.idx.b32",
                               "shfl.up.b32",
                               "match.any.sync.b32",
                               "match.all.sync.b64",
                               "redux.sync.add.u32",
                               "elect.sync",
                               "activemask.b32",
                               "membar.gl",
                               "nanosleep.u32",
                               "trap",
                               "exit",
                               "barrier.cluster.arrive",
                               "barrier.cluster.wait",
                               "getctarank.u64",
                               "mbarrier.init.shared.b64",
                               "mbarrier.arrive.shared.b64",
                               "mbarrier.test_wait.shared.b64",
                               "mbarrier.try_wait.parity.shared.b64",
                               "mbarrier.pending_count.b64",
                               "cp.async.ca.shared.global",
                               "cp.async.bulk.global.shared::cta.bulk_group",
                               "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes",
                               "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
                               "stmatrix.sync.aligned.m8n8.x4.shared.b16",
                               "movmatrix.sync.aligned.m8n8.trans.b16",
                               "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                               "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16",
                               "wmma.store.d.sync.aligned.row.m16n16k16.global.f32",
                               "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32",
                               "tex.2d.v4.f32.f32",
                               "tex.cube.v4.f32.f32",
                               "tld4.r.2d.v4.f32.f32",
                               "suld.b.2d.b32.trap",
                               "sust.b.a2d.b32.clamp",
                               "txq.width.b32",
                               "vadd4.u32.u32.u32",
                               "min.s16x2",
                               "cvt.rn.satfinite.e4m3x2.f32",
                               "cvt.rn.f16x2.e5m2x2",
                               "add.cc.u32",
                               "set.eq.f16x2.f16x2",
                               "mapa.u64"}) {
        for (const char* operands :
             {";", " %r1;", " {};", " [%rd1];", " %p1, %r1;", " {%r1}, {%r2}, {%r3};",
              " [%rd1], [%rd2], [%rd3];", " _, _, _, _;", " _|%p1, _|%p2, _|%p3, _|%p4;",
              " %tid.x, %tid.x, %tid.x;", " 1, 2, 3, 4;", " nowhere;",
              " %r1, nowhere, nowhere, nowhere;", " %p1|%p2, %p3, %p4, %p5;", " (), nowhere, ();",
              " %r1, {%r1,%r2,%r3,%r4,%r5}, %r1, %r1;", " {_, _}, %rd1;",
              " %r1|%r2, %r1, %r1, %r1, %r1;"}) {
            Machine machine(
                kernel(1, std::string(opcode) + operands + "\n@%p1 " + opcode + operands));
            machine.bounds.jumps = 1 << 16;
            const LaunchResult result =
                machine.run({1, 1, 1}, {64, 1, 1}, {machine.zeros<std::uint64_t>(64)});
            for (const Finding& finding : result.findings)
                EXPECT_FALSE(finding.words.empty()) << opcode << operands;
        }
    }
}

TEST(Hostile, RecursionWithoutEndIsToldAlsoWithoutRegisters) {
    Machine machine(header() +
                    ".func f() { call f; ret; }\n.visible .entry k() { call f; ret; }\n");
    const LaunchResult result = machine.run({1, 1, 1}, {64, 1, 1}, {});
    EXPECT_EQ(said(result),
              "stack_overflow: calls go deeper than the stack allows\nended: the stack is full");
}

TEST(Hostile, CallsThatDoubleAreStopped) {
    std::string text = header() + ".func f0() { ret; }\n";
    for (int at = 1; at < 60; ++at) {
        const std::string before = "call f" + std::to_string(at - 1) + "; ";
        text += ".func f" + std::to_string(at) + "() { " + before + before + "ret; }\n";
    }
    Machine machine(text + ".visible .entry k() { call f59; ret; }\n");
    machine.bounds.jumps = 1 << 20;
    EXPECT_NE(machine.run({1, 1, 1}, {32, 1, 1}, {}).ended, "");
    machine.bounds = {};
    int asked = 0;
    machine.surroundings.isStopped = [&] { return ++asked > 3; };
    EXPECT_EQ(machine.run({1, 1, 1}, {32, 1, 1}, {}).ended, "stopped");
}

TEST(Hostile, EndlessLoopsAreStopped) {
    Machine machine(kernel(0, "L: bra L;"));
    machine.bounds.jumps = 1 << 20;
    EXPECT_EQ(machine.run({1, 1, 1}, {1024, 1, 1}, {}).ended,
              "it did not end within 1048576 rounds of its loops");
    machine.bounds = {};
    int asked = 0;
    machine.surroundings.isStopped = [&] { return ++asked > 3; };
    EXPECT_EQ(machine.run({1, 1, 1}, {1024, 1, 1}, {}).ended, "stopped");
}

TEST(Hostile, GridsOf2To31BlocksAreStopped) {
    Machine machine(kernel(0, ""));
    machine.bounds.jumps = 1 << 20;
    EXPECT_NE(machine.run({2147483647u, 1, 1}, {1024, 1, 1}, {}).ended, "");
}

TEST(Hostile, SharedMemoryBeyondTheBoundIsRefused) {
    std::string arrays;
    std::string uses;
    for (int at = 0; at < 4000; ++at) {
        arrays += ".shared .b8 s" + std::to_string(at) + "[1048576];\n";
        uses += "mov.u32 %r1, s" + std::to_string(at) + ";\n";
    }
    Machine machine(kernel(0, uses, arrays));
    machine.bounds.bytesAtOnce = 64 << 20;
    const LaunchResult result = machine.run({4, 1, 1}, {32, 1, 1}, {});
    EXPECT_NE(result.ended.find("shared memory"), std::string::npos) << said(result);
}

TEST(Hostile, FramesBeyondTheStackAreRefused) {
    Machine registers(kernel(
        1, ".reg .b64 %big<1000000>; ld.param.u64 %big0, [p0];\n" + [] {
            std::string uses;
            for (int at = 1; at < 9000; ++at)
                uses += "add.u64 %big" + std::to_string(at) + ", %big" + std::to_string(at - 1) +
                        ", %clock64;";
            for (int at = 1; at < 9000; ++at)
                uses += "add.u64 %big0, %big0, %big" + std::to_string(at) + ";";
            return uses;
        }()));
    EXPECT_NE(registers.run({1, 1, 1}, {1024, 1, 1}, {0}).ended, "");

    Machine local(kernel(0, ".local .b8 a[1048576]; mov.u64 %rd1, a; st.local.u32 [%rd1], %r1;"));
    EXPECT_NE(local.run({1, 1, 1}, {1024, 1, 1}, {}).ended, "");

    std::string arguments;
    for (int at = 0; at < 260; ++at)
        arguments += ".param .b8 q" + std::to_string(at) + "[1048576]; st.param.b32 [q" +
                     std::to_string(at) + "], %r1;\n";
    Machine parameters(kernel(0, arguments));
    EXPECT_NE(parameters.run({1, 1, 1}, {32, 1, 1}, {}).ended, "");
}

TEST(Hostile, ArraysOf100GigabytesAreRefusedByWords) {
    for (const char* text : {".global .b8 a[107374182400];", ".const .b8 a[107374182400];",
                             ".shared .b8 a[107374182400];"}) {
        EXPECT_THROW(Machine machine(header() + text), std::runtime_error) << text;
    }
    Machine local(
        kernel(0, ".local .b8 a[107374182400]; mov.u64 %rd1, a; st.local.u32 [%rd1], %r1;"));
    EXPECT_NE(local.run({1, 1, 1}, {32, 1, 1}, {}).ended, "");
}

TEST(Hostile, ManyFunctionsOfManyRegistersAreRefused) {
    std::string text = header();
    for (int at = 0; at < 200; ++at)
        text += ".func f" + std::to_string(at) + "() { .reg .b32 %r<1048576>; ret; }\n";
    const auto read = readModule(text);
    ASSERT_TRUE(std::holds_alternative<ReadError>(read));
    EXPECT_NE(std::get<ReadError>(read).message.find("registers"), std::string::npos);
}

TEST(Hostile, TextsCutAnywhereAreReadOrRefused) {
    const std::string whole = kernel(
        1,
        element() +
            ".shared .align 16 .b8 s[64]; { .reg .b32 x; mov.b32 x, 0f3F800000; L: bra L; }\n"
            "ts: .branchtargets L0, L1; brx.idx %r1, ts; L0: call (_), f, (%r1); L1: .loc 1 2 3, "
            "function_name $L, inlined_at 1 4 5",
        ".file 1 \"a.cu\"\n.global .align 4 .u32 g[4] = {1, generic(g)+4, 0xFF(g), -3};\n.section "
        ".debug { .b8 1 }\n");
    for (std::size_t end = 0; end < whole.size(); ++end) {
        auto read = readModule(whole.substr(0, end));
        if (const auto* error = std::get_if<ReadError>(&read)) {
            EXPECT_FALSE(error->message.empty());
            EXPECT_GE(error->row, 1u);
            continue;
        }
        Memory memory(1 << 20);
        Program program(memory);
        static_cast<void>(program.add(std::move(std::get<Module>(read))));
    }
}

TEST(Hostile, WidthsOfPrintfAreBounded) {
    Machine machine(
        kernel(1,
               "cvta.global.u64 %rd1, %rd1; mov.u64 %rd1, text; .param .b64 q0; .param .b64 q1; "
               ".param .b32 q2;\n"
               "st.param.b64 [q0], %rd1; st.param.b64 [q1], %rd1; call (q2), vprintf, (q0, q1);",
               ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
               ".global .align 1 .b8 text[24] = {37, 46, 57, 57, 57, 57, 57, 57, 57, 57, 57, 102, "
               "37, 50, 49, 52, 55, 52, 56, 51, 54, 52, 55, 100};\n"));
    std::string text;
    machine.surroundings.print = [&](std::string_view more) { text += more; };
    const LaunchResult result = machine.run({1, 1, 1}, {1, 1, 1}, {0});
    EXPECT_LE(text.size(), 1u << 16);
}

}  // namespace

TEST(Hostile, ShapesAndTypesThatNoLaneHoldsAreRefused) {
    const std::string sixteen =
        "{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8,%r9,%r10,%r11,%r12,%r13,%r14,%r15}";
    for (const std::string& instruction :
         {"mma.sync.aligned.m1n1k1024.row.col.f32.f16.f16.f32 {%f0}, " + sixteen + ", " + sixteen +
              ", {%f1};",
          std::string("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.pred {%f0,%f1,%f2,%f3}, "
                      "{%r0,%r1,%r2,%r3}, "
                      "{%r4,%r5}, {%f4,%f5,%f6,%f7};"),
          "tex.2d.v4.s32.s32 " + sixteen + ", [%rd1, {%r1, %r2}];",
          "suld.b.2d.b8.trap " + sixteen + ", [%rd1, {%r1, %r2}];",
          std::string("sust.b.2d.b128.trap [%rd1, {%r1, %r2}], {%r3};"),
          std::string("cp.async.ca.shared.global [%r1], [%rd1], 0;"),
          std::string("mbarrier.test_wait.shared.b64 [%r1], %rd1;"),
          std::string("mov.b64 %rd1, {%r1, %r2, %r3};"),
          std::string(".reg .b32 %none<0>; mov.u32 %none, 1;")}) {
        Machine machine(kernel(0, instruction));
        const LaunchResult result = machine.run({1, 1, 1}, {32, 1, 1}, {});
        ASSERT_EQ(result.findings.size(), 1u) << instruction;
        EXPECT_EQ(result.findings[0].kind, FindingKind::notSupported) << instruction;
    }
}

}  // namespace warplens::ptx::test
