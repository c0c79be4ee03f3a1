#include <gtest/gtest.h>

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
