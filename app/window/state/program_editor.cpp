#include "app/window/state/program_editor.h"

#include <charconv>

#include "app/window/state/editing.h"
#include "app/window/state/program_changes.h"
#include "core/program/cuda_tokens.h"
#include "core/text/encoding.h"
#include "core/text/lines.h"

namespace warplens::window {
namespace {

constexpr std::size_t mostTexts = 300;
constexpr std::size_t mostTextBytes = 16u << 20;
/// Seconds without a change after which the next is undone by itself.
constexpr double typingPause = 0.7;

void keepForUndo(ProgramEditor& editor) {
    std::vector<std::string>& undo = editor.undo;
    if (undo.empty() || undo.back() != editor.text) undo.push_back(editor.text);
    if (undo.size() > mostTexts || undo.size() * editor.text.size() > mostTextBytes) {
        undo.erase(undo.begin());
    }
    editor.redo.clear();
    editor.typedAt = -1;
}

void travel(ProgramEditor& editor, std::vector<std::string>& from, std::vector<std::string>& to) {
    if (!editor.open || from.empty()) return;
    to.push_back(std::exchange(editor.text, std::move(from.back())));
    from.pop_back();
    editor.typedAt = -1;
}

struct CompilerError final {
    std::uint32_t line = 0;
    std::string words;
};
/// What compilers say of the file itself: `FILE:12: error: …`, `FILE:12:5: error: …`.
std::vector<CompilerError> errorsIn(std::string_view said, const std::string& path) {
    std::vector<CompilerError> errors;
    for (const std::string_view text : splitLines(said)) {
        const std::size_t words = text.find(": error");
        const std::size_t colon = text.find(':');
        if (words == std::string_view::npos || colon >= words) continue;
        CompilerError error;
        const char* const number = text.data() + colon + 1;
        if (std::from_chars(number, text.data() + words, error.line).ec != std::errc{}) continue;
        if (!sameFile(std::string(text.substr(0, colon)), path)) continue;
        error.words = text.substr(words + 2);
        errors.push_back(std::move(error));
    }
    return errors;
}

}  // namespace

void perform(AppState& state, const EditProgram& command) {
    ProgramEditor& editor = state.program.editor;
    if (!state.program.isOpen() || editor.open == command.open) return;
    editor.open = command.open;
    state.program.pictured = false;
    if (editor.open && state.view.mode != Mode::explore) state.view.mode = Mode::explore;
    // What was typed and not saved stays; else the file is read anew.
    state.outbox.readsProgram = editor.open;
}

void perform(AppState& state, const TypeProgram& command) {
    ProgramEditor& editor = state.program.editor;
    if (!editor.open || command.text == editor.text) return;
    const bool goesOn = editor.typedAt >= 0 && state.now - editor.typedAt < typingPause;
    if (!goesOn) keepForUndo(editor);
    editor.text = command.text;
    editor.typedAt = state.now;
}

void perform(AppState& state, const UndoTyping& /*command*/) {
    ProgramEditor& editor = state.program.editor;
    travel(editor, editor.undo, editor.redo);
}

void perform(AppState& state, const RedoTyping& /*command*/) {
    ProgramEditor& editor = state.program.editor;
    travel(editor, editor.redo, editor.undo);
}

void perform(AppState& state, const ResolveEdit& command) {
    ProgramEditor& editor = state.program.editor;
    if (!editor.theirs) return;
    editor.saved = *std::exchange(editor.theirs, std::nullopt);
    if (command.theirs) {
        keepForUndo(editor);
        editor.text = editor.saved;
        return;
    }
    // Theirs is what Undo comes to before what was typed here.
    editor.undo.push_back(editor.saved);
    editor.typedAt = -1;
    state.outbox.savesProgram = true;
}

void perform(AppState& state, const ProgramRead& read) {
    ProgramEditor& editor = state.program.editor;
    if (read.path != state.program.path) return;
    const bool first = editor.text.empty() && editor.saved.empty() && editor.undo.empty();
    if (read.written) forgetFileMessages(state);
    if (read.written || read.text == editor.text) {
        editor.saved = read.text;
        editor.theirs.reset();
    } else if (read.text == editor.saved) {
        return;
    } else if (first || !editor.isChanged()) {
        if (!first) keepForUndo(editor);
        editor.text = editor.saved = read.text;
    } else {
        editor.theirs = read.text;
    }
}

void leaveEditor(AppState& state) {
    const ProgramEditor& editor = state.program.editor;
    if (editor.isChanged()) state.outbox.drafts.insert_or_assign(state.program.path, editor.text);
}

std::vector<EditorMark> editorMarks(const ProgramState& program,
                                    const std::vector<std::string>& lines) {
    std::vector<EditorMark> marks;
    if (!program.now) return marks;
    const std::vector<std::uint32_t> traced = matchedLines(lines, program.now->lines);
    const auto add = [&](std::uint32_t line, const std::string& words, bool isError,
                         bool isWarning = false) {
        const auto found = std::ranges::find(traced, line);
        if (line == 0 || found == traced.end()) return;
        marks.push_back(
            {static_cast<std::uint32_t>(found - traced.begin()) + 1, words, isError, isWarning});
    };
    const std::string& failure = program.now->failure;
    for (const CompilerError& error : errorsIn(failure, program.path)) {
        add(error.line, error.words, true);
    }
    if (marks.empty() && !failure.empty()) {
        add(program.now->failureLine, failure.substr(0, failure.find('\n')), true);
    }
    for (const Finding& finding : program.now->trace.findings) {
        if (sameFile(finding.place.file, program.path)) {
            add(finding.place.line, finding.words, false, isWarning(finding.kind));
        }
    }
    std::ranges::stable_sort(marks, {}, &EditorMark::line);
    return marks;
}

/// Blanks and tabs that a line begins with.
static std::string_view blanksOf(std::string_view line) {
    return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

/// The last of them.
static std::string_view lastLine(std::string_view text) {
    return text.substr(text.rfind('\n') + 1);
}

std::string indentStep(std::string_view text) {
    const std::string masked = source::maskedText(text);
    const std::vector<std::string_view> lines = splitLines(text);
    const std::vector<std::string_view> code = splitLines(masked);
    std::string_view outer;
    bool opens = false;
    for (std::size_t at = 0; at < lines.size() && at < code.size(); ++at) {
        if (trimmed(code[at]).empty()) continue;
        const std::string_view blanks = blanksOf(lines[at]);
        if (opens && blanks.size() > outer.size())
            return blanks.back() == '\t' ? "\t" : std::string(blanks.size() - outer.size(), ' ');
        opens = trimmed(code[at]).ends_with('{');
        outer = blanks;
    }
    return "    ";
}

std::string indentBehind(std::string_view before, std::string_view step) {
    const std::string masked = source::maskedText(before);
    const std::string_view line = lastLine(masked);
    return std::string(blanksOf(lastLine(before))) +
           (trimmed(line).ends_with('{') ? std::string(step) : "");
}

std::optional<std::string> indentOfClosing(std::string_view before) {
    const std::string masked = source::maskedText(before);
    int depth = 1;
    for (std::size_t at = masked.size(); at-- != 0;) {
        depth += (masked[at] == '}') - (masked[at] == '{');
        if (depth == 0) return std::string(blanksOf(lastLine(before.substr(0, at))));
    }
    return std::nullopt;
}

}  // namespace warplens::window
