#include "kernels/programs/proposed_main.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <utility>

#include "core/launch/launch.h"
#include "core/text/encoding.h"

namespace warplens::source {
namespace {

enum class ParameterKind { array, size, number, value, unknown };

struct Parameter final {
    ParameterKind kind = ParameterKind::unknown;
    std::string type;  ///< an array's element's
    std::string name;
};

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// The last word of a type: `int` of `const unsigned int`.
std::string lastWord(const std::string& type) {
    std::size_t begin = type.size();
    while (begin > 0 && isNameCharacter(type[begin - 1])) --begin;
    return type.substr(begin);
}

Parameter parameterFrom(const KernelParameter& written, std::size_t index) {
    Parameter parameter;
    parameter.name = written.name.empty() ? "wl_p" + std::to_string(index) : written.name;
    std::string type = unqualified(written.type);
    const auto stars = std::count(type.begin(), type.end(), '*');
    if (written.isPack || stars > 1 || type.find('&') != nowhere || type.empty()) return parameter;
    if (stars == 1) {
        type.erase(type.find('*'), 1);
        parameter.type = type;
        parameter.kind = parameter.type == "void" ? ParameterKind::unknown : ParameterKind::array;
        return parameter;
    }
    parameter.type = type;
    const std::string word = lastWord(type);
    if (isOneOf(word, {"int", "unsigned", "long", "short", "size_t", "uint", "int32_t", "uint32_t",
                       "int64_t", "uint64_t"})) {
        parameter.kind = ParameterKind::size;
    } else if (isOneOf(word, {"float", "double", "half", "__half", "bool", "char"})) {
        parameter.kind = ParameterKind::number;
    } else {
        parameter.kind = ParameterKind::value;
    }
    return parameter;
}

/// Numbers of this name are no size of a problem.
bool isSmall(std::string_view name) {
    static constexpr std::array<std::string_view, 6> words{"stride", "offset", "shift",
                                                           "radius", "step",   "begin"};
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return name.find(word) != nowhere; });
}

/// What the value of a size must be and is not; empty where it is.
std::string limitBroken(const Parameter& parameter, const std::string& value) {
    if (parameter.kind != ParameterKind::size) return {};
    const std::string word = lastWord(parameter.type);
    const bool isUnsigned =
        findWord(parameter.type, "unsigned") != nowhere || word[0] == 'u' || word == "size_t";
    int bits = 32;
    if (word == "short" || findWord(parameter.type, "short") != nowhere) bits = 16;
    if (word == "size_t" || word.find("64") != nowhere ||
        findWord(parameter.type, "long") != nowhere) {
        bits = 64;
    }
    const std::uint64_t most = ~std::uint64_t{0} >> (64 - bits + (isUnsigned ? 0 : 1));
    const std::string words = "a whole number from 0 to " + std::to_string(most) + ", as " +
                              parameter.type + " holds them";
    // A stride may be negative.
    const bool isNegative = !isUnsigned && isSmall(parameter.name) && value.starts_with('-');
    const std::string_view digits = std::string_view(value).substr(isNegative ? 1 : 0);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool holds = error == std::errc() && end == digits.data() + digits.size();
    return holds && number <= most ? std::string() : words;
}

/// `a::b::` for a kernel in namespaces.
std::string namespacesAround(std::string_view masked, std::size_t position) {
    std::vector<std::string> open;
    for (std::size_t i = 0; i < position && i < masked.size(); ++i) {
        if (masked[i] == '}' && !open.empty()) open.pop_back();
        if (masked[i] != '{') continue;
        const std::size_t stop = masked.find_last_of(";{}", i == 0 ? 0 : i - 1);
        const std::string_view head =
            masked.substr(stop == nowhere ? 0 : stop + 1, i - (stop == nowhere ? 0 : stop + 1));
        const std::size_t word = findWord(head, "namespace");
        open.push_back(word == nowhere ? std::string()
                                       : std::string(trimmed(head.substr(word + 9))));
    }
    std::string path;
    for (const std::string& name : open) {
        if (!name.empty()) path += name + "::";
    }
    return path;
}

