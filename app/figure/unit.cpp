#include "app/figure/unit.h"

#include <algorithm>

namespace warplens::figure {
namespace {

constexpr float smallestUnit = 0.7F;

void enlarge(drawing::Item& item, float unit) {
    const auto point = [&](Point& p) { p = {p.x * unit, p.y * unit}; };
    std::visit(
        [&](auto& it) {
            if constexpr (requires { it.box; }) {
                drawing::Box& b = it.box;
                b = {b.left * unit, b.top * unit, b.right * unit, b.bottom * unit};
            }
            if constexpr (requires { it.spacing; }) it.spacing *= unit;
            if constexpr (requires { it.width; }) it.width *= unit;
            if constexpr (requires { it.radius; }) it.radius *= unit;
            if constexpr (requires { it.size; }) it.size *= unit;
            if constexpr (requires { it.at; }) point(it.at);
            if constexpr (requires { it.from; }) {
                point(it.from);
                point(it.to);
            }
        },
        item);
}

}  // namespace

float unitOf(PageSize page) {
    return std::max(smallestUnit, std::min(static_cast<float>(page.width) / 1280,
                                           static_cast<float>(page.height) / 720));
}

void enlarge(drawing::Items& items, float unit) {
    for (drawing::Item& item : items) enlarge(item, unit);
}

}  // namespace warplens::figure
