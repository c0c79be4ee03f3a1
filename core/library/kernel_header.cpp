#include "core/library/kernel_header.h"

#include <array>
#include <optional>

#include "core/library/kernel_file.h"

namespace warplens {
namespace {

struct Key final {
    std::string_view word;
    bool named;
};
constexpr std::array<Key, 25> keys{
    {{"size", true},      {"array", true},          {"shared", true},          {"branch", true},
     {"template", true},  {"block must be", false}, {"grid must be", false},   {"block is", false},
     {"work", false},     {"element", false},       {"written by", false},     {"moves", false},
     {"computes", false}, {"steps", false},         {"dynamic shared", false}, {"scenario", true},
     {"title", false},    {"look for", false},      {"compared with", false},  {"set", true},
     {"figure", false},   {"element is", false},    {"block", false},          {"grid", false},
     {"races", false}}};

bool isName(std::string_view text) {
    return !text.empty() && text.find_first_of(" ,.()'\"") == std::string_view::npos;
}

std::optional<HeaderEntry> entryOf(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const std::string_view before = line.substr(0, colon);
    std::string_view value = line.substr(colon + 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    HeaderEntry entry;
    entry.value = std::string(value);
    for (const Key& key : keys) {
        entry.key = std::string(key.word);
        if (!key.named && before == key.word) return entry;
        if (!key.named || !before.starts_with(std::string(key.word) + ' ')) continue;
        entry.name = std::string(before.substr(key.word.size() + 1));
        if (isName(entry.name)) return entry;
        entry.name.clear();
    }
    return std::nullopt;
}

}  // namespace

KernelHeader readHeader(const std::string& file, std::string_view text) {
    KernelHeader header;
    for (std::uint32_t number = 1; text.starts_with("//"); ++number) {
        std::string_view line = text.substr(2, text.find('\n') - 2);
        text.remove_prefix(std::min(text.size(), line.size() + 3));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.starts_with(' ')) line.remove_prefix(1);
        while (line.ends_with(' ')) line.remove_suffix(1);
        if (line.empty()) continue;
        if (line.starts_with("  ") && !header.entries.empty()) {
            while (line.starts_with(' ')) line.remove_prefix(1);
            header.entries.back().value += ' ' + std::string(line);
        } else if (std::optional<HeaderEntry> entry = entryOf(line)) {
            entry->line = number;
            header.entries.push_back(std::move(*entry));
        } else if (header.entries.empty()) {
            header.about += (header.about.empty() ? "" : " ") + std::string(line);
        } else {
            throw MalformedKernelFile(
                file, number,
                "'" + std::string(line.substr(0, line.find(':'))) +
                    "' is nothing that a header says (a line that goes on begins with two blanks)");
        }
    }
    return header;
}

}  // namespace warplens
