#include "core/lesson/lesson.h"

#include <algorithm>
#include <array>

#include "core/course/course.h"

namespace warplens {
namespace {

constexpr std::array<std::string_view, lessonPanelCount> panelNames{
    "threads", "line",  "cubes", "lanes", "request", "rounds",
    "tiles",   "slots", "times", "waves", "source",  "table"};

constexpr std::array mapAspects{Aspect::warps, Aspect::elements, Aspect::coverage};
constexpr std::array warpAspects{Aspect::warps};
constexpr std::array laneAspects{Aspect::elements};
constexpr std::array requestAspects{Aspect::requests, Aspect::branches, Aspect::elements,
                                    Aspect::totals};
constexpr std::array branchAspects{Aspect::branches};
constexpr std::array tileAspects{Aspect::totals, Aspect::requests};
constexpr std::array slotAspects{Aspect::slots};
constexpr std::array timeAspects{Aspect::times, Aspect::slots, Aspect::waves};
constexpr std::array waveAspects{Aspect::waves};
constexpr std::array sourceAspects{Aspect::requests, Aspect::branches};

}  // namespace

std::string_view toString(LessonPanel panel) {
    return panelNames.at(static_cast<std::size_t>(panel));
}

std::optional<LessonPanel> lessonPanelFromString(std::string_view word) {
    const auto found = std::ranges::find(panelNames, word);
    if (found == panelNames.end()) return std::nullopt;
    return static_cast<LessonPanel>(found - panelNames.begin());
}

std::span<const Aspect> aspectsOf(LessonPanel panel) {
    switch (panel) {
        case LessonPanel::threads:
            return mapAspects;
        case LessonPanel::line:
        case LessonPanel::block3d:
            return warpAspects;
        case LessonPanel::lanes:
            return laneAspects;
        case LessonPanel::request:
            return requestAspects;
        case LessonPanel::rounds:
            return branchAspects;
        case LessonPanel::tiles:
            return tileAspects;
        case LessonPanel::slots:
            return slotAspects;
        case LessonPanel::times:
            return timeAspects;
        case LessonPanel::waves:
            return waveAspects;
        case LessonPanel::source:
            return sourceAspects;
        case LessonPanel::table:
            break;
    }
    return {};
}

bool hasBareForm(LessonPanel panel) {
    return panel == LessonPanel::line || panel == LessonPanel::source;
}

std::string_view shownLessonGroups() {
    constexpr std::string_view all = "ABCDEFK";
    static_assert(all.ends_with(courseGroup) && all.starts_with(lessonGroups));
    return openedCourse() == nullptr ? lessonGroups : all;
}

std::string_view groupTitle(char group) {
    switch (group) {
        case 'A':
            return "Threads into warps";
        case 'B':
            return "Threads on data";
        case 'C':
            return "Coalescing";
        case 'D':
            return "Divergence";
        case 'E':
            return "Memory hierarchy";
        case 'F':
            return "Scheduling";
        case courseGroup:
            return openedCourse() == nullptr ? "More" : std::string_view(openedCourse()->name);
        default:
            return "More";
    }
}

std::string groupHeading(char group) {
    const std::string title(groupTitle(group));
    return group == courseGroup ? title : std::string(1, group) + "  " + title;
}

}  // namespace warplens
