// Memory of every kind, and what is said of accesses that go wrong.
#include <gtest/gtest.h>

#include "tests/ptx/machine.h"

namespace warplens::ptx::test {
namespace {

TEST(Memory, WidthsAndVectorsComeBack) {
    for (const std::string space : {"global", "shared", "local", ""}) {
        for (const int bytes : {1, 2, 4, 8}) {
            for (const int parts : {1, 2, 4}) {
                if (bytes * parts > 16) continue;
                const std::string type = (parts > 1 ? ".v" + std::to_string(parts) : "") + ".b" +
                                         std::to_string(8 * bytes);
                const std::string reg = bytes == 8 ? "%rd1" : bytes == 4 ? "%r1" : "%h";
                const auto list = [&](int first) {
                    std::string text = parts > 1 ? "{" : "";
                    for (int at = 0; at < parts; ++at)
                        text += (at ? ", " : "") + reg + std::to_string(first + at);
                    return text + (parts > 1 ? "}" : "");
                };
                std::string body = element(16) + ".local .align 16 .b8 l[32];\n";
                std::string address = "%rd0";
                if (space == "shared")
                    body += "mov.u64 %rd2, s; mad.wide.u32 %rd2, %r0, 16, %rd2;\n",
                        address = "%rd2";
                if (space == "local") body += "mov.u64 %rd2, l;\n", address = "%rd2+16";
                if (space.empty())
                    body += "mov.u64 %rd2, l; cvta.local.u64 %rd2, %rd2;\n", address = "%rd2+16";
                for (int at = 0; at < parts; ++at) {
                    const std::string to = reg + std::to_string(at);
                    body += bytes == 8 ? "mad.wide.u32 " + to + ", %r0, 16777259, " +
                                             std::to_string(at) + ";\n"
                            : bytes == 4 ? "mad.lo.u32 " + to + ", %r0, 16777259, " +
                                               std::to_string(at) + ";\n"
                                         : "mad.lo.u32 %r2, %r0, 251, " + std::to_string(at) +
                                               "; cvt.u16.u32 " + to + ", %r2;\n";
                }
                const std::string in = space.empty() ? "" : "." + space;
                body += "st" + in + type + " [" + address + "], " + list(0) + ";\nld" + in + type +
                        " " + list(4) + ", [" + address + "];\n" + "st.global" + type +
                        " [%rd0], " + list(4) + ";\n";
                Machine machine(kernel(1, body, ".shared .align 16 .b8 s[1024];\n"));
                const std::uint64_t out = machine.zeros<std::uint8_t>(64 * 16);
                EXPECT_EQ(said(machine.run({1, 1, 1}, {64, 1, 1}, {out})), "") << body;
                const auto got = machine.values<std::uint8_t>(out);
                for (std::uint64_t thread = 0; thread < 64; ++thread) {
                    for (int at = 0; at < parts; ++at) {
                        const std::uint64_t value =
                            bytes >= 4 ? thread * 16777259 + at : thread * 251 + at;
                        EXPECT_EQ(std::memcmp(&got[thread * 16 + at * bytes], &value, bytes), 0)
                            << body << thread;
                    }
                }
            }
        }
    }
}

TEST(Memory, NarrowLoadsExtendTheirSign) {
    Machine machine(kernel(
        1, element(8) + "ld.global.s8 %r1, [%rd0]; cvt.s64.s32 %rd2, %r1; ld.global.u8 %r2, "
                        "[%rd0]; ld.global.s16 %rd3, [%rd0]; ld.global.s32 %rd4, [%rd0];\n"
                        "cvt.u64.u32 %rd5, %r2; add.s64 %rd2, %rd2, %rd5; add.s64 %rd2, %rd2, "
                        "%rd3; add.s64 %rd2, %rd2, %rd4; st.global.u64 [%rd0], %rd2;"));
    const std::vector<std::uint64_t> values{
        0x80, 0x7f, 0x8000, 0xffff, 0x80000000, 0xffffffff, 0x1234567890abcdefull};
    const std::uint64_t array = machine.array(values);
    EXPECT_EQ(said(machine.run({1, 1, 1}, {7, 1, 1}, {array})), "");
    const auto got = machine.values<std::int64_t>(array);
    for (std::size_t at = 0; at < values.size(); ++at) {
        const std::uint64_t v = values[at];
        EXPECT_EQ(got[at], std::int64_t(std::int8_t(v)) + std::uint8_t(v) + std::int16_t(v) +
                               std::int32_t(v));
    }
}

TEST(Memory, OfAWideRegisterTheLowerPartIsConvertedAndStoredLaneByLane) {
    Machine machine(kernel(
        1, element(8) + "ld.global.u64 %rd2, [%rd0]; cvt.s64.s8 %rd3, %rd2; cvt.u32.u16 %r1, %rd2; "
                        "cvt.u64.u32 %rd4, %r1; cvt.s64.s32 %rd5, %rd2; add.s64 %rd3, %rd3, %rd4; "
                        "add.s64 %rd3, %rd3, %rd5; st.global.u64 [%rd0], %rd3; "
                        "st.global.u8 [%rd0+7], %rd2;"));
    std::vector<std::uint64_t> values(32);
    for (std::size_t at = 0; at < values.size(); ++at)
        values[at] = 0x9e3779b97f4a7c15ull * (at + 1);
    const std::uint64_t array = machine.array(values);
    EXPECT_EQ(said(machine.run({1, 1, 1}, {32, 1, 1}, {array})), "");
    const auto got = machine.values<std::uint64_t>(array);
    for (std::size_t at = 0; at < values.size(); ++at) {
        const std::uint64_t v = values[at];
        const auto sum = static_cast<std::uint64_t>(
            std::int64_t(std::int8_t(v)) + std::uint16_t(v) + std::int64_t(std::int32_t(v)));
        EXPECT_EQ(got[at], (sum & ~0ull >> 8) | (v & 0xff) << 56) << at;
    }
}

/// What is said of one access of lane 5 by `bytes` at `[%rd0 + offset]`, where p0 is an array of 32
/// floats.
std::string saidOf(const std::string& access, std::int64_t offset) {
    Machine machine(
        kernel(1, "ld.param.u64 %rd0, [p0]; add.s64 %rd0, %rd0, " + std::to_string(offset) +
                      "; mov.u32 %r0, %tid.x; setp.ne.u32 %p1, %r0, 5; @%p1 ret;\n" + access));
    static_cast<void>(machine.zeros<float>(8));
    const std::uint64_t array = machine.zeros<float>(32);
    const LaunchResult result = machine.run({1, 1, 1}, {32, 1, 1}, {array});
    if (!result.findings.empty()) {
        EXPECT_EQ(result.findings[0].thread->x, 5u);
        EXPECT_EQ(result.findings[0].times, 1u);
    }
    return result.findings.empty() ? "" : std::string(toString(result.findings[0].kind));
}

TEST(Memory, AccessesOutsideOfArraysAreTold) {
    EXPECT_EQ(saidOf("ld.global.f32 %f0, [%rd0];", 124), "");
    EXPECT_EQ(saidOf("ld.global.f32 %f0, [%rd0];", 128), "out_of_bounds");
    EXPECT_EQ(saidOf("st.global.v2.f32 [%rd0], {%f0, %f1};", 124), "out_of_bounds");
    EXPECT_EQ(saidOf("ld.global.u8 %r1, [%rd0];", 127), "");
    EXPECT_EQ(saidOf("atom.global.add.u32 %r1, [%rd0], 1;", 128), "out_of_bounds");
    EXPECT_EQ(saidOf("ld.f32 %f0, [%rd0];", 4000), "out_of_bounds");
    EXPECT_EQ(saidOf("mov.u64 %rd0, 0; ld.global.f32 %f0, [%rd0];", 0), "wild_pointer");
    EXPECT_EQ(saidOf("mov.u64 %rd0, 0x7fff12345678; ld.global.f32 %f0, [%rd0];", 0),
              "host_pointer");
    EXPECT_EQ(saidOf("ld.global.f32 %f0, [%rd0];", 2), "misaligned");
    EXPECT_EQ(saidOf("ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0];", 8), "misaligned");
}

TEST(Memory, BeforeAnArrayIsOfThatArray) {
    EXPECT_EQ(saidOf("ld.global.f32 %f0, [%rd0];", -4), "out_of_bounds");
    EXPECT_EQ(saidOf("st.global.f32 [%rd0], %f0;", -4096), "out_of_bounds");
}

TEST(Memory, FreedArraysAreTold) {
    Machine machine(kernel(1, element() + "ld.global.f32 %f0, [%rd0];"));
    const std::uint64_t array = machine.zeros<float>(32);
    EXPECT_TRUE(machine.memory.release(array));
    EXPECT_FALSE(machine.memory.release(array));
    EXPECT_EQ(said(machine.run({1, 1, 1}, {32, 1, 1}, {array})),
              "use_after_free: load from array 0, which is freed\n");
}

TEST(Memory, SharedArraysHaveEnds) {
    const auto saidOfShared = [](const std::string& access) {
        Machine machine(kernel(0, "mov.u64 %rd0, s;\n" + access,
                               ".shared .align 4 .b8 s[64];\n.shared .align 4 .b8 t[64];\n.extern "
                               ".shared .align 16 .b8 d[];\n"));
        const LaunchResult result = machine.run({1, 1, 1}, {1, 1, 1}, {}, 128);
        return result.findings.empty() ? std::string()
                                       : std::string(toString(result.findings[0].kind));
    };
    EXPECT_EQ(saidOfShared("ld.shared.f32 %f0, [%rd0+60];"), "");
    EXPECT_EQ(saidOfShared("ld.shared.f32 %f0, [%rd0+64];"), "out_of_bounds");
    EXPECT_EQ(saidOfShared("ld.shared.f32 %f0, [%rd0+-4];"), "out_of_bounds");
    EXPECT_EQ(saidOfShared("ld.shared.f32 %f0, [%rd0+2];"), "misaligned");
    EXPECT_EQ(saidOfShared("st.shared.f32 [d+124], %f0;"), "");
    EXPECT_EQ(saidOfShared("st.shared.f32 [d+128], %f0;"), "out_of_bounds");
    EXPECT_EQ(saidOfShared("cvta.shared.u64 %rd1, %rd0; st.f32 [%rd1+64], %f0;"), "out_of_bounds");
}

TEST(Memory, ABlockWithoutAClusterIsOneByItself) {
    // What its threads store is seen behind the cluster's barrier, by the address that its only
    // block has; of another block there is no memory.
    for (const bool isOwn : {true, false}) {
        Machine machine(kernel(1,
                               element() +
                                   "mov.u32 %r1, s; mul.lo.u32 %r2, %r0, 4; add.u32 %r3, "
                                   "%r1, %r2; st.shared.u32 [%r3], %r0;\n"
                                   "barrier.cluster.arrive; barrier.cluster.wait;\n"
                                   "xor.b32 %r4, %r2, 124; add.u32 %r4, %r4, %r1;\n"
                                   "mapa.shared::cluster.u32 %r5, %r4, " +
                                   (isOwn ? "0" : "1") +
                                   ";\nld.shared::cluster.u32 %r6, [%r5]; st.global.u32 [%rd0], "
                                   "%r6;",
                               ".shared .align 4 .b8 s[128];\n"));
        const std::uint64_t array = machine.zeros<std::uint32_t>(32);
        const LaunchResult result = machine.run({1, 1, 1}, {32, 1, 1}, {array});
        EXPECT_EQ(result.findings.empty(), isOwn) << said(result);
        for (std::uint32_t thread = 0; thread < 32; ++thread)
            EXPECT_EQ(machine.values<std::uint32_t>(array)[thread], isOwn ? 31 - thread : 0);
    }
}

TEST(Memory, LocalMemoryIsOfItsThread) {
    const auto saidOfLocal = [](const std::string& access) {
        Machine machine(
            kernel(0,
                   ".local .align 8 .b8 l[24]; .shared .align 8 .b8 s[8]; .reg .b64 %l; mov.u64 "
                   "%l, l; cvta.local.u64 %rd0, %l; mov.u32 %r0, %tid.x;\n" +
                       access));
        const LaunchResult result = machine.run({1, 1, 1}, {2, 1, 1}, {});
        return result.findings.empty() ? std::string()
                                       : std::string(toString(result.findings[0].kind));
    };
    EXPECT_EQ(saidOfLocal("st.local.u64 [l+16], %rd0; ld.u64 %rd1, [%rd0+16];"), "");
    EXPECT_EQ(saidOfLocal("ld.local.u32 %r1, [%l+24];"), "out_of_bounds");
    EXPECT_EQ(saidOfLocal("ld.u32 %r1, [%rd0+-4];"), "out_of_bounds");
    EXPECT_EQ(saidOfLocal("ld.local.u64 %rd1, [l+4];"), "misaligned");
    // Lane 0's address, handed to lane 1.
    const std::string given = saidOfLocal(
        "setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u64 [s], %rd0; bar.sync 0; ld.shared.u64 %rd1, "
        "[s]; ld.u32 %r1, [%rd1];");
    EXPECT_EQ(given, "wild_pointer");
}

TEST(Memory, GenericRequestsGoToSeveralMemoriesAtOnce) {
    Machine machine(kernel(
        1, element() + ".local .align 4 .b8 l[4]; .shared .align 4 .b8 s[128]; .reg .b64 %x;\n"
                       "mov.u64 %rd2, s; mad.wide.u32 %rd2, %r0, 4, %rd2; cvta.shared.u64 %rd2, "
                       "%rd2; mov.u64 %rd3, l; cvta.local.u64 %rd3, %rd3;\n"
                       "rem.u32 %r1, %r0, 3; mov.u64 %x, %rd0; setp.eq.u32 %p1, %r1, 1; @%p1 "
                       "mov.u64 %x, %rd2; setp.eq.u32 %p2, %r1, 2; @%p2 mov.u64 %x, %rd3;\n"
                       "st.u32 [%x], %r0; ld.u32 %r2, [%x]; atom.add.u32 %r3, [%rd0], 0; "
                       "st.global.u32 [%rd0], %r2;"));
    const std::uint64_t out = machine.zeros<std::uint32_t>(32);
    const LaunchResult result = machine.run({1, 1, 1}, {32, 1, 1}, {out});
    EXPECT_EQ(said(result), "");
    const auto got = machine.values<std::uint32_t>(out);
    for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(got[lane], lane);
    EXPECT_EQ(sumOf(machine, result, AccessKind::sharedStore).activeLanes, 11u);
    EXPECT_EQ(sumOf(machine, result, AccessKind::localStore).activeLanes, 10u);
    EXPECT_EQ(sumOf(machine, result, AccessKind::store).activeLanes, 11u + 32);
}

TEST(Memory, ConstantsAndAddressesOfVariables) {
    Machine machine(
        kernel(1,
               element(8) +
                   "ld.const.u32 %r1, [c+8]; ld.global.u64 %rd2, [pointers]; ld.u32 %r2, [%rd2+4]; "
                   "add.u32 %r1, %r1, %r2; cvt.u64.u32 %rd3, %r1; st.global.u64 [%rd0], %rd3;",
               ".const .align 4 .u32 c[3] = {1, 2, 300};\n.global .align 4 .u32 g[2] = {7, "
               "50};\n.global .align 8 .u64 pointers[1] = {generic(g)};\n"));
    const std::uint64_t out = machine.zeros<std::uint64_t>(4);
    EXPECT_EQ(said(machine.run({1, 1, 1}, {4, 1, 1}, {out})), "");
    EXPECT_EQ(machine.values<std::uint64_t>(out), std::vector<std::uint64_t>(4, 350));
}

TEST(Memory, ParametersAreBytes) {
    Machine machine(header() +
                    ".visible .entry k(.param .u64 out, .param .align 4 .b8 s[12], .param .u8 b) { "
                    ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b16 %h<3>;\n"
                    "ld.param.u64 %rd0, [out]; ld.param.v2.u32 {%r1, %r2}, [s]; ld.param.u16 %h1, "
                    "[s+8]; ld.param.u8 %h2, [b]; mov.u64 %rd1, s; cvta.param.u64 %rd1, %rd1; "
                    "ld.param.u32 %r5, [%rd1+4];\n"
                    "cvt.u32.u16 %r3, %h1; cvt.u32.u16 %r4, %h2; st.global.v4.u32 [%rd0], {%r1, "
                    "%r2, %r3, %r4}; st.global.u32 [%rd0+16], %r5; ret; }");
    KernelLaunch launch;
    launch.kernel = machine.program.function("k");
    const std::uint64_t out = machine.zeros<std::uint32_t>(5);
    launch.launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    const std::uint32_t values[] = {11, 22, 0x1234'0021};
    launch.parameters.resize(21, std::byte{200});
    std::memcpy(launch.parameters.data(), &out, 8);
    std::memcpy(launch.parameters.data() + 8, values, 12);
    EXPECT_EQ(said(ptx::run(machine.program, launch)), "");
    EXPECT_EQ(machine.values<std::uint32_t>(out),
              (std::vector<std::uint32_t>{11, 22, 0x21, 200, 22}));
    launch.parameters.resize(10);  // fewer bytes than the kernel declares
    static_cast<void>(ptx::run(machine.program, launch));
}

TEST(Memory, AtomicsOfEveryOperation) {
    const auto after = [](const std::string& instruction, std::uint32_t before) {
        Machine machine(kernel(
            1,
            "ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; add.u32 %r1, %r0, 10;\n" + instruction));
        const std::uint64_t array = machine.array(std::vector<std::uint32_t>{before});
        EXPECT_EQ(said(machine.run({1, 1, 1}, {32, 1, 1}, {array})), "") << instruction;
        return machine.values<std::uint32_t>(array)[0];
    };
    EXPECT_EQ(after("red.global.add.u32 [%rd0], %r1;", 5), 5 + 32 * 10 + 31 * 16);
    EXPECT_EQ(after("red.global.min.s32 [%rd0], %r1;", 100), 10u);
    EXPECT_EQ(after("red.global.min.s32 [%rd0], %r1;", ~0u), ~0u);
    EXPECT_EQ(after("red.global.max.u32 [%rd0], %r1;", 5), 41u);
    EXPECT_EQ(after("red.global.and.b32 [%rd0], %r1;", 0xff), 8u & 0);
    EXPECT_EQ(after("red.global.or.b32 [%rd0], %r1;", 0x100), 0x100u | 63);
    EXPECT_EQ(after("red.global.xor.b32 [%rd0], 3;", 1), 1u);
    EXPECT_EQ(after("red.global.inc.u32 [%rd0], 9;", 0), 2u);  // 32 times modulo 10
    EXPECT_EQ(after("red.global.dec.u32 [%rd0], 9;", 0), 8u);
    EXPECT_EQ(after("atom.global.exch.b32 %r2, [%rd0], %r1;", 0), 41u);
    EXPECT_EQ(after("atom.global.cas.b32 %r2, [%rd0], 12, %r1;", 12), 10u);
    EXPECT_EQ(after("cvt.rn.f32.u32 %f0, %r0; red.global.add.f32 [%rd0], %f0;", 0),
              std::bit_cast<std::uint32_t>(496.0f));
    EXPECT_EQ(after("mov.b32 %r3, 0x3c004000; red.global.add.noftz.f16x2 [%rd0], %r3;", 0),
              0x50005400u);  // 32 and 64
}

TEST(Memory, ALoopOfAtomicsRunsForAsLongAsItLikes) {
    // A handler that calls the next one in place of going on to it takes stack in every round.
    Machine machine(kernel(1,
                           "ld.param.u64 %rd0, [p0]; mov.u32 %r1, 0;\n"
                           "LOOP: red.global.add.u32 [%rd0], 1; atom.global.cas.b32 %r2, [%rd0+4], "
                           "7, 8; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 60000; @%p1 bra "
                           "LOOP;"));
    const std::uint64_t array = machine.zeros<std::uint32_t>(2);
    EXPECT_EQ(said(machine.run({1, 1, 1}, {32, 1, 1}, {array})), "");
    EXPECT_EQ(machine.values<std::uint32_t>(array)[0], 32u * 60000);
}

}  // namespace
}  // namespace warplens::ptx::test
