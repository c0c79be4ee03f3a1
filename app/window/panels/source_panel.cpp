
#include "app/drawing/line_meaning.h"
#include "app/drawing/source_code.h"
#include "app/window/panels/measured_parts.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/program_panels.h"
#include "app/window/panels/widgets.h"
#include "app/window/state/program_changes.h"
#include "app/window/state/timeline.h"
#include "core/measurement/measurement.h"
#include "core/program/cuda_tokens.h"
#include "core/program/line_costs.h"
#include "core/program/reasons.h"
#include "core/text/format.h"
#include "kernels/library/kernel_program.h"

namespace warplens::window {
namespace {

constexpr const char* widestEach = "28.13 | 32 of 4";
constexpr const char* narrowEach = "28.13 of 4";
constexpr const char* widestConflict = "31.9× banks";

/// Where the columns of numbers end, from the right edge of the list.
struct Columns final {
    float code = 0;      ///< where the code of a line with costs ends
    float requests = 0;  ///< 0 where there is no room for them; the line's own panel has them
    float compiled = 0;  ///< likewise; 0 as well where no compiled code was run
    float each = 0;      ///< likewise
    float eachRoom = 0;
    float bar = 0;  ///< likewise
    float used = 0;
};

/// Of a launch that was measured: what the sources say, in place of those.
struct SourceColumns final {
    float code = 0;
    std::array<float, 3> numbers{};  ///< 0 where there is no room for them
    float unit = 0;                  ///< 0 as well
};

SourceColumns sourceColumnsFor(const Look& look, float width) {
    const float letter = measured(look.fonts.number, "0").x;
    const float number = measured(look.fonts.smallNumber, "99,999,999").x + look.px(8);
    const float unit = measured(look.fonts.small, "wavefronts").x + look.px(8);
    SourceColumns columns;
    float left = width - measured(look.fonts.strong, "≠").x - look.px(8);
    if (left - unit - 3 * number >= 40 * letter) {
        columns.unit = left - look.px(2);
        left -= unit;
    }
    if (left - 3 * number >= 38 * letter) {
        for (std::size_t i = columns.numbers.size(); i-- > 0; left -= number) {
            columns.numbers.at(i) = left;
        }
    }
    columns.code = left - look.px(8);
    return columns;
}

/// `letters`: so many code has before what says less than it.
Columns columnsFor(const Look& look, float width, bool hasCompiled, ImFont* code, float letters) {
    ImFont* const font = look.fonts.smallNumber;
    Columns columns;
    columns.used = width;
    columns.bar = width - measured(font, "99.999 %").x - look.px(8);
    columns.each = columns.bar - look.px(48);
    columns.eachRoom = measured(font, widestEach).x;
    const float requests = measured(font, "99,999,999").x + look.px(10);
    columns.code = columns.each - columns.eachRoom - look.px(14);
    // What a line says comes before how often.
    const float least = measured(look.fonts.number, "0").x * std::max(52.0F, letters);
    for (float* const column : {&columns.compiled, &columns.requests}) {
        if (column == &columns.compiled && !hasCompiled) continue;
        if (columns.code - requests < least) break;
        *column = columns.code;
        columns.code -= requests;
    }
    // A narrow list has the share alone, which says as much as fits beside code.
    const float letter = measured(code, "0").x;
    for (const char* const widest : {widestEach, narrowEach}) {
        if (columns.code >= letter * std::max(40.0F, letters)) break;
        columns.bar = 0;
        columns.each = columns.used - measured(font, "99.999 %").x - look.px(8);
        columns.eachRoom = measured(font, widest).x;
        columns.code = columns.each - columns.eachRoom - look.px(14);
    }
    if (columns.code < letter * 32) {
        columns.each = 0;
        columns.code = columns.used - measured(font, widestConflict).x - look.px(10);
    }
    // One of both alone would be taken for the other.
    if (columns.requests == 0 && columns.compiled != 0) {
        columns.requests = columns.compiled;
        columns.compiled = 0;
    }
    return columns;
}

/// A text with what its lines cost, all by place in `lines`.
struct Listing final {
    struct Line final {
        std::uint32_t number = 0;
        std::string_view text{};
        LineCosts costs{};
        LineCosts compiled{};
        std::optional<ComparedLine> compared{};
        const Finding* found = nullptr;  ///< what is wrong there
        LineWaste waste{};               ///< of an open file's
    };
    std::vector<Line> lines{};
    bool hasNumbers = true;
    bool hasCompiled = false;
    bool isMeasured = false;
    bool fades = false;  ///< other numbers are on their way
    std::size_t chosen = SIZE_MAX;
    std::uint32_t linesChosen = 0;  ///< as ProgramState has it
    std::size_t failed = SIZE_MAX;  ///< where it does not compile
    std::size_t worst = SIZE_MAX;
    std::vector<std::string> of{};  ///< the first that there is room for
    std::string mark{};
    bool pictured = false;  ///< leads to the pictures that have no place beside it
    ImFont* font = nullptr;
    std::function<std::optional<Command>(std::size_t)> onClick{};
};

/// Of the longest line with costs, its number in front of it; 0 but in letters for a projector,
/// where its numbers are few.
float lettersBefore(const UiContext& ui, const Listing& listing) {
    if (!isForProjector(ui.state)) return 0;
    constexpr std::size_t gutter = 6;
    std::size_t most = 0;
    for (const Listing::Line& line : listing.lines)
        if (!line.costs.empty()) most = std::max(most, line.text.size() + gutter);
    return static_cast<float>(most);
}

class SourceList final {
  public:
    SourceList(const UiContext& ui, const Listing& listing, float width)
        : ui_(ui),
          listing_(listing),
          width_(width),
          area_(drawArea(ui.look, {}, {})),
          columns_(columnsFor(ui.look, width, listing.hasCompiled, listing.font,
                              lettersBefore(ui, listing))),
          sources_(sourceColumnsFor(ui.look, width)),
          codeEnd_(!listing.hasNumbers  ? width
                   : listing.isMeasured ? sources_.code
                                        : columns_.code) {}

