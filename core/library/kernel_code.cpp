#include "core/library/kernel_code.h"

#include <algorithm>
#include <array>

#include "core/library/kernel_file.h"
#include "core/program/cuda_tokens.h"

namespace warplens {
namespace {

class CodeReader final {
  public:
    CodeReader(const std::string& file, std::string_view text)
        : file_(file), text_(text), tokens_(cudaTokens(text)) {
        for (std::size_t at = 0; at < text.size(); ++at) {
            if (at == 0 || text[at - 1] == '\n') lines_.push_back(at);
        }
    }

    KernelCode read() {
        std::size_t at = 0;
        while (at < tokens_.size() && !tokens_[at].is("__global__")) ++at;
        if (at == tokens_.size()) fail(1, "there is no __global__ function in it");
        readTemplate(at);
        readSignature(at);
        readBody();
        for (std::size_t i = 0; i < lines_.size(); ++i) readMarks(i);
        return std::move(code_);
    }

  private:
    [[noreturn]] void fail(std::uint32_t line, const std::string& words) const {
        throw MalformedKernelFile(file_, line, words);
    }
    [[nodiscard]] std::uint32_t lineAt(std::size_t offset) const {
        return static_cast<std::uint32_t>(std::ranges::upper_bound(lines_, offset) -
                                          lines_.begin());
    }
    [[nodiscard]] bool isToken(std::size_t at, std::string_view word) const {
        return at < tokens_.size() && tokens_[at].is(word);
    }

    /// `template <int TILE>` before the kernel.
    void readTemplate(std::size_t global) {
        if (!isToken(0, "template")) return;
        std::size_t at = 0;
        while (at < global && !tokens_[at].is("template")) ++at;
        std::vector<std::string_view> words;
        for (++at; at < global && !tokens_[at].is(">"); ++at) words.push_back(tokens_[at].text);
        if (words.size() != 3 || (words[1] != "int" && words[1] != "unsigned")) {
            fail(lineAt(tokens_[global].begin), "a kernel may have one template parameter, an int");
        }
        code_.templateParameter = std::string(words[2]);
    }

    void readSignature(std::size_t global) {
        std::size_t open = global;
        while (open < tokens_.size() && !tokens_[open].is("(")) ++open;
        if (isToken(open - 1, "__launch_bounds__")) {
            while (open < tokens_.size() && !tokens_[open].is(")")) ++open;
            while (open < tokens_.size() && !tokens_[open].is("(")) ++open;
        }
        if (open == tokens_.size()) fail(lineAt(tokens_[global].begin), "the kernel has no (");
        code_.kernel = std::string(tokens_[open - 1].text);
        code_.line = lineAt(tokens_[open - 1].begin);
        std::vector<CudaToken> parameter;
        std::size_t at = open + 1;
        for (; at < tokens_.size(); ++at) {
            if (!tokens_[at].is(",") && !tokens_[at].is(")")) {
                parameter.push_back(tokens_[at]);
                continue;
            }
            if (!parameter.empty()) readParameter(parameter);
            parameter.clear();
            if (tokens_[at].is(")")) break;
        }
        while (at < tokens_.size() && !tokens_[at].is("{")) ++at;
        if (at == tokens_.size()) fail(code_.line, "the kernel has no body");
        body_ = at;
    }

    void readParameter(const std::vector<CudaToken>& tokens) {
        CodeParameter parameter;
        parameter.name = std::string(tokens.back().text);
        std::string type;
        for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
            if (tokens[i].is("*")) {
                parameter.isPointer = true;
            } else if (!tokens[i].is("const") && !tokens[i].is("__restrict__")) {
                type += (type.empty() ? "" : " ") + std::string(tokens[i].text);
            }
        }
        const std::uint32_t line = lineAt(tokens.back().begin);
        const std::optional<ElementType> known = elementTypeNamed(type);
        if (!known || (!parameter.isPointer && !infoOf(*known).holdsSizes())) {
            fail(line, "parameter '" + parameter.name +
                           "': " + (parameter.isPointer ? "arrays of " : "pointers, ") +
                           namesOfTypes(!parameter.isPointer) + " only, not " +
                           (type.empty() ? "nothing" : type));
        }
        parameter.type = *known;
        code_.parameters.push_back(std::move(parameter));
    }

