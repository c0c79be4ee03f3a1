#include "kernels/ptx/check/faults.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/launch/mapping.h"
#include "core/text/format.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::ptx::check {
namespace {

constexpr std::size_t mostRanks = 1u << 20;

/// `s[2]`, `s[8] to s[15], and 3 others of s`
std::string inWords(const SomeElements& some, const std::string& name) {
    const auto element = [&](u64 at) { return name + '[' + std::to_string(at) + ']'; };
    const u64 more = some.all - (some.end - some.first);
    return element(some.first) +
           (some.end - some.first == 1 ? "" : " to " + element(some.end - 1)) +
           (more == 0 ? "" : ", and " + std::to_string(more) + " more");
}

std::string text(Index3 index) {
    return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
           std::to_string(index.z) + ")";
}

}  // namespace

Faults::Faults(const Program& program, std::function<std::string(u32)> nameOf, u64 shadowBytes)
    : program_(program), nameOf_(std::move(nameOf)), bytesLeft_(shadowBytes) {}
Faults::~Faults() = default;

void Faults::onLaunchBegin(const GridRun& grid) {
    grid_ = &grid;
    blocks_.clear();
    current_ = nullptr;
    firstSerial_ = serial_ + 1;
    ranks_.clear();
    refills_.clear();
    isFenced_ = false;
    fencedBlocks_.clear();
    sites_.resize(program_.sites().size());
    for (Shadow& shadow : global_) {
        const Allocation* array = shadow.bytes == 0 ? nullptr : program_.memory().find(shadow.base);
        if (array != nullptr) shadow.data = array->data;
    }
}

void Faults::onBlockBegin(const BlockRun& run) {
    if (serial_ == mostSerial) {  // so many blocks: all begins anew
        for (Shadow& shadow : global_) shadow.bytes = 0;
        serial_ = 0;
        firstSerial_ = 1;
    }
    Block& block = blocks_[&run];
    block.order.begin(++serial_, run.warps.size());
    block.awaited = 0;
    block.copies.clear();
    block.filled.clear();
    block.barriers = 0;
    block.groups.assign(run.warps.size() * lanesPerWarp, 0);
    if (ranks_.size() < mostRanks) ranks_.push_back(run.rank);
    const std::vector<SharedArray>& arrays = grid_->shared().arrays;
    block.shared.resize(arrays.size());
    for (std::size_t at = 0; at < arrays.size(); ++at) {
        Shadow& shadow = block.shared[at];
        if (at == reservedShared) continue;  // nobody writes it first
        if (shadow.bytes == 0 && arrays[at].bytes != 0) {
            shadow.base = arrays[at].address;
            shadow.bytes = arrays[at].bytes;
            shadow.isShared = true;
            if (!shadow.allocate()) shadow.bytes = 0;
        }
        shadow.data = run.shared.data()->bytes + arrays[at].offset;
    }
}

void Faults::onBlockEnd(const BlockRun& run) {
    // Its memory is used by the next block, and what is noted of it; the order is its own.
    const Block& block = blockOf(run);
    tellWhatIsWrittenLater(blockOf(run));
    if (block.order.serial() == firstSerial_)
        for (const Shadow& shadow : block.shared) findUnread(block, shadow);
    current_ = nullptr;
}

Faults::Block& Faults::blockOf(const BlockRun& run) {
    if (current_ != &run) {
        current_ = &run;
        currentBlock_ = &blocks_[&run];
    }
    return *currentBlock_;
}

void Faults::passTime(Block& block) {
    if (!block.order.isFull()) return;
    for (Shadow& shadow : global_) shadow.renumber(block.order.serial());
    for (Shadow& shadow : block.shared) shadow.renumber(block.order.serial());
    block.order.startAgain();
}
void Faults::onBarrier(const BlockRun& run) {
    Block& block = blockOf(run);
    block.order.barrier();
    ++block.barriers;
    passTime(block);
}
void Faults::onWarpSync(const Warp& warp, u32 lanes) {
    Block& block = blockOf(*warp.block);
    block.order.syncWarp(warp.rank, lanes, warp.alive);
    passTime(block);
}
void Faults::onFence(const Warp& warp, bool isOfBlock) {
    Block& block = blockOf(*warp.block);
    const auto at = std::size_t(block.order.serial() - firstSerial_);
    if (!isOfBlock && at < mostRanks) {
        if (fencedBlocks_.size() <= at) fencedBlocks_.resize(at + 1);
        fencedBlocks_[at] = true;
    }
    isFenced_ |= !isOfBlock;
    block.order.fence();
    passTime(block);
}

