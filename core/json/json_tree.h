#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/json/json.h"

/// For the .cpp files that hold JSON as trees.
namespace warplens {

using Json = nlohmann::ordered_json;

/// Something is wrong with one value of a tree; its words name the member.
class MalformedValue final : public MalformedJson {
  public:
    MalformedValue(const std::string& words, const Json& of) : MalformedJson(words), value(&of) {}
    const Json* value;  ///< as long as the tree is there
};

/// Throws MalformedJson for text that is not one JSON object, and as readJson does.
[[nodiscard]] Json parseObject(std::string_view text, std::size_t most = largestJson);

/// The tree as text, on one line where `indent` < 0. What is not UTF-8 in it is replaced.
[[nodiscard]] std::string toText(const Json& tree, int indent = -1);

/// The object with these members, and reading them from one: throws MalformedValue.
[[nodiscard]] Json writeTree(const Members& members);
void readTree(const Json& object, const Members& members);

}  // namespace warplens
