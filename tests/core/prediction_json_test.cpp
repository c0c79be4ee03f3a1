#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/json/json.h"
#include "core/program/launch_report.h"
#include "core/text/format.h"

namespace warplens {
namespace {

TEST(PredictionJson, HasTheMembersThatAreDocumented) {
    LaunchReport report;
    static_cast<Experiment&>(report) = initialExperiment(scenarioNamed("branch-odd-even"));
    report.exact = false;
    report.blocksTraced = 3;
    report.blocks = 9;
    report.errorPercent = 1.5;
    report.seconds = 0.5;
    report.values = {{Metric::branches, "even", Source::predicted, Variant::none, 2.0}};
    const auto tree = nlohmann::json::parse(toJson(Prediction{report}));
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