    void head() const {
        const auto [list, begin, width] = penHere();
        const Rgb color = ui_.colors.muted;
        const float choice = listing_.pictured ? pictures() : 0;
        const float room = codeEnd_ - ui_.px(8) - choice;
        const ImVec2 at{begin.x, begin.y + (choice > 0 ? ui_.px(3) : 0)};
        const auto of = std::ranges::find_if(listing_.of, [&](const std::string& words) {
            return measured(ui_.fonts.small, words).x <= room;
        });
        if (of != listing_.of.end())
            textAt(list, ui_.fonts.small, color, {at.x + choice, at.y}, *of);
        const float below = at.y + ui_.fonts.small->FontSize + ui_.px(1);
        const auto title = [&](float end, std::string_view words, std::string_view unit = "") {
            if (end <= 0) return;
            textAt(list, ui_.fonts.small, color, {at.x + end, at.y}, words, 1);
            textAt(list, ui_.fonts.small, color, {at.x + end, below}, unit, 1);
        };
        for (std::size_t i = 0; listing_.isMeasured && i < lineSources.size(); ++i) {
            title(sources_.numbers.at(i), namesOfLineSources.at(i));
        }
        if (!listing_.isMeasured) {
            // Of an access its requests, of a branch the warps that come to it.
            const bool hasBoth = columns_.compiled > 0;
            title(hasBoth ? columns_.compiled : columns_.requests, "requests or branches",
                  hasBoth ? "compiled" : "");
            if (hasBoth) title(columns_.requests, "", "predicted");
            const char* const units = "sectors, wavefronts";
            const bool fits = measured(ui_.fonts.small, units).x <= columns_.eachRoom + ui_.px(10);
            title(columns_.each, fits ? units : "each: sectors",
                  fits ? "a request" : "or wavefronts");
            const bool isWide = columns_.bar > 0;
            title(columns_.used, isWide ? "bytes used" : "used,",
                  isWide ? "or diverge" : "diverge");
        }
        const float rows = listing_.isMeasured ? 0 : below - at.y;
        ImGui::SetCursorScreenPos(begin);
        ImGui::Dummy({width_, rows + ui_.fonts.small->FontSize + ui_.px(choice > 0 ? 10 : 4)});
        ui_.mark(listing_.mark + "head");
        if (listing_.isMeasured || columns_.each == 0 ||
            ImGui::GetIO().MousePos.x < begin.x + codeEnd_)
            return;
        tooltip(ui_,
                "a request: what one takes, of the fewest that would do: sectors of global "
                "memory, wavefronts of shared memory\n4 | 32 of 4: the line's loads take 4, its "
                "stores 32, and 4 would do\nused: of the bytes of those sectors");
    }

