#include "kernels/ptx/check/address_formulas.h"

#include <algorithm>
#include <bit>
#include <ranges>
#include <span>
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
u64 less(u64 a, u64 b) {
    return a < b ? a + (prime - b) : a - b;
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

/// Lanes by the bits of their index, and those whose index is a multiple of 2, 4, ... 32.
constexpr std::array<u32, 5> withBit{0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000};
constexpr std::array<u32, 5> multiplesOf{0x55555555, 0x11111111, 0x01010101, 0x00010001, 1};

constexpr std::size_t mostPasses = 24;  ///< of a loop that are looked at
constexpr std::size_t mostPlaces = 4096;
constexpr std::size_t mostCallers = 8;  ///< of functions that call one another, the innermost

/// Addresses as a formula of lanes and blocks: equations, solved exactly, modulo a prime.
class LinearFit final {
  public:
    static constexpr std::size_t unknowns = 7;  ///< 1, three of the thread, three of the block
    using Row = std::array<s64, unknowns>;

    /// One access: `known` . the unknowns = `value`.
    void add(const Row& known, s64 value) {
        if (isContradicted_) return;
        if (seen_ == 0) {
            first_ = known;
            firstValue_ = value;
        }
        u32 nonzero = 0;
        for (std::size_t at = 0; at < unknowns; ++at) {
            nonzero |= u32{known[at] != 0} << at;
            varied_ |= u32{known[at] != first_[at]} << at;
        }
        if (solved_ && (nonzero & ~pivots_) == 0) {
            __extension__ using Wide = __int128;
            Wide total = 0;
            for (std::size_t at = 0; at < unknowns; ++at) total += Wide{known[at]} * (*solved_)[at];
            isContradicted_ = total != value;
            return;
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
                return;
            }
            for (std::size_t term = at; term <= unknowns; ++term)
                equation[term] = less(equation[term], product((*rows_[at])[term], factor));
        }
        isContradicted_ = equation[unknowns] != 0;
        if ((seen_ & ~pivots_) == 0) solved_ = solution();
    }
    /// The unknowns, those that nothing says as 0; nothing where accesses contradict each other, or
    /// they are no whole numbers.
    [[nodiscard]] std::optional<Row> solution() const {
        if (isContradicted_) return std::nullopt;
        Row found{};
        for (std::size_t at = unknowns; at-- > 0;) {
            if (!rows_[at]) continue;
            u64 value = (*rows_[at])[unknowns];
            for (std::size_t term = at + 1; term < unknowns; ++term)
                value = less(value, product((*rows_[at])[term], residue(found[term])));
            found[at] = s64(value);
            if (value > prime / 2) found[at] -= s64(prime);
            if (found[at] > largest || found[at] < -largest) return std::nullopt;
        }
        return found;
    }
    /// Whether something is said of the unknown.
    [[nodiscard]] bool says(std::size_t unknown) const { return rows_[unknown].has_value(); }
    /// Whether unknowns change with one another only: what is one's and what the other's, nobody
    /// knows.
    [[nodiscard]] bool isUndecided() const { return (varied_ & ~pivots_) != 0; }
    [[nodiscard]] const Row& first() const { return first_; }  ///< what was known of that access
    [[nodiscard]] s64 firstValue() const { return firstValue_; }

  private:
    using Equation = std::array<u64, unknowns + 1>;
    std::array<std::optional<Equation>, unknowns> rows_{};  ///< by the first unknown in it
    Row first_{};
    s64 firstValue_ = 0;
    bool isContradicted_ = false;
    u32 seen_ = 0;    ///< bit i: the unknown is in an equation
    u32 pivots_ = 0;  ///< and in rows_
    u32 varied_ = 0;  ///< and differs from the first
    /// What further accesses have to fit where each unknown that was seen has its row: a product of
    /// vectors instead of an elimination.
    std::optional<Row> solved_{};
};

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

/// Whether a block is not on the point, line or plane through the others.
bool isFurther(std::span<const Index3> others, const Index3& block) {
    if (others.size() < 2) return others.empty() || block != others.front();
    __extension__ using Wide = __int128;
    using Vector = std::array<Wide, 3>;
    const auto from = [&](const Index3& to) {
        const Index3& first = others.front();
        return Vector{Wide{to.x} - first.x, Wide{to.y} - first.y, Wide{to.z} - first.z};
    };
    const Vector a = from(others[1]);
    const Vector b = from(others.size() > 2 ? others[2] : block);
    const Vector normal{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                        a[0] * b[1] - a[1] * b[0]};
    if (others.size() == 2) return normal != Vector{};
    const Vector c = from(block);
    return others.size() == 3 && normal[0] * c[0] + normal[1] * c[1] + normal[2] * c[2] != 0;
}

