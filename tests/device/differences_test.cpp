#include "kernels/device/differences.h"

#include <gtest/gtest.h>

namespace warplens {
namespace {

constexpr const char* loopProgram = R"(__global__ void k(float* a, int n) {
    for (int j = 0; j < n; ++j) {
        a[j] = a[j + 1] +
               a[j + 2];
    }
}
)";

ProgramSources sources() {
    return {.units = {{.path = "dir/my.cu", .text = loopProgram}}};
}

ProgramLine line(std::uint32_t number, AccessKind kind, std::uint64_t requests, std::uint64_t units,
                 std::uint64_t lanes) {
    ProgramLine made;
    made.place = {"my.cu", number, 5};
    made.kind = kind;
    made.requests = requests;
    made.activeLanes = lanes;
    made.uniqueBytes = 128 * units;
    (kind == AccessKind::sharedLoad || kind == AccessKind::sharedStore ? made.wavefronts
                                                                       : made.sectors) = units;
    return made;
}

ChangedLaunch changed(std::vector<ProgramLine> lines) {
    return {.change = "changed so", .compiled = std::move(lines)};
}

DifferenceCause causeOf(const CountedLaunch& launch, const Interventions& interventions,
                        std::size_t which = 0) {
    const ProgramSources program = sources();
    const auto found = LineComparison(program, launch).differences(interventions);
    return which < found.size() ? found[which].cause : DifferenceCause::none;
}

TEST(LineComparison, SumsColumnsAndStatements) {
    const ProgramSources program = sources();
    // The source asks on lines 3 and 4, the compiler lays all of the statement to line 3.
    const CountedLaunch launch{
        .predicted = {line(3, AccessKind::load, 4, 16, 128), line(4, AccessKind::load, 4, 16, 128)},
        .compiled = {line(3, AccessKind::load, 8, 32, 256)}};
    const LineComparison comparison(program, launch);
    EXPECT_EQ(comparison.compared(), 2u);
    EXPECT_TRUE(comparison.differences({}).empty());
    EXPECT_TRUE(comparison.differingLines().empty());
}

TEST(LineComparison, LeavesBranchesOut) {
    const ProgramSources program = sources();
    const CountedLaunch launch{.predicted = {line(2, AccessKind::branch, 9, 0, 0)}, .compiled = {}};
    EXPECT_EQ(LineComparison(program, launch).compared(), 0u);
}

TEST(LineComparison, CallsADifferenceUnexplainedWithoutAnIntervention) {
    const CountedLaunch launch{.predicted = {line(3, AccessKind::load, 4, 16, 128)},
                               .compiled = {line(3, AccessKind::load, 4, 20, 128)}};
    EXPECT_EQ(causeOf(launch, {}), DifferenceCause::unexplained);
    EXPECT_EQ(causeOf(launch, {.notUnrolled = changed({line(3, AccessKind::load, 4, 18, 128)}),
                               .lessOptimized = changed({line(3, AccessKind::load, 4, 19, 128)})}),
              DifferenceCause::unexplained);
}

TEST(LineComparison, WhatIsCountedOnAnotherLineIsToldThatLineThoughNothingConfirmsIt) {
    const ProgramSources program = sources();
    const CountedLaunch launch{
        .predicted = {line(2, AccessKind::load, 4, 16, 128), line(6, AccessKind::load, 4, 16, 128)},
        .compiled = {line(6, AccessKind::load, 8, 32, 256)}};
    const auto found = LineComparison(program, launch).differences({});
    ASSERT_EQ(found.size(), 4u) << "requests and sectors of both lines";
    EXPECT_EQ(found[0].cause, DifferenceCause::movedLines);
    EXPECT_NE(found[0].words.find("the compiler counts them on line 6;"), std::string::npos)
        << found[0].words;
    EXPECT_NE(found[3].words.find("written on line 2 are counted here"), std::string::npos)
        << found[3].words;
}