    /// The lines that can be seen; where `moved`, the chosen one is among them.
    void draw(bool moved) const {
        const float begin = ImGui::GetScrollY();
        const float end = begin + ImGui::GetWindowHeight();
        float y = 0;
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
        for (std::size_t at = 0; at < listing_.lines.size(); ++at) {
            const float height = static_cast<float>(drawCode(nullptr, at, {})) * rowHeight();
            if (moved && at == listing_.chosen) {
                ImGui::SetScrollY(std::max(0.0F, y + height / 2 - ImGui::GetWindowHeight() / 2));
            }
            if (y + height > begin && y < end) {
                ImGui::SetCursorPosY(y);
                line(at, height);
            }
            y += height;
        }
        ImGui::SetCursorPosY(y);
        ImGui::Dummy({0, 0});
        ImGui::PopStyleVar();
    }

  private:
    /// What stands beside a line with costs, in words.
    [[nodiscard]] static std::string meaningOfNumbers(const Listing::Line& line) {
        std::string words =
            showsLocal(line)      ? "Sectors of local memory for each request, and the fewest"
            : showsConstant(line) ? "Turns of constant memory for each request, and the fewest"
            : showsTurns(line)
                ? "Turns of atomics for each request, and the fewest: lanes at one address come "
                  "one after the other"
            : showsGlobal(line)
                ? "Sectors for each request, and the fewest; the bar and its number: how much of "
                  "their bytes is used"
            : showsShared(line) ? "Wavefronts of the banks for each request, and the fewest"
                                : "How often a warp diverges at the line's branches";
        if (line.found != nullptr)
            words += ". White, not green: something was found wrong in this line.";
        return words;
    }
    /// Their buttons, from the cursor on; returns the width that they take.
    [[nodiscard]] float pictures() const {
        const float begin = ImGui::GetCursorScreenPos().x;
        ImGui::PushFont(ui_.fonts.small);
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui_.px(7), ui_.px(3)));
        for (const PictureKind picture :
             {PictureKind::threads, PictureKind::block3d, PictureKind::slots}) {
            actButton(ui_, actionOf(picture));
            ImGui::SameLine(0, ui_.px(4));
        }
        ImGui::PopStyleVar();
        ImGui::PopFont();
        return ImGui::GetCursorScreenPos().x + ui_.px(8) - begin;
    }
    [[nodiscard]] float rowHeight() const { return listing_.font->FontSize + ui_.px(4); }
    [[nodiscard]] bool hasCosts(std::size_t at) const {
        const Listing::Line& line = listing_.lines[at];
        return !line.costs.empty() || !line.compiled.empty() || line.compared;
    }
    [[nodiscard]] Rgb ink(Rgb color) const {
        return listing_.fades ? mixed(color, ui_.colors.panel, 0.4F) : color;
    }
    /// As the number beside it: the least bad of lines may be good enough.
    [[nodiscard]] Rgb colorOfWorst() const {
        const Colors& c = ui_.colors;
        const Listing::Line& worst = listing_.lines[listing_.worst];
        const LineWaste& waste = worst.waste;
        const auto used = worst.costs.usedPercent();
        if (waste.turns != 0 && waste.breaksRule) return c.bad;
        if (used && worst.costs.conflicts() == 0) {
            if (*used < goodShare) return colorOfShare(c, worst.costs);
            return waste.breaksRule ? c.warning : c.accent;
        }
        // Of an open file only what `check` warns of is bad, and no branch.
        const bool isNoFault =
            !waste.breaksRule || worst.costs.conflicts() == 0 || isMild(worst.costs.sharedParts);
        return waste.all() != 0 && isNoFault ? c.warning : c.bad;
    }

