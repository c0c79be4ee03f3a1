#include "kernels/trace/runtime/memory.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <sys/mman.h>

#include "kernels/trace/runtime/launch_state.h"
#include "kernels/trace/runtime/refused_calls.h"
#include "kernels/trace/runtime/tables.h"

extern "C" {
extern const warplens::runtime::ObjectRow __start_wl_objects[] __attribute__((weak));
extern const warplens::runtime::ObjectRow __stop_wl_objects[] __attribute__((weak));
extern const char __executable_start;
extern const char end;
}

namespace warplens::runtime {
namespace {

constexpr int slotShift = 36;
constexpr std::uint64_t slots = 512;
/// Programs with more arrays get smaller slots for those that fit.
constexpr int smallSlotShift = 28;
constexpr std::uint64_t smallSlots = 65536;
constexpr std::uint64_t mostSmallBytes = std::uint64_t{1} << (smallSlotShift - 2);
constexpr std::uint64_t pageBytes = 4096;
constexpr std::uint64_t mostDeviceBytes = std::uint64_t{8} << 30;
constexpr int mostBackedPages = 4096;

std::uint64_t arena = 0;
std::uint64_t smallArena = 0;
std::uint64_t nextSlot = 0;
std::uint64_t nextSmallSlot = 0;
std::uint64_t deviceBytes = 0;
int openings = 0;
int backedPages = 0;
WARPLENS_EARLY std::deque<Array> arrays;
WARPLENS_EARLY std::vector<std::uint32_t> arrayOfSlot;               ///< small ones last
WARPLENS_EARLY std::map<std::uint64_t, std::uint32_t> staticArrays;  ///< by address
WARPLENS_EARLY std::vector<std::uint32_t> objectArrays;              ///< by row
std::uint64_t sharedLow = UINT64_MAX;
std::uint64_t sharedHigh = 0;
WARPLENS_EARLY std::deque<std::uint32_t> freeSlots;
WARPLENS_EARLY std::deque<std::uint32_t> freeSmallSlots;

std::uint64_t wholePages(std::uint64_t bytes) {
    return std::max(pageBytes, (bytes + pageBytes - 1) / pageBytes * pageBytes);
}

void protect(const Array& array, bool readable) {
    mprotect(reinterpret_cast<void*>(array.at), wholePages(array.bytes),
             readable ? PROT_READ | PROT_WRITE : PROT_NONE);
}

void protectAll(bool readable) {
    for (const Array& array : arrays) {
        if (array.space == Space::device && array.live && !array.open) protect(array, readable);
    }
}

std::uint64_t threadPointer() {
    std::uint64_t value = 0;
    asm("mov %%fs:0, %0" : "=r"(value));
    return value;
}

void addStatic(const ObjectRow& row) {
    const bool isShared = (row.flags & objectIsShared) != 0;
    if (!isShared && (row.flags & (objectIsConstant | objectIsDevice)) == 0) {
        objectArrays.push_back(noArray);
        return;
    }
    const std::uint64_t at = row.address + (isShared ? threadPointer() : 0);
    if (const auto known = staticArrays.find(at);
        known != staticArrays.end() && !(row.flags & objectIsDynamic)) {
        objectArrays.push_back(known->second);
        return;
    }
    Array& array = arrays.emplace_back();
    array.name = array.hostName = lastNameOf(row.symbol);
    array.at = at;
    array.bytes = row.bytes;
    if ((row.flags & objectIsDynamic) != 0) {
        array.space = Space::dynamic;
    } else if (isShared) {
        array.space = Space::shared;
    } else {
        array.space = (row.flags & objectIsConstant) != 0 ? Space::constant : Space::symbol;
    }
    if (array.space == Space::shared) {
        array.elementAlignment = static_cast<std::uint32_t>(row.alignment);
    }
    if (isShared) {
        const std::uint64_t bytes =
            array.space == Space::dynamic ? mostDynamicSharedBytes : array.bytes;
        sharedLow = std::min(sharedLow, at);
        sharedHigh = std::max(sharedHigh, at + bytes);
    }
    const auto id = static_cast<std::uint32_t>(arrays.size() - 1);
    staticArrays.emplace(at, id);
    objectArrays.push_back(id);
}

std::uint32_t newArray(std::uint64_t at, std::uint64_t bytes, Space space, const char* name,
                       const char* file, int line) {
    Array& array = arrays.emplace_back();
    std::string text = name == nullptr ? "" : name;
    // `(void**)&d_in` and `&d_in` are `d_in`.
    while (!text.empty() && text.front() == '(') {
        const std::size_t close = text.find(')');
        if (close == std::string::npos || close + 1 >= text.size()) break;
        text = text.substr(close + 1);
    }
    while (!text.empty() && (text.front() == '&' || text.front() == ' ')) text = text.substr(1);
    array.name = array.hostName = text;
    array.at = at;
    array.bytes = bytes;
    array.space = space;
    array.file = file == nullptr ? "" : file;
    array.line = line;
    return static_cast<std::uint32_t>(arrays.size() - 1);
}

std::uint64_t heapUsed = 0;
WARPLENS_EARLY std::multimap<std::uint64_t, std::uint64_t> freedOfHeap;  ///< by size

std::uint64_t slotOf(std::uint64_t address) {
    return address < smallArena ? (address - arena) >> slotShift
                                : slots + ((address - smallArena) >> smallSlotShift);
}

/// A slot that is free, the one that has been so for longest: a late use is told as one. Nothing
/// where all are taken.
std::optional<std::uint64_t> takeSlot(std::uint64_t bytes) {
    const auto oldest = [](std::deque<std::uint32_t>& free) {
        const std::uint64_t slot = free.front();
        free.pop_front();
        return slot;
    };
    if (nextSlot < slots) return nextSlot++;
    if (bytes <= mostSmallBytes && nextSmallSlot < smallSlots) return slots + nextSmallSlot++;
    if (bytes <= mostSmallBytes && !freeSmallSlots.empty()) return oldest(freeSmallSlots);
    if (!freeSlots.empty()) return oldest(freeSlots);
    return std::nullopt;
}

/// Arrays begin within their slots: what is before them is theirs, too.
std::uint64_t beginInSlot(std::uint64_t slot) {
    return slot < slots ? arena + (slot << slotShift) + (std::uint64_t{1} << (slotShift - 2))
                        : smallArena + ((slot - slots) << smallSlotShift) + mostSmallBytes;
}

}  // namespace

void setUpMemory() {
    void* memory = mmap(nullptr, (slots << slotShift) + (smallSlots << smallSlotShift), PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) giveUp("no addresses for the device's memory");
    arena = reinterpret_cast<std::uint64_t>(memory);
    smallArena = arena + (slots << slotShift);
    arrayOfSlot.assign(slots + smallSlots, noArray);
    for (const ObjectRow* row = __start_wl_objects; row < __stop_wl_objects; ++row) {
        addStatic(*row);
    }
}

std::uint32_t arrayAt(std::uint64_t address) {
    if (isInDeviceSlots(address)) return arrayOfSlot[slotOf(address)];
    auto found = staticArrays.upper_bound(address);
    if (found == staticArrays.begin()) return noArray;
    --found;
    const Array& array = arrays[found->second];
    std::uint64_t bytes = array.bytes;
    if (array.space == Space::dynamic) bytes = mostDynamicSharedBytes;
    if (array.space == Space::symbol || array.space == Space::constant) {
        bytes += roomBehindVariables;
    }
    return address - array.at < bytes ? found->second : noArray;
}

namespace {

std::uint32_t elementSize(const Array& array, std::uint32_t bytes) {
    const std::uint32_t accessed = std::max(1u, bytes);
    return array.elementBytes % accessed == 0 && array.elementBytes != 0 ? array.elementBytes
                                                                         : accessed;
}

}  // namespace

std::string elementText(const Array& array, std::uint64_t address, std::uint32_t bytes) {
    const auto offset = static_cast<std::int64_t>(address - array.at);
    const auto size = static_cast<std::int64_t>(elementSize(array, bytes));
    const std::int64_t element = offset < 0 ? (offset - size + 1) / size : offset / size;
    return array.name + '[' + std::to_string(element) + ']';
}

std::string nameOnHost(const Array& array) {
    return array.hostName.empty() ? "an array" : array.hostName;
}

std::uint64_t elementCount(const Array& array, std::uint32_t bytes) {
    return array.bytes / elementSize(array, bytes);
}

Array& arrayOf(std::uint32_t id) {
    return arrays[id];
}

std::uint32_t arrayCount() {
    return static_cast<std::uint32_t>(arrays.size());
}

std::uint32_t arrayOfObject(const void* row) {
    if (row == nullptr) return noArray;
    const auto index =
        static_cast<std::size_t>(static_cast<const ObjectRow*>(row) - __start_wl_objects);
    return index < objectArrays.size() ? objectArrays[index] : noArray;
}

bool isInSharedMemory(std::uint64_t address) {
    return address >= sharedLow && address < sharedHigh + 65536;
}

bool isInDeviceSlots(std::uint64_t address) {
    return address - arena < (slots << slotShift) + (smallSlots << smallSlotShift);
}

bool isInProgram(std::uint64_t address) {
    return address >= reinterpret_cast<std::uint64_t>(&__executable_start) &&
           address < reinterpret_cast<std::uint64_t>(&end);
}

void setDynamicShared(std::uint64_t bytes, const void* object) {
    for (Array& array : arrays) {
        if (array.space == Space::dynamic) array.bytes = bytes;
    }
    // All of a program lie in one place: what is reached there by a pointer is the kernel's.
    const std::uint32_t id = arrayOfObject(object);
    if (id != noArray) staticArrays[arrays[id].at] = id;
}

std::vector<std::uint8_t> copyOfSharedMemory() {
    if (sharedLow >= sharedHigh) return {};
    const auto* low = reinterpret_cast<const std::uint8_t*>(sharedLow);
    return {low, low + (sharedHigh - sharedLow)};
}

void restoreSharedMemory(const std::vector<std::uint8_t>& copy) {
    if (!copy.empty()) std::memcpy(reinterpret_cast<void*>(sharedLow), copy.data(), copy.size());
}

bool backWithPages(std::uint64_t address) {
    if (!isInDeviceSlots(address) || arrayAt(address) == noArray) return false;
    if (++backedPages > mostBackedPages) return false;
    return mprotect(reinterpret_cast<void*>(address / pageBytes * pageBytes), pageBytes,
                    PROT_READ | PROT_WRITE) == 0;
}

DeviceMemoryOpen::DeviceMemoryOpen() {
    if (openings++ == 0) protectAll(true);
}

DeviceMemoryOpen::~DeviceMemoryOpen() {
    if (--openings == 0) protectAll(false);
}

bool heapIsUsed() {
    return heapUsed != 0;
}

namespace {

SourcePlace placeOfCall(const char* file, int line) {
    return {file == nullptr ? "" : file, static_cast<std::uint32_t>(line), 0};
}

/// `bytes` have been copied by the host. Told is what never had a value: all of it, or its end, as
/// where a grid is too small. Holes may be meant.
void noteCopy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes, const SourcePlace& place) {
    if (isInDeviceSlots(to)) {
        Array& array = arrays[arrayAt(to)];
        array.unwritten.write(to - array.at, bytes);
        return;
    }
    if (!isInDeviceSlots(from) || place.line == 0) return;
    Array& array = arrays[arrayAt(from)];
    const std::uint64_t begin = from - array.at;
    const std::uint64_t unwritten = array.unwritten.count(begin, bytes);
    const std::uint64_t last = std::min(bytes, 4 * unwritten);
    const std::uint64_t element = std::max(1u, array.elementBytes);
    if (last < std::max<std::uint64_t>(4, element) ||
        array.unwritten.count(begin + bytes - last, last) != unwritten)
        return;
    const std::string elements = std::to_string(bytes / element) +
                                 (element == 1 ? " bytes" : " elements") + " copied from " +
                                 nameOnHost(array);
    addFindingAt(FindingKind::unwrittenMemory,
                 (last == bytes ? "none of the " + elements + " was ever"
                                : "the last " + std::to_string(last / element) + " of the " +
                                      elements + " were never") +
                     " written: no copy, no memset, no kernel did",
                 place);
    array.unwritten = {};  // it has been told
}

}  // namespace

