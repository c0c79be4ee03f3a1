#include "core/view/view_json.h"

#include "core/occupancy/sm_limits.h"

namespace warplens {
namespace {

Json treeOfPart(const Experiment& experiment) {
    return json_reader::treeOf(experiment);
}
Json treeOfPart(Index3 index) {
    return Json::array({index.x, index.y, index.z});
}
template <NamedEnum Enum>
Json treeOfPart(Enum enumerator) {
    return toString(enumerator);
}
Json treeOfPart(const std::string& text) {
    return text;
}
Json treeOfPart(float number) {
    return number;
}
Json treeOfPart(const std::optional<WarpRank>& warp) {
    return warp ? Json(warp->value) : Json();
}
Json treeOfPart(const std::optional<ComputeCapability>& capability) {
    return capability ? Json(toString(*capability)) : Json();
}
template <std::unsigned_integral Number>
Json treeOfPart(const std::optional<Number>& number) {
    return number ? Json(*number) : Json();
}

void read(const Json& tree, Experiment& experiment) {
    experiment = json_reader::valueOf<Experiment>(tree);
}
void read(const Json& tree, Index3& index) {
    const auto list = tree.get<std::array<std::uint32_t, 3>>();
    index = {list[0], list[1], list[2]};
}
template <NamedEnum Enum>
void read(const Json& tree, Enum& enumerator) {
    enumerator = fromWord<Enum>(tree.get<std::string>()).value_or(enumerator);
}
void read(const Json& tree, std::string& text) {
    text = tree.get<std::string>();
}
void read(const Json& tree, float& number) {
    number = tree.get<float>();
}
void read(const Json& tree, std::optional<WarpRank>& warp) {
    warp = WarpRank{tree.get<std::uint32_t>()};
}
void read(const Json& tree, std::optional<ComputeCapability>& capability) {
    try {
        capability = smLimitsNamed(tree.get<std::string>()).capability;
    } catch (const InvalidRequest& unknown) {
        throw MalformedJson(unknown.what());
    }
}
template <std::unsigned_integral Number>
void read(const Json& tree, std::optional<Number>& number) {
    number = tree.get<Number>();
}

}  // namespace

void addView(Json& document, const View& view, std::string_view ViewPart::*name) {
    const View start;
    forEachPart([&](const ViewPart& part, auto of) {
        if ((part.*name).empty()) return;
        if (name == &ViewPart::scene && part.brief && of(view) == of(start)) return;
        if (Json tree = treeOfPart(of(view)); !tree.is_null()) {
            document[std::string(part.*name)] = std::move(tree);
        }
    });
}

ViewChange viewChangeIn(const Json& document, std::string_view ViewPart::*name) {
    ViewChange change;
    const View start;
    forEachPart([&](const ViewPart& part, auto of) {
        const std::string member(part.*name);
        if (member.empty() || !document.contains(member)) return;
        auto value = of(start);
        read(document.at(member), value);
        of(change) = std::move(value);
    });
    return change;
}

}  // namespace warplens
