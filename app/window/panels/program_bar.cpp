#include <cstdlib>

#include "app/window/panels/panels.h"
#include "app/window/panels/program_panels.h"
#include "core/measurement/measurement.h"

namespace warplens::window {
namespace {

std::string standing(const ProgramState& program) {
    if (!program.stage.empty()) return program.stage + " …";
    if (!program.now) return "";
    if (!program.now->failure.empty()) return "not traced";
    const ProgramTrace& trace = program.now->trace;
    // What was compiled before is taken from the cache.
    const std::string compiled =
        trace.compileSeconds < 0.05
            ? "run in "
            : "compiled in " + formatNumber(trace.compileSeconds, Unit::seconds) + ", run in ";
    return compiled + formatNumber(trace.seconds, Unit::seconds);
}

constexpr std::size_t mostOffered = 60;

bool isOffered(const std::filesystem::path& path) {
    const std::filesystem::path ending = path.extension();
    return ending == ".cu" || ending == ".cuh" || ending == ".ptx" || ending == ".json";
}

/// `~/x` as the shell reads it.
std::string expanded(const std::string& path) {
    const char* const home = std::getenv("HOME");
    return path.starts_with("~/") && home != nullptr ? home + path.substr(1) : path;
}

/// What the path may go on as.
std::vector<std::string> completionsOf(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
    const std::string begin = path.substr(folder.size());
    std::vector<std::string> found;
    std::error_code ignored;
    const auto entries = std::filesystem::directory_iterator(
        folder.empty() ? "." : expanded(folder),
        std::filesystem::directory_options::skip_permission_denied, ignored);
    for (const auto& entry : entries) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(begin) || (begin.empty() && name.starts_with('.'))) continue;
        const bool isFolder = entry.is_directory(ignored);
        if (isFolder || isOffered(entry.path()))
            found.push_back(folder + name + (isFolder ? "/" : ""));
        if (found.size() == 10 * mostOffered) break;
    }
    std::ranges::sort(found);
    if (found.size() > mostOffered) found.resize(mostOffered);
    return found;
}

std::string commonBegin(const std::vector<std::string>& all) {
    std::string begin = all.empty() ? "" : all.front();
    for (const std::string& one : all) {
        begin.erase(std::ranges::mismatch(begin, one).in1, begin.end());
    }
    return begin;
}

/// Replaces what stands in the field while it has the keyboard.
int replacePath(ImGuiInputTextCallbackData* data) {
    std::string& wanted = *static_cast<std::string*>(data->UserData);
    if (wanted.empty()) return 0;
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, wanted.c_str());
    wanted.clear();
    return 0;
}

/// The files offered, and what is chosen among them.
std::optional<std::string> drawOffered(const UiContext& ui, ProgramField& field, float room) {
    std::optional<std::string> chosen;
    const float row = ImGui::GetTextLineHeightWithSpacing();
    // What is below stays where it is when fewer are offered.
    field.rows = std::max(field.rows, std::min<std::size_t>(field.offered.size(), 10));
    const auto rows = static_cast<float>(field.rows);
    ImGui::BeginChild("offered", {0, std::min(rows * row + ui.px(4), room)}, false,
                      ImGuiWindowFlags_NoBackground);
    for (const std::string& file : field.offered) {
        if (ImGui::Selectable(file.c_str(), false, ImGuiSelectableFlags_DontClosePopups)) {
            chosen = file;
        }
        ui.mark("program.offered." + file);
    }
    ImGui::EndChild();
    return chosen;
}

/// What was opened before, and the files here; each once, those here by their names.
std::vector<std::string> offeredAtFirst(const AppState& state) {
    std::error_code none;
    const std::filesystem::path folder = std::filesystem::current_path(none);
    std::vector<std::string> offered;
    for (const std::filesystem::path recent : state.recent) {
        offered.push_back(recent.parent_path() == folder ? recent.filename() : recent);
    }
    for (const std::string& here : programsHere()) {
        if (std::ranges::find(offered, here) == offered.end()) offered.push_back(here);
    }
    return offered;
}

}  // namespace