TEST(LineComparison, ConfirmsUnrollingByGoingBackToWhatTheSourceSays) {
    const CountedLaunch launch{.predicted = {line(3, AccessKind::load, 4, 16, 128)},
                               .compiled = {line(3, AccessKind::load, 4, 20, 128)}};
    const ProgramSources program = sources();
    const auto found =
        LineComparison(program, launch)
            .differences({.notUnrolled = changed({line(3, AccessKind::load, 4, 16, 128)})});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].cause, DifferenceCause::unrolling);
    EXPECT_EQ(found[0].quantity, "sectors");
    EXPECT_EQ(found[0].file, "dir/my.cu");
    EXPECT_EQ(found[0].intervention, "changed so: 16 compiled");
}

TEST(LineComparison, SaysWhatUnrollingDid) {
    const ProgramSources program = sources();
    const auto wordsOf = [&](std::uint64_t asked, std::uint64_t compiled, const char* ptx,
                             std::uint64_t units = 2) {
        const CountedLaunch launch{
            .predicted = {line(3, AccessKind::sharedLoad, asked, asked, 32 * asked)},
            .compiled = {line(3, AccessKind::sharedLoad, compiled, units, 32 * compiled)},
            .code = {{.file = "my.cu", .line = 3, .ptx = {ptx, "ld.global.v2.f32 {%f1}, [%rd1]"}}}};
        const auto found =
            LineComparison(program, launch).differences({.notUnrolled = changed(launch.predicted)});
        return found.empty() ? std::string() : found.front().words;
    };
    const char* const wide = "ld.shared.v4.f32 {%f1}, [%rd1]";
    EXPECT_NE(wordsOf(8, 2, wide, 8).find("became one of 128 bits, ld.sh"), std::string::npos);
    EXPECT_NE(wordsOf(8, 2, wide).find("asked for again is asked for once"), std::string::npos)
        << "of fewer bytes, it was written as wide";
    EXPECT_NE(wordsOf(8, 2, "ld.shared.f32 %f1, [%rd1]").find("asked for again is asked for once"),
              std::string::npos)
        << "the wide one is of another memory";
    EXPECT_NE(wordsOf(0, 2, "ld.shared.f32 %f1, [%rd1]").find("a loop of other lines is unrolled"),
              std::string::npos);
}

TEST(LineComparison, TellsWhatTheOptimizerDid) {
    const std::vector<ProgramLine> asked{line(3, AccessKind::sharedLoad, 8, 8, 256),
                                         line(5, AccessKind::sharedLoad, 1, 1, 32)};
    const Interventions plain{.lessOptimized = changed(asked)};
    const auto counted = [&](ProgramLine compiled, std::vector<CompiledLine> code = {}) {
        return CountedLaunch{.predicted = asked,
                             .compiled = {compiled, line(5, AccessKind::sharedLoad, 1, 1, 32)},
                             .code = std::move(code)};
    };
    const CompiledLine wide{.file = "my.cu", .line = 3, .ptx = {"ld.shared.v4.f32 {%f1}, [%rd1]"}};
    EXPECT_EQ(causeOf(counted(line(3, AccessKind::sharedLoad, 2, 8, 64), {wide}), plain),
              DifferenceCause::mergedAccesses);
    EXPECT_EQ(causeOf(counted(line(3, AccessKind::sharedLoad, 4, 4, 128)), plain),
              DifferenceCause::removedAccesses);
    EXPECT_EQ(causeOf(counted(line(3, AccessKind::sharedLoad, 9, 9, 288)), plain),
              DifferenceCause::speculation);
    EXPECT_EQ(causeOf(counted(line(3, AccessKind::sharedLoad, 12, 12, 256)), plain),
              DifferenceCause::copiedCode);
    const CountedLaunch moved{.predicted = asked,
                              .compiled = {line(3, AccessKind::sharedLoad, 7, 7, 224),
                                           line(5, AccessKind::sharedLoad, 2, 2, 64)}};
    EXPECT_EQ(causeOf(moved, plain), DifferenceCause::movedLines);
}

