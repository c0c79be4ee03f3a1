#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warplens {

/// What a program's text reaches outside of the system's own files.
struct ReachableFiles final {
    std::vector<std::filesystem::path> folders{};  ///< whole, with all below them
    std::vector<std::filesystem::path> files{};    ///< outside of these folders
    /// What the text may mean by a header's name and what is not there: when it is, the program is
    /// another one.
    std::vector<std::filesystem::path> absent{};
    /// FIFOs, devices and sockets in these folders: who opens one as a header waits for ever.
    std::vector<std::filesystem::path> special{};

    [[nodiscard]] bool contains(const std::filesystem::path& path) const;
};

/// Without links and dots, absolute: where a child sees it, too.
[[nodiscard]] std::filesystem::path wholePath(const std::filesystem::path& path);

/// The folder, absolute, where it holds a project and no more: not the root and what lies directly
/// below it, a home folder and what is hidden in one, Desktop, Downloads or Documents, a folder for
/// temporary files.
[[nodiscard]] bool isProjectFolder(const std::filesystem::path& folder);

/// The file may be read for a program whose folders are `folders`: it lies in one of them, wherever
/// links lead, or it is named as source text is (.h, .cuh, .inc, …).
[[nodiscard]] bool mayInclude(const std::filesystem::path& file,
                              const std::vector<std::filesystem::path>& folders);

/// Of the project folders that these files lie in and of these include folders all, of others the
/// files that are named there in preprocessor lines, and in those of what they name. Cost: reads
/// each file that is named, up to 4 MiB of each.
[[nodiscard]] ReachableFiles reachableFiles(const std::vector<std::filesystem::path>& sources,
                                            const std::vector<std::string>& includeFolders);

}  // namespace warplens
