#include "kernels/trace/source/program_source.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace warplens::source {
namespace {

constexpr auto nowhere = std::string_view::npos;

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
        text.remove_prefix(1);
    }
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
        text.remove_suffix(1);
    }
    return text;
}

/// Splits at the commas that stand in no bracket, angle brackets included.
std::vector<std::pair<std::size_t, std::size_t>> splitList(std::string_view masked,
                                                           std::size_t from, std::size_t to) {
    std::vector<std::pair<std::size_t, std::size_t>> parts;
    int depth = 0;
    std::size_t begin = from;
    for (std::size_t i = from; i < to; ++i) {
        const char c = masked[i];
        if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
        if (c == ')' || c == ']' || c == '}' || (c == '>' && masked[i - 1] != '-')) --depth;
        if (c == ',' && depth == 0) {
            parts.emplace_back(begin, i);
            begin = i + 1;
        }
    }
    if (!trimmed(masked.substr(begin, to - begin)).empty()) parts.emplace_back(begin, to);
    return parts;
}

KernelParameter parameterOf(std::string_view text) {
    KernelParameter parameter;
    parameter.isPack = text.find("...") != nowhere;
    std::string_view declaration = trimmed(text.substr(0, text.find('=')));
    std::string_view extents;
    if (const std::size_t bracket = declaration.find('['); bracket != nowhere) {
        extents = declaration.substr(bracket);
        declaration = trimmed(declaration.substr(0, bracket));
    }
    std::size_t begin = declaration.size();
    while (begin > 0 && isNameCharacter(declaration[begin - 1])) --begin;
    const std::string_view name = declaration.substr(begin);
    const std::string_view type = trimmed(declaration.substr(0, begin));
    static constexpr std::array<std::string_view, 12> typeWords{
        "int",      "float", "double", "char",  "short",  "long",
        "unsigned", "bool",  "half",   "const", "size_t", "signed"};
    // `float*` and `unsigned` name no parameter; neither does `const T`, which looks like one.
    if (type.empty() || std::find(typeWords.begin(), typeWords.end(), name) != typeWords.end()) {
        parameter.type = std::string(trimmed(declaration));
        return parameter;
    }
    parameter.name = std::string(name);
    parameter.type = std::string(type) + (extents.empty() ? "" : "*");
    return parameter;
}

class Rewriter final {
  public:
    explicit Rewriter(std::string_view text) : text_(text), masked_(maskedText(text)) {}