/// Of lines 2 and 5, of which the compiled code has all at 5, as where two branches end alike.
CountedLaunch merged(std::vector<AccessKind> kinds, std::int64_t otherAddress) {
    CountedLaunch launch;
    AddressFormula at;
    for (const AccessKind kind : kinds) {
        for (const std::uint32_t number : {2u, 5u, 6u}) {
            ProgramLine asked = line(number, kind, 94, 1000, 1000);
            at.start = number == 6 ? otherAddress : number;
            asked.array = "p";
            asked.address = at;
            launch.predicted.push_back(asked);
            if (number == 2) continue;
            launch.compiled.push_back(asked);
            if (number == 5) launch.compiled.back().activeLanes = 2000;
            if (number == 5) launch.compiled.back().sectors = 1400;
        }
    }
    return launch;
}

TEST(LineComparison, AccessesOfTwoBranchesThatBecameOneAreNeitherLeftOutNorAskedForTooEarly) {
    const ProgramSources program = sources();
    const auto causesOf = [&](const CountedLaunch& launch) {
        std::set<DifferenceCause> causes;
        for (const LineDifference& each :
             LineComparison(program, launch)
                 .differences({.lessOptimized = changed(launch.predicted)})) {
            causes.insert(each.cause);
            const bool isTold =
                each.words.find(each.line == 2
                                    ? "does it on line 5, for more lanes at once"
                                    : "written on line 2 is done here") != std::string::npos;
            EXPECT_EQ(isTold, each.cause == DifferenceCause::movedLines) << each.words;
        }
        return causes;
    };
    using Causes = std::set<DifferenceCause>;
    EXPECT_EQ(causesOf(merged({AccessKind::load}, 6)), Causes{DifferenceCause::movedLines});
    EXPECT_EQ(causesOf(merged({AccessKind::store}, 2)), Causes{DifferenceCause::movedLines});
    EXPECT_EQ(causesOf(merged({AccessKind::load, AccessKind::store}, 2)),
              Causes{DifferenceCause::movedLines});
    EXPECT_EQ(causesOf(merged({AccessKind::load}, 2)), Causes{DifferenceCause::unexplained})
        << "line 6 has what line 2 asks for: as many lanes may be chance";
    // What is known to stand elsewhere says nothing of a line that has fewer.
    CountedLaunch launch = merged({AccessKind::load}, 6);
    launch.predicted.push_back(line(9, AccessKind::load, 188, 2000, 6000));
    launch.predicted.back().array = "p";
    launch.predicted.back().address = AddressFormula{.start = 9};
    launch.compiled.push_back(line(9, AccessKind::load, 94, 1000, 3000));
    launch.compiled.back().array = "p";
    EXPECT_EQ(causesOf(launch),
              (Causes{DifferenceCause::movedLines, DifferenceCause::removedAccesses}));
}

TEST(LineComparison, WhatIsTakenOutOfALoopIsToldWhereItStands) {
    const ProgramSources program = sources();
    const auto load = [](std::uint32_t number, std::uint64_t requests, const char* array) {
        ProgramLine made = line(number, AccessKind::load, requests, requests, 32 * requests);
        made.array = array;
        return made;
    };
    CountedLaunch launch{.predicted = {load(3, 96, "a")}, .compiled = {load(2, 8, "a")}};
    const auto wordsAt = [&](std::uint32_t number) {
        std::string words;
        for (const LineDifference& each :
             LineComparison(program, launch)
                 .differences({.lessOptimized = changed(launch.predicted)}))
            if (each.line == number) words = each.words;
        return words.substr(words.find(": ") + 2);
    };
    EXPECT_EQ(wordsAt(2), "the compiled code asks here for what is written on line 3");
    EXPECT_EQ(wordsAt(3), "the compiled code asks for it on line 2");
    launch.predicted.push_back(load(6, 96, "a"));
    EXPECT_EQ(wordsAt(2), "the compiled code asks here for what is written on lines 3 and 6");
    EXPECT_EQ(wordsAt(3), "the optimiser's doing, no more is known");
    launch.predicted.back().array = "b";
    EXPECT_EQ(wordsAt(6), "the compiler leaves out what it has already, or nobody uses");
}

