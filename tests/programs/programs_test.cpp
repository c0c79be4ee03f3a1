// Every program of this folder is traced. What its lines must come to stands behind them:
//   //= load a requests=32 sectors=125      all launches together; `-` stands for no array;
//                                           other=64: the requests in another order of threads;
//                                           compiled=16: those of the optimized PTX
//   //! out_of_bounds: load from a[32]      a finding of this kind at this line (findings/), whose
//                                           words begin so
// Nothing else may be found.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include "core/launch/launch.h"
#include "core/text/encoding.h"
#include "kernels/programs/program_build.h"
#include "kernels/programs/program_halves.h"
#include "kernels/programs/trace_program.h"
#include "tests/programs/own_cache.h"
#include "tests/support/refusal.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> programsIn(const std::string& folder) {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(fs::path(PROGRAM_FOLDER) / folder)) {
        if (entry.path().extension() == ".cu") found.push_back(entry.path().string());
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<std::string> linesOf(const std::string& path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

struct ExpectedCounts final {
    std::uint32_t line = 0;
    std::string kind;   ///< as `nameOf` has it
    std::string array;  ///< empty for a branch
    std::map<std::string, std::uint64_t> counts;
};

/// `load a requests=32 sectors=125`
ExpectedCounts expectedCounts(std::uint32_t line, const std::string& words) {
    std::istringstream rest(words);
    ExpectedCounts expected;
    expected.line = line;
    rest >> expected.kind >> expected.array;
    if (expected.array == "-") expected.array.clear();
    for (std::string word; rest >> word;) {
        const std::size_t equals = word.find('=');
        if (equals == word.npos) throw std::runtime_error("no count: " + words);
        expected.counts[word.substr(0, equals)] = std::stoull(word.substr(equals + 1));
    }
    return expected;
}

std::vector<ExpectedCounts> expectationsIn(const std::string& path) {
    std::vector<ExpectedCounts> all;
    std::uint32_t number = 0;
    for (const std::string& line : linesOf(path)) {
        ++number;
        for (std::size_t at = line.find("//="); at != line.npos; at = line.find("//=", at + 3)) {
            all.push_back(
                expectedCounts(number, line.substr(at + 3, line.find("//", at + 3) - at - 3)));
        }
    }
    return all;
}

/// Of all launches together.
std::map<std::string, std::uint64_t> countsOf(const ProgramTrace& trace,
                                              const ExpectedCounts& expected) {
    std::map<std::string, std::uint64_t> counts;
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            if (line.place.line != expected.line || nameOf(line.kind) != expected.kind ||
                line.array != expected.array) {
                continue;
            }
            if (line.source == Source::compiled) {
                counts["compiled"] += line.requests;
                counts["compiledDivergent"] += line.divergent;
            }
            if (line.source != Source::predicted) continue;
            counts["requests"] += line.requests;
            counts["other"] += line.inOtherOrder ? line.inOtherOrder->requests : 0;
            counts["sectors"] += line.sectors;
            counts["ideal"] += line.idealSectors;
            counts["wavefronts"] += line.wavefronts;
            counts["lanes"] += line.activeLanes;
            counts["divergent"] += line.divergent;
            counts["same"] = std::max<std::uint64_t>(counts["same"], line.mostSameAddress);
        }
    }
    return counts;
}

void expectCounts(const std::string& path, const ProgramTrace& trace) {
    for (const ExpectedCounts& expected : expectationsIn(path)) {
        std::map<std::string, std::uint64_t> counts = countsOf(trace, expected);
        for (const auto& [name, count] : expected.counts) {
            EXPECT_EQ(counts[name], count) << "line " << expected.line << ": " << name << " of "
                                           << expected.kind << ' ' << expected.array;
        }
    }
}

class Programs : public testing::TestWithParam<std::string> {};

