#include "core/text/atomic_file.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace warplens {
namespace {

[[noreturn]] void fail(const char* what, const std::filesystem::path& path, int error = errno) {
    throw std::system_error(error, std::generic_category(), what + path.string());
}

/// Closes its file descriptor.
class Descriptor final {
  public:
    explicit Descriptor(int value) : value_(value) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }
    [[nodiscard]] int value() const { return value_; }
    /// False when the system reports a write it could not finish.
    bool close() { return value_ < 0 || ::close(std::exchange(value_, -1)) == 0; }

  private:
    int value_;
};

/// Removes the half-written file unless the write went through.
struct Scrap final {
    std::filesystem::path path;
    bool kept = false;
    ~Scrap() {
        if (!kept) ::unlink(path.c_str());
    }
};

/// Writes to the open `file`; `path` is for the message.
void writeAll(const Descriptor& file, std::string_view text, const std::filesystem::path& path) {
    while (!text.empty()) {
        const ssize_t count = ::write(file.value(), text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("cannot write ", path);
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

}  // namespace

std::string readFile(const std::filesystem::path& path, std::uint64_t mostBytes) {
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.value() < 0) fail("cannot read ", path);
    std::string text;
    std::array<char, 65536> piece;
    while (true) {
        const ssize_t count = ::read(file.value(), piece.data(), piece.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("cannot read ", path);
        if (count == 0) return text;
        text.append(piece.data(), static_cast<std::size_t>(count));
        if (text.size() > mostBytes) {
            fail(("larger than " + std::to_string(mostBytes) + " bytes: ").c_str(), path, EFBIG);
        }
    }
}

void writeFileAtomically(const std::filesystem::path& path, std::string_view text) {
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(path, ignored);
    if (std::filesystem::is_other(status)) {
        Descriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
        if (device.value() < 0) fail("cannot write ", path);
        writeAll(device, text, path);
        return;
    }
    const bool linked = std::filesystem::exists(status) && std::filesystem::is_symlink(path);
    const std::filesystem::path target = linked ? std::filesystem::canonical(path) : path;
    Scrap scrap{target.string() + ".writing-" + std::to_string(::getpid())};
    Descriptor file(::open(scrap.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (file.value() < 0) fail("cannot write ", path);
    writeAll(file, text, path);
    if (::fsync(file.value()) != 0 || !file.close()) fail("cannot write ", path);
    if (::rename(scrap.path.c_str(), target.c_str()) != 0) fail("cannot write ", path);
    scrap.kept = true;
}

}  // namespace warplens
