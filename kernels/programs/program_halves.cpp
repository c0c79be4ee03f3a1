#include "kernels/programs/program_halves.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <vector>

#include "core/program/cuda_tokens.h"
#include "core/program/program_sources.h"
#include "core/text/encoding.h"
#include "kernels/programs/program_text.h"

namespace warplens::programs {
namespace {

using source::findWord;
using source::nowhere;

/// What nvcc writes around a kernel's stub; it is found by this name among a call's frames. Each
/// kernel's name as the linker knows it, which is the PTX's, stands in a section of its own.
constexpr std::string_view head =
    "extern \"C\" { unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, CUstream_st* = "
    "0); cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, size_t*, void*); }\n"
    "static void __device_stub__(const void* kernel, void** arguments) { dim3 grid, block; size_t "
    "shared; cudaStream_t stream; if (__cudaPopCallConfiguration(&grid, &block, &shared, &stream) "
    "== cudaSuccess) cudaLaunchKernel(kernel, grid, block, arguments, shared, stream); }\n";

std::string stubOf(const source::KernelSource& kernel) {
    std::string arguments;
    for (const source::KernelParameter& parameter : kernel.parameters)
        arguments += "(void*)&" + parameter.name + ", ";
    return " void* warplens_arguments[] = {" + arguments +
           "0}; __asm__(\".pushsection .rodata\\n1: .asciz \\\"%c0\\\"\\n.popsection\\n"
           ".pushsection warplens_kernels,\\\"aw\\\"\\n.quad %c0, 1b\\n.popsection\" : : \"i\"(" +
           kernel.name + ")); __device_stub__((const void*)" + kernel.name +
           ", warplens_arguments); ";
}

bool has(std::string_view text, std::string_view word) {
    return findWord(text, word) != nowhere;
}

constexpr std::string_view groups = "cooperative_groups";

/// Headers of C and C++, and CUDA's own of the host; of the device alone those of groups.
bool isPlainHeader(std::string_view name) {
    if (name.find_first_of("./") == name.npos || name.starts_with(groups)) return true;
    static const std::set<std::string_view> known{
        "assert.h", "ctype.h",  "errno.h",        "float.h",           "inttypes.h",
        "limits.h", "math.h",   "memory.h",       "stdbool.h",         "stddef.h",
        "stdint.h", "stdio.h",  "stdlib.h",       "string.h",          "sys/time.h",
        "time.h",   "unistd.h", "cuda_runtime.h", "cuda_runtime_api.h"};
    return known.contains(name);
}

/// One that no preprocessing can turn into something else; `directives` gets what is `#…` of it.
bool hasPlainDirectives(std::string_view text, std::string_view masked, std::string& directives) {
    bool goesOn = false;
    for (std::size_t at = 0; at < masked.size();) {
        const std::size_t end = std::min(masked.find('\n', at), masked.size());
        const std::string_view line = masked.substr(at, end - at);
        const std::string_view words = trimmed(line);
        if (goesOn || words.starts_with('#')) {
            directives += std::string(words) + '\n';
            goesOn = words.ends_with('\\');
            const std::string_view raw = trimmed(text.substr(at, end - at));
            const std::string_view name = trimmed(words.substr(words.starts_with('#') ? 1 : 0));
            if (name.starts_with("include")) {
                const std::size_t open = raw.find('<');
                const std::size_t close = raw.find('>', open == raw.npos ? raw.size() : open);
                if (close == raw.npos || raw.find('"') < open ||
                    !isPlainHeader(raw.substr(open + 1, close - open - 1)))
                    return false;
            }
        }
        at = end + 1;
    }
    const auto count = [&](char c) { return std::ranges::count(directives, c); };
    return count('{') == count('}') && count('(') == count(')') &&
           directives.find("<<<") == directives.npos && directives.find("##") == directives.npos;
}

/// Pieces of the text that are to be replaced, and what by; line breaks of a piece stay.
struct Edit final {
    std::size_t begin;
    std::size_t end;
    std::string words;
};

class Cutter final {
  public:
    Cutter(std::string_view text, std::string_view name)
        : text_(text), name_(name), masked_(source::maskedText(text)) {}

    std::optional<ProgramHalves> cut() {
        std::string directives;
        if (!hasPlainDirectives(text_, masked_, directives)) return std::nullopt;
        for (const char* word : {"__global__", "__device__", "__host__", "__shared__"}) {
            if (has(directives, word)) return std::nullopt;
        }
        if (masked_.find("__CUDA") != masked_.npos || masked_.find("__NV") != masked_.npos ||
            namesWhatIsGone(masked_))
            return std::nullopt;
        kernels_ = source::kernelsIn(masked_);
        if (kernels_.empty() || !takeKernels() || !takeFunctions() || !takeLaunches())
            return std::nullopt;
        leaveOutGroups();
        ProgramHalves halves;
        halves.host =
            std::string(head) + "#line 1 \"" + std::string(name_) + "\"\n" + edited(edits_);
        halves.device = forNvrtc();
        return halves;
    }

