#include "kernels/trace/assembly/optimized_copy.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

#include "core/text/lines.h"

namespace warplens::assembly {
namespace {

bool isOfSymbol(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$';
}

/// `tile` of `tile.3`: variables of functions that are not of C++ are numbered by the compiler.
std::string_view stemOf(std::string_view symbol) {
    const std::size_t dot = symbol.rfind('.');
    const bool numbered = dot != std::string_view::npos && dot + 1 < symbol.size() && dot != 0 &&
                          symbol.find_first_not_of("0123456789", dot + 1) == std::string_view::npos;
    return numbered ? symbol.substr(0, dot) : symbol;
}

/// What a unit's directives say of its symbols.
struct Symbols final {
    std::set<std::string_view> functions;
    std::set<std::string_view> objects;
    std::set<std::string_view> writable;  ///< of the objects

    explicit Symbols(const Unit& unit) {
        std::string_view section = ".text";
        for (const std::string_view line : unit.lines) {
            std::string_view rest = trimmed(line);
            if (const std::string_view label = labelOf(line); !label.empty()) {
                if (objects.contains(label) && section.find("rodata") == std::string_view::npos) {
                    writable.insert(label);
                }
                continue;
            }
            const std::size_t end = rest.find_first_of(" \t");
            const std::string_view name = rest.substr(0, end);
            rest = end == std::string_view::npos ? std::string_view() : trimmed(rest.substr(end));
            const std::string_view first = rest.substr(0, rest.find_first_of(", \t"));
            if (name == ".section") section = first;
            if (name == ".text" || name == ".data" || name == ".bss") section = name;
            if (name == ".type") {
                (rest.ends_with("@function") ? functions : objects).insert(first);
            } else if (name == ".comm" || name == ".lcomm") {
                objects.insert(first);
                writable.insert(first);
            } else if (name == ".set" &&
                       functions.contains(trimmed(rest.substr(first.size() + 1)))) {
                functions.insert(first);
            }
        }
    }
};

class Copier final {
  public:
    Copier(const Unit& optimized, const Unit& unit)
        : optimized_(optimized), unit_(unit), own_(optimized), theirs_(unit) {
        for (const Function& function : unit.functions) {
            if (function.role == Role::kernel) kernels_.insert(function.name);
        }
        for (const std::string_view line : unit.lines) {
            if (line.starts_with(".Letext0:")) break;
            const std::string_view text = trimmed(line);
            if (!text.starts_with(".file") || text.size() < 7) continue;
            early_.insert(static_cast<std::uint32_t>(
                std::strtoul(std::string(text.substr(6)).c_str(), nullptr, 10)));
        }
    }

    std::optional<OptimizedCopy> copy() {
        if (!mapVariables()) return std::nullopt;
        for (const std::string_view line : optimized_.lines) {
            // What follows describes the text to debuggers; the other text's description stands.
            if (line.starts_with(".Letext")) break;
            copyLine(line);
        }
        return OptimizedCopy{std::move(out_) + "\t.text\n", own_.functions.contains("main")};
    }

  private:
    /// Variables with numbers have other numbers there.
    bool mapVariables() {
        for (const std::string_view object : own_.objects) {
            if (theirs_.objects.contains(object) && stemOf(object) == object) continue;
            if (!own_.writable.contains(object)) continue;  // a constant: a copy does
            std::string_view like;
            for (const std::string_view other : theirs_.objects) {
                if (stemOf(other) != stemOf(object)) continue;
                if (!like.empty()) return false;
                like = other;
            }
            const auto alike = std::count_if(
                own_.objects.begin(), own_.objects.end(),
                [&](std::string_view other) { return stemOf(other) == stemOf(object); });
            if (like.empty() || alike != 1) return false;
            mapped_.emplace(object, like);
        }
        return true;
    }

    /// The symbol as the copy's text names it: `defined` where it is defined there, `called` where
    /// control goes to it.
    [[nodiscard]] std::string renamed(std::string_view symbol, bool defined, bool called) const {
        if (symbol.starts_with(".L")) return ".LWF" + std::string(symbol.substr(2));
        if (called && symbol == "clock") return "wl_clock_here";
        const bool isFunction = own_.functions.contains(symbol);
        if (!isFunction && !own_.objects.contains(symbol)) return std::string(symbol);
        const std::string fast = std::string(symbol) + ".fast";
        if (defined) return fast;
        if (isFunction) {
            if (!unit_.functionByName.contains(symbol)) return fast;
            return called && !kernels_.contains(symbol) ? fast : std::string(symbol);
        }
        if (const auto found = mapped_.find(symbol); found != mapped_.end()) {
            return std::string(found->second);
        }
        return theirs_.objects.contains(symbol) && stemOf(symbol) == symbol ? std::string(symbol)
                                                                            : fast;
    }