/// As it stands between quotation marks.
std::string escapedText(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return out;
}

/// What follows is what a person said of the name: the compiler's words about it begin so.
std::string lineOfWish(const std::string& name, const std::string& value) {
    return "\n#line 1 \"" + std::string(wishMark) + escapedText(name + " = '" + value) + "'\"\n";
}

std::string tripleOf(Extents extents) {
    return "dim3(" + std::to_string(extents.x) + ", " + std::to_string(extents.y) + ", " +
           std::to_string(extents.z) + ")";
}

std::string_view bodyOf(const KernelSource& function, std::string_view masked) {
    return masked.substr(function.bodyBegin, function.bodyEnd - function.bodyBegin);
}

/// One kernel's launch, or the call of a function of the host that launches some.
class KernelLaunch final {
  public:
    /// `kernels`: those of the file where `kernel` is a function of the host; else empty.
    KernelLaunch(std::string_view file, std::string_view masked, const KernelSource& kernel,
                 const LaunchWishes& wishes, const std::vector<KernelSource>& kernels = {})
        : file_(file),
          masked_(masked),
          bodies_{bodyOf(kernel, masked)},
          isCalled_(!kernels.empty()),
          kernel_(kernel),
          wishes_(wishes) {
        for (const KernelSource& each : kernels) bodies_.push_back(bodyOf(each, masked));
        for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
            parameters_.push_back(parameterFrom(kernel.parameters[i], i));
            const Parameter& last = parameters_.back();
            if (last.kind == ParameterKind::size && !isSmall(last.name))
                sizes_.push_back(last.name);
        }
        axes_ = uses("z") ? 3 : uses("y") ? 2 : 1;
    }

    /// Why it cannot be launched; empty where it can.
    [[nodiscard]] std::string obstacle() const {
        if (kernel_.templateParameters)
            return "is a template: nothing says what it is launched with";
        for (const Parameter& parameter : parameters_) {
            if (parameter.kind == ParameterKind::unknown) {
                return "has the parameter " + parameter.name +
                       ", for which nothing can be proposed";
            }
        }
        return {};
    }

    [[nodiscard]] std::string text() {
        std::string out = "    {\n";
        for (const Parameter& parameter : parameters_) {
            if (parameter.kind != ParameterKind::array) scalar(out, parameter);
        }
        out += "        unsigned long long wl_most = 1;\n";
        for (const std::string& size : sizes_) {
            out +=
                "        if ((unsigned long long)" + size + " > wl_most) wl_most = " + size + ";\n";
        }
        if (!isCalled_) launchShape(out);
        for (const Parameter& parameter : parameters_) {
            if (parameter.kind == ParameterKind::array) array(out, parameter);
        }
        launch(out);
        for (const Parameter& parameter : parameters_) {
            if (parameter.kind == ParameterKind::array) {
                out += isOfHost(parameter.name) ? "        free(" : "        cudaFree(";
                out += parameter.name + ");\n";
            }
        }
        return out + "    }\n";
    }

    [[nodiscard]] const std::vector<ProposedValue>& values() const { return values_; }
    [[nodiscard]] std::string note() const {
        return (isCalled_ ? "no program calls " + kernel_.name + ": called with "
                          : "no program launches " + kernel_.name + ": launched with ") +
               (words_.empty() ? "no arguments" : words_);
    }

  private:
    [[nodiscard]] bool uses(std::string_view axis) const {
        for (const std::string_view body : bodies_) {
            for (const std::string_view index : {"threadIdx.", "blockIdx."}) {
                if (findWord(body, std::string(index) + std::string(axis)) != nowhere) return true;
            }
        }
        return false;
    }

    /// Whether the function copies the array to the device, or from there to it.
    [[nodiscard]] bool isOfHost(const std::string& array) const {
        const std::string_view body = bodies_.front();
        for (std::size_t at = 0; (at = body.find("cudaMemcpy", at)) != nowhere; ++at) {
            const std::string_view call = body.substr(at, body.find(';', at) - at);
            const std::size_t comma = call.find(',');
            if (comma == nowhere) continue;
            const bool isTo = call.find("DeviceToHost") != nowhere &&
                              findWord(call.substr(0, comma), array) != nowhere;
            const bool isFrom = call.find("HostToDevice") != nowhere &&
                                findWord(call.substr(comma), array) != nowhere;
            if (isTo || isFrom) return true;
        }
        return false;
    }

    void take(ProposedKind kind, const std::string& name, std::string value) {
        values_.push_back({kernel_.name, kind, name, std::move(value)});
    }
    void tell(const std::string& words) { words_ += (words_.empty() ? "" : "; ") + words; }

    void scalar(std::string& out, const Parameter& parameter) {
        std::string value = "{}";
        if (parameter.kind == ParameterKind::number) value = "1";
        if (parameter.kind == ParameterKind::size) value = isSmall(parameter.name) ? "1" : side();
        if (const auto wish = wishes_.values.find(parameter.name); wish != wishes_.values.end()) {
            value = wish->second;
            if (const std::string limit = limitBroken(parameter, value); !limit.empty()) {
                throw InvalidRequest({{parameter.name, value, limit}});
            }
        }
        out += lineOfWish(parameter.name, value) + parameter.type + " " + parameter.name +
               (value == "{}" ? "{}" : " = " + value) + ";\n";
        take(ProposedKind::number, parameter.name, value == "{}" ? "" : value);
        if (value != "{}") tell(parameter.name + " = " + value);
    }

    /// So many along each axis that the products of all are some thousands of elements, and that
    /// the last blocks are not full: a guard that is missing shows.
    [[nodiscard]] std::string side() const {
        const std::size_t axes = std::max<std::size_t>(sizes_.size(), axes_);
        return axes <= 1 ? "1000" : axes == 2 ? "60" : "20";
    }

    void launchShape(std::string& out) {
        static constexpr std::array<Extents, 3> blocks{{{256, 1, 1}, {16, 16, 1}, {8, 8, 4}}};
        const Extents block = wishes_.block.value_or(blocks[axes_ - 1]);
        std::vector<LimitViolation> refusals =
            validate({.grid = wishes_.grid.value_or(Extents{1, 1, 1}), .block = block});
        if (!refusals.empty()) throw InvalidRequest(std::move(refusals));
        take(ProposedKind::block, {}, toString(block));
        take(ProposedKind::grid, {}, wishes_.grid ? toString(*wishes_.grid) : "");
        out += "        const dim3 wl_block = " + tripleOf(block) + ";\n";
        if (wishes_.grid) {
            out += "        const dim3 wl_grid = " + tripleOf(*wishes_.grid) + ";\n";
            return;
        }
        const char* const axis[3] = {"x", "y", "z"};
        out += "        const dim3 wl_grid(";
        for (std::size_t i = 0; i < 3; ++i) {
            const std::string extent = std::string("wl_block.") + axis[i];
            out += i == 0 ? "" : ", ";
            out += i < axes_ ? "(unsigned)((wl_most + " + extent + " - 1) / " + extent + ")" : "1";
        }
        out += ");\n";
    }

    /// Whether an index of the array multiplies by a size: it has rows. In a kernel that is called
    /// array and size may have other names.
    [[nodiscard]] bool hasRows(const std::string& array) const {
        for (const std::string_view body : bodies_) {
            for (std::size_t open = body.find('['); open != nowhere;
                 open = body.find('[', open + 1)) {
                const std::size_t close = closing(body, open);
                if (close == nowhere) break;
                const std::string_view index = body.substr(open, close - open);
                const std::string_view before = trimmed(body.substr(0, open));
                const bool isIts =
                    isCalled_ || (before.ends_with(array) &&
                                  findWord(before, array, before.size() - array.size()) != nowhere);
                const bool isSize = isCalled_ ? index.find("Idx") == nowhere
                                              : findWord(index, sizes_.front()) != nowhere;
                if (isIts && isSize && index.find('*') != nowhere) return true;
            }
        }
        return false;
    }

    [[nodiscard]] std::string elementsOf(const std::string& array) const {
        if (sizes_.empty()) return "1024";
        std::string product;
        if (sizes_.size() == 1) {
            const std::size_t power = std::max<std::size_t>(axes_, hasRows(array) ? 2 : 1);
            for (std::size_t i = 0; i < power; ++i) product += (i == 0 ? "" : "*") + sizes_[0];
            return product;
        }
        for (const std::string& size : sizes_) product += (product.empty() ? "" : "*") + size;
        return product;
    }

    void array(std::string& out, const Parameter& parameter) {
        ArrayWish wish;
        if (const auto found = wishes_.arrays.find(parameter.name); found != wishes_.arrays.end()) {
            wish = found->second;
        }
        if (wish.elements.empty()) wish.elements = elementsOf(parameter.name);
        if (wish.fill.empty()) wish.fill = "random";
        // Within the expression sizes are of 64 bits, so that their product is what it says.
        std::string sizes;
        std::string wide;
        for (const std::string& size : sizes_) {
            sizes += (sizes.empty() ? "" : ", ") + size;
            wide += (wide.empty() ? "long long " : ", long long ") + size;
        }
        const std::string told = parameter.name + " = '" + wish.elements + ',' + wish.fill + '\'';
        out += lineOfWish("array " + parameter.name, wish.elements + ',' + wish.fill) +
               "const long long wl_count_" + parameter.name + " = [&](" + wide +
               ") { return (long long)(" + wish.elements + "); }(" + sizes + ");\n        " +
               parameter.type + "* " + parameter.name + " = wl::made<" + parameter.type +
               ">(wl_count_" + parameter.name + ", wl_most, \"" + escapedText(wish.fill) +
               "\", \"" + escapedText("array " + told) + "\");\n";
        if (isOfHost(parameter.name))
            out += "        " + parameter.name + " = wl::onHost(" + parameter.name + ", wl_count_" +
                   parameter.name + ");\n";
        take(ProposedKind::elements, parameter.name, wish.elements);
        take(ProposedKind::fill, parameter.name, wish.fill);
        tell(parameter.name + ": " + wish.elements + " elements, " + wish.fill);
    }

    void launch(std::string& out) const {
        // It stands where the kernel stands.
        out +=
            "\n#line " + std::to_string(kernel_.place.line) + " \"" + escapedText(file_) + "\"\n";
        const std::string_view body = bodies_.front();
        out += std::string(kernel_.place.column - 1, ' ') +
               namespacesAround(masked_, kernel_.bodyBegin - 1) + kernel_.name;
        if (!isCalled_) {
            out += std::string("<<<wl_grid, wl_block") +
                   (body.find("extern") != nowhere && findWord(body, "__shared__") != nowhere
                        ? ", wl_block.x * wl_block.y * wl_block.z * sizeof(double)"
                        : "") +
                   ">>>";
        }
        out += '(';
        for (std::size_t i = 0; i < parameters_.size(); ++i) {
            out += (i == 0 ? "" : ", ") + parameters_[i].name;
        }
        out += ");\n        if (cudaDeviceSynchronize() != cudaSuccess) return 1;\n";
    }

    std::string_view file_;
    std::string_view masked_;
    std::vector<std::string_view> bodies_;  ///< its own, and of the kernels that it may launch
    bool isCalled_;
    const KernelSource& kernel_;
    const LaunchWishes& wishes_;
    std::vector<Parameter> parameters_;
    std::vector<std::string> sizes_;
    std::size_t axes_ = 1;
    std::string words_;
    std::vector<ProposedValue> values_;
};

}  // namespace

