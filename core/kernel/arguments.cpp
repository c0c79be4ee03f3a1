#include "core/kernel/arguments.h"

#include <algorithm>
#include <stdexcept>

namespace warplens {
namespace {

auto find(auto& entries, std::string_view name) {
    return std::find_if(entries.begin(), entries.end(),
                        [&](const Arguments::Entry& entry) { return entry.first == name; });
}

}  // namespace

std::int64_t Arguments::at(std::string_view name) const {
    const auto found = find(entries_, name);
    if (found == entries_.end()) throw std::out_of_range("no argument " + std::string(name));
    return found->second;
}

bool Arguments::contains(std::string_view name) const {
    return find(entries_, name) != entries_.end();
}

void Arguments::set(std::string_view name, std::int64_t value) {
    const auto found = find(entries_, name);
    if (found == entries_.end()) {
        entries_.emplace_back(name, value);
    } else {
        found->second = value;
    }
}

std::string toString(const Arguments& arguments) {
    std::string text;
    for (const auto& [name, value] : arguments.entries()) {
        text += (text.empty() ? "" : " ") + name + '=' + std::to_string(value);
    }
    return text;
}

}  // namespace warplens