    void appendRenamed(std::string_view text, bool defined, bool called) {
        for (std::size_t i = 0; i < text.size();) {
            if (!isOfSymbol(text[i]) || (i > 0 && text[i - 1] == '@')) {
                out_ += text[i++];
                continue;
            }
            std::size_t end = i;
            // `$name` is the value of a name.
            if (text[i] == '$') {
                out_ += text[i++];
                end = i;
            }
            while (end < text.size() && isOfSymbol(text[end])) ++end;
            out_ += renamed(text.substr(i, end - i), defined, called);
            i = end;
        }
    }

    void copyLine(std::string_view line) {
        if (const std::string_view label = labelOf(line); !label.empty()) {
            if (skipping_) return;
            appendRenamed(label, true, false);
            out_ += ":\n";
            return;
        }
        std::string_view text = trimmed(line);
        if (text.empty() || text.front() == '#') return;
        const std::size_t end = text.find_first_of(" \t");
        const std::string_view name = text.substr(0, end);
        const std::string_view rest =
            end == std::string_view::npos ? std::string_view() : trimmed(text.substr(end));
        if (name == ".section" || name == ".text" || name == ".data" || name == ".bss") {
            return enterSection(name, rest);
        }
        if (skipping_ || name == ".globl" || name == ".weak" || name == ".local" ||
            name == ".hidden" || name == ".ident" || name == ".file") {
            return;
        }
        out_ += '\t';
        out_ += name;
        out_ += '\t';
        if (name == ".loc") {
            out_ += locationOf(rest);
        } else if (name == ".string" || name == ".ascii" || name == ".asciz") {
            out_ += rest;
        } else if (name == ".type" || name == ".size" || name == ".set" || name == ".comm" ||
                   name == ".lcomm") {
            appendRenamed(rest, true, false);
        } else {
            const bool jumps = name == "call" || name.starts_with("j");
            appendRenamed(rest, false, jumps && rest.find('*') == std::string_view::npos);
        }
        out_ += '\n';
    }

    /// A group of its own (`"axG",@progbits,name,comdat`) is one with the rest here; what runs
    /// before main() is in the other text.
    void enterSection(std::string_view name, std::string_view rest) {
        skipping_ = rest.starts_with(".init_array") || rest.starts_with(".ctors") ||
                    rest.starts_with(".debug");
        if (skipping_) return;
        if (name != ".section") {
            out_ += '\t' + std::string(name) + '\n';
            return;
        }
        std::string section(rest.substr(0, rest.find(",comdat")));
        if (section.size() != rest.size()) {
            section.resize(section.rfind(','));
            if (const std::size_t group = section.find('G'); group != std::string::npos) {
                const std::size_t quote = section.find(",\"");
                const std::size_t in = section.find('G', quote);
                if (in != std::string::npos) section.erase(in, 1);
            }
        }
        if (section.starts_with(".gcc_except_table")) {
            out_ += "\t.section\t.gcc_except_table.fast,\"a\",@progbits\n";
            return;
        }
        if (section.starts_with(".text")) {
            out_ += "\t.text\n";
        } else {
            out_ += "\t.section\t" + section + '\n';
        }
    }

    /// `3 12 7` with the number that the other text has for the file.
    std::string locationOf(std::string_view rest) {
        const std::size_t blank = rest.find(' ');
        const auto number =
            static_cast<std::uint32_t>(std::stoul(std::string(rest.substr(0, blank))));
        const auto known = fileNumbers_.find(number);
        if (known != fileNumbers_.end()) return locationOf(rest, known->second);
        const auto path = optimized_.files.find(number);
        std::uint32_t there = 0;
        for (const auto& [other, otherPath] : unit_.files) {
            if (!early_.contains(other) || path == optimized_.files.end()) continue;
            if (otherPath == path->second) there = other;
        }
        fileNumbers_[number] = there;
        return locationOf(rest, there);
    }
    /// Line 0 is no line.
    static std::string locationOf(std::string_view rest, std::uint32_t file) {
        if (file == 0) return "1 0 0";
        return std::to_string(file) + std::string(rest.substr(rest.find(' ')));
    }

    const Unit& optimized_;
    const Unit& unit_;
    Symbols own_;
    Symbols theirs_;
    std::set<std::string_view> kernels_;
    std::map<std::string_view, std::string_view> mapped_;
    std::set<std::uint32_t> early_;  ///< files that the other text has named before this stands
    std::map<std::uint32_t, std::uint32_t> fileNumbers_;
    std::string out_;
    bool skipping_ = false;
};

}  // namespace

std::optional<OptimizedCopy> optimizedCopy(const Unit& optimized, const Unit& unit) {
    return Copier(optimized, unit).copy();
}

}  // namespace warplens::assembly
