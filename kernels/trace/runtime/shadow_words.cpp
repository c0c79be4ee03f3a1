#include "kernels/trace/runtime/shadow_words.h"

#include <new>
#include <sys/mman.h>

namespace warplens::runtime {

void useLargePages(void* memory, std::uint64_t bytes) {
    constexpr std::uint64_t least = std::uint64_t{4} << 20;
    constexpr std::uint64_t most = std::uint64_t{256} << 20;
    if (bytes >= least && bytes <= most) madvise(memory, bytes, MADV_HUGEPAGE);
}

ZeroWords::ZeroWords(std::uint64_t count) {
    const std::uint64_t bytes = count * sizeof(std::uint32_t);
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    useLargePages(memory, bytes);
    words_ = static_cast<std::uint32_t*>(memory);
    count_ = count;
}

ZeroWords::~ZeroWords() {
    if (words_ != nullptr) munmap(words_, count_ * sizeof(std::uint32_t));
}

}  // namespace warplens::runtime
