#include "app/cli/page_options.h"

#include "app/cli/subcommand.h"
#include "core/text/atomic_file.h"
#include "core/view/view_parts.h"

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

namespace {

/// How one part's option is declared, by what the part holds.
template <class Of>
struct PartOption final {
    CLI::App& parser;
    ViewOptions& options;
    const ViewPart part;
    const Of of;

    template <NamedEnum Enum>
    void declare(const Enum&) const {
        const std::vector<std::string_view> words = offeredWords<Enum>();
        add(choiceOf(words), [this_ = *this, words](const std::string& text) {
            if (text.empty()) return;
            requireOneOf(words, this_.part.named.data(), text, this_.options.violations);
            this_.of(this_.options.view) = fromWord<Enum>(text);
        });
    }
    void declare(const std::string&) const {
        add(std::string(part.takes), [this_ = *this](const std::string& text) {
            if (!text.empty()) this_.of(this_.options.view) = text;
        });
    }
    void declare(float) const {
        addNumber(false, [](double number) { return static_cast<float>(number); });
    }
    void declare(const std::optional<WarpRank>&) const {
        addNumber(true, [](double number) { return WarpRank{static_cast<std::uint32_t>(number)}; });
    }
    /// The command line counts from 1.
    void declare(const std::optional<std::uint64_t>&) const {
        addNumber(true, [](double number) { return static_cast<std::uint64_t>(number) - 1; });
    }
    /// Parts that only documents have.
    template <class Other>
    void declare(const Other&) const {}

  private:
    template <class Read>
    void addNumber(bool whole, Read read) const {
        const NumberLimits limits{.least = part.least, .most = part.most, .whole = whole};
        parser
            .add_option_function<std::string>(
                std::string(part.option),
                [this_ = *this, limits, read](const std::string& text) {
                    this_.of(this_.options.view) =
                        read(numberFrom(std::string(this_.part.option), text, limits));
                },
                std::string(part.help) + "; " + toString(limits))
            ->type_name(value::number);
    }
    template <class Read>
    void add(const std::string& takes, Read read) const {
        parser
            .add_option_function<std::string>(std::string(part.option), read,
                                              std::string(part.help))
            ->type_name(takes);
    }
};

}  // namespace

void addViewOptions(CLI::App& parser, ViewOptions& options) {
    const View start;
    forEachPart([&](const ViewPart& part, auto of) {
        if (part.option.empty()) return;
        PartOption<decltype(of)>{parser, options, part, of}.declare(of(start));
    });
}

}  // namespace warplens
