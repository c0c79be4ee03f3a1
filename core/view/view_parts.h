#pragma once

#include <string_view>

#include "core/view/view.h"

/// The one table of the parts of a view. What iterates over them includes it, and little else does.
namespace warplens {

/// What documents and the command line call a part.
struct ViewPart final {
    std::string_view scene{};     ///< in scenes and in lessons; empty: not there
    std::string_view settings{};  ///< in the window's settings
    std::string_view option{};    ///< of the window and of screenshots: `--view`
    std::string_view named{};     ///< in messages on what is wrong with the option
    std::string_view help{};
    std::string_view takes{};  ///< what stands for a text in the help: `LESSON`
    double least = 0;          ///< of a number, as the command line counts it
    double most = 0;
    bool brief = false;         ///< scenes leave it out where it is as at the start
    bool tellsNothing = false;  ///< free to choose while a lesson's question is open
};

/// Calls `visit(part, of)` for each part; `of` takes a View or a ViewChange and gives the part of
/// it.
template <class Visitor>
void forEachPart(const Visitor& visit) {
    visit(
        ViewPart{.scene = "experiment", .settings = "experiment"},
        [](auto& view) -> auto& { return view.experiment; });
    visit(
        ViewPart{.scene = "view",
                 .settings = "block_view",
                 .option = "--view",
                 .named = "view",
                 .help = "the block's threads slice beside slice or as cubes; sm: the blocks an "
                         "SM holds; time: when and where the blocks ran"},
        [](auto& view) -> auto& { return view.picture; });
    visit(
        ViewPart{.scene = "block", .settings = "shown_block"},
        [](auto& view) -> auto& { return view.block; });
    visit(
        ViewPart{.scene = "warp",
                 .settings = "held_warp",
                 .option = "--warp",
                 .help = "select this warp of the block",
                 .most = 31,
                 .tellsNothing = true},
        [](auto& view) -> auto& { return view.warp; });
    visit(
        ViewPart{.scene = "array", .settings = "array"},
        [](auto& view) -> auto& { return view.array; });
    visit(
        ViewPart{.scene = "step",
                 .settings = "step",
                 .option = "--step",
                 .help = "show this step of the warp",
                 .least = 1,
                 .most = 65536},
        [](auto& view) -> auto& { return view.step; });
    visit(
        ViewPart{.scene = "map",
                 .option = "--map",
                 .named = "--map",
                 .help = "what the map shows; block if left out",
                 .brief = true},
        [](auto& view) -> auto& { return view.map; });
    visit(
        ViewPart{.scene = "numbers",
                 .settings = "cell_numbers",
                 .option = "--numbers",
                 .named = "--numbers",
                 .help = "what stands in the cells of the map",
                 .brief = true},
        [](auto& view) -> auto& { return view.numbers; });
    visit(
        ViewPart{.scene = "cc", .brief = true},
        [](auto& view) -> auto& { return view.capability; });
    visit(
        ViewPart{.scene = "tab",
                 .settings = "right_tab",
                 .option = "--tab",
                 .named = "tab",
                 .help = "what stands at the right"},
        [](auto& view) -> auto& { return view.tab; });
    visit(
        ViewPart{.scene = "over",
                 .settings = "sweep_over",
                 .option = "--over",
                 .help = "what the sweep varies, as in stride=1..128 (`warplens sweep --help`)",
                 .takes = "NAME=VALUES",
                 .brief = true},
        [](auto& view) -> auto& { return view.over; });
    visit(
        ViewPart{.scene = "below",
                 .settings = "lower_tab",
                 .option = "--below",
                 .named = "--below",
                 .help = "what stands under the threads"},
        [](auto& view) -> auto& { return view.below; });
    visit(
        ViewPart{.scene = "mode", .settings = "mode", .tellsNothing = true},
        [](auto& view) -> auto& { return view.mode; });
    visit(
        ViewPart{.scene = "lesson",
                 .settings = "lesson",
                 .option = "--lesson",
                 .help = "open this lesson and its scene; `warplens lesson` lists them",
                 .takes = "LESSON",
                 .brief = true,
                 .tellsNothing = true},
        [](auto& view) -> auto& { return view.lesson; });
    visit(
        ViewPart{.settings = "theme",
                 .option = "--theme",
                 .named = "theme",
                 .help = "colors",
                 .tellsNothing = true},
        [](auto& view) -> auto& { return view.theme; });
    visit(
        ViewPart{.settings = "text_scale",
                 .option = "--text-size",
                 .help = "size of the words: 1 is normal, 1.5 suits a projector",
                 .least = leastTextScale,
                 .most = largestTextScale,
                 .tellsNothing = true},
        [](auto& view) -> auto& { return view.textScale; });
}

/// Takes over what the change says, into a View or another change.
template <class Target>
void take(Target& target, const ViewChange& change) {
    forEachPart([&](const ViewPart&, auto of) {
        if (of(change)) of(target) = *of(change);
    });
}

/// The view in those parts that have a name of this kind.
[[nodiscard]] inline ViewChange namedParts(const View& view, std::string_view ViewPart::*name) {
    ViewChange change;
    forEachPart([&](const ViewPart& part, auto of) {
        if (!(part.*name).empty()) of(change) = of(view);
    });
    return change;
}

}  // namespace warplens
