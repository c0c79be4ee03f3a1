#include "app/cli/page_options.h"

#include "app/cli/declare.h"
#include "core/text/atomic_file.h"

namespace warplens {

CLI::Option* addPageOptions(CLI::App& parser, PageOptions& options) {
    CLI::Option* const output = addText(parser, "-o,--output", options.path, value::file,
                                        "figure to draw: its name ends in .pdf, .svg or .png");
    addText(parser, "--size", options.size, value::size,
            "of the figure, in points or pixels, as in 1280x720; each from " +
                std::to_string(figure::smallestSide) + " to " +
                std::to_string(figure::largestSide));
    addText(parser, "--theme", options.theme, "light|dark|print",
            "colors; print is black on white");
    return output;
}

void refusePageWithoutFile(const CLI::App& parser, std::vector<LimitViolation>& violations) {
    if (!isGiven(parser, "--output")) {
        refuseIdle(parser, {"--size", "--theme"}, "with --output", violations);
    }
}

FigurePage figurePageFrom(const PageOptions& options, std::vector<LimitViolation>& violations) {
    FigurePage read{.path = options.path.value_or("")};
    if (options.path) collect(violations, [&] { read.format = figure::formatOf(*options.path); });
    collect(violations, [&] { read.page.size = figure::pageSizeFrom(options.size); });
    collect(violations, [&] { read.page.theme = figure::themeFrom(options.theme); });
    return read;
}

void FigurePage::write(const figure::Picture& picture) const {
    writeFileAtomically(path, figure::render(picture, format.value()));
}

}  // namespace warplens
