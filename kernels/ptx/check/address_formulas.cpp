#include "kernels/ptx/check/address_formulas.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/launch/mapping.h"

namespace warplens::ptx::check {
namespace {

// Arithmetic modulo 2^61 - 1: whole numbers below 2^60 come out as they are, whatever is divided on
// the way.
constexpr u64 prime = (1ull << 61) - 1;
constexpr s64 largest = 1ll << 50;  ///< what a coefficient may be

u64 product(u64 a, u64 b) {
    __extension__ using Wide = unsigned __int128;
    // 2^61 is 1 here: what is above bit 61 is added, which is a tenth of a division's time.
    const Wide whole = static_cast<Wide>(a) * b;
    const u64 rest = (u64(whole) & prime) + u64(whole >> 61);
    return rest >= prime ? rest - prime : rest;
}
u64 residue(s64 value) {
    if (value >= 0 && value < s64(prime)) return u64(value);
    const auto rest = value % s64(prime);
    return u64(rest < 0 ? rest + s64(prime) : rest);
}
/// By Euclid's algorithm, which is at its end soon for what is small or nearly the prime.
u64 inverse(u64 a) {
    s64 rest = s64(prime);
    s64 next = s64(a);
    s64 factor = 0;
    s64 nextFactor = 1;
    while (next != 0) {
        const s64 times = rest / next;
        rest = std::exchange(next, rest - times * next);
        factor = std::exchange(nextFactor, factor - times * nextFactor);
    }
    return residue(factor);
}

constexpr std::size_t mostPasses = 24;  ///< of a loop that are looked at
constexpr std::size_t mostPlaces = 4096;
constexpr std::size_t slots = 6;  ///< blocks that are looked at

s64 sum(const LinearFit::Row& known, const LinearFit::Row& factors) {
    s64 total = 0;
    for (std::size_t at = 1; at < known.size(); ++at) total += known[at] * factors[at];
    return total;
}

/// What loops add: differences of the starts repeat, from the inside out.
std::optional<std::vector<AddressFormula::Loop>> loopsOf(std::vector<s64> starts) {
    std::vector<AddressFormula::Loop> loops;
    while (starts.size() > 1) {
        const s64 bytes = starts[1] - starts[0];
        std::size_t passes = 1;
        while (passes < starts.size() && starts[passes] - starts[passes - 1] == bytes) ++passes;
        if (passes == starts.size()) {
            loops.push_back({bytes, 0});
            break;
        }
        std::vector<s64> outer;
        for (std::size_t at = 0; at < starts.size(); ++at) {
            if (at % passes == 0) outer.push_back(starts[at]);
            const auto expected = outer.back() + s64(at % passes) * bytes;
            if (starts[at] != expected) return std::nullopt;
        }
        loops.push_back({bytes, u32(passes)});
        starts = std::move(outer);
    }
    return loops;
}

}  // namespace

bool LinearFit::add(const Row& known, s64 value) {
    if (isContradicted_) return false;
    u32 nonzero = 0;
    for (std::size_t at = 0; at < unknowns; ++at) nonzero |= u32{known[at] != 0} << at;
    if (solved_ && (nonzero & ~pivots_) == 0) {
        __extension__ using Wide = __int128;
        Wide total = 0;
        for (std::size_t at = 0; at < unknowns; ++at) total += Wide{known[at]} * (*solved_)[at];
        isContradicted_ = total != value;
        return !isContradicted_;
    }
    seen_ |= nonzero;
    Equation equation{};
    for (std::size_t at = 0; at < unknowns; ++at) equation[at] = residue(known[at]);
    equation[unknowns] = residue(value);
    for (std::size_t at = 0; at < unknowns; ++at) {
        const u64 factor = equation[at];
        if (factor == 0) continue;
        if (!rows_[at]) {
            const u64 scale = inverse(factor);
            for (u64& term : equation) term = product(term, scale);
            rows_[at] = equation;
            pivots_ |= 1u << at;
            solved_.reset();
            return true;
        }
        for (std::size_t term = at; term <= unknowns; ++term) {
            const u64 taken = product((*rows_[at])[term], factor);
            equation[term] += equation[term] < taken ? prime - taken : 0 - taken;
        }
    }
    isContradicted_ = equation[unknowns] != 0;
    if ((seen_ & ~pivots_) == 0) solved_ = solution();
    return !isContradicted_;
}

std::optional<LinearFit::Row> LinearFit::solution() const {
    if (isContradicted_) return std::nullopt;
    Row found{};
    for (std::size_t at = unknowns; at-- > 0;) {
        if (!rows_[at]) continue;
        u64 value = (*rows_[at])[unknowns];
        for (std::size_t term = at + 1; term < unknowns; ++term) {
            const u64 taken = product((*rows_[at])[term], residue(found[term]));
            value += value < taken ? prime - taken : 0 - taken;
        }
        found[at] = s64(value);
        if (value > prime / 2) found[at] -= s64(prime);
        if (found[at] > largest || found[at] < -largest) return std::nullopt;
    }
    return found;
}

/// What a site did to one array.
struct AddressFormulas::Place final {
    struct Pass final {
        LinearFit ofThreads;
        LinearFit ofLanes;
        LinearFit::Row thread{};  ///< of the first access
        LinearFit::Row lane{};
        s64 value = 0;
    };
    u32 bytes = 4;
    std::vector<Pass> passes;
    /// How often each thread of each block came here.
    std::array<std::vector<u16>, slots> counts;