    [[nodiscard]] Rgb colorOfFound(const Finding& found) const {
        return isWarning(found.kind) ? ui_.colors.warning : ui_.colors.bad;
    }

    void line(std::size_t at, float height) const {
        const Listing::Line& shown = listing_.lines[at];
        const ImVec2 place = ImGui::GetCursorScreenPos();
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const bool isChosen = at == listing_.chosen;
        const bool isWorst = listing_.hasNumbers && at == listing_.worst;
        const bool isWrong = shown.found != nullptr;
        if (isChosen || isWorst || isWrong || at == listing_.failed) {
            const Rgb color = at == listing_.failed ? ui_.colors.bad
                              : isWrong             ? colorOfFound(*shown.found)
                              : isWorst             ? colorOfWorst()
                                                    : ui_.colors.accent;
            list.AddRectFilled(place, {place.x + width_, place.y + height},
                               packed(color, isChosen ? 0.24F : 0.1F));
            list.AddRectFilled(place, {place.x + ui_.px(3), place.y + height}, packed(color));
        }
        if (hasCosts(at)) {
            ImGui::PushID(static_cast<int>(at));
            if (ImGui::InvisibleButton("line", {width_, height})) {
                if (auto command = listing_.onClick(at)) ui_.issue(std::move(*command));
            }
            ImGui::PopID();
            if (listing_.hasNumbers && !listing_.isMeasured &&
                ImGui::GetIO().MousePos.x >= place.x + codeEnd_)
                tooltip(ui_, meaningOfNumbers(shown));
            ui_.mark(listing_.mark + std::to_string(shown.number));
        } else {
            ImGui::Dummy({width_, height});
        }
        if (isWrong) {
            textAt(list, ui_.fonts.strong, colorOfFound(*shown.found),
                   {place.x + ui_.px(6), place.y + ui_.px(1)}, "!");
            if (ImGui::GetIO().MousePos.x < place.x + codeEnd_) tooltip(ui_, shown.found->words);
        }
        drawCode(&list, at, place);
        const ImVec2 numbers{place.x, place.y + ui_.px(2)};
        if (!listing_.hasNumbers || !hasCosts(at)) return;
        if (listing_.isMeasured) {
            if (shown.compared) drawCompared(list, *shown.compared, numbers);
            return;
        }
        drawCosts(list, shown, numbers);
        if (listing_.hasCompiled) drawCompiled(list, shown, numbers);
    }
    /// Returns the line's rows; without a list nothing is drawn.
    int drawCode(ImDrawList* list, std::size_t at, ImVec2 place) const {
        const Listing::Line& line = listing_.lines[at];
        const float gutter = measured(listing_.font, "9999").x + ui_.px(6);
        drawing::Items items;
        const int rows =
            drawing::drawCode(list == nullptr ? nullptr : &items, area_, line.number, line.text,
                              {.at = {place.x, place.y + ui_.px(2)},
                               .gutter = gutter,
                               .left = gutter + ui_.px(12),
                               .right = hasCosts(at) ? codeEnd_ : width_,
                               .height = rowHeight(),
                               .size = listing_.font->FontSize});
        if (list != nullptr) paint(*list, ui_.fonts, items);
        return rows;
    }
    void drawCompared(ImDrawList& list, const ComparedLine& line, ImVec2 at) const {
        const Colors& c = ui_.colors;
        for (std::size_t i = 0; i < line.numbers.size(); ++i) {
            if (sources_.numbers.at(i) == 0) continue;
            const auto& number = line.numbers.at(i);
            const bool differs = line.differs && number != line.numbers.front();
            const Rgb color = !number ? c.faint : differs ? c.warning : c.text;
            textAt(list, ui_.fonts.smallNumber, ink(color), {at.x + sources_.numbers.at(i), at.y},
                   number ? groupedDigits(*number) : "–", 1);
        }
        if (sources_.unit > 0) {
            textAt(list, ui_.fonts.small, c.faint, {at.x + sources_.unit, at.y}, line.unit, 1);
        }
        if (line.differs) {
            textAt(list, ui_.fonts.strong, ink(c.warning), {at.x + width_, at.y - ui_.px(1)}, "≠",
                   1);
        }
    }
    /// Of a line that costs in several ways the costliest stands beside it; of one without bank
    /// conflicts at which warps diverge, that.
    static std::uint64_t wasteBeside(const Listing::Line& line) {
        return std::max({line.costs.wastedSectors(), line.costs.conflicts(),
                         line.costs.wastedTurns(), line.waste.divergent});
    }
    /// Whether it accesses no other memory, and has no branch.
    static bool isAlone(const LineCosts& costs, const LineCost& kind) {
        return kind.requests != 0 &&
               costs.global.requests + costs.shared.requests + costs.branch.requests == 0;
    }
    static bool showsLocal(const Listing::Line& line) {
        const LineCosts& costs = line.costs;
        const std::uint64_t waste = wasteOf(AccessKind::localLoad, costs.local);
        const std::uint64_t turns = wasteOf(AccessKind::constantLoad, costs.constant);
        return waste > std::max(wasteBeside(line), turns) ||
               (isAlone(costs, costs.local) && costs.constant.requests == 0);
    }
    static bool showsConstant(const Listing::Line& line) {
        return wasteOf(AccessKind::constantLoad, line.costs.constant) > wasteBeside(line) ||
               isAlone(line.costs, line.costs.constant);
    }
    /// In shared memory they are wavefronts as well.
    static bool showsTurns(const Listing::Line& line) {
        return line.costs.wastedTurns() > line.costs.conflicts() &&
               line.costs.wastedTurns() == wasteBeside(line);
    }
    static bool showsGlobal(const Listing::Line& line) {
        return line.costs.global.requests != 0 &&
               line.waste.sectors >= std::max(line.costs.conflicts(), line.waste.divergent);
    }
    static bool showsShared(const Listing::Line& line) {
        return line.costs.shared.requests != 0 &&
               (line.costs.conflicts() != 0 ? line.costs.conflicts() >= line.waste.divergent
                                            : line.costs.branch.divergent == 0);
    }
    /// Requests of what the compiler made of the line, marked where they are others.
    void drawCompiled(ImDrawList& list, const Listing::Line& line, ImVec2 at) const {
        if (columns_.compiled == 0) return;
        const LineCosts& all = line.compiled;
        const bool onlyCompiled = line.costs.empty();
        const LineCost compiled =
            showsLocal(line)                                                  ? line.costs.local
            : showsConstant(line)                                             ? all.constant
            : showsTurns(line)                                                ? all.atomics()
            : showsGlobal(line) || (onlyCompiled && all.global.requests != 0) ? all.global
            : showsShared(line) || (onlyCompiled && all.shared.requests != 0) ? all.shared
                                                                              : all.branch;
        const Colors& c = ui_.colors;
        textAt(list, ui_.fonts.smallNumber,
               ink(isSameWork(line.costs, line.compiled) ? c.muted : c.warning),
               {at.x + columns_.compiled, at.y}, groupedDigits(compiled.requests), 1);
    }
    /// Its accesses apart where there is room, without decimals that are 0 where there is little.
    [[nodiscard]] std::string fittedEach(const std::string& apart, const std::string& all) const {
        std::string brief = all;
        for (std::size_t at = 0; (at = brief.find(".00", at)) != brief.npos;) brief.erase(at, 3);
        for (const std::string& words : {apart, all, brief}) {
            if (measured(ui_.fonts.smallNumber, words).x <= columns_.eachRoom) return words;
        }
        return brief.substr(0, brief.find(' '));
    }
    /// Nothing of a line that has a finding is green.
    void drawCosts(ImDrawList& list, const Listing::Line& line, ImVec2 at) const {
        const Colors& c = ui_.colors;
        const LineCosts& costs = line.costs;
        const Rgb good = line.found != nullptr ? c.text : c.good;
        ImFont* const font = ui_.fonts.smallNumber;
        const auto cell = [&](float end, Rgb color, const std::string& words) {
            if (end > 0) textAt(list, font, ink(color), {at.x + end, at.y}, words, 1);
        };
        const auto each = [&](Rgb color, const std::vector<ProgramLine>& all) {
            cell(columns_.each, color, fittedEach(eachOf(all), eachOfAll({worstOf(all)})));
        };
        const bool conflicts = costs.conflicts() != 0;
        const Rgb meets = isMild(costs.sharedParts) ? c.warning : c.bad;
        if (showsLocal(line)) {
            const LineCost& local = costs.local;
            const Rgb color = wasteOf(AccessKind::localLoad, local) != 0 ? c.bad : c.text;
            cell(columns_.requests, c.text, groupedDigits(local.requests));
            const std::string all = perRequest(local.sectors, local.requests) + " of " +
                                    perRequest(local.idealSectors, local.requests);
            cell(columns_.each, color, fittedEach(all, all));
            cell(columns_.used, columns_.each == 0 ? color : c.muted, "local");
        } else if (showsConstant(line)) {
            cell(columns_.requests, c.text, groupedDigits(costs.constant.requests));
            const ProgramLine& worst = worstOf(costs.constantParts);
            const Rgb color = wasteOf(AccessKind::constantLoad, costs.constant) != 0 ? c.bad : good;
            each(color, costs.constantParts);
            cell(columns_.used, columns_.each == 0 ? color : c.muted,
                 columns_.each == 0 ? perRequest(worst.wavefronts, worst.requests) + "× const"
                                    : "const");
        } else if (showsTurns(line)) {
            const LineCost turns = costs.atomics();
            const Rgb color = line.waste.breaksRule ? c.bad : c.warning;
            const std::string number = perRequest(turns.sameAddress, turns.requests);
            cell(columns_.requests, c.text, groupedDigits(turns.requests));
            cell(columns_.each, color, fittedEach(number + " of 1.00", number + " of 1.00"));
            cell(columns_.used, columns_.each == 0 ? color : c.muted,
                 columns_.each == 0 ? number + "× turns" : "turns");
        } else if (showsGlobal(line)) {
            const auto used = costs.usedPercent();
            const bool isGood = used && *used >= goodShare;
            const Rgb color = !used ? c.text : isGood ? good : colorOfShare(c, costs);
            cell(columns_.requests, c.text, groupedDigits(costs.global.requests));
            each(costs.wastedSectors() == 0 ? good : color, costs.globalParts);
            if (used && columns_.bar > 0) {
                bar(list, ui_.look, {at.x + columns_.bar - ui_.px(40), at.y + ui_.px(3)},
                    {ui_.px(40), font->FontSize - ui_.px(6)}, static_cast<float>(*used / 100),
                    ink(color));
            }
            if (used) cell(columns_.used, color, formatNumber(*used, Unit::percent));
        } else if (showsShared(line)) {
            cell(columns_.requests, c.text, groupedDigits(costs.shared.requests));
            each(conflicts ? meets : good, costs.sharedParts);
            const bool alone = columns_.each == 0 && conflicts;
            cell(columns_.used, alone ? meets : c.muted,
                 alone
                     ? perRequest(costs.shared.wavefronts, costs.shared.idealWavefronts) + "× banks"
                     : "banks");
        } else if (costs.branch.requests != 0) {
            cell(columns_.requests, c.muted, groupedDigits(costs.branch.requests));
            // Of a branch that the compiler left the source alone says so.
            const bool isGone = columns_.compiled > 0 && line.compiled.branch.requests == 0;
            const std::uint64_t apart = costs.branch.divergent;
            if (isGone && apart != 0)
                cell(columns_.used, c.muted, "none left");
            else
                cell(columns_.used, apart != 0 ? c.warning : c.muted,
                     groupedDigits(apart) + (apart == 1 ? " diverges" : " diverge"));
        }
    }

