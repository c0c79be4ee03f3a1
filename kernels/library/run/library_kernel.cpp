#include "kernels/library/run/library_kernel.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cxxabi.h>

#include "core/launch/mapping.h"
#include "core/trace/traced_array.h"

#include "embedded/warplens_library.h"

namespace warplens::library {
namespace {

std::vector<LibraryKernel> readAll() {
    std::vector<LibraryKernel> kernels;
    for (const LibraryUnit& unit : libraryUnits()) {
        for (const EmbeddedFile& file : embeddedFiles()) {
            if (file.name != unit.file) continue;
            kernels.push_back(
                {parseKernelFile(std::string(file.name), std::string(file.bytes)), unit.row});
        }
    }
    return kernels;
}

/// `scan<16>` of `void scan<16>(float const*, int)`.
std::string instanceName(const char* mangled) {
    int status = 0;
    char* const demangled = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
    std::string name = status == 0 ? demangled : mangled;
    std::free(demangled);
    name = name.substr(0, name.find('('));
    if (const std::size_t blank = name.find(' '); blank != std::string::npos) {
        name = name.substr(blank + 1);
    }
    return name;
}

const runtime::KernelRow* rowOf(const UnitRow& unit, const std::string& instance) {
    for (const runtime::KernelRow* row = unit.kernels; row != unit.kernelsEnd; ++row) {
        if (instanceName(row->name) == instance) return row;
    }
    throw std::logic_error("no code of " + instance);
}

/// The object that is the static local variable `name` of the function.
const runtime::ObjectRow* objectOf(const UnitRow& unit, const char* function,
                                   const std::string& name) {
    const std::string symbol =
        "_ZZ" + std::string(function).substr(2) + 'E' + std::to_string(name.size()) + name;
    for (const runtime::ObjectRow* row = unit.objects; row != unit.objectsEnd; ++row) {
        if (row->symbol == symbol) return row;
    }
    return nullptr;
}

std::string toText(Index3 index) {
    return '(' + std::to_string(index.x) + ',' + std::to_string(index.y) + ',' +
           std::to_string(index.z) + ')';
}

}  // namespace

std::span<const LibraryKernel> libraryKernels() {
    static const std::vector<LibraryKernel> kernels = readAll();
    return kernels;
}

const LibraryKernel& libraryKernelOf(std::string_view scenario) {
    for (const LibraryKernel& kernel : libraryKernels()) {
        for (const FileScenario& each : kernel.file.scenarios) {
            if (each.id == scenario) return kernel;
        }
    }
    throw InvalidRequest({{"scenario", "'" + std::string(scenario) + "'", "a built-in one"}});
}

BoundKernel::BoundKernel(const LibraryKernel& kernel, const Experiment& experiment,
                         std::shared_ptr<const ArrayMemory> memory, bool withValues)
    : kernel_(kernel), experiment_(experiment), memory_(std::move(memory)) {
    const KernelFile& file = kernel.file;
    row_ = rowOf(*kernel.unit, file.instance(experiment.arguments));
    std::vector<std::uint64_t> words;
    for (const FileParameter& parameter : file.parameters) {
        words.push_back(parameter.isArray
                            ? memory_->arrays()[parameter.which].begin
                            : static_cast<std::uint64_t>(experiment.arguments.at(parameter.name)));
    }
    code_.stack.assign(words.begin() + std::min<std::ptrdiff_t>(6, std::ssize(words)), words.end());
    words.resize(6);
    std::ranges::copy(words, std::begin(code_.arguments.general));
    code_.arguments.stack = code_.stack.data();
    code_.arguments.stackWords = code_.stack.size();
    code_.code = row_->traced;
    code_.launch = experiment.launch;
    code_.computes = withValues;
    for (const FileBranch& branch : file.branches) {
        names_.emplace_back(branch.line, branch.name.c_str());
    }
    layOutShared();
    lanes_.resize(file.usesBarriers ? experiment.launch.block.count() : lanesPerWarp);
}

void BoundKernel::layOutShared() {
    const KernelFile& file = kernel_.file;
    const FormulaPlace place{.launch = experiment_.launch};
    for (const FileShared& shared : file.shared) {
        trace::SharedPlace& laid = places_.emplace_back();
        laid.elementBytes = shared.elementBytes;
        if (!shared.columns.empty()) {
            laid.columns = static_cast<std::uint32_t>(shared.columns(experiment_.arguments, place));
        }
        const runtime::ObjectRow* const object =
            shared.of.empty() ? objectOf(*kernel_.unit, row_->name, shared.name) : nullptr;
        sharedFrom_.push_back(object == nullptr ? 0 : object->address);
        sharedBytes_.push_back(object == nullptr ? 0 : object->bytes);
        laid.offset = staticBytes_;
        if (object != nullptr) staticBytes_ += static_cast<std::uint32_t>(object->bytes);
    }
    // Dynamic shared memory lies behind the static one; a part ends where the next begins.
    std::uint64_t end = experiment_.launch.dynamicSharedBytes;
    for (std::size_t i = file.shared.size(); i-- > 0;) {
        const FileShared& shared = file.shared[i];
        if (sharedBytes_[i] != 0) continue;
        const std::uint64_t begin =
            shared.begin.empty() ? 0
                                 : shared.begin(experiment_.arguments, place) * shared.elementBytes;
        sharedFrom_[i] = begin;
        sharedBytes_[i] = end > begin ? end - begin : 0;
        places_[i].offset = staticBytes_ + static_cast<std::uint32_t>(begin);
        end = begin;
    }
}

std::vector<ArrayRange> BoundKernel::rangesHere() const {
    const KernelFile& file = kernel_.file;
    std::vector<ArrayRange> ranges;
    for (std::size_t i = 0; i < file.arrays.size(); ++i) {
        const ArrayMemory::Array& array = memory_->arrays()[i];
        const auto subject = static_cast<std::uint16_t>(i);
        ranges.push_back(
            {array.begin, array.bytes,
             trace::baseAddress(subject) + experiment_.arrayOffset * byteCount(file.arrays[i].type),
             subject, false});
    }
    for (std::size_t i = 0; i < file.shared.size(); ++i) {
        const bool isStatic =
            file.shared[i].of.empty() && places_[i].offset + sharedBytes_[i] <= staticBytes_;
        ranges.push_back({(isStatic ? threadPointer() : dynamicSharedAddress()) + sharedFrom_[i],
                          sharedBytes_[i], places_[i].offset, static_cast<std::uint16_t>(i), true});
    }
    std::ranges::sort(ranges, {}, &ArrayRange::begin);
    return ranges;
}

void BoundKernel::moveHere() {
    if (here_ == threadPointer()) return;
    here_ = threadPointer();
    runner_.drop();
    table_ = std::make_unique<PlaceTable>(std::span(kernel_.unit->sites, kernel_.unit->sitesEnd),
                                          rangesHere(), names_);
}

std::string BoundKernel::threadText(Index3 block, Index3 thread) const {
    return "block " + toText(block) + " thread " + toText(thread);
}

std::uint64_t BoundKernel::runWarp(Index3 block, WarpRank warp, trace::WarpObserver& observer) {
    std::array<ThreadRank, lanesPerWarp> threads;
    const std::uint32_t count = threadCountInWarp(warp, experiment_.launch.block);
    for (std::uint32_t i = 0; i < count; ++i) threads[i] = {firstThreadOfWarp(warp).value + i};
    return runBlock(block, observer, std::span(threads).first(count));
}

std::uint64_t BoundKernel::runBlock(Index3 block, trace::WarpObserver& observer,
                                    std::span<const ThreadRank> only) {
    moveHere();
    runner_.beginBlock(code_, block);
    const Extents extents = experiment_.launch.block;
    const auto threads = static_cast<std::uint32_t>(only.empty() ? extents.count() : only.size());
    const auto begin = [&](Lane& lane, std::uint32_t i) {
        lane = {};
        lane.thread = threadIndexInBlock(only.empty() ? ThreadRank{i} : only[i], extents);
    };
    std::uint64_t events = 0;
    try {
        if (!kernel_.file.usesBarriers) {
            for (std::uint32_t first = 0; first < threads; first += lanesPerWarp) {
                const std::uint32_t count = std::min(lanesPerWarp, threads - first);
                for (std::uint32_t i = 0; i < count; ++i) begin(lanes_[i], first + i);
                Warp warp(runner_, *table_, lanes_.data(), count, observer);
                warp.advance();
                events += warp.events();
            }
            return events;
        }
        std::vector<std::unique_ptr<Warp>> warps;
        for (std::uint32_t i = 0; i < threads; ++i) begin(lanes_[i], i);
        for (std::uint32_t first = 0; first < threads; first += lanesPerWarp) {
            warps.push_back(std::make_unique<Warp>(runner_, *table_, &lanes_[first],
                                                   std::min(lanesPerWarp, threads - first),
                                                   observer));
        }
        const std::span<Lane> all = std::span(lanes_).first(threads);
        for (;;) {
            for (const auto& warp : warps) warp->advance();
            const auto waits = [](const Lane& lane) { return lane.state == LaneState::atBarrier; };
            if (std::ranges::none_of(all, waits)) break;
            passBarrier(all, block);
        }
        for (const auto& warp : warps) events += warp->events();
        return events;
    } catch (const OutsideArrays& outside) {
        runner_.drop();
        const auto& file = kernel_.file;
        const std::string array = outside.isShared ? file.shared.at(outside.subject).name
                                                   : file.arrays.at(outside.subject).name;
        throw KernelFault(file.file + ':' + std::to_string(outside.line) +
                          ": an access outside the kernel's arrays, near " + array + ", block " +
                          toText(block));
    } catch (...) {
        runner_.drop();
        throw;
    }
}

void BoundKernel::passBarrier(std::span<Lane> lanes, Index3 block) {
    const Lane* first = nullptr;
    std::uint32_t waiting = 0;
    int votes = 0;
    const auto line = [&](const Lane& lane) { return table_->row(lane.waitSite).line; };
    for (const Lane& lane : lanes) {
        if (lane.state != LaneState::atBarrier) continue;
        ++waiting;
        votes += lane.vote & 1;
        if (first == nullptr) first = &lane;
    }
    for (const Lane& lane : lanes) {
        const bool elsewhere = lane.state != LaneState::atBarrier || line(lane) != line(*first);
        if (!elsewhere) continue;
        throw KernelFault(
            kernel_.file.file + ':' + std::to_string(line(*first)) +
            ": a barrier is not reached by all threads: " + threadText(block, first->thread) +
            " waits there, " + threadText(block, lane.thread) +
            (lane.state == LaneState::atBarrier ? " at line " + std::to_string(line(lane))
                                                : std::string(" does not")));
    }
    for (Lane& lane : lanes) {
        const int what = lane.vote >> 1;
        lane.answer = what == 0   ? static_cast<std::uint32_t>(votes)
                      : what == 1 ? (static_cast<std::uint32_t>(votes) == waiting ? 1 : 0)
                                  : (votes != 0 ? 1 : 0);
        lane.vote = 0;
        lane.state = LaneState::runnable;
    }
}

}  // namespace warplens::library
