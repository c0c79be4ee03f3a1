#pragma once

#include <filesystem>
#include <optional>
#include <string>

/// What a person's desktop, or the browser around a page, does with files.
namespace warplens::window {

/// Where people keep pictures (freedesktop.org, xdg-user-dirs), else the current directory.
[[nodiscard]] std::filesystem::path picturesFolder();

/// Puts a picture on the clipboard; what is in the way, or nothing.
[[nodiscard]] std::string copyPicture(const std::string& png);

/// Gives the person a file that was written for them: a page has it downloaded.
void handOver(const std::filesystem::path& file);

/// The folder of the recordings that a page fetches behind its first picture, absent until they are
/// there; empty where they travel inside the program.
[[nodiscard]] std::optional<std::filesystem::path> fetchedRecordings();

/// Has the program find a file again when it starts next: a page's are gone with it but for these.
void keepFile(const std::filesystem::path& file);

}  // namespace warplens::window