    const UiContext& ui_;
    const Listing& listing_;
    float width_;
    drawing::DrawArea area_;
    Columns columns_;
    SourceColumns sources_;
    float codeEnd_;  ///< of a line with numbers beside it
};

/// From the cursor on, in what is left of the window or in `size`.
void drawListing(const UiContext& ui, const Listing& listing, ImVec2 size) {
    const float bar = ImGui::GetStyle().ScrollbarSize;
    const SourceList source(ui, listing, std::max(1.0F, size.x - bar));
    const float top = ImGui::GetCursorScreenPos().y;
    if (listing.hasNumbers) source.head();
    const float head = ImGui::GetCursorScreenPos().y - top;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::BeginChild("lines", {size.x, std::max(1.0F, size.y - head)}, false,
                      ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar();
    // Only when another line is chosen, or the place is another one: a person may scroll meanwhile.
    const std::uint32_t chosen =
        listing.chosen < listing.lines.size() ? listing.lines[listing.chosen].number : 0;
    const bool isOther = hasChanged("line shown last", chosen);
    const bool isAgain = hasChanged("lines chosen", listing.linesChosen);
    const bool isHigher = hasChanged("height", static_cast<std::uint32_t>(size.y));
    const bool isLarger = hasChanged("letters", static_cast<std::uint32_t>(listing.font->FontSize));
    source.draw(isOther || isAgain || isHigher || isLarger);
    ImGui::EndChild();
}

/// Where the numbers of the open file's lines come from, and the same in a word or two.
std::pair<std::string, std::string> whenceOf(const ProgramState& program,
                                             const LaunchReport& launch) {
    if (!program.stage.empty())
        return {"of the run before; another is under way", "of the run before"};
    if (resultOfChosen(program) != nullptr) return {"what each line was found to take", "found"};
    if (launch.exact) return {"predicted, every block", "predicted"};
    if (launch.blocksTraced == 0) return {"predicted up to where it was ended", "predicted"};
    return {"predicted from " + groupedDigits(launch.blocksTraced) + " of " +
                groupedDigits(launch.blocks) + " blocks",
            "predicted"};
}

/// The held warp's next step on the line after the one that is shown, round to its first; none
/// where it has none there.
std::optional<std::uint64_t> nextStepOn(const AppState& state, std::uint32_t line) {
    const WarpTrace* const trace = shownTrace(state);
    if (trace == nullptr || trace->steps.empty()) return std::nullopt;
    const Timeline timeline(state);
    const std::size_t now = timeline.size() == 0 ? 0 : timeline.stepAt(timeline.position());
    for (std::size_t i = 1; i <= trace->steps.size(); ++i) {
        const std::size_t at = (now + i) % trace->steps.size();
        if (trace->steps[at].line == line) return at;
    }
    return std::nullopt;
}

}  // namespace

