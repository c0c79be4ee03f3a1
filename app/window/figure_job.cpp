#include "app/window/figure_job.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <sys/wait.h>
#include <system_error>
#include <utility>

#include "app/figure/compose.h"
#include "core/text/atomic_file.h"

namespace warplens::window {
namespace {

namespace fs = std::filesystem;

/// Sharp on a projector, however large the slide.
constexpr figure::PageSize clipboardSize{2560, 1440};

/// What is shown; the map stands for what its scenario is about.
PictureKind pictureOf(const FigureOrder& order) {
    if (order.view.picture != PictureKind::threads) return order.view.picture;
    return order.view.below == LowerTab::source ? PictureKind::source : PictureKind::scenario;
}

/// The same of an own launch: the times of blocks are those of a measurement.
PictureKind pictureOfOwn(const FigureOrder& order) {
    const PictureKind picture = order.view.picture;
    if (picture != PictureKind::threads && picture != PictureKind::times) return picture;
    return order.view.below == LowerTab::source ? PictureKind::source : PictureKind::request;
}

/// The command that draws the figure of a launch again.
std::string commandOf(const FigureOrder& order, const figure::Page& page) {
    if (order.program) {
        const ShownLaunch& shown = *order.program;
        std::string words = "warplens figure " + shown.path + " --launch " +
                            std::to_string(shown.launch) + " --view " +
                            std::string(toString(pictureOfOwn(order)));
        if (shown.warp) words += " --warp " + std::to_string(shown.warp->value);
        if (shown.step) words += " --step " + std::to_string(*shown.step + 1);
        return words + toOptions(page) + " -o FILE";
    }
    const Experiment& experiment = order.view.experiment;
    std::string words = "warplens figure " + experiment.scenario + " " + toOptions(experiment);
    if (order.against) {
        const Experiment& a = order.against->measurement->experiment;
        words += " --against '" + a.scenario + " " + toOptions(a) + "'";
    }
    if (const PictureKind picture = pictureOf(order); picture != PictureKind::scenario) {
        words += " --view " + std::string(toString(picture));
    }
    return words + toOptions(page) + " -o FILE";
}

figure::Subject subjectOf(const FigureOrder& order) {
    figure::Shown shown;
    if (order.result) shown = {order.result->measurement.get(), order.result->recorded};
    figure::Subject subject = figure::subjectOf(order.view.experiment, shown);
    subject.view = order.view;
    subject.view.picture = pictureOf(order);
    subject.demand = order.demand;
    return subject;
}

figure::Subject subjectOf(const ShownLaunch& shown, const FigureOrder& order) {
    figure::Subject subject =
        figure::subjectOf(shown.predicted(), shown.path, shown.steps, shown.measured.get());
    for (const std::string& line : shown.version->lines) subject.source += line + '\n';
    if (shown.steps == nullptr) subject.view.block = order.view.block;
    subject.view.warp = shown.warp;
    subject.view.step = shown.step;
    if (const PictureKind picture = pictureOfOwn(order); picture != PictureKind::source) {
        subject.view.picture = picture;
    }
    subject.view.capability = order.view.capability;
    subject.demand = order.demand;
    return subject;
}

/// The order as a picture for a page: the tracing is done once, here.
std::function<figure::Picture(const figure::Page&)> composerOf(const FigureOrder& order) {
    if (order.program && order.programAgainst) {
        return [a = subjectOf(*order.programAgainst, order), b = subjectOf(*order.program, order)](
                   const figure::Page& page) { return figure::composePair(a, b, page); };
    }
    if (order.program && order.view.picture != PictureKind::slots &&
        (order.view.below == LowerTab::source || order.program->steps == nullptr)) {
        const ShownLaunch& shown = *order.program;
        return [&shown, source = subjectOf(shown, order).source](const figure::Page& page) {
            return figure::composeProgram(
                {shown.version->trace, shown.predicted(), source, shown.measured.get()}, page);
        };
    }
    if (order.program) {
        return [subject = subjectOf(*order.program, order)](const figure::Page& page) {
            return figure::compose(subject, page);
        };
    }
    if (order.sweep != nullptr) {
        return [&order](const figure::Page& page) {
            return figure::composeSweep(
                {order.sweep->sweep, order.quantities, order.sweep->recorded}, page);
        };
    }
    if (order.roofline != nullptr) {
        return [&order](const figure::Page& page) {
            return figure::composeRoofline(*order.roofline, page);
        };
    }
    if (order.against) {
        FigureOrder other;
        other.view.experiment = order.against->measurement->experiment;
        other.view.picture = order.view.picture;
        other.view.below = order.view.below;
        other.result = order.against;
        other.view.capability = order.view.capability;
        return [a = subjectOf(other), b = subjectOf(order)](const figure::Page& page) {
            return figure::composePair(a, b, page);
        };
    }
    return [subject = subjectOf(order)](const figure::Page& page) {
        return figure::compose(subject, page);
    };
}

/// With the command in it that draws it again.
std::function<figure::Picture(const figure::Page&)> tracedComposerOf(const FigureOrder& order) {
    return [&order, compose = composerOf(order)](const figure::Page& page) {
        figure::Picture picture = compose(page);
        if (picture.command.empty()) picture.command = commandOf(order, page);
        return picture;
    };
}

std::string nameOf(const FigureOrder& order) {
    if (order.roofline != nullptr) return "warplens-roofline";
    if (order.program) {
        return "warplens-" + fs::path(order.program->path).stem().string() + "-launch-" +
               std::to_string(order.program->launch);
    }
    const Experiment& experiment = order.view.experiment;
    std::string name = "warplens-";
    if (order.sweep != nullptr) {
        const SweepPlan& plan = order.sweep->sweep.plan;
        name += plan.base.scenario + "-over-" + nameOf(plan.axis);
    } else {
        name += experiment.scenario + "-" + toString(experiment.launch.block);
        if (order.against) {
            name += "-against-" + order.against->measurement->experiment.scenario;
        } else if (const PictureKind picture = pictureOf(order); picture != PictureKind::scenario) {
            name += "-" + std::string(toString(picture));
        }
    }
    std::ranges::replace(name, ',', 'x');
    return name;
}

/// As it was chosen, in the formats that were.
std::string savedOn(const FigurePaper& paper, const FigureOrder& order, const fs::path& folder) {
    const auto compose = tracedComposerOf(order);
    const figure::PageSize size{paper.width, paper.height};
    struct Wanted final {
        bool wanted;
        figure::Format format;
        std::string extension;
    };
    const std::array all{Wanted{paper.pdf, figure::Format::pdf, ".pdf"},
                         Wanted{paper.svg, figure::Format::svg, ".svg"},
                         Wanted{paper.png, figure::Format::png, ".png"}};
    const fs::path stem = newStem(folder, nameOf(order), {".pdf", ".svg", ".png"});
    std::string written;
    for (const auto& [wanted, format, extension] : all) {
        if (!wanted) continue;
        // Sharp on a projector.
        const int fine = format == figure::Format::png ? 2 : 1;
        const figure::Picture picture =
            compose({{fine * size.width, fine * size.height}, paper.theme});
        writeFileAtomically(stem.string() + extension, figure::render(picture, format));
        written += (written.empty() ? "" : ", ") + extension;
    }
    if (written.empty()) throw std::runtime_error("no format is chosen");
    return "Figure saved: " + stem.string() + ": " + written;
}

std::string saved(const FigureOrder& order, const fs::path& folder) {
    if (order.paper) return savedOn(*order.paper, order, folder);
    const auto compose = tracedComposerOf(order);
    const figure::Picture picture = compose({.size = {}, .theme = order.view.theme});
    const fs::path stem = newStem(folder, nameOf(order), {".pdf", ".svg", ".png"});
    for (const auto& [format, extension] :
         {std::pair{figure::Format::pdf, ".pdf"}, {figure::Format::svg, ".svg"}}) {
        writeFileAtomically(stem.string() + extension, figure::render(picture, format));
    }
    const figure::Picture sharp = compose({clipboardSize, order.view.theme});
    writeFileAtomically(stem.string() + ".png", figure::render(sharp, figure::Format::png));
    return "Figure saved: " + stem.string() + ".pdf, .svg and .png";
}

/// Exit code of a program of the desktop that takes `bytes` on its standard input; 127 where there
/// is none of that name, which the ignored SIGPIPE (command_line.cpp) lets us live to see.
int feed(const char* command, const std::string& bytes) {
    std::FILE* const pipe = ::popen(command, "w");
    if (pipe == nullptr) throw std::system_error(errno, std::generic_category(), command);
    const bool whole = std::fwrite(bytes.data(), 1, bytes.size(), pipe) == bytes.size();
    const int status = ::pclose(pipe);
    if (!WIFEXITED(status)) return 1;
    return WEXITSTATUS(status) == 0 && !whole ? 1 : WEXITSTATUS(status);
}

/// GLFW copies text alone, so the desktop's own tools take the picture.
FigureDrawn copied(const FigureOrder& order) {
    const std::string png = figure::render(
        tracedComposerOf(order)({clipboardSize, order.view.theme}), figure::Format::png);
    const char* const wayland = std::getenv("WAYLAND_DISPLAY");
    const bool isWayland = wayland != nullptr && *wayland != '\0';
    const char* const tool = isWayland ? "wl-copy" : "xclip";
    const int code =
        feed(isWayland ? "exec wl-copy --type image/png >/dev/null 2>&1"
                       : "exec xclip -selection clipboard -target image/png >/dev/null 2>&1",
             png);
    if (code == 0) return {order.number, MessageKind::note, "Figure copied to the clipboard."};
    const std::string reason =
        code == 127 ? std::string(tool) + " is not installed. It is in the package " +
                          (isWayland ? "wl-clipboard" : "xclip") + "; S saves the figure as files."
                    : std::string(tool) + " ended with code " + std::to_string(code) + ".";
    return {order.number, MessageKind::warning, "Figure not copied: " + reason};
}

/// The value of XDG_PICTURES_DIR in user-dirs.dirs: `"$HOME/Pictures"` or an absolute path.
fs::path configuredPictures(const fs::path& home) {
    const char* const config = std::getenv("XDG_CONFIG_HOME");
    const fs::path folder =
        config != nullptr && *config != '\0' ? fs::path(config) : home / ".config";
    try {
        const std::string text = readFile(folder / "user-dirs.dirs");
        const std::string key = "XDG_PICTURES_DIR=\"";
        std::size_t at = text.starts_with(key) ? 0 : text.find('\n' + key);
        if (at == std::string::npos) return {};
        at = text.find('"', at) + 1;
        const std::string value = text.substr(at, text.find('"', at) - at);
        return value.starts_with("$HOME/") ? home / value.substr(6) : fs::path(value);
    } catch (const std::system_error&) {
        return {};
    }
}

}  // namespace

std::shared_ptr<const Slide> slideOf(const FigureOrder& order, int width, int height) {
    figure::Picture picture = composerOf(order)({{width, height}, order.view.theme});
    return std::make_shared<const Slide>(
        Slide{std::move(picture.items), picture.background, width, height});
}

FigureDrawn drawFigure(const FigureOrder& order, const fs::path& folder) {
    try {
        if (order.target == FigureTarget::clipboard) return copied(order);
        const bool own = order.paper && !order.paper->folder.empty();
        if (own && !fs::is_directory(order.paper->folder)) {
            throw std::runtime_error("there is no folder " + order.paper->folder);
        }
        return {order.number, MessageKind::note,
                saved(order, own ? fs::path(order.paper->folder) : folder)};
    } catch (const std::exception& error) {
        return {order.number, MessageKind::error, "Figure not drawn: " + std::string(error.what())};
    }
}

fs::path picturesFolder() {
    std::error_code ignored;
    if (const char* const name = std::getenv("HOME"); name != nullptr && *name != '\0') {
        const fs::path home(name);
        for (const fs::path& folder : {configuredPictures(home), home / "Pictures"}) {
            if (folder.is_absolute() && folder != home && fs::is_directory(folder, ignored)) {
                return folder;
            }
        }
    }
    return fs::current_path(ignored);
}

Command drawFigureNow(const FigureOrder& order, std::stop_token) {
    return drawFigure(order, picturesFolder());
}

}  // namespace warplens::window
