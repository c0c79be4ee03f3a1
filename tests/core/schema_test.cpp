#include "core/json/schema.h"

#include <gtest/gtest.h>
#include <set>

#include "core/json/json.h"
#include "core/launch/launch.h"

namespace warplens {
namespace {

TEST(Schema, NamesEachDocumentOnceAndIsReadBack) {
    std::set<std::string> names;
    for (const Schema& schema : allSchemas()) {
        const std::string name = schemaOf(schema.document);
        EXPECT_TRUE(names.insert(name).second) << name;
        EXPECT_EQ(schemaNumberFrom(schema.document, name), schema.number) << name;
        for (const Schema& other : allSchemas()) {
            if (&other == &schema) continue;
            EXPECT_EQ(schemaNumberFrom(other.document, name), std::nullopt) << name;
        }
    }
    EXPECT_TRUE(names.contains("warplens.measurement/3"));
}

TEST(Schema, ReadsTheNumberOfOtherVersionsAndNothingElse) {
    EXPECT_EQ(schemaNumberFrom(Document::recording, "warplens.recording/1"), 1);
    EXPECT_EQ(schemaNumberFrom(Document::recording, "warplens.recording/17"), 17);
    for (const char* wrong :
         {"", "warplens.recording", "warplens.recording/", "recording/1", "warplens.recording/0",
          "warplens.recording/-1", "warplens.recording/1.0", "warplens.recording/99999999999",
          "warplens.recording/2 ", "WARPLENS.recording/2"}) {
        EXPECT_EQ(schemaNumberFrom(Document::recording, wrong), std::nullopt) << wrong;
    }
}

TEST(Schema, StandsFirstInADocument) {
    const Launch launch{.grid = {2}, .block = {32}};
    EXPECT_EQ(toDocument(Document::map, launch, -1),
              R"({"schema":"warplens.map/1",)" + toJson(launch, -1).substr(1));
}

}  // namespace
}  // namespace warplens
