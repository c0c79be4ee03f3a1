#pragma once

#include <cstdint>
#include <string>

namespace warplens::assembly {

/// The instructions that record one event. The lane's next event goes to (%r15); its low 48 bits
/// are an address or 0 or 1, the high 16 the place. They change no register but %r15, and the flags
/// only where the room is checked.
class EventText final {
  public:
    EventText(std::string& text, std::string& aside, std::size_t function)
        : text_(text), aside_(aside), function_(function) {}

    void address(std::size_t site) {
        text_ += "\tmovq\t%rdi, (%r15)\n\tmovw\t$" + signed16(site) +
                 ", 6(%r15)\n\tleaq\t8(%r15), %r15\n";
    }
    void mark(std::size_t site, int value = 0) { text_ += marked(site, value); }
    /// Gives the lane's turn away where its room is full. Flags must be dead.
    void checkRoom() {
        const std::string id = std::to_string(function_) + '_' + std::to_string(next_++);
        text_ += "\tcmpq\twl_limit(%rip), %r15\n\tjae\t.LWF" + id + "\n.LWR" + id + ":\n";
        aside_ += ".LWF" + id + ":\n\tcall\twl_event_full\n\tjmp\t.LWR" + id + "\n";
    }
    /// An edge of its own for a jump that is taken; returns its label.
    [[nodiscard]] std::string edge(std::size_t site, const std::string& target, bool check) {
        const std::string id = std::to_string(function_) + '_' + std::to_string(next_++);
        aside_ += ".LWT" + id + ":\n" + marked(site, 1);
        if (check) {
            aside_ += "\tcmpq\twl_limit(%rip), %r15\n\tjb\t" + target + "\n\tcall\twl_event_full\n";
        }
        aside_ += "\tjmp\t" + target + "\n";
        return ".LWT" + id;
    }

  private:
    static std::string signed16(std::size_t site) {
        return std::to_string(static_cast<std::int16_t>(static_cast<std::uint16_t>(site)));
    }
    static std::string marked(std::size_t site, int value) {
        const auto high = static_cast<std::int32_t>(static_cast<std::uint32_t>(site) << 16);
        return "\tmovl\t$" + std::to_string(value) + ", (%r15)\n\tmovl\t$" + std::to_string(high) +
               ", 4(%r15)\n\tleaq\t8(%r15), %r15\n";
    }

    std::string& text_;
    std::string& aside_;
    std::size_t function_;
    std::size_t next_ = 0;
};

}  // namespace warplens::assembly