bool Faults::isFenced(Stamp stamp) const {
    const auto at = std::size_t(serialOf(stamp) - firstSerial_);
    return at >= mostRanks || (at < fencedBlocks_.size() && fencedBlocks_[at]);
}

void Faults::onCopyGroup(const Warp& warp) {
    Block& block = blockOf(*warp.block);
    forEachLane(warp.active, [&](u32 lane) { ++block.groups[warp.rank * lanesPerWarp + lane]; });
}
void Faults::onCopyWait(const Warp& warp, std::optional<u32> groups) {
    Block& block = blockOf(*warp.block);
    std::erase_if(block.copies, [&](const auto& entry) {
        const Copy& copy = entry.second;
        const bool isOver = copy.thread / lanesPerWarp == warp.rank &&
                            (warp.active >> copy.thread % lanesPerWarp & 1u) != 0 &&
                            (!groups || copy.group + *groups < block.groups[copy.thread]);
        if (isOver) block.filled.insert(entry.first);
        return isOver;
    });
}

void Faults::checkCopies(Block& block, const Access& access, u32 lanes) {
    const Request& request = access.request;
    const bool isCopy = request.step.instruction->words[0] == "cp";
    if (!isCopy && block.copies.empty()) return;
    forEachLane(lanes, [&](u32 lane) {
        const u64 address = request.warp.addresses[lane];
        const u32 thread = request.warp.rank * lanesPerWarp + lane;
        if (isCopy) {
            block.copies[address] = {request.bytes,
                                     thread,
                                     block.groups[thread],
                                     request.site,
                                     block.filled.contains(address),
                                     block.barriers};
            return;
        }
        const auto next = block.copies.lower_bound(address + request.bytes);
        if (next == block.copies.begin()) return;
        const auto& [begin, copy] = *std::prev(next);
        if (begin + copy.bytes <= address) return;
        // What was there before is read: no wait is missing, but a barrier before the next copy.
        const bool isRefill = copy.isRefill && copy.barriers == block.barriers &&
                              copy.thread / lanesPerWarp != request.warp.rank;
        if (isRefill) {
            refills_.insert(copy.site);
            const Finding* const told = found_.find(copy.site, FindingKind::sharedRace);
            const Origin& here = program_.sites()[request.site].origin;
            if (told != nullptr && told->otherLine == sourcePlace(program_, here).line) return;
        }
        if (!found_.isNew(request.site, FindingKind::sharedRace)) return;
        Finding finding = findingAt(request, FindingKind::sharedRace, lane);
        const u32 line = sourcePlace(program_, program_.sites()[copy.site].origin).line;
        finding.accessed = accessedBy(access, lane);
        finding.words = elementOf(*finding.accessed) + ", which the copy of line " +
                        std::to_string(line) +
                        (isRefill ? " fills again with no __syncthreads between"
                                  : " may still be writing: nothing has waited for it, as "
                                    "cp.async.wait_group and a pipeline's consumer_wait do");
        finding.isUnawaited = !isRefill;
        found_.tell(request.site, std::move(finding));
    });
}

void Faults::checkLaunches(const Access& access, u32 lanes) {
    const Request& request = access.request;
    const bool stores = isStore(request.kind) || isAtomic(request.kind);
    const auto launchOf = [&](Stamp stamp) -> const AtOnce* {
        const auto other = std::ranges::find_if(atOnce_, [&](const AtOnce& each) {
            return serialOf(stamp) >= each.first && serialOf(stamp) <= each.last;
        });
        const bool isMeant = access.strong && isStrong(stamp);
        return other == atOnce_.end() || isMeant ? nullptr : &*other;
    };
    forEachLane(lanes, [&](u32 lane) {
        const u64 offset = request.warp.addresses[lane] - access.shadow.base;
        const u64 last = (offset + request.bytes - 1) >> access.shadow.shift;
        for (u64 word = offset >> access.shadow.shift; word <= last; ++word) {
            const AtOnce* const writer = launchOf(access.shadow.writes[word]);
            const AtOnce* const reader = stores ? launchOf(access.shadow.reads[word]) : nullptr;
            const AtOnce* const other = writer != nullptr ? writer : reader;
            if (other == nullptr || !found_.isNew(request.site, FindingKind::launchRace)) continue;
            Finding finding = findingAt(request, FindingKind::launchRace, lane);
            finding.accessed = accessedBy(access, lane);
            finding.words = elementOf(*finding.accessed) + ", which " + other->name +
                            (writer != nullptr ? " writes" : " reads") +
                            " in another stream: nothing lets " + launchName_ + " wait for that";
            found_.tell(request.site, std::move(finding));
        }
    });
}

