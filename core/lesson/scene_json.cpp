#include "core/lesson/scene_json.h"

#include <algorithm>
#include <array>

#include "core/occupancy/sm_limits.h"

namespace warplens::lesson_reader {
namespace {

/// The array's place among the kernel's arrays, its shared arrays behind them; none for `all`.
std::optional<std::size_t> arrayPlace(const Json& value, const std::string& name,
                                      const Experiment& experiment) {
    if (name == "all") return std::nullopt;
    const Kernel& kernel = kernelOf(experiment);
    const auto array = std::ranges::find(kernel.arrays, name, &KernelArray::name);
    if (array != kernel.arrays.end()) {
        return static_cast<std::size_t>(array - kernel.arrays.begin());
    }
    const auto shared = std::ranges::find(kernel.shared, name, &KernelShared::name);
    if (shared == kernel.shared.end()) {
        fail(value, "\"array\" is '" + name + "', which " + std::string(kernel.name) + " has not");
    }
    return kernel.arrays.size() + static_cast<std::size_t>(shared - kernel.shared.begin());
}

/// One of the words that the window offers.
template <NamedEnum Enum>
void readWord(const Json& tree, const char* name, std::optional<Enum>& chosen) {
    if (!tree.contains(name)) return;
    const std::vector<std::string_view> words = offeredWords<Enum>();
    chosen = fromWord<Enum>(words.at(oneOf<std::size_t>(tree, name, words)));
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

}  // namespace

std::vector<PictureKind> panelsFrom(const Json& tree, const char* name) {
    std::vector<PictureKind> panels;
    for (const Json& entry : fewIn(tree, name, 3)) {
        const std::string word = wordsOf(entry, name, longestLine);
        const auto row = std::ranges::find(pictures, word, &PictureRow::panel);
        if (row == pictures.end() || word.empty()) {
            std::string known;
            for (const PictureRow& each : pictures) {
                if (!each.panel.empty()) known += ' ' + std::string(each.panel);
            }
            fail(entry, "there is no panel '" + word + "': one of" + known);
        }
        panels.push_back(row->picture);
    }
    return panels;
}

Scene sceneFrom(const Json& tree, const Launches& launches, const Experiment& before) {
    expectMembers(tree, "a scene", {},
                  {"launch", "block", "warp", "array", "step", "view", "map", "numbers", "below",
                   "cc", "apart", "panels"});
    Scene scene;
    ViewChange& view = scene.view;
    if (tree.contains("panels")) scene.panels = panelsFrom(tree, "panels");
    if (tree.contains("launch"))
        view.experiment = launches.at(launchName(tree, "launch", launches));
    const Experiment& experiment = view.experiment ? *view.experiment : before;
    if (tree.contains("block")) view.block = blockIndex(tree, experiment);
    if (tree.contains("warp")) {
        const std::uint32_t warps = warpCountPerBlock(experiment.launch.block);
        view.warp =
            WarpRank{static_cast<std::uint32_t>(json_reader::count(tree, "warp", warps - 1))};
    }
    if (tree.contains("array")) {
        view.array = arrayPlace(tree.at("array"), json_reader::text(tree, "array"), experiment);
        view.step = noStep;
    }
    if (tree.contains("step")) {
        const std::uint64_t step = json_reader::count(tree, "step", 1 << 16);
        if (step == 0) fail(tree.at("step"), "\"step\" counts from 1");
        view.step = step - 1;
    }
    readWord(tree, "view", view.picture);
    readWord(tree, "map", view.map);
    readWord(tree, "numbers", view.numbers);
    readWord(tree, "below", view.below);
    if (tree.contains("cc")) {
        try {
            view.capability = smLimitsNamed(json_reader::text(tree, "cc")).capability;
        } catch (const InvalidRequest& error) {
            fail(tree.at("cc"), error.what());
        }
    }
    if (tree.contains("apart")) scene.apart = json_reader::flag(tree, "apart");
    return scene;
}

}  // namespace warplens::lesson_reader