ProposedMain proposedMain(std::string_view file, std::string_view text,
                          const std::vector<KernelSource>& kernels, const LaunchWishes& wishes,
                          std::string_view kernel) {
    const std::string masked = maskedText(text);
    ProposedMain proposed;
    const auto add = [&](KernelLaunch launch) {
        proposed.text += launch.text();
        proposed.notes.push_back(launch.note());
        proposed.values.insert(proposed.values.end(), launch.values().begin(),
                               launch.values().end());
    };
    // Functions that launch kernels know best what with, as `solve` of an exercise does.
    for (const KernelSource& each : launchersIn(masked)) {
        KernelLaunch call(file, masked, each, wishes, kernels);
        if (call.obstacle().empty()) add(std::move(call));
    }
    const bool isWhole = !proposed.text.empty();
    for (const KernelSource& each : kernels) {
        if (isWhole || (!kernel.empty() && each.name != kernel)) continue;
        const KernelLaunch launch(file, masked, each, wishes);
        if (const std::string obstacle = launch.obstacle(); !obstacle.empty()) {
            proposed.notes.push_back("not launched: " + each.name + ' ' + obstacle);
            continue;
        }
        add(launch);
    }
    if (!proposed.text.empty()) {
        proposed.text = "\n#undef min\n#undef max\n#include \"wl/proposed.h\"\nint main() {\n" +
                        proposed.text + "    return 0;\n}\n";
    }
    return proposed;
}