void forgetUnwritten() {
    for (Array& array : arrays) array.unwritten = {};
}

void reportNeverFreed() {
    for (const Array& array : arrays) {
        if (!array.live || array.line == 0 || array.space == Space::pinned) continue;
        addFindingAt(
            FindingKind::neverFreed,
            nameOnHost(array) + " (" + std::to_string(array.bytes) + " bytes) is never freed",
            {array.file, static_cast<std::uint32_t>(array.line), 0});
    }
}

}  // namespace warplens::runtime

using namespace warplens::runtime;

extern "C" {

int wl_malloc(void** pointer, std::size_t bytes, int kind, const char* name, const char* file,
              int line) {
    requireFirstThread();
    if (pointer == nullptr) return 1;
    if (bytes == 0) {
        *pointer = nullptr;
        return 0;
    }
    if (deviceBytes + bytes > mostDeviceBytes) return 2;
    const std::optional<std::uint64_t> slot = takeSlot(bytes);
    if (!slot) return 2;
    const std::uint64_t at = beginInSlot(*slot);
    const Space space = kind == 0 ? Space::device : kind == 1 ? Space::managed : Space::pinned;
    // What was backed for an array that lay here before is given back.
    mmap(reinterpret_cast<void*>(at), wholePages(bytes),
         kind == 0 && openings == 0 ? PROT_NONE : PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    useLargePages(reinterpret_cast<void*>(at), wholePages(bytes));
    arrayOfSlot[*slot] = newArray(at, bytes, space, name, file, line);
    // The host may write where no call of CUDA's tells.
    if (space == Space::device) arrays.back().unwritten = UnwrittenWords(bytes);
    deviceBytes += bytes;
    *pointer = reinterpret_cast<void*>(at);
    return 0;
}

int wl_free(void* pointer, int, const char* file, int line) {
    if (pointer == nullptr) return 0;
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    if (const int error = errorOfFree(address, placeOfCall(file, line))) return error;
    Array& array = arrays[arrayAt(address)];
    array.live = false;
    deviceBytes -= array.bytes;
    // The pages go back, the addresses stay taken: a late use is told as one.
    mmap(reinterpret_cast<void*>(array.at), wholePages(array.bytes), PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    const std::uint64_t slot = slotOf(address);
    (slot < slots ? freeSlots : freeSmallSlots).push_back(static_cast<std::uint32_t>(slot));
    array.writers = {};
    array.readers = {};
    array.unwritten = {};
    return 0;
}

int wl_memcpy(void* to, const void* from, std::size_t bytes, int kind, const char* file, int line) {
    requireFirstThread();
    if (bytes == 0) return 0;
    if (to == nullptr || from == nullptr) return 1;
    const auto target = reinterpret_cast<std::uint64_t>(to);
    const auto source = reinterpret_cast<std::uint64_t>(from);
    const auto place = placeOfCall(file, line);
    if (const int error = errorOfCopy(target, source, bytes, kind, place)) return error;
    const DeviceMemoryOpen open;
    std::memmove(to, from, bytes);
    noteCopy(target, source, bytes, place);
    return 0;
}

/// malloc and new of kernels. What was freed comes back when there is nothing else: other blocks of
/// the launch that get it would look like racing for it.
void* wl_heap_allocate(std::size_t bytes) {
    constexpr std::uint64_t heapBytes = std::uint64_t{8} << 20;  // cudaLimitMallocHeapSize
    static std::uint64_t begin = 0;
    if (begin == 0) {
        void* memory = nullptr;
        if (wl_malloc(&memory, heapBytes, 0, "heap", nullptr, 0) != 0) return nullptr;
        begin = reinterpret_cast<std::uint64_t>(memory);
        arrayOf(arrayAt(begin)).unwritten = {};
    }
    const std::uint64_t size = std::max<std::uint64_t>(16, (bytes + 15) / 16 * 16);
    std::uint64_t at = begin + heapUsed;
    if (heapUsed + size + 16 <= heapBytes) {
        heapUsed += size + 16;
        *reinterpret_cast<std::uint64_t*>(at) = size;
        return reinterpret_cast<void*>(at + 16);
    }
    const auto freed = freedOfHeap.find(size);
    if (freed == freedOfHeap.end()) return nullptr;
    at = freed->second;
    freedOfHeap.erase(freed);
    return reinterpret_cast<void*>(at);
}

void wl_heap_free(void* pointer) {
    if (pointer == nullptr) return;
    const auto at = reinterpret_cast<std::uint64_t>(pointer);
    if (!isInDeviceSlots(at)) return;
    freedOfHeap.emplace(*reinterpret_cast<const std::uint64_t*>(at - 16), at);
}

int wl_space(const void* pointer) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const std::uint32_t id = arrayAt(address);
    if (id == noArray || !arrays[id].live) return 0;
    switch (arrays[id].space) {
        case Space::pinned:
            return 1;
        case Space::managed:
            return 3;
        default:
            return 2;
    }
}

int wl_memset(void* to, int value, std::size_t bytes, const char* file, int line) {
    requireFirstThread();
    if (bytes == 0) return 0;
    const auto address = reinterpret_cast<std::uint64_t>(to);
    if (const int error = errorOfSet(address, bytes, placeOfCall(file, line))) return error;
    const DeviceMemoryOpen open;
    std::memset(to, value, bytes);
    Array& array = arrays[arrayAt(address)];
    array.unwritten.write(address - array.at, bytes);
    return 0;
}

}  // extern "C"
