#include "app/window/state/scene.h"

#include <cmath>

#include "app/window/state/apply.h"
#include "app/window/state/cameras.h"
#include "app/window/state/editing.h"
#include "app/window/state/timeline.h"
#include "core/json/json_tree.h"
#include "core/occupancy/sm_limits.h"
#include "core/program/program_trace.h"
#include "core/sweep/quantity.h"
#include "core/view/view_json.h"
#include "core/view/view_parts.h"

namespace warplens::window {
namespace {

constexpr const char* marker = "warplens_scene";

Json parsed(std::string_view text) {
    if (text.size() > longestScene) {
        throw MalformedJson("it is longer than " + std::to_string(longestScene) + " bytes");
    }
    Json json = parseObject(text);
    if (json_reader::member(json, marker) != 1)
        throw MalformedJson("this version reads scenes of version 1");
    return json;
}

Experiment experimentAt(const Json& json, const char* name) {
    return json_reader::valueOf<Experiment>(json_reader::member(json, name));
}

/// Shows a launch and pins what is known of it.
void pin(AppState& state, const Json& json, const char* name, PinSlot slot) {
    if (!json.contains(name)) return;
    apply(state, Show{.experiment = experimentAt(json, name)});
    if (shownResult(state)) {
        apply(state, Pin{slot});
        return;
    }
    apply(state, Report{MessageKind::note,
                        std::string("The scene's ") + (slot == PinSlot::a ? "A" : "B") +
                            " is neither measured nor recorded here: it is not pinned."});
}

void show(AppState& state, const Json& json) {
    // Read whole before anything changes; what a scene leaves out is as at the start.
    ViewChange wanted = namedParts(View{}, &ViewPart::scene);
    take(wanted, viewChangeIn(json, &ViewPart::scene));
    wanted.experiment = experimentAt(json, "experiment");
    apply(state, SetMode{Mode::explore});
    apply(state, ClearPins{});
    pin(state, json, "pin_a", PinSlot::a);
    pin(state, json, "pin_b", PinSlot::b);
    if (state.program.isOpen()) apply(state, CloseProgram{});
    if (wanted.mode != Mode::learn) wanted.lesson.reset();
    apply(state, wanted);
    if (json.contains("program")) {
        state.program.proposed = json.at("program").get<std::string>();
        state.program.asking = true;
    }
}

TextRows rowsOfLines(const LaunchReport& launch) {
    TextRows rows{{"file", "line", "column", "kind", "array", "source", "requests", "sectors",
                   "wavefronts", "divergent"}};
    for (const ProgramLine& line : launch.lines) {
        rows.push_back({line.place.file, std::to_string(line.place.line),
                        std::to_string(line.place.column), std::string(nameOf(line.kind)),
                        line.array, std::string(toString(line.source)),
                        std::to_string(line.requests), std::to_string(line.sectors),
                        std::to_string(line.wavefronts), std::to_string(line.divergent)});
    }
    return rows;
}

TextRows rowsShown(const AppState& state) {
    if (const LaunchReport* const launch = chosenLaunch(state.program)) {
        return rowsOfLines(*launch);
    }
    if (const KeptSweep* const kept = shownSweep(state);
        kept != nullptr && state.view.tab == RightTab::sweep) {
        return rowsOf(kept->sweep);
    }
    std::vector<Value> values;
    if (const auto result = shownResult(state)) values = result->measurement->values;
    if (const LaunchReport* const prediction = shownPrediction(state)) {
        std::erase_if(values, [](const Value& value) { return value.source == Source::predicted; });
        values.insert(values.begin(), prediction->values.begin(), prediction->values.end());
    }
    return rowsOf(values);
}

/// What the launch that is shown has of it.
ViewChange fitted(const AppState& state, ViewChange change) {
    const Launch& launch = state.view.experiment.launch;
    if (change.block) {
        change.block = {std::min(change.block->x, launch.grid.x - 1),
                        std::min(change.block->y, launch.grid.y - 1),
                        std::min(change.block->z, launch.grid.z - 1)};
    }
    if (change.warp && *change.warp && (*change.warp)->value >= warpCountPerBlock(launch.block)) {
        change.warp = noWarp;
    }
    if (change.array && *change.array >= shownSubjects(state).arrayNames().size()) {
        change.array->reset();
    }
    if (change.capability && *change.capability && findSmLimits(**change.capability) == nullptr) {
        change.capability->reset();
    }
    if (change.textScale) {
        if (std::isfinite(*change.textScale)) {
            change.textScale = std::clamp(*change.textScale, leastTextScale, largestTextScale);
        } else {
            change.textScale.reset();
        }
    }
    return change;
}

}  // namespace

std::string sceneOf(const AppState& state) {
    Json json{{marker, 1}};
    View shown = state.view;
    if (shown.mode != Mode::learn) shown.lesson.clear();
    addView(json, shown, &ViewPart::scene);
    const auto pinned = [&](const char* name, const std::optional<Result>& result) {
        if (result) json[name] = json_reader::treeOf(result->measurement->experiment);
    };
    pinned("pin_a", state.pinnedA);
    pinned("pin_b", state.pinnedB);
    if (state.program.isOpen()) json["program"] = state.program.path;
    return toText(json);
}

Experiment experimentOfScene(std::string_view text) {
    return experimentAt(parsed(text), "experiment");
}

void openScene(AppState& state, std::string_view text) {
    // Over an own file it was meant for the text, most often.
    if (state.program.isOpen() && text.find(marker) == text.npos)
        return report(
            state, MessageKind::note,
            "Nothing was pasted: click in the text to paste there; elsewhere Ctrl+V shows "
            "a scene that Ctrl+Shift+C has copied.");
    try {
        show(state, parsed(text));
    } catch (const MalformedJson& wrong) {
        apply(state, Report{MessageKind::error, std::string("No scene: ") + wrong.what()});
    } catch (const Json::exception& wrong) {
        apply(state, Report{MessageKind::error, std::string("No scene: ") + wrong.what()});
    }
}

std::string tableOf(const AppState& state, bool csv) {
    const TextRows rows = rowsShown(state);
    return csv ? toCsv(rows) : toMarkdown(rows);
}

void takeView(AppState& state, ViewChange change) {
    // The launch first: everything else is chosen in it.
    if (change.experiment) takeExperiment(state, *std::exchange(change.experiment, {}));
    const auto over = std::exchange(change.over, {});
    const auto mode = std::exchange(change.mode, {});
    const auto lesson = std::exchange(change.lesson, {});
    if (change.map == MapFollows::nothing) state.map.camera = mapCamera(state, mapLayout(state));
    take(state.view, fitted(state, change));
    if (change.warp) keepLine(state);
    if (over) setSweepOver(state, *over);
    if (mode && mode != Mode::learn) {
        setMode(state, *mode);
    } else if (lesson) {
        openLesson(state, *lesson);
    } else if (mode) {
        setMode(state, *mode);
    }
}

ViewChange launchOf(const View& before) {
    return {.experiment = before.experiment,
            .block = before.block,
            .warp = before.warp,
            .array = before.array,
            .step = before.step};
}

bool tells(const ViewChange& change) {
    bool does = false;
    forEachPart([&](const ViewPart& part, auto of) {
        does = does || (of(change).has_value() && !part.tellsNothing);
    });
    return does;
}

bool showsModel(const AppState& state) {
    if (state.view.picture != PictureKind::times) return false;
    const std::optional<Result> result = shownResult(state);
    return !result || !result->measurement->schedule || state.time.rows == TimeRows::model;
}

void setMode(AppState& state, Mode mode) {
    if (mode == state.view.mode) return;
    if (mode == Mode::learn) {
        toggleLessons(state);
        return;
    }
    state.present.black = state.present.spotlight = false;
    // What is told of presenting ends with it.
    if (state.view.mode == Mode::present)
        std::erase_if(state.messages,
                      [](const Message& message) { return message.kind == MessageKind::note; });
    if (state.present.lesson) return openLesson(state, state.view.lesson);
    state.present.lesson =
        mode == Mode::present && shownLesson(state) != nullptr && state.view.mode == Mode::learn;
    if (state.present.lesson)
        state.lesson.motion.playing = false;
    else if (state.view.mode == Mode::learn)
        leaveLessons(state, mode == Mode::present);
    if (showsProgram(state)) showProgramLaunch(state);
    state.view.mode = mode;
    state.present.part = PairPart::both;
    if (!presentsPair(state)) return;
    state.present.part = PairPart::a;
    report(state, MessageKind::note, "A alone; Page Down: B alone, then both. Esc ends.");
}

void showProgramLaunch(AppState& state) {
    const LaunchReport* const launch = chosenLaunch(state.program);
    if (launch == nullptr) return;
    Experiment experiment = initialExperiment(scenarioNamed("warp-grouping"));
    experiment.launch = launch->launch;
    takeExperiment(state, experiment);
}

}  // namespace warplens::window
