#include "kernels/programs/runtime_api/seen_launch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "core/program/launch_inputs.h"
#include "kernels/programs/runtime_api/array_names.h"
#include "kernels/programs/runtime_api/report.h"

namespace warplens::programs {
namespace {

/// Of the bytes of arrays that the host may write without a call. Cost: one pass over them.
std::uint64_t digestOf(const ptx::Memory& memory, const std::set<std::uint32_t>& arrays) {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15ull;
    std::array<std::uint64_t, 4> sums{1, 2, 3, 4};
    const auto mix = [&](std::size_t lane, std::uint64_t word) {
        sums[lane] = std::rotl((sums[lane] ^ word) * factor, 23);
    };
    for (const auto& [address, array] : memory.allocations()) {
        if (array.freed || !arrays.contains(array.id)) continue;
        std::uint64_t at = 0;
        for (; at + 32 <= array.bytes; at += 32) {
            std::array<std::uint64_t, 4> words;
            std::memcpy(words.data(), array.data + at, sizeof words);
            for (std::size_t lane = 0; lane < 4; ++lane) mix(lane, words[lane]);
        }
        for (; at < array.bytes; ++at) mix(at % 4, static_cast<std::uint64_t>(array.data[at]));
    }
    for (std::size_t lane = 1; lane < 4; ++lane) mix(0, sums[lane]);
    return sums[0];
}

}  // namespace

void SeenLaunch::learn(const LaunchReport& report, const ptx::LaunchResult& result,
                       bool hasEffect) {
    RuntimeDevice& device = RuntimeDevice::instance();
    changesNothing_ = !hasEffect && result.ended.empty() && result.launched.empty();
    if (!changesNothing_) return;
    changes_ = device.changes();
    std::set<std::uint32_t> used;
    for (const ptx::ArrayCounts& entry : result.counts) used.insert(entry.array);
    for (const auto& [address, array] : device.memory().allocations()) {
        const bool isShared = array.kind == ptx::Allocation::Kind::managed ||
                              array.kind == ptx::Allocation::Kind::pinned;
        if (isShared && used.contains(array.id)) shared_.insert(array.id);
    }
    digest_ = digestOf(device.memory(), shared_);
    told = report;
}

bool SeenLaunch::changesNothing() const {
    RuntimeDevice& device = RuntimeDevice::instance();
    return changesNothing_ && changes_ == device.changes() &&
           digest_ == digestOf(device.memory(), shared_);
}

std::string likeOf(const ptx::KernelLaunch& launch, const ptx::Memory& memory) {
    std::string like = std::string(launch.kernel->name) + toLaunchSyntax(launch.launch);
    std::vector<std::uint64_t> words(launch.parameters.size() / 8 + 1);
    std::memcpy(words.data(), launch.parameters.data(), launch.parameters.size());
    for (const std::uint64_t word : words) {
        const ptx::Allocation* array = memory.find(word);
        like += array == nullptr ? ' ' + std::to_string(word)
                                 : ' ' + std::to_string(array->bytes) + '+' +
                                       std::to_string(word - array->address);
    }
    return like;
}

bool hasChanged(const ptx::Memory& memory, const ptx::Memory::Snapshot& before) {
    bool changed = false;
    for (const auto& [address, array] : memory.allocations()) {
        changed |= before.has(array) == array.freed;  // made or freed since
        before.forEachPiece(array, [&, &now = array](auto at, const auto* bytes, auto count) {
            changed |= !now.freed && !changed && std::memcmp(bytes, now.data + at, count) != 0;
        });
    }
    return changed;
}

WaitingLaunch::WaitingLaunch(LaunchReport report, ptx::KernelLaunch what, cuda::Stream in,
                             ptx::Surroundings around)
    : told(std::move(report)), launch(std::move(what)), stream(in), around_(std::move(around)) {
    around_.isStopped = [this] { return secondsNow() > latest_; };
    around_.waitForOthers = [this](bool hasMoved) {
        hasMoved_ = hasMoved;
        yield();
        return !isLast_ || secondsNow() > latest_;
    };
    thread_ = std::thread([this] {
        std::unique_lock lock(mutex_);
        turn_.wait(lock, [this] { return isRunning_; });
        lock.unlock();
        result_ = ptx::run(RuntimeDevice::instance().compiled(), launch, around_);
        isDone_ = hasMoved_ = true;
        lock.lock();
        isRunning_ = false;
        turn_.notify_all();
    });
}

bool WaitingLaunch::resume(double seconds, bool isLast) {
    latest_ = secondsNow() + seconds;
    isLast_ = isLast;
    std::unique_lock lock(mutex_);
    isRunning_ = true;
    turn_.notify_all();
    turn_.wait(lock, [this] { return !isRunning_; });
    return hasMoved_;
}

void WaitingLaunch::yield() {
    std::unique_lock lock(mutex_);
    isRunning_ = false;
    turn_.notify_all();
    turn_.wait(lock, [this] { return isRunning_; });
}

namespace {

using Kind = ptx::Allocation::Kind;

/// Arrays of a launch's inputs in their order, and bytes whose pointers are into them.
class Inputs final {
  public:
    explicit Inputs(const ptx::Memory& memory) : memory_(memory) {
        for (const auto& [address, array] : memory.allocations()) {
            first_ = std::min(first_, address);
            end_ = std::max(end_, address + array.bytes);
        }
    }
    /// The bytes with their pointers into arrays taken out; these arrays are inputs, too.
    [[nodiscard]] InputBytes withPointers(const std::byte* bytes, std::size_t size) {
        InputBytes result;
        result.bytes.assign(bytes, bytes + size);
        for (std::size_t at = 0; at + 8 <= size; at += 8) {
            std::uint64_t value = 0;
            std::memcpy(&value, bytes + at, sizeof value);
            const ptx::Allocation* array = pointed(value);
            if (array == nullptr) continue;
            result.pointers.push_back({at, add(*array), value - array->address});
            std::memset(result.bytes.data() + at, 0, 8);
        }
        return result;
    }
    std::uint32_t add(const ptx::Allocation& array) {
        auto place = std::ranges::find(order, &array);
        if (place == order.end()) place = order.insert(order.end(), &array);
        return static_cast<std::uint32_t>(place - order.begin());
    }
    std::vector<const ptx::Allocation*> order;