const Faults::SiteOrder& Faults::orderOf(const Request& request) {
    if (request.site >= sites_.size()) sites_.resize(program_.sites().size());
    SiteOrder& order = sites_[request.site];
    if (!order.isKnown) {
        order.isKnown = true;
        for (const std::string_view word : request.step.instruction->words) {
            order.isStrong |= word == "volatile" || word == "relaxed" || word == "acquire" ||
                              word == "release" || word == "mmio";
            order.isVolatile |= word == "volatile";
            order.isFence |= word == "acquire" || word == "release" || word == "acq_rel";
            order.isOfBlock |= word == "cta";
            order.compares |= word == "cas";
        }
        order.isStrong |= isAtomic(request.kind);
    }
    return order;
}

Shadow* Faults::globalShadow(u32 id, u64 address) {
    if (id < global_.size() && global_[id].base != 0)
        return global_[id].bytes == 0 ? nullptr : &global_[id];
    const Allocation* array = program_.memory().find(address);
    if (array == nullptr || array->freed) return nullptr;
    if (global_.size() <= array->id) global_.resize(array->id + 1);
    Shadow& shadow = global_[array->id];
    if (shadow.base != 0) return shadow.bytes == 0 ? nullptr : &shadow;
    shadow.base = array->address;
    if (array->kind == Allocation::Kind::constant) return nullptr;
    shadow.bytes = array->bytes;
    shadow.data = array->data;
    const bool isFresh =
        array->kind == Allocation::Kind::device || array->kind == Allocation::Kind::heap;
    shadow.writtenTo = shadow.copiedTo = isFresh ? 0 : array->bytes;
    const u64 needed = 4 * array->bytes;
    if (needed > bytesLeft_ || !shadow.allocate()) {
        shadow.bytes = 0;
        tooLarge_.push_back(array->id);
        return nullptr;
    }
    bytesLeft_ -= needed;
    return &shadow;
}

Shadow* Faults::shadowAt(Block& block, const Request& request, u64 address) {
    if (isShared(request.kind)) {
        const u64 slot = (address & 0xffffffffu) >> sharedArrayShift;
        return slot == 0 || slot > block.shared.size() || block.shared[slot - 1].bytes == 0
                   ? nullptr
                   : &block.shared[slot - 1];
    }
    const Allocation* array = program_.memory().find(address);
    return array == nullptr ? nullptr : globalShadow(array->id, address);
}

void Faults::markWritten(u64 address, u64 bytes) {
    const Allocation* array = program_.memory().find(address);
    if (array == nullptr || bytes == 0) return;
    Shadow* shadow = globalShadow(array->id, address);
    if (shadow == nullptr) return;
    const u64 offset = address - array->address;
    shadow->markWritten(offset, std::min(bytes, array->bytes - offset));
}

void Faults::markCopied(u64 address, u64 bytes) {
    const Allocation* array = program_.memory().find(address);
    Shadow* shadow = array == nullptr ? nullptr : globalShadow(array->id, address);
    if (shadow != nullptr)
        shadow->copiedTo = std::max(shadow->copiedTo, address - array->address + bytes);
}

void Faults::release(u64 address) {
    const Allocation* array = program_.memory().find(address);
    if (array == nullptr || array->id >= global_.size()) return;
    Shadow& shadow = global_[array->id];
    findUnreached(array->id, shadow);
    reachedBefore_ += shadow.bytesReached();
    if (shadow.bytes != 0) bytesLeft_ += 4 * shadow.bytes;
    shadow = {};
}

void Faults::touch(const Request& request, Shadow& shadow) {
    if (request.bytes < 1u << shadow.shift) [[unlikely]]
        shadow.narrow(request.bytes);
    shadow.narrowest = std::min(shadow.narrowest, request.bytes);
    const bool stores = isStore(request.kind) || isAtomic(request.kind);
    if ((stores || !shadow.hasStore) &&
        (shadow.site != request.site || shadow.launch != firstSerial_)) {
        const Launch& launch = grid_->launch();
        const u64 threads = launch.grid.count() * launch.block.count();
        // Of several launches the largest reaches furthest.
        if (shadow.launch == firstSerial_ || threads >= shadow.threads) {
            if (std::exchange(shadow.launch, firstSerial_) != firstSerial_)
                shadow.elementBytes = request.bytes;
            shadow.site = request.site;
            shadow.hasStore = stores;
            shadow.threads = threads;
            shadow.threadsInRow = u64{launch.grid.x} * launch.block.x;
        }
    }
    if (shadow.launch == firstSerial_)
        shadow.elementBytes = std::min(shadow.elementBytes, request.bytes);
}

