#include "app/worker/worker_words.h"

#include "core/text/sanitized.h"

namespace warplens {
namespace {

constexpr std::size_t longestStage = 120;
constexpr std::size_t longestMessage = 2000;

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

void sanitize(WorkerEvent& event) {
    if (auto* progress = std::get_if<Progress>(&event.body)) {
        progress->stage = sanitized(progress->stage, longestStage);
    } else if (auto* failure = std::get_if<Failure>(&event.body)) {
        failure->message = sanitized(failure->message, longestMessage);
        const bool blank = failure->message.find_first_not_of(" \n") == std::string::npos;
        if (blank) failure->message = "the worker failed without a word";
    }
}

}  // namespace warplens