void refuseUnknown(const LaunchWishes& wishes, const std::vector<KernelSource>& kernels) {
    std::vector<LimitViolation> violations;
    std::set<std::string> all;
    for (const KernelSource& kernel : kernels) {
        for (const KernelParameter& parameter : kernel.parameters) {
            if (!parameter.name.empty()) all.insert(parameter.name);
        }
    }
    std::string names;
    for (const std::string& name : all) names += ' ' + name;
    const auto check = [&](const char* option, const std::string& name) {
        if (!all.contains(name)) {
            violations.push_back({option, "'" + name + "'", "one of" + names});
        }
    };
    for (const auto& [name, value] : wishes.values) check("--set", name);
    for (const auto& [name, wish] : wishes.arrays) check("--array", name);
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
}

void refuseWish(std::string_view words) {
    constexpr std::string_view error = ": error: ";
    const std::size_t why = words.find(error);
    if (why == std::string_view::npos) return;
    const std::size_t begin = words.rfind('\n', why) + 1;  // of its line; npos + 1 is 0
    const std::string line(words.substr(begin, words.find('\n', why) - begin));
    const std::size_t equals = line.find(" = ");
    const std::size_t value = equals + 3;
    const std::size_t end = line.rfind(":1:", why - begin);  // then the column, where one is told
    if (!line.starts_with(wishMark) || end == std::string::npos || end < value) return;
    const std::size_t name = wishMark.size();
    throw InvalidRequest({{line.substr(name, equals - name), line.substr(value, end - value),
                           line.substr(why - begin + error.size())}});
}

void refuseWish(const TracedProgram& result) {
    const ProgramExit& exit = result.trace.exit;
    const std::size_t mark = exit.output.rfind(wishMark);
    if (result.hasMain || exit.status != wishRefused || mark == std::string::npos) {
        return;
    }
    const std::string words = exit.output.substr(mark + wishMark.size());
    const std::size_t equals = words.find(" = ");
    const std::size_t why = words.rfind("': ");
    if (equals == std::string::npos || why == std::string::npos || why < equals) return;
    throw InvalidRequest({{words.substr(0, equals), words.substr(equals + 3, why + 1 - equals - 3),
                           words.substr(why + 3, words.find('\n', why) - why - 3)}});
}

}  // namespace warplens::source
