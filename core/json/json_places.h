#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// Where one value of a JSON text stands.
struct JsonPlace final {
    std::string pointer;     ///< as RFC 6901 has it: `/steps/0/say`; empty for the whole
    std::uint32_t line = 0;  ///< from 1, that it begins on
    std::string_view text;   ///< as written there; of a list or an object its first bracket
    friend bool operator==(const JsonPlace&, const JsonPlace&) = default;
};

/// Of every value, in the order of the text, which must be JSON; names of members stand for
/// themselves, without escapes. Cost: some ns for each byte.
[[nodiscard]] std::vector<JsonPlace> placesIn(std::string_view json);

/// The line of the value, or of the nearest around it that there is; 1 where there is none.
[[nodiscard]] std::uint32_t lineOf(const std::vector<JsonPlace>& places, std::string_view pointer);

/// The line (from 1) of a byte.
[[nodiscard]] std::uint32_t lineAt(std::string_view text, std::size_t offset);

}  // namespace warplens
