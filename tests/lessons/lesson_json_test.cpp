#include "core/lesson/lesson_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/json/json.h"

namespace warplens {
namespace {

using Json = nlohmann::ordered_json;

Json wellFormed() {
    return Json::parse(R"({
      "schema": "warplens.lesson_file/2", "id": "a-lesson", "group": "A", "place": 1, "title": "A lesson",
      "from": [{"document": "linearized", "section": "Introduction"}],
      "launches": {"here": {"scenario": "warp-grouping"},
                   "sum": {"scenario": "matadd-swapped", "block": "8,32", "set": {"n": 64}}},
      "opening": {"warp": 3},
      "look": ["Look at {warps_per_block} warps."],
      "steps": [{"say": "Hold warp 1", "see": "It stays.", "show": {"warp": 1, "view": "3d"}}],
      "question": {"ask": "How many?", "answer": "warps_per_block", "tolerance": 0,
                   "because": "32 threads each.", "hints": ["Divide."],
                   "mistakes": [{"guess": "1", "say": "One is too few.", "show": {"launch": "sum"}}]},
      "before": ["line"], "after": ["threads", "request"],
      "conclude": ["So it is."],
      "figures": [{"name": "Warps", "value": "warps_per_block"}],
      "compare": {"a": "here", "b": "sum"}
    })");
}

std::string complaintAbout(const Json& tree) {
    try {
        (void)lessonFromText("x.json", tree.dump());
    } catch (const MalformedJson& error) {
        return error.what();
    }
    return "it is well formed";
}

/// What is said when the member at `path` is `value`.
std::string complaint(const char* path, const Json& value) {
    Json tree = wellFormed();
    tree[Json::json_pointer(path)] = value;
    return complaintAbout(tree);
}

TEST(Lesson, IsReadWithItsLaunchesCompleted) {
    const Lesson lesson = lessonFromText("x.json", wellFormed().dump());
    EXPECT_EQ(lesson.id, "a-lesson");
    EXPECT_EQ(lesson.here().launch.block, (Extents{32, 32, 1}));
    const Experiment& sum = lesson.launches.at("sum");
    EXPECT_EQ(sum.launch.grid, (Extents{8, 2, 1}));
    EXPECT_EQ(sum.arguments.at("n"), 64);
    EXPECT_EQ(lesson.opening.view.warp, WarpRank{3});
    EXPECT_EQ(lesson.steps.at(0).scene.view.picture, PictureKind::block3d);
}

TEST(Lesson, OfAMalformedFileSaysInOneMessageWhatIsWrong) {
    EXPECT_EQ(complaintAbout(Json::array()), "x.json:1: not a JSON object");
    EXPECT_EQ(complaint("/schema", "warplens.lesson_file/1"),
              "x.json:1: 'warplens.lesson_file/1', this version reads warplens.lesson_file/2");
    EXPECT_EQ(complaint("/id", "../etc/passwd"),
              "x.json:1: \"id\" '../etc/passwd' holds more than small letters, digits and -");
    EXPECT_EQ(complaint("/group", "G"), "x.json:1: \"group\" is 'G': one of A to F");
    EXPECT_EQ(complaint("/title", std::string(61, 'x')),
              "x.json:1: \"title\" has 61 bytes: at most 60");
    EXPECT_EQ(complaint("/run", "rm -rf /"), "x.json:1: a lesson knows no \"run\"");
    EXPECT_EQ(complaint("/steps/0/show/command", "Measure"),
              "x.json:1: a scene knows no \"command\"");
    EXPECT_EQ(complaint("/steps/0/show/warp", 32), "x.json:1: \"warp\" = 32: from 0 to 31");
    EXPECT_EQ(complaint("/steps/0/show/launch", "there"),
              "x.json:1: there is no launch 'there'; did you mean 'here'?");
    EXPECT_EQ(complaint("/steps/0/show/array", "a"),
              "x.json:1: \"array\" is 'a', which writeWarpRank has not");
    EXPECT_EQ(complaint("/steps/0/show/view", "4d"),
              "x.json:1: \"view\" is '4d': one of 2d 3d sm time");
    EXPECT_EQ(complaint("/steps/0/show/block", Json::array({1, 0, 0})),
              "x.json:1: \"block\" = 1: from 0 to 0");
    EXPECT_EQ(complaint("/launches/here/block", "32,33"),
              "x.json:1: threads per block = 32,33 = 1056: at most 1024");
    EXPECT_EQ(complaint("/launches/sum/set/n", 0.5),
              "x.json:1: \"n\" is not a 64-bit whole number");
    EXPECT_EQ(complaint("/launches/sum/set/n", -1), "x.json:1: n = -1: at least 1");
    EXPECT_EQ(
        complaint("/look/0", "{warps_per_block @there} warps"),
        "x.json:1: 'warps_per_block @there': there is no launch 'there'; did you mean 'here'?");
    EXPECT_TRUE(complaint("/look/0", "{a quantity} of it")
                    .starts_with("x.json:1: 'a quantity': there is no quantity 'a'; there "
                                 "are blocks, threads, "));
    EXPECT_EQ(complaint("/question/answer", "16 apples"),
              "x.json:1: '16 apples', character 4: a sign of arithmetic is missing");
    EXPECT_EQ(complaint("/from/0/document", "hearsay"), "x.json:1: there is no document 'hearsay'");
    EXPECT_EQ(complaint("/steps", Json::array()), "x.json:1: \"steps\" has 0 entries: 1 to 8");
    Json silent = wellFormed();
    silent.erase("conclude");
    EXPECT_EQ(complaintAbout(silent), "x.json:1: a lesson has no \"conclude\"");
    silent.erase("title");
    EXPECT_EQ(complaintAbout(silent), "x.json:1: a lesson has no \"title\", \"conclude\"");
    EXPECT_EQ(
        complaint("/goal", Json::parse(R"({"say": "s", "change": ["block"], "checks":
                  [{"say": "s", "left": "warps_per_block @there", "is": "equal", "right": "1"}],
                  "solutions": [{"scenario": "warp-grouping"}, {"scenario": "warp-grouping"}]})")),
        "x.json:1: 'warps_per_block @there': there is no launch 'there'; did you mean 'here'?");
    EXPECT_EQ(complaintAbout(wellFormed()), "it is well formed");
}

/// The line that is told, of a text with one value on each.
std::string lineToldOf(const Json& tree) {
    try {
        (void)lessonFromText("x.json", tree.dump(1));
    } catch (const MalformedLesson& error) {
        const std::string text = tree.dump(1);
        std::size_t begin = 0;
        for (std::uint32_t line = 1; line < error.line; ++line) begin = text.find('\n', begin) + 1;
        return text.substr(begin, text.find('\n', begin) - begin);
    }
    return {};
}

TEST(Lesson, OfAMalformedFileSaysTheLineOfTheValueThoughOthersHoldTheSameWords) {
    const auto lineTold = [](const char* path, const Json& value) {
        Json tree = wellFormed();
        tree[Json::json_pointer(path)] = value;
        return lineToldOf(tree);
    };
    EXPECT_EQ(lineTold("/question/answer", "many"), R"(  "answer": "many",)");
    EXPECT_EQ(lineTold("/steps/0/show/warp", 32), R"(    "warp": 32,)");
    EXPECT_EQ(lineTold("/steps/0/show/array", "a"), R"(    "array": "a")");
    EXPECT_EQ(lineTold("/launches/sum/scenario", "a-lesson"), R"(   "scenario": "a-lesson",)");
    EXPECT_EQ(lineTold("/after/1", "here"), R"(  "here")");
    EXPECT_EQ(lineTold("/look/0", "{warps_per_block @there}"), R"(  "{warps_per_block @there}")");
    EXPECT_EQ(lineTold("/question/mistakes/0/guess", "warps_per_block @there"),
              R"(    "guess": "warps_per_block @there",)");
}

TEST(Lesson, WithAMemberTwiceIsRefusedAtTheSecond) {
    std::string text = wellFormed().dump(1);
    text.insert(text.find("\n \"title\""), "\n \"id\": \"another\",");
    try {
        (void)lessonFromText("x.json", text);
        ADD_FAILURE() << "it is read";
    } catch (const MalformedLesson& error) {
        EXPECT_STREQ(error.what(), "x.json:6: a member that is there already");
    }
}

TEST(Lesson, WithAWrongLaunchIsToldWhatElseIsWrong) {
    Json tree = wellFormed();
    tree["launches"]["sum"]["block"] = "64,32";
    tree["look"][0] = "{warps_per_blok}";
    tree["compare"]["a"] = "hier";
    try {
        (void)lessonFromText("x.json", tree.dump(1));
        ADD_FAILURE() << "it is read";
    } catch (const MalformedLesson& error) {
        EXPECT_NE(error.words.find("at most 1024"), std::string::npos) << error.words;
        ASSERT_EQ(error.others.size(), 2U);
        EXPECT_NE(error.others[0].second.find("warps_per_blok"), std::string::npos);
        EXPECT_EQ(error.others[1].second, "there is no launch 'hier'; did you mean 'here'?");
        ASSERT_TRUE(error.partly);
        EXPECT_TRUE(isStandIn(error.partly->launches.at("sum")));
        EXPECT_FALSE(isStandIn(error.partly->here()));
    }
}

TEST(Lesson, CutOffOrTooLargeIsRefused) {
    const std::string text = wellFormed().dump();
    for (const std::size_t length : {std::size_t{0}, text.size() / 2, text.size() - 1}) {
        EXPECT_THROW((void)lessonFromText("x.json", text.substr(0, length)), MalformedJson);
    }
    EXPECT_THROW((void)lessonFromText("x.json", text + std::string(40'000, ' ')), MalformedJson);
}

}  // namespace
}  // namespace warplens
