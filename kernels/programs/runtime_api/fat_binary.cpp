#include "kernels/programs/runtime_api/fat_binary.h"

#include <cstdint>
#include <cstring>

namespace warplens::programs {
namespace {

// The layout is not documented; it is the same from CUDA 11 to 13.
constexpr std::uint32_t containerMagic = 0xba55ed50;
constexpr std::uint16_t ptxKind = 1;
constexpr std::uint64_t compressedFlags = 0xb000;

struct Wrapper final {
    std::uint32_t magic;
    std::uint32_t version;
    const std::byte* container;
    const void* const* linked;  ///< of version 2: containers of `-rdc` objects, null at the end
};
struct ContainerHead final {
    std::uint32_t magic;
    std::uint16_t version;
    std::uint16_t headBytes;
    std::uint64_t bytes;  ///< behind the head
};
struct EntryHead final {
    std::uint16_t kind;
    std::uint16_t version;
    std::uint32_t headBytes;
    std::uint64_t bytes;  ///< behind the head
    std::uint64_t others[3];
    std::uint64_t flags;
};

template <typename Head>
Head headAt(const std::byte* at) {
    Head head;
    std::memcpy(&head, at, sizeof head);
    return head;
}

void addTexts(const std::byte* container, std::vector<std::string>& texts) {
    const auto head = headAt<ContainerHead>(container);
    if (head.magic != containerMagic) return;
    const std::byte* at = container + head.headBytes;
    const std::byte* end = at + head.bytes;
    while (end - at >= static_cast<std::ptrdiff_t>(sizeof(EntryHead))) {
        if (headAt<std::uint32_t>(at) == containerMagic) {
            addTexts(at, texts);
            at += sizeof(ContainerHead) + headAt<ContainerHead>(at).bytes;
            continue;
        }
        const auto entry = headAt<EntryHead>(at);
        const char* text = reinterpret_cast<const char*>(at + entry.headBytes);
        if (entry.kind == ptxKind && (entry.flags & compressedFlags) == 0) {
            texts.emplace_back(text, strnlen(text, entry.bytes));
        }
        at += entry.headBytes + entry.bytes;
    }
}

}  // namespace

std::vector<std::string> ptxIn(const void* wrapper) {
    const auto& head = *static_cast<const Wrapper*>(wrapper);
    std::vector<std::string> texts;
    addTexts(head.container, texts);
    if (head.version == 2 && head.linked != nullptr) {
        for (const void* const* each = head.linked; *each != nullptr; ++each) {
            addTexts(static_cast<const std::byte*>(*each), texts);
        }
    }
    return texts;
}

}  // namespace warplens::programs
