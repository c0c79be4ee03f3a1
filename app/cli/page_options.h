#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figure/output/render.h"
#include "app/figure/page.h"
#include "core/launch/limit_violation.h"
#include "core/view/view.h"

namespace CLI {

class App;
class Option;

}  // namespace CLI

namespace warplens {

/// A figure's file and how it looks, as typed.
struct PageOptions final {
    std::optional<std::string> path{};
    std::string size = "1280x720";
    std::string theme = "light";
};

/// -o, --size and --theme; returns the first.
CLI::Option* addPageOptions(CLI::App& parser, PageOptions& options);

/// For a command that draws only when asked to: how a figure looks is of use only with one.
void refusePageWithoutFile(const CLI::App& parser, std::vector<LimitViolation>& violations);

/// The same, read.
struct FigurePage final {
    std::string path;
    figure::Page page{};
    std::optional<figure::Format> format{};  ///< none where no file was named

    /// Throws std::runtime_error when the file, which must be named, cannot be written.
    void write(const figure::Picture& picture) const;
};
/// Adds everything that is wrong to `violations`.
[[nodiscard]] FigurePage figurePageFrom(const PageOptions& options,
                                        std::vector<LimitViolation>& violations);

/// Parts of a view, as typed.
struct ViewOptions final {
    ViewChange view;
    std::vector<LimitViolation> violations{};  ///< words that are none
};

/// Declares the option of every part that has one: --view, --tab, … (core/view/view.h).
void addViewOptions(CLI::App& parser, ViewOptions& options);

}  // namespace warplens
