#include "kernels/trace/assembly/hooks.h"

#include <array>
#include <span>
#include <string>

namespace warplens::assembly {
namespace {

bool isOneOf(std::string_view mnemonic, std::span<const std::string_view> prefixes) {
    for (const std::string_view prefix : prefixes) {
        if (mnemonic.starts_with(prefix)) return true;
    }
    return false;
}

constexpr std::array<std::string_view, 7> flagReaders{"j",   "set",  "cmov", "adc",
                                                      "sbb", "lahf", "pushf"};
constexpr std::array<std::string_view, 20> flagWriters{
    "cmp", "test", "add", "sub", "imul", "and",  "or",  "xor", "neg",  "sal",
    "shl", "sar",  "shr", "inc", "dec",  "ucom", "com", "mul", "call", "bt"};

}  // namespace

bool isCompilersOwnJump(const Unit& unit, const Function& function, std::size_t instruction) {
    const std::string_view jump = mnemonicOf(unit.lines[function.body[instruction].line]);
    if (jump == "jp" || jump == "jnp") return true;
    if (jump != "js" && jump != "jns") return false;
    if (instruction == 0 || instruction + 1 >= function.body.size()) return false;
    const std::string_view before = mnemonicOf(unit.lines[function.body[instruction - 1].line]);
    const std::string_view after = mnemonicOf(unit.lines[function.body[instruction + 1].line]);
    return before.starts_with("testq") && (after == "pxor" || after.starts_with("cvtsi2"));
}

bool isOfFrame(const Unit& unit, const Function& function, std::size_t call) {
    if (call < 2) return false;
    const std::string_view last = unit.lines[function.body[call - 1].line];
    const std::string_view move = operandsOf(last);
    if (mnemonicOf(last) == "leaq" && move.ends_with("%rdi")) {
        return move.find("(%rbp), ") != std::string_view::npos;
    }
    if (mnemonicOf(last) != "movq" || !move.ends_with(", %rdi")) return false;
    const std::string source(move.substr(0, move.find(',')));
    const std::string_view before = unit.lines[function.body[call - 2].line];
    return mnemonicOf(before) == "leaq" && operandsOf(before).ends_with("(%rbp), " + source);
}

bool flagsAreDead(const Unit& unit, const Function& function, std::size_t from) {
    for (std::size_t i = from; i < function.body.size(); ++i) {
        const std::string_view mnemonic = mnemonicOf(unit.lines[function.body[i].line]);
        if (mnemonic.empty()) continue;
        if (isOneOf(mnemonic, flagReaders)) return false;
        if (isOneOf(mnemonic, flagWriters) || mnemonic == "ret") return true;
    }
    return false;
}

std::uint32_t atomicBytes(std::string_view mangled) {
    std::string_view rest = mangled;
    if (!rest.starts_with("_Z")) return 4;
    rest.remove_prefix(2);
    std::size_t length = 0;
    while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
        length = length * 10 + static_cast<std::size_t>(rest.front() - '0');
        rest.remove_prefix(1);
    }
    if (length > rest.size()) return 4;
    rest.remove_prefix(length);
    if (!rest.starts_with('P')) return 4;
    rest.remove_prefix(1);
    if (rest.starts_with("6__half") || rest.starts_with("14__nv_bfloat16") ||
        rest.starts_with('t') || rest.starts_with('s')) {
        return 2;
    }
    switch (rest.empty() ? 'i' : rest.front()) {
        case 'y':
        case 'x':
        case 'm':
        case 'l':
        case 'd':
            return 8;
        default:
            return 4;
    }
}

}  // namespace warplens::assembly