void Faults::check(Block& block, const Request& request, const SiteOrder& site, Shadow& shadow,
                   u32 lanes) {
    touch(request, shadow);
    if (shadow.bytes == 0) return;
    const Stamp floor = shadow.isShared ? block.order.floor() : firstSerial_ << serialShift;
    const bool isAllWritten = shadow.writtenTo >= shadow.bytes;
    const Origin& origin = program_.sites()[request.site].origin;
    const Access access{.request = request,
                        .shadow = shadow,
                        .order = block.order,
                        .awaited = block.awaited,
                        .launchFloor = floor,
                        .writtenFloor = shadow.isShared ? floor
                                        : isAllWritten  ? 0
                                                        : hostStamp,
                        .strong = site.isStrong,
                        .isVolatile = site.isVolatile,
                        .compares = site.compares,
                        .fenced = isFenced_,
                        .mayBeOld = shadow.compared.function == origin.function &&
                                    origin.place < shadow.compared.place};
    if (isStore(request.kind) || isAtomic(request.kind)) shadow.lastStore = block.order.serial();
    shadow.note(request.site, request.kind, block.order.stamp(0), request.warp.rank);
    if (site.compares) shadow.compared = origin;
    shadow.hasAtomics |= isAtomic(request.kind);
    if (shadow.isShared) checkCopies(block, access, lanes);
    if (!shadow.isShared && !atOnce_.empty()) checkLaunches(access, lanes);
    check::check(*this, access, lanes);
}

void Faults::onRequest(const Request& request) {
    if (request.lanes == 0 || isLocal(request.kind)) return;
    Block& block = blockOf(*request.warp.block);
    const SiteOrder& site = orderOf(request);
    if (site.isFence) onFence(request.warp, site.isOfBlock);
    const SiteState& state = request.warp.sites[request.site];
    const Shape& shape = *state.shape;
    const auto& addresses = request.warp.addresses;
    const u64 first = addresses[lowest(request.lanes)];
    Shadow* shadow =
        isShared(request.kind) ? shadowAt(block, request, first) : globalShadow(state.array, first);
    const auto holds = [&](u64 address) {
        return shadow != nullptr && address >= shadow->base &&
               address - shadow->base <= shadow->bytes - request.bytes;
    };
    if (shape.mask == request.lanes && holds(first + u64(shape.lowest)) &&
        holds(first + u64(shape.highest))) {
        check(block, request, site, *shadow, request.lanes);
    } else {
        // Lanes in several arrays, or some of which were out of theirs.
        for (u32 left = request.lanes; left != 0;) {
            shadow = shadowAt(block, request, addresses[lowest(left)]);
            u32 lanes = left & -left;
            forEachLane(left, [&](u32 lane) { lanes |= holds(addresses[lane]) ? 1u << lane : 0; });
            left &= ~lanes;
            if (shadow != nullptr) check(block, request, site, *shadow, lanes);
        }
    }
    if (site.isFence) onFence(request.warp, site.isOfBlock);
}

std::string Faults::nameOf(u32 array) const {
    if (nameOf_) return nameOf_(array);
    if ((array & inShared) != 0) {
        const u32 slot = array & ~inShared;
        const std::vector<SharedArray>& arrays = grid_->shared().arrays;
        return findingName(slot == 0 || slot > arrays.size() ? arrays[0] : arrays[slot - 1]);
    }
    const Allocation* known =
        array < global_.size() ? program_.memory().find(global_[array].base) : nullptr;
    return known == nullptr ? "array " + std::to_string(array) : findingName(*known);
}

Finding Faults::findingAt(const Request& request, FindingKind kind, u32 lane) const {
    const Site& site = program_.sites()[request.site];
    Finding finding;
    finding.kind = kind;
    finding.place = sourcePlace(program_, site.origin);
    finding.kernel = grid_->code().function->name;
    finding.block = request.warp.block->index;
    finding.thread =
        blockIndexInGrid(request.warp.rank * lanesPerWarp + lane, grid_->launch().block);
    return finding;
}

std::string Faults::elementOf(const AccessedBytes& accessed) {
    return std::string(accessInWords(accessed.kind)) +
           (isShared(accessed.kind) ? " shared " : " ") + accessed.array + "[" +
           std::to_string(accessed.element) + "]";
}