TEST(LineComparison, AStoreIsNeverTooEarlyAndTheSameLanesAreNoCopies) {
    const auto storeOf = [&](std::uint64_t requests, std::uint64_t lanes) {
        const ProgramLine asked = line(3, AccessKind::store, 8, 8, 256);
        return causeOf(
            {.predicted = {asked}, .compiled = {line(3, AccessKind::store, requests, 9, lanes)}},
            {.lessOptimized = changed({asked})});
    };
    EXPECT_EQ(storeOf(9, 288), DifferenceCause::unexplained);
    EXPECT_EQ(storeOf(8, 256), DifferenceCause::unexplained);
    EXPECT_EQ(storeOf(7, 256), DifferenceCause::unexplained) << "more at once";
    EXPECT_EQ(storeOf(9, 256), DifferenceCause::copiedCode);
}

TEST(LineComparison, SaysWhereTheOrderOfThreadsDecides) {
    const CountedLaunch launch{.predicted = {line(3, AccessKind::load, 4, 16, 128)},
                               .compiled = {line(3, AccessKind::load, 5, 16, 128)}};
    CountedLaunch traced = launch;
    traced.predicted[0].inOtherOrder = {9, 16};
    EXPECT_EQ(causeOf(traced, {}), DifferenceCause::schedule);
    traced.predicted[0].inOtherOrder = {4, 16};
    EXPECT_EQ(causeOf(traced, {}), DifferenceCause::unexplained);
    // The hardware alone may have taken the other order.
    traced.compiled = traced.predicted;
    traced.counted = {line(3, AccessKind::load, 4, 17, 0)};
    EXPECT_EQ(causeOf(traced, {}), DifferenceCause::unexplained);
    traced.predicted[0].inOtherOrder = {4, 17};
    EXPECT_EQ(causeOf(traced, {}), DifferenceCause::schedule);
}

TEST(LineComparison, HoldsTheHardwareAgainstThePtxByItsMachineCode) {
    const auto counted = [&](std::uint64_t requests, std::vector<std::string> sass) {
        const std::string load = "ld.shared.f32 %f1, [%rd1]";
        return CountedLaunch{
            .predicted = {line(3, AccessKind::sharedLoad, 8, 8, 256)},
            .compiled = {line(3, AccessKind::sharedLoad, 8, 8, 256)},
            .counted = {{line(3, AccessKind::sharedLoad, requests, 8, 0)}},
            .code = {{.file = "my.cu", .line = 3, .ptx = {load, load}, .sass = std::move(sass)}}};
    };
    EXPECT_EQ(causeOf(counted(8, {}), {}), DifferenceCause::none);
    EXPECT_EQ(causeOf(counted(4, {"LDS.64 R2, [R1]"}), {}), DifferenceCause::mergedAccesses);
    EXPECT_EQ(causeOf(counted(4, {"LDS R2, [R1]"}), {}), DifferenceCause::removedAccesses);
    EXPECT_EQ(causeOf(counted(9, {"@!P0 LDS R2, [R1]", "LDS R2, [R1]"}), {}),
              DifferenceCause::predication);
    EXPECT_EQ(causeOf(counted(9, {"LDS R2, [R1]", "LDS R2, [R1]"}), {}),
              DifferenceCause::unexplained);
}

