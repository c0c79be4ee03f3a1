#include "core/lesson/expression.h"
#include "core/lesson/lesson_evidence.h"
#include "core/lesson/resolved_lesson.h"
#include "tests/fuzz/fuzz.h"

using namespace warplens;

namespace {

/// Launches in one, two and three dimensions, with a number each.
const LessonEvidence& evidence() {
    static const LessonEvidence launches = [] {
        LessonEvidence all;
        const auto add = [&](const char* name, const char* scenario) {
            const Value value{
                .metric = Metric::globalLoadSectors, .source = Source::predicted, .content = 24.0};
            all.emplace(name,
                        LaunchEvidence{.experiment = initialExperiment(scenarioNamed(scenario)),
                                       .predicted = {value},
                                       .predictedHow = {}});
        };
        add("here", "matadd-coalesced");
        add("picture", "picture-76x62");
        add("three_axes", "elementwise-3d");
        add("tiled", "matmul-tiled");
        return all;
    }();
    return launches;
}

}  // namespace

/// The text as one expression, and as words with expressions in braces.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    try {
        const Expression expression(text);
        fuzz::promise(!expression.parts().empty(), "an expression has a part");
        fuzz::promise(Expression(expression.text()) == expression, "an expression reads back");
        const Evaluation finding = evaluate(expression, evidence());
        if (const auto* number = std::get_if<FoundNumber>(&finding)) {
            for (const int decimals : {-1, 0, 6}) {
                fuzz::promise(!formatFound(*number, decimals).empty(), "a number has digits");
            }
        } else {
            fuzz::promise(!std::get<Unavailable>(finding).reason.empty(),
                          "what is missing has a reason");
        }
    } catch (const MalformedExpression&) {
    }
    try {
        std::vector<std::string> missing;
        const std::string words = filled(text, evidence(), missing);
        fuzz::promise(missing.empty() || !words.empty(), "what is missing is said in the text");
    } catch (const MalformedExpression&) {
    }
    return 0;
}
