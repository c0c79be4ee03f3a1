#include "tests/gpu/probe/site_lines.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace warplens {
namespace {

class ProbedLines final {
  public:
    void addGlobal(const Site& site, const SiteTally& tally) {
        ProgramLine& line = at(site, accessKindOf(site.kind, false));
        line.requests += tally.requests;
        line.activeLanes += tally.lanes;
        line.sectors += tally.sectors;
        line.idealSectors += tally.idealSectors;
        line.uniqueBytes += tally.uniqueBytes;
        line.requestedBytes += tally.lanes * site.bytes;
        raiseSame(line, tally);
    }

    void addShared(const Site& site, const SiteTally& tally) {
        ProgramLine& line = at(site, accessKindOf(site.kind, true));
        line.requests += tally.sharedRequests;
        line.activeLanes += tally.sharedLanes;
        line.wavefronts += tally.wavefronts;
        line.idealWavefronts += tally.idealWavefronts;
        raiseSame(line, tally);
    }

    void addBranch(const Site& site, const SiteTally& tally) {
        ProgramLine& line = at(site, AccessKind::branch);
        line.requests += tally.requests;
        line.activeLanes += tally.lanes;
        line.divergent += tally.divergent;
    }

    std::vector<ProgramLine> take() {
        std::vector<ProgramLine> lines;
        for (auto& [key, line] : lines_) lines.push_back(std::move(line));
        return lines;
    }

  private:
    ProgramLine& at(const Site& site, AccessKind kind) {
        ProgramLine& line = lines_[std::tuple(site.file, site.line, site.column, kind)];
        line.place = {site.file, site.line, site.column};
        line.kind = kind;
        line.source = Source::compiled;
        return line;
    }
    static void raiseSame(ProgramLine& line, const SiteTally& tally) {
        line.mostSameAddress =
            std::max(line.mostSameAddress, static_cast<std::uint32_t>(tally.mostSameAddress));
    }

    std::map<std::tuple<std::string, std::uint32_t, std::uint32_t, AccessKind>, ProgramLine> lines_;
};

}  // namespace

std::vector<ProgramLine> probedLines(std::span<const Site> sites,
                                     std::span<const SiteTally> tallies) {
    ProbedLines lines;
    for (std::size_t i = 0; i < sites.size(); ++i) {
        if (sites[i].kind == SiteKind::branch) {
            if (tallies[i].requests != 0) lines.addBranch(sites[i], tallies[i]);
            continue;
        }
        if (tallies[i].requests != 0) lines.addGlobal(sites[i], tallies[i]);
        if (tallies[i].sharedRequests != 0) lines.addShared(sites[i], tallies[i]);
    }
    return lines.take();
}

}  // namespace warplens
