#include "core/json/json_places.h"

#include <algorithm>

namespace warplens {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view betweenValues = " \t\r\n,:]}";

/// A list or an object around the value that is read.
struct Around final {
    std::string pointer;
    bool isList = false;
    std::size_t next = 0;  ///< of a list: the index of its next value
    std::string name{};    ///< of an object: the member that was named last
};

}  // namespace

std::vector<JsonPlace> placesIn(std::string_view json) {
    std::vector<JsonPlace> places;
    std::vector<Around> around;
    std::uint32_t line = 1;
    for (std::size_t at = 0; at < json.size();) {
        const char c = json[at];
        const std::size_t begin = at++;
        if (c == '\n') ++line;
        if (c == ']' || c == '}') around.pop_back();
        if (betweenValues.find(c) != std::string_view::npos) continue;
        if (c == '"') {
            while (json[at] != '"') at += json[at] == '\\' ? 2 : 1;
            ++at;
        } else if (c != '[' && c != '{') {
            at = std::min(json.find_first_of(betweenValues, at), json.size());
        }
        const std::string_view text = json.substr(begin, at - begin);
        const std::size_t after = json.find_first_not_of(blanks, at);
        if (c == '"' && after != std::string_view::npos && json[after] == ':') {
            around.back().name = text.substr(1, text.size() - 2);
            continue;
        }
        std::string pointer;
        if (!around.empty()) {
            Around& in = around.back();
            pointer = in.pointer + '/' + (in.isList ? std::to_string(in.next++) : in.name);
        }
        if (c == '[' || c == '{') around.push_back({pointer, c == '['});
        places.push_back({std::move(pointer), line, text});
    }
    return places;
}

std::uint32_t lineOf(const std::vector<JsonPlace>& places, std::string_view pointer) {
    for (;; pointer = pointer.substr(0, pointer.rfind('/'))) {
        const auto found = std::ranges::find(places, pointer, &JsonPlace::pointer);
        if (found != places.end()) return found->line;
        if (pointer.empty()) return 1;
    }
}

std::uint32_t lineAt(std::string_view text, std::size_t offset) {
    return static_cast<std::uint32_t>(1 + std::ranges::count(text.substr(0, offset), '\n'));
}

}  // namespace warplens
