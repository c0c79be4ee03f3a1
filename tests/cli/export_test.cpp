#include <gtest/gtest.h>
#include <map>

#include "core/program/page_document.h"
#include "core/text/encoding.h"
#include "tests/cli/program.h"

namespace warplens::tests {
namespace {

TEST(Export, AHostedPageOpensTheSceneThatIsWritten) {
    const ProgramRun run =
        runShell("\"$WARPLENS\" export matadd-swapped --block 32x8 -o data.json && cat data.json");
    ASSERT_EQ(run.exitCode, 0) << run.errors;
    const PageDocument page = pageDocumentFromJson(run.output);
    EXPECT_NE(page.scene.find("matadd-swapped"), std::string::npos);
    EXPECT_NE(page.scene.find("32,8"), std::string::npos) << page.scene;
    EXPECT_FALSE(page.program);
}

TEST(Export, WantsANameThatEndsInHtmlOrJson) {
    const ProgramRun run = runProgram("export matadd-swapped -o page.pdf");
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.errors.find("--output = 'page.pdf'"), std::string::npos) << run.errors;
}

TEST(Export, RefusesWhatOnlyPicturesHave) {
    for (const auto& [options, says] :
         {std::pair{"--theme light", "--theme = given: of pictures"},
          {"--page 2", "--page, --answer, --guess = given: of pictures"},
          {"--answer", "an exported lesson opens at its question"}}) {
        const ProgramRun run =
            runShell("\"$WARPLENS\" export access-stride -o p.json " + std::string(options));
        EXPECT_EQ(run.exitCode, 2) << options;
        EXPECT_NE(run.errors.find(says), std::string::npos) << run.errors;
    }
}

TEST(Export, ACoursesPageCarriesItsKernelsWithTheirPtxAndItsLessons) {
    const ProgramRun run =
        runShell("\"$WARPLENS\" export '" EXAMPLE_COURSE "' -o data.json && cat data.json");
    if (run.exitCode == 3) GTEST_SKIP() << run.errors;
    ASSERT_EQ(run.exitCode, 0) << run.errors;
    const PageDocument page = pageDocumentFromJson(run.output);
    EXPECT_NE(page.scene.find("example-course/rows"), std::string::npos) << page.scene;
    ASSERT_TRUE(page.course);
    EXPECT_EQ(page.course->name, "example-course");
    std::map<std::string, std::string> files;
    for (const ProgramFile& file : page.course->files) files[file.path] = file.text;
    for (const char* kept : {"mirror.cu", "ptx/mirror.debug.ptx", "ptx/mirror.optimized.ptx",
                             "lessons/rows.json", "lessons/mirror.json"})
        EXPECT_FALSE(files[kept].empty()) << kept;
    EXPECT_NE(files["ptx/mirror.optimized.ptx"].find(".entry"), std::string::npos);
}

TEST(Export, OfACourseSaysHowManyFaultsItHas) {
    const ProgramRun run =
        runShell("cp -r '" EXAMPLE_COURSE
                 "' course && \"$WARPLENS\" export course -o right.json && "
                 "sed -i 's/\"group\": /\"gruop\": /' course/lessons/columns.json && "
                 "\"$WARPLENS\" export course -o wrong.json");
    if (run.exitCode == 3) GTEST_SKIP() << run.errors;
    ASSERT_EQ(run.exitCode, 0) << run.errors;
    const std::size_t said = run.errors.find("the course has ");
    ASSERT_NE(said, std::string::npos) << run.errors;
    EXPECT_NE(run.errors.find("`warplens check ", said), std::string::npos) << run.errors;
    EXPECT_EQ(run.errors.find("the course has ", said + 1), std::string::npos) << run.errors;
}

TEST(Export, AClassPageListsTheLessonsInOrder) {
    const ProgramRun run = runShell(
        "\"$WARPLENS\" export -o site/ && test -s site/lessons.html && "
        "grep -o 'lessons.html#lesson/[a-z0-9-]*' site/index.html | sed 's,.*/,,' >listed && "
        "\"$WARPLENS\" lesson --json | sed -n 's/^      \"id\": \"\\(.*\\)\",$/\\1/p' >known && "
        "diff known listed && wc -l <listed");
    if (run.exitCode == 3) GTEST_SKIP() << run.errors;
    ASSERT_EQ(run.exitCode, 0) << run.output << run.errors;
    EXPECT_GT(std::stoi(run.output), 40);
}

TEST(Export, APageWithTooMuchTraceIsRefused) {
    const ProgramRun run = runShell(
        "cat >long.cu <<'END'\n"
        "__global__ void sums(const float* in, float* out, int n) {\n"
        "    float sum = 0;\n"
        "    for (int i = threadIdx.x; i < n; i += 7) sum += in[(i * 97) % n];\n"
        "    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;\n"
        "}\n"
        "int main() {\n"
        "    const int n = 60000;\n"
        "    float *in, *out;\n"
        "    cudaMalloc(&in, n * sizeof(float));\n"
        "    cudaMalloc(&out, 4096 * sizeof(float));\n"
        "    cudaMemset(in, 0, n * sizeof(float));\n"
        "    sums<<<3, 1024>>>(in, out, n);\n"
        "    return cudaDeviceSynchronize();\n"
        "}\n"
        "END\n"
        "\"$WARPLENS\" export long.cu -o page.html; code=$?; test ! -e page.html && exit $code");
    if (run.exitCode == 3) GTEST_SKIP() << run.errors;
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_NE(run.errors.find("bytes of trace, at most 50331648"), std::string::npos) << run.errors;
}

/// The page names the file as it is called in its folder, with what else it is made of.
TEST(Export, AProgramInAnotherFolderIsReadWhereItIs) {
    const ProgramRun run = runShell(R"(
        mkdir -p slides include
        echo '#define N 32' > include/size.h
        printf '#include "size.h"\n__global__ void k(int* a) { a[threadIdx.x] = N; }\n' > slides/k.cu
        "$WARPLENS" export slides/k.cu -I include -o data.json && cat data.json)");
    if (run.exitCode == 3) GTEST_SKIP() << run.errors;
    ASSERT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_NE(run.output.find("\"k.cu\""), std::string::npos);
    EXPECT_EQ(run.output.find("slides"), std::string::npos);
}

TEST(Export, WantsSomethingToShow) {
    const ProgramRun run = runProgram("export -o page.html");
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.errors.find("a scenario, a lesson or a .cu file"), std::string::npos)
        << run.errors;
}

TEST(Base64, OfAllLengthsComesBack) {
    std::vector<std::byte> bytes;
    for (unsigned i = 0; i < 300; ++i) {
        EXPECT_EQ(fromBase64(toBase64(bytes)), bytes) << i;
        bytes.push_back(static_cast<std::byte>(i * 37));
    }
    EXPECT_EQ(toBase64(std::as_bytes(std::span("Man", 3))), "TWFu");
    EXPECT_FALSE(fromBase64("TWF?"));
}

TEST(PageDocument, StepsOfABlockComeBack) {
    BlockSteps steps;
    steps.launch = 3;
    steps.block = {1, 2, 0};
    PageDocument page;
    page.program.emplace();
    page.program->lines = {"// \x1b[0m", "int i;"};
    page.program->trace.program = "own.cu";
    for (int i = 0; i < 2000; ++i) page.program->steps.push_back(pageStepsOf(steps));
    const PageDocument read = pageDocumentFromJson(toPageJson(page));
    EXPECT_EQ(read.program->steps, page.program->steps);
    EXPECT_EQ(blockStepsOf(read.program->steps.front()).block, steps.block);
}

}  // namespace
}  // namespace warplens::tests
