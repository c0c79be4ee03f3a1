#include "kernels/programs/runtime_api/device.h"

#include <chrono>
#include <cstdlib>
#include <sys/mman.h>
#include <thread>

#include "core/program/mangled_names.h"
#include "core/program/trace_frames.h"
#include "kernels/programs/runtime_api/array_names.h"
#include "kernels/programs/runtime_api/in_flight.h"
#include "kernels/programs/runtime_api/launching.h"
#include "kernels/programs/runtime_api/report.h"

/// What `-G` makes of the program's files: texts, each ended by a zero byte, and one more behind
/// all. Linked into it; of none it is null.
extern "C" __attribute__((weak)) const char __cudaDebugPtx[];

namespace warplens::programs {
namespace {

constexpr std::uint64_t deviceBytes = 8ull << 30;
constexpr std::uint64_t mostOfAnyDevice = 256ull << 30;
constexpr std::size_t pageBytes = 4096;

std::recursive_mutex& callMutex() {
    static std::recursive_mutex mutex;
    return mutex;
}

std::size_t pagesFor(std::size_t bytes) {
    return (std::max<std::size_t>(bytes, 1) + pageBytes - 1) / pageBytes * pageBytes;
}

/// A function that the program has already, and the module, too; null where there is none.
const ptx::Function* sameIn(const ptx::Program& program, const ptx::Module& module) {
    for (const auto& [name, function] : module.functions) {
        const ptx::Function* known = program.function(function->name);
        if (known != nullptr && !known->isDeclaration && !function->isDeclaration) return known;
    }
    return nullptr;
}

/// Adds a PTX text; what cannot be read is said. Of one that the program loads by itself no name
/// may be there yet.
bool add(ptx::Program& program, std::string text, bool isLoaded = false) {
    auto read = ptx::readModule(std::move(text));
    std::optional<std::string> problem;
    if (const auto* error = std::get_if<ptx::ReadError>(&read)) {
        problem = "line " + std::to_string(error->row) + ": " + error->message;
    } else {
        auto& module = std::get<ptx::Module>(read);
        if (const ptx::Function* known = isLoaded ? sameIn(program, module) : nullptr)
            problem = "another module has '" + std::string(known->name) + "', too";
        else
            problem = program.add(std::move(module));
    }
    if (!problem) return true;
    sendFinding(FindingKind::notSupported,
                std::string(isLoaded ? "a module that the program loads" : "the compiler's PTX") +
                    " is not understood, " + *problem);
    return false;
}

}  // namespace

DeviceCall::DeviceCall() {
    lock_ = std::unique_lock(callMutex());
    enterCall();
    resumeLaunches();
}
DeviceCall::~DeviceCall() {
    leaveCall();
}

void letOthersCall() {
    callMutex().unlock();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    callMutex().lock();
}

RuntimeDevice::RuntimeDevice() : memory_(deviceBytes) {
    std::atexit([] { instance().finish(); });
    memory_.askHost([](std::uint64_t address) {
        unsigned char isThere = 0;
        void* page = reinterpret_cast<void*>(address / pageBytes * pageBytes);
        return mincore(page, pageBytes, &isThere) == 0;
    });
}

void RuntimeDevice::finish() {
    const auto lock = lockDevice();
    for (auto findings : {faults_.takeUnreached(), faults_.takeClues()}) {
        for (Finding& finding : findings) {
            finding.kernel = kernelName(finding.kernel);
            sendFinding(finding);
        }
    }
    sendReached(faults_.bytesReached());
    for (const auto& [address, calls] : made_) {
        const ptx::Allocation* array = memory_.find(address);
        if (array == nullptr || array->freed || array->kind == ptx::Allocation::Kind::pinned)
            continue;
        sendContents(address);
        sendFinding(FindingKind::neverFreed,
                    unnamedArray(array->id) + " (" + std::to_string(array->bytes) +
                        " bytes) is never freed",
                    calls);
    }
}

void RuntimeDevice::keepPlace(std::uint64_t address) {
    constexpr std::size_t most = 1000;
    if (made_.size() == most) return;
    made_[address] = callers();
    sendArray(memory_.find(address)->id, false, made_[address]);
}

void* RuntimeDevice::allocate(std::size_t bytes) {
    const ptx::Allocation* array = memory_.allocate(bytes);
    if (array == nullptr && bytes <= mostOfAnyDevice)
        sendFinding(FindingKind::notSupported,
                    std::to_string(bytes) + " bytes are out of memory: the device here has " +
                        std::to_string(deviceBytes) + " for all arrays together");
    if (array == nullptr) return nullptr;
    keepPlace(array->address);
    return reinterpret_cast<void*>(array->address);
}

RuntimeDevice& RuntimeDevice::instance() {
    static RuntimeDevice& device =
        *new RuntimeDevice;  // used by destructors of the program's statics, too
    return device;
}

void RuntimeDevice::addModule(std::vector<std::string> texts) {
    for (std::string& text : texts) waiting_.push_back(std::move(text));
}

void* RuntimeDevice::addManagedVariable(const void* shadow, const char* name, std::size_t bytes) {
    addVariable(shadow, name, bytes);
    void* place = allocateOnHost(bytes, ptx::Allocation::Kind::managed, name);
    made_.erase(reinterpret_cast<std::uint64_t>(place));  // by no call
    return place;
}

void RuntimeDevice::load() {
    for (std::string& text : std::exchange(waiting_, {})) add(compiled_, std::move(text));
    if (std::exchange(hasSource_, true)) return;
    if (__cudaDebugPtx == nullptr) return;
    source_.isOf(compiled_);
    for (const char* text = __cudaDebugPtx; *text != 0;) {
        std::string whole = text;
        text += whole.size() + 1;
        add(source_, std::move(whole));
    }
}

cuda::Error RuntimeDevice::load(std::vector<std::string> texts) {
    load();
    for (std::string& text : texts) {
        if (loaded_.contains(text)) continue;
        if (!add(compiled_, text, true)) return cuda::invalidPtx;
        loaded_.insert(std::move(text));
    }
    return cuda::success;
}

HostKernel* RuntimeDevice::kernel(const void* stub) {
    const auto found = kernels_.find(stub);
    return found == kernels_.end() ? nullptr : &found->second;
}

const ptx::Allocation* RuntimeDevice::variable(const void* shadow, std::size_t* bytes) {
    load();
    const auto found = variables_.find(shadow);
    if (found == variables_.end()) return nullptr;
    if (bytes != nullptr) *bytes = found->second.bytes;
    if (const ptx::Allocation* array = compiled_.variable(found->second.name)) return array;
    return memory_.variable(found->second.name);
}

std::vector<const ptx::Allocation*> RuntimeDevice::variables() {
    std::vector<const ptx::Allocation*> all;
    for (const auto& [shadow, known] : variables_) {
        if (const ptx::Allocation* array = variable(shadow)) all.push_back(array);
    }
    return all;
}

ptx::Program& RuntimeDevice::compiled() {
    load();
    return compiled_;
}

ptx::Program& RuntimeDevice::source() {
    load();
    return source_;
}

void* RuntimeDevice::allocateOnHost(std::size_t bytes, ptx::Allocation::Kind kind,
                                    std::string variable) {
    void* place =
        mmap(nullptr, pagesFor(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) return nullptr;
    const auto address = reinterpret_cast<std::uint64_t>(place);
    onHost_[address] = bytes;
    memory_.adopt(address, static_cast<std::byte*>(place), bytes, kind, std::move(variable));
    keepPlace(address);
    return place;
}

/// Of a program that copies nothing back, what it has in an array is what it gets.
void RuntimeDevice::sendContents(std::uint64_t address) {
    const ptx::Allocation* array = hasCopied_ ? nullptr : memory_.find(address);
    if (array != nullptr && !array->freed && array->address == address)
        sendResult(array->data, array->bytes, faults_.elementBytes(address));
}

bool RuntimeDevice::release(std::uint64_t address) {
    sendContents(address);
    faults_.release(address);
    noteChange();
    if (!memory_.release(address)) return false;
    if (made_.contains(address)) sendArray(memory_.find(address)->id, true, callers());
    if (const auto found = onHost_.find(address); found != onHost_.end()) {
        // The addresses stay taken, so that nothing else is taken for this array.
        mmap(reinterpret_cast<void*>(address), pagesFor(found->second), PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
        onHost_.erase(found);
    }
    return true;
}

cuda::Error RuntimeDevice::fail(cuda::Error error, bool isSticky) {
    if (error == cuda::success) return error;
    pending_ = error;
    if (isSticky && !isLost_) {
        isLost_ = true;
        lost_ = error;
    }
    return error;
}

cuda::Error RuntimeDevice::takeError() {
    if (isLost_) return lost_;
    return std::exchange(pending_, cuda::success);
}

}  // namespace warplens::programs
