
#include "app/lessons/library.h"
#include "app/window/panels/learn_parts.h"
#include "app/window/panels/number_fields.h"
#include "app/window/panels/panels.h"
#include "core/lesson/lesson.h"

namespace warplens::window {
namespace {

Rgb colorOfCome(const Colors& c, Come come) {
    return come == Come::answered ? c.good : come == Come::untouched ? c.border : c.accent;
}

/// The lessons of the group as discs; the opened one has a ring.
void drawDots(const UiContext& ui, const LearnPage& page, ImVec2 middle) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float radius = ui.px(6);
    const float pitch = ui.px(22);
    float x = middle.x - pitch * (static_cast<float>(page.lessons.size()) - 1) / 2;
    for (std::size_t i = 0; i < page.lessons.size(); ++i, x += pitch) {
        list.AddCircleFilled({x, middle.y}, radius,
                             packed(colorOfCome(ui.colors, page.lessons[i])));
        if (i == page.place) {
            list.AddCircle({x, middle.y}, radius + ui.px(3), packed(ui.colors.text), 0, ui.px(2));
        }
    }
}

void drawLearnBar(const UiContext& ui, const LearnPage* page) {
    const float width = ImGui::GetWindowWidth();
    const float padding = ImGui::GetStyle().WindowPadding.x;
    const ImVec2 corner = ImGui::GetCursorPos();
    const float gap = ui.px(8);
    float buttons = 0;
    // Of what is covered nothing can be explored.
    const bool explores = page != nullptr && !page->question.open;
    for (const char* label : {"Explore this", "Lessons", "Back"}) {
        if (label[0] == 'E' && !explores) continue;
        buttons += buttonWidth(ui.fonts.body, label) + gap;
    }
    // A lesson is told to a class from here, where its name keeps its room.
    const float dots =
        page == nullptr ? 0 : ui.px(22) * static_cast<float>(page->lessons.size()) + ui.px(40);
    std::vector<Act> teach;
    for (const Act act : {Act::present, Act::projector}) {
        const float more = buttonWidth(ui.fonts.body, actionOf(act).label) + gap;
        if (page == nullptr || width - 2 * padding - buttons - more - dots < ui.px(150)) break;
        buttons += more;
        teach.push_back(act);
    }
    const float right = width - padding - buttons;
    const float lift = (ImGui::GetFrameHeight() - ui.fonts.strong->FontSize) / 2;
    ImGui::SetCursorPosY(corner.y + lift);
    if (page == nullptr) {
        text(ui.fonts.title, ui.colors.text, "Lessons");
    } else {
        const std::string place = page->group + ", lesson " + std::to_string(page->place + 1) +
                                  " of " + std::to_string(page->lessons.size());
        const float room = right - padding - dots;
        text(ui.fonts.strong, ui.colors.text, fitted(ui.fonts.strong, place, room));
        const float taken = ImGui::GetItemRectSize().x + ui.px(24);
        if (room - taken > ui.px(120)) {
            ImGui::SameLine(0, ui.px(24));
            ImGui::SetCursorPosY(corner.y + lift);
            text(ui.fonts.body, ui.colors.muted, fitted(ui.fonts.body, page->title, room - taken));
        }
        const ImVec2 at = ImGui::GetWindowPos();
        drawDots(ui, *page, {at.x + right - dots / 2, at.y + ImGui::GetWindowHeight() / 2});
    }
    ImGui::SetCursorPos({right, corner.y});
    if (explores) {
        commandButton(ui, "Explore this", "lesson.explore", ToggleLessons{true},
                      "Leave the lesson with the launch that it shows");
        ImGui::SameLine(0, gap);
    }
    for (const Act act : teach) {
        actButton(ui, act, act == Act::projector && isForProjector(ui.state));
        ImGui::SameLine(0, gap);
    }
    actButton(ui, Act::lessonList, page == nullptr);
    ImGui::SameLine(0, gap);
    commandButton(
        ui, "Back", "lesson.close", ToggleLessons{},
        "Leave the lesson; back to what was shown before it  " + keysOf(actionOf(Act::lessons)));
}

/// For the pointer alone: turning a page by its key leaves the keyboard's focus here.
void keyTooltip(const UiContext& ui, std::string_view words) {
    if (ImGui::IsMouseHoveringRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax())) {
        tooltip(ui, words);
    }
}

