// Calls (PTX ISA, "call", "ret"), and what the machine does itself: printf, malloc, free, assert.
#include <gtest/gtest.h>
#include <map>

#include "kernels/ptx/run/grid.h"
#include "tests/ptx/machine.h"

namespace warplens::ptx::test {
namespace {

const std::string factorial =
    ".func (.param .b32 r) fact(.param .b32 n) {\n.reg .pred %p<3>; .reg .b32 %r<6>; .param .b32 "
    "a; .param .b32 q;\n"
    "ld.param.u32 %r1, [n]; setp.le.u32 %p1, %r1, 1; @%p1 bra ONE;\n"
    "sub.u32 %r2, %r1, 1; st.param.b32 [a], %r2; call (q), fact, (a); ld.param.b32 %r3, [q]; "
    "mul.lo.u32 %r4, %r1, %r3;\n"
    "st.param.b32 [r], %r4; ret;\nONE: st.param.b32 [r], 1; ret;\n}\n";

std::vector<std::uint32_t> run(const std::string& body, const std::string& before,
                               std::uint32_t threads = 32) {
    Machine machine(kernel(1, element() + body, before));
    const std::uint64_t out = machine.zeros<std::uint32_t>(threads);
    EXPECT_EQ(said(machine.run({1, 1, 1}, {threads, 1, 1}, {out})), "");
    return machine.values<std::uint32_t>(out);
}

TEST(Calls, RecursionThatDivergesGivesEachLaneItsOwn) {
    // PTX ISA, ".param": parameters and results are each thread's own.
    const auto results =
        run(".param .b32 a; .param .b32 q; rem.u32 %r1, %r0, 11; st.param.b32 [a], %r1; call (q), "
            "fact, (a); ld.param.b32 %r2, [q]; st.global.u32 [%rd0], %r2;",
            factorial);
    const std::uint32_t expected[] = {1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800};
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(results[lane], expected[lane % 11]) << lane;
}

TEST(Calls, ThatReturnFromALoopTakeNoPartInTheRest) {
    // for (i = 0; i < 4; ++i) if (n == i) return i + 100; return n;
    const auto results =
        run(".param .b32 a; .param .b32 q; st.param.b32 [a], %r0; call (q), f, (a); ld.param.b32 "
            "%r2, [q]; st.global.u32 [%rd0], %r2;",
            ".func (.param .b32 r) f(.param .b32 n) { .reg .pred %p<3>; .reg .b32 %r<4>;\n"
            "ld.param.b32 %r1, [n]; mov.u32 %r2, 0; L: setp.eq.u32 %p1, %r1, %r2; add.u32 %r3, "
            "%r2, 100; @%p1 st.param.b32 [r], %r3; @%p1 bra LEAVE;\n"
            "add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 4; @%p2 bra L; bra LAST; LEAVE: ret; LAST: "
            "st.param.b32 [r], %r1; ret; }\n");
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(results[lane], lane < 4 ? lane + 100 : lane) << lane;
}

TEST(Calls, OfALibraryCountWhereThePersonCallsIt) {
    // Two calls of outer, which calls inner twice, and one of the person's own function.
    const std::string store =
        "(.param .b64 p) { .reg .b64 %rd<2>; ld.param.b64 %rd1, [p];\n@ st.global.u32 [%rd1], 1; "
        "ret; }\n";
    const auto at = [&](const std::string& name, const std::string& place) {
        std::string text = ".func " + name + store;
        return text.replace(text.find('@'), 1, place);
    };
    const std::string outer =
        ".func outer(.param .b64 p) { .reg .b64 %rd<2>; .param .b64 a; ld.param.b64 %rd1, [p]; "
        "st.param.b64 [a], %rd1;\n.loc 2 50 1\ncall inner, (a);\n.loc 2 51 1\ncall inner, (a); "
        "ret; }\n";
    Machine machine(kernel(1,
                           element() +
                               ".param .b64 a; st.param.b64 [a], %rd0;\n.loc 1 7 3\ncall outer, "
                               "(a);\n.loc 1 8 3\ncall outer, (a);\ncall mine, (a);",
                           at("inner", "\n.loc 2 9 1\n") + outer + at("mine", "\n.loc 1 3 1\n") +
                               ".file 1 \"a.cu\"\n.file 2 \"/usr/include/b.h\"\n"));
    const LaunchResult result =
        machine.run({1, 1, 1}, {32, 1, 1}, {machine.zeros<std::uint32_t>(32)});
    std::map<std::uint32_t, std::uint64_t> requests;
    for (const ArrayCounts& counts : result.counts) {
        const Site& site = machine.program.sites()[counts.site];
        EXPECT_EQ(sourcePlace(machine.program, site.origin).file, "a.cu");
        requests[site.origin.place.line] += counts.counts.requests;
    }
    EXPECT_EQ(requests, (std::map<std::uint32_t, std::uint64_t>{{3, 1}, {7, 2}, {8, 2}}));
}

TEST(Calls, ByAddressWithDifferentTargetsInAWarp) {
    std::string functions;
    for (int at = 0; at < 3; ++at) {
        functions +=
            ".func (.param .b32 r) f" + std::to_string(at) +
            "(.param .b32 n) { .reg .b32 %r<3>; ld.param.b32 %r1, [n]; mad.lo.u32 %r2, %r1, " +
            std::to_string(at + 2) + ", " + std::to_string(100 * at) +
            "; st.param.b32 [r], %r2; ret; }\n";
    }
    std::string text = kernel(
        1,
        element() +
            ".param .b32 a; .param .b32 q; rem.u32 %r1, %r0, 3; mul.wide.u32 %rd2, %r1, 8; mov.u64 "
            "%rd3, table; add.u64 %rd2, %rd2, %rd3; ld.global.u64 %rd4, [%rd2];\n"
            "st.param.b32 [a], %r0; P: .callprototype (.param .b32 _) _ (.param .b32 _); call (q), "
            "%rd4, (a), P; ld.param.b32 %r2, [q]; st.global.u32 [%rd0], %r2;",
        functions + ".global .align 8 .u64 table[3] = {f0, f1, f2};\n");
    for (const std::uint64_t requests : {3, 1}) {
        // Only without optimisation do they meet behind the call.
        if (requests == 1) text.replace(text.find("sm_90"), 5, "sm_90, debug");
        Machine machine(text);
        const std::uint64_t out = machine.zeros<std::uint32_t>(32);
        const LaunchResult result = machine.run({1, 1, 1}, {32, 1, 1}, {out});
        EXPECT_EQ(said(result), "");
        EXPECT_EQ(sumOf(machine, result, AccessKind::store).requests, requests);
        const auto results = machine.values<std::uint32_t>(out);
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            EXPECT_EQ(results[lane], lane * (lane % 3 + 2) + 100 * (lane % 3)) << lane;
    }
}

TEST(Calls, OfNoFunctionAreTold) {
    Machine machine(kernel(0, "mov.u64 %rd1, 4096; P: .callprototype _ (); call %rd1, (), P;"));
    EXPECT_EQ(said(machine.run({1, 1, 1}, {32, 1, 1}, {})),
              "wild_pointer: a call to an address where no function is\nended: a call went to no "
              "function");
    Machine missing(kernel(0, "call nowhere;"));
    EXPECT_NE(said(missing.run({1, 1, 1}, {32, 1, 1}, {})).find("'nowhere', which is not here"),
              std::string::npos);
}

TEST(Calls, UnderAGuardAreOfItsLanesAlone) {
    // The callee has guards of its own, which must not change who goes on behind the call.
    const auto results =
        run(".param .b32 a; .param .b32 q; mov.u32 %r2, 7; rem.u32 %r1, %r0, 2; setp.eq.u32 %p1, "
            "%r1, 0; st.param.b32 [a], %r0; st.param.b32 [q], 9;\n"
            "@%p1 call (q), f, (a);\n@%p1 ld.param.b32 %r2, [q]; st.global.u32 [%rd0], %r2;",
            ".func (.param .b32 r) f(.param .b32 n) { .reg .pred %p<2>; .reg .b32 %r<3>; "
            "ld.param.b32 %r1, [n]; setp.lt.u32 %p1, %r1, 8; @%p1 add.u32 %r1, %r1, 100; @!%p1 "
            "add.u32 %r1, %r1, 200; st.param.b32 [r], %r1; ret; }\n");
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(results[lane], lane % 2 ? 7 : lane + (lane < 8 ? 100 : 200)) << lane;
}

TEST(Calls, LocalMemoryOfACallerIsSeenByItsCallee) {
    const auto results =
        run(".local .align 8 .b8 l[8]; .param .b64 a; mov.u64 %rd2, l; cvta.local.u64 %rd2, %rd2; "
            "st.u32 [%rd2+4], %r0; st.param.b64 [a], %rd2; call f, (a); ld.local.u32 %r2, [l+4]; "
            "st.global.u32 [%rd0], %r2;",
            ".func f(.param .b64 at) { .reg .b32 %r<3>; .reg .b64 %rd<3>; .local .align 4 .b8 "
            "own[16]; ld.param.b64 %rd1, [at]; ld.u32 %r1, [%rd1+4]; st.local.u32 [own], 5; "
            "ld.local.u32 %r2, [own]; add.u32 %r1, %r1, %r2; st.u32 [%rd1+4], %r1; ret; }\n");
    for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(results[lane], lane + 5);
}

/// What `printf(format, ...)` of one thread writes, and returns; arguments are 8 bytes each at
/// [args].
std::pair<std::string, std::uint32_t> printed(const std::string& format,
                                              const std::string& arguments) {
    std::string bytes;
    for (const char c : format) bytes += std::to_string(int{c}) + ", ";
    Machine machine(
        kernel(1,
               element() +
                   ".param .b64 f; .param .b64 v; .param .b32 q; .local .align 8 .b8 args[64]; "
                   "mov.u64 %rd2, args; cvta.local.u64 %rd3, %rd2;\n" +
                   arguments +
                   "\nmov.u64 %rd4, text; cvta.global.u64 %rd4, %rd4; st.param.b64 [f], %rd4; "
                   "st.param.b64 [v], %rd3; call (q), vprintf, (f, v); ld.param.b32 %r1, [q]; "
                   "st.global.u32 [%rd0], %r1;",
               ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.global "
               ".align 1 .b8 word[6] = {72, 101, 108, 108, 111, 0};\n.global .align 1 .b8 text[" +
                   std::to_string(format.size() + 1) + "] = {" + bytes + "0};\n"));
    std::string text;
    machine.surroundings.print = [&](std::string_view more) { text += more; };
    const std::uint64_t out = machine.zeros<std::uint32_t>(1);
    EXPECT_EQ(said(machine.run({1, 1, 1}, {1, 1, 1}, {out})), "");
    return {text, machine.values<std::uint32_t>(out)[0]};
}
TEST(Calls, PrintfFormatsAndCountsItsArguments) {
    using Result = std::pair<std::string, std::uint32_t>;
    const std::string integer = "st.local.u32 [args], -7;";
    EXPECT_EQ(printed("plain 100%%\n", ""), (Result{"plain 100%\n", 0}));
    EXPECT_EQ(printed("[%5d|%-5d]", integer + "st.local.u32 [args+4], 42;"),
              (Result{"[   -7|42   ]", 2}));
    EXPECT_EQ(printed("%u %x", integer + "st.local.u32 [args+4], 255;"),
              (Result{"4294967289 ff", 2}));
    EXPECT_EQ(printed("%*d", "st.local.u32 [args], 6; st.local.u32 [args+4], 42;"),
              (Result{"    42", 2}));
    EXPECT_EQ(printed("%lld %hhd", "st.local.u64 [args], -5; st.local.u32 [args+8], 511;"),
              (Result{"-5 -1", 2}));
    EXPECT_EQ(
        printed(
            "%.3f %e",
            "st.local.f64 [args], 0d400921FB54442D18; st.local.f64 [args+8], 0d3FF8000000000000;"),
        (Result{"3.142 1.500000e+00", 2}));
    EXPECT_EQ(printed("%c%c", "st.local.u32 [args], 72; st.local.u32 [args+4], 105;"),
              (Result{"Hi", 2}));
    EXPECT_EQ(printed("<%s> <%8s> <%.2s>",
                      "mov.u64 %rd5, word; cvta.global.u64 %rd5, %rd5; st.local.u64 [args], %rd5; "
                      "st.local.u64 [args+8], %rd5; st.local.u64 [args+16], %rd5;"),
              (Result{"<Hello> <   Hello> <He>", 3}));
    EXPECT_LE(printed("%99999999f", "st.local.f64 [args], 0d3FF8000000000000;").first.size(),
              4096u);
}

const std::string heap =
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n";

TEST(Calls, MallocGivesMemoryUntilItIsFreed) {
    const std::string allocate =
        ".param .b64 n; .param .b64 q; st.param.b64 [n], 8; call (q), malloc, (n); ld.param.b64 "
        "%rd5, [q]; st.u32 [%rd5+4], %r0; ld.u32 %r2, [%rd5+4]; st.global.u32 [%rd0], %r2;\n";
    const std::string release = "st.param.b64 [n], %rd5; call free, (n);\n";
    const auto results = run(allocate + release, heap);
    for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(results[lane], lane);
    const auto saidAfter = [&](const std::string& more) {
        Machine machine(kernel(1, element() + allocate + more, heap));
        return said(machine.run({1, 1, 1}, {1, 1, 1}, {machine.zeros<std::uint32_t>(1)}));
    };
    EXPECT_NE(saidAfter(release + "ld.u32 %r1, [%rd5];").find("use_after_free"), std::string::npos);
    EXPECT_NE(saidAfter("ld.u32 %r1, [%rd5+8];").find("out_of_bounds"), std::string::npos);
    EXPECT_NE(saidAfter(release + release).find("wild_pointer: free of what malloc did not give"),
              std::string::npos);
}

TEST(Calls, MallocOfTooMuchIsNull) {
    Machine machine(
        kernel(1,
               element(8) + ".param .b64 n; .param .b64 q; st.param.b64 [n], 107374182400; call "
                            "(q), malloc, (n); ld.param.b64 %rd5, [q]; st.global.u64 [%rd0], %rd5;",
               heap));
    const std::uint64_t out = machine.array(std::vector<std::uint64_t>{1});
    EXPECT_EQ(said(machine.run({1, 1, 1}, {1, 1, 1}, {out})), "");
    EXPECT_EQ(machine.values<std::uint64_t>(out)[0], 0u);
}

TEST(Calls, AssertionsNameTheirCondition) {
    Machine machine(kernel(
        0,
        ".param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e; mov.u64 %rd1, "
        "text; cvta.global.u64 %rd1, %rd1; st.param.b64 [a], %rd1; call __assertfail, (a, b, c, d, "
        "e);",
        ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, "
        ".param .b64 e);\n.global .align 1 .b8 text[6] = {105, 32, 60, 32, 110, 0};\n"));
    EXPECT_EQ(said(machine.run({1, 1, 1}, {32, 1, 1}, {})),
              "failed_assertion: assert(i < n) does not hold\nended: an assertion failed");
}

}  // namespace
}  // namespace warplens::ptx::test