TEST(LineComparison, WhatSeveralLinesCallIsCountedWhereItStands) {
    const auto atomic = [](const char* file, std::uint32_t at, std::uint64_t requests) {
        ProgramLine one;
        one.place = {file, at, 1};
        one.kind = AccessKind::atomic;
        one.requests = requests;
        return one;
    };
    CountedLaunch launch;
    launch.predicted = launch.compiled = {atomic("dir/my.cu", 2, 5), atomic("dir/my.cu", 3, 7)};
    launch.counted = {atomic("/usr/include/atomics.hpp", 107, 12)};
    launch.reordered = "out";
    const ProgramSources program = sources();
    const auto found = LineComparison(program, launch).differences({});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].cause, DifferenceCause::movedLines);
    EXPECT_NE(found[0].words.find("counted at line 107 of atomics.hpp"), std::string::npos);
    launch.counted = {atomic("/usr/include/atomics.hpp", 107, 11)};
    EXPECT_EQ(LineComparison(program, launch).differences({})[0].cause, DifferenceCause::schedule);
}

TEST(LineComparison, AnArrayInAnotherOrderShowsThatThreadsDecide) {
    CountedLaunch launch{.predicted = {line(3, AccessKind::store, 8, 7, 256)},
                         .compiled = {line(3, AccessKind::store, 8, 7, 256)},
                         .counted = {{line(3, AccessKind::store, 8, 8, 0)}}};
    EXPECT_EQ(causeOf(launch, {}), DifferenceCause::unexplained);
    launch.reordered = "out";
    EXPECT_EQ(causeOf(launch, {}), DifferenceCause::schedule);
}

TEST(LineComparison, CodeOfALibraryIsKnownByItsCallTakenOut) {
    const CountedLaunch launch{.predicted = {},
                               .compiled = {line(3, AccessKind::atomic, 2, 0, 2)},
                               .counted = {{line(3, AccessKind::atomic, 2, 0, 2)}}};
    EXPECT_EQ(causeOf(launch, {}), DifferenceCause::unexplained);
    EXPECT_EQ(causeOf(launch, {.notCalled = changed({})}), DifferenceCause::libraryCode);
    EXPECT_EQ(causeOf(launch, {.notCalled = changed(launch.compiled)}),
              DifferenceCause::unexplained);
}

TEST(LineComparison, WhatMovedIntoACallIsNoLibrarysCode) {
    const CountedLaunch launch{.predicted = {line(2, AccessKind::load, 4, 16, 128)},
                               .compiled = {line(3, AccessKind::load, 4, 16, 128)}};
    const ProgramSources program = sources();
    for (const LineDifference& each :
         LineComparison(program, launch)
             .differences({.notCalled = changed({}), .lessOptimized = changed(launch.predicted)}))
        EXPECT_EQ(each.cause, DifferenceCause::movedLines) << each.line;
}

TEST(WithoutCalls, TakesStatementsThatAreNothingButACall) {
    const std::string source = "{ grid.sync(); }\na[i] = f(b);\ng::h(a,\n  b);\nif (f()) k();\n";
    EXPECT_EQ(withoutCalls(source, {1, 2, 3, 5}),
              "{            ; }\na[i] = f(b);\n       \n    ;\nif (f()) k();\n");
    EXPECT_EQ(withoutCalls(source, {2}), source);
}

TEST(VolatileParameters, StayAsTheyAreWhereTheyAreHandedOn) {
    EXPECT_EQ(withVolatileParameters("__global__ void k(int* a, int* b) { a[next(b)] = 1; }"),
              "__global__ void k(int volatile * a, int* b) { a[next(b)] = 1; }");
}

TEST(VolatileParameters, AreThoseOfKernelsAlone) {
    EXPECT_EQ(withVolatileParameters("void h(int* a);\n__global__ void __launch_bounds__(64) "
                                     "k(const float* __restrict__ a, int n, T** t) {}"),
              "void h(int* a);\n__global__ void __launch_bounds__(64) k(const float volatile * "
              "__restrict__ a, int n, T volatile ** t) {}");
}

}  // namespace
}  // namespace warplens
