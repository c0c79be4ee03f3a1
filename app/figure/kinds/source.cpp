
#include "app/drawing/line_meaning.h"
#include "app/drawing/source_code.h"
#include "app/figure/compose.h"
#include "app/figure/kinds/kind.h"
#include "core/launch/launch.h"
#include "core/measurement/measurement.h"
#include "core/program/costliest_line.h"
#include "core/program/cuda_tokens.h"
#include "core/program/line_costs.h"
#include "core/program/warnings.h"
#include "core/text/encoding.h"
#include "core/text/format.h"
#include "kernels/library/kernel_program.h"

namespace warplens::figure {
namespace {

std::vector<std::string> linesIn(std::string_view source) {
    std::vector<std::string> lines;
    for (const std::string_view written : splitLines(source)) {
        std::string line;
        for (const char c : written) {
            if (c == '\t') line += "    ";
            if (c != '\t' && c != '\r') line += c;
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

/// The lines of a kernel that are drawn: from its head to its end, or to the last that asks for
/// something. `lines` are without comments and texts.
struct Extract final {
    std::size_t first = 0;  ///< index
    std::size_t end = 0;
};

Extract extractOf(const std::vector<std::string>& lines, const std::vector<LineCosts>& costs,
                  const std::string& kernel) {
    const auto isEmpty = [](const LineCosts& line) { return line.empty(); };
    const auto begin = std::ranges::find_if_not(costs, isEmpty);
    if (begin == costs.end()) return {0, lines.size()};
    const auto last = std::find_if_not(costs.rbegin(), costs.rend(), isEmpty);
    Extract extract{static_cast<std::size_t>(begin - costs.begin()),
                    costs.size() - static_cast<std::size_t>(last - costs.rbegin())};
    const std::string name = kernel.substr(0, kernel.find('<'));
    for (std::size_t i = extract.first + 1; i-- > 0;) {
        if (lines[i].find("__global__") == std::string::npos) continue;
        if (lines[i].find(name) != std::string::npos || i + 1 == extract.first) extract.first = i;
        break;
    }
    // Up to the bracket that closes what was opened.
    int depth = 0;
    for (std::size_t i = extract.first; i < lines.size(); ++i) {
        const auto opened = std::ranges::count(lines[i], '{');
        const auto closed = std::ranges::count(lines[i], '}');
        depth += static_cast<int>(opened - closed);
        if (depth == 0 && closed != 0) {
            extract.end = std::max(extract.end, i + 1);
            break;
        }
    }
    return extract;
}

std::vector<SourceRow> fittingRows(const Canvas& canvas, const std::vector<SourceRow>& rows,
                                   const Box& room);

class ProgramFigure final {
  public:
    ProgramFigure(Canvas& canvas, const ProgramSubject& subject)
        : canvas_(canvas),
          subject_(subject),
          lines_(linesIn(subject.source)),
          costs_(costsByLine(subject.launch, subject.trace.program, lines_.size())),
          worst_(costliestLine(subject.launch, subject.trace.program, lines_.size())) {
        if (subject.measured == nullptr) return;
        compared_ =
            comparedLines(compareStatements(subject.launch, *subject.measured,
                                            subject.trace.program, statementLines(subject.source)),
                          subject.measured->differences, subject.trace.program);
        const auto differs = [](const auto& line) { return line.second.differs; };
        const auto first = std::ranges::find_if(compared_, differs);
        if (worst_ == 0 && first != compared_.end()) worst_ = first->first;
    }

    /// Returns where what follows may begin.
    float drawHeader(bool hasTitle, const Box& page) {
        const drawing::ColorRoles& colors = canvas_.colors();
        const std::string launch = subject_.launch.kernel + toLaunchSyntax(subject_.launch.launch);
        float top = page.top;
        const float large = hasTitle              ? size::launch
                            : page.height() > 480 ? size::title
                                                  : size::sentence;
        canvas_.writeShortened({page.left, top, page.right, top + large},
                               {launch, Face::strong, large, colors.text});
        top += large + 6;
        if (page.height() < 260) return top;
        canvas_.writeShortened({page.left, top, page.right, top + size::name},
                               {statement(), Face::words, size::name, colors.muted});
        return top + size::name;
    }

    /// Returns where they end.
    float drawLines(const Box& room) {
        const Extract extract =
            extractOf(linesIn(source::maskedText(subject_.source)), costs_, subject_.launch.kernel);
        std::vector<SourceRow> rows;
        for (std::size_t i = extract.first; i < extract.end; ++i) rows.push_back(rowOf(i));
        rows = fittingRows(canvas_, rows, room);
        // As large as there is room, while no more lines have to be broken.
        constexpr float most = 26;
        float size = most;
        const int lines = countOfRows(canvas_, rows, room, size::smallestNumber);
        while (size > size::smallestNumber &&
               (countOfRows(canvas_, rows, room, size) > lines ||
                1.4F * size * static_cast<float>(lines) > room.height()))
            size = std::max(size::smallestNumber, size - 1);
        const float highest = size * (worst_ == 0 ? 1.5F : 1.9F);
        drawSourceRows(canvas_, rows, room, highest, size);
        return std::min(room.bottom, room.top + highest * static_cast<float>(countOfRows(
                                                              canvas_, rows, room, size)));
    }
    /// Where no line takes more than it must, below them the threads of a block.
    void drawBlockBelow(const Box& room) {
        constexpr float least = 160;
        if (worst_ != 0 || !wrongInWords().empty() || room.height() < least) return;
        Subject subject;
        subject.view.experiment = initialExperiment(scenarioNamed("warp-grouping"));
        subject.kernel = subject_.launch.kernel;
        subject.view.experiment.launch = subject_.launch.launch;
        Box below = room;
        below.top += 10 + canvas_.writeLines(room,
                                             {threadsStatement(subject), Face::strong,
                                              size::sentence, canvas_.colors().text},
                                             1);
        drawThreads(canvas_, subject, below);
    }

    [[nodiscard]] std::string provenance() const {
        std::string words = predictedFrom(subject_.launch, subject_.trace.program);
        if (const ProgramMeasurement* const measured = subject_.measured; measured != nullptr) {
            words += "   ·   compiled and counted on " + measured->device.name + ", " +
                     dayOf(measured->takenAt);
        }
        return words + "   ·   a sector is 32 bytes   ·   Warplens " + version();
    }

  private:
    [[nodiscard]] std::string statement() const {
        if (const std::string wrong = wrongInWords(); !wrong.empty()) return wrong;
        if (worst_ == 0) return "No line takes more than it must.";
        const auto compared = compared_.find(worst_);
        if (compared != compared_.end() && compared->second.differs) {
            return "Line " + std::to_string(worst_) + ": " + whyDiffers();
        }
        // What costs most comes first.
        const std::string meaning = meaningOfLine(subject_.launch, subject_.trace.program, worst_);
        const std::size_t end = meaning.find(". ");
        return "Line " + std::to_string(worst_) + ": " +
               withoutTicks(meaning.substr(0, end == std::string::npos ? end : end + 1));
    }

    /// What is wrong comes before what costs much; empty where nothing was found in the launch.
    [[nodiscard]] std::string wrongInWords() const {
        const Finding* first = nullptr;
        std::size_t count = 0;
        for (const Finding& finding : subject_.trace.findings) {
            if (finding.launch != subject_.launch.index) continue;
            if (first == nullptr) first = &finding;
            ++count;
        }
        if (first == nullptr) return {};
        return (count == 1 ? std::string("Wrong here: ")
                           : "Wrong here in " + std::to_string(count) + " places; ") +
               (first->place.line == 0 ? "" : "line " + std::to_string(first->place.line) + ": ") +
               first->words + '.';
    }

    /// Of the worst line.
    [[nodiscard]] std::string whyDiffers() const {
        const auto& all = subject_.measured->differences;
        const auto found = std::ranges::find_if(all, [&](const LineDifference& one) {
            return one.line == worst_ && sameFile(one.file, subject_.trace.program);
        });
        return found->words + '.';
    }

    [[nodiscard]] static std::string wordsOf(const LineCosts& line) {
        std::string words = joined(
            memoryCosts(line, [](const std::string& least) { return ", " + least + " would do"; }),
            "   ");
        if (line.branch.divergent != 0) addWords(words, "   ", branchesInWords(line));
        return words;
    }

    [[nodiscard]] SourceRow rowOf(std::size_t index) const {
        const LineCosts& line = costs_[index];
        const auto compared = compared_.find(static_cast<std::uint32_t>(index) + 1);
        const bool known = compared != compared_.end();
        SourceRow row{.number = static_cast<std::uint32_t>(index) + 1,
                      .code = lines_[index],
                      .worst = index + 1 == worst_};
        row.words = compared_.empty() ? wordsOf(line) : known ? inWords(compared->second) : "";
        row.wasteful = compared_.empty() ? row.worst || line.wastedSectors() + line.conflicts() != 0
                                         : known && compared->second.differs;
        return row;
    }

    Canvas& canvas_;
    const ProgramSubject& subject_;
    std::vector<std::string> lines_;
    std::vector<LineCosts> costs_;
    std::uint32_t worst_;
    std::map<std::uint32_t, ComparedLine> compared_{};  ///< empty where nothing was measured
};

}  // namespace

namespace {

/// Where rows of source stand, and in what size.
struct RowsRoom final {
    const Canvas& canvas;
    const Box& room;
    float size;

    /// Numbers end, and lines begin, so far from the left.
    [[nodiscard]] float numberEnd() const { return 34 * size / size::smallestNumber; }
    [[nodiscard]] float codeLeft() const { return 46 * size / size::smallestNumber; }
    [[nodiscard]] Words wordsOf(const SourceRow& row) const {
        return {row.words, Face::words, size::smallest,
                row.wasteful ? canvas.colors().warning : canvas.colors().muted};
    }
    /// What costs stands behind its line, unless that would take the line's own place.
    [[nodiscard]] float endOf(const SourceRow& row) const {
        const float width = row.words.empty() ? 0 : canvas.width(wordsOf(row)) + 18;
        return room.width() - 6 - (width < 0.75F * room.width() ? width : 0);
    }
    /// As drawCode.
    int draw(drawing::Items* items, const SourceRow& row, float top, float pitch) const {
        if (row.leftOut != 0) return 1;
        drawing::DrawArea area = canvas.area(room, size);
        area.colors.faint = area.colors.muted;  // faint text would come on a ground of its own
        return drawing::drawCode(items, area, row.number, row.code,
                                 {.at = {room.left, top + (pitch - size) / 2},
                                  .gutter = numberEnd(),
                                  .left = codeLeft(),
                                  .right = endOf(row),
                                  .height = pitch,
                                  .size = size});
    }
    [[nodiscard]] int count(const std::vector<SourceRow>& rows) const {
        int count = 0;
        for (const SourceRow& row : rows) count += draw(nullptr, row, 0, 0);
        return count;
    }
    [[nodiscard]] float leastPitch() const { return 1.11F * size; }
};

}  // namespace

std::map<std::uint32_t, SourceCost> sourceCostsOf(const Subject& subject) {
    std::map<std::uint32_t, SourceCost> costs;
    if (!subject.kernel.empty() && subject.program == nullptr) return costs;
    const WarpTrace trace = traceWarp({subject.view.experiment, subject.view.block,
                                       subject.view.warp.value_or(WarpRank{0}), subject.program});
    for (const WarpStep& step : trace.steps) {
        const drawing::CostWords words = drawing::costWords(trace, step);
        const auto [at, isNew] =
            costs.try_emplace(step.line, SourceCost{words.brief, words.wasteful});
        if (!isNew && words.wasteful && !at->second.wasteful) {
            at->second = {words.brief, words.wasteful};
        }
    }
    return costs;
}

float sizeOfRows(const Canvas& canvas, const std::vector<SourceRow>& rows, const Box& room,
                 float least, float most) {
    for (float size = most;; size = std::max(size - 1, least)) {
        const RowsRoom within{canvas, room, size};
        if (within.leastPitch() * static_cast<float>(within.count(rows)) <= room.height()) {
            return size;
        }
        if (size <= least) return 0;
    }
}

int countOfRows(const Canvas& canvas, const std::vector<SourceRow>& rows, const Box& room,
                float size) {
    return RowsRoom{canvas, room, size}.count(rows);
}

void drawSourceRows(Canvas& canvas, const std::vector<SourceRow>& rows, const Box& room,
                    float highest, float size) {
    const drawing::ColorRoles& colors = canvas.colors();
    const RowsRoom within{canvas, room, size};
    const float pitch =
        std::clamp(room.height() / static_cast<float>(std::max(1, within.count(rows))),
                   within.leastPitch(), std::max(highest, within.leastPitch()));
    float top = room.top;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const SourceRow& row = rows[i];
        drawing::Items items;
        const float bottom = top + pitch * static_cast<float>(within.draw(&items, row, top, pitch));
        const bool last = i + 1 == rows.size();
        if (bottom + (last ? 0 : pitch) > room.bottom + 1) {
            canvas.write({room.left + within.codeLeft(), top, room.right, top + pitch},
                         {"… and " + counted(rows.size() - i, "more line"), Face::words,
                          size::smallest, colors.muted});
            return;
        }
        if (row.leftOut != 0) {
            canvas.write(
                {room.left + within.codeLeft(), top, room.right, top + pitch},
                {"… " + counted(row.leftOut, "line"), Face::words, size::smallest, colors.muted});
            top = bottom;
            continue;
        }
        const Rgb color = row.wasteful ? colors.warning : colors.accent;
        if (row.marked || !row.words.empty()) {
            canvas.fill({room.left - 6, top, room.right, bottom}, color, row.worst ? 0.26F : 0.11F);
        }
        if (row.worst) canvas.fill({room.left - 6, top, room.left - 2, bottom}, color);
        canvas.write({room.left + within.endOf(row), top, room.right - 6, top + pitch},
                     within.wordsOf(row), 1);
        canvas.add(std::move(items), {room.left, top, room.right, bottom});
        top = bottom;
    }
}

std::vector<SourceRow> withGaps(std::vector<SourceRow> rows, const std::vector<CodeLine>& all) {
    std::vector<SourceRow> told;
    for (SourceRow& row : rows) {
        const auto isBetween = [&](const CodeLine& line) {
            return line.number > told.back().number && line.number < row.number;
        };
        const auto between =
            told.empty() ? 0 : static_cast<std::size_t>(std::ranges::count_if(all, isBetween));
        if (between != 0) told.push_back({.number = 0, .code = "", .leftOut = between});
        told.push_back(std::move(row));
    }
    return told;
}

namespace {

/// The rows that are drawn where not all fit in the smallest text: without what costs nothing, but
/// for the kernel's head and its end.
std::vector<SourceRow> fittingRows(const Canvas& canvas, const std::vector<SourceRow>& rows,
                                   const Box& room) {
    const RowsRoom within{canvas, room, size::smallestNumber};
    std::vector<int> heights;
    for (const SourceRow& row : rows) heights.push_back(within.draw(nullptr, row, 0, 0));
    std::vector<bool> shown(rows.size(), true);
    const auto fits = [&] {
        int count = 0;
        for (std::size_t i = 0; i < rows.size(); ++i)
            count += shown[i] ? heights[i] : shown[i - 1] ? 1 : 0;
        return static_cast<float>(count) * within.leastPitch() <= room.height();
    };
    const auto head = std::ranges::find_if(rows, [](const SourceRow& row) {
        return row.code.find("__global__") != std::string_view::npos;
    });
    for (auto i = static_cast<std::size_t>(head - rows.begin()) + 1; i + 1 < rows.size() && !fits();
         ++i)
        shown[i] = !rows[i].words.empty();
    // A line takes no more room than the word for one that is missing.
    for (std::size_t i = 1; i + 1 < rows.size(); ++i) {
        if (shown[i] || !shown[i - 1] || !shown[i + 1]) continue;
        shown[i] = true;
        shown[i] = fits();
    }
    std::vector<SourceRow> kept;
    std::vector<CodeLine> lines;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        lines.push_back({.number = rows[i].number});
        if (shown[i]) kept.push_back(rows[i]);
    }
    return withGaps(std::move(kept), lines);
}

}  // namespace

void drawSourceText(Canvas& canvas, const Subject& subject, const Box& room) {
    const std::map<std::uint32_t, SourceCost> costs = sourceCostsOf(subject);
    std::vector<SourceRow> rows;
    for (const KernelLine& line : codeLines(kernelOf(subject.view.experiment))) {
        SourceRow row{.number = line.line, .code = line.text};
        if (const auto cost = costs.find(line.line); cost != costs.end()) {
            row.words = cost->second.words;
            row.wasteful = cost->second.wasteful;
        }
        rows.push_back(std::move(row));
    }
    drawSourceRows(canvas, fittingRows(canvas, rows, room), room, size::smallestNumber + 5);
}

void drawKernelCode(Canvas& canvas, const Subject& subject, std::uint32_t line, const Box& room) {
    const std::vector<CodeLine> lines = linesOf(subject, true);
    for (std::size_t next = 1; next <= lines.size(); ++next) {
        std::vector<SourceRow> rows;
        for (std::size_t i = 0; i < lines.size(); i = i == 0 ? next : i + 1)
            rows.push_back({.number = lines[i].number, .code = lines[i].line});
        rows = withGaps(std::move(rows), lines);
        const float size = sizeOfRows(canvas, rows, room, size::smallestNumber, size::code);
        if (size > 0) return drawSourceRows(canvas, rows, room, size * 1.35F, size);
        if (next < lines.size() && lines[next].number >= line) return;
    }
}

Picture composeProgram(const ProgramSubject& subject, const Page& page) {
    Sheet sheet(page);
    Canvas& canvas = sheet.canvas;
    const Box& body = sheet.body;
    const float gap = sheet.height > 480 ? 18.0F : 8.0F;
    ProgramFigure figure(canvas, subject);
    const float top = figure.drawHeader(!page.title.empty(), body) + gap;
    float bottom = body.bottom;
    if (body.height() >= 260) {
        bottom = drawProvenance(canvas, {figure.provenance()}, body) - gap;
    }
    bottom = sheet.drawCaption({body.left, top, body.right, bottom});
    const float end = figure.drawLines({body.left + 6, top, body.right, bottom});
    figure.drawBlockBelow({body.left, end + gap, body.right, bottom});
    return std::move(sheet).picture(subject.launch.kernel + " of " + subject.trace.program);
}

}  // namespace warplens::figure