void drawTurning(const UiContext& ui, const LearnPage& page) {
    commandButton(ui, "<  back", "lesson.back", TurnPage{-1}, "", {.enabled = page.mayGoBack});
    keyTooltip(ui, keysOf(actionOf(Act::pageBack)));
    const float width = ImGui::GetContentRegionAvail().x;
    const std::string where =
        "page " + std::to_string(page.page + 1) + " of " + std::to_string(page.pages);
    ImGui::SameLine();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Lesson* const next = lessonBeside(ui.state.view.lesson, 1);
    const bool last = page.page + 1 == page.pages;
    const char* const label = last && next != nullptr ? "next lesson  >" : "next  >";
    const float button = buttonWidth(ui.fonts.strong, label);
    textAt(list, ui.fonts.small, ui.colors.muted,
           {ImGui::GetWindowPos().x + ImGui::GetWindowWidth() / 2,
            at.y + ImGui::GetStyle().FramePadding.y},
           where, 0.5F);
    ImGui::SetCursorPosX(ImGui::GetStyle().WindowPadding.x + width - button);
    if (last && next != nullptr) {
        commandButton(ui, label, "lesson.next", OpenLesson{next->id}, next->title,
                      {.enabled = !page.question.open, .primary = true});
        return;
    }
    commandButton(ui, label, "lesson.on", TurnPage{1}, "",
                  {.enabled = page.mayGoOn, .primary = true});
    keyTooltip(ui, page.question.open ? "After your answer" : keysOf(actionOf(Act::pageOn)));
}

void drawQuestionBox(const UiContext& ui, const LearnPage& page, float height,
                     LearnKeeping& keeping) {
    // A hint, a wrong answer and the way back from its picture leave one at the field, too.
    const LessonProgress& progress = progressOf(ui.state);
    const std::string asked = ui.state.view.lesson + ' ' + std::to_string(progress.hints) + ' ' +
                              std::to_string(progress.tries) + page.elsewhere;
    const bool arrives = page.question.open && keeping.asked != asked;
    const bool again = arrives && keeping.asked.starts_with(ui.state.view.lesson + ' ');
    if (shownResolved(ui.state) != nullptr) {
        keeping.asked = page.question.open ? asked : std::string();
    }
    ImGui::PushStyleColor(ImGuiCol_ChildBg,
                          packed(mixed(ui.colors.panel, ui.colors.accent, 0.07F)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(14), ui.px(10)));
    ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, ui.px(6));
    beginPanel("lesson question", {0, height}, ImGuiWindowFlags_AlwaysUseWindowPadding);
    drawLearnQuestion(ui, page, arrives);
    if (again) ImGui::SetScrollHereY(1);
    keeping.questionHeight = ImGui::GetCursorPosY() + ui.px(10);
    ImGui::EndChild();
    ui.markPicture("lesson.question", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
}

void drawLesson(const UiContext& ui, const LearnPage& page, LearnKeeping& keeping) {
    const float between = 3 * ImGui::GetStyle().ItemSpacing.y + ui.px(2);
    const float room =
        ImGui::GetContentRegionAvail().y - ImGui::GetFrameHeight() - between + ui.px(10);
    // An open question is in reach whole; an answered one leaves the words what they take, up to
    // half of the room.
    const float most = page.question.open
                           ? std::max(room * 0.68F, room - ui.px(96))
                           : std::max(room * 0.5F, room - keeping.wordsHeight - ui.px(10));
    const float question = std::clamp(keeping.questionHeight, ui.px(60), most);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    beginPanel("lesson words", {0, room - question - ui.px(10)}, ImGuiWindowFlags_NoBackground);
    const std::string where = ui.state.view.lesson + ' ' + std::to_string(page.page);
    if (keeping.scrolled != where) {
        keeping.scrolled = where;
        ImGui::SetScrollY(0);
    }
    drawLearnWords(ui, page);
    keeping.wordsHeight = ImGui::GetCursorPosY();
    ImGui::EndChild();
    ImGui::PopStyleVar();
    drawQuestionBox(ui, page, question, keeping);
    ImGui::Dummy({0, ui.px(2)});
    drawTurning(ui, page);
}

/// Words without the backticks around code.
std::string plain(std::string_view words) {
    std::string text(words);
    std::erase(text, '`');
    return text;
}

/// A number at the right, what it is from at the left, in as many lines as that takes.
void numberLine(const UiContext& ui, const std::string& value, Rgb color, const std::string& from) {
    const auto [list, at, width] = penHere();
    ImFont* const font = ui.fonts.number;
    const float taken = measured(font, value).x + ui.px(12);
    ImFont* const small = ui.fonts.small;
    const float room = std::max(ui.px(80), width - taken);
    textAt(list, font, color, {at.x + width, at.y}, value, 1);
    const float height =
        textInLines(&list, small, ui.colors.muted,
                    {at.x, at.y + (font->FontSize - small->FontSize) * 0.6F}, from, room);
    ImGui::Dummy({width, std::max(font->FontSize, height) + ui.px(2)});
}

}  // namespace

