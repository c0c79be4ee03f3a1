#include "kernels/library/array_memory.h"

#include <array>
#include <deque>
#include <mutex>
#include <new>
#include <sys/mman.h>

#include "core/kernel/element_type.h"
#include "kernels/ptx/run/memory.h"

namespace warplens::library {

/// They read as 0 until they are written.
class Pages final {
  public:
    explicit Pages(std::uint64_t bytes)
        : bytes_(bytes),
          memory_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
        if (memory_ == MAP_FAILED) throw std::bad_alloc();
    }
    Pages(Pages&&) = delete;
    ~Pages() { munmap(memory_, bytes_); }

    [[nodiscard]] std::uint64_t begin() const { return reinterpret_cast<std::uintptr_t>(memory_); }
    void protect() const { mprotect(memory_, bytes_, PROT_READ); }
    /// They read as 0 again: pages that are given back do.
    void clear() const { madvise(memory_, bytes_, MADV_DONTNEED); }

  private:
    std::size_t bytes_;
    void* memory_;
};

namespace {

/// What there is of every array whose values mean nothing: inputs read as 0, and what is stored in
/// outputs is read as anything. Mirrored (ptx::Allocation), with a multiple of its bytes.
constexpr std::uint64_t mirroredBytes = std::uint64_t{1} << 20;

std::uint64_t mirroredBegin(bool writable) {
    constexpr auto room = static_cast<std::uint64_t>(ptx::mirrorRoom);
    // Zeros that take no memory where nobody writes; a page's mmap writes them.
    alignas(4096) static std::array<std::array<std::byte, mirroredBytes + 2 * room>, 2> pages;
    return reinterpret_cast<std::uintptr_t>(pages.at(writable ? 1 : 0).data()) + room;
}

constexpr std::uint64_t roomBeside = std::uint64_t{1} << 24;  // an index may be wrong

/// What an array holds whose values decide what is accessed, from `roomBeside` on.
std::shared_ptr<const Pages> filledPages(const KernelArray& array, const Experiment& experiment,
                                         std::uint64_t length) {
    auto pages = std::make_shared<const Pages>(length * byteCount(array.type) + 2 * roomBeside);
    auto* const words = reinterpret_cast<std::uint32_t*>(pages->begin() + roomBeside);
    auto* const longWords = reinterpret_cast<std::uint64_t*>(pages->begin() + roomBeside);
    const bool isLong = byteCount(array.type) == sizeof(std::uint64_t);
    const Formula filled = array.filled.with(experiment.arguments);
    const auto fill = [&](std::uint64_t first, std::uint64_t end) {
        FormulaPlace place{.launch = experiment.launch, .element = first};
        for (; place.element < end; ++place.element) {
            const std::uint64_t bits =
                bitsOf(array.type, static_cast<std::int64_t>(filled(experiment.arguments, place)));
            if (isLong) {
                longWords[place.element] = bits;
            } else {
                words[place.element] = static_cast<std::uint32_t>(bits);
            }
        }
    };
    // Of some milliseconds each.
    const std::uint64_t parts = std::clamp<std::uint64_t>(length >> 18, 1, hostThreads(0));
    {
        std::vector<std::jthread> others;
        for (std::uint64_t part = 1; part < parts; ++part) {
            others.emplace_back(fill, length * part / parts, length * (part + 1) / parts);
        }
        fill(0, length / parts);
    }
    pages->protect();
    return pages;
}

/// The same, made once as long as it is one of the last few.
std::shared_ptr<const Pages> keptPages(const KernelArray& array, const Experiment& experiment,
                                       std::uint64_t length) {
    struct Kept final {
        const KernelArray* array;
        Arguments arguments;
        Launch launch;
        std::shared_ptr<const Pages> pages;
    };
    constexpr std::size_t mostKept = 6;
    static std::mutex mutex;
    static std::deque<Kept> kept;
    const std::lock_guard lock(mutex);
    const auto found = std::ranges::find_if(kept, [&](const Kept& other) {
        return other.array == &array && other.arguments == experiment.arguments &&
               other.launch == experiment.launch;
    });
    if (found != kept.end()) return found->pages;
    if (kept.size() == mostKept) kept.pop_front();
    kept.push_back(
        {&array, experiment.arguments, experiment.launch, filledPages(array, experiment, length)});
    return kept.back().pages;
}

}  // namespace

ArrayMemory::ArrayMemory(const Experiment& experiment, bool withValues)
    : kernel_(kernelOf(experiment)), hasValues_(withValues) {
    for (const KernelArray& array : kernel_.arrays) {
        const std::uint64_t element = byteCount(array.type);
        const std::uint64_t length = array.length(experiment.arguments, experiment.launch);
        const std::uint64_t offset = experiment.arrayOffset * element;
        const std::uint64_t bytes = offset + length * element;
        const bool writable = array.role == ArrayRole::output;
        auto& pages = pages_.emplace_back();
        std::uint64_t begin = 0;
        std::uint64_t mirror = ~std::uint64_t{0};
        if (!array.filled.empty()) {
            // Its addresses are told as those of the offset one: only the values are these.
            pages = keptPages(array, experiment, length);
            begin = pages->begin() + roomBeside;
        } else if (withValues) {
            pages = std::make_shared<const Pages>(bytes);
            begin = pages->begin() + offset;
        } else {
            constexpr std::uint64_t alignment = 512;
            begin = mirroredBegin(writable) + offset % alignment;
            mirror = mirroredBytes - 1;
        }
        arrays_.push_back({begin, length * element, mirror});
    }
}

bool ArrayMemory::provide(std::size_t array, std::span<const std::uint64_t> words) {
    if (!kernel_.arrays.at(array).filled.empty()) return false;
    auto* const values = reinterpret_cast<float*>(arrays_.at(array).begin);
    bool changed = false;
    for (const std::uint64_t place : words) {
        const float value = inputValue(static_cast<std::uint32_t>(array), place);
        changed = changed || values[place] != value;
        values[place] = value;
    }
    return changed;
}

void ArrayMemory::provideAll(std::size_t array) {
    if (!kernel_.arrays.at(array).filled.empty()) return;
    auto* const values = reinterpret_cast<float*>(arrays_.at(array).begin);
    for (std::uint64_t place = 0; place < arrays_[array].bytes / 4; ++place) {
        values[place] = inputValue(static_cast<std::uint32_t>(array), place);
    }
}

std::uint32_t ArrayMemory::word(std::size_t array, std::uint64_t place) const {
    return reinterpret_cast<const std::uint32_t*>(arrays_.at(array).begin)[place];
}

void ArrayMemory::clearOutputs() {
    for (std::size_t i = 0; i < pages_.size(); ++i) {
        if (kernel_.arrays[i].role == ArrayRole::output) pages_[i]->clear();
    }
}

}  // namespace warplens::library
