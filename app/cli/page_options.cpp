#include "app/cli/page_options.h"

#include <CLI/CLI.hpp>

#include "core/text/atomic_file.h"

namespace warplens {

CLI::Option* addPageOptions(CLI::App& parser, PageOptions& options) {
    CLI::Option* const output =
        parser.add_option("-o,--output", options.path, "figure to draw: .pdf, .svg or .png");
    parser.add_option("--size", options.size, "points or pixels, as in 1280x720")
        ->capture_default_str();
    parser.add_option("--theme", options.theme, "light, dark or print")->capture_default_str();
    return output;
}

FigurePage figurePageFrom(const PageOptions& options, std::vector<Breach>& breaches) {
    FigurePage read{.path = options.path.value_or("")};
    if (options.path) collect(breaches, [&] { read.format = figure::formatOf(*options.path); });
    collect(breaches, [&] { read.page.size = figure::pageSizeFrom(options.size); });
    collect(breaches, [&] { read.page.theme = figure::themeFrom(options.theme); });
    return read;
}

void FigurePage::write(const figure::Picture& picture) const {
    writeFileAtomically(path, figure::render(picture, format.value()));
}

void collect(std::vector<Breach>& breaches, const std::function<void()>& read) {
    try {
        read();
    } catch (const InvalidRequest& invalid) {
        breaches.insert(breaches.end(), invalid.breaches().begin(), invalid.breaches().end());
    }
}

}  // namespace warplens