    [[nodiscard]] std::optional<AddressFormula> formula(LinearFit Pass::*fit,
                                                        LinearFit::Row Pass::*first) const;
};

std::optional<AddressFormula> AddressFormulas::Place::formula(LinearFit Pass::*fit,
                                                              LinearFit::Row Pass::*first) const {
    const auto solved = (passes.front().*fit).solution();
    if (!solved) return std::nullopt;
    AddressFormula formula;
    formula.elementBytes = bytes;
    std::copy_n(solved->begin() + 1, 3, formula.thread.begin());
    std::copy_n(solved->begin() + 4, 3, formula.block.begin());
    formula.start = solved->front();
    std::vector<s64> starts;
    bool isSame = true;
    for (const Pass& pass : passes) {
        const auto own = (pass.*fit).solution();
        if (!own) break;  // from here on it is another one
        for (std::size_t at = 1; at < own->size(); ++at)
            isSame &= !(pass.*fit).says(at) || (*own)[at] == (*solved)[at];
        starts.push_back(pass.value - sum(pass.*first, *solved));
        formula.eachPass.push_back((*own)[1]);
    }
    if (isSame) {
        formula.eachPass.clear();
        if (auto loops = loopsOf(std::move(starts))) formula.loops = *std::move(loops);
    }
    return formula;
}

AddressFormulas::AddressFormulas() = default;
AddressFormulas::~AddressFormulas() = default;

void AddressFormulas::onLaunchBegin(const GridRun& grid) {
    grid_ = &grid;
    running_.clear();
    places_.clear();
    branches_.clear();
}

std::optional<std::size_t> AddressFormulas::chosen(const BlockRun& block) const {
    for (const auto& [run, slot] : running_) {
        if (run == &block) return slot;
    }
    return std::nullopt;
}

void AddressFormulas::onBlockBegin(const BlockRun& block) {
    const Extents grid = grid_->launch().grid;
    const u64 last = grid.count() - 1;
    const std::array<u64, slots> wanted{0,
                                        grid.x > 1 ? 1u : last,
                                        grid.y > 1 ? u64{grid.x} : last,
                                        grid.z > 1 ? u64{grid.x} * grid.y : last,
                                        last / 2,
                                        last};
    const auto found = std::ranges::find(wanted, block.rank);
    if (found == wanted.end()) return;
    const auto slot = static_cast<std::size_t>(found - wanted.begin());
    running_.emplace_back(&block, slot);
}

void AddressFormulas::onBlockEnd(const BlockRun& block) {
    std::erase_if(running_, [&](const auto& entry) { return entry.first == &block; });
}

void AddressFormulas::onRequest(const Request& request) {
    if (running_.empty()) return;
    const BlockRun& block = *request.warp.block;
    const auto slot = chosen(block);
    if (!slot || isLocal(request.kind) || request.lanes == 0) return;
    const auto firstLane = lowest(request.lanes);
    const u64 address = request.warp.addresses[firstLane];
    u32 array = 0;
    u64 base = 0;
    if (isShared(request.kind)) {
        array = inShared | u32((address & 0xffffffffu) >> sharedArrayShift);
        base = address >> sharedArrayShift << sharedArrayShift;
    } else {
        const Allocation* found = grid_->program().memory().find(address);
        // How far one array is from the next is nobody's doing.
        const std::uint64_t last = request.warp.addresses[std::bit_width(request.lanes) - 1];
        if (found == nullptr || !found->holds(last, request.bytes)) return;
        array = found->id;
        base = found->address;
    }
    std::unique_ptr<Place>& place = places_[{request.site, array}];
    if (place == nullptr) {
        if (places_.size() > mostPlaces) {
            places_.erase({request.site, array});
            return;
        }
        place = std::make_unique<Place>();
        place->bytes = request.bytes;
    }
    std::vector<u16>& counts = place->counts[*slot];
    const Extents threads = grid_->launch().block;
    counts.resize(threads.count());
    // A warp whose lanes were all taken in the first passes says as much as the others, and later,
    // and in other blocks in the first pass.
    const std::size_t inFull = request.warp.rank != 0 ? 0 : *slot == 0 ? 3 : 1;
    u32 looked = 0;
    forEachLane(request.lanes, [&](u32 lane) {
        const u32 rank = request.warp.rank * lanesPerWarp + lane;
        u16& count = counts[rank];
        if (count >= mostPasses) return;
        const std::size_t at = count++;
        if (at >= inFull && looked++ > 2 && (request.lanes >> lane) != 1) return;
        if (place->passes.size() <= at) place->passes.resize(at + 1);
        Place::Pass& pass = place->passes[at];
        const Index3 thread = threadIndexInBlock({rank}, threads);
        const LinearFit::Row byThread{
            1, thread.x, thread.y, thread.z, block.index.x, block.index.y, block.index.z};
        LinearFit::Row byLane = byThread;
        byLane[1] = lane, byLane[2] = request.warp.rank, byLane[3] = 0;
        const auto value = s64(request.warp.addresses[lane] - base);
        if (!pass.ofThreads.says(0)) {
            pass.thread = byThread;
            pass.lane = byLane;
            pass.value = value;
        }
        (void)pass.ofThreads.add(byThread, value);
        (void)pass.ofLanes.add(byLane, value);
    });
}

void AddressFormulas::onBranch(const Warp& warp, const Step& step, u32 active, u32 taken) {
    if (running_.empty() || taken == 0 || taken == active || !chosen(*warp.block)) return;
    Branch& branch = branches_[step.site];
    for (u32 bit = 0; bit < 5; ++bit) {
        u32 set = 0;
        for (u32 lane = 0; lane < lanesPerWarp; ++lane) set |= (lane >> bit & 1u) << lane;
        if (taken != (set & active) && taken != (~set & active)) branch.bits &= ~(1u << bit);
    }
    bool isEvery = false;
    for (u32 every = 2; every <= lanesPerWarp && !isEvery; every *= 2) {
        u32 set = 0;
        for (u32 lane = 0; lane < lanesPerWarp; lane += every) set |= 1u << lane;
        isEvery = taken == (set & active) || taken == (~set & active);
        if (isEvery) branch.every = branch.every.value_or(every) == every ? every : 0;
    }
    branch.isEvery = branch.isEvery && isEvery;
    // One way up to a lane, and the other from there on.
    const u32 ofFirst = (taken & (active & -active)) != 0 ? taken : active & ~taken;
    const auto count = u32(std::bit_width(ofFirst));
    const u32 before = count == lanesPerWarp ? allLanes : (1u << count) - 1;
    if ((before & active) != ofFirst)
        branch.isFirst = false;
    else if (branch.first && *branch.first != count)
        branch.first = 0;
    else
        branch.first = count;
}

bool AddressFormulas::hasSeen(u32 site, u32 array) const {
    return places_.contains({site, array});
}

std::optional<AddressFormula> AddressFormulas::of(u32 site, u32 array) const {
    const auto found = places_.find({site, array});
    if (found == places_.end() || found->second->passes.empty()) return std::nullopt;
    using Pass = Place::Pass;
    if (auto formula = found->second->formula(&Pass::ofThreads, &Pass::thread)) return formula;
    auto formula = found->second->formula(&Pass::ofLanes, &Pass::lane);
    if (formula) formula->ofLanes = true;
    return formula;
}

std::optional<DivergingLanes> AddressFormulas::ofBranch(u32 site) const {
    const auto found = branches_.find(site);
    if (found == branches_.end()) return std::nullopt;
    DivergingLanes lanes;
    if (found->second.bits != 0) lanes.bit = lowest(found->second.bits);
    if (found->second.isFirst) lanes.first = found->second.first;
    if (found->second.isEvery) lanes.every = found->second.every;
    return lanes;
}

}  // namespace warplens::ptx::check
