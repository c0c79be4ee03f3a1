#include "app/window/state/lesson_view.h"

#include <algorithm>

#include "app/lessons/library.h"
#include "app/window/state/command.h"

namespace warplens::window {
namespace {

/// The array's place among the kernel's arrays, its shared arrays behind them; none for `all`.
std::optional<std::size_t> placeOf(const std::string& array, const AppState& state) {
    const Kernel& kernel = kernelOf(scenarioNamed(state.shown.scenario).kernel);
    for (std::size_t i = 0; i < kernel.arrays.size(); ++i) {
        if (kernel.arrays[i].name == array) return i;
    }
    for (std::size_t i = 0; i < kernel.shared.size(); ++i) {
        if (kernel.shared[i] == array) return kernel.arrays.size() + i;
    }
    return std::nullopt;
}

void setSteps(AppState& state, const Scene& scene) {
    if (!scene.array && !scene.step) return;
    ChooseArray choice{state.selection.shown.array};
    if (scene.array) choice.array = placeOf(*scene.array, state);
    if (scene.step) choice.step = *scene.step - 1;
    apply(state, choice);
}

/// By the commands that clicks make.
void setScene(AppState& state, const Lesson& lesson, const Scene& scene) {
    if (scene.launch) apply(state, SetExperiment{lesson.launches.at(*scene.launch)});
    if (scene.block) apply(state, ChooseBlock{*scene.block});
    // What was held or zoomed before would hide what the scene is about.
    if (state.selection.warp && state.selection.warp != scene.warp) apply(state, ReleaseWarp{});
    if (scene.warp && state.selection.warp != scene.warp) apply(state, ToggleWarp{*scene.warp});
    setSteps(state, scene);
    if (scene.view) {
        constexpr std::array views{BlockView::flat, BlockView::solid, BlockView::slots,
                                   BlockView::times};
        apply(state, SetBlockView{views.at(static_cast<std::size_t>(*scene.view))});
    }
    if (!scene.map && scene.launch && state.map.follows == MapFollows::nothing) {
        apply(state, FitMap{MapFollows::block});
    }
    if (scene.map) {
        apply(state,
              FitMap{*scene.map == SceneExtent::grid ? MapFollows::grid : MapFollows::block});
    }
    if (scene.numbers) {
        apply(state, SetCellNumbers{static_cast<CellNumbers>(*scene.numbers)});
    }
    if (scene.below) {
        apply(state, SetLowerTab{*scene.below == SceneBelow::source ? LowerTab::source
                                                                    : LowerTab::memory});
    }
    if (scene.capability) {
        SmView view = state.sm;
        view.capability = scene.capability;
        apply(state, SetSmView{view});
    }
    if (scene.apart) apply(state, SpreadWarps{*scene.apart ? 1.0F : 0.0F});
}

void show(AppState& state, const Lesson& lesson, const std::string& launch, PinSlot slot) {
    apply(state, SetExperiment{lesson.launches.at(launch)});
    if (shownResult(state)) apply(state, Pin{slot});
}

/// Whether what is pinned is the comparison of the lesson that is open.
bool pinnedByItsLesson(const AppState& state) {
    const Lesson* const lesson = findLesson(state.lesson.id);
    if (lesson == nullptr || !lesson->compare) return false;
    const auto is = [&](const std::optional<Result>& pinned, const std::string& launch) {
        return !pinned || pinned->measurement.experiment == lesson->launches.at(launch);
    };
    return is(state.pinnedA, lesson->compare->a) && is(state.pinnedB, lesson->compare->b);
}

}  // namespace

const ToldLesson* shownTold(const AppState& state) {
    const ToldLesson* told = state.lesson.told.get();
    return told != nullptr && told->lesson.id == state.lesson.id ? told : nullptr;
}

const Lesson* shownLesson(const AppState& state) {
    if (const ToldLesson* told = shownTold(state)) return &told->lesson;
    return findLesson(state.lesson.id);
}

void toggleLessons(AppState& state) {
    LessonView& view = state.lesson;
    view.open = !view.open;
    if (!view.open || !view.id.empty()) return;
    if (findLesson(state.shown.scenario) != nullptr) haveLessonReady(state, state.shown.scenario);
}

void haveLessonReady(AppState& state, const std::string& id) {
    const Lesson* const lesson = findLesson(id);
    state.lesson = {.open = state.lesson.open,
                    .id = lesson == nullptr ? std::string() : id,
                    .told = state.lesson.told};
}

void openLesson(AppState& state, const std::string& id) {
    if (pinnedByItsLesson(state)) apply(state, ClearPins{});
    haveLessonReady(state, id);
    state.lesson.open = true;
    const Lesson* const lesson = findLesson(id);
    if (lesson == nullptr) return;
    Scene scene = lesson->opening;
    scene.launch = "here";
    if (!scene.view) scene.view = SceneView::map;
    setScene(state, *lesson, scene);
}

void takeStep(AppState& state, std::size_t step) {
    const Lesson* const lesson = findLesson(state.lesson.id);
    if (lesson == nullptr || step >= lesson->steps.size()) return;
    // A step stands on those before it: the launch is the one that the last of them chose.
    Scene scene = lesson->steps[step].scene;
    for (std::size_t i = step + 1; i-- > 0 && !scene.launch;) {
        scene.launch = lesson->steps[i].scene.launch;
    }
    if (!scene.launch) scene.launch = "here";
    setScene(state, *lesson, scene);
    state.lesson.taken |= 1u << step;
}

void compareLaunches(AppState& state) {
    const Lesson* const lesson = findLesson(state.lesson.id);
    if (lesson == nullptr || !lesson->compare || running(state) != nullptr) return;
    show(state, *lesson, lesson->compare->a, PinSlot::a);
    if (mayMeasure(state)) {
        state.lesson.comparing = PinSlot::a;
        apply(state, Measure{});
        return;
    }
    show(state, *lesson, lesson->compare->b, PinSlot::b);
}

void followComparison(AppState& state) {
    if (!state.lesson.comparing || running(state) != nullptr) return;
    const PinSlot done = *std::exchange(state.lesson.comparing, std::nullopt);
    const Lesson* const lesson = findLesson(state.lesson.id);
    const bool failed = std::holds_alternative<Failed>(state.measuring);
    if (lesson == nullptr || !lesson->compare || failed) return;
    const LessonPair& compare = *lesson->compare;
    const std::string& launch = done == PinSlot::a ? compare.a : compare.b;
    // Whoever chose another launch meanwhile has other plans, or cancelled.
    const auto measured = std::ranges::find_if(state.results, [&](const Result& result) {
        return result.measurement.experiment == lesson->launches.at(launch);
    });
    if (measured == state.results.end()) return;
    (done == PinSlot::a ? state.pinnedA : state.pinnedB) = *measured;
    if (done == PinSlot::b) return;
    show(state, *lesson, compare.b, PinSlot::b);
    if (!mayMeasure(state)) return;
    state.lesson.comparing = PinSlot::b;
    apply(state, Measure{});
}

}  // namespace warplens::window