ProgramRoom programRoom(const Look& look) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    // The map needs a hand's breadth below the line, and code in letters for a projector what
    // stands beside it.
    const bool large = look.scale > 1.2F * look.display;
    return {.narrow = screen.x < look.px(large ? 1060 : 900), .low = screen.y < look.px(718)};
}

void drawProgramBar(const UiContext& ui) {
    const AppState& state = ui.state;
    const auto [list, at, width] = penHere();
    ImGui::PushFont(ui.fonts.body);
    actButton(ui, Act::closeFile);
    ImGui::SameLine();
    actButton(ui, Act::openFile);
    ImGui::SameLine();
    if (state.program.stage.empty()) {
        commandButton(ui, "Again", "program.again", OpenProgram{state.program.path},
                      "Compile and run it once more; saving the file does so, too");
    } else {
        commandButton(ui, "Stop", "program.stop", StopProgram{},
                      "End the run: what was traced until then is shown",
                      {.enabled = !state.program.stopping});
    }
    const bool dark = state.view.theme == Theme::dark;
    const char* const theme = dark ? "Light" : "Dark";
    const float gap = ui.px(18);
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    float buttons = 2 * spacing;
    for (const char* label : {"Find", theme, "?"}) buttons += buttonWidth(ui.fonts.body, label);
    // The file's name comes first, and Measure.
    const std::string file = std::filesystem::path(state.program.path).filename().string();
    const float measure = running(state) == nullptr
                              ? buttonWidth(ui.fonts.strong, "  Measure  ")
                              : ui.px(programRoom(ui.look).narrow ? 90 : 230) + spacing +
                                    buttonWidth(ui.fonts.body, "Cancel");
    const float named = std::min(measured(ui.fonts.title, file).x, ui.px(150));
    std::vector<BarButton> offered{{Act::editProgram, spacing, state.program.editor.open},
                                   {Act::newProgram, spacing},
                                   {Act::pinA, spacing, state.pinnedProgram.has_value()},
                                   {Act::clearPins, spacing},
                                   {Act::figure, spacing},
                                   {Act::present, spacing},
                                   {Act::projector, gap, isForProjector(state)}};
    ImGui::SameLine(0, 0);
    drawBarButtons(ui, offered,
                   ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x - buttons - named -
                       measure - 3 * gap);
    ImGui::SameLine(0, gap);
    drawMeasureControls(ui);
    ImGui::SameLine(0, gap);
    const ImVec2 name = ImGui::GetCursorScreenPos();
    ImGui::PopFont();
    const float room = at.x + width - buttons - gap - name.x;
    const std::string title = fitted(ui.fonts.title, file, room);
    const float y = at.y + (ImGui::GetFrameHeight() - ui.fonts.title->FontSize) / 2;
    textAt(list, ui.fonts.title, ui.colors.text, {name.x, y}, title);
    const float x = name.x + measured(ui.fonts.title, title).x + gap;
    const std::string words = standing(state.program);
    if (x + measured(ui.fonts.small, words).x < at.x + width - buttons - gap) {
        textAt(list, ui.fonts.small, ui.colors.muted,
               {x, y + (ui.fonts.title->FontSize - ui.fonts.small->FontSize) * 0.8F}, words);
    }
    ImGui::SetCursorScreenPos({at.x + width - buttons, at.y});
    actButton(ui, Act::palette, state.palette.open);
    ImGui::SameLine();
    actButton(ui, Act::theme, false, theme);
    ImGui::SameLine();
    actButton(ui, Act::help, state.helpOpen);
}