TEST_P(Programs, PassTheirOwnCheckAndComeToWhatTheirLinesSay) {
    useOwnCache();
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    TraceRequest request;
    request.source.files = {GetParam()};
    const ProgramTrace trace = traceProgram(request).trace;
    EXPECT_EQ(trace.exit.status, 0) << trace.exit.signal << trace.exit.output;
    EXPECT_NE(trace.exit.output.find("ok"), std::string::npos) << trace.exit.output;
    ASSERT_FALSE(trace.launches.empty());
    const std::vector<std::string> lines = linesOf(GetParam());
    for (const LaunchReport& launch : trace.launches) {
        EXPECT_TRUE(launch.exact) << launch.kernel;
        ASSERT_NE(launch.place.line, 0u) << launch.kernel;
        const std::string& line = lines.at(launch.place.line - 1);
        const std::string name = launch.kernel.substr(0, launch.kernel.find('<'));
        EXPECT_TRUE(line.find("<<<") != line.npos || line.find("Launch") != line.npos ||
                    trimmed(line) == name)
            << launch.kernel << " is launched at " << line;
    }
    for (const Finding& finding : trace.findings) {
        const std::string line = finding.place.line == 0 ? "" : lines.at(finding.place.line - 1);
        if (line.find("//! " + std::string(toString(finding.kind))) != line.npos) continue;
        ADD_FAILURE() << finding.place.line << ": " << toString(finding.kind) << ": "
                      << finding.words;
    }
    expectCounts(GetParam(), trace);
}

/// Those whose host's half can be cut out.
std::vector<std::string> plainPrograms() {
    std::vector<std::string> plain;
    for (const char* folder : {".", "findings", "more"}) {
        for (std::string& path : programsIn(folder)) {
            std::ostringstream text;
            text << std::ifstream(path).rdbuf();
            if (programs::halvesOf(text.str(), path)) plain.push_back(std::move(path));
        }
    }
    return plain;
}

/// Without columns in lines with a kernel's head: nvcc counts there what it makes of `__global__`.
std::vector<ProgramLine> comparable(std::vector<ProgramLine> lines, const std::string& path) {
    const std::vector<std::string> text = linesOf(path);
    for (ProgramLine& line : lines) {
        const bool isHead = line.place.line != 0 && line.place.line <= text.size() &&
                            text[line.place.line - 1].find("__global__") != std::string::npos;
        if (isHead) line.place.column = 0;
    }
    return lines;
}

class PlainPrograms : public testing::TestWithParam<std::string> {};

TEST_P(PlainPrograms, ComeToTheSameWholeAndWithTheirHostsHalfCutOut) {
    useOwnCache();
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    TraceRequest request;
    request.source.files = {GetParam()};
    request.source.defines = {"TEST=" + std::to_string(getpid())};  // built now
    const programs::CudaCompiler compiler = *programs::findCudaCompiler();
    // Newer ones cannot compile their own dot products with -G, and do not get that far.
    const std::vector<std::string> text = linesOf(GetParam());
    const bool isRefused =
        versionOf(compiler) > "13.0" && std::ranges::any_of(text, [](const std::string& line) {
            return line.find("__dp4a") != line.npos;
        });
    EXPECT_NE(programs::buildProgram(request.source, compiler, request.computeCapability).isCut,
              isRefused);
    const ProgramTrace cut = traceProgram(request).trace;
    request.source.isWhole = true;
    const ProgramTrace whole = traceProgram(request).trace;
    EXPECT_EQ(cut.exit, whole.exit);
    EXPECT_EQ(cut.findings, whole.findings);
    EXPECT_EQ(cut.notes, whole.notes);
    ASSERT_EQ(cut.launches.size(), whole.launches.size());
    // Where the host has its memory differs from run to run.
    const bool isOfHost = std::ranges::any_of(whole.findings, [](const Finding& finding) {
        return finding.kind == FindingKind::hostPointer;
    });
    for (std::size_t at = 0; at < cut.launches.size(); ++at) {
        if (!isOfHost) {
            EXPECT_EQ(comparable(cut.launches[at].lines, GetParam()),
                      comparable(whole.launches[at].lines, GetParam()));
        }
        EXPECT_EQ(cut.launches[at].place, whole.launches[at].place);
        EXPECT_EQ(cut.launches[at].arguments, whole.launches[at].arguments);
    }
}

TEST(ProgramHalves, AreForNvrtcWhereItsHeaderMakesNoDifference) {
    const std::string before =
        "#include <cstdio>\nconst int n = 8;\n__device__ int twice(int i) { return 2 * i; }\n";
    const std::string behind =
        "}\nstatic void check(int i) {\n  std::printf(\"%d\", i);\n}\n"
        "int main() {\n  k<<<1, n>>>(nullptr);\n  check(n);\n}\n";
    const auto deviceOf = [&](const std::string& body) {
        const auto halves =
            programs::halvesOf(before + "__global__ void k(int* a) {\n" + body + behind, "a.cu");
        EXPECT_TRUE(halves) << body;
        return halves ? halves->device : "none";
    };
    const std::string device = deviceOf("  a[n] = twice(n);\n");
    EXPECT_EQ(device,
              "\nconst int n = 8;\n__device__ int twice(int i) { return 2 * i; }\n"
              "__global__ void k(int* a) {\n  a[n] = twice(n);\n}\n" +
                  std::string(7, '\n'));
    for (const char* differs : {"  atomicAdd(a, 1);\n", "  printf(\"%d\", n);\n",
                                "  a[0] = pow(2.0f, n);\n", "  a[0] = __float_as_int(2.0f);\n"})
        EXPECT_EQ(deviceOf(differs), "") << differs;
}

