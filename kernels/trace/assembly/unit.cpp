#include "kernels/trace/assembly/unit.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>
#include <utility>

#include "core/text/lines.h"

namespace warplens::assembly {
namespace {

/// Takes the first word off `rest`; words end at blanks and commas.
std::string_view word(std::string_view& rest) {
    rest = trimmed(rest);
    const std::size_t end = rest.find_first_of(" \t,");
    const std::string_view found = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return found;
}

std::uint64_t numberIn(std::string_view text) {
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

bool isOctal(char c) {
    return c >= '0' && c <= '7';
}

/// What stands between quotes, and takes both off `rest`: the compiler writes `\"`, `\\` and, for
/// bytes beyond ASCII, three octal digits.
std::string takeQuoted(std::string_view& rest) {
    rest.remove_prefix(1);
    std::string text;
    while (!rest.empty() && rest.front() != '"') {
        std::size_t length = 1;
        char c = rest.front();
        if (c == '\\' && rest.size() > 3 && std::ranges::all_of(rest.substr(1, 3), isOctal)) {
            c = static_cast<char>((rest[1] - '0') * 64 + (rest[2] - '0') * 8 + (rest[3] - '0'));
            length = 4;
        } else if (c == '\\' && rest.size() > 1) {
            c = rest[1];
            length = 2;
        }
        text += c;
        rest.remove_prefix(length);
    }
    rest.remove_prefix(std::min<std::size_t>(1, rest.size()));
    return text;
}

/// The quoted strings of a `.file` directive, joined as a path.
std::string pathIn(std::string_view rest) {
    std::string path;
    while (true) {
        rest.remove_prefix(std::min(rest.find('"'), rest.size()));
        if (rest.empty()) return path;
        const std::string part = takeQuoted(rest);
        path = path.empty() || part.starts_with('/') ? part : path + '/' + part;
    }
}

class Parser final {
  public:
    Parser(Unit& unit, std::string_view ourHeaders) : unit_(unit), ourHeaders_(ourHeaders) {}

    void parse() {
        splitLines();
        for (std::uint32_t i = 0; i < unit_.lines.size(); ++i) line(i);
        for (std::size_t i = 0; i < unit_.functions.size(); ++i) {
            unit_.functionByName.emplace(unit_.functions[i].name, i);
        }
        // A constructor has two names.
        for (const auto& [alias, name] : aliases_) {
            if (const auto found = unit_.functionByName.find(name);
                found != unit_.functionByName.end()) {
                unit_.functionByName.emplace(alias, found->second);
            }
        }
    }

  private:
    void splitLines() {
        const std::string_view text = unit_.text;
        for (std::size_t at = 0; at < text.size();) {
            std::size_t end = text.find('\n', at);
            if (end == std::string_view::npos) end = text.size();
            unit_.lines.push_back(text.substr(at, end - at));
            at = end + 1;
        }
    }

    void line(std::uint32_t index) {
        const std::string_view text = trimmed(unit_.lines[index]);
        if (text.empty()) return;
        if (text.front() == '#') {
            if (inBody()) marker(text);
        } else if (const std::string_view label = labelOf(unit_.lines[index]); !label.empty()) {
            labelled(index, label);
        } else if (text.front() == '.') {
            directive(index, text);
        } else if (inBody()) {
            function_->body.push_back({index, location_});
            noteThreadLocal(text);
        }
    }

    [[nodiscard]] bool inBody() const {
        return function_ != nullptr && section_ == functionSection_;
    }

    void marker(std::string_view text) {
        if (text.find("# wl-kernel") == 0) function_->role = Role::kernel;
        if (text.find("# wl-event") == 0) function_->role = Role::event;
        if (text.find("# wl-atomic") == 0) function_->role = Role::atomic;
        if (text.find("# wl-quiet") == 0) {
            function_->body.push_back(
                {static_cast<std::uint32_t>(text.data() - unit_.text.data()), location_});
            function_->body.back().line = indexOfLine(text);
        }
    }
    [[nodiscard]] std::uint32_t indexOfLine(std::string_view text) const {
        // Markers are rare: found by halving.
        std::size_t low = 0;
        std::size_t high = unit_.lines.size();
        while (low + 1 < high) {
            const std::size_t middle = (low + high) / 2;
            (unit_.lines[middle].data() <= text.data() ? low : high) = middle;
        }
        return static_cast<std::uint32_t>(low);
    }

    void labelled(std::uint32_t index, std::string_view label) {
        if (label.starts_with(".L")) {
            if (inBody()) function_->body.push_back({index, location_});
            return;
        }
        const auto type = types_.find(label);
        if (type != types_.end() && type->second) {
            function_ = &unit_.functions.emplace_back();
            function_->name = label;
            function_->firstLine = index;
            function_->isGlobal = globals_.contains(label);
            functionSection_ = section_;
            located_ = false;
            return;
        }
        Object& object = unit_.objects[label];
        object.name = label;
        object.defined = true;
        object.threadLocal = isThreadLocal_;
        object.alignment = std::exchange(alignment_, 1);
        if (const auto size = sizes_.find(label); size != sizes_.end()) object.bytes = size->second;
    }

    void directive(std::uint32_t index, std::string_view text) {
        std::string_view rest = text;
        const std::string_view name = word(rest);
        if (name == ".loc") {
            location_.file = static_cast<std::uint32_t>(numberIn(word(rest)));
            location_.line = static_cast<std::uint32_t>(numberIn(word(rest)));
            location_.column = static_cast<std::uint32_t>(numberIn(word(rest)));
            if (function_ != nullptr && !located_) {
                located_ = true;
                function_->origin = originOf(location_.file);
            }
        } else if (name == ".file") {
            const std::string_view number = word(rest);
            if (!number.empty() && number.front() != '"') {
                unit_.files[static_cast<std::uint32_t>(numberIn(number))] = pathIn(rest);
            }
        } else if (name == ".type") {
            const std::string_view symbol = word(rest);
            types_[symbol] = trimmed(rest) == "@function";
        } else if (name == ".size") {
            sized(index, rest);
        } else if (name == ".section") {
            section(word(rest));
        } else if (name == ".text" || name == ".data" || name == ".bss") {
            section(name);
        } else if (name == ".comm" || name == ".lcomm") {
            const std::string_view symbol = word(rest);
            unit_.objects[symbol] = {symbol, numberIn(word(rest)), false, true};
        } else if (name == ".align") {
            alignment_ = numberIn(word(rest));
        } else if (name == ".set") {
            const std::string_view alias = word(rest);
            aliases_.emplace_back(alias, trimmed(rest));
        } else if (name == ".globl") {
            globals_.insert(word(rest));
        }
    }

    void sized(std::uint32_t index, std::string_view rest) {
        const std::string_view symbol = word(rest);
        if (function_ != nullptr && symbol == function_->name) {
            function_->endLine = index;
            function_ = nullptr;
            return;
        }
        sizes_[symbol] = numberIn(trimmed(rest));
    }

    void section(std::string_view name) {
        section_ = name;
        alignment_ = 1;
        isThreadLocal_ = name.starts_with(".tbss") || name.starts_with(".tdata");
    }

    /// `name@gottpoff` names a variable of another file, or an `extern __shared__` array.
    void noteThreadLocal(std::string_view text) {
        for (const std::string_view suffix : {"@gottpoff", "@tpoff", "@GOTTPOFF"}) {
            const std::size_t at = text.find(suffix);
            if (at == std::string_view::npos) continue;
            std::size_t first = at;
            while (first > 0 && text[first - 1] != '$' && text[first - 1] != ' ' &&
                   text[first - 1] != '\t' && text[first - 1] != ':' && text[first - 1] != '+' &&
                   text[first - 1] != ',' && text[first - 1] != '(') {
                --first;
            }
            const std::string_view symbol = text.substr(first, at - first);
            if (function_ != nullptr) function_->threadLocals.push_back(symbol);
            if (!unit_.objects.contains(symbol)) {
                unit_.objects[symbol] = {symbol, 0, true, false};
            }
        }
    }

    [[nodiscard]] Origin originOf(std::uint32_t file) const {
        const auto found = unit_.files.find(file);
        if (found == unit_.files.end()) return Origin::person;
        const std::string& path = found->second;
        if (path.starts_with(ourHeaders_)) return Origin::ours;
        if (path.starts_with("/usr/include/") || path.starts_with("/usr/lib/")) {
            return Origin::library;
        }
        return Origin::person;
    }

    Unit& unit_;
    std::string_view ourHeaders_;
    Function* function_ = nullptr;
    std::string_view section_ = ".text";
    std::string_view functionSection_;
    bool isThreadLocal_ = false;
    std::uint64_t alignment_ = 1;  ///< of what comes next
    bool located_ = false;
    Location location_;
    std::unordered_set<std::string_view> globals_;
    std::vector<std::pair<std::string_view, std::string_view>> aliases_;
    std::unordered_map<std::string_view, bool> types_;
    std::unordered_map<std::string_view, std::uint64_t> sizes_;
};

}  // namespace

Unit parseUnit(std::string text, std::string_view ourHeaders) {
    Unit unit;
    unit.text = std::move(text);
    unit.text += "\n\t.text\n\t# the end of what the compiler wrote\n";
    Parser(unit, ourHeaders).parse();
    return unit;
}

std::string_view mnemonicOf(std::string_view line) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#' || line.front() == '.') return {};
    const std::size_t end = line.find_first_of(" \t");
    const std::string_view name = line.substr(0, end);
    return name.ends_with(':') ? std::string_view() : name;
}

std::string_view operandsOf(std::string_view line) {
    line = trimmed(line);
    const std::size_t blank = line.find_first_of(" \t");
    if (blank == std::string_view::npos) return {};
    line.remove_prefix(blank);
    if (const std::size_t comment = line.find('#'); comment != std::string_view::npos) {
        line = line.substr(0, comment);
    }
    return trimmed(line);
}

std::string_view labelOf(std::string_view line) {
    if (line.empty() || line.front() == ' ' || line.front() == '\t' || line.front() == '#')
        return {};
    if (line.back() != ':') return {};
    line.remove_suffix(1);
    return line.find_first_of(" \t\"") == std::string_view::npos ? line : std::string_view();
}

bool isConditionalJump(std::string_view mnemonic) {
    return mnemonic.size() >= 2 && mnemonic.front() == 'j' && mnemonic != "jmp" &&
           mnemonic != "jmpq" && mnemonic != "jrcxz";
}

}  // namespace warplens::assembly
