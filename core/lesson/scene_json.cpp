#include "core/lesson/scene_json.h"

#include <algorithm>
#include <array>

#include "core/occupancy/sm_limits.h"

namespace warplens::lesson_reader {
namespace {

void checkArray(const Json& value, const std::string& name, const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    const bool known =
        name == "all" ||
        std::ranges::find(kernel.arrays, name, &KernelArray::name) != kernel.arrays.end() ||
        std::ranges::find(kernel.shared, name, &KernelShared::name) != kernel.shared.end();
    if (!known)
        fail(value, "\"array\" is '" + name + "', which " + std::string(kernel.name) + " has not");
}

Index3 blockIndex(const Json& tree, const Experiment& experiment) {
    const Json& list = tree.at("block");
    if (!list.is_array() || list.size() != 3) fail(list, "\"block\" is not [x, y, z]");
    const Extents grid = experiment.launch.grid;
    const std::array<std::uint32_t, 3> ends{grid.x, grid.y, grid.z};
    std::array<std::uint32_t, 3> index{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        index.at(axis) = static_cast<std::uint32_t>(
            json_reader::countIn(list[axis], "block", ends.at(axis) - 1));
    }
    return {index[0], index[1], index[2]};
}

std::string panelNames() {
    std::string names;
    for (std::size_t i = 0; i < lessonPanelCount; ++i) {
        names += ' ' + std::string(toString(static_cast<LessonPanel>(i)));
    }
    return names;
}

}  // namespace

std::vector<LessonPanel> panelsFrom(const Json& tree, const char* name) {
    std::vector<LessonPanel> panels;
    for (const Json& entry : fewIn(tree, name, 3)) {
        const std::string word = wordsOf(entry, name, longestLine);
        const std::optional<LessonPanel> panel = lessonPanelFromString(word);
        if (!panel) fail(entry, "there is no panel '" + word + "': one of" + panelNames());
        panels.push_back(*panel);
    }
    return panels;
}

Scene sceneFrom(const Json& tree, const Launches& launches, const Experiment& before) {
    expectMembers(tree, "a scene", {},
                  {"launch", "block", "warp", "array", "step", "view", "map", "numbers", "below",
                   "cc", "apart", "panels"});
    Scene scene;
    if (tree.contains("panels")) scene.panels = panelsFrom(tree, "panels");
    const Experiment* experiment = &before;
    if (tree.contains("launch")) {
        scene.launch = launchName(tree, "launch", launches);
        experiment = &launches.at(*scene.launch);
    }
    if (tree.contains("block")) scene.block = blockIndex(tree, *experiment);
    if (tree.contains("warp")) {
        const std::uint32_t warps = warpCountPerBlock(experiment->launch.block);
        scene.warp =
            WarpRank{static_cast<std::uint32_t>(json_reader::count(tree, "warp", warps - 1))};
    }
    if (tree.contains("array")) {
        scene.array = json_reader::text(tree, "array");
        checkArray(tree.at("array"), *scene.array, *experiment);
    }
    if (tree.contains("step")) scene.step = json_reader::count(tree, "step", 1 << 16);
    if (scene.step == std::uint64_t{0}) fail(tree.at("step"), "\"step\" counts from 1");
    if (tree.contains("view"))
        scene.view = oneOf<SceneView>(tree, "view", {"2d", "3d", "sm", "time"});
    if (tree.contains("map")) scene.map = oneOf<SceneExtent>(tree, "map", {"block", "grid"});
    if (tree.contains("numbers")) {
        scene.numbers =
            oneOf<SceneNumbers>(tree, "numbers", {"warp", "coordinates", "rank", "element"});
    }
    if (tree.contains("below")) {
        scene.below = oneOf<SceneBelow>(tree, "below", {"memory", "source"});
    }
    if (tree.contains("cc")) {
        try {
            scene.capability = smLimitsNamed(json_reader::text(tree, "cc")).capability;
        } catch (const InvalidRequest& error) {
            fail(tree.at("cc"), error.what());
        }
    }
    if (tree.contains("apart")) scene.apart = json_reader::flag(tree, "apart");
    return scene;
}

}  // namespace warplens::lesson_reader
