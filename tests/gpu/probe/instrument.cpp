#include "tests/gpu/probe/instrument.h"

#include <algorithm>
#include <map>

#include "core/program/program_sources.h"
#include "tests/gpu/probe/probe.h"
#include "tests/gpu/probe/ptx_reader.h"

namespace warplens {
namespace {

constexpr const char* probeRegisters =
    "\t.reg .b64 %warplens_a;\n\t.reg .b32 %warplens_s;\n\t.reg .b32 %warplens_t;\n";

/// Whether a line of a function's body does something when it runs.
bool isInstruction(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    return begin != std::string_view::npos &&
           std::string_view("./{}$").find(line[begin]) == std::string_view::npos;
}

/// Where each array in shared memory begins, told to the probe.
std::string tellSharedBegins(const std::vector<std::string>& symbols) {
    std::string code;
    for (std::size_t i = 0; i < std::min(symbols.size(), mostSharedSymbols); ++i) {
        code += "\tmov.u32 %warplens_s, " + symbols[i] + ";\n\tst.global.u32 [" +
                probeSharedSymbol + "+" + std::to_string(4 * i) + "], %warplens_s;\n";
    }
    return code;
}

/// Walks PTX line by line and knows the function and the place in the source.
class PtxWalk final {
  public:
    PtxWalk(const std::string& ptx, const std::set<std::string>& kernels,
            const std::set<std::string>& own)
        : ptx_(ptx), kernels_(kernels), own_(own), files_(filesOf(ptx)) {}

    /// Calls `visit(line, counted)`, where counted says whether it lies in a function that is
    /// counted, and `open(line)` at the brace that opens such a function.
    template <class Visit, class Open>
    void run(Visit visit, Open open) {
        std::size_t at = 0;
        while (at < ptx_.size()) {
            const std::size_t end = std::min(ptx_.find('\n', at), ptx_.size());
            const std::string_view line(ptx_.data() + at, end - at);
            at = end + 1;
            step(line, visit, open);
        }
    }

    [[nodiscard]] Site siteHere(std::string_view line) const {
        Site site{.function = function_};
        const PtxPlace place = placeHere();
        if (place.line != 0) site.file = fileOf(place);
        site.line = place.line;
        site.column = place.column;
        const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
        const std::size_t end = std::min(line.find(';'), line.size());
        site.instruction = line.substr(begin, end - begin);
        std::ranges::replace(site.instruction, '\t', ' ');
        return site;
    }

    /// Where the code is, or the call in an own file that it was inlined for.
    [[nodiscard]] PtxPlace placeHere() const {
        PtxPlace place = places_.place;
        for (std::size_t depth = 0; depth < callers_.size() && !isOwn(place.file); ++depth) {
            const auto caller = callers_.find(place);
            if (caller == callers_.end()) break;
            place = caller->second;
        }
        return isOwn(place.file) ? place : places_.place;
    }
    [[nodiscard]] std::string fileOf(const PtxPlace& place) const {
        const auto file = files_.find(place.file);
        if (file == files_.end()) return {};
        const std::string own = ownFile(file->second, own_);
        return own.empty() ? file->second : own;
    }

  private:
    [[nodiscard]] bool isOwn(std::uint32_t number) const {
        const auto file = files_.find(number);
        return own_.empty() || (file != files_.end() && !ownFile(file->second, own_).empty());
    }

    template <class Visit, class Open>
    void step(std::string_view line, Visit& visit, Open& open) {
        if (depth_ == 0) {
            if (const auto function = functionOf(line)) {
                function_ = function->symbol;
                counted_ = !function->kernel || kernels_.contains(function->symbol);
                places_ = {};
                callers_.clear();
            }
        } else if (const auto places = placesOf(line)) {
            places_ = *places;
            if (places->calledAt) callers_[places->place] = *places->calledAt;
        }
        visit(line, counted_ && depth_ > 0);
        for (const char c : line) {
            if (c == '{') {
                if (depth_++ == 0 && counted_ && !function_.empty()) open();
            } else if (c == '}') {
                --depth_;
            }
        }
        // What follows is another function, or none; so it is behind a mere declaration.
        if (depth_ == 0 && line.find_first_of("};") != std::string_view::npos) function_.clear();
    }

