#include "core/lesson/expression.h"

#include <gtest/gtest.h>

#include "core/lesson/lesson_evidence.h"
#include "core/lesson/resolved_lesson.h"

namespace warplens {
namespace {

LessonEvidence evidence() {
    Experiment experiment = initialExperiment(scenarioNamed("partial-warp"));
    Experiment picture = initialExperiment(scenarioNamed("picture-76x62"));
    const Value value{
        .metric = Metric::globalLoadSectors, .source = Source::predicted, .content = 24.0};
    return {{"here", {.experiment = experiment, .predicted = {value}, .predictedHow = {}}},
            {"picture", {.experiment = picture, .predicted = {}, .predictedHow = {}}}};
}

double numberOf(const std::string& text) {
    const Evaluation finding = evaluate(Expression(text), evidence());
    const auto* number = std::get_if<FoundNumber>(&finding);
    if (number == nullptr) ADD_FAILURE() << text << ": " << std::get<Unavailable>(finding).reason;
    return number == nullptr ? -1 : number->value;
}

std::string reasonOf(const std::string& text) {
    const Evaluation finding = evaluate(Expression(text), evidence());
    const auto* missing = std::get_if<Unavailable>(&finding);
    return missing == nullptr ? "it is known" : missing->reason;
}

std::string complaintAbout(const std::string& text) {
    try {
        (void)Expression(text);
    } catch (const MalformedExpression& error) {
        return error.what();
    }
    return "it is well formed";
}

TEST(Expression, BindsProductsTighterThanSums) {
    EXPECT_EQ(numberOf("2 + 3 * 4 - 6 / 3"), 12);
    EXPECT_EQ(numberOf("(2 + 3) * 4"), 20);
    EXPECT_EQ(numberOf("12 / 3 / 2"), 2);
}

TEST(Expression, AsksLaunchesForWhatFollowsFromThem) {
    EXPECT_EQ(numberOf("warps_per_block"), 4);
    EXPECT_EQ(numberOf("idle_lanes"), 23);
    EXPECT_EQ(numberOf("last_warp_lanes"), 9);
    EXPECT_EQ(numberOf("thread 3 5 1 rank"), 63);
    EXPECT_EQ(numberOf("thread 3 5 1 warp"), 1);
    EXPECT_EQ(numberOf("thread 3 5 1 lane"), 31);
    EXPECT_EQ(numberOf("blocks @picture"), 20);
    EXPECT_EQ(numberOf("spare_threads @picture"), 408);
    EXPECT_EQ(numberOf("blocks_that_lie columns_out @picture + "
                       "blocks_that_lie inside @picture"),
              15);
    EXPECT_EQ(numberOf("sm 1.2 blocks @picture"), 4);
    EXPECT_EQ(numberOf("predicted global_load_sectors / warps_per_block"), 6);
}

TEST(Expression, SaysWhyThereIsNoNumber) {
    EXPECT_EQ(reasonOf("timed time"), "not measured");
    EXPECT_EQ(reasonOf("thread 5 0 0 warp"), "the block has no such thread");
    EXPECT_EQ(reasonOf("1 / (2 - 2)"), "divided by nothing");
    EXPECT_EQ(reasonOf("predicted global_load_sectors load"),
              "'load' is not known of " + std::string(metricInfo(Metric::globalLoadSectors).title) +
                  " predicted: it stands with nothing more");
    EXPECT_EQ(reasonOf("argument stride"), "the kernel has no stride");
    EXPECT_EQ(reasonOf("writes 5 0 0 0 element @picture"), "the launch has no such thread");
    EXPECT_EQ(reasonOf("writes 0 0 16 0 element @picture"), "the launch has no such thread");
}

TEST(Expression, NamesWhatIsMalformedAndWhere) {
    const std::string metric = complaintAbout("predicted global_load_sector");
    EXPECT_EQ(metric.find("'predicted global_load_sector': there is no metric "
                          "'global_load_sector'; did you mean 'global_load_sectors'"),
              0u)
        << metric;
    EXPECT_TRUE(metric.ends_with("?")) << "not all there are behind it: " << metric;
    EXPECT_EQ(complaintAbout("predicted wavefronts_per_request"), "it is well formed")
        << "as budgets call it";
    EXPECT_NE(complaintAbout("predicted wavefront_per_request")
                  .find("did you mean 'wavefronts_per_request'"),
              std::string::npos);
    EXPECT_EQ(complaintAbout("warps"),
              "'warps': there is no quantity 'warps'; did you mean 'warps_per_block'?");
    EXPECT_NE(complaintAbout("apples").find("; there are blocks, "), std::string::npos);
    EXPECT_EQ(complaintAbout("2 +"), "'2 +', character 4: a quantity is missing");
    EXPECT_EQ(complaintAbout("2 3"), "'2 3', character 3: a sign of arithmetic is missing");
    EXPECT_EQ(complaintAbout("(2"), "'(2', character 3: a closing parenthesis is missing");
    EXPECT_EQ(complaintAbout("thread 3 5 warp"),
              "'thread 3 5 warp', character 16: 'thread' takes 4 words "
              "after it");
    EXPECT_EQ(complaintAbout("thread x 5 1 warp"),
              "'thread x 5 1 warp', character 18: 'x' is no number from 0 to 4294967295");
    EXPECT_EQ(complaintAbout("thread 3.5 5 1 warp"),
              "'thread 3.5 5 1 warp', character 20: '3.5' is no number from 0 to 4294967295");
    EXPECT_EQ(complaintAbout("thread 4294967296 5 1 warp"),
              "'thread 4294967296 5 1 warp', character 27: '4294967296' is no number from 0 to "
              "4294967295");
    EXPECT_EQ(complaintAbout("sm 99.9 blocks"),
              "'sm 99.9 blocks', character 15: '99.9' is no compute capability that is known");
    EXPECT_EQ(complaintAbout(std::string(40, '(') + '1'),
              "'" + std::string(40, '(') + "1', character 9: nested too deep");
    EXPECT_EQ(complaintAbout(std::string(241, '1')),
              "an expression of 241 characters: at most 240");
    EXPECT_NE(complaintAbout("system rm"), "it is well formed");
}

TEST(LessonText, FillsNumbersWithAndWithoutTheirUnit) {
    std::vector<std::string> missing;
    EXPECT_EQ(filled("{threads_per_block} in {warps_per_block} warps, {105 / 32|2}; {timed time}",
                     evidence(), missing),
              "105 threads in 4 warps, 3.28; (not measured)");
    EXPECT_EQ(missing, std::vector<std::string>{"timed time: not measured"});
    EXPECT_THROW((void)filled("{warps_per_block", evidence(), missing), MalformedExpression);
    EXPECT_THROW((void)filled("{any time}", evidence(), missing), MalformedExpression);
}

}  // namespace
}  // namespace warplens
