#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/figure/kinds/kind.h"
#include "app/figure/output/render.h"
#include "app/figure/page.h"
#include "app/figure/subject.h"
#include "core/program/program_measurement.h"
#include "core/roofline/roofline.h"
#include "core/sweep/quantity.h"

namespace warplens::figure {

/// Composes the figure of the subject: title, launch, the picture that its scenario needs, the
/// numbers with their sources, and where these come from. On small pages the secondary parts are
/// left out. Cost: a picture of at most some 10,000 items; kinds that show branches or memory trace
/// one block.
[[nodiscard]] Picture compose(const Subject& subject, const Page& page);

/// The sentence and the numbers that the figure has beside its picture.
struct Caption final {
    std::string statement;  ///< may be empty
    std::vector<Number> numbers;
};
[[nodiscard]] Caption captionOf(const Subject& subject);

/// Composes two launches side by side: of each its picture and what it comes to, and below them
/// how the one compares with the other. `a` is the one held against.
[[nodiscard]] Picture composePair(const Subject& a, const Subject& b, const Page& page);
/// a as it is drawn alone before both are: the warp and its step that their page draws,
/// where it draws one, and its numbers in the order of what makes the difference.
[[nodiscard]] Subject asBeside(Subject a, Subject b);

/// What a lesson says at one of its pages while it is presented.
struct LessonWords final {
    std::string title;
    std::string place;                ///< `step 2 of 4`
    std::vector<std::string> says{};  ///< paragraphs, with backticks around code
    std::string launch{};             ///< over the picture beside them
};
/// The words as large as they fit at the left; beside them the picture that the subject's view
/// names, or the kernel's code without its costs.
[[nodiscard]] Picture composeWords(const Subject& subject, bool codeAlone, const LessonWords& words,
                                   const Page& page);
/// The subject's figure, and below it the line of source that it is of, where it is of one, what
/// the lesson says, and where one is in it. With `against` both beside each other, it at the left.
[[nodiscard]] Picture composeLesson(const Subject& subject, const LessonWords& words,
                                    const Page& page, const Subject* against = nullptr);

/// What the figure of a launch of a person's program shows.
struct ProgramSubject final {
    const ProgramTrace& trace;
    const LaunchReport& launch;
    std::string_view source;  ///< of the trace's first file
    /// What was measured of the launch, its lines named as the trace's; null where nothing was.
    const ProgramMeasurement* measured = nullptr;
};

/// Composes the figure of a launch of a person's program: its kernel and configuration, the lines
/// of the source that ask for something with what they ask for and what would do, or where it was
/// measured what source, compiled code and hardware say, the worst of them marked, and where the
/// numbers come from. Lines that do not fit are left out from the end.
[[nodiscard]] Picture composeProgram(const ProgramSubject& subject, const Page& page);

/// What the figure of a sweep shows.
struct SweepSubject final {
    const Sweep& sweep;
    std::vector<Quantity> quantities;  ///< one or two
    bool recorded = false;             ///< the measurements were not taken just now
};

/// Composes the figure of a sweep: title, what is varied, a plot of each quantity, and where the
/// numbers come from.
[[nodiscard]] Picture composeSweep(const SweepSubject& subject, const Page& page);

/// Composes the figure of a roofline: the plot, its points by name with their ratios, and where the
/// numbers come from.
[[nodiscard]] Picture composeRoofline(const Roofline& roofline, const Page& page);

/// What the picture of the subject's view shows, as sentences, a line each, for people who do not
/// see it: title, launch, what there is to look for, which threads a warp holds, what its step asks
/// of memory and of which lanes, what an SM holds, when the blocks ran, the source with what the
/// warp does at its lines; then the numbers with their sources. The view `scenario` tells all of
/// it. Cost: traces one warp.
struct Description final {
    struct Part final {
        std::string heading;  ///< `Threads`; empty for the first, which opens it
        std::vector<std::string> lines;
    };
    std::vector<Part> parts;
};
[[nodiscard]] Description describe(const Subject& subject);

/// The parts one after the other, an empty line and the heading before each.
[[nodiscard]] std::string toText(const Description& description);

}  // namespace warplens::figure