    RewrittenFile rewrite() {
        findKernels();
        findVariables("__constant__", result_.constantNames);
        findVariables("__device__", result_.deviceNames);
        findVariables("__managed__", result_.deviceNames);
        findUnsupported();
        findLaunches();
        findCasts();
        findCopies();
        result_.isCooperative = findWord(masked_, "cudaLaunchCooperativeKernel") != nowhere;
        findMain();
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

    void findKernels() {
        for (std::size_t at = findWord(masked_, "__global__"); at != nowhere;
             at = findWord(masked_, "__global__", at + 1)) {
            kernelAt(at);
        }
    }

    /// Steps over `word(...)` where the word says something about a function.
    [[nodiscard]] static bool isAttribute(std::string_view word) {
        return word == "__launch_bounds__" || word == "__attribute__" || word == "__align__" ||
               word == "__cluster_dims__" || word == "__maxnreg__" || word == "alignas" ||
               word == "decltype" || word == "__block_size__" || word == "__declspec";
    }

    void kernelAt(std::size_t keyword) {
        std::size_t i = keyword;
        std::size_t open = nowhere;
        std::string_view name;
        std::size_t nameAt = 0;
        while (i < masked_.size() && open == nowhere) {
            const char c = masked_[i];
            if (c == ';' || c == '{' || c == '}') return;
            if (c == '#') return;
            if (isNameCharacter(c)) {
                std::size_t end = i;
                while (end < masked_.size() && isNameCharacter(masked_[end])) ++end;
                name = std::string_view(masked_).substr(i, end - i);
                nameAt = i;
                i = end;
                const std::size_t next = skipBlanks(masked_, i);
                if (next < masked_.size() && masked_[next] == '(') {
                    if (isAttribute(name)) {
                        i = closing(masked_, next);
                        if (i == nowhere) return;
                    } else {
                        open = next;
                    }
                }
                continue;
            }
            ++i;
        }
        if (open == nowhere) return;
        const std::size_t close = closing(masked_, open);
        if (close == nowhere) return;
        std::size_t body = close;
        while (body < masked_.size() && masked_[body] != '{' && masked_[body] != ';') ++body;
        if (body >= masked_.size() || masked_[body] == ';') return;
        const std::size_t end = closing(masked_, body);
        KernelSource kernel;
        kernel.name = std::string(name);
        kernel.place = placeAt(masked_, nameAt);
        kernel.isTemplate = isTemplate(keyword);
        kernel.bodyBegin = body + 1;
        kernel.bodyEnd = end == nowhere ? masked_.size() : end;
        std::string types;
        std::string names;
        for (const auto& [from, to] : splitList(masked_, open + 1, close - 1)) {
            KernelParameter parameter =
                parameterOf(std::string_view(masked_).substr(from, to - from));
            if (trimmed(std::string_view(masked_).substr(from, to - from)) == "void") continue;
            if (!parameter.name.empty()) {
                const std::string each = parameter.isPack ? "..." : "";
                types += (types.empty() ? "" : ", ") + ("decltype(" + parameter.name + ")") + each;
                names += (names.empty() ? "" : ", ") + parameter.name + each;
            }
            kernel.parameters.push_back(std::move(parameter));
        }
        edits_.push_back({body + 1, body + 1,
                          " WL_KERNEL((" + types + (names.empty() ? ")" : "), ") + names + ")"});
        result_.kernels.push_back(std::move(kernel));
    }

    [[nodiscard]] bool isTemplate(std::size_t keyword) const {
        // `template <...>` ends the text before, save for `static`, `extern "C"` and attributes.
        const std::size_t stop = masked_.find_last_of(";}{", keyword);
        const std::size_t from = stop == nowhere ? 0 : stop + 1;
        return findWord(std::string_view(masked_).substr(from, keyword - from), "template") !=
               nowhere;
    }

    void findVariables(std::string_view keyword, std::set<std::string, std::less<>>& names) {
        for (std::size_t at = findWord(masked_, keyword); at != nowhere;
             at = findWord(masked_, keyword, at + 1)) {
            std::size_t i = at + keyword.size();
            int angles = 0;
            while (i < masked_.size()) {
                const char c = masked_[i];
                if (c == '<') ++angles;
                if (c == '>') --angles;
                if (angles == 0 && (c == ';' || c == '=' || c == '{' || c == '(' || c == '[')) {
                    break;
                }
                ++i;
            }
            if (i >= masked_.size() || masked_[i] == '(') continue;
            std::size_t end = i;
            while (end > at && std::isspace(static_cast<unsigned char>(masked_[end - 1])) != 0) {
                --end;
            }
            std::size_t begin = end;
            while (begin > at && isNameCharacter(masked_[begin - 1])) --begin;
            if (begin < end) names.insert(masked_.substr(begin, end - begin));
        }
    }

    [[nodiscard]] bool isInKernel(std::size_t at) const {
        return std::any_of(result_.kernels.begin(), result_.kernels.end(),
                           [&](const KernelSource& kernel) {
                               return at >= kernel.bodyBegin && at < kernel.bodyEnd;
                           });
    }

    void refuse(std::size_t at, std::string words) {
        result_.unsupported.push_back({std::move(words), placeAt(masked_, at)});
    }

    void findUnsupported() {
        struct Known final {
            std::string_view word;
            std::string_view words;
        };
        static constexpr std::array<Known, 23> known{
            {{"tex1D", "texture reads cannot be traced"},
             {"tex1Dfetch", "texture reads cannot be traced"},
             {"tex2D", "texture reads cannot be traced"},
             {"tex3D", "texture reads cannot be traced"},
             {"cudaTextureObject_t", "textures cannot be traced"},
             {"cudaSurfaceObject_t", "surfaces cannot be traced"},
             {"cudaBindTexture", "textures cannot be traced"},
             {"cudaMallocArray", "CUDA arrays cannot be traced"},
             {"surf2Dwrite", "surface writes cannot be traced"},
             {"surf2Dread", "surface reads cannot be traced"},
             {"cudaGraphLaunch", "CUDA graphs cannot be traced"},
             {"cudaGraphicsMapResources", "graphics interoperability cannot be traced"},
             {"cuLaunchKernel", "the driver API cannot be traced"},
             {"cuModuleLoad", "the driver API cannot be traced"},
             {"cuInit", "the driver API cannot be traced"},
             {"cuDeviceGet", "the driver API cannot be traced"},
             {"cuCtxGetDevice", "the driver API cannot be traced"},
             {"cudaIpcMemHandle_t", "memory shared between processes cannot be traced"},
             {"cudaMemPoolCreate", "memory pools of the program's own cannot be traced"},
             {"cudaMemPoolSetAccess", "memory of several devices cannot be traced"},
             {"memcpy_async", "asynchronous copies to shared memory cannot be traced"},
             {"wmma", "tensor-core intrinsics cannot be traced"},
             {"__nv_fp8_e4m3", "8-bit floating-point numbers cannot be traced"}}};
        for (const Known& entry : known) {
            if (const std::size_t at = findWord(masked_, entry.word); at != nowhere) {
                refuse(at, std::string(entry.words) + ": " + std::string(entry.word));
            }
        }
        for (const std::string_view word : {"asm", "__asm__", "__asm"}) {
            if (const std::size_t at = findWord(masked_, word); at != nowhere) {
                refuse(at, "inline PTX cannot be traced");
                break;
            }
        }
        for (std::size_t at = masked_.find("#"); at != nowhere; at = masked_.find('#', at + 1)) {
            includeAt(at);
        }
    }

    void includeAt(std::size_t at) {
        std::string_view line(text_);
        line.remove_prefix(at);
        line = line.substr(0, line.find('\n'));
        if (line.find("include") == nowhere || line.find("include") > 8) return;
        struct Library final {
            std::string_view prefix;
            std::string_view name;
        };
        static constexpr std::array<Library, 14> libraries{{{"<thrust/", "Thrust"},
                                                            {"<cub/", "CUB"},
                                                            {"<cublas", "cuBLAS"},
                                                            {"<cufft", "cuFFT"},
                                                            {"<curand", "cuRAND"},
                                                            {"<cusparse", "cuSPARSE"},
                                                            {"<cusolver", "cuSOLVER"},
                                                            {"<cudnn", "cuDNN"},
                                                            {"<nccl", "NCCL"},
                                                            {"<mma.h", "tensor-core intrinsics"},
                                                            {"<cuda/", "libcu++"},
                                                            {"<nvrtc", "NVRTC"},
                                                            {"<npp", "NPP"},
                                                            {"<mpi.h", "MPI"}}};
        for (const Library& library : libraries) {
            std::size_t found = line.find(library.prefix);
            if (found == nowhere) {
                std::string quotedPrefix(library.prefix);
                quotedPrefix[0] = '"';
                found = line.find(quotedPrefix);
            }
            if (found != nowhere) {
                refuse(at, std::string(library.name) + " cannot be traced");
                return;
            }
        }
    }

    void findLaunches() {
        for (std::size_t at = masked_.find("<<"); at != nowhere; at = masked_.find("<<", at + 1)) {
            const std::size_t end = bracketEnd(at, '<');
            if (end == nowhere) continue;
            launchAt(at, end);
            at = end - 1;
        }
    }

    /// One past `<<<` or `>>>`, whose last may stand apart, as formatters leave it: `<< <`.
    [[nodiscard]] std::size_t bracketEnd(std::size_t at, char bracket) const {
        if (masked_[at] != bracket || masked_[at + 1] != bracket) return nowhere;
        const std::size_t third = skipBlanks(masked_, at + 2);
        return third < masked_.size() && masked_[third] == bracket ? third + 1 : nowhere;
    }

    /// Where the expression begins that ends at `end`: `ns::scan<true, (N > 2)>`, `(*chosen)`,
    /// `table[i]`.
    [[nodiscard]] std::size_t beginOfCallee(std::size_t end) const {
        std::size_t i = end;
        const auto back = [&] {
            while (i > 0 && std::isspace(static_cast<unsigned char>(masked_[i - 1])) != 0) --i;
        };
        back();
        if (i > 0 && masked_[i - 1] == '>') {
            int depth = 0;
            while (i > 0) {
                --i;
                if (masked_[i] == ')') {
                    int round = 1;
                    while (i > 0 && round > 0) {
                        --i;
                        if (masked_[i] == ')') ++round;
                        if (masked_[i] == '(') --round;
                    }
                    continue;
                }
                if (masked_[i] == '>') ++depth;
                if (masked_[i] == '<' && --depth == 0) break;
            }
            back();
        } else if (i > 0 && (masked_[i - 1] == ')' || masked_[i - 1] == ']')) {
            int depth = 0;
            while (i > 0) {
                --i;
                if (masked_[i] == ')' || masked_[i] == ']') ++depth;
                if ((masked_[i] == '(' || masked_[i] == '[') && --depth == 0) break;
            }
            back();
        }
        while (i > 0 && (isNameCharacter(masked_[i - 1]) || masked_[i - 1] == ':' ||
                         (masked_[i - 1] == '.' && i > 1 && isNameCharacter(masked_[i - 2])) ||
                         (i > 1 && masked_[i - 1] == '>' && masked_[i - 2] == '-') ||
                         (i > 1 && masked_[i - 1] == '-' && masked_[i] == '>'))) {
            --i;
        }
        // `case 0: k<<<` and `label: k<<<`: a single colon belongs to what is before.
        while (i < end && (masked_[i] == ':' && masked_[i + 1] != ':')) ++i;
        std::size_t word = i;
        while (word < end && isNameCharacter(masked_[word])) ++word;
        const std::string_view first = std::string_view(masked_).substr(i, word - i);
        if (first == "return" || first == "else" || first == "do") i = skipBlanks(masked_, word);
        const std::size_t colon = lastSingleColon(i, end);
        return skipBlanks(masked_, colon == nowhere ? i : colon + 1);
    }
    [[nodiscard]] std::size_t lastSingleColon(std::size_t from, std::size_t to) const {
        std::size_t found = nowhere;
        int angles = 0;
        for (std::size_t i = from; i < to; ++i) {
            if (masked_[i] == '<') ++angles;
            if (masked_[i] == '>') --angles;
            if (masked_[i] != ':' || angles != 0) continue;
            if (masked_[i + 1] == ':') {
                ++i;
                continue;
            }
            found = i;
        }
        return found;
    }

    void launchAt(std::size_t open, std::size_t configuration) {
        const std::size_t begin = beginOfCallee(open);
        std::size_t close = configuration;
        std::size_t closed = nowhere;
        for (int depth = 0; close < masked_.size(); ++close) {
            const char c = masked_[close];
            if (c == '(' || c == '[' || c == '{') ++depth;
            if (c == ')' || c == ']' || c == '}') --depth;
            if (depth != 0 || c != '>') continue;
            closed = bracketEnd(close, '>');
            if (closed != nowhere && (closed >= masked_.size() || masked_[closed] != '>')) break;
        }
        if (close >= masked_.size() || begin >= open) return;
        const std::size_t arguments = skipBlanks(masked_, closed);
        if (arguments >= masked_.size() || masked_[arguments] != '(') return;
        const std::size_t end = closing(masked_, arguments);
        if (end == nowhere) return;
        const std::string kernel(trimmed(std::string_view(text_).substr(begin, open - begin)));
        if (isInKernel(begin)) {
            refuse(begin, "launches from kernels cannot be traced: " + kernel);
            return;
        }
        const TextPlace place = placeAt(masked_, begin);
        result_.launches.push_back({kernel, place});
        std::string name;
        for (const char c : kernel) {
            if (c == '\n' || c == '\\') continue;
            if (c == '"') name += '\\';
            name += c;
        }
        std::string configured = "(::wl::configure(\"" + name + "\", __FILE__, __LINE__, " +
                                 std::to_string(place.column) + ", ";
        configured += text_.substr(configuration, close - configuration);
        configured += "), " + kernel;
        // The arguments stay where they are: launches may be written over several lines.
        configured += text_.substr(closed, arguments - closed);
        edits_.push_back({begin, arguments, configured});
        edits_.push_back({end, end, ")"});
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
                edits_.push_back({i, end, std::string(end - i, ' ')});
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
                edits_.push_back({begin, open, bytewise});
            }
        }
    }

    void findMain() {
        for (std::size_t at = findWord(masked_, "main"); at != nowhere;
             at = findWord(masked_, "main", at + 1)) {
            const std::size_t open = skipBlanks(masked_, at + 4);
            if (open >= masked_.size() || masked_[open] != '(') continue;
            const std::size_t close = closing(masked_, open);
            if (close == nowhere) continue;
            const std::size_t next = skipBlanks(masked_, close);
            if (next < masked_.size() && masked_[next] == '{') result_.hasMain = true;
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
