#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/json/json.h"
#include "core/text/format.h"
#include "core/trace/json.h"

namespace warplens {
namespace {

TEST(PredictionJson, HasTheMembersThatAreDocumented) {
    const Prediction prediction{
        .experiment = initialExperiment(scenarioNamed("branch-odd-even")),
        .exact = false,
        .blocksTraced = 3,
        .blocks = 9,
        .kinds = 0,
        .errorPercent = 1.5,
        .seconds = 0.5,
        .values = {{Metric::branches, "even", Source::predicted, Variant::none, 2.0}}};
    const auto tree = nlohmann::json::parse(toJson(prediction));
    EXPECT_EQ(tree["scenario"], "branch-odd-even");
    EXPECT_EQ(tree["launch"]["block"][0], 64);
    EXPECT_EQ(tree["arguments"]["n"], 64);
    EXPECT_EQ(tree["exact"], false);
    EXPECT_EQ(tree["blocks_traced"], 3);
    EXPECT_EQ(tree["blocks"], 9);
    EXPECT_EQ(tree["error_percent"], 1.5);
    EXPECT_FALSE(tree.contains("kinds"));
    EXPECT_EQ(tree["seconds"], 0.5);
    EXPECT_EQ(tree["version"], version());
    EXPECT_EQ(tree["values"], nlohmann::json::parse(R"([{"metric": "branches", "subject": "even",
                  "source": "predicted", "value": 2, "unit": "count"}])"));
}

}  // namespace
}  // namespace warplens
