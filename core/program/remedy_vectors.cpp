#include <map>
#include <regex>
#include <set>

#include "core/program/remedy_edits.h"
#include "core/text/encoding.h"

namespace warplens {

using source::NamedBrackets;
using source::SourceEdit;
using source::TextSpan;

namespace {

/// An index `4 * i + 1` of elements that lie in groups of four, say.
struct InGroup final {
    std::string group;  ///< `i`
    std::size_t part = 0;
};
std::optional<InGroup> inGroup(const KernelText& kernel, TextSpan index, std::size_t width) {
    const std::string n = std::to_string(width);
    const std::regex form("(?:" + n + R"(\*([\w.]+|\(.*\))|([\w.]+|\(.*\))\*)" + n +
                          R"()(?:\+([0-3]))?)");
    std::string words;
    for (const CudaToken& token : kernel.tokensIn(index)) words += token.text;
    std::smatch parts;
    if (!std::regex_match(words, parts, form)) return std::nullopt;
    const auto part = static_cast<std::size_t>(parts[3].matched ? parts.str(3)[0] - '0' : 0);
    if (part >= width) return std::nullopt;
    return InGroup{parts.str(1) + parts.str(2), part};
}

/// Of an element's type: `ushort` of ushort2; empty where there is none.
std::string vectorOf(const std::string& type) {
    static const std::map<std::string, std::string> names{
        {"float", "float"},           {"double", "double"},     {"int", "int"},
        {"unsigned", "uint"},         {"unsigned int", "uint"}, {"short", "short"},
        {"unsigned short", "ushort"}, {"char", "char"},         {"unsigned char", "uchar"}};
    const auto found = names.find(type);
    return found == names.end() ? std::string() : found->second;
}

}  // namespace

void loadVectors(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    const std::string type = kernel.elementOf(line.array, true);
    if (type != "float" && type != "int" && type != "unsigned" && type != "unsigned int") return;
    const std::string vector = vectorOf(type) + '4';
    const std::vector<NamedBrackets> all = kernel.bracketsOf(line.array, '[', kernel.body);
    std::string base;
    std::set<std::size_t> seen;
    SourceEdit edit = kernel;
    for (const NamedBrackets& access : all) {
        const auto index = inGroup(kernel, access.parts[0], 4);
        if (!index || (!base.empty() && base != index->group)) return;
        base = index->group;
        seen.insert(index->part);
        edit.replace(access.whole, line.array + "4." + "xyzw"[index->part]);
    }
    if (seen.size() < 2) return;
    addEdit(
        cause, "vector-load",
        edit.insertLineBefore(kernel.statementAt(all.front().whole.begin).begin,
                              "const " + vector + ' ' + line.array + "4 = reinterpret_cast<const " +
                                  vector + "*>(" + line.array + ")[" + base + "];"));
}

void storeVectors(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    const std::string type = vectorOf(kernel.elementOf(line.array));
    for (const std::size_t width : {2u, 4u}) {
        if (type.empty() || (width == 4 && type == "double")) continue;
        const std::string vector = type + std::to_string(width);
        SourceEdit edit = kernel;
        std::string group;  // of the statements so far, one behind the other
        std::string values;
        std::size_t parts = 0;
        TextSpan whole;
        for (const NamedBrackets& access : kernel.bracketsOf(line.array, '[', kernel.body)) {
            const TextSpan statement = kernel.ruledAt(access.whole.begin);
            const std::size_t sign = source::skipBlanks(kernel.masked(), access.whole.end);
            const auto index = inGroup(kernel, access.parts[0], width);
            if (!index || statement.begin != access.whole.begin ||
                kernel.masked().compare(sign, 1, "=") != 0)
                continue;
            // A comment between them would be lost.
            const bool goesOn = parts != 0 && index->part == parts && index->group == group &&
                                trimmed(kernel.textOf({whole.end, statement.begin})).empty();
            if (!goesOn) {
                if (index->part != 0) continue;
                group = index->group;
                values.clear();
                parts = 0;
                whole.begin = statement.begin;
            }
            const std::size_t value = source::skipBlanks(kernel.masked(), sign + 1);
            values += (parts == 0 ? "" : ", ") + kernel.copyOf({value, statement.end - 1});
            whole.end = statement.end;
            if (++parts != width) continue;
            edit.replace(whole, "reinterpret_cast<" + vector + "*>(" + line.array + ")[" + group +
                                    "] = make_" + vector + '(' + values + ");");
            parts = 0;
        }
        addEdit(cause, "vector-store", edit);
    }
}

}  // namespace warplens
