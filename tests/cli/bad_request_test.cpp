#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/scenario/scenario.h"
#include "core/text/format.h"
#include "tests/cli/program.h"

namespace warplens {
namespace {

using namespace tests;

/// A request that is wrong, and all that is said about it.
struct BadRequest final {
    const char* arguments;
    const char* errors;
    friend void PrintTo(const BadRequest& request, std::ostream* out) { *out << request.arguments; }
};

class EveryBadRequest : public testing::TestWithParam<BadRequest> {};

TEST_P(EveryBadRequest, IsAnsweredWithWhatIsWrongAndCode2) {
    const ProgramRun run = runProgram(GetParam().arguments);
    EXPECT_EQ(run.errors, GetParam().errors);
    EXPECT_EQ(run.output, "");
    EXPECT_EQ(run.exitCode, 2);
}

constexpr const char* notNumbers = ": whole numbers as in 16,16 or 16x16\n";
constexpr const char* endings = ": a file whose name ends in .pdf, .svg or .png\n";
constexpr const char* pngEnding =
    ": a file whose name ends in .png; `warplens figure` draws PDF and SVG\n";
constexpr const char* sizes = ": WIDTHxHEIGHT, each from 200 to 10000\n";
constexpr const char* tryHelp = "warplens: try `warplens map --help`\n";
constexpr const char* tryFigureHelp = "warplens: try `warplens figure --help`\n";

std::vector<BadRequest> badRequests() {
    static std::vector<std::string> kept;
    kept.reserve(200);
    const auto joined = [&](const std::string& a, const char* b) {
        return kept.emplace_back(a + b).c_str();
    };
    return {
        {"map matadd-coalesced --grid ''", joined("warplens: grid = ''", notNumbers)},
        {"map matadd-coalesced --grid abc", joined("warplens: grid = 'abc'", notNumbers)},
        {"map matadd-coalesced --grid -1,2", joined("warplens: grid = '-1,2'", notNumbers)},
        {"map matadd-coalesced --block 16,", joined("warplens: block = '16,'", notNumbers)},
        {"map matadd-coalesced --block 1.5", joined("warplens: block = '1.5'", notNumbers)},
        {"map matadd-coalesced --block 1,2,3,4",
         "warplens: block = '1,2,3,4': at most three extents x,y,z\n"},
        {"predict matadd-coalesced --block 0x10,0x10",
         "warplens: block = '0x10,0x10': whole numbers in decimal, as in 16,16 or 16x16\n"},
        {"map matadd-coalesced --grid 99999999999",
         "warplens: grid = '99999999999': extents up to 4294967295\n"},
        {"map matadd-coalesced --grid 0", "warplens: grid x = 0: at least 1\n"},
        {"map matadd-coalesced --block 0,0",
         "warplens: block x = 0: at least 1\nwarplens: block y = 0: at least 1\n"},
        {"map matadd-coalesced --block 1,2,65", "warplens: block z = 65: at most 64\n"},
        {"map matadd-coalesced --block 33,32",
         "warplens: threads per block = 33,32 = 1056: at most 1024\n"},
        {"map warp-grouping --grid 1,65536,65536",
         "warplens: grid y = 65536: at most 65535\nwarplens: grid z = 65536: at most 65535\n"},
        {"map warp-grouping --grid 2147483648",
         "warplens: grid x = 2147483648: at most 2147483647\n"},
        {"map matadd-coalesced --set n=abc", "warplens: n = 'abc': a whole number as in n=512\n"},
        {"map matadd-coalesced --set n=", "warplens: n = '': a whole number as in n=512\n"},
        {"map matadd-coalesced --set n=1e3", "warplens: n = '1e3': a whole number as in n=512\n"},
        {"map matadd-coalesced --set n", "warplens: --set = 'n': name=value as in n=512\n"},
        {"map matadd-coalesced --set =5", "warplens: --set = '=5': name=value as in n=512\n"},
        {"map matadd-coalesced --set n=0", "warplens: n = 0: at least 1\n"},
        {"map matadd-coalesced --set n=-7", "warplens: n = -7: at least 1\n"},
        {"map matadd-coalesced --set n=46341", "warplens: n = 46341: at most 46340\n"},
        {"map matadd-coalesced --set n=99999999999999999999",
         "warplens: n = '99999999999999999999': a whole number of at most "
         "9223372036854775807\n"},
        {"map matadd-coalesced --set m=3", "warplens: m = 3: this kernel has only n\n"},
        {"map warp-grouping --set n=3",
         "warplens: n = 3: this kernel has no problem size to set\n"},
        // Everything at once.
        {"map matadd-coalesced --grid x --block 33,33,65 --set n=abc --set m=3",
         "warplens: grid = 'x': whole numbers as in 16,16 or 16x16\n"
         "warplens: n = 'abc': a whole number as in n=512\n"
         "warplens: block z = 65: at most 64\n"
         "warplens: threads per block = 33,33,65 = 70785: at most 1024\n"
         "warplens: m = 3: this kernel has only n\n"},
        {"predict nothing",
         "warplens: scenario = 'nothing': one of those that `warplens list` shows\n"},
        {"predict matmul-tiled --block 8,8",
         "warplens: block = 8,8: must be 16,16, the tile's size\n"},
        {"predict matmul-tiled --block 9,9 --set tile=9", "warplens: tile = 9: 8, 16 or 32\n"},
        {"predict reduce-sequential --block 48",
         "warplens: block = 48: a power of two along x alone, this reduction halves it\n"},
        {"predict matmul-coalesced --set rows=46341 --set cols=46341 --set inner=1",
         "warplens: elements of out = 2147488281: at most 2147483647, the kernel indexes with "
         "int\n"},
        {"map", joined("warplens: SCENARIO is required\n", tryHelp)},
        {"map matadd-coalesced --grid", joined("warplens: --grid needs a value\n", tryHelp)},
        {"map matadd-coalesced --grid 1 --grid 2 --block 3",
         joined("warplens: --grid = '1', '2': at most once\n", tryHelp)},
        {"map matadd-coalesced --frobnicate",
         joined("warplens: The following argument was not expected: --frobnicate\n", tryHelp)},
        {"explain x.cu --aply 1",
         "warplens: The following argument was not expected: --aply\n"
         "warplens: try `warplens explain --help`; did you mean '--apply'?\n"},
        {"map matadd-coalesced another",
         joined("warplens: The following argument was not expected: another\n", tryHelp)},
        {"--grid 3 map matadd-coalesced",
         "warplens: --grid = before 'map': must come after the command\n"},
        {"--grid 3", "warplens: SCENARIO = none: needed with the options of a launch\n"},
        {"predict access-aligned --array-offset 64",
         "warplens: --array-offset = '64': a whole number of elements from 0 to 63\n"},
        {"predict access-aligned --array-offset -1",
         "warplens: --array-offset = '-1': a whole number of elements from 0 to 63\n"},
        {"predict access-aligned --array-offset 1.5",
         "warplens: --array-offset = '1.5': a whole number of elements from 0 to 63\n"},
        {"map access-aligned --array-offset=1",
         joined("warplens: The following argument was not expected: --array-offset=1\n", tryHelp)},
        {"measure matadd-coalesced --deadline soon",
         "warplens: --deadline = 'soon': a number of seconds from 0.1 to 86400\n"},
        {"measure matadd-coalesced --deadline 86401",
         "warplens: --deadline = '86401': a number of seconds from 0.1 to 86400\n"},
        {"measure matadd-coalesced --worker true --block 2000",
         "warplens: block x = 2000: at most 1024\n"
         "warplens: threads per block = 2000: at most 1024\n"},
        {"list --recordings /no/such/folder",
         "warplens: --recordings = '/no/such/folder': a folder that can be read (No such file or "
         "directory)\n"},
        {"measure matadd-coalesced --save ''", "warplens: --save = '': the file to write\n"},
        {"occupancy --cc 9.5",
         "warplens: compute capability = '9.5': one of 1.0 1.1 1.2 1.3 2.0 2.1 3.0 3.2 3.5 3.7 5.0 "
         "5.2 5.3 6.0 6.1 6.2 7.0 7.2 7.5 8.0 8.6 8.7 8.8 8.9 9.0 10.0 10.3 11.0 12.0 12.1\n"},
        {"occupancy --block 32,32 --cc 1.3",
         "warplens: threads per block = 32,32 = 1024: at most 512\n"},
        {"occupancy --block 1025",
         "warplens: block x = 1025: at most 1024\n"
         "warplens: threads per block = 1025: at most 1024\n"},
        {"occupancy --block x --grid 4",
         joined("warplens: --grid = '4': only with SCENARIO\nwarplens: block = 'x'", notNumbers)},
        {"occupancy --set n=4 --recordings .",
         "warplens: --set = 'n=4': only with SCENARIO\n"
         "warplens: --recordings = '.': only with SCENARIO\n"},
        {"occupancy --cc 9.0 --registers 256",
         "warplens: registers per thread = 256: at most 255\n"},
        {"occupancy --cc 9.0 --block 1024 --registers 65",
         "warplens: registers per block = 32 warps x 2304 = 73728: at most 65536\n"},
        {"occupancy --cc 9.0 --shared 232449",
         "warplens: shared memory per block = 232449 bytes: at most 232448\n"},
        {"occupancy --registers -1",
         "warplens: --registers = '-1': a whole number from 0 to 65536\n"},
        {"occupancy --shared 1.5",
         "warplens: --shared = '1.5': a whole number of bytes from 0 to 4294967295\n"},
        {"occupancy --carveout 101",
         "warplens: --carveout = '101': a whole number of percent from 0 to 100\n"},
        {"occupancy --cc 6.1 --carveout 50",
         "warplens: carveout = 50: only from compute capability 7.0 on, not on 6.1\n"},
        {"screenshot matadd-coalesced -o ''", joined("warplens: --output = ''", pngEnding)},
        {"screenshot matadd-coalesced -o a.png --size 639x360",
         "warplens: --size = '639x360': WIDTHxHEIGHT from 640x360 to 7680x4320\n"},
        {"screenshot matadd-coalesced -o a.png --size 7681x4320",
         "warplens: --size = '7681x4320': WIDTHxHEIGHT from 640x360 to 7680x4320\n"},
        {"screenshot matadd-coalesced -o a.png --map sky",
         "warplens: --map = 'sky': one of block grid\n"},
        {"predict matadd-coalesced --time-limit x",
         "warplens: --time-limit: 'x': a number from 0.001 to 86400\nwarplens: try `warplens "
         "predict --help`\n"},
        {"screenshot matadd-coalesced -o a.png --zoom 0",
         "warplens: --zoom = '0': a number above 0, at most 1e+12\n"},
        {"screenshot matadd-coalesced -o a.png --zoom 1e308",
         "warplens: --zoom = '1e308': a number above 0, at most 1e+12\n"},
        {"screenshot matadd-coalesced -o a.png --zoom ''",
         "warplens: --zoom = '': a number above 0, at most 1e+12\n"},
        {"screenshot matadd-coalesced -o a.png --text-size ''",
         "warplens: --text-size = '': a number from 0.5 to 3\n"},
        {"screenshot matadd-coalesced -o a.png --text-size 0",
         "warplens: --text-size = '0': a number from 0.5 to 3\n"},
        {"screenshot matadd-coalesced -o a.svg", joined("warplens: --output = 'a.svg'", pngEnding)},
        {"screenshot matadd-coalesced -o z", joined("warplens: --output = 'z'", pngEnding)},
        {"predict matadd-coalesced --array-offset ''",
         "warplens: --array-offset = '': a whole number of elements from 0 to 63\n"},
        {"screenshot matadd-coalesced -o a.png --warp -1",
         "warplens: --warp = '-1': a whole number from 0 to 31\n"},
        {"screenshot matadd-coalesced -o a.png --warp 8",
         "warplens: --warp = 8: at most 7, the block's last\n"},
        {"screenshot matadd-coalesced -o a.png --step 999999",
         "warplens: --step = '999999': a whole number from 1 to 65536\n"},
        {"screenshot matadd-coalesced -o a.png --step 5",
         "warplens: --step = 5: at most 4, the last of warp 0\n"},
        // Options that would change nothing.
        {"screenshot matadd-coalesced -o a.png --page 2",
         "warplens: --page = without a lesson: says how far one is in a lesson\n"},
        {"screenshot matadd-coalesced -o a.png --tab sweep --over foo=1",
         "warplens: foo = 1: this kernel has only n\n"},
        {"screenshot matadd-coalesced -o a.png --over n=1..4",
         "warplens: --over = 'n=1..4': only with --tab sweep\n"},
        {"screenshot matadd-coalesced -o a.png --worker x --no-counters --deadline 5 --schedule",
         "warplens: --worker = 'x': only with --measure\n"
         "warplens: --no-counters = given: only with --measure\n"
         "warplens: --deadline = '5': only with --measure\n"
         "warplens: --schedule = given: only with --measure\n"},
        {"screenshot matadd-coalesced -o a.png --view sm --map grid --zoom 2",
         "warplens: --map = 'grid': only with --view 2d\n"
         "warplens: --zoom = '2': only with --view 2d\n"},
        {"screenshot matadd-coalesced -o a.png --answer",
         "warplens: --answer = given: only with a lesson\n"},
        {"screenshot warp-grouping -o a.png --lesson matadd-swapped",
         "warplens: scenario = 'warp-grouping': of lesson matadd-swapped: matadd-coalesced "
         "matadd-swapped\n"},
        {"screenshot -o a.png", "warplens: SCENARIO = none: a scenario or a lesson\n"},
        {"sweep access-stride --over stride=1..4 --set stride=3",
         "warplens: --set = 'stride=3': not what --over varies\n"},
        {"sweep access-stride --over block=256 --block 32",
         "warplens: --block = '32': not what --over varies\n"},
        {"sweep access-aligned --over array-offset=0..3 --array-offset 1",
         "warplens: --array-offset = '1': not what --over varies\n"},
        {"sweep access-stride --over stride=1..4 --predict-only --worker x --no-counters "
         "--deadline 1 --recordings .",
         "warplens: --worker = 'x': only without --predict-only\n"
         "warplens: --no-counters = given: only without --predict-only\n"
         "warplens: --deadline = '1': only without --predict-only\n"
         "warplens: --recordings = '.': only without --predict-only\n"},
        {"sweep access-stride --over stride=1..4 --worker x --recordings .",
         "warplens: --recordings = '.': only without --worker, --save and --resume\n"},
        {"sweep access-stride --over stride=1..4 --schedule",
         "warplens: The following argument was not expected: --schedule\n"
         "warplens: try `warplens sweep --help`\n"},
        {"measure matadd-coalesced --force", "warplens: --force = given: only with --save\n"},
        {"sweep access-stride --over stride=1..4 --force",
         "warplens: --force = given: only with --save, --resume or --output\n"},
        {"roofline --size 300x300 --theme dark",
         "warplens: --size = '300x300': only with --output\n"
         "warplens: --theme = 'dark': only with --output\n"},
        {"lesson --measure --answer --recordings .",
         "warplens: --measure = given: only with an ID or --table\n"
         "warplens: --recordings = '.': only with an ID or --table\n"
         "warplens: --answer = given: only with an ID\n"},
        {"lesson warp-grouping --table", "warplens: ID = 'warp-grouping': only without --table\n"},
        {"sweep access-stride --over stride=1..4 --theme dark",
         "warplens: --theme = 'dark': only with --output\n"},
        {"lesson warp-grouping --no-counters --deadline 1 --cache cold --runs 5",
         "warplens: --no-counters = given: only with --measure\n"
         "warplens: --deadline = '1': only with --measure\n"
         "warplens: --cache = 'cold': only with --measure\n"
         "warplens: --runs = '5': only with --measure\n"},
        {"predict matadd-coalesced --set n=64 --set n=65",
         "warplens: --set = 'n=65': each problem size once\n"},
        {"map warp-grouping --block 4294967295,4294967295,4294967295",
         "warplens: block x = 4294967295: at most 1024\n"
         "warplens: block y = 4294967295: at most 1024\n"
         "warplens: block z = 4294967295: at most 64\n"
         "warplens: threads per block = 4294967295,4294967295,4294967295 = 2^64 or more: at most "
         "1024\n"},
        {"screenshot matadd-coalesced -o a.png --size big",
         "warplens: --size = 'big': WIDTHxHEIGHT from 640x360 to 7680x4320\n"},
        {"screenshot matadd-coalesced -o a.png --theme pink",
         "warplens: theme = 'pink': one of dark light\n"},
        {"screenshot matadd-coalesced -o a.png --view 4d",
         "warplens: view = '4d': one of 2d 3d sm time\n"},
        {"screenshot matadd-coalesced -o a.png --numbers lanes",
         "warplens: --numbers = 'lanes': one of warp coordinates rank element\n"},
        {"figure matadd-coalesced", joined("warplens: --output is required\n", tryFigureHelp)},
        {"figure matadd-coalesced -o ''", joined("warplens: --output = ''", endings)},
        {"figure matadd-coalesced -o figure", joined("warplens: --output = 'figure'", endings)},
        {"figure matadd-coalesced -o a.jpeg", joined("warplens: --output = 'a.jpeg'", endings)},
        {"figure matadd-coalesced -o a.pdf --size 0x0", joined("warplens: --size = '0x0'", sizes)},
        {"figure matadd-coalesced -o a.pdf --size 199x200",
         joined("warplens: --size = '199x200'", sizes)},
        {"figure matadd-coalesced -o a.pdf --size 100000x720",
         joined("warplens: --size = '100000x720'", sizes)},
        {"figure matadd-coalesced -o a.pdf --size 99999999999x1",
         joined("warplens: --size = '99999999999x1'", sizes)},
        {"figure matadd-coalesced -o a.pdf --size 1280",
         joined("warplens: --size = '1280'", sizes)},
        {"figure matadd-coalesced -o a.pdf --block 32 --warp 5",
         "warplens: --warp = 5: at most 0, the block's last\n"},
        {"figure matadd-coalesced -o a.pdf --theme pink",
         "warplens: theme = 'pink': one of light dark print\n"},
        {"figure matadd-coalesced -o a.pdf --block 99,99 --theme pink --size x",
         "warplens: threads per block = 99,99 = 9801: at most 1024\n"
         "warplens: --size = 'x': WIDTHxHEIGHT, each from 200 to 10000\n"
         "warplens: theme = 'pink': one of light dark print\n"},
        {"figure matadd-coalesced -o a.png --text-size 9",
         "warplens: --text-size = '9': a number from 0.5 to 3\n"},
        {"screenshot matadd-coalesced -o a.png --text-size 9",
         "warplens: --text-size = '9': a number from 0.5 to 3\n"},
    };
}

INSTANTIATE_TEST_SUITE_P(CommandLine, EveryBadRequest, testing::ValuesIn(badRequests()));

TEST(CommandLine, ShowsTheCommandsWhereAScenarioIsUnknown) {
    const ProgramRun run = runProgram("lits");
    EXPECT_TRUE(run.errors.starts_with(
        "warplens: `warplens --help` lists the commands; did you mean 'list'?\n"
        "warplens: scenario = 'lits': one of those that `warplens list` shows"));
    EXPECT_EQ(run.exitCode, 2);
}

TEST(CommandLine, NamesTheCommandThatIsMeantAlsoBeforeAFile) {
    const ProgramRun run = runProgram("predct x.cu");
    EXPECT_EQ(run.errors,
              "warplens: `warplens --help` lists the commands; did you mean 'predict'?\n"
              "warplens: scenario = 'predct': one of those that `warplens list` shows\n");
    EXPECT_EQ(run.exitCode, 2);
}

TEST(CommandLine, NamesScenariosByAWordOfTheirTitles) {
    const ProgramRun run = runProgram("predict transpose");
    EXPECT_EQ(run.errors,
              "warplens: scenario = 'transpose': one of those that `warplens list` shows; did you "
              "mean 'shared-banks' or 'shared-banks-padded'?\n");
    EXPECT_EQ(run.exitCode, 2);
}

TEST(CommandLine, SaysUnderJsonWhatIsWrongOnStandardOutputToo) {
    const ProgramRun run = runProgram("map matadd-coalesced --block 33,32 --set n=0 --json");
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_EQ(run.errors,
              "warplens: threads per block = 33,32 = 1056: at most 1024\n"
              "warplens: n = 0: at least 1\n");
    EXPECT_EQ(nlohmann::json::parse(run.output), nlohmann::json::parse(R"({
        "schema": "warplens.error/1", "version": ")" + version() + R"(", "exit_code": 2,
        "message": "threads per block = 33,32 = 1056: at most 1024\nn = 0: at least 1",
        "problems": [{"name": "threads per block", "value": "33,32 = 1056", "limit": "at most 1024"},
                     {"name": "n", "value": "0", "limit": "at least 1"}]})"));
}

TEST(CommandLine, RefusesWhatChangesNothingUnderJson) {
    const auto refused = [](const std::string& arguments) {
        const ProgramRun run = runProgram(arguments);
        EXPECT_EQ(run.exitCode, 2) << arguments;
        return nlohmann::json::parse(run.output).at("message").get<std::string>();
    };
    EXPECT_EQ(refused("sweep access-stride --over stride=1..4 --json --metric time"),
              "--metric = 'time': only with --output, or without --json");
    EXPECT_EQ(refused("map matadd-coalesced --csv --json"), "--csv excludes --json");
    EXPECT_EQ(refused("lesson --table --json"), "--json = given: only without --table");
}

TEST(CommandLine, SaysUnderJsonWhatItDoesNotUnderstand) {
    const ProgramRun run = runProgram("map matadd-coalesced --json --frobnicate");
    EXPECT_EQ(run.exitCode, 2);
    const auto error = nlohmann::json::parse(run.output);
    EXPECT_EQ(error.at("message"), "The following argument was not expected: --frobnicate");
    EXPECT_EQ(error.at("problems"), nlohmann::json::array());
}

}  // namespace
}  // namespace warplens
