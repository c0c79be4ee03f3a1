#include "app/window/state/messages.h"

#include <algorithm>

#include "core/text/sanitized.h"

namespace warplens::window {
namespace {

constexpr std::size_t messagesKept = 4;
constexpr std::size_t longestMessage = 2000;  ///< bytes: texts come from elsewhere, too
/// The last part of a message's time, in which it fades; seconds.
constexpr double messageFades = 0.8;

/// How long a message stays, seconds; nothing for errors, which stay until they are dismissed.
std::optional<double> lifetimeOf(MessageKind kind) {
    if (kind == MessageKind::error) return std::nullopt;
    return kind == MessageKind::note ? 8.0 : 16.0;
}

}  // namespace

void report(AppState& state, MessageKind kind, const std::string& said) {
    std::string text = sanitized(said, longestMessage);
    std::erase_if(state.messages, [&](const Message& message) { return message.text == text; });
    state.messages.push_back({++state.lastNumber, kind, std::move(text), state.now});
    if (state.messages.size() > messagesKept) state.messages.erase(state.messages.begin());
}

double strengthOf(const AppState& state, const Message& message) {
    const std::optional<double> lifetime = lifetimeOf(message.kind);
    if (!lifetime) return 1;
    return std::clamp((message.since + *lifetime - state.now) / messageFades, 0.0, 1.0);
}

std::optional<double> secondsToNextFade(const AppState& state) {
    std::optional<double> next;
    for (const Message& message : state.messages) {
        const std::optional<double> lifetime = lifetimeOf(message.kind);
        if (!lifetime) continue;
        const double left = message.since + *lifetime - state.now;
        const double wait = left > messageFades ? left - messageFades : 1.0 / 30;
        next = std::min(next.value_or(wait), wait);
    }
    return next;
}

}  // namespace warplens::window
