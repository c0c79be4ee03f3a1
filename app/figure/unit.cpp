#include "app/figure/unit.h"

#include <algorithm>

namespace warplens::figure {
namespace {

constexpr float smallestUnit = 0.7F;

/// Changes every point of an item, the corners of its box among them.
void changePoints(auto& item, auto changed) {
    if constexpr (requires { item.box; }) {
        const Point low = changed(Point{item.box.left, item.box.top});
        const Point high = changed(Point{item.box.right, item.box.bottom});
        item.box = {low.x, low.y, high.x, high.y};
    }
    if constexpr (requires { item.at; }) item.at = changed(item.at);
    if constexpr (requires { item.from; }) {
        item.from = changed(item.from);
        item.to = changed(item.to);
    }
    if constexpr (requires { item.corners; }) {
        for (Point& corner : item.corners) corner = changed(corner);
    }
}

}  // namespace

float unitOf(PageSize page) {
    return std::max(smallestUnit, std::min(static_cast<float>(page.width) / 1280,
                                           static_cast<float>(page.height) / 720));
}

void enlarge(drawing::Items& items, float unit) {
    const auto enlarged = [&](auto& item) {
        changePoints(item, [&](Point p) { return Point{p.x * unit, p.y * unit}; });
        if constexpr (requires { item.spacing; }) item.spacing *= unit;
        if constexpr (requires { item.width; }) item.width *= unit;
        if constexpr (requires { item.edgeWidth; }) item.edgeWidth *= unit;
        if constexpr (requires { item.radius; }) item.radius *= unit;
        if constexpr (requires { item.size; }) item.size *= unit;
    };
    for (drawing::Item& item : items) std::visit(enlarged, item);
}

void move(drawing::Items& items, Point by) {
    const auto moved = [&](auto& item) {
        changePoints(item, [&](Point p) { return Point{p.x + by.x, p.y + by.y}; });
    };
    for (drawing::Item& item : items) std::visit(moved, item);
}

}  // namespace warplens::figure
