
#include "app/figure/page.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"

namespace warplens::window {
namespace {

/// All but a disc round the pointer is dimmed.
void drawSpotlight(ImDrawList& list, ImVec2 screen) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float radius = screen.y * 0.16F;
    const float reach = std::hypot(screen.x, screen.y);
    const ImVec2 at = ImGui::IsMousePosValid() ? mouse : ImVec2(screen.x / 2, screen.y / 2);
    list.AddCircle(at, radius + reach / 2, IM_COL32(0, 0, 0, 165), 128, reach);
}

}  // namespace

void drawPresentScreen(const UiContext& ui, Backgrounds& backgrounds) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const PresentView& view = ui.state.present;
    if (view.black) {
        backgrounds.fill(0x000000);
        ui.markPicture("present.black", {0, 0}, screen);
        return;
    }
    if (view.slide == nullptr) return backgrounds.fill(ui.colors.panel);
    const Slide& slide = *view.slide;
    backgrounds.fill(slide.background);
    const bool fits =
        slide.width == static_cast<int>(screen.x) && slide.height == static_cast<int>(screen.y);
    if (fits) {
        paint(list, ui.fonts, slide.items);
    } else {
        // Until the slide for this size is there the one before is shown in it.
        drawing::Items items = slide.items;
        const float unit = std::min(screen.x / static_cast<float>(slide.width),
                                    screen.y / static_cast<float>(slide.height));
        figure::enlarge(items, unit);
        paint(list, ui.fonts, items);
    }
    ui.markPicture("present", {0, 0}, screen);
    if (view.spotlight) drawSpotlight(list, screen);
}

}  // namespace warplens::window