/// Sectors or wavefronts beyond the fewest.
u64 excessOf(const Request& request) {
    std::vector<u64> addresses;
    forEachLane(request.lanes,
                [&](u32 lane) { addresses.push_back(request.warp.addresses[lane]); });
    const LineCost cost = costOf(request.kind, addresses, request.bytes, request.lanes);
    return cost.sectors + cost.wavefronts - cost.idealSectors - cost.idealWavefronts;
}

}  // namespace

/// What a site did to one array.
struct AddressFormulas::Place final {
    struct Pass final {
        /// An access at the lowest or the highest address so far, which may be clamped to it.
        struct End final {
            std::array<LinearFit::Row, 2> known;
            s64 value;
        };
        static constexpr std::size_t mostEnds = 64;
        std::array<LinearFit, 2>
            fits;  ///< of threadIdx; of the lane and its warp: all but the ends
        std::vector<End> ends;
        s64 lowest = 0;
        s64 highest = 0;

        void add(const End& access) {
            if (ends.empty()) lowest = highest = access.value;
            const bool isLower = access.value < lowest;
            const bool isHigher = access.value > highest;
            if ((isLower || isHigher) && lowest != highest) {
                // What was the end lies within, then.
                const s64 before = isLower ? lowest : highest;
                std::erase_if(ends, [&](const End& end) {
                    if (end.value == before) fit(end);
                    return end.value == before;
                });
            }
            lowest = std::min(lowest, access.value);
            highest = std::max(highest, access.value);
            const bool isEnd = access.value == lowest || access.value == highest;
            if (isEnd && ends.size() < mostEnds)
                ends.push_back(access);
            else
                fit(access);
        }
        void fit(const End& access) {
            for (std::size_t at = 0; at < fits.size(); ++at)
                fits.at(at).add(access.known.at(at), access.value);
        }
        /// The ends with the others, or without them where they are clamped.
        [[nodiscard]] LinearFit whole(bool ofLanes, bool& isClamped) const {
            LinearFit all = fits.at(ofLanes);
            for (const End& end : ends) all.add(end.known.at(ofLanes), end.value);
            if (all.solution()) return all;
            const LinearFit& inside = fits.at(ofLanes);
            const auto solved = inside.solution();
            const bool isOne = solved && std::ranges::all_of(ends, [&](const End& end) {
                                   s64 value = 0;
                                   for (std::size_t at = 0; at < solved->size(); ++at) {
                                       const s64 known = end.known.at(ofLanes).at(at);
                                       if (known != 0 && !inside.says(at)) return false;
                                       value += known * (*solved)[at];
                                   }
                                   return value == end.value ||
                                          (value < end.value && end.value == lowest) ||
                                          (value > end.value && end.value == highest);
                               });
            if (!isOne) return all;
            isClamped = true;
            return inside;
        }
    };
    u32 bytes = 4;
    u64 excess = 0;  ///< sectors or wavefronts beyond the fewest; of what was called
    std::vector<Pass> passes;
    /// Of the lanes of one request, from its first one on, by threadIdx.
    LinearFit within;
    /// From lane to lane, each once; of requests of two lanes only where they are the first.
    std::vector<s64> steps;
    bool isEven = true;  ///< each request has one
    bool isOne = true;   ///< and all have the same
    static constexpr std::size_t mostSteps = 16;
    static constexpr u32 mostLooked = 64;
    u32 looked = 0;               ///< requests of which all lanes were
    std::vector<u32> lanesApart;  ///< `AddressFormula::lanesApart`
    bool areLanesEven = true;
    std::map<s64, u32> apart;  ///< how often bytes lie between a lane and the next
    u32 pairs = 0;
    u64 beyond = 0;        ///< sectors beyond the fewest, of those that begin within one
    u64 saved = 0;         ///< what they would take less if they began with one
    bool isOneRun = true;  ///< each request's bytes, if any was looked at
    /// How often each thread of each block came here.
    std::array<std::vector<u16>, Blocks::most> counts;

