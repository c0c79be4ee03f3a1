#include "tests/gpu/probe/ptx_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "core/text/encoding.h"

namespace warplens {
namespace {

/// Takes the word up to the next blank off the front.
std::string_view takeWord(std::string_view& text) {
    text = trimmed(text);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

std::vector<std::string_view> splitAtDots(std::string_view text) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t dot = text.find('.');
        parts.push_back(text.substr(0, dot));
        if (dot == std::string_view::npos) return parts;
        text.remove_prefix(dot + 1);
    }
}

template <class Number>
bool readNumber(std::string_view text, Number& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

/// Bytes of a type such as `f32`, `b128` or `f16x2`; 0 for what is no type.
std::uint32_t bytesOfType(std::string_view type) {
    if (type == "f16x2" || type == "bf16x2") return 4;
    if (type == "bf16") return 2;
    if (type.size() < 2) return 0;
    static constexpr std::string_view letters = "bsuf";
    if (letters.find(type.front()) == std::string_view::npos) return 0;
    std::uint32_t bits = 0;
    if (!readNumber(type.substr(1), bits)) return 0;
    return bits / 8;
}

SiteSpace spaceOfModifier(std::string_view part) {
    if (part == "global") return SiteSpace::global;
    if (part == "shared" || part == "shared::cta" || part == "shared::cluster") {
        return SiteSpace::shared;
    }
    return SiteSpace::none;
}

/// The guard `@%p1` or `@!%p1` in front, taken off.
std::string takeGuard(std::string_view& text) {
    text = trimmed(text);
    if (!text.starts_with('@')) return {};
    return std::string(takeWord(text));
}

}  // namespace

std::optional<PtxAccess> accessOf(std::string_view line) {
    PtxAccess access;
    access.guard = takeGuard(line);
    const std::string_view instruction = takeWord(line);
    const std::vector<std::string_view> parts = splitAtDots(instruction);
    if (parts.front() == "ld" || parts.front() == "ldu") {
        access.kind = SiteKind::load;
    } else if (parts.front() == "st") {
        access.kind = SiteKind::store;
    } else if (parts.front() == "atom" || parts.front() == "red") {
        access.kind = SiteKind::atomic;
    } else {
        return std::nullopt;
    }
    std::uint32_t elements = 1;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::string_view part = parts[i];
        static constexpr std::array<std::string_view, 3> elsewhere{"param", "const", "local"};
        const bool other = std::ranges::any_of(
            elsewhere, [&](std::string_view name) { return part.starts_with(name); });
        if (other) return std::nullopt;
        if (const SiteSpace space = spaceOfModifier(part); space != SiteSpace::none) {
            access.space = space;
        }
        if (part == "v2" || part == "v4" || part == "v8") readNumber(part.substr(1), elements);
        if (const std::uint32_t bytes = bytesOfType(part); bytes != 0) access.bytes = bytes;
    }
    access.bytes *= elements;
    const std::size_t open = line.find('[');
    const std::size_t close = line.find(']', open);
    if (open == std::string_view::npos || close == std::string_view::npos || access.bytes == 0) {
        return std::nullopt;
    }
    const std::string_view address = line.substr(open + 1, close - open - 1);
    const std::size_t plus = address.find('+');
    access.base = trimmed(address.substr(0, plus));
    access.offset =
        plus == std::string_view::npos ? "0" : std::string(trimmed(address.substr(plus + 1)));
    return access;
}

std::optional<PtxBranch> branchOf(std::string_view line) {
    const std::string guard = takeGuard(line);
    if (guard.empty()) return std::nullopt;
    const std::string_view instruction = takeWord(line);
    // `.uni` promises that all lanes agree; it is a branch all the same.
    if (instruction != "bra" && instruction != "bra.uni") return std::nullopt;
    const bool negated = guard.starts_with("@!");
    return PtxBranch{guard.substr(negated ? 2 : 1), negated};
}

std::optional<std::string> uncountedOf(std::string_view line) {
    takeGuard(line);
    const std::string_view instruction = takeWord(line);
    static constexpr std::array<std::string_view, 8> names{
        "cp.async", "ldmatrix", "stmatrix", "tex.", "tld4.", "suld.", "sust.", "wmma."};
    for (const std::string_view name : names) {
        if (!instruction.starts_with(name)) continue;
        const bool waits = instruction.find("wait") != std::string_view::npos ||
                           instruction.find("commit") != std::string_view::npos ||
                           instruction.find("mma.sync") != std::string_view::npos;
        if (!waits)
            return std::string(name.ends_with('.') ? name.substr(0, name.size() - 1) : name);
    }
    return std::nullopt;
}

std::optional<PtxPlaces> placesOf(std::string_view line) {
    if (takeWord(line) != ".loc") return std::nullopt;
    const auto takePlace = [&]() -> std::optional<PtxPlace> {
        PtxPlace place;
        for (std::uint32_t* number : {&place.file, &place.line, &place.column}) {
            std::string_view word = takeWord(line);
            if (word.ends_with(',')) word.remove_suffix(1);
            if (!readNumber(word, *number)) return std::nullopt;
        }
        return place;
    };
    const std::optional<PtxPlace> place = takePlace();
    if (!place) return std::nullopt;
    PtxPlaces places{*place, {}};
    const std::size_t called = line.find("inlined_at ");
    if (called != std::string_view::npos) {
        line.remove_prefix(called + 11);
        places.calledAt = takePlace();
    }
    return places;
}

std::map<std::uint32_t, std::string> filesOf(std::string_view ptx) {
    std::map<std::uint32_t, std::string> files;
    for (std::size_t at = ptx.find(".file"); at != std::string_view::npos;
         at = ptx.find(".file", at + 5)) {
        if (at != 0 && ptx[at - 1] != '\n' && ptx[at - 1] != '\t') continue;
        std::string_view line = ptx.substr(at, ptx.find('\n', at) - at);
        takeWord(line);
        std::uint32_t number = 0;
        if (!readNumber(takeWord(line), number)) continue;
        const std::size_t open = line.find('"');
        const std::size_t close = line.find('"', open + 1);
        if (close == std::string_view::npos) continue;
        files[number] = line.substr(open + 1, close - open - 1);
    }
    return files;
}

std::optional<std::string> sharedSymbolOf(std::string_view line) {
    for (std::string_view word = takeWord(line); word.starts_with('.'); word = takeWord(line)) {
        if (word != ".shared") continue;
        // `.align 4 .b8 NAME[256];`
        const std::size_t end = line.find_first_of("[;");
        if (end == std::string_view::npos) return std::nullopt;
        line = line.substr(0, end);
        return std::string(line.substr(line.find_last_of(" \t") + 1));
    }
    return std::nullopt;
}

std::optional<PtxFunction> functionOf(std::string_view line) {
    line = trimmed(line);
    const bool kernel = line.find(".entry ") != std::string_view::npos;
    const std::size_t word = kernel ? line.find(".entry ") + 7 : line.find(".func ");
    if (word == std::string_view::npos || !line.starts_with('.')) return std::nullopt;
    std::string_view rest = trimmed(line.substr(kernel ? word : word + 6));
    if (rest.starts_with('(')) rest = trimmed(rest.substr(rest.find(')') + 1));
    const std::size_t end = std::min(rest.find_first_of("( \t,;"), rest.size());
    if (end == 0) return std::nullopt;
    return PtxFunction{std::string(rest.substr(0, end)), kernel};
}

}  // namespace warplens