std::vector<SourcePlace> Faults::placesOf(const Access& access, Stamp stamp, bool writes) const {
    if (access.shadow.hasMoreSites) return {};
    const Stamp who = whoOf(stamp);
    const Stamp time = stamp & ~(whoMask | strongBit);
    const bool isHere = serialOf(stamp) == access.order.serial() && who != manyBlocks;
    const Stamp warp = warpOf(who);
    const auto mayBe = [&](const AtArray& at) {
        // Atomics are no readers.
        if (!(writes ? at.stores : at.loads && !at.stores) || at.last < access.launchFloor)
            return false;
        // Where an instruction was there later, it may have been there then.
        if (!isHere || at.last > time || warp >= lanesPerWarp) return at.last >= time || !isHere;
        return at.last == time && (at.warps >> warp & 1) != 0;
    };
    std::vector<SourcePlace> found;
    for (const AtArray& at : access.shadow.noted()) {
        if (!mayBe(at)) continue;
        SourcePlace place = sourcePlace(program_, program_.sites()[at.site].origin);
        if (place.line == 0) return {};
        if (std::ranges::none_of(found, [&](const SourcePlace& one) {
                return one.line == place.line && one.file == place.file;
            }))
            found.push_back(std::move(place));
    }
    return found;
}

AccessedBytes Faults::accessedBy(const Access& access, u32 lane) const {
    const Request& request = access.request;
    const Shadow& shadow = access.shadow;
    const Allocation* const array = shadow.isShared ? nullptr : program_.memory().find(shadow.base);
    const u64 offset = request.warp.addresses[lane] - shadow.base;
    const u64 slot = shadow.base >> sharedArrayShift;
    return {.offset = s64(offset),
            .bytes = request.bytes,
            .ofArray = shadow.bytes,
            .stretch = array == nullptr ? 0 : array->stretch,
            .kind = request.kind,
            .array = nameOf(shadow.isShared ? inShared | u32(slot)
                                            : request.warp.sites[request.site].array),
            .element = s64(offset / request.bytes),
            .isOfLaunch = shadow.isShared && slot <= 1};
}

void Faults::onRace(const Access& access, u32 lane, Stamp other, bool otherWrites) {
    const Request& request = access.request;
    if (!otherWrites && refills_.contains(request.site)) return;  // told where it is read
    const bool isOtherBlock =
        whoOf(other) == manyBlocks || serialOf(other) != access.order.serial();
    const bool isInWarp = !isOtherBlock && warpOf(whoOf(other)) == request.warp.rank;
    const bool isOfOrder = isInWarp && access.shadow.isShared && access.isVolatile &&
                           !isStore(request.kind) && !isAtomic(request.kind);
    const FindingKind kind = isOfOrder                ? FindingKind::warpOrder
                             : isOtherBlock           ? FindingKind::blockRace
                             : access.shadow.isShared ? FindingKind::sharedRace
                                                      : FindingKind::globalRace;
    if (!found_.isNew(request.site, kind)) return;
    const Stamp who = whoOf(other);
    const bool isThread = who < lanesOfWarp;
    const std::string thread =
        isThread ? "thread " + text(blockIndexInGrid(u64(who), grid_->launch().block))
                 : "other threads";
    const bool isBoth = otherWrites && isStore(request.kind);
    std::string does = otherWrites ? isStrong(other) && !isOfOrder
                                         ? isThread ? "changes by an atomic" : "change by atomics"
                                         : "writes"
                       : isThread  ? "reads"
                                   : "read";
    Finding finding = findingAt(request, kind, lane);
    std::string where;
    const std::vector<SourcePlace> places = placesOf(access, other, otherWrites);
    if (places.size() == 1) {
        finding.otherLine = places[0].line;
        const bool isSameFile = places[0].file == finding.place.file;
        where = isSameFile && places[0].line == finding.place.line
                    ? " in the same line"
                    : " in line " + std::to_string(places[0].line) +
                          (isSameFile ? "" : " of " + places[0].file);
    } else if (places.size() == 2 && places[0].file == finding.place.file &&
               places[1].file == finding.place.file) {
        const auto [first, second] = std::minmax(places[0].line, places[1].line);
        where = " in line " + std::to_string(first) + " or " + std::to_string(second);
    }
    finding.accessed = accessedBy(access, lane);
    finding.isWithinWarp = isInWarp;
    std::string words = elementOf(*finding.accessed) + ", which ";
    if (isOtherBlock) {
        words += std::string("another block ") + (otherWrites ? "writes" : "reads") + where +
                 " in the same launch";
        if (access.strong && isStrong(other))
            words += ", with no __threadfence() before what says that it is ready";
        const auto rank = u64(serialOf(other) - firstSerial_);
        if (who != manyBlocks && rank < ranks_.size())
            words += ": " + thread + " of block " +
                     text(blockIndexInGrid(ranks_[rank], grid_->launch().grid));
    } else {
        words +=
            thread + " " + does + (isBoth ? " too," : "") + where +
            (isBoth && !where.empty() ? "," : "") +
            (isOfOrder ? " with volatile between and no " : " with no ") +
            (isOfOrder                                       ? "__syncwarp"
             : !isInWarp                                     ? "__syncthreads"
             : grid_->launch().block.count() <= lanesPerWarp ? "__syncwarp"
                                                             : "__syncthreads or __syncwarp") +
            (isOfOrder ? ": since Volta lanes of a warp need not run together, and volatile is "
                         "no barrier"
                       : " between");
    }
    finding.words = std::move(words);
    found_.tell(request.site, std::move(finding));
}