TEST(ProgramHalves, LeaveGroupsToTheDevice) {
    const auto halves = programs::halvesOf(
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
        "__global__ void k(int* a) {\n  cg::this_thread_block().sync();\n}\n"
        "int main() {\n  k<<<1, 1>>>(nullptr);\n}\n",
        "a.cu");
    ASSERT_TRUE(halves);
    EXPECT_EQ(halves->host.find("cooperative"), std::string::npos) << halves->host;
    EXPECT_EQ(halves->device, "");
}

class FaultyPrograms : public testing::TestWithParam<std::string> {};

TEST_P(FaultyPrograms, AreToldWhatIsWrongAtItsLine) {
    useOwnCache();
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    TraceRequest request;
    request.source.files = {GetParam()};
    const ProgramTrace trace = traceProgram(request).trace;
    std::uint32_t number = 0;
    std::size_t marks = 0;
    for (const std::string& line : linesOf(GetParam())) {
        ++number;
        for (std::size_t at = line.find("//!"); at != std::string::npos;
             at = line.find("//!", at + 3)) {
            ++marks;
            const std::size_t begin = line.find(' ', at) + 1;
            const std::string rest = line.substr(begin, line.find(" //!", at) - begin);
            const std::string kind = rest.substr(0, rest.find(':'));
            const std::string words = rest.substr(std::min(rest.size(), kind.size() + 2));
            const bool told = std::any_of(
                trace.findings.begin(), trace.findings.end(), [&](const Finding& finding) {
                    return finding.place.line == number && toString(finding.kind) == kind &&
                           finding.words.starts_with(words);
                });
            EXPECT_TRUE(told) << "line " << number << ": no " << rest;
        }
    }
    EXPECT_NE(marks, 0u);
    expectCounts(GetParam(), trace);
    EXPECT_EQ(trace.findings.size(), marks);
    for (const Finding& finding : trace.findings) {
        SCOPED_TRACE(std::to_string(finding.place.line) + ' ' + finding.words);
        EXPECT_FALSE(finding.words.empty());
    }
}

TEST(SeveralFiles, WhatAFileCallsIsCompiledWithIt) {
    useOwnCache();
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    TraceRequest request;
    request.source.files = {fs::path(PROGRAM_FOLDER) / "several" / "main.cu"};
    for (const char* how : {"compiled", "known"}) {
        SCOPED_TRACE(how);
        const ProgramTrace trace = traceProgram(request).trace;
        EXPECT_EQ(trace.exit.output, "ok\n");
        ASSERT_EQ(trace.launches.size(), 1u);
        EXPECT_EQ(fs::path(trace.launches[0].place.file).filename(), "sums.cu");
        EXPECT_EQ(trace.launches[0].place.line, 12u);
        EXPECT_TRUE(trace.findings.empty());
        ASSERT_EQ(trace.notes.size(), 1u);
        EXPECT_EQ(trace.notes[0],
                  "compiled with it, since it calls what is in there: sums.cu, copies.cpp");
    }
}

TEST(ManyLaunches, EachLineHasTheReasonOfItsOwnLaunch) {
    useOwnCache();
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    TraceRequest request;
    request.source.files = {fs::path(PROGRAM_FOLDER) / "several_launches" / "strides.cu"};
    const ProgramTrace trace = traceProgram(request).trace;
    ASSERT_EQ(trace.launches.size(), 30u) << trace.exit.output;
    for (const LaunchReport& launch : trace.launches) {
        const std::string apart = std::to_string(8 << launch.index % 3) + " bytes apart";
        ASSERT_FALSE(launch.lines.empty());
        EXPECT_NE(launch.lines[0].reason.find(apart), std::string::npos) << launch.lines[0].reason;
        EXPECT_EQ(launch.lines[0].reason, trace.launches[launch.index % 3].lines[0].reason);
    }
}

ProgramTrace traceOfKernels(const TraceRequest& request) {
    useOwnCache();
    return traceProgram(request).trace;
}

