#include "core/text/file_lock.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace warplens {
namespace {

/// The open file is still the one of this path: nobody has removed it meanwhile.
bool isAt(const FileDescriptor& file, const std::string& path) {
    struct stat open {};
    struct stat there {};
    return ::fstat(file.value(), &open) == 0 && ::stat(path.c_str(), &there) == 0 &&
           open.st_dev == there.st_dev && open.st_ino == there.st_ino;
}

}  // namespace

std::optional<FileLock> FileLock::of(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
    const std::string name = (error ? path : target).string() + ".lock";
    while (true) {
        FileDescriptor file(::open(name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666));
        if (!file.isOpen()) return FileLock({}, {});
        if (::flock(file.value(), LOCK_EX | LOCK_NB) != 0) {
            if (errno == EWOULDBLOCK) return std::nullopt;
            return FileLock({}, {});
        }
        if (isAt(file, name)) return FileLock(name, std::move(file));
    }
}

FileLock::~FileLock() {
    if (file_.isOpen()) ::unlink(path_.c_str());
}

}  // namespace warplens
