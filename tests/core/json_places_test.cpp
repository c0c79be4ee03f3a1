#include <gtest/gtest.h>

#include "core/json/json.h"

namespace warplens {
namespace {

TEST(JsonPlaces, AreThoseOfEveryValueInTheOrderOfTheText) {
    const std::vector<JsonPlace> places = placesIn(R"({
  "a": [1, {"b": null},
        "] } , \" \\"],
  "c": {},
  "d"
    :
    -2.5e3
})");
    const std::vector<JsonPlace> expected{{"", 1, "{"},          {"/a", 2, "["},
                                          {"/a/0", 2, "1"},      {"/a/1", 2, "{"},
                                          {"/a/1/b", 2, "null"}, {"/a/2", 3, R"("] } , \" \\")"},
                                          {"/c", 4, "{"},        {"/d", 7, "-2.5e3"}};
    EXPECT_EQ(places, expected);
    EXPECT_EQ(placesIn("[]"), (std::vector<JsonPlace>{{"", 1, "["}}));
    EXPECT_EQ(placesIn("\n7"), (std::vector<JsonPlace>{{"", 2, "7"}}));
}

TEST(JsonPlaces, AnswerForWhatIsMissingWithTheNearestAround) {
    const std::vector<JsonPlace> places = placesIn("{\n\"a\": [\n1,\n2]}");
    EXPECT_EQ(lineOf(places, "/a/1"), 4u);
    EXPECT_EQ(lineOf(places, "/a/1/show/step"), 4u);
    EXPECT_EQ(lineOf(places, "/a/7"), 2u);
    EXPECT_EQ(lineOf(places, "/z"), 1u);
}

}  // namespace
}  // namespace warplens
