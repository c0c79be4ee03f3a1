#pragma once

#include "core/json/json_tree.h"
#include "core/view/view_parts.h"

/// The parts of a view as members of a document that has `name`s for them: `&ViewPart::scene`.
namespace warplens {

/// Adds the members; parts that hold nothing are left out, as are brief ones of scenes.
void addView(Json& document, const View& view, std::string_view ViewPart::*name);

/// The parts whose members are there; a word that is none is read as what is there at the start.
/// Throws nlohmann::json::exception or MalformedJson for members of another type.
[[nodiscard]] ViewChange viewChangeIn(const Json& document, std::string_view ViewPart::*name);

}  // namespace warplens