  private:
    /// The array that a pointer is into, or at the end of; null where it is none.
    [[nodiscard]] const ptx::Allocation* pointed(std::uint64_t value) const {
        if (value < first_ || value > end_) return nullptr;
        const ptx::Allocation* array = memory_.find(value);
        if (array == nullptr) array = memory_.find(value - 1);
        return array == nullptr || array->freed ? nullptr : array;
    }
    const ptx::Memory& memory_;
    std::uint64_t first_ = ~std::uint64_t{0};
    std::uint64_t end_ = 0;
};

/// Whether a variable holds the address of a function, which is another one elsewhere.
bool holdsFunctions(const std::byte* bytes, std::size_t size) {
    for (std::size_t at = 0; at + 8 <= size; at += 8) {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes + at, sizeof value);
        if ((value & ptx::windowMask) == ptx::functionWindow) return true;
    }
    return false;
}

/// PTX of the kernel's module, and of all others where it needs one of them.
std::vector<std::string> linkedWith(const ptx::Program& program, const ptx::Function& kernel) {
    const ptx::Module& own = program.moduleOf(kernel);
    std::vector<std::string> texts{*own.text};
    const bool isWhole =
        own.text->find(".extern .global") == std::string::npos &&
        own.text->find(".extern .const") == std::string::npos &&
        std::ranges::none_of(own.functions, [&](const auto& entry) {
            const ptx::Function* found = program.function(entry.first);
            return entry.second->isDeclaration && found != nullptr && !found->isDeclaration;
        });
    for (const auto& module : program.modules()) {
        if (!isWhole && module.get() != &own) texts.push_back(*module->text);
    }
    return texts;
}

}  // namespace

KeptInputs::KeptInputs(RuntimeDevice& device, std::uint32_t index)
    : device_(device), index_(index) {
    std::uint64_t bytes = 0;
    for (const auto& [address, array] : device.memory().allocations())
        bytes += array.freed ? 0 : 2 * array.bytes;
    areKept_ = bytes <= mostLaunchInputBytes;
    if (areKept_) {
        device.memory().save(before_);
    } else {
        sendNote("the inputs of launch " + std::to_string(index) + " take over " +
                 std::to_string(mostLaunchInputBytes >> 20) + " MiB");
    }
}

void KeptInputs::send(const ptx::KernelLaunch& launch, const std::string& instance,
                      const std::vector<std::string>& parameters) const {
    if (!areKept_) return;
    const ArrayNames arrayNames(device_.compiled(), launch);
    if (arrayNames.takesHandles()) {
        sendNote("the inputs of launch " + std::to_string(index_) +
                 " include textures or surfaces, which are of this machine alone");
        return;
    }
    const ptx::Memory& memory = device_.memory();
    Inputs inputs(memory);
    std::map<std::uint32_t, std::uint32_t> elementBytes;  // by id
    for (const ParameterArray& pointed : parameterArrays(memory, launch))
        elementBytes.emplace(pointed.array->id, pointed.elementBytes);
    LaunchInputs sent;
    sent.kernel = instance;
    sent.symbol = launch.kernel->name;
    sent.ptx = linkedWith(device_.compiled(), *launch.kernel);
    sent.launch = launch.launch;
    sent.cooperative = launch.isCooperative;
    for (std::size_t at = 0; at < launch.kernel->parameters.size(); ++at) {
        const ptx::Parameter& parameter = launch.kernel->parameters[at];
        sent.parameterList.push_back({parameters[at], parameter.offset, parameter.bytes});
    }
    sent.parameters = inputs.withPointers(launch.parameters.data(), launch.parameters.size());
    const std::vector<const ptx::Allocation*> variables = device_.variables();
    for (const ptx::Allocation* variable : variables) {
        if (!arrayNames.mayUse(*variable)) continue;
        const std::vector<std::byte> before = before_.bytesOf(*variable);
        // What holds functions the device's compiler begins itself.
        if (!before.empty() && !holdsFunctions(before.data(), variable->bytes))
            inputs.add(*variable);
    }
    for (std::size_t at = 0; at < inputs.order.size(); ++at) {
        const ptx::Allocation& array = *inputs.order[at];
        if (!before_.has(array)) return;
        const std::vector<std::byte> before = before_.bytesOf(array);
        InputArray& input = sent.arrays.emplace_back();
        input.name = arrayNames.of(array.id);
        const auto declared = elementBytes.find(array.id);
        input.elementBytes = declared != elementBytes.end()
                                 ? declared->second
                                 : std::max(1U, device_.faults().elementBytes(array.address));
        if (std::ranges::find(variables, &array) != variables.end()) input.symbol = array.name;
        input.before = inputs.withPointers(before.data(), array.bytes);
        input.after = inputs.withPointers(array.data, array.bytes);
    }
    sendInputs(index_, sent);
}

}  // namespace warplens::programs