  private:
    /// Where what stands at a place at the top of the file began; `nowhere` of a place elsewhere.
    [[nodiscard]] std::size_t declarationAt(std::size_t place) const {
        int depth = 0;
        std::size_t begin = 0;
        for (std::size_t at = 0; at < place; ++at) {
            const char c = masked_[at];
            if (c == '{') ++depth;
            if (c == '}') --depth;
            if (depth == 0 && (c == ';' || c == '}')) begin = at + 1;
            if (c != '#') continue;
            while (at < place && !(masked_[at] == '\n' && masked_[at - 1] != '\\')) ++at;
            if (depth == 0) begin = at;
        }
        return depth == 0 ? begin : nowhere;
    }

    [[nodiscard]] std::string_view between(std::size_t begin, std::size_t end) const {
        return std::string_view(masked_).substr(begin, end - begin);
    }
    /// Within a body only pragmas are sure to be of it alone.
    [[nodiscard]] bool isWhole(std::size_t begin, std::size_t end) const {
        const std::string_view body = between(begin, end);
        for (std::size_t at = 0; (at = body.find('#', at)) != body.npos; ++at) {
            if (!trimmed(body.substr(at + 1)).starts_with("pragma")) return false;
        }
        return end <= masked_.size() && masked_[end - 1] == '}';
    }

    bool takeKernels() {
        std::size_t count = 0;
        for (std::size_t at = 0; (at = findWord(masked_, "__global__", at)) != nowhere; ++at)
            ++count;
        if (count != kernels_.size()) return false;
        for (const source::KernelSource& kernel : kernels_) {
            const std::size_t begin = declarationAt(kernel.bodyBegin - 1);
            if (begin == nowhere || kernel.templateParameters || kernel.parameters.empty() ||
                !names_.insert(kernel.name).second || !isWhole(kernel.bodyBegin, kernel.bodyEnd))
                return false;
            const std::string_view declared = between(begin, kernel.bodyBegin);
            for (const char* word : {"static", "inline", "template", "__host__", "__device__"}) {
                if (has(declared, word)) return false;
            }
            for (const source::KernelParameter& parameter : kernel.parameters) {
                if (parameter.name.empty() || parameter.isPack ||
                    parameter.type.find_first_of("&(") != parameter.type.npos)
                    return false;
            }
            edits_.push_back({kernel.bodyBegin, kernel.bodyEnd - 1, stubOf(kernel)});
        }
        return true;
    }

    /// Functions of the device alone go; those of both stay as they are.
    bool takeFunctions() {
        for (std::size_t at = 0; (at = findWord(masked_, "__device__", at)) != nowhere; ++at) {
            const std::size_t begin = declarationAt(at);
            const std::size_t body = masked_.find_first_of("{;=", at);
            if (begin == nowhere || body == nowhere || masked_[body] != '{') return false;
            const std::string_view declared = between(begin, body);
            const std::size_t end = source::closing(masked_, body);
            if (declared.find('(') == declared.npos || end == nowhere || !isWhole(body, end) ||
                has(declared, "namespace") || has(declared, "struct") || has(declared, "class"))
                return false;
            if (has(declared, "__host__")) continue;
            edits_.push_back({begin, end, ""});
        }
        for (const char* word : {"__constant__", "__managed__", "__shared__", "__host__"}) {
            for (std::size_t at = 0; (at = findWord(masked_, word, at)) != nowhere; ++at) {
                if (word == std::string_view("__host__") ? declarationAt(at) == nowhere
                                                         : !isReplaced(at))
                    return false;
            }
        }
        return true;
    }

    /// Of the host's half, in which their headers take longest: where it uses them nevertheless, it
    /// does not compile.
    void leaveOutGroups() {
        for (std::size_t at = 0; at < text_.size();) {
            const std::size_t end = std::min(text_.find('\n', at), text_.size());
            const std::string_view line = trimmed(text_.substr(at, end - at));
            const bool isOfThem = line.find(groups) != line.npos;
            if (isOfThem &&
                (line.starts_with('#') || (line.starts_with("namespace ") && line.ends_with(';'))))
                edits_.push_back({at, end, ""});
            at = end + 1;
        }
    }

