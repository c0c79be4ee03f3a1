#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "core/launch/mapping.h"
#include "core/program/loop_use.h"
#include "core/program/remedy_edits.h"
#include "core/text/encoding.h"

namespace warplens {

using source::NamedBrackets;
using source::SourceEdit;
using source::TextSpan;

namespace {

/// An index `4 * i + 1` or `b + 4 * i + 1` of elements that lie in groups of four, say, or `j + 1`
/// where j is such an index.
struct InGroup final {
    std::string from;   ///< `b+`; may be empty
    std::string group;  ///< `i`
    std::size_t part = 0;

    /// Whether it is of the same four.
    [[nodiscard]] bool isWith(const InGroup& other) const {
        return from == other.from && group == other.group;
    }
    /// The group as a vector of that type.
    [[nodiscard]] std::string in(const std::string& vector, const std::string& array) const {
        const std::string begin =
            from.empty() ? array : array + " + " + from.substr(0, from.size() - 1);
        return "reinterpret_cast<" + vector + "*>(" + begin + ")[" + group + ']';
    }
};
std::optional<InGroup> inGroup(const KernelText& kernel, TextSpan index, std::size_t width) {
    const std::string n = std::to_string(width);
    const std::regex form(R"(((?:[\w.]+(?:\*[\w.]+)?|\(.*\))\+)?(?:)" + n +
                          R"(\*([\w.]+|\(.*\))|([\w.]+|\(.*\))\*)" + n + R"()(?:\+([0-3]))?)");
    std::string words;
    for (const CudaToken& token : kernel.tokensIn(index)) words += token.text;
    std::smatch parts;
    if (!std::regex_match(words, parts, form)) {
        static const std::regex named(R"((\w+)(?:\+([0-3]))?)");
        if (!std::regex_match(words, parts, named)) return std::nullopt;
        const std::string name = parts.str(1);
        const auto at = static_cast<std::size_t>(parts[2].matched ? parts.str(2)[0] - '0' : 0);
        const auto value = kernel.valueOf(name, index.begin);
        words.clear();
        for (const CudaToken& token : kernel.tokensIn(value.value_or(TextSpan{})))
            words += token.text;
        if (at >= width || !std::regex_match(words, parts, form) || parts[4].matched)
            return std::nullopt;
        return InGroup{"", name + " / " + n, at};
    }
    const auto part = static_cast<std::size_t>(parts[4].matched ? parts.str(4)[0] - '0' : 0);
    if (part >= width) return std::nullopt;
    return InGroup{parts.str(1), parts.str(2) + parts.str(3), part};
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

/// Whether the access is assigned to, in whatever way.
bool isSet(const KernelText& kernel, const NamedBrackets& access) {
    static const std::regex sets(R"(\s*(=(?!=)|[-+*/%&|^]=|<<=|>>=|\+\+|--))");
    return std::regex_search(
        kernel.masked().begin() + static_cast<std::ptrdiff_t>(access.whole.end),
        kernel.masked().end(), sets, std::regex_constants::match_continuous);
}

/// Adds a statement before the one that begins there: in a line of its own where that has one.
void insertBefore(const KernelText& kernel, std::size_t at, const std::string& code,
                  SourceEdit& edit) {
    const std::size_t row = kernel.masked().rfind('\n', at) + 1;
    if (source::skipBlanks(kernel.masked(), row) == at)
        edit.insertLineBefore(at, code);
    else
        edit.insert(at, code + ' ');
}

}  // namespace

bool takesWholeGroup(const KernelText& kernel, const std::string& array, std::size_t width) {
    std::optional<InGroup> base;
    std::set<std::size_t> seen;
    for (const NamedBrackets& access : kernel.bracketsOf(array, '[', kernel.body)) {
        const auto index = inGroup(kernel, access.parts[0], width);
        if (!index || (base && !base->isWith(*index))) return false;
        base = index;
        seen.insert(index->part);
    }
    return seen.size() == width;
}

void loadVectors(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    // Of what is written, too, those of the line, with no store or barrier among them.
    const bool isOnlyRead = !kernel.elementOf(line.array, true).empty();
    const std::string type = vectorOf(kernel.elementOf(line.array));
    const std::vector<NamedBrackets> all =
        kernel.bracketsOf(line.array, '[', isOnlyRead ? kernel.body : kernel.line(line.place.line));
    if (type.empty() || all.empty()) return;
    const std::string among = kernel.copyOf({all.front().whole.begin, all.back().whole.end});
    if (!isOnlyRead &&
        (std::ranges::any_of(all, [&](const auto& each) { return isSet(kernel, each); }) ||
         among.find("__sync") != std::string::npos))
        return;
    for (const std::size_t width : {4u, 2u}) {
        if (width == 4 && type == "double") continue;
        const std::string vector = type + std::to_string(width);
        const std::string name = line.array + std::to_string(width);
        std::optional<InGroup> base;
        std::set<std::size_t> seen;
        SourceEdit edit = kernel;
        const bool isOneGroup = std::ranges::all_of(all, [&](const NamedBrackets& access) {
            const auto index = inGroup(kernel, access.parts[0], width);
            if (!index || (base && !base->isWith(*index))) return false;
            base = index;
            seen.insert(index->part);
            edit.replace(access.whole, name + "." + "xyzw"[index->part]);
            return true;
        });
        if (!isOneGroup || seen.size() < 2) continue;
        const std::string load =
            "const " + vector + ' ' + name + " = " + base->in("const " + vector, line.array) + ';';
        // Within the braces that what an `if` rules gets: the lanes that it keeps out load nothing.
        const TextSpan ruled = kernel.ruledAt(all.front().whole.begin);
        const std::size_t begin = kernel.statementAt(ruled.begin).begin;
        if (begin != ruled.begin && ruled.holds(all.back().whole.begin))
            edit.insert(ruled.begin, "{ " + load + ' ').insert(ruled.end, " }");
        else
            insertBefore(kernel, begin, load, edit);
        return addEdit(cause, "vector-load", edit);
    }
}

void changeVectors(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    static const std::regex other(R"([{}]|__sync|\b(for|while|return|break|continue)\b)");
    const std::string type = vectorOf(kernel.elementOf(line.array));
    const std::vector<NamedBrackets> all = kernel.bracketsOf(line.array, '[', kernel.body);
    if (type.empty() || all.empty()) return;
    const TextSpan whole{kernel.statementAt(all.front().whole.begin).begin,
                         kernel.statementAt(all.back().whole.begin).end};
    if (std::regex_search(kernel.masked().substr(whole.begin, whole.size()), other)) return;
    for (const std::size_t width : {4u, 2u}) {
        if ((width == 4 && type == "double") || !takesWholeGroup(kernel, line.array, width))
            continue;
        const std::string vector = type + std::to_string(width);
        const std::string name = line.array + std::to_string(width);
        const std::string group =
            inGroup(kernel, all.front().parts[0], width)->in(vector, line.array);
        SourceEdit edit = kernel;
        insertBefore(kernel, whole.begin, vector + ' ' + name + " = " + group + ';', edit);
        std::set<std::size_t> changed;
        for (const NamedBrackets& access : all) {
            const std::size_t part = inGroup(kernel, access.parts[0], width)->part;
            edit.replace(access.whole, name + "." + "xyzw"[part]);
            if (isSet(kernel, access)) changed.insert(part);
        }
        const std::string store = group + " = " + name + ';';
        const std::size_t row = kernel.masked().rfind('\n', whole.begin) + 1;
        if (source::skipBlanks(kernel.masked(), row) == whole.begin)
            edit.insertLineAfter(whole.end, store);
        else
            edit.insert(whole.end, ' ' + store);
        // What is not changed here may be another thread's to change.
        if (changed.size() == width)
            return addEdit(cause, isStore(line.kind) ? "vector-store" : "vector-load", edit);
    }
}

void loadLoopInVectors(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    static const std::regex form(
        R"(((?:\w+\s+)?(\w+)\s*=\s*0;\s*\2\s*<\s*(\w+);\s*)(?:\+\+\s*\2|\2\s*\+\+)\s*)");
    const std::string type = vectorOf(kernel.elementOf(line.array, true));
    if (type.empty()) return;
    const auto numberOf = [&](const std::string& name, std::size_t at) {
        const TextSpan value = kernel.valueOf(name, at).value_or(TextSpan{});
        return source::wholeNumber(value.size() != 0 ? kernel.textOf(value) : name).value_or(0);
    };
    for (const NamedBrackets& loop : kernel.bracketsOf("for", '(', kernel.body)) {
        const TextSpan head{kernel.masked().find('(', loop.whole.begin) + 1, loop.whole.end - 1};
        const auto body =
            source::loopAround(kernel, source::skipBlanks(kernel.masked(), loop.whole.end));
        const std::string words = kernel.copyOf(head);
        std::smatch parts;
        if (!body || !std::regex_match(words, parts, form)) continue;
        const std::vector<NamedBrackets> all = kernel.bracketsOf(line.array, '[', *body);
        if (all.empty()) continue;
        const TextSpan statement = kernel.ruledAt(all.front().whole.begin);
        std::string around = kernel.copyOf({body->begin, statement.begin}) +
                             kernel.copyOf({statement.end, body->end});
        std::erase_if(
            around, [](char c) { return std::string_view("{} \n\t").find(c) != source::nowhere; });
        const std::string counter = parts.str(2);
        const std::string index = kernel.copyOf(all.front().parts[0]);
        const std::regex stretch(R"((?:(\w+)\s*\*\s*\w+|\w+\s*\*\s*(\w+))\s*\+\s*)" + counter);
        std::smatch factors;
        if (!around.empty() || !std::regex_match(index, factors, stretch) ||
            std::ranges::any_of(all, [&](const NamedBrackets& each) {
                return kernel.textOf(each.parts[0]) != index;
            }))
            continue;
        const std::int64_t passes = numberOf(parts.str(3), loop.whole.begin);
        const std::int64_t width = type == "double" || passes % 4 != 0 ? 2 : 4;
        // Longer rows are for a warp each.
        const bool isWhole =
            passes > 0 && passes < lanesPerWarp && passes % width == 0 &&
            (numberOf(factors.str(1) + factors.str(2), loop.whole.begin) == passes);
        if (!isWhole) continue;
        const std::string vector = type + std::to_string(width);
        const std::string name = line.array + std::to_string(width);
        const std::string indent = '\n' + kernel.indentAt(loop.whole.begin);
        std::string code = "{" + indent + "    const " + vector + ' ' + name +
                           " = reinterpret_cast<const " + vector + "*>(" + line.array + ")[(" +
                           index + ") / " + std::to_string(width) + "];";
        for (std::int64_t at = 0; at < width; ++at) {
            const std::string pass = kernel.copyOf(statement);
            SourceEdit one(pass);
            const auto accesses = one.bracketsOf(line.array, '[', {0, pass.size()});
            for (const NamedBrackets& each : accesses)
                one.replace(each.whole, name + '.' + "xyzw"[at]);
            for (const CudaToken& token : one.tokens()) {
                if (token.is(counter) && at != 0 &&
                    std::ranges::none_of(accesses, [&](const NamedBrackets& each) {
                        return each.whole.holds(token.begin);
                    }))
                    one.replace({token.begin, token.end},
                                '(' + counter + " + " + std::to_string(at) + ')');
            }
            code += indent + "    " + one.result();
        }
        addEdit(cause, "vector-load",
                SourceEdit(kernel)
                    .replace(head, parts.str(1) + counter + " += " + std::to_string(width))
                    .replace(*body, code + indent + '}'));
    }
}

void copyAsVector(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    const std::int64_t bytes = std::abs(line.address->thread[0]);
    if (line.kind != AccessKind::load || (bytes != 8 && bytes != 16)) return;
    const std::string vector = bytes == 8 ? "uint2" : "uint4";
    for (const NamedBrackets& access :
         kernel.bracketsOf(line.array, '[', kernel.line(line.place.line))) {
        const TextSpan statement = kernel.ruledAt(access.whole.begin);
        SourceEdit edit = kernel;
        const std::string form =
            R"(^(?:const\s+)?(\w+)\s+(\w+)\s*=\s*)" + line.array + R"(\s*\[([^;]*)\]\s*;$)";
        if (edit.rewrite(statement, form,
                         "alignas(" + std::to_string(bytes) + ") $1 $2; reinterpret_cast<" +
                             vector + "&>($2) = reinterpret_cast<const " + vector + "*>(" +
                             line.array + ")[$3];"))
            addEdit(cause, "copy-as-vector", edit);
    }
}

void storeVectors(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    const std::string type = vectorOf(kernel.elementOf(line.array));
    for (const std::size_t width : {2u, 4u}) {
        if (type.empty() || (width == 4 && type == "double")) continue;
        const std::string vector = type + std::to_string(width);
        SourceEdit edit = kernel;
        InGroup group;  // of the statements so far, one behind the other
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
            const bool goesOn = parts != 0 && index->part == parts && index->isWith(group) &&
                                trimmed(kernel.textOf({whole.end, statement.begin})).empty();
            if (!goesOn) {
                if (index->part != 0) continue;
                group = *index;
                values.clear();
                parts = 0;
                whole.begin = statement.begin;
            }
            const std::size_t value = source::skipBlanks(kernel.masked(), sign + 1);
            values += (parts == 0 ? "" : ", ") + kernel.copyOf({value, statement.end - 1});
            whole.end = statement.end;
            if (++parts != width) continue;
            edit.replace(whole,
                         group.in(vector, line.array) + " = make_" + vector + '(' + values + ");");
            parts = 0;
        }
        addEdit(cause, "vector-store", edit);
    }
}

}  // namespace warplens
