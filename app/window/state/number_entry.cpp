#include "app/window/state/number_entry.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "core/text/lines.h"
#include "core/text/utf8.h"

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

std::optional<std::int64_t> numberIn(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace

bool enterNumber(Edit& edit, std::string_view field, std::string_view text) {
    Experiment& experiment = edit.experiment;
    const AxisNumber* axis = axisOf(field);
    const std::string name(field);
    if (axis == nullptr && !experiment.arguments.contains(name)) return false;
    const std::string_view word = trimmed(text);
    const auto value = numberIn(word);
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

}  // namespace warplens::window
