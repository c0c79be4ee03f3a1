#include "app/window/state/editing.h"

#include "app/window/state/cameras.h"
#include "core/launch/mapping.h"
#include "core/text/encoding.h"
#include "core/text/format.h"
#include "core/text/lines.h"

namespace warplens::window {
namespace {

struct Bounds final {
    std::int64_t least;
    std::int64_t most;
};

struct AxisNumber final {
    std::string_view field;
    Extents Launch::*extents;
    std::uint32_t Extents::*extent;
};
constexpr std::array<AxisNumber, 6> axes{{{"grid x", &Launch::grid, &Extents::x},
                                          {"grid y", &Launch::grid, &Extents::y},
                                          {"grid z", &Launch::grid, &Extents::z},
                                          {"block x", &Launch::block, &Extents::x},
                                          {"block y", &Launch::block, &Extents::y},
                                          {"block z", &Launch::block, &Extents::z}}};

const AxisNumber* axisOf(std::string_view field) {
    const auto* found = std::ranges::find(axes, field, &AxisNumber::field);
    return found == axes.end() ? nullptr : found;
}

Bounds boundsOf(const Edit& edit, std::string_view field) {
    if (const AxisNumber* axis = axisOf(field)) {
        constexpr LaunchLimits limits;
        const Extents most = axis->extents == &Launch::grid ? limits.grid : limits.block;
        return {1, most.*axis->extent};
    }
    const Kernel& kernel = kernelOf(edit.experiment);
    const auto parameter = std::ranges::find(kernel.sizes, field, &KernelSize::name);
    return parameter == kernel.sizes.end() ? Bounds{INT64_MIN, INT64_MAX}
                                           : Bounds{parameter->minimum, parameter->maximum};
}

/// Bytes kept of a text that holds no number.
constexpr std::size_t longestUnread = 64;

constexpr std::size_t messagesKept = 4;
constexpr std::size_t longestMessage = 2000;  ///< bytes: texts come from elsewhere, too
/// The last part of a message's time, in which it fades; seconds.
constexpr double messageFades = 0.8;

/// How long a message stays, seconds; nothing for errors, which stay until they are dismissed.
std::optional<double> lifetimeOf(MessageKind kind) {
    if (kind == MessageKind::error) return std::nullopt;
    return kind == MessageKind::note ? 8.0 : 16.0;
}

constexpr std::size_t undoDepth = 200;

/// Whether the sizes are those of the scenario's kernel, whatever their values.
bool hasItsSizes(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    return experiment.arguments.entries().size() == kernel.sizes.size() &&
           std::ranges::all_of(kernel.sizes, [&](const KernelSize& parameter) {
               return experiment.arguments.contains(parameter.name);
           });
}

/// What follows from block and sizes: the covering grid and the dynamic shared memory. Sizes out of
/// their bounds and zero extents leave both as they were, and are reported by `violationsOf`.
void completeLaunch(Edit& edit) {
    const Extents block = edit.experiment.launch.block;
    const Kernel& kernel = kernelOf(edit.experiment);
    if (!validate(kernel, edit.experiment.arguments).empty()) return;
    edit.experiment.launch.dynamicSharedBytes = dynamicSharedBytes(edit.experiment);
    if (!edit.gridCovers || kernel.work.empty() || block.count() == 0) return;
    edit.experiment.launch.grid = coveringGrid(edit.experiment);
}

void show(AppState& state) {
    if (!isDrawable(state.edit)) return;
    const Experiment before = std::exchange(state.view.experiment, state.edit.experiment);
    keepSelectionInside(state, before);
    if (state.view.experiment != before) {
        state.time = {};
        planSweep(state);
    }
    keepMap(state, before);
    keepBlock3d(state, before);
}

void travel(AppState& state, std::vector<Edit>& from, std::vector<Edit>& to) {
    if (from.empty()) return;
    to.push_back(std::exchange(state.edit, std::move(from.back())));
    from.pop_back();
    state.openEdit.clear();
    show(state);
}

}  // namespace

bool enterNumber(Edit& edit, std::string_view field, std::string_view text) {
    Experiment& experiment = edit.experiment;
    const AxisNumber* axis = axisOf(field);
    const std::string name(field);
    if (axis == nullptr && !experiment.arguments.contains(name)) return false;
    const std::string_view word = trimmed(text);
    const auto parts = cellsOf(word, word.find(',') == word.npos ? 'x' : ',');
    if (axis != nullptr && (parts.size() == 2 || parts.size() == 3)) {
        // `7x3x5`, `7, 3, 5`: all of them.
        Extents all;
        bool isShape = true;
        for (std::size_t at = 0; at < parts.size(); ++at) {
            const auto extent = wholeNumber<std::uint32_t>(parts[at]);
            isShape = isShape && extent;
            (at == 0 ? all.x : at == 1 ? all.y : all.z) = extent.value_or(0);
        }
        if (isShape) {
            forgetTexts(edit, field.substr(0, field.find(' ') + 1));
            experiment.launch.*axis->extents = all;
            return true;
        }
    }
    const auto value = wholeNumber<std::int64_t>(word);
    if (!value || (axis != nullptr && (*value < 0 || *value > UINT32_MAX))) {
        edit.unread.insert_or_assign(name, asUtf8(word, longestUnread));
        return true;
    }
    edit.unread.erase(name);
    if (axis == nullptr) {
        experiment.arguments.set(name, *value);
    } else {
        experiment.launch.*axis->extents.*axis->extent = static_cast<std::uint32_t>(*value);
    }
    return true;
}

LimitViolation violationOfText(const Edit& edit, std::string_view field, std::string_view text) {
    const bool negative = text.starts_with('-');
    const std::string_view digits = text.substr(negative ? 1 : 0);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
        return {std::string(field), "'" + std::string(text) + "'", "a whole number"};
    }
    const Bounds bounds = boundsOf(edit, field);
    return {std::string(field), std::string(text),
            negative ? "at least " + std::to_string(bounds.least)
                     : "at most " + std::to_string(bounds.most)};
}