void drawProgramField(const UiContext& ui, ProgramField& field) {
    constexpr const char* popup = "###file";
    const ProgramState& program = ui.state.program;
    const bool first = program.asking && !field.open;
    if (first) {
        field = {.path = program.proposed.empty() ? program.path : program.proposed,
                 .open = true,
                 .isNew = !program.proposed.empty() && program.problem.empty() &&
                          !std::filesystem::exists(program.proposed),
                 .focus = true,
                 .listed = {},
                 .offered = {}};
        if (!field.isNew) field.offered = offeredAtFirst(ui.state);
        field.listed = field.path;
        ImGui::OpenPopup(popup);
    }
    field.open = program.asking;
    if (!field.open && !ImGui::IsPopupOpen(popup)) return;
    const std::string name =
        std::string(field.isNew ? "Begin a new .cu file" : "Open a .cu file") + popup;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 6}, ImGuiCond_Always, {0.5F, 0});
    ImGui::SetNextWindowSize({std::min(ui.px(720), screen.x * 0.94F), 0});
    bool stays = true;
    const auto open = [&](const std::string& path) {
        ui.issue(OpenProgram{expanded(path)});
        field.focus = true;  // where it is not there
    };
    if (ImGui::BeginPopupModal(name.c_str(), &stays, ImGuiWindowFlags_NoSavedSettings)) {
        if (!field.open) ImGui::CloseCurrentPopup();
        wrapped(
            ui.fonts.small, ui.colors.muted,
            field.isNew
                ? "Its folder and its name; a kernel and a main to begin with are written "
                  "there, and opened for typing."
                : "It is compiled and run on this machine, without a GPU, held by limits on time, "
                  "memory and files. Saving it in an editor runs it again. A path that ends in "
                  ".json "
                  "is a measurement of the open file, kept by `warplens measure FILE.cu --save`.");
        space(ui, 6);
        if (std::exchange(field.focus, false)) ImGui::SetKeyboardFocusHere();
        ImGui::SetNextItemWidth(-1);
        std::string completed;
        const ImGuiID id = ImGui::GetID("##path");
        if (ui.order.takesTab(id)) {
            completed = commonBegin(completionsOf(field.path));
        }
        const bool entered = ImGui::InputTextWithHint(
            "##path", "a path; Tab completes it", &field.path,
            ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll |
                ImGuiInputTextFlags_CallbackAlways,
            replacePath, &completed);
        ui.mark("program.path");
        if (field.path != field.listed) {
            field.offered = completionsOf(field.path);
            field.listed = field.path;
        }
        if (!program.problem.empty()) {
            wrapped(ui.fonts.body, ui.colors.bad, program.problem);
            ui.markPicture("program.problem", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
        }
        space(ui, 4);
        const auto chosen = drawOffered(ui, field, screen.y * 0.4F);
        if (chosen && chosen->ends_with('/')) {
            field.path = *chosen;
            field.focus = true;
        } else if (chosen) {
            open(*chosen);
        }
        space(ui, 6);
        const bool there = !field.path.empty();
        if (!field.isNew) {
            if (primaryButton(ui, "Open", there) || (entered && there)) open(field.path);
            ui.mark("program.open");
            ImGui::SameLine();
            actButton(ui, Act::browse);
            ImGui::SameLine();
        }
        // A name that is typed is that of the new file.
        const bool isTyped = !field.path.empty() && field.path != program.path;
        const NewProgram begins{isTyped ? expanded(field.path) : std::string()};
        commandButton(ui, std::string(actionOf(Act::newProgram).label), "program.begin", begins,
                      isTyped ? "Begin " + field.path : std::string(actionOf(Act::newProgram).does),
                      {.enabled = !field.isNew || there, .primary = field.isNew});
        if (field.isNew && entered && there) ui.issue(begins);
        ImGui::SameLine();
        if (plainButton(ui, "Cancel") || escapeIsDown()) ui.issue(AskForProgram{false});
        ui.mark("program.cancel");
        ImGui::EndPopup();
    } else if (!first && field.open) {
        ui.issue(AskForProgram{false});
    }
    if (!stays) ui.issue(AskForProgram{false});
}

}  // namespace warplens::window
