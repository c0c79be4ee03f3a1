#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The file through which the programs of one machine, whatever their accounts, agree about one
/// GPU. It is empty of meaning when nobody has it open, and is left where it is: it costs nothing,
/// and taking it away from under others would cost the order.
class QueueFile final {
  public:
    /// Opens it, or makes it, in the first of the folders that everybody may write to (sticky, as
    /// /tmp). Refused are links, files with several names, and anything but a plain file: whoever
    /// may write to the folder may put them there. Throws std::runtime_error, saying what is in the
    /// way and whose it is.
    QueueFile(std::string_view name, const std::vector<std::filesystem::path>& folders);
    QueueFile(QueueFile&& other) noexcept;
    QueueFile& operator=(QueueFile&& other) noexcept;
    ~QueueFile();

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
[[nodiscard]] std::vector<std::filesystem::path> turnFolders();

/// `anna`, or `account 1001` where it has no name here.
[[nodiscard]] std::string accountName(unsigned id);

}  // namespace warplens