void Faults::onUnwritten(const Access& access, u32 lane) {
    const FindingKind kind =
        access.shadow.isShared ? FindingKind::uninitialisedShared : FindingKind::unwrittenMemory;
    if (!found_.isNew(access.request.site, kind)) return;
    Finding finding = findingAt(access.request, kind, lane);
    finding.accessed = accessedBy(access, lane);
    finding.words =
        elementOf(*finding.accessed) +
        (access.shadow.isShared ? ", which no thread of the block has written"
                                : ", which nobody has written: no copy, no memset, no kernel");
    found_.tell(access.request.site, std::move(finding));
    if (access.shadow.isShared)
        blockOf(*access.request.warp.block)
            .unwritten.emplace(access.request.site, access.request.warp.addresses[lane]);
}

void Faults::tellWhatIsWrittenLater(Block& block) {
    for (const auto& [reader, address] : std::exchange(block.unwritten, {})) {
        const Shadow& shadow = block.shared[((address & 0xffffffffu) >> sharedArrayShift) - 1];
        Finding* const finding = found_.find(reader, FindingKind::uninitialisedShared);
        if (finding == nullptr) continue;
        const Stamp write = shadow.writes[(address - shadow.base) >> shadow.shift];
        // What the reader itself stores behind its load no barrier brings before that.
        const bool isOwn =
            finding->thread &&
            whoOf(write) == threadRankInBlock(*finding->thread, grid_->launch().block).value;
        // Of an atomic's word other atomics are no value that it needs.
        const bool isAdded =
            finding->accessed && isAtomic(finding->accessed->kind) && isStrong(write);
        if (write < block.order.floor()) {
            tellWhatIsWritten(block, shadow, *finding);
            continue;
        }
        if (isOwn || isAdded) continue;
        std::set<u32> lines;
        for (const AtArray& at : shadow.noted()) {
            const SourcePlace place = sourcePlace(program_, program_.sites()[at.site].origin);
            if (at.stores && at.last >= block.order.floor())
                lines.insert(place.file == finding->place.file ? place.line : 0);
        }
        // What a line itself adds to is no value that it has later.
        if (!shadow.hasMoreSites && lines == std::set<u32>{finding->place.line}) continue;
        finding->isWrittenLater = true;
        finding->words +=
            " by then: " + (shadow.hasMoreSites || lines.size() != 1 || lines.contains(0)
                                ? "it is written later"
                                : "line " + std::to_string(*lines.begin()) + " writes it later");
    }
}

void Faults::tellWhatIsWritten(const Block& block, const Shadow& shadow, Finding& finding) const {
    const bool isOfWords = finding.accessed && finding.accessed->bytes == 1 << shadow.shift;
    const auto bare = SomeElements::of(shadow.words(), [&](u64 word) -> std::optional<bool> {
        return shadow.writes[word] < block.order.floor();
    });
    std::set<u32> lines;
    for (const AtArray& at : shadow.noted()) {
        const SourcePlace place = sourcePlace(program_, program_.sites()[at.site].origin);
        if (at.stores && at.last >= block.order.floor() && place.file == finding.place.file)
            lines.insert(place.line);
    }
    if (!isOfWords || bare.others == 0 || lines.empty() || shadow.hasMoreSites) return;
    finding.words += "; no line stores to " + inWords(bare, finding.array());
    std::string_view between = ", while line ";
    for (const u32 line : lines) {
        finding.words += std::string(between) + std::to_string(line);
        between = " and line ";
    }
    finding.words += lines.size() == 1 ? " does to others" : " do to others";
}

