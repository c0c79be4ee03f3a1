#pragma once

#include "core/program/program_sources.h"
#include "core/program/remedies.h"
#include "core/program/source_edit.h"

/// The edits of the table's rows (remedies.h), each where its condition holds.
namespace warplens {

/// A kernel in the text of its file, to be changed.
struct KernelText final : source::SourceEdit {
    source::KernelSource kernel;
    source::TextSpan body;

    [[nodiscard]] bool says(std::string_view word) const;  ///< in its body
    /// Where the code of a line begins, or of as much of it as is in the body.
    [[nodiscard]] std::size_t beginOf(std::uint32_t line) const;
    /// What the parameter points to: `float`; empty where it is no parameter, or no pointer.
    [[nodiscard]] std::string elementOf(std::string_view parameter) const;
    /// Where a shared array is declared, with its sizes as they are written.
    struct Shared final {
        source::TextSpan statement;
        std::vector<source::TextSpan> sizes;
    };
    [[nodiscard]] std::vector<Shared> sharedNamed(std::string_view array) const;
};
/// That around the place; nothing where that is in no kernel of these files.
[[nodiscard]] std::optional<KernelText> kernelAt(const std::vector<ProgramFile>& files,
                                                 const SourcePlace& place);

/// `kernel<<<grid, block>>>(arguments)`.
struct LaunchSite final {
    std::size_t begin = 0;
    std::vector<source::TextSpan> configuration;
    std::vector<source::TextSpan> arguments;
};
/// Of the kernel, or of all kernels where no name is given.
[[nodiscard]] std::vector<LaunchSite> launchSites(const source::SourceEdit& text,
                                                  std::string_view kernel = {});
/// The numbers of a site's grid (0) or block (1) as they are written, x first: of `dim3(8, 4)`, of
/// a variable.
[[nodiscard]] std::vector<source::TextSpan> dimensionsOf(const source::SourceEdit& text,
                                                         const LaunchSite& site, std::size_t which);
/// What a name is defined as, or that by a name again: a number in the end, mostly.
[[nodiscard]] source::TextSpan behindNames(const source::SourceEdit& text, source::TextSpan name,
                                           std::size_t at);

void addEdit(RemedyCause& cause, std::string_view remedy, const source::SourceEdit& edit);

/// threadIdx.x and .y there in each other's place, and those of the other variables where all are
/// meant.
void exchangeAxes(source::SourceEdit& edit, source::TextSpan within, bool isOfThreadOnly);

/// `out[x * height + y] = in[y * width + x];` of a square block, by way of a shared tile: the
/// access that is costly is made with threadIdx.x and threadIdx.y exchanged.
void tileInShared(const KernelText& kernel, const ProgramLine& line, const LaunchReport& launch,
                  RemedyCause& cause);

/// Of a line that costs too much.
void findEdits(const ProgramLine& line, const LaunchReport& launch, const ProgramSources& sources,
               RemedyCause& cause);
/// Of findings of one kind in one kernel, or on the host.
void findEdits(const ProgramTrace& trace, const ProgramSources& sources,
               const std::vector<const Finding*>& findings, RemedyCause& cause);

}  // namespace warplens
