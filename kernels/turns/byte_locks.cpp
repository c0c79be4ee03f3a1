#include "kernels/turns/byte_locks.h"

#include <cerrno>
#include <fcntl.h>
#include <limits>
#include <unistd.h>

namespace warplens {
namespace {

constexpr std::int64_t lastByte = std::numeric_limits<std::int64_t>::max() - 1;

struct flock lockOf(short type, std::int64_t from, std::int64_t length) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = from;
    lock.l_len = length;
    return lock;
}

bool set(int file, short type, std::int64_t byte) {
    struct flock lock = lockOf(type, byte, 1);
    int done = 0;
    while ((done = ::fcntl(file, F_OFD_SETLK, &lock)) != 0 && errno == EINTR) {
    }
    return done == 0;
}

struct Locked final {
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// Any bytes of [from, to] that somebody else has.
std::optional<Locked> any(int file, std::int64_t from, std::int64_t to) {
    if (from > to) return std::nullopt;
    struct flock lock = lockOf(F_WRLCK, from, to - from + 1);
    if (::fcntl(file, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return std::nullopt;
    return Locked{lock.l_start, lock.l_len == 0 ? lastByte : lock.l_start + lock.l_len - 1};
}

}  // namespace

bool ByteLocks::take(std::int64_t byte) const {
    return set(file_, F_WRLCK, byte);
}

void ByteLocks::release(std::int64_t byte) const {
    (void)set(file_, F_UNLCK, byte);
}

std::optional<std::int64_t> ByteLocks::lowest(std::int64_t from, std::int64_t to) const {
    std::optional<std::int64_t> found;
    while (const auto locked = any(file_, from, to)) {
        // A lock may begin before the bytes that were asked about.
        if (locked->first <= from) return from;
        found = locked->first;
        to = locked->first - 1;
    }
    return found;
}

std::optional<std::int64_t> ByteLocks::highest(std::int64_t from) const {
    std::optional<std::int64_t> found;
    while (const auto locked = any(file_, from, lastByte)) {
        found = locked->last;
        if (locked->last >= lastByte) break;
        from = locked->last + 1;
    }
    return found;
}

}  // namespace warplens