    void look(const Request& request) {
        if (looked++ >= mostLooked) return;
        const auto& addresses = request.warp.addresses;
        addLanes(request.lanes);
        std::vector<u64> all;
        forEachLane(request.lanes, [&](u32 lane) {
            all.push_back(addresses[lane]);
            if (lane == 0 || (request.lanes >> (lane - 1) & 1u) == 0) return;
            ++apart[s64(addresses[lane]) - s64(addresses[lane - 1])];
            ++pairs;
        });
        if (!isGlobal(request.kind)) return;
        const LineCost cost = costOf(request.kind, all, request.bytes, request.lanes);
        beyond += cost.sectors - cost.idealSectors;
        const auto [lowest, highest] = std::ranges::minmax(all);
        isOneRun &= highest - lowest + request.bytes == cost.uniqueBytes;
        const u64 past = lowest % bytesPerSector;
        if (past == 0) return;
        for (u64& address : all) address -= past;
        const LineCost aligned = costOf(request.kind, all, request.bytes, request.lanes);
        saved += cost.sectors - std::min(cost.sectors, aligned.sectors);
    }

    void addLanes(u32 lanes) {
        const u32 others = lanes & (lanes - 1);
        if (others == 0) return;
        const auto step = u32(std::countr_zero(others) - std::countr_zero(lanes));
        areLanesEven =
            areLanesEven && std::has_single_bit(step) && (lanes & lanes << step) == others;
        if (std::ranges::find(lanesApart, step) == lanesApart.end()) lanesApart.push_back(step);
    }

    [[nodiscard]] std::optional<AddressFormula> formulaWithin() const {
        const auto solved = within.solution();
        if (!solved || !within.says(1)) return std::nullopt;
        AddressFormula formula{.elementBytes = bytes, .isOfRequest = true};
        std::copy_n(solved->begin() + 1, 3, formula.thread.begin());
        return formula;
    }
    void addStep(s64 step, bool isOfMany) {
        isOne = isOne && (steps.empty() || steps.front() == step);
        if ((isOfMany || steps.empty()) && std::ranges::find(steps, step) == steps.end())
            steps.push_back(step);
        isEven = isEven && steps.size() <= mostSteps;
    }
    [[nodiscard]] std::optional<AddressFormula> formulaOfSteps() const {
        if (!isEven || steps.empty() || (steps.size() == 1 && !isOne)) return std::nullopt;
        AddressFormula formula{.thread = {steps.front(), 0, 0},
                               .ofLanes = true,
                               .elementBytes = bytes,
                               .isOfRequest = true};
        if (!isOne) formula.eachPass = steps;
        return formula;
    }
    [[nodiscard]] std::optional<AddressFormula> formula(bool ofLanes) const {
        bool isClamped = false;
        const LinearFit front = passes.front().whole(ofLanes, isClamped);
        const auto solved = front.solution();
        if (!solved || front.isUndecided()) return std::nullopt;
        AddressFormula formula{.ofLanes = ofLanes, .start = solved->front(), .elementBytes = bytes};
        std::copy_n(solved->begin() + 1, 3, formula.thread.begin());
        std::copy_n(solved->begin() + 4, 3, formula.block.begin());
        std::vector<s64> starts;
        bool isSame = true;
        for (const Pass& pass : passes) {
            const LinearFit fit = pass.whole(ofLanes, isClamped);
            const auto own = fit.solution();
            formula.endsEarly = !own;
            if (!own) break;
            s64& start = starts.emplace_back(fit.firstValue());
            for (std::size_t at = 1; at < own->size(); ++at) {
                isSame &= !fit.says(at) || (*own)[at] == (*solved)[at];
                start -= fit.first()[at] * (*solved)[at];
            }
            formula.eachPass.push_back((*own)[1]);
        }
        if (isSame && !formula.endsEarly) {
            formula.eachPass.clear();
            if (auto loops = loopsOf(std::move(starts))) formula.loops = *std::move(loops);
        }
        formula.isClamped = isClamped;
        return formula;
    }
    /// Of the threads, else of the lanes, else of those of a request.
    [[nodiscard]] std::optional<AddressFormula> anyFormula() const {
        std::optional<AddressFormula> whole = formula(false);
        if (!whole) whole = formula(true);
        // What is clamped is so within a request, too; else lanes at the edge were left out.
        if (whole && whole->isClamped)
            whole->isClamped = !(whole->ofLanes ? isOne && isEven : formulaWithin().has_value());
        if (whole && !whole->endsEarly) return whole;
        if (const auto request = formulaWithin()) return request;
        if (const auto each = formulaOfSteps()) return each;
        // A rule of the first pass alone says nothing of the others.
        return whole && whole->eachPass.size() > 1 ? whole : std::nullopt;
    }
};

