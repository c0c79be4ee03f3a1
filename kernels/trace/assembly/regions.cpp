#include "kernels/trace/assembly/regions.h"

#include "kernels/trace/runtime/tables.h"

namespace warplens::assembly {

std::string placeRegions(const ControlFlow& flow, std::size_t firstSite,
                         std::vector<PlannedSite>& sites) {
    if (sites.empty()) return {};
    const std::size_t words = (sites.size() + 63) / 64;
    std::string table;
    for (std::size_t s = 0; s < sites.size(); ++s) {
        if (sites[s].kind != runtime::SiteKind::branch) continue;
        const auto arms = flow.arms(sites[s].block);
        for (std::size_t way : {0, 1}) {
            if (arms[way].block == 0) continue;
            sites[s].arms[way] = arms[way].block | (arms[way].isShared ? runtime::armIsShared : 0);
        }
        std::vector<bool> inside(flow.blocks().size(), false);
        for (const std::uint32_t block : flow.between(sites[s].block)) inside[block] = true;
        sites[s].region = ".LWB" + std::to_string(firstSite + s);
        table += sites[s].region + ":\n\t.quad\t";
        for (std::size_t word = 0; word < words; ++word) {
            std::uint64_t bits = 0;
            for (std::size_t b = 0; b < 64 && word * 64 + b < sites.size(); ++b) {
                if (inside[sites[word * 64 + b].block]) bits |= std::uint64_t{1} << b;
            }
            table += (word == 0 ? "" : ",") + std::to_string(bits);
        }
        table += "\n";
    }
    if (table.empty()) return {};
    return "\t.section\twl_regions,\"a\"\n\t.balign 8\n" + table + "\t.text\n";
}

}  // namespace warplens::assembly
