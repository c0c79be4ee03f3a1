#include "app/window/state/program_editor.h"

#include <cmath>

#include "app/drawing/line_meaning.h"
#include "app/drawing/source_code.h"
#include "app/window/panels/imgui_compat.h"
#include "app/window/panels/program_panels.h"
#include "app/window/panels/widgets.h"
#include "app/window/state/program_changes.h"

namespace warplens::window {
namespace {

/// What happens to the text in one frame besides what is typed.
struct EditStep final {
    EditorField& field;
    const std::string* replacement = nullptr;  ///< all of it
    bool tab = false;
};

int lineBegin(const ImGuiInputTextCallbackData& data, int at) {
    while (at > 0 && data.Buf[at - 1] != '\n') --at;
    return at;
}

/// Where a line begins, from 1; the end of the text where it has fewer.
int beginOf(std::string_view text, std::uint32_t line) {
    std::size_t at = 0;
    for (; line > 1 && at < text.size(); ++at) {
        if (text[at] == '\n') --line;
    }
    return static_cast<int>(at);
}

int onEdit(ImGuiInputTextCallbackData* data) {
    auto& step = *static_cast<EditStep*>(data->UserData);
    EditorField& field = step.field;
    const int typed = data->CursorPos - 1;
    if (step.replacement != nullptr) {
        const int cursor = data->CursorPos;
        data->DeleteChars(0, data->BufTextLen);
        data->InsertChars(0, step.replacement->data(),
                          step.replacement->data() + step.replacement->size());
        data->CursorPos = std::min(cursor, data->BufTextLen);
        data->ClearSelection();
    } else if (step.tab) {
        if (data->HasSelection()) {
            const int from = std::min(data->SelectionStart, data->SelectionEnd);
            const int to = std::max(data->SelectionStart, data->SelectionEnd);
            data->DeleteChars(from, to - from);
        }
        const int column = data->CursorPos - lineBegin(*data, data->CursorPos);
        std::string blanks = indentStep({data->Buf, static_cast<std::size_t>(data->BufTextLen)});
        if (blanks != "\t")
            blanks.resize(blanks.size() - static_cast<std::size_t>(column) % blanks.size());
        data->InsertChars(data->CursorPos, blanks.c_str());
    } else if (data->BufTextLen == field.length + 1 && typed >= 0) {
        const std::string_view before(data->Buf, static_cast<std::size_t>(typed));
        const int begin = lineBegin(*data, typed);
        const bool isFirst =
            before.find_first_not_of(" \t", static_cast<std::size_t>(begin)) == before.npos;
        if (data->Buf[typed] == '\n') {
            const std::string blanks =
                indentStep({data->Buf, static_cast<std::size_t>(data->BufTextLen)});
            data->InsertChars(data->CursorPos, indentBehind(before, blanks).c_str());
        } else if (data->Buf[typed] == '}' && isFirst) {
            if (const auto indent = indentOfClosing(before)) {
                data->DeleteChars(begin, typed - begin);
                data->InsertChars(begin, indent->c_str());
            }
        }
    }
    if (field.line != 0) {
        data->CursorPos =
            beginOf({data->Buf, static_cast<std::size_t>(data->BufTextLen)}, field.line);
        data->ClearSelection();
        if (data->BufTextLen > 0) field.line = 0;
    }
    field.length = data->BufTextLen;
    field.cursor = data->CursorPos;
    return 0;
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines(1);
    for (const char c : text) {
        if (c == '\n') {
            lines.emplace_back();
        } else {
            lines.back() += c;
        }
    }
    return lines;
}

void drawHead(const UiContext& ui) {
    const ProgramEditor& editor = ui.state.program.editor;
    ImGui::PushFont(ui.fonts.small);
    actButton(ui, Act::saveProgram, editor.isChanged());
    ImGui::SameLine();
    actButton(ui, Act::undoTyping);
    ImGui::SameLine();
    actButton(ui, Act::editOutside);
    ImGui::SameLine();
    actButton(ui, Act::editProgram, false, "Done");
    ImGui::SameLine(0, ui.px(14));
    ImGui::AlignTextToFramePadding();
    text(ui.fonts.small, editor.isChanged() ? ui.colors.warning : ui.colors.muted,
         editor.isChanged() ? "not saved yet; saving runs it" : "as it is in the file");
    ImGui::PopFont();
    if (ui.state.program.now && ui.state.program.now->exercise) {
        const std::vector<ProgramWarning>& left = ui.state.program.now->exercise->left;
        const std::string& lesson = ui.state.program.now->exercise->lesson;
        if (!lesson.empty()) {
            commandButton(ui, "Back to the lesson", "editor.lesson", OpenLesson{lesson});
            ImGui::SameLine();
            ImGui::AlignTextToFramePadding();
        }
        wrapped(ui.fonts.strong, left.empty() ? ui.colors.good : ui.colors.accent,
                left.empty() ? "The exercise is done: nothing is left, and the results are right."
                             : "Left to be done in this exercise:");
        // In a low window the text comes first: one line of what is left has to do.
        const ImVec2 room = ImGui::GetContentRegionAvail();
        const bool low = room.y < 22 * ui.fonts.small->FontSize;
        for (const ProgramWarning& one : left) {
            const std::string words =
                (one.place.line == 0 ? "" : "line " + std::to_string(one.place.line) + ": ") +
                one.words;
            if (low) {
                text(ui.fonts.small, ui.colors.text, fitted(ui.fonts.small, words, room.x));
                break;
            }
            wrapped(ui.fonts.small, ui.colors.text, words);
        }
        ui.markPicture("editor.exercise", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
        space(ui, 4);
    }
    if (!editor.theirs) return;
    wrapped(ui.fonts.body, ui.colors.bad,
            "Another program has written this file since. What you do not keep stays in Undo.");
    commandButton(ui, "Keep mine, and save", "editor.mine", ResolveEdit{false});
    ImGui::SameLine();
    commandButton(ui, "Take theirs", "editor.theirs", ResolveEdit{true});
    space(ui, 4);
}

/// The field's own lines in colours over it, their numbers beside it, and what is said at them.
class EditorLines final {
  public:
    EditorLines(const UiContext& ui, const std::vector<std::string>& lines,
                const std::vector<EditorMark>& marks)
        : ui_(ui), lines_(lines) {
        for (const EditorMark& mark : marks) marks_.emplace(mark.line, &mark);
    }

    /// `chosen` from 1; 0: none.
    void draw(ImGuiWindow& inner, float gutter, float scrolledRight, std::uint32_t chosen) const {
        const Colors& c = ui_.colors;
        const drawing::DrawArea area = drawArea(ui_.look, {}, {});
        ImFont* const font = ui_.fonts.number;
        const ImVec2 padding = ImGui::GetStyle().FramePadding;
        const float height = font->FontSize;
        ImDrawList& list = *inner.DrawList;
        ImDrawList& beside = *ImGui::GetWindowDrawList();
        const ImRect seen = inner.InnerRect;
        beside.PushClipRect({seen.Min.x - gutter, seen.Min.y}, {seen.Min.x, seen.Max.y}, true);
        list.PushClipRect(seen.Min, seen.Max, false);
        const float top = inner.Pos.y + padding.y - inner.Scroll.y;
        const auto first =
            static_cast<std::size_t>(std::max(0.0F, std::floor((seen.Min.y - top) / height)));
        for (std::size_t i = first; i < lines_.size(); ++i) {
            const float y = top + static_cast<float>(i) * height;
            if (y > seen.Max.y) break;
            const auto mark = marks_.find(static_cast<std::uint32_t>(i) + 1);
            const bool marked = mark != marks_.end();
            if (i + 1 == chosen && y >= seen.Min.y && y + height <= seen.Max.y)
                ui_.markPicture("editor.line", {seen.Min.x, y}, {seen.Max.x, y + height});
            const Rgb color = marked && mark->second->isWarning ? c.warning : c.bad;
            if (marked) {
                beside.AddRectFilled({seen.Min.x - gutter, y}, {seen.Min.x, y + height},
                                     packed(color, 0.3F));
                list.AddRectFilled({seen.Min.x, y}, {seen.Max.x, y + height}, packed(color, 0.1F));
            }
            textAt(beside, ui_.fonts.smallNumber, marked ? color : c.faint,
                   {seen.Min.x - ui_.px(8), y + (height - ui_.fonts.smallNumber->FontSize) / 2},
                   std::to_string(i + 1), 1);
            float x = inner.Pos.x + padding.x - scrolledRight;
            for (const drawing::Token& token : drawing::tokensOf(lines_[i])) {
                if (token.kind != drawing::TokenKind::plain) {
                    textAt(list, font, drawing::colorOf(token.kind, area.colors), {x, y},
                           token.text);
                }
                x += measured(font, token.text).x;
            }
            // What goes on beyond the edge says so.
            if (x > seen.Max.x) {
                const float from = seen.Max.x - measured(font, "…").x - ui_.px(4);
                list.AddRectFilled({from, y}, {seen.Max.x, y + height},
                                   ImGui::GetColorU32(ImGuiCol_FrameBg));
                textAt(list, font, c.accent, {from + ui_.px(2), y}, "…");
            }
            if (marked) {
                const float from = std::max(x + ui_.px(24), inner.Pos.x + ui_.px(60));
                textAt(list, ui_.fonts.small, color,
                       {from, y + (height - ui_.fonts.small->FontSize) / 2},
                       fitted(ui_.fonts.small, mark->second->words, seen.Max.x - from));
            }
        }
        list.PopClipRect();
        beside.PopClipRect();
    }

    /// Of the line, or the first there is.
    [[nodiscard]] const EditorMark* shownAt(std::uint32_t line) const {
        const auto found = marks_.find(line);
        if (found != marks_.end()) return found->second;
        return marks_.empty() ? nullptr : marks_.begin()->second;
    }

    /// The first line with an error; 0 where none has.
    [[nodiscard]] std::uint32_t firstWrong() const {
        const auto found =
            std::ranges::find_if(marks_, [](const auto& mark) { return !mark.second->isWarning; });
        return found == marks_.end() ? 0 : found->first;
    }

  private:
    const UiContext& ui_;
    const std::vector<std::string>& lines_;
    std::multimap<std::uint32_t, const EditorMark*> marks_;
};

/// Where the chosen line stands in what is typed, from 1; 0 where it does not.
std::uint32_t lineInText(const ProgramState& program, const std::vector<std::string>& lines) {
    if (!program.now || program.line == 0) return 0;
    const std::vector<std::uint32_t> traced = matchedLines(lines, program.now->lines);
    const auto found = std::ranges::find(traced, program.line);
    return found == traced.end() ? 0 : static_cast<std::uint32_t>(found - traced.begin()) + 1;
}

/// What is said of the chosen line is of the caret's, where there is something to be said of that.
void followCaret(const UiContext& ui, const std::vector<std::string>& lines, std::uint32_t line,
                 bool appears) {
    const ProgramState& program = ui.state.program;
    if (!hasChanged("caret's line", line) || appears || !program.now || line > lines.size()) return;
    const std::uint32_t traced = matchedLines(lines, program.now->lines)[line - 1];
    const LaunchReport* const launch = chosenLaunch(program);
    if (traced == 0 || traced == program.line) return;
    if (findingsAt(program.now->trace, program.path, traced).empty() &&
        (launch == nullptr || costsOfLine(*launch, program.path, traced).empty()))
        return;
    ui.issue(ChooseProgramLine{.line = traced, .isOfCaret = true});
}

/// Scrolls the field so that its line, from 1, is whole in it, and what stands around it.
void keepInView(ImGuiWindow& inner, std::uint32_t line, ImFont* font) {
    const float end = static_cast<float>(line) * font->FontSize + ImGui::GetStyle().FramePadding.y;
    const float least = end + font->FontSize - inner.InnerRect.GetHeight();
    const float most = end - 2 * font->FontSize;
    if (inner.Scroll.y < least)
        ImGui::SetScrollY(&inner, std::min(most, least + 2 * font->FontSize));
    else if (inner.Scroll.y > most)
        ImGui::SetScrollY(&inner, std::max(0.0F, most - font->FontSize));
}

/// Where the lines first differ, from 1; 0: nowhere.
std::uint32_t firstChanged(const std::vector<std::string>& lines,
                           const std::vector<std::string>& others) {
    const auto at = std::ranges::mismatch(lines, others).in1 - lines.begin();
    return lines == others ? 0 : static_cast<std::uint32_t>(std::min(at + 1, std::ssize(lines)));
}

}  // namespace

void drawProgramEditor(const UiContext& ui, EditorField& field) {
    const ProgramEditor& editor = ui.state.program.editor;
    const bool isOtherFile = hasChanged("file", ImHashStr(ui.state.program.path.c_str()));
    const bool appears = !std::exchange(field.open, true) || isOtherFile;
    if (appears) field.line = std::max(ui.state.program.line, 1U);
    drawHead(ui);
    const std::vector<std::string> lines = linesOf(editor.text);
    const std::vector<EditorMark> marks = editorMarks(ui.state.program, lines);
    const EditorLines drawn(ui, lines, marks);
    const auto line =
        1 +
        static_cast<std::uint32_t>(std::count(
            editor.text.begin(),
            editor.text.begin() + std::min<std::ptrdiff_t>(field.cursor, std::ssize(editor.text)),
            '\n'));
    followCaret(ui, lines, line, appears);
    const EditorMark* const said = drawn.shownAt(line);
    const float width = ImGui::GetContentRegionAvail().x;
    const std::string words =
        said == nullptr ? "" : "line " + std::to_string(said->line) + ": " + said->words;
    const float below =
        said == nullptr
            ? 0
            : std::min(heightInLines(ui.fonts.small, words, width), ui.px(80)) + ui.px(6);
    const float gutter = measured(ui.fonts.smallNumber, "9999").x + ui.px(14);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gutter);
    ImGui::PushFont(ui.fonts.number);
    field.id = ImGui::GetID("##text");
    const bool outside = editor.text != field.text;
    const bool active = ImGui::GetActiveID() == field.id;
    // What others write, a remedy, is seen, and what is chosen elsewhere: a finding, a line.
    const std::uint32_t written = outside && !active ? firstChanged(lines, linesOf(field.text)) : 0;
    const std::uint32_t chosen = lineInText(ui.state.program, lines);
    const bool isOther = hasChanged("chosen line", chosen);
    const bool isAgain = hasChanged("lines chosen", ui.state.program.linesChosen);
    const bool chooses = (isOther || isAgain) && !active;
    const std::uint32_t shown = written != 0 ? written : chooses ? chosen : 0;
    if (outside && !active) field.text = editor.text;
    if (shown != 0 && !appears) field.cursor = beginOf(field.text, shown);
    EditStep step{.field = field,
                  .replacement = outside && active ? &editor.text : nullptr,
                  .tab = ui.order.takesTab(field.id)};
    // Not in the frames in which the field for a new file's name closes, which would take it back.
    constexpr int mostFrames = 6;
    if (appears) field.focus = mostFrames;
    if (active) field.focus = 0;
    if (field.focus != 0 &&
        !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) {
        --field.focus;
        ImGui::SetKeyboardFocusHere();
    }
    // What was typed at the end of a long line is not where one goes on to read.
    if (std::exchange(field.changed, editor.isChanged()) && !editor.isChanged())
        scrollTextToLeft(field.id);
    ImGui::InputTextMultiline(
        "##text", &field.text, {width - gutter, ImGui::GetContentRegionAvail().y - below},
        ImGuiInputTextFlags_NoUndoRedo | ImGuiInputTextFlags_CallbackAlways, onEdit, &step);
    ui.mark("program.editor");
    ImGui::PopFont();
    ImGuiWindow* const inner = ImGui::GetCurrentWindow()->DC.ChildWindows.empty()
                                   ? nullptr
                                   : ImGui::GetCurrentWindow()->DC.ChildWindows.back();
    if (inner != nullptr) {
        drawn.draw(*inner, gutter, textScroll(field.id), chosen);
        // The picture below comes and goes with each run: the caret stays in view.
        const float height = inner->InnerRect.GetHeight();
        const bool isLower = std::exchange(field.height, height) > height;
        // What is wrong with what was saved is seen, wherever the caret is.
        const bool isWrong = hasChanged("wrong versions", ui.state.program.wrongVersions);
        const std::uint32_t wrong = isWrong ? drawn.firstWrong() : 0;
        const std::uint32_t there = appears ? 0 : wrong != 0 ? wrong : shown;
        if (there != 0 || isLower) keepInView(*inner, there != 0 ? there : line, ui.fonts.number);
    }
    if (!outside && field.text != editor.text) {
        // Escape gives back what stood there when typing began; it is to leave the field alone.
        if (escapeIsDown()) {
            field.text = editor.text;
        } else {
            ui.issue(TypeProgram{field.text});
        }
    }
    if (said != nullptr) {
        wrapped(ui.fonts.small, said->isWarning ? ui.colors.warning : ui.colors.bad, words);
    }
}

}  // namespace warplens::window