TraceRequest kernelsOnly() {
    TraceRequest request;
    request.source.files = {fs::path(PROGRAM_FOLDER) / "without_main" / "kernels.cu"};
    return request;
}

TEST(WithoutMain, EachKernelIsLaunchedWithWhatItsParametersSuggest) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    const ProgramTrace trace = traceOfKernels(kernelsOnly());
    ASSERT_EQ(trace.launches.size(), 2u) << trace.exit.output;
    EXPECT_EQ(trace.exit.status, 0) << trace.exit.output;
    EXPECT_TRUE(trace.findings.empty()) << trace.findings.front().words;
    EXPECT_EQ(trace.launches[0].kernel, "axpy");
    EXPECT_EQ(trace.launches[0].place.line, 2u);
    EXPECT_EQ(trace.launches[0].launch.grid.count() * trace.launches[0].launch.block.count(),
              1024u);
    EXPECT_EQ(trace.launches[1].kernel, "shapes::transpose");
    EXPECT_EQ(trace.launches[1].launch.block.y, 16u);
    ASSERT_EQ(trace.notes.size(), 3u);
    EXPECT_EQ(trace.notes[0],
              "no program launches axpy: launched with a = 1; n = 1000; x: n elements, random; y: "
              "n elements, random");
    EXPECT_EQ(trace.notes[2],
              "not launched: filled is a template: nothing says what it is launched with");
}

TEST(WithoutMain, NumbersBlocksAndArraysAreAsWished) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    TraceRequest request = kernelsOnly();
    request.kernel = "axpy";
    request.source.settings = {"n=100"};
    request.source.launch.arrays["x"] = {"n/2", "ramp"};
    request.block = Extents{32, 1, 1};
    const ProgramTrace trace = traceOfKernels(request);
    ASSERT_EQ(trace.launches.size(), 1u);
    EXPECT_EQ(trace.launches[0].launch.grid, (Extents{4, 1, 1}));
    EXPECT_EQ(trace.launches[0].launch.block, (Extents{32, 1, 1}));
    EXPECT_FALSE(trace.launches[0].overridden);
    ASSERT_FALSE(trace.findings.empty());
    EXPECT_EQ(trace.findings[0].kind, FindingKind::outOfBounds) << trace.findings[0].words;
}

TEST(WithoutMain, WishesThatCannotBeAreRefusedBeforeAnythingIsCompiled) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    const auto refusalOf = [](const std::string& setting) -> std::string {
        TraceRequest request = kernelsOnly();
        request.kernel = "axpy";
        request.source.settings = {setting};
        try {
            (void)traceOfKernels(request);
        } catch (const InvalidRequest& refused) {
            return refused.what();
        }
        return "none";
    };
    const std::string limit = ": a whole number from 0 to 2147483647, as int holds them";
    EXPECT_EQ(refusalOf("n=abc"), "n = abc" + limit);
    EXPECT_EQ(refusalOf("n=-1"), "n = -1" + limit);
    EXPECT_EQ(refusalOf("n=5000000000"), "n = 5000000000" + limit);
    EXPECT_NE(refusalOf("q=3").find("--set = 'q': one of a "), std::string::npos)
        << refusalOf("q=3");
}

TEST(WithoutMain, ArraysThatCannotBeMadeAreToldByWhatWasAskedFor) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    const auto refusalOf = [](const source::ArrayWish& wish, const char* a = "1") -> std::string {
        TraceRequest request = kernelsOnly();
        request.kernel = "axpy";
        request.source.settings = {std::string("a=") + a};
        request.source.launch.arrays["x"] = wish;
        try {
            (void)traceOfKernels(request);
        } catch (const InvalidRequest& refused) {
            return refused.what();
        }
        return "none";
    };
    const auto undeclared = [](const std::string& name) {
        return "identifier \"" + name + "\" is undefined";
    };
    EXPECT_EQ(refusalOf({"n*", ""}), "array x = 'n*,random': expected an expression");
    EXPECT_EQ(refusalOf({"(n", "ramp"}).substr(0, 28), "array x = '(n,ramp': expecte");
    EXPECT_EQ(refusalOf({"count", ""}), "array x = 'count,random': " + undeclared("count"));
    EXPECT_EQ(refusalOf({"n-n*2", ""}), "array x = 'n-n*2,random': -1000 elements: at least 0");
    EXPECT_EQ(refusalOf({"n*n*n*n", ""}),
              "array x = 'n*n*n*n,random': no room for 1000000000000 elements");
    EXPECT_EQ(refusalOf({"", "@none"}),
              "array x = 'n,@none': cannot read none: No such file or directory");
    EXPECT_EQ(refusalOf({"", "noise"}),
              "array x = 'n,noise': filled with random, ramp, a number or @FILE");
    EXPECT_EQ(refusalOf({}, "b"), "a = 'b': " + undeclared("b"));
    EXPECT_EQ(refusalOf({"2*n", "-0.5"}, "n"), "a = 'n': " + undeclared("n"));
    EXPECT_EQ(refusalOf({"2*n", "-0.5"}), "none");
}