void drawLearnScreen(const UiContext& ui, MappingCanvas& canvas, Backgrounds& backgrounds,
                     LearnKeeping& keeping) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const Cards cards{ui, backgrounds};
    const float gap = ui.px(10);
    const float top = ui.px(52);
    const bool opened = shownLesson(ui.state) != nullptr;
    std::optional<LearnPage> page;
    if (opened) page = learnPage(ui.state);
    cards.topBar(top, 9, [&] { drawLearnBar(ui, page ? &*page : nullptr); });
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(18), ui.px(14)));
    const float height = screen.y - top - 2 * gap - noticesHeight(ui);
    if (!opened) {
        cards.card("lessons", {gap, top + gap}, {screen.x - 2 * gap, height}, true,
                   [&] { drawLessonList(ui, keeping); });
        ImGui::PopStyleVar();
        return;
    }
    const float left = std::floor(
        std::clamp(screen.x * 0.34F, std::min(ui.px(380), screen.x * 0.46F), ui.px(620)));
    cards.card("lesson", {gap, top + gap}, {left, height}, false,
               [&] { drawLesson(ui, *page, keeping); });
    cards.card("pictures", {left + 2 * gap, top + gap}, {screen.x - left - 3 * gap, height}, false,
               [&] { drawLearnPictures(ui, canvas, *page, keeping); });
    ImGui::PopStyleVar();
}

bool wideButton(const UiContext& ui, const char* name, std::string_view before,
                std::string_view words, bool chosen) {
    const Colors& c = ui.colors;
    const auto [list, at, width] = penHere();
    const float padding = ui.px(9);
    const float indent = before.empty() ? 0 : ui.px(24);
    ImFont* const font = ui.fonts.body;
    const std::string text = plain(words);
    const float wrap = width - 2 * padding - indent;
    const float height = textInLines(nullptr, font, c.text, {}, text, wrap) + 2 * ui.px(6);
    const Rgb background = chosen ? mixed(c.raised, c.accent, 0.28F) : c.raised;
    list.AddRectFilled(at, {at.x + width, at.y + height}, packed(background), ui.px(6));
    ImGui::PushStyleColor(ImGuiCol_Header, 0);
    ImGui::PushStyleColor(ImGuiCol_HeaderHovered, packed(c.accent, 0.22F));
    ImGui::PushStyleColor(ImGuiCol_HeaderActive, packed(c.accent, 0.4F));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(6)));
    const bool pressed = ImGui::Selectable(name, false, 0, {width, height});
    ImGui::PopStyleVar();
    ImGui::PopStyleColor(3);
    if (!before.empty()) {
        textAt(list, ui.fonts.strong, c.accent, {at.x + padding, at.y + ui.px(6)}, before);
    }
    textInLines(&list, font, c.text, {at.x + padding + indent, at.y + ui.px(6)}, text, wrap);
    return pressed;
}

void drawLessonTable(const UiContext& ui, const LessonTable& table) {
    heading(ui, table.title);
    const std::size_t columns = table.rows.at(0).size();
    const float width = ImGui::GetContentRegionAvail().x;
    ImFont* const font = ui.fonts.small;
    // As wide as their words, and what is left over shared out.
    std::vector<float> widths(columns, 0);
    float taken = 0;
    for (std::size_t i = 0; i < columns; ++i) {
        for (const auto& row : table.rows)
            widths[i] = std::max(widths[i], measured(font, row[i]).x);
        taken += widths[i];
    }
    const float spare = std::max(0.0F, width - taken) / static_cast<float>(columns);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t place = 0; place < table.rows.size(); ++place) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        float x = at.x;
        for (std::size_t i = 0; i < columns; ++i) {
            textAt(list, font, place == 0 ? ui.colors.muted : ui.colors.text, {x, at.y},
                   table.rows[place][i]);
            x += widths[i] + spare;
        }
        ImGui::Dummy({width, font->FontSize + ui.px(3)});
    }
    space(ui, 12);
}

namespace {

/// ` (of A)` where a number is of one of the two that the lesson compares.
std::string whoseOfPair(const Lesson& lesson, const LessonNumber& number) {
    const std::vector<std::string> launches = number.value.launches();
    if (!lesson.compare || launches.size() != 1) return {};
    if (launches.front() == lesson.compare->a) return " (of A)";
    return launches.front() == lesson.compare->b ? " (of B)" : "";
}

}  // namespace

void drawLessonNumbers(const UiContext& ui, const ResolvedLesson& resolved) {
    const Colors& c = ui.colors;
    for (std::size_t i = 0; i < resolved.figures.size(); ++i) {
        const ResolvedNumber& figure = resolved.figures[i];
        wrapped(ui.fonts.body, c.text,
                figure.name + whoseOfPair(resolved.lesson, resolved.lesson.figures[i]));
        for (const ResolvedNumber::Line& line : figure.lines) {
            numberLine(ui, line.value, c.text, line.sources);
        }
        if (figure.lines.empty()) numberLine(ui, "-", c.muted, figure.missing);
        if (figure.document) {
            const SourceDocument* document = findDocument(figure.document->document);
            numberLine(ui, figure.document->says, c.accent,
                       document == nullptr ? "document" : std::string(document->title));
            if (!figure.document->why.empty()) {
                space(ui, 2);
                wrapped(ui.fonts.small, c.text, plain(figure.document->why));
            }
        }
        space(ui, 8);
    }
}

}  // namespace warplens::window
