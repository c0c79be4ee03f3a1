#include "kernels/device/code/separate.h"

#include <algorithm>
#include <array>

#include "core/text/encoding.h"

namespace warplens {
namespace {

using SeparatedNames = std::set<std::string, std::less<>>;

struct PartedFile final {
    const ProgramFile* source = nullptr;
    std::vector<CodePart> parts{};
    std::vector<bool> stays{};
};

/// Chooses the parts that stay.
class Reach final {
  public:
    Reach(std::vector<PartedFile>& files, const std::set<std::size_t>& without,
          const std::vector<std::string>& kernels)
        : files_(files), without_(without) {
        for (const std::string& kernel : kernels) {
            for (const CudaToken& token : cudaTokens(kernel)) {
                if (token.kind == CudaTokenKind::identifier) wanted_.emplace(token.text);
            }
        }
        for (PartedFile& file : files_) {
            file.stays.assign(file.parts.size(), false);
            for (const CodePart& part : file.parts) {
                if (part.onDevice) keepNames(part);
            }
        }
        std::size_t id = 0;
        for (PartedFile& file : files_) {
            for (std::size_t i = 0; i < file.parts.size(); ++i, ++id) {
                file.stays[i] = file.parts[i].onDevice && !without_.contains(id);
            }
        }
        while (grow()) {
        }
    }

  private:
    void keepNames(const CodePart& part) { wanted_.insert(part.uses.begin(), part.uses.end()); }

    bool grow() {
        bool grew = false;
        std::size_t id = 0;
        for (PartedFile& file : files_) {
            for (std::size_t i = 0; i < file.parts.size(); ++i, ++id) {
                if (file.stays[i] || without_.contains(id) || !mayStay(file.parts[i])) continue;
                file.stays[i] = grew = true;
                if (file.parts[i].kind != CodePartKind::include) keepNames(file.parts[i]);
            }
        }
        return grew;
    }

    [[nodiscard]] bool mayStay(const CodePart& part) const {
        switch (part.kind) {
            case CodePartKind::include:
                return staysIncluded(*part.declares.begin());
            case CodePartKind::usingNamespace:
                return isKnownNamespace(part);
            case CodePartKind::function:
                return part.isConstexpr && isWanted(part);
            case CodePartKind::type:
            case CodePartKind::variable:
            case CodePartKind::macro:
                return isWanted(part);
            case CodePartKind::other:
                return false;
        }
        return false;
    }

    [[nodiscard]] bool staysIncluded(const std::string& name) const {
        return isDeviceHeader(name) || std::ranges::any_of(files_, [&](const PartedFile& file) {
                   return std::ranges::find(file.source->includedAs, name) !=
                          file.source->includedAs.end();
               });
    }

    [[nodiscard]] static bool isKnownNamespace(const CodePart& part) {
        static constexpr std::array<std::string_view, 4> known{"cooperative_groups", "nvcuda",
                                                               "std", "cuda"};
        return std::ranges::any_of(known,
                                   [&](std::string_view name) { return part.uses.contains(name); });
    }

    [[nodiscard]] bool isWanted(const CodePart& part) const {
        return std::ranges::any_of(part.declares,
                                   [&](const std::string& name) { return wanted_.contains(name); });
    }