void Faults::findUnreached(u32 id, const Shadow& shadow) {
    if (shadow.hasStore && shadow.isAllReached())
        covered_.emplace(shadow.launch, shadow.bytes / shadow.elementBytes);
    if (wasCut_) return;
    const std::optional<Unreached> rest = shadow.unreached();
    if (!rest) {
        const SomeElements left = shadow.leftAlone();
        if (left.all != 0 && left.others != 0 && shadow.threads != 0)
            addClue(shadow.site,
                    "no thread reads or writes " + inWords(left, nameOf(id)) + ", though " +
                        std::to_string(left.others) + " others are reached" +
                        (shadow.threads < left.all + left.others
                             ? ": the grid has " + std::to_string(shadow.threads) + " threads"
                             : ""));
        return;
    }
    const Site& site = program_.sites()[shadow.site];
    Finding finding;
    finding.kind = FindingKind::notReached;
    finding.place = sourcePlace(program_, site.origin);
    finding.kernel = site.origin.function->name;
    const std::string name = nameOf(id);
    const std::string range =
        rest->elements - rest->reached == 1
            ? std::to_string(rest->reached)
            : std::to_string(rest->reached) + " to " + std::to_string(rest->elements - 1);
    const std::string elements = std::to_string(rest->elements);
    const std::string threads = std::to_string(shadow.threads) + " threads";
    finding.words = "no thread reaches ";
    if (rest->each != 0) {
        const bool isElements = rest->elements * shadow.elementBytes == shadow.bytes;
        const u64 left = (rest->elements - rest->reached) << shadow.shift;
        finding.leftOut = LeftOut::ofGroup;
        finding.words += isElements
                             ? (rest->elements - rest->reached == 1 ? "element " : "elements ") +
                                   range + " of " + name + ", which has " + elements
                             : "the last " + std::to_string(left) + " of the " +
                                   std::to_string(shadow.bytes) + " bytes of " + name;
        finding.words +=
            ": each takes " + std::to_string(isElements ? rest->each : rest->each << shadow.shift) +
            " side by side, and no more than " +
            std::to_string(isElements ? rest->elements - rest->reached : left) +
            (isElements && rest->elements - rest->reached == 1 ? " is" : " are") + " left";
    } else if (rest->rows == 0)
        finding.words += "elements " + range + " of " + name + ", which has " + elements +
                         ": the grid has " + threads;
    else if (shadow.threads >= 2 * rest->rows * rest->reached || rest->elements == shadow.threads) {
        // No rows then, of which threads along y or z would have one each.
        finding.leftOut = LeftOut::byIndex;
        finding.words +=
            "elements " + range + " of " +
            (name.find(',') == name.npos ? "each " + elements + " elements of " + name
                                         : name + ", which have " + elements + " each") +
            ", though the grid has " + threads + ": several of them have one index, or do nothing";
    } else
        finding.words += "columns " + range + " of " + name + ", whose rows have " + elements +
                         ": the grid has " + std::to_string(shadow.threadsInRow) +
                         " threads along x";
    const bool isOnlyRead = !shadow.hasStore && rest->rows == 0;
    unreached_.push_back({std::move(finding), shadow.launch, isOnlyRead ? rest->reached : 0});
}

void Faults::addClue(u32 site, std::string words, std::optional<u32> otherSite) {
    const Origin& origin = program_.sites()[site].origin;
    Finding clue{.kind = FindingKind::mayBeWhy,
                 .words = std::move(words),
                 .place = sourcePlace(program_, origin),
                 .kernel = std::string(origin.function->name)};
    if (otherSite) {
        clue.otherLine = sourcePlace(program_, program_.sites()[*otherSite].origin).line;
        clue.words += " in line " + std::to_string(*clue.otherLine);
    }
    if (std::ranges::find(clues_, clue) == clues_.end()) clues_.push_back(std::move(clue));
}

void Faults::findUnread(const Block& block, const Shadow& shadow) {
    constexpr Stamp when = ~(whoMask | strongBit);
    const std::vector<AtArray> sites = shadow.noted();
    const auto lineOf = [&](const AtArray& at) {
        return sourcePlace(program_, program_.sites()[at.site].origin).line;
    };
    // Whoever changed the word last; where that may be several lines, the one that did it then.
    const auto storeAt = [&](Stamp write) {
        const AtArray* found = nullptr;
        for (const AtArray& at : sites) {
            if (at.stores && at.last >= (write & when) && (!found || at.last < found->last))
                found = &at;
        }
        return found;
    };
    const auto isUnread = [&](u64 word) -> std::optional<bool> {
        const Stamp write = shadow.writes[word];
        const Stamp read = shadow.reads[word];
        if (write < block.order.floor() || shadow.hasMoreSites) return std::nullopt;
        if ((read & when) != (write & when)) return read < write;
        // By the thread that changes it: before, where no other line loads at that time.
        const AtArray* const store = storeAt(write);
        return store != nullptr && std::ranges::none_of(sites, [&](const AtArray& at) {
                   return at.loads && !at.stores && at.last == (write & when) &&
                          lineOf(at) != lineOf(*store);
               });
    };
    if (shadow.bytes == 0 || shadow.narrowest != 1u << shadow.shift) return;
    const SomeElements unread = SomeElements::of(shadow.words(), isUnread);
    const auto reader = std::ranges::max_element(
        sites, {}, [](const AtArray& at) { return at.loads && !at.stores ? at.last : -1; });
    if (unread.all == 0 || unread.others == 0 || reader == sites.end()) return;
    const AtArray* const store = storeAt(shadow.writes[unread.first]);
    if (store == nullptr) return;
    const std::string name = nameOf(inShared | u32(shadow.base >> sharedArrayShift));
    addClue(store->site,
            "shared " + inWords(unread, name) + (unread.all == 1 ? " is" : " are") +
                " stored here and not read after that, though others of " + name + " are,",
            reader->site);
}