void drawSource(const UiContext& ui, ImVec2 at, ImVec2 end, bool costs) {
    const Kernel& kernel = kernelOf(ui.state.view.experiment);
    const LaunchReport* const whole = shownPrediction(ui.state);
    const LaunchReport* const block = shownBlockPrediction(ui.state);
    const LaunchReport* const report = whole != nullptr ? whole : block;
    Listing listing{.hasNumbers = costs,
                    .hasCompiled = report != nullptr && hasCompiled(*report),
                    .of = {whole == nullptr && block != nullptr ? "predicted, this block"
                           : whole == nullptr                   ? "tracing …"
                           : whole->exact                       ? "predicted, whole launch"
                                                                : "predicted by a sample of blocks",
                           whole == nullptr && block == nullptr ? "" : "predicted"},
                    .mark = "source.line.",
                    .font = ui.fonts.smallNumber};
    // An open question is about the line that it has chosen, if any, not about the first access.
    const View& view = ui.state.view;
    const bool chooses = !questionIsOpen(ui.state) || view.array || view.step;
    const WarpStep* const step = chooses ? stepShown(ui.state) : nullptr;
    for (const KernelLine& line : codeLines(kernel)) {
        if (step != nullptr && step->line == line.line) listing.chosen = listing.lines.size();
        Listing::Line& shown =
            listing.lines.emplace_back(Listing::Line{.number = line.line, .text = line.text});
        if (report == nullptr || !costs) continue;
        for (const ProgramLine& one : report->lines) {
            if (one.place.line != line.line) continue;
            (one.source == Source::predicted ? shown.costs : shown.compiled).add(one);
        }
    }
    listing.onClick = [&](std::size_t which) -> std::optional<Command> {
        const auto next = nextStepOn(ui.state, listing.lines[which].number);
        if (!next) return std::nullopt;
        return ChooseArray{{}, *next};
    };
    std::vector<LineCosts> all;
    for (const Listing::Line& line : listing.lines) all.push_back(line.costs);
    listing.worst = worstLine(all) - std::size_t{1};
    ImGui::SetCursorScreenPos(at);
    drawListing(ui, listing, {end.x - at.x, end.y - at.y});
    ui.mark("source");
}

