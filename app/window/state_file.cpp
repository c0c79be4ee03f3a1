#include "app/window/state_file.h"

#include <cstdlib>
#include <system_error>

#include "app/drawing/occupancy_slots.h"
#include "app/window/state/cameras.h"
#include "app/window/state/scene.h"
#include "app/window/state/sm_grid.h"
#include "app/window/state/timeline.h"
#include "core/json/json_tree.h"
#include "core/text/files.h"

namespace warplens::window {
namespace {

Json indexJson(Index3 index) {
    return {index.x, index.y, index.z};
}

Json block3dJson(const Block3dView& view) {
    Json slices = Json::array();
    for (const IndexRange& kept : view.slices) slices.push_back({kept.first, kept.last});
    return {{"turn", view.turn},   {"tilt", view.tilt},
            {"zoom", view.zoom},   {"pan", {view.panX, view.panY}},
            {"apart", view.apart}, {"slices", slices}};
}

Json measuringJson(const AppState& state) {
    if (const auto* run = std::get_if<Running>(&state.measuring)) {
        return {{"status", "running"},
                {"stage", run->stage},
                {"fraction", run->fraction},
                {"cancelled", run->cancelled}};
    }
    if (const auto* failed = std::get_if<Failed>(&state.measuring)) {
        return {{"status", "failed"}, {"message", failed->failure.message}};
    }
    return {{"status", "idle"}};
}

/// Which step of the warp in focus is shown.
Json memoryJson(const AppState& state) {
    const Timeline timeline(state);
    Json json{{"array", nullptr},
              {"position", timeline.position()},
              {"steps", timeline.size()},
              {"words", nullptr},
              {"playing", state.playback.playing},
              {"steps_per_second", state.playback.stepsPerSecond}};
    if (state.view.array) json["array"] = *state.view.array;
    if (const WarpStep* const step = stepShown(state)) {
        const WarpTrace& trace = *shownTrace(state);
        json["words"] =
            drawing::titleOf(trace, *step) + ": " + drawing::costWords(trace, *step).full;
        json["rounds"] = trace.rounds[step->rounds];
    }
    return json;
}

Json programJson(const ProgramState& program) {
    Json launches = Json::array();
    if (program.now) {
        for (const LaunchReport& launch : program.now->trace.launches) {
            launches.push_back(launch.kernel + launchText(launch.launch));
        }
    }
    Json measured = nullptr;
    if (const ProgramResult* const result = resultOfChosen(program)) {
        measured = {{"recorded", result->recorded},
                    {"taken_at", result->measurement->takenAt},
                    {"median_seconds", result->measurement->timing.medianSeconds},
                    {"differences", result->measurement->differences.size()}};
    }
    return {{"asking", program.asking},
            {"problem", program.problem},
            {"editor",
             {{"open", program.editor.open},
              {"text", program.editor.text},
              {"changed", program.editor.isChanged()},
              {"theirs", program.editor.theirs.has_value()}}},
            {"measured", std::move(measured)},
            {"former", formerResultOfChosen(program) != nullptr},
            {"path", program.path},
            {"stage", program.stage},
            {"failure", program.now ? program.now->failure : std::string()},
            {"launches", std::move(launches)},
            {"line", program.line}};
}

Json mapJson(const AppState& state) {
    constexpr std::array<const char*, 4> details{"threads", "warps", "blocks", "field"};
    const MapLayout layout = mapLayout(state);
    const MapCamera camera = mapCamera(state, layout);
    Json json{{"follows", toString(state.view.map)},
              {"numbers", toString(state.view.numbers)},
              {"detail", details.at(static_cast<std::size_t>(detailOf(layout, camera.cell)))},
              {"cell", camera.cell},
              {"centre_block", nullptr}};
    if (const auto block = blockAt(layout, camera.centre.place)) {
        json["centre_block"] = indexJson(*block);
    }
    return json;
}

Json modelJson(const AppState& state) {
    if (!showsModel(state) || !state.model) return nullptr;
    const SmRun& run = state.model->run;
    return {{"cycles", run.cycles},
            {"resident", state.model->place.resident},
            {"latency", run.model.globalLatency},
            {"failure", state.model->failure},
            {"at", state.time.model.at}};
}

Json sweepJson(const AppState& state) {
    Json json{{"over", state.view.over},
              {"problem", state.sweep.problem},
              {"measuring", state.sweep.measuring.has_value()},
              {"plan", nullptr}};
    if (const KeptSweep* kept = shownSweep(state)) {
        const Sweep& sweep = kept->sweep;
        json["plan"] = toString(sweep.plan.axis);
        json["points"] = sweep.points.size();
        json["predicted"] = sweep.predictedCount();
        json["measured"] = sweep.measuredCount();
        json["recorded"] = kept->recorded;
    }
    return json;
}

Json smJson(const AppState& state) {
    const ShownSm sm = shownSm(state);
    const drawing::GridShare grid = shownGrid(state);
    return {{"compute_capability", toString(sm.limits.capability)},
            {"registers_per_thread", sm.block.registersPerThread},
            {"registers_from", sm.registersFrom},
            {"shared_bytes", sm.block.sharedBytes()},
            {"occupancy", drawing::occupancyInWords(sm.limits, sm.block, grid)},
            {"limit", drawing::limitInWords(sm.limits, sm.block, grid)}};
}

Json framesJson(const FrameTimes& frames) {
    return {{"count", frames.count},
            {"first_ms", 1e3 * frames.firstSeconds},
            {"slowest_ms", 1e3 * frames.slowestSeconds},
            {"slowest", frames.slowest},
            {"most_processor_ms", 1e3 * frames.mostProcessorSeconds},
            {"long", frames.longOnes}};
}

Json lessonJson(const AppState& state) {
    const LessonProgress& progress = progressOf(state);
    return {{"id", state.view.lesson},
            {"page", progress.page},
            {"furthest", progress.furthest},
            {"answered", progress.answered != Answered::open},
            {"right", progress.answered == Answered::right},
            {"tries", progress.tries},
            {"hints", progress.hints},
            {"goal", progress.goal},
            {"exercise", progress.exercise},
            {"motion", state.lesson.motion.at}};
}

/// But for the frames.
Json stateJson(const AppState& state, const WidgetRects& rects, bool settled) {
    Json json{{"settled", settled},
              {"experiment", json_reader::treeOf(state.edit.experiment)},
              {"shown", json_reader::treeOf(state.view.experiment)},
              {"grid_covers", state.edit.gridCovers},
              {"block", indexJson(state.view.block)},
              {"map", mapJson(state)},
              {"sm", smJson(state)},
              {"right_tab", toString(state.view.tab)},
              {"sweep", sweepJson(state)},
              {"thread", nullptr},
              {"held_warp", nullptr},
              {"memory", memoryJson(state)},
              {"block_view", toString(state.view.picture)},
              {"cubes", block3dJson(state.block3d)},
              {"measuring", measuringJson(state)},
              {"can_measure", state.canMeasure},
              {"predicted", shownPrediction(state) != nullptr},
              {"block_predicted", nullptr},
              {"result", nullptr},
              {"pinned_a", state.pinnedA.has_value()},
              {"pinned_b", state.pinnedB.has_value()},
              {"mode", toString(state.view.mode)},
              {"lesson", lessonJson(state)},
              {"figures_due", state.figures.size()},
              {"help_open", state.helpOpen},
              {"model", modelJson(state)},
              {"palette",
               {{"open", state.palette.open},
                {"typed", state.palette.typed},
                {"chosen", state.palette.chosen}}},
              {"program", programJson(state.program)},
              {"theme", toString(state.view.theme)},
              {"text_scale", state.view.textScale}};
    if (const LaunchReport* block = shownBlockPrediction(state)) {
        json["block_predicted"] = {{"warps", block->block->warps},
                                   {"warps_traced", block->block->warpsTraced},
                                   {"seconds", block->seconds}};
    }
    if (state.pointed) json["thread"] = indexJson(*state.pointed);
    if (state.view.warp) json["held_warp"] = state.view.warp->value;
    if (const auto result = shownResult(state)) {
        json["result"] = {{"recorded", result->recorded},
                          {"taken_at", result->measurement->takenAt},
                          {"median_seconds", result->measurement->timing.medianSeconds}};
    }
    json["violations"] = Json::array();
    for (const LimitViolation& violation : violationsOf(state))
        json["violations"].push_back(toString(violation));
    json["messages"] = Json::array();
    for (const Message& message : state.messages) {
        json["messages"].push_back({{"id", message.id}, {"text", message.text}});
    }
    json["widgets"] = Json::object();
    for (const auto& [name, rect] : rects) {
        json["widgets"][name] = {rect.x, rect.y, rect.z, rect.w};
    }
    return json;
}

constexpr std::chrono::milliseconds framesEvery{300};

}  // namespace

StateFile::StateFile() {
    if (const char* path = std::getenv("WARPLENS_STATE_FILE")) path_ = path;
}

void StateFile::update(const AppState& state, const WidgetRects& rects, std::string_view focus,
                       const FrameTimes& frames, bool settled) {
    if (path_.empty()) return;
    Json json = stateJson(state, rects, settled);
    json["focus"] = focus;
    std::string text = toText(json, 1) + '\n';
    const auto now = std::chrono::steady_clock::now();
    if (text == written_ && now - when_ < framesEvery) return;
    json["frames"] = framesJson(frames);
    try {
        writeFileAtomically(path_, toText(json, 1) + '\n');
        written_ = std::move(text);
        when_ = now;
    } catch (const std::system_error&) {
        // The window is not worth losing over its description; who reads the file notices.
        path_.clear();
    }
}

}  // namespace warplens::window