AddressFormulas::AddressFormulas() = default;
AddressFormulas::~AddressFormulas() = default;

void AddressFormulas::onLaunchBegin(const GridRun& grid) {
    grid_ = &grid;
    blocks_.clear();
    places_.clear();
    branches_.clear();
    calls_.clear();
}

std::optional<std::size_t> AddressFormulas::slotOf(u32 site, const BlockRun& block) {
    if (blocks_.size() <= site) blocks_.resize(site + 1);
    Blocks& blocks = blocks_[site];
    for (u32 slot = 0; slot < blocks.count; ++slot) {
        if (blocks.ranks[slot] == block.rank) return slot;
    }
    if (blocks.count == Blocks::most) return std::nullopt;
    const u64 last = grid_->launch().grid.count() - 1;
    if (isFurther({blocks.apart.data(), blocks.axes}, block.index)) {
        blocks.apart.at(blocks.axes++) = block.index;
    } else if (!blocks.isBeyondHalf && block.rank >= last / 2) {
        blocks.isBeyondHalf = true;
    } else if (block.rank != last) {
        return std::nullopt;
    }
    blocks.ranks[blocks.count] = block.rank;
    return blocks.count++;
}

u32 AddressFormulas::callsOf(const Warp& warp, u32 lanes) {
    std::vector<const Path*> callers;  // the innermost first
    u32 frame = warp.frame;
    for (auto path = warp.paths.rbegin(); path != warp.paths.rend(); ++path) {
        if (path->frame >= frame || (path->mask & lanes) == 0) continue;
        frame = path->frame;
        callers.push_back(&*path);
        if (callers.size() == mostCallers) break;
    }
    u32 calls = 0;
    for (const Path* path : callers | std::views::reverse)
        calls = calls_.try_emplace({calls, path->code, path->step}, u32(calls_.size() + 1))
                    .first->second;
    return calls;
}

void AddressFormulas::onRequest(const Request& request) {
    const BlockRun& block = *request.warp.block;
    if (isLocal(request.kind) || request.lanes == 0) return;
    const std::optional<std::size_t> slot = slotOf(request.site, block);
    if (!slot) return;
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
    const u32 calls = callsOf(request.warp, request.lanes);
    const At key{request.site, array, calls};
    if (places_.size() > mostPlaces && !places_.contains(key)) return;
    std::unique_ptr<Place>& place = places_[key];
    if (place == nullptr) {
        place = std::make_unique<Place>();
        place->bytes = request.bytes;
    }
    if (calls != 0) place->excess += excessOf(request);
    place->look(request);
    std::vector<u16>& counts = place->counts[*slot];
    const Extents threads = grid_->launch().block;
    counts.resize(threads.count());
    // A warp whose lanes were all taken in the first passes says as much as the others, and later,
    // and in other blocks in the first pass.
    const std::size_t inFull = request.warp.rank != 0 ? 0 : *slot == 0 ? 3 : 1;
    u32 looked = 0;
    const auto knownOf = [&](u32 lane) {
        const Index3 thread =
            threadIndexInBlock({request.warp.rank * lanesPerWarp + lane}, threads);
        const LinearFit::Row byThread{
            1, thread.x, thread.y, thread.z, block.index.x, block.index.y, block.index.z};
        LinearFit::Row byLane = byThread;
        byLane[1] = lane, byLane[2] = request.warp.rank, byLane[3] = 0;
        return std::array{byThread, byLane};
    };
    const LinearFit::Row first = knownOf(firstLane)[0];
    std::optional<s64> step;
    u32 others = 0;
    forEachLane(request.lanes, [&](u32 lane) {
        const u32 rank = request.warp.rank * lanesPerWarp + lane;
        u16& count = counts[rank];
        if (count >= mostPasses) return;
        const std::size_t at = count++;
        if (at >= inFull && looked++ > 2 && (request.lanes >> lane) != 1) return;
        if (place->passes.size() <= at) place->passes.resize(at + 1);
        Place::Pass& pass = place->passes[at];
        std::array known = knownOf(lane);
        const auto value = s64(request.warp.addresses[lane] - base);
        pass.add({known, value});
        if (lane == firstLane) return;
        const auto apart = s64(request.warp.addresses[lane] - address);
        const s64 lanes = lane - firstLane;
        if (!step) step = apart / lanes;
        place->isEven = place->isEven && *step * lanes == apart;
        ++others;
        for (std::size_t term = 0; term < LinearFit::unknowns; ++term)
            known[0].at(term) -= first.at(term);
        place->within.add(known[0], apart);
    });
    if (others != 0) place->addStep(*step, others > 1);
}

