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
            if constexpr (requires { it.corners; }) {
                for (Point& corner : it.corners) point(corner);
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

void move(drawing::Items& items, Point by) {
    const auto moved = [&](Point& p) { p = {p.x + by.x, p.y + by.y}; };
    for (drawing::Item& item : items) {
        std::visit(
            [&](auto& it) {
                if constexpr (requires { it.box; }) {
                    drawing::Box& b = it.box;
                    b = {b.left + by.x, b.top + by.y, b.right + by.x, b.bottom + by.y};
                }
                if constexpr (requires { it.at; }) moved(it.at);
                if constexpr (requires { it.from; }) {
                    moved(it.from);
                    moved(it.to);
                }
                if constexpr (requires { it.corners; }) {
                    for (Point& corner : it.corners) moved(corner);
                }
            },
            item);
    }
}

}  // namespace warplens::figure
