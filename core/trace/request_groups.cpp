#include "core/trace/request_groups.h"

#include <algorithm>
#include <bit>
#include <string_view>

namespace warplens::trace {
namespace {

/// Patterns kept at a time: what reads where its data tells it to has a new one in each request.
constexpr std::size_t mostPatterns = 1 << 14;

/// The finaliser of SplitMix64.
std::uint64_t mixed(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15u;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

template <class... More>
std::uint64_t mixed(std::uint64_t first, std::uint64_t second, More... more) {
    return mixed(mixed(first) ^ second, static_cast<std::uint64_t>(more)...);
}

std::uint64_t hashOf(std::span<const std::uint64_t> addresses, std::uint32_t bytes) {
    std::uint64_t hash = mixed(addresses.size(), bytes);
    for (const std::uint64_t address : addresses) {
        hash = std::rotl(hash ^ (address - addresses[0]), 23) * 0x9e3779b97f4a7c15u;
    }
    return mixed(hash);
}

std::uint64_t hashOf(const RequestSite& site) {
    return mixed(site.line, static_cast<std::uint64_t>(site.kind), site.subject, site.bytes);
}

std::uint64_t hashOf(const LineCost& branch) {
    return mixed(branch.requests, branch.divergent, branch.activeLanes, branch.takenLanes);
}

constexpr std::uint64_t withinSector = bytesPerSector - 1;

std::uint64_t sumOf(const PlaceCounts& counts) {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts) sum += count;
    return sum;
}

}  // namespace

RequestPattern::RequestPattern(std::span<const std::uint64_t> addresses, std::uint32_t bytes,
                               std::uint64_t hash)
    : lanes_(static_cast<std::uint32_t>(addresses.size())), bytes_(bytes), hash_(hash) {
    for (std::size_t i = 0; i < addresses.size(); ++i) relative_[i] = addresses[i] - addresses[0];
}

bool RequestPattern::fits(std::span<const std::uint64_t> addresses, std::uint32_t bytes) const {
    if (addresses.size() != lanes_ || bytes != bytes_) return false;
    const std::uint64_t first = addresses[0];
    std::uint64_t difference = 0;
    if (lanes_ == lanesPerWarp) {  // a length that the compiler knows, to do several at a time
        for (std::size_t i = 0; i < lanesPerWarp; ++i) {
            difference |= addresses[i] - first - relative_[i];
        }
    } else {
        for (std::size_t i = 0; i < lanes_; ++i) difference |= addresses[i] - first - relative_[i];
    }
    return difference == 0;
}

LineCost RequestPattern::costAt(AccessKind kind, std::uint32_t place) const {
    // Lanes may lie before the first.
    constexpr std::uint64_t farIn = std::uint64_t{1} << 62;
    std::array<std::uint64_t, lanesPerWarp> addresses;
    for (std::size_t i = 0; i < lanes_; ++i) addresses[i] = farIn + place + relative_[i];
    return costOf(kind, std::span(addresses).first(lanes_), bytes_);
}

void SiteRequests::shift(std::uint64_t bytes) {
    anchor += bytes;
    const std::size_t places = bytes & withinSector;
    for (Group& group : groups) {
        std::ranges::rotate(group.places, group.places.end() - static_cast<std::ptrdiff_t>(places));
    }
}

const SiteRequests* RequestGroups::find(const RequestSite& site) const {
    const auto found = std::ranges::find(sites, site, &SiteRequests::site);
    return found == sites.end() ? nullptr : &*found;
}

bool RequestGroups::touch(std::span<const std::uint16_t> arrays) const {
    return std::ranges::any_of(sites, [&](const SiteRequests& requests) {
        return requests.accessesMemory() &&
               std::ranges::find(arrays, requests.site.subject) != arrays.end();
    });
}

std::uint64_t RequestGroups::kind() const {
    std::uint64_t hash = 0;
    for (const SiteRequests& requests : sites) {
        std::uint64_t mine = mixed(requests.branchHash, requests.irregularHash);
        for (const SiteRequests::Group& group : requests.groups) {
            for (std::uint64_t place = 0; place < bytesPerSector; ++place) {
                const std::uint64_t count = group.places[place];
                if (count == 0) continue;
                mine +=
                    mixed(group.pattern->hash(), (place - requests.anchor) & withinSector, count);
            }
        }
        hash += mixed(hashOf(requests.site), mine);
    }
    return hash;
}

std::uint64_t RequestGroups::placedKind() const {
    std::uint64_t hash = kind();
    for (const SiteRequests& requests : sites) {
        if (!requests.accessesMemory()) continue;
        hash += mixed(hashOf(requests.site), requests.anchor & withinSector);
    }
    return hash;
}

std::uint64_t RequestGroups::control() const {
    std::uint64_t hash = 0;
    for (const SiteRequests& requests : sites) {
        std::uint64_t count = requests.irregular.requests;
        for (const SiteRequests::Group& group : requests.groups) count += sumOf(group.places);
        hash += mixed(hashOf(requests.site), hashOf(requests.branch), count);
    }
    return hash;
}

void addTo(LineTallies& lines, const SiteRequests& requests, const PlaceCounts& shifts) {
    const RequestSite& site = requests.site;
    LineCost& line = lines.at(site.line, site.kind, site.subject);
    const std::uint64_t blocks = sumOf(shifts);
    line.add(requests.branch, blocks);
    line.add(requests.irregular, blocks);
    for (const SiteRequests::Group& group : requests.groups) {
        if (!requests.accessesMemory()) {
            line.add(group.pattern->costAt(site.kind, 0), group.places[0] * blocks);
            continue;
        }
        PlaceCounts there{};
        for (std::size_t place = 0; place < there.size(); ++place) {
            if (group.places[place] == 0) continue;
            for (std::size_t shift = 0; shift < shifts.size(); ++shift) {
                there[(place + shift) & withinSector] += group.places[place] * shifts[shift];
            }
        }
        for (std::uint32_t place = 0; place < there.size(); ++place) {
            if (there[place] != 0) line.add(group.pattern->costAt(site.kind, place), there[place]);
        }
    }
}

void addTo(LineTallies& lines, const RequestGroups& groups, std::uint64_t times) {
    PlaceCounts unshifted{};
    unshifted[0] = times;
    for (const SiteRequests& requests : groups.sites) addTo(lines, requests, unshifted);
}

std::size_t GroupingObserver::indexOf(const RequestSite& site) {
    auto& sites = seen_.sites;
    if (!sites.empty()) {
        const std::size_t guess = states_[last_].follower;
        if (guess < sites.size() && sites[guess].site == site) return last_ = guess;
    }
    const auto found = std::ranges::find(sites, site, &SiteRequests::site);
    const auto index = static_cast<std::size_t>(found - sites.begin());
    if (found == sites.end()) {
        sites.push_back({});
        sites.back().site = site;
        states_.emplace_back();
    }
    states_[last_].follower = index;
    return last_ = index;
}

void GroupingObserver::onRequest(const WarpRequest& request) {
    const std::size_t index = indexOf(
        {request.line, request.kind, request.subject, static_cast<std::uint8_t>(request.bytes)});
    SiteRequests& requests = seen_.sites[index];
    SiteState& state = states_[index];
    const std::uint64_t first = request.addresses[0];
    if (requests.groups.empty() && requests.irregularHash == 0) requests.anchor = first;
    const std::size_t place = requests.accessesMemory() ? first & withinSector : 0;
    SiteState::Known& known = state.known[request.pattern % state.known.size()];
    if (request.pattern != 0 && known.pattern == request.pattern) {
        ++requests.groups[known.group].places[place];
        return;
    }
    if (state.group < requests.groups.size()) {
        SiteRequests::Group& same = requests.groups[state.group];
        if (same.pattern->fits(request.addresses, request.bytes)) {
            known = {request.pattern, state.group};
            ++same.places[place];
            return;
        }
    }
    const std::uint64_t hash = hashOf(request.addresses, request.bytes);
    std::shared_ptr<const RequestPattern> pattern;
    for (auto [at, end] = patterns_.equal_range(hash); at != end; ++at) {
        if (at->second->fits(request.addresses, request.bytes)) pattern = at->second;
    }
    if (pattern == nullptr) {
        if (patterns_.size() >= mostPatterns) return addIrregular(requests, request, hash);
        pattern = std::make_shared<const RequestPattern>(request.addresses, request.bytes, hash);
        patterns_.emplace(hash, pattern);
    }
    const auto [entry, isNew] = state.groups.emplace(pattern.get(), requests.groups.size());
    if (isNew) requests.groups.push_back({pattern, {}});
    state.group = entry->second;
    known = {request.pattern, state.group};
    ++requests.groups[state.group].places[place];
}

void GroupingObserver::addIrregular(SiteRequests& requests, const WarpRequest& request,
                                    std::uint64_t hash) {
    requests.irregular.add(
        costOf(request.kind, request.addresses, request.bytes, request.activeLanes));
    requests.irregularHash +=
        requests.accessesMemory() ? mixed(hash, request.addresses[0] & withinSector) : mixed(hash);
}

void GroupingObserver::onBranch(const WarpBranch& branch) {
    const auto named =
        std::ranges::find(branches_, std::string_view(branch.name), &KernelBranch::name);
    const auto subject = static_cast<std::uint16_t>(named - branches_.begin());
    const std::size_t index = indexOf({branch.line, AccessKind::branch, subject, 0});
    SiteRequests& requests = seen_.sites[index];
    requests.branch.add(costOfBranch(branch.activeLanes, branch.takenLanes));
    requests.branchHash += mixed(branch.activeLanes, branch.takenLanes);
}

RequestGroups GroupingObserver::take() {
    RequestGroups taken = std::move(seen_);
    seen_ = {};
    states_.clear();
    last_ = 0;
    if (patterns_.size() > mostPatterns / 2) patterns_.clear();
    return taken;
}

}  // namespace warplens::trace