    const std::string& ptx_;
    const std::set<std::string>& kernels_;
    const std::set<std::string>& own_;
    std::map<std::uint32_t, std::string> files_;
    std::string function_;
    PtxPlaces places_{};
    std::map<PtxPlace, PtxPlace> callers_;  ///< of inlined code, as the function has told so far
    int depth_ = 0;
    bool counted_ = false;
};

Site siteOf(const PtxWalk& walk, std::string_view line, const PtxAccess& access) {
    Site site = walk.siteHere(line);
    site.kind = access.kind;
    site.space = access.space;
    site.bytes = access.bytes;
    return site;
}

/// What stands before an access.
std::string codeBefore(const ProbeCode& probe, const PtxAccess& access, std::size_t site) {
    const bool isRegister = access.base.starts_with('%');
    const bool wide = access.space != SiteSpace::shared;
    std::string code;
    if (wide) {
        code = isRegister ? "\tadd.s64 %warplens_a, " + access.base + ", " + access.offset + ";\n"
                          : "\tmov.u64 %warplens_a, " + access.base +
                                ";\n\tadd.s64 %warplens_a, %warplens_a, " + access.offset + ";\n";
    } else {
        // Compilers keep addresses of shared memory in 64-bit registers, called %rd.
        code = isRegister && access.base.starts_with("%rd")
                   ? "\tcvt.u32.u64 %warplens_s, " + access.base + ";\n"
                   : "\tmov.u32 %warplens_s, " + access.base + ";\n";
        code += "\tadd.s32 %warplens_s, %warplens_s, " + access.offset + ";\n";
    }
    const bool atomic = access.kind == SiteKind::atomic;
    const std::string label = "WL" + std::to_string(site);
    std::string function = std::string("warplens_") +
                           (access.space == SiteSpace::global   ? "global"
                            : access.space == SiteSpace::shared ? "shared"
                                                                : "generic") +
                           (atomic ? "_atomic" : "");
    std::vector<std::string> arguments{wide ? "%warplens_a" : "%warplens_s", std::to_string(site)};
    if (wide) {
        arguments.push_back(std::to_string(access.bytes));
    } else {
        function += access.bytes <= 4 ? "_4" : access.bytes == 8 ? "_8" : "_16";
    }
    code += probe.block(function, arguments, label);
    if (access.guard.empty()) return code;
    // Those that do not access go round it.
    const bool negated = access.guard.starts_with("@!");
    const std::string round = "$L" + label + "_round";
    return '\t' + (negated ? "@" + access.guard.substr(2) : "@!" + access.guard.substr(1)) +
           " bra " + round + ";\n" + code + round + ":\n";
}

std::string codeBefore(const ProbeCode& probe, const PtxBranch& branch, std::size_t site) {
    return std::string("\tselp.u32 %warplens_t, ") + (branch.negated ? "0, 1, " : "1, 0, ") +
           branch.predicate + ";\n" +
           probe.block("warplens_branch", {"%warplens_t", std::to_string(site)},
                       "WL" + std::to_string(site));
}

void noteOnce(std::vector<std::string>& notes, std::string note) {
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
}

}  // namespace

InstrumentedPtx instrument(const ProbeCode& probe, const std::string& ptx,
                           const std::set<std::string>& kernels, const Extents& block,
                           const std::set<std::string>& files) {
    InstrumentedPtx result;
    result.ptx.reserve(2 * ptx.size());
    PtxWalk walk(ptx, kernels, files);
    bool declared = false;
    bool openBrace = false;             // the next line starts the body of a counted function
    bool inHead = false;                // of a kernel that is counted
    bool begins = false;                // such a kernel, before its first instruction
    std::vector<std::string> ofModule;  // arrays in shared memory that every function sees
    bool bounded = false;
    const std::string bound = "\t.maxntid " + std::to_string(block.x) + ", " +
                              std::to_string(block.y) + ", " + std::to_string(block.z) + "\n";
    walk.run(
        [&](std::string_view line, bool counted) {
            if (openBrace) {
                result.ptx += probeRegisters;
                openBrace = false;
            }
            if (const auto symbol = sharedSymbolOf(line)) {
                if (line.starts_with('.')) ofModule.push_back(*symbol);
                if (begins && counted) result.sharedSymbols.push_back(*symbol);
            }
            if (begins && counted && isInstruction(line)) {
                result.ptx += tellSharedBegins(result.sharedSymbols);
                begins = false;
            }
            if (counted) {
                if (const auto access = accessOf(line)) {
                    result.ptx += codeBefore(probe, *access, result.sites.size());
                    result.sites.push_back(siteOf(walk, line, *access));
                } else if (const auto branch = branchOf(line)) {
                    result.ptx += codeBefore(probe, *branch, result.sites.size());
                    Site site = walk.siteHere(line);
                    site.kind = SiteKind::branch;
                    result.sites.push_back(std::move(site));
                } else if (const auto name = uncountedOf(line)) {
                    const Site site = walk.siteHere(line);
                    noteOnce(result.notes, site.file + ":" + std::to_string(site.line) + ": " +
                                               *name + " is not probed");
                }
            } else if (const auto function = functionOf(line)) {
                inHead = function->kernel && kernels.contains(function->symbol);
                bounded = false;
                begins = inHead;
                if (begins) result.sharedSymbols = ofModule;
            }
            if (inHead) {
                bounded = bounded || line.find(".maxntid") != std::string_view::npos ||
                          line.find(".reqntid") != std::string_view::npos;
                if (line.starts_with('{')) {
                    if (!bounded) result.ptx += bound;
                    inHead = false;
                }
            }
            result.ptx += line;
            result.ptx += '\n';
            if (!declared && line.starts_with(".address_size")) {
                result.ptx += probe.declarations();
                declared = true;
            }
        },
        [&] { openBrace = true; });
    if (!declared) throw UnknownPtx("the PTX names no address size");
    return result;
}

std::vector<Site> sitesOf(const std::string& ptx, const std::set<std::string>& kernels,
                          const std::set<std::string>& files) {
    std::vector<Site> sites;
    PtxWalk walk(ptx, kernels, files);
    walk.run(
        [&](std::string_view line, bool counted) {
            if (!counted) return;
            if (const auto access = accessOf(line)) {
                sites.push_back(siteOf(walk, line, *access));
            } else if (branchOf(line)) {
                sites.push_back(walk.siteHere(line));
                sites.back().kind = SiteKind::branch;
            }
        },
        [] {});
    return sites;
}

}  // namespace warplens