std::vector<Finding> Faults::takeClues() {
    return std::exchange(clues_, {});
}

Faults::Unwritten Faults::unwrittenOf(u64 address, u64 bytes) const {
    const Allocation* array = program_.memory().find(address);
    if (array == nullptr || array->kind != Allocation::Kind::device) return {};
    const u64 begin = address - array->address;
    if (array->id >= global_.size() || global_[array->id].bytes == 0) {
        const bool isTooLarge = std::ranges::find(tooLarge_, array->id) != tooLarge_.end();
        return {isTooLarge ? 0 : bytes, 0};
    }
    const Shadow& shadow = global_[array->id];
    const auto isWritten = [&](u64 word) {
        return word << shadow.shift < shadow.writtenTo || shadow.writes[word] != 0;
    };
    const u64 from = begin >> shadow.shift;
    const u64 end = std::min((begin + bytes) >> shadow.shift, shadow.words());
    u64 first = from;
    while (first < end && isWritten(first)) ++first;
    u64 unwritten = 0;
    for (u64 word = first; word < end; ++word) unwritten += isWritten(word) ? 0 : 1;
    const bool isAtEnd = unwritten == end - first;
    const u64 before = (first - from) << shadow.shift;
    u64 next = first;
    while (next < end && !isWritten(next)) ++next;
    const bool isRowsPadding =
        (next << shadow.shift) % rowPitch == 0 && (next - first) << shadow.shift < rowPitch;
    const bool isEarly = before < rowPitch && 2 * (first - from) < end - from;
    if (!isAtEnd && (isEarly || isRowsPadding)) return {};
    return {unwritten << shadow.shift, before};
}

u64 Faults::storedTo(u64 address) const {
    const Allocation* array = program_.memory().find(address);
    if (array == nullptr || array->id >= global_.size()) return 0;
    const Shadow& shadow = global_[array->id];
    u64 end = shadow.bytes == 0 ? 0 : shadow.words();
    while (end > 0 && serialOf(shadow.writes[end - 1]) == 0) --end;
    return std::min(end << shadow.shift, shadow.bytes);
}

u32 Faults::elementBytes(u64 address) const {
    const Allocation* array = program_.memory().find(address);
    if (array == nullptr || array->id >= global_.size() || global_[array->id].launch == 0) return 0;
    return global_[array->id].narrowest;
}

u64 Faults::bytesReached() const {
    u64 sum = reachedBefore_;
    for (const Shadow& shadow : global_) sum += shadow.bytesReached();
    return sum;
}

std::vector<Finding> Faults::takeUnreached() {
    for (u32 id = 0; id < global_.size(); ++id) {
        findUnreached(id, global_[id]);
        global_[id].threads = 0;  // told
    }
    std::vector<Finding> findings;
    for (auto& [finding, launch, read] : std::exchange(unreached_, {})) {
        if (!covered_.contains({launch, read})) findings.push_back(std::move(finding));
    }
    return findings;
}

std::vector<Finding> Faults::take() {
    std::vector<Finding> findings;
    const std::vector<Finding> all = found_.take();
    for (const Finding& finding : all) {
        // Where a load races with an atomic, the load is told, whichever of them came first.
        const bool isOfLoad = std::ranges::any_of(all, [&](const Finding& one) {
            return finding.accessed && isAtomic(finding.accessed->kind) && one.accessed &&
                   accessInWords(one.accessed->kind) == "load from" && one.kind == finding.kind &&
                   one.otherLine == finding.place.line && finding.otherLine == one.place.line &&
                   one.place.file == finding.place.file;
        });
        if (isOfLoad) continue;
        // Inlined code has several instructions at one place.
        const auto same = std::ranges::find_if(findings, [&](const Finding& one) {
            return one.kind == finding.kind && one.place == finding.place;
        });
        if (same == findings.end())
            findings.push_back(finding);
        else
            same->times += finding.times;
    }
    return findings;
}

}  // namespace warplens::ptx::check
