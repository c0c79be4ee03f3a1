#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <ostream>

#include "tests/cli/program.h"

namespace warplens {
namespace {

using namespace tests;
using Json = nlohmann::json;

/// What the other lines use: a data folder of their own, `packages`, which holds what looks like
/// NVIDIA's packages of one nvcc that says its version, and `setup`, with the licence accepted.
const std::string begin = R"(
export XDG_DATA_HOME="$PWD/data"
unset CUDA_HOME CUDA_PATH
mkdir -p packages/nvidia/cu13/bin packages/nvidia/cu13/nvvm/bin packages/nvidia/cu13/include/crt
mkdir -p packages/nvidia/cudnn/lib packages/nvidia/cu13/lib
cd packages/nvidia/cu13
printf '#!/bin/sh\necho "Cuda compilation tools, release 13.9, V13.9.1"\n' > bin/nvcc
touch bin/nvcc.profile bin/cudafe++ bin/ptxas nvvm/bin/cicc include/cuda_runtime.h
touch include/crt/host_config.h lib/libnvrtc.so.13 lib/libcublas.so.13 ../cudnn/lib/libcudnn.so.9
chmod +x bin/nvcc
cd ../../..
setup() { WARPLENS_ACCEPT_CUDA_EULA=1 "$WARPLENS" setup-compiler "$@"; }
)";
/// Lists what is left in the data folder.
const std::string left =
    "\nfind data -type f | sed 's|.*/||' | sort | xargs echo; ls data/warplens";

TEST(SetupCompiler, NamesLicenceAndSizeAndAsks) {
    const ProgramRun run = runShell(begin + "\"$WARPLENS\" setup-compiler; echo $?; ls");
    EXPECT_EQ(run.output, "3\npackages\n") << "nothing was made";
    EXPECT_NE(run.errors.find("This fetches NVIDIA's compiler (178 MiB with pip, 485 MiB on the "
                              "disk) into "),
              std::string::npos)
        << run.errors;
    EXPECT_NE(run.errors.find("End User License Agreement"), std::string::npos) << run.errors;
    EXPECT_NE(run.errors.find("WARPLENS_ACCEPT_CUDA_EULA=1"), std::string::npos) << run.errors;
}

TEST(SetupCompiler, TakesOfUnpackedPackagesWhatBelongsToTheCompiler) {
    const ProgramRun run = runShell(begin + "setup --from packages --json" + left +
                                    "\n\"$WARPLENS\" doctor | grep -A1 '^nvcc'");
    const Json tree = Json::parse(run.output.substr(0, run.output.rfind("\n}") + 2));
    EXPECT_EQ(tree["done"], "set up");
    EXPECT_TRUE(tree["nvcc"].get<std::string>().ends_with("compiler/nvidia/cu13/bin/nvcc"));
    EXPECT_EQ(tree["compiler"], "13.9");
    EXPECT_NE(run.output.find("\ncicc cuda_runtime.h cudafe++ host_config.h libnvrtc.so.13 nvcc "
                              "nvcc.profile ptxas\ncompiler\n"),
              std::string::npos)
        << run.output;
    EXPECT_NE(run.output.find("compiler/nvidia/cu13/bin/nvcc 13.9 (warplens setup-compiler)"),
              std::string::npos)
        << run.output;
}

TEST(SetupCompiler, TakesWheelsAndToolkits) {
    const std::string wheels =
        "mkdir wheels; cd packages\n"
        "for part in cuda_nvcc-13.5.9 cuda_nvcc-13.5.37 cuda_crt-13.5.37 cuda_runtime-13.5.37; do\n"
        "  python3 -m zipfile -c ../wheels/nvidia_$part-py3-none-manylinux2014_x86_64.whl nvidia\n"
        "done; cd ..\n";
    const ProgramRun run = runShell(begin + wheels +
                                    "setup --from wheels && test -x data/warplens/"
                                    "compiler/nvidia/cu13/bin/nvcc && setup --from "
                                    "packages/nvidia/cu13" +
                                    left);
    EXPECT_NE(run.output.find("nvcc 13.9: set up in "), std::string::npos) << run.errors;
    EXPECT_TRUE(
        run.output.ends_with("\ncicc cuda_runtime.h cudafe++ host_config.h libnvrtc.so.13 nvcc "
                             "nvcc.profile ptxas\ncompiler\n"))
        << run.output;
}

TEST(SetupCompiler, RefusesAFolderWithoutOneAndLeavesWhatWasThere) {
    const ProgramRun run =
        runShell(begin +
                 "setup --from packages >/dev/null; rm -r packages/nvidia/cu13/nvvm\n"
                 "setup --from packages; echo $?; setup --from nowhere; echo $?\n"
                 "printf '#!/bin/sh\\nexit 1\\n' > packages/nvidia/cu13/bin/nvcc\n"
                 "mkdir -p packages/nvidia/cu13/nvvm/bin; touch packages/nvidia/cu13/nvvm/"
                 "bin/cicc; setup --from packages; echo $?" +
                 left);
    EXPECT_EQ(run.output,
              "2\n2\n2\ncicc cuda_runtime.h cudafe++ host_config.h libnvrtc.so.13 nvcc "
              "nvcc.profile ptxas\n"
              "compiler\n");
    EXPECT_NE(run.errors.find("--from = 'packages': must hold a CUDA toolkit, or NVIDIA's packages "
                              "as wheels or unpacked; nvidia-nvvm is missing"),
              std::string::npos)
        << run.errors;
    EXPECT_NE(run.errors.find("--from = 'nowhere': must be a folder"), std::string::npos);
    EXPECT_NE(run.errors.find("holds an nvcc that does not run on this machine"), std::string::npos)
        << run.errors;
}

TEST(SetupCompiler, RemovesWhatItHasSetUp) {
    const ProgramRun run = runShell(
        begin +
        "setup --from packages >/dev/null; setup | grep -c 'there already'\n"
        "setup --remove; ls data/warplens; setup --remove; setup --remove --from packages; "
        "echo $?");
    EXPECT_NE(run.output.find("1\n"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("compiler: removed, "), std::string::npos) << run.output;
    EXPECT_TRUE(run.output.ends_with("compiler: not there\n2\n")) << run.output;
}

/// What pip says, and what comes of it.
struct PipFailure final {
    const char* words;
    const char* sentence;
};
void PrintTo(const PipFailure& failure, std::ostream* out) {
    *out << failure.words;
}
class SetupCompilerWithPip : public testing::TestWithParam<PipFailure> {};

TEST_P(SetupCompilerWithPip, SaysInOneSentenceWhatIsMissingAndLeavesNothing) {
    const ProgramRun run =
        runShell(begin +
                 "mkdir bin data; printf '#!/bin/sh\\n[ \"$3\" = download ] && echo x > "
                 "\"$TMPDIR/half\"\\necho \"" +
                 GetParam().words +
                 "\" >&2\\nexit 1\\n' > bin/python3; chmod +x bin/python3\nPATH=$PWD/bin:$PATH\n"
                 "setup; echo $?; find data -mindepth 2");
    EXPECT_EQ(run.output, "3\n") << "nothing is left";
    const std::string last = "warplens: the compiler was not set up: ";
    const std::size_t at = run.errors.rfind(last);
    ASSERT_NE(at, std::string::npos) << run.errors;
    EXPECT_TRUE(run.errors.substr(at + last.size()).starts_with(GetParam().sentence)) << run.errors;
    EXPECT_EQ(run.errors.find('\n', at), run.errors.size() - 1);
    const bool isAsked = run.errors.find("End User License") != std::string::npos;
    EXPECT_NE(isAsked, run.errors.find("no pip") != std::string::npos)
        << "nobody is asked for nothing";
}

INSTANTIATE_TEST_SUITE_P(
    Failures, SetupCompilerWithPip,
    testing::Values(
        PipFailure{"/usr/bin/python3: No module named pip",
                   "python3 has no pip: install it (apt install python3-pip); `warplens "
                   "setup-compiler --from FOLDER` takes it from a folder"},
        PipFailure{"ERROR: Could not install: [Errno 28] No space left on device",
                   "the disk is full\n"},
        PipFailure{"WARNING: Retrying ... ProxyError(Cannot connect to proxy.)",
                   "the proxy lets nothing through: set HTTPS_PROXY to the one that does"},
        PipFailure{"Temporary failure in name resolution\\nERROR: Could not find a version",
                   "there is no network"},
        PipFailure{"ERROR: what nobody knows", "ERROR: what nobody knows"}));

}  // namespace
}  // namespace warplens