void AddressFormulas::onBranch(const Warp& warp, const Step& step, u32 active, u32 taken) {
    if (taken == 0 || taken == active || !slotOf(step.site, *warp.block)) return;
    Branch& branch = branches_[step.site];
    branch.taking |= taken;
    branch.staying |= active & ~taken;
    ++branch.times;
    const auto decides = [&](u32 lanes) {
        return taken == (lanes & active) || taken == (~lanes & active);
    };
    for (std::size_t bit = 0; bit < withBit.size(); ++bit) {
        if (!decides(withBit[bit])) branch.bits &= ~(1u << bit);
    }
    const auto* const multiples = std::ranges::find_if(multiplesOf, decides);
    const u32 every = 2u << (multiples - multiplesOf.begin());
    branch.isEvery = branch.isEvery && multiples != multiplesOf.end();
    if (branch.isEvery) branch.every = branch.every.value_or(every) == every ? every : 0;
    branch.isSingle =
        branch.isSingle && (std::has_single_bit(taken) || std::has_single_bit(active & ~taken));
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

void AddressFormulas::onBlockEnd(const BlockRun& block) {
    barriers_ = std::max(barriers_, block.phase);
}

bool AddressFormulas::hasSeen(u32 site, u32 array) const {
    const auto found = places_.lower_bound({site, array, 0});
    return found != places_.end() && std::get<0>(found->first) == site &&
           std::get<1>(found->first) == array;
}

const AddressFormulas::Place* AddressFormulas::costliest(u32 site, u32 array) const {
    const Place* found = nullptr;
    for (auto at = places_.lower_bound({site, array, 0});
         at != places_.end() && std::get<0>(at->first) == site && std::get<1>(at->first) == array;
         ++at) {
        if (found == nullptr || at->second->excess > found->excess) found = at->second.get();
    }
    return found;
}

s64 AddressFormulas::mostlyApart(u32 site, u32 array) const {
    const Place* found = costliest(site, array);
    if (found == nullptr || found->apart.empty()) return 0;
    const auto& [bytes, count] =
        *std::ranges::max_element(found->apart, {}, [](const auto& each) { return each.second; });
    return 4 * u64{count} >= 3 * u64{found->pairs} ? bytes : 0;
}

bool AddressFormulas::isOneRun(u32 site, u32 array) const {
    const Place* found = costliest(site, array);
    return found != nullptr && found->looked != 0 && found->isOneRun;
}

std::optional<AddressFormula> AddressFormulas::of(u32 site, u32 array) const {
    const Place* found = costliest(site, array);
    if (found == nullptr || found->passes.empty()) return std::nullopt;
    std::optional<AddressFormula> formula = found->anyFormula();
    if (!formula) return formula;
    formula->isSparse = 2 * found->saved < found->beyond;
    if (found->areLanesEven) formula->lanesApart = found->lanesApart;
    return formula;
}

std::optional<DivergingLanes> AddressFormulas::ofBranch(u32 site) const {
    const auto found = branches_.find(site);
    if (found == branches_.end()) return std::nullopt;
    DivergingLanes lanes;
    if (found->second.bits != 0) lanes.bit = lowest(found->second.bits);
    if (found->second.isFirst) lanes.first = found->second.first;
    if (found->second.isEvery) lanes.every = found->second.every;
    lanes.single = found->second.isSingle;
    const bool isRule = lanes.bit || lanes.first.value_or(0) != 0 || lanes.every.value_or(0) != 0;
    if ((found->second.times > 1 || isRule) &&
        (found->second.taking & found->second.staying) == 0) {
        lanes.oneWay = found->second.taking;
        lanes.otherWay = found->second.staying;
    }
    return lanes;
}

}  // namespace warplens::ptx::check