    void readBody() {
        static constexpr std::array<std::string_view, 4> barriers{
            "__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or"};
        std::size_t end = body_;
        int depth = 0;
        for (; end < tokens_.size(); ++end) {
            if (tokens_[end].is("{")) ++depth;
            if (tokens_[end].is("}") && --depth == 0) break;
            if (std::ranges::find(barriers, tokens_[end].text) != barriers.end()) {
                code_.usesBarriers = true;
            }
            if (tokens_[end].is("__shared__")) readShared(end);
        }
        for (std::size_t at = end; at < tokens_.size(); ++at) {
            if (tokens_[at].is("__global__")) {
                fail(lineAt(tokens_[at].begin), "a second kernel: each has a file of its own");
            }
        }
    }

    void readShared(std::size_t at) {
        CodeShared shared;
        std::string type;
        for (++at; at + 1 < tokens_.size() && !isToken(at + 1, ";") && !isToken(at + 1, "[");
             ++at) {
            type += (type.empty() ? "" : " ") + std::string(tokens_[at].text);
        }
        if (const auto known = elementTypeNamed(type)) {
            shared.elementBytes = static_cast<std::uint32_t>(byteCount(*known));
        }
        shared.name = std::string(tokens_[at++].text);
        std::vector<std::string> extents;
        for (; isToken(at, "["); ++at) {
            std::string& extent = extents.emplace_back();
            for (++at; at < tokens_.size() && !tokens_[at].is("]"); ++at) {
                extent += (extent.empty() ? "" : " ") + std::string(tokens_[at].text);
            }
        }
        if (extents.size() == 2) shared.columns = extents[1];
        code_.shared.push_back(std::move(shared));
    }

    void readMarks(std::size_t index) {
        const std::size_t begin = lines_[index];
        const std::size_t end = std::min(text_.find('\n', begin), text_.size());
        const std::string_view line = text_.substr(begin, end - begin);
        const std::size_t comment = line.find("// ");
        // What stands in a line of its own, or above the code, speaks of nothing on the line.
        if (comment == std::string_view::npos || begin < tokens_[0].begin) return;
        if (line.find_first_not_of(' ') == comment) return;
        std::string_view rest = line.substr(comment + 3);
        while (!rest.empty()) {
            std::string_view part = rest.substr(0, rest.find(','));
            rest.remove_prefix(std::min(rest.size(), part.size() + 1));
            while (part.starts_with(' ')) part.remove_prefix(1);
            while (part.ends_with(' ') || part.ends_with('\r')) part.remove_suffix(1);
            readMark(part, static_cast<std::uint32_t>(index + 1), begin);
        }
    }

    void readMark(std::string_view part, std::uint32_t line, std::size_t begin) {
        CodeMark mark;
        mark.line = line;
        if (part == "only computes") {
            mark.kind = CodeMark::Kind::onlyComputes;
        } else if (part.starts_with("name: ")) {
            mark.name = std::string(part.substr(6));
        } else if (part.starts_with("step: ")) {
            mark.kind = CodeMark::Kind::step;
            mark.name = std::string(part.substr(6));
        } else {
            return;
        }
        const bool isName = std::ranges::all_of(mark.name, [](char c) {
            return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                   (c >= 'A' && c <= 'Z');
        });
        if (!isName || (mark.name.empty() && mark.kind != CodeMark::Kind::onlyComputes)) {
            fail(line, "'" + mark.name + "' is no name");
        }
        mark.lastLine = lastLineOf(line, begin);
        if (mark.lastLine == 0 && mark.kind != CodeMark::Kind::branch) {
            fail(line, "no loop begins on this line, with { at its end");
        }
        code_.marks.push_back(std::move(mark));
    }

    /// Of the loop that begins on the line, with its brace at the end; 0 where none does.
    [[nodiscard]] std::uint32_t lastLineOf(std::uint32_t line, std::size_t begin) const {
        int depth = 0;
        bool opened = false;
        bool isLoop = false;
        for (const CudaToken& token : tokens_) {
            if (token.begin < begin) continue;
            if (!opened && lineAt(token.begin) > line) break;
            isLoop = isLoop || (!opened && (token.is("for") || token.is("while")));
            if (token.is("{")) {
                opened = true;
                ++depth;
            }
            if (token.is("}") && opened && --depth == 0) {
                if (isLoop) return lineAt(token.begin);
                break;
            }
        }
        return 0;
    }

    const std::string& file_;
    std::string_view text_;
    std::vector<CudaToken> tokens_;
    std::vector<std::size_t> lines_;
    std::size_t body_ = 0;
    KernelCode code_;
};

}  // namespace

KernelCode readKernelCode(const std::string& file, std::string_view text) {
    return CodeReader(file, text).read();
}

}  // namespace warplens