void forgetTexts(Edit& edit, std::string_view group) {
    std::erase_if(edit.unread, [&](const auto& entry) { return entry.first.starts_with(group); });
}

void change(AppState& state, Edit next, std::string field) {
    completeLaunch(next);
    if (next == state.edit) return;
    if (field.empty() || field != state.openEdit) {
        state.undo.push_back(state.edit);
        if (state.undo.size() > undoDepth) state.undo.erase(state.undo.begin());
    }
    state.redo.clear();
    state.openEdit = std::move(field);
    state.edit = std::move(next);
    show(state);
}

Edit editOf(const Experiment& experiment) {
    Edit edit{experiment, true};
    Edit covered = edit;
    completeLaunch(covered);
    edit.gridCovers = covered.experiment == experiment;
    return edit;
}

void takeExperiment(AppState& state, const Experiment& experiment) {
    if (findScenario(experiment.scenario) == nullptr || !hasItsSizes(experiment)) return;
    // There is no field to put it right in.
    if (experiment.arrayOffset > mostArrayOffset) return;
    change(state, editOf(experiment), {});
}

const Launch& writtenLaunch(const AppState& state) {
    return state.edit.unread.empty() ? state.edit.experiment.launch : state.view.experiment.launch;
}

void undo(AppState& state) {
    travel(state, state.undo, state.redo);
}

void redo(AppState& state) {
    travel(state, state.redo, state.undo);
}

void keepSelectionInside(AppState& state, const Experiment& before) {
    const Launch& launch = state.view.experiment.launch;
    View& view = state.view;
    const auto inside = [](Index3 index, Extents extents) {
        return index.x < extents.x && index.y < extents.y && index.z < extents.z;
    };
    if (state.view.experiment.scenario != before.scenario || !inside(view.block, launch.grid)) {
        view.block = {};
    }
    if (state.view.experiment.scenario != before.scenario) {
        view.array.reset();
        view.step.reset();
        state.playback.playing = false;
    }
    for (std::optional<Index3>* thread : {&state.pointed, &state.held}) {
        if (*thread && !inside(**thread, launch.block)) thread->reset();
    }
    if (view.warp && view.warp->value >= warpCountPerBlock(launch.block)) {
        view.warp.reset();
    }
}

void forgetFileMessages(AppState& state) {
    std::erase_if(state.messages, [](const Message& message) { return message.ofFile; });
}

void report(AppState& state, MessageKind kind, const std::string& said, bool ofFile) {
    std::string text = sanitized(said, longestMessage);
    std::erase_if(state.messages, [&](const Message& message) { return message.text == text; });
    state.messages.push_back({++state.lastNumber, kind, std::move(text), state.now, ofFile});
    if (state.messages.size() > messagesKept) state.messages.erase(state.messages.begin());
}

double strengthOf(const AppState& state, const Message& message) {
    const std::optional<double> lifetime = lifetimeOf(message.kind);
    if (!lifetime) return 1;
    return std::clamp((message.since + *lifetime - state.now) / messageFades, 0.0, 1.0);
}

std::optional<double> secondsToNextFade(const AppState& state) {
    std::optional<double> next;
    for (const Message& message : state.messages) {
        const std::optional<double> lifetime = lifetimeOf(message.kind);
        if (!lifetime) continue;
        const double left = message.since + *lifetime - state.now;
        const double wait = left > messageFades ? left - messageFades : 1.0 / 30;
        next = std::min(next.value_or(wait), wait);
    }
    return next;
}

}  // namespace warplens::window
