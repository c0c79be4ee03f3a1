#include "app/window/figure_job.h"

#include <cstring>

#include "app/drawing/warp_trace.h"
#include "app/figure/compose.h"
#include "app/lessons/library.h"
#include "app/window/program_tracer.h"
#include "app/window/state/program_changes.h"
#include "core/program/cuda_tokens.h"
#include "core/program/program_sources.h"
#include "core/program/warnings.h"
#include "core/text/files.h"
#include "core/text/format.h"
#include "kernels/library/prepared_launch.h"

namespace warplens::window {
namespace {

namespace fs = std::filesystem;

/// Sharp on a projector, however large the slide.
constexpr figure::PageSize clipboardSize{2560, 1440};

/// What is shown; the map stands for what its scenario is about, unless its cells were given other
/// numbers than at first.
PictureKind pictureOf(const FigureOrder& order) {
    const View& view = order.view;
    if (view.picture != PictureKind::threads) return view.picture;
    if (view.below == LowerTab::source) return PictureKind::source;
    return view.numbers == CellNumbers::warp || order.against ? PictureKind::scenario
                                                              : PictureKind::threads;
}

/// The same of an own launch: the times of blocks are those of a measurement. Two beside each other
/// show what makes the difference.
PictureKind pictureOfOwn(const FigureOrder& order) {
    const PictureKind picture = order.view.picture;
    if (picture != PictureKind::threads && picture != PictureKind::times) return picture;
    if (order.view.below == LowerTab::source) return PictureKind::source;
    return order.programAgainst ? PictureKind::scenario : PictureKind::request;
}

/// The command that draws the figure of a launch again.
std::string commandOf(const FigureOrder& order, const figure::Page& page) {
    if (order.program) {
        const ShownLaunch& shown = *order.program;
        std::string words =
            "warplens figure " + shown.path + " --launch " + std::to_string(shown.launch);
        if (order.programAgainst)
            words += " --against '" + order.programAgainst->path + " --launch " +
                     std::to_string(order.programAgainst->launch) + "'";
        words += " --view " + std::string(toString(pictureOfOwn(order)));
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
        const View& view = order.view;
        words += " --view " + std::string(toString(picture));
        if (picture == PictureKind::threads) {
            words += " --numbers " + std::string(toString(view.numbers));
            if (view.warp) words += " --warp " + std::to_string(view.warp->value);
        }
        if (picture == PictureKind::request && view.step)
            words += " --warp " + std::to_string(view.warp.value_or(WarpRank{}).value) +
                     " --step " + std::to_string(*view.step + 1);
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
    subject.faults = faultsOf(shown.version->trace, shown.predicted());
    subject.ofLaunches = figure::oneOfLaunches(shown.version->trace, shown.predicted());
    subject.view.warp = shown.warp;
    subject.view.step = shown.step;
    if (const PictureKind picture = pictureOfOwn(order); picture != PictureKind::source) {
        subject.view.picture = picture;
    }
    subject.view.capability = order.view.capability;
    if (&shown == &*order.program) {
        subject.demand = order.demand;
    } else if (subject.view.picture == PictureKind::slots && shown.measured == nullptr) {
        // What it was compiled to is not kept with what is pinned.
        StatedDemand demand{.block = *subject.demand, .registersFrom = "", .sharedFrom = ""};
        demand.take(
            compileAsPinned(shown, toString(order.view.capability.value_or(assumedCapability))));
        subject.demand = demand.block;
    }
    return subject;
}

/// What the order is held against, as it is drawn.
FigureOrder otherOf(const FigureOrder& order) {
    FigureOrder other;
    other.view.experiment = order.against->measurement->experiment;
    other.view.picture = order.view.picture;
    other.view.below = order.view.below;
    other.result = order.against;
    other.view.capability = order.view.capability;
    other.demand = demandOf(other.view.experiment, order.against->measurement.get()).block;
    return other;
}

/// Of two that are held against each other both show the access that makes the difference, whatever
/// step each was left at.
std::function<figure::Picture(const figure::Page&)> pairOf(figure::Subject a, figure::Subject b) {
    a.view.step.reset();
    b.view.step.reset();
    return [a = std::move(a), b = std::move(b)](const figure::Page& page) {
        return figure::composePair(a, b, page);
    };
}

std::function<figure::Picture(const figure::Page&)> alone(figure::Subject subject) {
    return [subject = std::move(subject)](const figure::Page& page) {
        return figure::compose(subject, page);
    };
}

/// One of the order's own launches.
std::function<figure::Picture(const figure::Page&)> alone(const ShownLaunch& shown,
                                                          const FigureOrder& order) {
    figure::Subject subject = subjectOf(shown, order);
    if (order.programAgainst) {
        const bool isA = order.part == PairPart::a;
        subject = figure::asBeside(std::move(subject),
                                   subjectOf(isA ? *order.program : *order.programAgainst, order));
    }
    if (order.view.picture == PictureKind::slots ||
        (order.view.below != LowerTab::source && shown.steps != nullptr))
        return alone(std::move(subject));
    return [&shown, source = std::move(subject.source)](const figure::Page& page) {
        return figure::composeProgram(
            {shown.version->trace, shown.predicted(), source, shown.measured.get()}, page);
    };
}

/// The order as a picture for a page: the tracing is done once, here.
std::function<figure::Picture(const figure::Page&)> composerOf(const FigureOrder& order) {
    if (order.program && order.programAgainst && order.part == PairPart::both)
        return pairOf(subjectOf(*order.programAgainst, order), subjectOf(*order.program, order));
    if (order.program) {
        const bool isA = order.programAgainst && order.part == PairPart::a;
        return alone(isA ? *order.programAgainst : *order.program, order);
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
    if (!order.against) return alone(subjectOf(order));
    if (order.part == PairPart::both) return pairOf(subjectOf(otherOf(order)), subjectOf(order));
    const FigureOrder other = otherOf(order);
    const bool isA = order.part == PairPart::a;
    return alone(figure::asBeside(subjectOf(isA ? other : order), subjectOf(isA ? order : other)));
}

/// With the command in it that draws it again.
std::function<figure::Picture(const figure::Page&)> tracedComposerOf(const FigureOrder& order) {
    return [&order, compose = composerOf(order)](const figure::Page& page) {
        figure::Picture picture = compose(page);
        if (picture.command.empty()) picture.command = commandOf(order, page);
        return picture;
    };
}

/// The kernel's name in a file's; where it is launched several times, with which one.
std::string nameOf(const ShownLaunch& shown) {
    const std::vector<LaunchReport>& launches = shown.version->trace.launches;
    std::string name = shortKernelName(shown.predicted().kernel);
    const auto isOfIt = [&](const LaunchReport& launch) {
        return launch.kernel == shown.predicted().kernel;
    };
    if (std::ranges::count_if(launches, isOfIt) > 1) {
        name += "-launch" + std::to_string(shown.launch);
    }
    // As on every system a file may be called.
    std::ranges::replace_if(
        name, [](char c) { return std::strchr("<>,: *&()/", c) != nullptr; }, '-');
    name.erase(name.find_last_not_of('-') + 1);
    return name;
}

std::string nameOf(const FigureOrder& order) {
    if (order.roofline != nullptr) return "warplens-roofline";
    if (order.program) {
        const std::string file = fs::path(order.program->path).stem().string();
        const std::string shown = nameOf(*order.program);
        std::string name = "warplens-" + (file == shown ? "" : file + '-') + shown;
        if (order.programAgainst) {
            const std::string other = nameOf(*order.programAgainst);
            name += "-against-" + (other == shown ? "earlier" : other);
        }
        return name;
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
    if (paper.name.find('/') != std::string::npos) {
        throw std::runtime_error("a name has no / in it; the folder has a field of its own");
    }
    const std::string name = paper.name.empty() ? nameOf(order) : paper.name;
    const auto endings = {".pdf", ".svg", ".png"};
    fs::path stem = newStem(folder, name, endings);
    // The same on other paper is not a second one.
    if (stem.filename() != name && paper.theme != Theme::light)
        stem = newStem(folder, name + '-' + std::string(toString(paper.theme)), endings);
    const figure::Picture picture = compose({size, paper.theme, paper.title, paper.caption});
    std::string written;
    for (const auto& [wanted, format, extension] : all) {
        if (!wanted || !figure::canRender(format)) continue;
        writeFileAtomically(stem.string() + extension, figure::render(picture, format));
        handOver(stem.string() + extension);
        addWords(written, ", ", extension);
    }
    if (written.empty()) throw std::runtime_error("no format is chosen");
    return "Figure saved: " + stem.string() + ": " + written;
}

std::string saved(const FigureOrder& order, const fs::path& folder) {
    if (order.paper) return savedOn(*order.paper, order, folder);
    const auto compose = tracedComposerOf(order);
    const fs::path stem = newStem(folder, nameOf(order), {".pdf", ".svg", ".png"});
    const auto write = [&](const figure::Page& page, figure::Format format, const char* extension) {
        if (!figure::canRender(format)) return;
        const fs::path file = stem.string() + extension;
        writeFileAtomically(file, figure::render(compose(page), format));
        handOver(file);
    };
    const figure::Page plain{.size = {}, .theme = order.view.theme};
    write(plain, figure::Format::pdf, ".pdf");
    write(plain, figure::Format::svg, ".svg");
    write({clipboardSize, order.view.theme}, figure::Format::png, ".png");
    return "Figure saved: " + stem.string() +
           (figure::canRender(figure::Format::pdf) ? ".pdf, .svg and .png" : ".svg");
}

FigureDrawn copied(const FigureOrder& order) {
    const std::string reason = copyPicture(figure::render(
        tracedComposerOf(order)({clipboardSize, order.view.theme}), figure::Format::png));
    if (reason.empty()) return {order.number, MessageKind::note, "Figure copied to the clipboard."};
    return {order.number, MessageKind::warning, "Figure not copied: " + reason};
}

figure::LessonWords wordsOf(const LearnPage& page) {
    const bool isStep = page.kind == PageKind::step;
    const std::string told = page.told.empty() ? std::string() : page.told + ". ";
    figure::LessonWords words{
        .title = page.title,
        .place = "page " + std::to_string(page.page + 1) + " of " + std::to_string(page.pages) +
                 (page.page + 1 == page.pages ? ", the last" : ""),
        .says = page.words,
        .launch =
            page.kind == PageKind::exercise ? "The exercise as it is begun" : page.pictureTitle};
    if (isStep) {
        words.says = {told + joined(page.words, " ")};
    } else if (page.kind == PageKind::question) {
        const LearnQuestion& question = page.question;
        if (question.open) {
            words.says.push_back(question.ask);
            char letter = 'A';
            for (const LearnChoice& choice : question.choices)
                words.says.push_back(std::string(1, letter++) + "   " + choice.say);
            words.place += " · Page Down or Enter shows the answer";
        } else {
            words.says = {question.ask + " Answer: " + question.answer + ". " + question.feedback};
        }
    }
    return words;
}

/// The first of the page's pictures that a slide has and nothing of which is covered.
std::optional<PictureKind> openPictureOf(const LearnPage& page) {
    constexpr std::array drawn{PictureKind::threads,   PictureKind::block3d, PictureKind::request,
                               PictureKind::slots,     PictureKind::times,   PictureKind::source,
                               PictureKind::reduction, PictureKind::waves};
    for (const LearnPicture& picture : page.pictures) {
        if (!picture.covered && !picture.bare && !picture.own &&
            std::ranges::count(drawn, picture.panel) != 0)
            return picture.panel;
    }
    return std::nullopt;
}

/// What the page shows of its launch in place of what the scenario is about: the threads, where the
/// map is of a block, what a warp asks where the page names that and the scenario is about other
/// things, and the blocks on SMs.
std::optional<PictureKind> stepPictureOf(const LearnPage& page, const View& view) {
    const std::string_view about = scenarioNamed(view.experiment.scenario).figure;
    const bool ofThreads = about.empty() || about == "threads" || about == "coverage";
    const std::optional<PictureKind> open = openPictureOf(page);
    const bool isBehind = open == PictureKind::request && view.below == LowerTab::source;
    if (page.asksMemory && (ofThreads || isBehind)) return PictureKind::request;
    const bool isBlock = view.map == MapFollows::block || view.numbers != CellNumbers::warp;
    if (open == PictureKind::waves || (open == PictureKind::threads && isBlock)) return open;
    if (open == PictureKind::threads) return PictureKind::coverage;
    return std::nullopt;
}

std::shared_ptr<const Slide> lessonSlideOf(const PresentPlace& place) {
    const figure::Page page{{place.width, place.height}, place.order.view.theme};
    const LearnPage& lesson = *place.lesson;
    const figure::LessonWords words = wordsOf(lesson);
    figure::Subject subject = subjectOf(place.order);
    subject.apart = place.apart;
    const bool asks = lesson.kind == PageKind::question && lesson.question.open;
    const bool hasFigure = lesson.kind == PageKind::step ||
                           (lesson.kind == PageKind::question && !lesson.question.open);
    // Where a lesson looks at shared memory its numbers come first on all its pages.
    const StepSubjects of = subjectsOf({place.order.view.experiment, {}, {}});
    if (place.order.view.array && *place.order.view.array >= of.arrays.size())
        subject.about = Metric::sharedWavefrontsPerRequest;
    const bool isExercise = lesson.kind == PageKind::exercise;
    if (isExercise) {
        subject.source = exerciseFile(lessonNamed(place.order.view.lesson));
        const auto kernels = source::kernelsIn(source::maskedText(subject.source));
        subject.kernel = kernels.empty() ? "main" : kernels.front().name;
    }
    std::optional<PictureKind> beside = openPictureOf(lesson);
    // A slide of branches says what the compiler made of them, too.
    if (asks && beside == PictureKind::request &&
        scenarioNamed(place.order.view.experiment.scenario).figure != "memory")
        beside.reset();
    if (!hasFigure && beside) subject.view.picture = *beside;
    if (hasFigure && place.order.view.picture == PictureKind::threads)
        subject.view.picture =
            stepPictureOf(lesson, place.order.view).value_or(subject.view.picture);
    std::optional<figure::Subject> other;
    if (place.order.against) {
        other = subjectOf(otherOf(place.order));
        subject.view.picture = other->view.picture = PictureKind::scenario;
        subject.view.step.reset();
    }
    if (place.predicted) {
        other = figure::subjectOf(place.predicted->first, {});
        subject = figure::subjectOf(place.predicted->second, {});
    }
    figure::Picture picture =
        hasFigure || other
            ? figure::composeLesson(subject, words, page, other ? &*other : nullptr)
            : figure::composeWords(subject, isExercise || (asks && !beside), words, page);
    return std::make_shared<const Slide>(
        Slide{std::move(picture.items), picture.background, place.width, place.height});
}

}  // namespace

std::string describeFigure(const FigureOrder& order) {
    return figure::toText(
        figure::describe(order.program ? subjectOf(*order.program, order) : subjectOf(order)));
}

std::string proposedName(const FigureOrder& order) {
    return nameOf(order);
}

std::shared_ptr<const Slide> slideOf(const FigureOrder& order, int width, int height) {
    const FigurePaper& paper = order.paper ? *order.paper : FigurePaper();
    figure::Picture picture =
        composerOf(order)({{width, height}, order.view.theme, paper.title, paper.caption});
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

Command drawFigureNow(const FigureOrder& order, std::stop_token) {
    return drawFigure(order, picturesFolder());
}

bool operator==(const PresentPlace& a, const PresentPlace& b) {
    // Sweeps grow point by point, and are made anew for every order, as are rooflines.
    const auto alike = [](const std::shared_ptr<const KeptSweep>& one,
                          const std::shared_ptr<const KeptSweep>& other) {
        if (one == nullptr || other == nullptr) return one == other;
        const Sweep& x = one->sweep;
        const Sweep& y = other->sweep;
        return one->recorded == other->recorded && x.plan == y.plan &&
               x.predictedCount() == y.predictedCount() && x.measuredCount() == y.measuredCount();
    };
    const auto rest = [](FigureOrder order) {
        order.sweep.reset();
        order.roofline.reset();
        return order;
    };
    const auto& [x, y] = std::tie(a.order.roofline, b.order.roofline);
    return a.width == b.width && a.height == b.height && a.lesson == b.lesson &&
           a.predicted == b.predicted && a.apart == b.apart &&
           alike(a.order.sweep, b.order.sweep) &&
           (x == nullptr || y == nullptr ? x == y : *x == *y) && rest(a.order) == rest(b.order);
}

PresentPlace presentPlace(const AppState& state, int width, int height) {
    PresentPlace place{figureOf(state), width, height};
    place.order.part = state.present.part;
    if (state.present.lesson && shownLesson(state) != nullptr) {
        place.lesson = learnPage(state);
        place.predicted = predictedPair(state);
        place.apart = state.block3d.apart;
        if (const auto pair = concludedPair(state)) {
            FigureOrder& order = place.order;
            order.against = pair->first;
            order.result = pair->second;
            order.view.experiment = pair->second.measurement->experiment;
            order.view.block = {};
            order.view.warp.reset();
            order.demand = demandOf(order.view.experiment, order.result->measurement.get()).block;
        }
    }
    return place;
}

PresentPlace previewPlace(const AppState& state) {
    const FigureChoice& choice = state.figure.choice;
    return {figureOf(state, choice), choice.paper.width, choice.paper.height};
}

Command previewNow(const PresentPlace& place, std::stop_token) {
    try {
        return FigurePreviewed{slideOf(place.order, place.width, place.height)};
    } catch (const std::exception& error) {
        return FigurePreviewed{nullptr, "No figure: " + std::string(error.what())};
    }
}

Command presentNow(const PresentPlace& place, std::stop_token) {
    try {
        if (place.lesson) return Presented{lessonSlideOf(place)};
        return Presented{slideOf(place.order, place.width, place.height)};
    } catch (const std::exception& error) {
        return Report{MessageKind::error, "Not presented: " + std::string(error.what())};
    }
}

}  // namespace warplens::window