    [[nodiscard]] bool isReplaced(std::size_t place) const {
        return std::ranges::any_of(
            edits_, [&](const Edit& edit) { return edit.begin <= place && place < edit.end; });
    }

    /// Each is of a kernel by its name, and nothing else is done with that.
    bool takeLaunches() {
        std::multiset<std::string> launched;
        for (std::size_t at = 0; (at = masked_.find("<<<", at)) != masked_.npos; ++at) {
            if (isReplaced(at)) return false;
            std::size_t nameEnd = at;
            while (nameEnd > 0 && std::isspace(static_cast<unsigned char>(masked_[nameEnd - 1])))
                --nameEnd;
            std::size_t nameBegin = nameEnd;
            while (nameBegin > 0 && source::isNameCharacter(masked_[nameBegin - 1])) --nameBegin;
            const std::string name(between(nameBegin, nameEnd));
            if (!names_.contains(name) || nameBegin == 0) return false;
            std::size_t end = at + 3;
            for (int depth = 0; end < masked_.size(); ++end) {
                depth += masked_[end] == '(' ? 1 : masked_[end] == ')' ? -1 : 0;
                if (depth == 0 && masked_.compare(end, 3, ">>>") == 0) break;
            }
            const std::size_t open = source::skipBlanks(masked_, end + 3);
            if (open >= masked_.size() || masked_[open] != '(') return false;
            const std::size_t close = source::closing(masked_, open);
            if (close == nowhere) return false;
            launched.insert(name);
            edits_.push_back({nameBegin, at + 3, "(__cudaPushCallConfiguration("});
            edits_.push_back({end, end + 3, ") ? (void)0 : " + name});
            edits_.push_back({close, close, ")"});
            at = end;
        }
        for (const std::string& name : names_) {
            std::size_t count = 0;
            for (std::size_t at = 0; (at = findWord(masked_, name, at)) != nowhere; ++at) ++count;
            if (count != launched.count(name) + 1) return false;
        }
        return true;
    }

    /// The device's half, where it is the same without headers of the host; else empty.
    [[nodiscard]] std::string forNvrtc() const {
        // Compared function by function, with nvcc and NVRTC 13.0: what these become differs.
        static const std::regex differs(
            R"((^|\n)\s*#\s*(if|el)|\b(using|atomic\w*|pow|printf|signbit|is(nan|inf|finite)|)"
            R"(cooperative_groups|)"
            R"(make_\w+|__\w+_as_\w+|__cvta\w+)\b)");
        std::string device = edited(ofTheHost());
        return std::regex_search(source::maskedText(device), differs) ? std::string() : device;
    }

    /// Edits that leave the device's half: headers and functions of the host.
    [[nodiscard]] std::vector<Edit> ofTheHost() const {
        std::vector<Edit> edits;
        std::size_t begin = 0;  // of what is declared
        for (std::size_t at = 0; at < masked_.size(); ++at) {
            const char c = masked_[at];
            if (c == '#') {
                const bool isHeader =
                    trimmed(between(at + 1, masked_.size())).starts_with("include");
                const std::size_t first = at;
                while (at < masked_.size() && !(masked_[at] == '\n' && masked_[at - 1] != '\\'))
                    ++at;
                if (isHeader) edits.push_back({first, at, ""});
                begin = at;
            } else if (c == '{') {
                const std::size_t end = source::closing(masked_, at);
                if (end == nowhere) break;
                const std::string_view declared = between(begin, at);
                const bool isFunction = trimmed(declared).ends_with(')');
                if (isFunction && !has(declared, "__global__") && !has(declared, "__device__"))
                    edits.push_back({begin, end, ""});
                at = end - 1;
                if (isFunction) begin = end;
            } else if (c == ';') {
                begin = at + 1;
            }
        }
        return edits;
    }

    [[nodiscard]] std::string edited(std::vector<Edit> edits) const {
        std::ranges::stable_sort(edits, {}, &Edit::begin);
        std::string all;
        std::size_t done = 0;
        for (const Edit& edit : edits) {
            if (edit.begin < done) continue;  // within what is gone
            all += text_.substr(done, edit.begin - done);
            all += edit.words;
            for (std::size_t at = edit.begin; at < edit.end; ++at)
                if (text_[at] == '\n') all += '\n';
            done = edit.end;
        }
        return all + std::string(text_.substr(done));
    }

    std::string_view text_;
    std::string_view name_;
    std::string masked_;
    std::vector<source::KernelSource> kernels_;
    std::set<std::string> names_;
    std::vector<Edit> edits_;
};

}  // namespace

std::optional<ProgramHalves> halvesOf(std::string_view text, std::string_view name) {
    return Cutter(text, name).cut();
}

}  // namespace warplens::programs