void drawProgramSource(const UiContext& ui) {
    const ProgramState& program = ui.state.program;
    const ShownText text = shownText(program);
    if (text.lines.empty()) return;
    const LaunchReport* const launch = chosenLaunch(program);
    const std::map<std::uint32_t, ComparedLine> compared = comparedLines(program);
    Listing listing{.hasCompiled = launch != nullptr && hasCompiled(*launch),
                    .isMeasured = !compared.empty(),
                    .fades = !program.stage.empty(),
                    .of = {program.stage.empty() ? "no launch" : "being traced"},
                    .mark = "program.line.",
                    .pictured = launch != nullptr && programRoom(ui.look).isSmall(),
                    .font = ui.fonts.number};
    std::vector<LineCosts> costs;
    std::vector<LineCosts> compiled;
    std::vector<LineWaste> waste;
    if (launch != nullptr) {
        const std::size_t lines = program.now->lines.size();
        costs = costsByLine(*launch, program.path, lines);
        compiled = costsByLine(*launch, program.path, lines, Source::compiled);
        waste = wasteByLine(*launch, program.path, lines);
        const std::string name =
            shortKernelName(launch->kernel) + launchText(launch->launch) + "  ";
        const auto [words, brief] = whenceOf(program, *launch);
        listing.of = {name + words, words, brief};
    }
    std::map<std::uint32_t, const Finding*> wrong;
    if (program.now) {
        for (const Finding& finding : program.now->trace.findings) {
            if (!sameFile(finding.place.file, program.path)) continue;
            const Finding*& known = wrong[finding.place.line];
            if (known == nullptr || isWarning(known->kind)) known = &finding;
        }
    }
    const std::uint32_t costliest =
        launch == nullptr ? 0 : costliestLine(*launch, program.path, program.now->lines.size());
    for (std::size_t i = 0; i < text.lines.size(); ++i) {
        Listing::Line& line = listing.lines.emplace_back(
            Listing::Line{.number = static_cast<std::uint32_t>(i) + 1, .text = text.lines[i]});
        const std::uint32_t traced = text.traced[i];
        if (traced == 0) continue;
        if (traced == program.line) listing.chosen = i;
        if (program.now && traced == program.now->failureLine) listing.failed = i;
        if (const auto at = wrong.find(traced); at != wrong.end()) line.found = at->second;
        if (traced <= costs.size()) {
            line.costs = std::move(costs[traced - 1]);
            line.compiled = std::move(compiled[traced - 1]);
            line.waste = waste[traced - 1];
            if (traced == costliest) listing.worst = i;
        }
        if (const auto found = compared.find(traced); found != compared.end())
            line.compared = found->second;
    }
    listing.linesChosen = program.linesChosen;
    listing.onClick = [&](std::size_t at) -> std::optional<Command> {
        return ChooseProgramLine{text.traced[at]};
    };
    drawListing(ui, listing, ImGui::GetContentRegionAvail());
    ui.mark("program.source");
}

}  // namespace warplens::window
