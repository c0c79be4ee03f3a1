#include "kernels/library/array_memory.h"

#include <algorithm>
#include <array>
#include <deque>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <thread>

#include "core/kernel/input_data.h"
#include "kernels/library/host_threads.h"

namespace warplens::library {
namespace {

/// Addresses for one array of every launch at a time: reserved once for the longest array that a
/// kernel's 32-bit index reaches, given pages as far as any launch needed them. Pages that were
/// touched stay, so that the next launch finds them.
class Slot final {
  public:
    /// At least `bytes` bytes, and some before and behind, that read as 0 and must not be written,
    /// or may be written and read as anything.
    [[nodiscard]] std::uint64_t take(std::uint64_t bytes, bool writable) {
        const std::lock_guard lock(mutex_);
        bytes += 2 * chunkBytes;  // before the array and behind it: an index may be wrong
        if (bytes + chunkBytes > reserved_ && reserved_ < mostBytes) {
            reserve(bytes + chunkBytes);
            mapForgotten();
        }
        while (usable_ < bytes) {
            if (writable) {
                mapForgotten();
            } else {
                map((bytes - usable_ + chunkBytes - 1) / chunkBytes * chunkBytes);
            }
        }
        return reinterpret_cast<std::uint64_t>(base_) + chunkBytes;
    }

  private:
    static constexpr std::uint64_t mostBytes = (std::uint64_t{1} << 35) + (std::uint64_t{1} << 26);
    static constexpr std::uint64_t chunkBytes = std::uint64_t{1} << 24;

    /// All there may ever be; where a limit on addresses forbids that, what is needed now, anew for
    /// each longer one.
    void reserve(std::uint64_t needed) {
        for (const std::uint64_t bytes : {mostBytes, needed}) {
            void* const memory =
                mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (memory == MAP_FAILED) continue;
            // What was reserved before may be in use.
            base_ = static_cast<char*>(memory);
            reserved_ = bytes;
            usable_ = 0;
            return;
        }
        throw std::bad_alloc();
    }
    void map(std::uint64_t bytes) {
        place(mmap(end(bytes), bytes, PROT_READ,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0),
              bytes);
    }
    /// The same few pages again and again: whatever is stored there is forgotten.
    void mapForgotten() {
        static void* const pages = mmap(nullptr, chunkBytes, PROT_READ | PROT_WRITE,
                                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (pages == MAP_FAILED) throw std::bad_alloc();
        // Of shared pages, none of which are moved, another view is made.
        place(mremap(pages, 0, chunkBytes, MREMAP_MAYMOVE | MREMAP_FIXED, end(chunkBytes)),
              chunkBytes);
    }
    [[nodiscard]] char* end(std::uint64_t more) const {
        if (usable_ + more > reserved_) throw std::bad_alloc();
        return base_ + usable_;
    }
    void place(const void* made, std::uint64_t bytes) {
        if (made == MAP_FAILED) throw std::bad_alloc();
        usable_ += bytes;
    }

    std::mutex mutex_;
    char* base_ = nullptr;
    std::uint64_t reserved_ = 0;
    std::uint64_t usable_ = 0;
};

}  // namespace

/// They read as 0 until they are written.
class Pages final {
  public:
    explicit Pages(std::uint64_t bytes)
        : bytes_(bytes),
          memory_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
        if (memory_ == MAP_FAILED) throw std::bad_alloc();
    }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    ~Pages() { munmap(memory_, bytes_); }

    [[nodiscard]] std::uint64_t begin() const { return reinterpret_cast<std::uint64_t>(memory_); }
    void protect() const { mprotect(memory_, bytes_, PROT_READ); }
    /// They read as 0 again: pages that are given back do.
    void clear() const { madvise(memory_, bytes_, MADV_DONTNEED); }

  private:
    std::size_t bytes_;
    void* memory_;
};

namespace {

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

Slot& slotOf(std::size_t array, bool writable) {
    static std::array<std::array<Slot, 2>, 8> all;
    return all.at(array)[writable ? 1 : 0];
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
        if (!array.filled.empty()) {
            // Its addresses are told as those of the offset one: only the values are these.
            pages = keptPages(array, experiment, length);
            begin = pages->begin() + roomBeside;
        } else if (withValues) {
            pages = std::make_shared<const Pages>(bytes);
            begin = pages->begin() + offset;
        } else {
            begin = slotOf(arrays_.size(), writable).take(bytes, writable) + offset;
        }
        arrays_.push_back({begin, length * element});
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
