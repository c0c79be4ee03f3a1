#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The file through which the programs of one machine, whatever their accounts, agree about one
/// GPU. It is empty of meaning when nobody has it open, and is left where it is: it costs nothing,
/// and taking it away from under others would cost the order.
class LockFile final {
  public:
    /// Opens it, or makes it, in the first of the folders that everybody may write to (sticky, as
    /// /tmp). Refused are links, files with several names, and anything but a plain file: whoever
    /// may write to the folder may put them there. Throws std::runtime_error, saying what is in the
    /// way and whose it is.
    LockFile(std::string_view name, const std::vector<std::filesystem::path>& folders);
    LockFile(LockFile&& other) noexcept;
    LockFile& operator=(LockFile&& other) noexcept;
    ~LockFile();

    [[nodiscard]] int descriptor() const { return descriptor_; }
    /// It is still the one that others find under its name.
    [[nodiscard]] bool isCurrent() const;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    int descriptor_ = -1;
};

/// Where programs of one machine meet: the folder that WARPLENS_TURNS names, if it is set (such as
/// one that containers share); else /dev/shm, then /tmp.
[[nodiscard]] std::vector<std::filesystem::path> lockFolders();

/// `anna`, or `account 1001` where it has no name here.
[[nodiscard]] std::string accountName(unsigned id);

/// Locks on single bytes of a file that need not be there: open file description locks (fcntl(2),
/// F_OFD_SETLK), which the system lets go of when the last descriptor is closed, however its
/// process ended, and which processes of different accounts see alike. Nothing here waits.
class ByteLocks final {
  public:
    /// `file` is open for reading and writing and outlives this.
    explicit ByteLocks(int file) : file_(file) {}

    /// False where somebody else has it, or where the system gives no locks on this file.
    [[nodiscard]] bool take(std::int64_t byte) const;
    void release(std::int64_t byte) const;

    /// The lowest byte of [from, to] that somebody else has locked. As a rule two system calls.
    [[nodiscard]] std::optional<std::int64_t> lowest(std::int64_t from, std::int64_t to) const;
    /// The highest one from `from` on.
    [[nodiscard]] std::optional<std::int64_t> highest(std::int64_t from) const;

  private:
    int file_;
};

}  // namespace warplens
