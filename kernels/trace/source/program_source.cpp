#include "kernels/trace/source/program_source.h"

#include <algorithm>
#include <utility>

#include "core/text/lines.h"
#include "kernels/programs/program_text.h"
#include "kernels/trace/source/declared_variables.h"
#include "kernels/trace/source/launch_calls.h"

namespace warplens::source {
namespace {

class Rewriter final {
  public:
    explicit Rewriter(std::string_view text) : text_(text), masked_(maskedText(text)) {}

    RewrittenFile rewrite() {
        result_.kernels = kernelsIn(masked_);
        for (const KernelSource& kernel : result_.kernels) markKernel(kernel);
        result_.constantNames = variablesIn(masked_, "__constant__");
        result_.deviceNames = variablesIn(masked_, "__device__");
        result_.deviceNames.merge(variablesIn(masked_, "__managed__"));
        result_.unsupported = unsupportedUsesIn(text_, masked_);
        for (const LaunchCall& call : launchCallsIn(masked_)) launchAt(call);
        findCasts();
        findCopies();
        result_.isCooperative = findWord(masked_, "cudaLaunchCooperativeKernel") != nowhere;
        result_.hasMain = definesMain(masked_);
        apply();
        return std::move(result_);
    }

  private:
    /// Replaces [from, to) of the text.
    struct Edit final {
        std::size_t from;
        std::size_t to;
        std::string text;
    };

    /// Says who the kernel is, at the beginning of its body.
    void markKernel(const KernelSource& kernel) {
        std::string types;
        std::string names;
        for (const KernelParameter& parameter : kernel.parameters) {
            if (parameter.name.empty()) continue;
            const std::string each = parameter.isPack ? "..." : "";
            types += (types.empty() ? "" : ", ") + ("decltype(" + parameter.name + ")") + each;
            names += (names.empty() ? "" : ", ") + parameter.name + each;
        }
        edits_.push_back({kernel.bodyBegin, kernel.bodyBegin,
                          " WL_KERNEL((" + types + (names.empty() ? ")" : "), ") + names + ")"});
    }

    [[nodiscard]] bool isInKernel(std::size_t at) const {
        return std::any_of(result_.kernels.begin(), result_.kernels.end(),
                           [&](const KernelSource& kernel) {
                               return at >= kernel.bodyBegin && at < kernel.bodyEnd;
                           });
    }

    void launchAt(const LaunchCall& call) {
        const std::string_view callee = text_.substr(call.begin, call.open - call.begin);
        const std::string kernel(trimmed(callee));
        const TextPlace place = placeAt(masked_, call.begin);
        if (isInKernel(call.begin)) {
            result_.unsupported.push_back(
                {"launches from kernels cannot be traced: " + kernel, place});
            return;
        }
        result_.launches.push_back({kernel, place});
        std::string name;
        for (const char c : kernel) {
            if (c == '\n' || c == '\\') continue;
            if (c == '"') name += '\\';
            name += c;
        }
        std::string configured = "(::wl::configure(\"" + name + "\", __FILE__, __LINE__, " +
                                 std::to_string(place.column) + ", ";
        configured += text_.substr(call.configuration, call.configurationEnd - call.configuration);
        configured += "), ";
        // Launches may be written over several lines: all of these stay.
        configured += callee;
        configured += text_.substr(call.configured, call.arguments - call.configured);
        edits_.push_back({call.begin, call.arguments, configured});
        edits_.push_back({call.end, call.end, ")"});
    }

    /// cudaLaunchKernel takes the kernel with its type.
    void findCasts() {
        for (const std::string_view call : {"cudaLaunchKernel", "cudaLaunchCooperativeKernel"}) {
            for (std::size_t at = findWord(masked_, call); at != nowhere;
                 at = findWord(masked_, call, at + 1)) {
                std::size_t i = skipBlanks(masked_, at + call.size());
                if (i >= masked_.size() || masked_[i] != '(') continue;
                i = skipBlanks(masked_, i + 1);
                if (i >= masked_.size() || masked_[i] != '(') continue;
                const std::size_t end = closing(masked_, i);
                if (end == nowhere) continue;
                const std::string_view cast = std::string_view(masked_).substr(i, end - i);
                if (cast.find("void") == nowhere || cast.find('*') == nowhere) continue;
                std::string blanks(cast);
                std::ranges::replace_if(
                    blanks, [](char c) { return c != '\n'; }, ' ');
                edits_.push_back({i, end, blanks});
            }
        }
    }

    /// What NVIDIA's compilers make of memcpy and memset in device code: a loop over bytes.
    void findCopies() {
        std::vector<std::pair<std::size_t, std::size_t>> bodies;
        for (const KernelSource& kernel : result_.kernels) {
            bodies.emplace_back(kernel.bodyBegin, kernel.bodyEnd);
        }
        for (std::size_t at = findWord(masked_, "__device__"); at != nowhere;
             at = findWord(masked_, "__device__", at + 1)) {
            const std::size_t body = masked_.find_first_of(";{", at);
            if (body == nowhere || masked_[body] != '{') continue;
            const std::size_t end = closing(masked_, body);
            if (end != nowhere) bodies.emplace_back(body, end);
        }
        for (const auto& [call, bytewise] :
             {std::pair<std::string_view, const char*>{"memcpy", "wl_copy_bytes"},
              {"memset", "wl_fill_bytes"}}) {
            for (std::size_t at = findWord(masked_, call); at != nowhere;
                 at = findWord(masked_, call, at + 1)) {
                const std::size_t open = skipBlanks(masked_, at + call.size());
                const bool isDevice = std::any_of(
                    bodies.begin(), bodies.end(),
                    [&](const auto& body) { return body.first < at && at < body.second; });
                if (!isDevice || open >= masked_.size() || masked_[open] != '(') continue;
                std::size_t begin = at;
                for (const std::string_view scope : {"::", "std", "::"}) {
                    if (std::string_view(masked_).substr(0, begin).ends_with(scope)) {
                        begin -= scope.size();
                    }
                }
                edits_.push_back({begin, at + call.size(), bytewise});
            }
        }
    }

    void apply() {
        std::stable_sort(edits_.begin(), edits_.end(),
                         [](const Edit& a, const Edit& b) { return a.from < b.from; });
        std::string& out = result_.text;
        std::size_t at = 0;
        for (const Edit& edit : edits_) {
            if (edit.from < at) continue;  // within another one
            out += text_.substr(at, edit.from - at);
            out += edit.text;
            at = edit.to;
            const TextPlace original = placeAt(text_, at);
            const TextPlace rewritten = placeAt(out, out.size());
            result_.shifts.push_back({original.line, rewritten.column, original.column});
        }
        out += text_.substr(at);
    }

    std::string_view text_;
    std::string masked_;
    std::vector<Edit> edits_;
    RewrittenFile result_;
};

}  // namespace

RewrittenFile rewriteFile(std::string_view text) {
    return Rewriter(text).rewrite();
}

std::uint32_t originalColumn(const std::vector<ColumnShift>& shifts, std::uint32_t line,
                             std::uint32_t column) {
    const ColumnShift* last = nullptr;
    for (const ColumnShift& shift : shifts) {
        if (shift.line == line && shift.column <= column) last = &shift;
    }
    return last == nullptr ? column : column - last->column + last->originalColumn;
}

}  // namespace warplens::source
