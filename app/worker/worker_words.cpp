#include "app/worker/worker_words.h"

namespace warplens {
namespace {

constexpr std::size_t longestStage = 120;
constexpr std::size_t longestMessage = 2000;
constexpr std::size_t longestFact = 400;

bool continuesCharacter(char c) {
    return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u;
}

/// Cuts UTF-8 between two characters.
void cut(std::string& text, std::size_t most) {
    if (text.size() <= most) return;
    std::size_t end = most;
    while (end > 0 && continuesCharacter(text[end])) --end;
    text.resize(end);
    text += "...";
}

void clean(std::string& text, std::size_t most) {
    cut(text, most);
    for (char& c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\n') || byte == 0x7f) c = ' ';
    }
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string shown;
    for (const char c : text.substr(0, most)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f) {
            shown += c;
        } else {
            shown += std::string("\\x") + digits[byte >> 4] + digits[byte & 15];
        }
    }
    return text.size() > most ? shown + "..." : shown;
}

void makePresentable(WorkerEvent& event) {
    if (auto* progress = std::get_if<Progress>(&event.body)) {
        clean(progress->stage, longestStage);
    } else if (auto* failure = std::get_if<Failure>(&event.body)) {
        clean(failure->message, longestMessage);
    } else if (auto* description = std::get_if<Description>(&event.body)) {
        clean(description->deviceReason, longestMessage);
        clean(description->countersReason, longestMessage);
        clean(description->version, longestFact);
    }
}

}  // namespace warplens