TEST(WithoutMain, NothingIsFoundInTheMainThatWasProposed) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    TraceRequest request = kernelsOnly();
    request.source.launch.arrays["x"].elements = "0";  // a null pointer ends the program
    const ProgramTrace trace = traceOfKernels(request);
    ASSERT_EQ(trace.findings.size(), 1u);
    EXPECT_EQ(trace.findings[0].kind, FindingKind::wildPointer) << trace.findings[0].words;
    EXPECT_EQ(trace.findings[0].place.line, 4u);
}

TEST(WithoutMain, FunctionsThatLaunchAreCalledAndNoKernelBesideThem) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    TraceRequest request;
    request.source.files = {fs::path(PROGRAM_FOLDER) / "without_main" / "exercise.cu"};
    request.source.settings = {"N=20"};
    const ProgramTrace trace = traceOfKernels(request);
    EXPECT_EQ(trace.exit.status, 0) << trace.exit.output;
    EXPECT_TRUE(trace.findings.empty()) << trace.findings.front().words;
    ASSERT_EQ(trace.launches.size(), 3u);
    EXPECT_EQ(trace.launches[0].kernel, "transpose<8>");
    EXPECT_EQ(trace.launches[0].launch.grid, (Extents{3, 3, 1}));
    EXPECT_EQ(trace.launches[0].place.line, 21u);
    EXPECT_EQ(trace.launches[1].launch.grid, (Extents{2, 1, 1}));
    EXPECT_EQ(trace.launches[2].place.line, 15u);
    ASSERT_EQ(trace.notes.size(), 2u);
    EXPECT_EQ(trace.notes[0],
              "no program calls solve: called with N = 20; input: N*N elements, random; output: "
              "N*N elements, random");
    EXPECT_EQ(trace.notes[1],
              "no program calls scaleOnHost: called with count = 60; values: count*count "
              "elements, random");
}

TEST(WithoutMain, WhatIsProposedIsToldOneByOne) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    TraceRequest request = kernelsOnly();
    request.kernel = "axpy";
    request.source.launch.arrays["x"].fill = "ramp";
    useOwnCache();
    const std::vector<ProposedValue> proposed = traceProgram(request).proposed;
    const std::vector<ProposedValue> wanted{
        {"axpy", ProposedKind::number, "a", "1"},   {"axpy", ProposedKind::number, "n", "1000"},
        {"axpy", ProposedKind::block, "", "256"},   {"axpy", ProposedKind::grid, "", ""},
        {"axpy", ProposedKind::elements, "x", "n"}, {"axpy", ProposedKind::fill, "x", "ramp"},
        {"axpy", ProposedKind::elements, "y", "n"}, {"axpy", ProposedKind::fill, "y", "random"}};
    EXPECT_EQ(proposed, wanted);
}

TEST(WithoutMain, WhatNoKernelHasIsRefused) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    TraceRequest request = kernelsOnly();
    request.source.settings = {"m=100"};
    const std::string why = tests::refusal<InvalidRequest>([&] { (void)traceOfKernels(request); });
    EXPECT_EQ(why, "--set = 'm': one of a height in n out value width x y");
}

std::string nameOf(const testing::TestParamInfo<std::string>& program) {
    std::string name = fs::path(program.param).stem().string();
    std::replace_if(
        name.begin(), name.end(),
        [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(All, Programs, testing::ValuesIn(programsIn(".")), nameOf);
INSTANTIATE_TEST_SUITE_P(More, PlainPrograms, testing::ValuesIn(plainPrograms()), nameOf);
INSTANTIATE_TEST_SUITE_P(More, Programs, testing::ValuesIn(programsIn("more")), nameOf);
INSTANTIATE_TEST_SUITE_P(All, FaultyPrograms, testing::ValuesIn(programsIn("findings")), nameOf);

}  // namespace
}  // namespace warplens