    std::vector<PartedFile>& files_;
    const std::set<std::size_t>& without_;
    SeparatedNames wanted_;
};

void blank(std::string& text, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
    }
}

/// Blanks a part but for the directives in it that choose or define.
void blankPart(std::string& text, const CodePart& part) {
    std::vector<CodePart::Range> kept;
    if (part.kind != CodePartKind::include && part.kind != CodePartKind::macro) {
        const std::string_view inside =
            std::string_view(text).substr(part.begin, part.end - part.begin);
        for (const CudaToken& token : cudaTokens(inside)) {
            if (token.kind != CudaTokenKind::directive) continue;
            const std::string_view name = directiveName(token);
            const bool stays = name.starts_with("if") || name.starts_with("el") ||
                               name == "endif" || name == "define" || name == "undef";
            if (stays) kept.push_back({part.begin + token.begin, part.begin + token.end});
        }
    }
    std::size_t at = part.begin;
    for (const CodePart::Range range : kept) {
        blank(text, at, range.begin);
        at = range.end;
    }
    blank(text, at, part.end);
}

std::string quoted(const std::string& path) {
    std::string text = "\"";
    for (const char c : path) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text + '"';
}

std::string separatedText(const PartedFile& file) {
    std::string text = file.source->text;
    for (std::size_t i = 0; i < file.parts.size(); ++i) {
        const CodePart& part = file.parts[i];
        if (!file.stays[i]) {
            blankPart(text, part);
        } else {
            for (const CodePart::Range range : part.hostMembers) {
                blank(text, range.begin, range.end);
            }
        }
    }
    constexpr std::string_view managed = "__managed__";
    for (std::size_t at = text.find(managed); at != std::string::npos;
         at = text.find(managed, at)) {
        text.replace(at, managed.size(), "__device__ ");
    }
    return "#line 1 " + quoted(file.source->path) + '\n' + text;
}

}  // namespace

bool isDeviceHeader(const std::string& name) {
    static constexpr std::array<std::string_view, 14> beginnings{
        "cooperative_groups", "cuda_fp16", "cuda_bf16",  "cuda_fp8",      "cuda_fp6",
        "cuda_fp4",           "cuda/",     "cub/",       "curand_kernel", "cuda_pipeline",
        "cuda_awbarrier",     "mma.h",     "math_const", "cuComplex.h"};
    return std::ranges::any_of(
        beginnings, [&](std::string_view beginning) { return name.starts_with(beginning); });
}

DeviceCode separateDeviceCode(const ProgramSources& sources, std::size_t unit,
                              const std::set<std::size_t>& without,
                              const std::vector<std::string>& kernels) {
    std::vector<PartedFile> files{{.source = &sources.units.at(unit)}};
    for (const ProgramFile& header : sources.headers) files.push_back({.source = &header});
    std::vector<std::string_view> texts;
    for (const PartedFile& file : files) texts.push_back(file.source->text);
    const SeparatedNames marks = deviceMarksOf(texts);
    for (PartedFile& file : files) file.parts = codePartsOf(file.source->text, marks);
    const Reach reach(files, without, kernels);

    DeviceCode code;
    code.unit = {files.front().source->path, separatedText(files.front())};
    std::size_t id = 0;
    for (std::size_t f = 0; f < files.size(); ++f) {
        const PartedFile& file = files[f];
        if (f != 0) {
            const std::string text = separatedText(file);
            for (const std::string& name : file.source->includedAs) {
                code.headers.push_back({name, text});
            }
        }
        for (std::size_t i = 0; i < file.parts.size(); ++i, ++id) {
            const CodePart& part = file.parts[i];
            if (!file.stays[i] || part.onDevice || part.kind == CodePartKind::macro) continue;
            code.usesDeviceHeaders =
                code.usesDeviceHeaders ||
                (part.kind == CodePartKind::include && isDeviceHeader(*part.declares.begin()));
            code.unmarked.push_back({file.source->path,
                                     static_cast<int>(lineAt(file.source->text, part.begin)),
                                     static_cast<int>(lineAt(file.source->text, part.end)), id});
        }
    }
    return code;
}

std::vector<std::string> launchedKernels(const std::string& source) {
    std::vector<std::string> found;
    const std::vector<CudaToken> tokens = cudaTokens(source);
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        if (!tokens[i].is("<<<")) continue;
        std::size_t name = i - 1;
        if (tokens[name].is(">")) {
            int depth = 0;
            while (name > 0) {
                if (tokens[name].is(">")) ++depth;
                if (tokens[name].is("<") && --depth == 0) break;
                --name;
            }
            if (name > 0) --name;
        }
        while (name >= 2 && tokens[name - 1].is("::")) name -= 2;
        if (tokens[name].kind != CudaTokenKind::identifier) continue;
        const std::string text =
            source.substr(tokens[name].begin, tokens[i - 1].end - tokens[name].begin);
        if (std::ranges::find(found, text) == found.end()) found.push_back(text);
    }
    return found;
}

}  // namespace warplens
