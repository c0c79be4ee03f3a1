#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/cuda_tokens.h"

namespace warplens {

/// One file of a person's program, as text.
struct ProgramFile final {
    std::string path;  ///< as shown beside its lines: `my.cu`, `include/my.h`
    std::string text;
    std::vector<std::string> includedAs{};  ///< the names that `#include` directives give it
    friend bool operator==(const ProgramFile&, const ProgramFile&) = default;
};

/// What a compiler without a file system needs of a program.
struct ProgramSources final {
    std::vector<ProgramFile> units{};    ///< the `.cu` files, each compiled by itself
    std::vector<ProgramFile> headers{};  ///< those they include of the person's own, and so on
    std::vector<std::string> defines{};  ///< `N=64`: what the compiler was given beside them
    friend bool operator==(const ProgramSources&, const ProgramSources&) = default;
};

inline constexpr std::size_t mostSourceBytes = 8u << 20;  ///< of all files of a program together

/// Reads `units` and follows their `#include` directives into the including file's folder, then
/// into `includeFolders`; names found in neither are the system's and stay out. Throws as readFile
/// (core/text/files.h), and std::runtime_error for more than `mostSourceBytes` together.
[[nodiscard]] ProgramSources readProgramSources(const std::vector<std::string>& units,
                                                const std::vector<std::string>& includeFolders);

/// How the program's files are called.
[[nodiscard]] std::set<std::string> filesOf(const ProgramSources& sources);

/// The text of a file of the program; empty where it has none of that path.
[[nodiscard]] std::string_view textOf(const ProgramSources& sources, std::string_view path);
/// A line of it, from 1, without its end; empty where there is none.
[[nodiscard]] std::string_view lineOf(std::string_view text, std::uint32_t line);

/// The one of `files` that a compiler means by `path`: itself, or the same behind some folders,
/// since compilers make paths whole and others shorten them; empty where it is none of them.
[[nodiscard]] std::string ownFile(const std::string& path, const std::set<std::string>& files);

}  // namespace warplens

namespace warplens::source {

/// One parameter of a kernel as written.
struct KernelParameter final {
    std::string type;  ///< `const float*`, without the name
    std::string name;  ///< empty where it has none
    bool isPack = false;
};

/// A __global__ function with a body.
struct KernelSource final {
    std::string name;
    TextPlace place;                                ///< of the name
    std::optional<std::string> templateParameters;  ///< `int N`; of no template: none
    std::vector<KernelParameter> parameters;
    std::size_t bodyBegin = 0;  ///< one past its {
    std::size_t bodyEnd = 0;
};

/// `unsigned int*` of `const unsigned int* __restrict__`: without what does not change its size.
[[nodiscard]] std::string unqualified(std::string_view type);

/// In the order of the text, which is a masked one.
[[nodiscard]] std::vector<KernelSource> kernelsIn(std::string_view masked);

/// Functions of the host, told in the same way, that launch kernels, or call others that do, and
/// that none of the text calls.
[[nodiscard]] std::vector<KernelSource> launchersIn(std::string_view masked);

}  // namespace warplens::source
