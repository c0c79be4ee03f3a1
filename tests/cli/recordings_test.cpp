#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/measurement/recording.h"
#include "core/text/files.h"
#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens {
namespace {

using namespace tests;

TEST(Recordings, ThatAreDamagedAreNamedAndTheOthersOffered) {
    const tests::TemporaryFolder folder;
    const Measurement measurement =
        tests::scriptedMeasurement(initialExperiment(scenarioNamed("branch-by-warp")));
    const std::string text = toRecordingText(measurement);
    save(measurement, folder.path() / "good.json");
    writeFileAtomically(folder.path() / "cut.json", text.substr(0, text.size() / 2));
    writeFileAtomically(folder.path() / "empty.json", "");
    std::filesystem::create_directory(folder.path() / "folder.json");
    ASSERT_EQ(::mkfifo((folder.path() / "pipe.json").c_str(), 0600), 0);
    writeFileAtomically(folder.path() / "nested.json",
                        "{\"warplens_recording\":1,\"digest\":\"\",\"measurement\":" +
                            std::string(4'000'000, '[') + std::string(4'000'000, ']') + '}');
    Measurement unknownSize = measurement;
    unknownSize.experiment.arguments.set("rows", 3);
    save(unknownSize, folder.path() / "size.json");
    Measurement escaping = measurement;
    escaping.experiment.arguments.set("\x1b[2J" + std::string(9000, 'x'), 3);
    save(escaping, folder.path() / "escaping.json");
    Measurement withoutSize = measurement;
    withoutSize.experiment.arguments = {};
    save(withoutSize, folder.path() / "without.json");

    const ProgramRun run = runProgram("list --recordings " + folder.path().string());
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_NE(run.output.find("(scripted worker, 2000-01-01)"), std::string::npos);
    EXPECT_NE(run.errors.find("warplens: cut.json: not JSON, or cut off\n"), std::string::npos);
    EXPECT_NE(run.errors.find("warplens: empty.json: not JSON, or cut off\n"), std::string::npos);
    EXPECT_NE(run.errors.find("escaping.json:  [2Jxxx"), std::string::npos);
    EXPECT_EQ(run.errors.find('\x1b'), std::string::npos) << "a terminal would obey it";
    EXPECT_NE(run.errors.find("folder.json: Is a directory\n"), std::string::npos);
    EXPECT_NE(run.errors.find("warplens: pipe.json: a pipe or device, no file\n"),
              std::string::npos);
    EXPECT_NE(run.errors.find("warplens: nested.json: nested deeper than 64 levels\n"),
              std::string::npos);
    EXPECT_NE(run.errors.find("warplens: size.json: rows = 3: this kernel has only n\n"),
              std::string::npos);
    EXPECT_NE(
        run.errors.find("warplens: without.json: a problem size is missing; record it again\n"),
        std::string::npos)
        << run.errors;
}

}  // namespace
}  // namespace warplens
