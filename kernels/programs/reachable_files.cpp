#include "kernels/programs/reachable_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <pwd.h>
#include <set>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "core/text/encoding.h"
#include "core/text/files.h"
#include "kernels/programs/sandbox.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t mostSourceBytes = 4u << 20;
constexpr std::size_t mostFiles = 1000;
constexpr std::size_t mostEntriesSeen = 20'000;  // of folders, looked at for what is no file
constexpr int mostDepth = 6;

bool isBelow(const fs::path& path, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
           folder.end();
}

std::vector<fs::path> homeFolders() {
    std::vector<fs::path> homes{"/root"};
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
        homes.push_back(wholePath(home));
    }
    if (const passwd* user = getpwuid(getuid()); user != nullptr && user->pw_dir != nullptr) {
        homes.push_back(wholePath(user->pw_dir));
    }
    return homes;
}

/// A folder that everybody may write to.
bool isForTemporaryFiles(const fs::path& folder) {
    struct stat facts {};
    return stat(folder.c_str(), &facts) == 0 && (facts.st_mode & S_ISVTX) != 0;
}

bool hasSourceName(const fs::path& path) {
    constexpr std::array<std::string_view, 17> endings{
        ".h",   ".hh",  ".hpp", ".hxx", ".h++", ".cuh", ".cu",  ".c",  ".cc",
        ".cpp", ".cxx", ".inc", ".inl", ".ipp", ".tpp", ".def", ".tcc"};
    return std::ranges::find(endings, path.extension().string()) != endings.end();
}

bool isNameCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_./+-@~").find(c) != std::string_view::npos;
}

/// The words of preprocessor lines that may name a header.
std::set<std::string> namesIn(const std::string& text) {
    std::set<std::string> names;
    bool goesOn = false;
    for (const std::string_view line : splitLines(text)) {
        const std::string_view words = trimmed(line);
        const bool isDirective = goesOn || words.starts_with('#') || words.starts_with("%:");
        goesOn = isDirective && words.ends_with('\\');
        if (!isDirective) continue;
        for (std::size_t at = 0; at < words.size();) {
            if (words[at] == '"' || words[at] == '<') {
                const std::size_t end = words.find(words[at] == '<' ? '>' : '"', at + 1);
                if (end != std::string_view::npos && end > at + 1) {
                    names.emplace(words.substr(at + 1, end - at - 1));
                }
            }
            std::size_t end = at;
            while (end < words.size() && isNameCharacter(words[end])) ++end;
            const std::string_view word = words.substr(at, end - at);
            if (word.find_first_of("./") != std::string_view::npos) names.emplace(word);
            at = end + 1;
        }
    }
    return names;
}

class Search final {
  public:
    explicit Search(const std::vector<std::string>& includeFolders) {
        for (const std::string& folder : includeFolders) {
            const fs::path whole = wholePath(folder);
            includes_.push_back(whole);
            if (isProjectFolder(whole)) add(found_.folders, whole);
        }
    }
    ReachableFiles from(const std::vector<fs::path>& sources) {
        for (const fs::path& source : sources) {
            const fs::path whole = wholePath(source);
            if (isProjectFolder(whole.parent_path())) add(found_.folders, whole.parent_path());
        }
        for (const fs::path& source : sources) take(wholePath(source));
        for (std::size_t i = 0; i < queue_.size() && i < mostFiles; ++i)
            follow(fs::path(queue_[i]));
        for (const fs::path& folder : found_.folders) findSpecial(folder);
        return std::move(found_);
    }

  private:
    static void add(std::vector<fs::path>& to, const fs::path& path) {
        if (std::ranges::find(to, path) == to.end()) to.push_back(path);
    }
    void take(const fs::path& file) {
        if (!seen_.insert(file).second) return;
        queue_.push_back(file);
        if (!found_.contains(file)) found_.files.push_back(file);
    }
    void follow(const fs::path& file) {
        std::string text;
        try {
            text = readFile(file, mostSourceBytes);
        } catch (const std::system_error&) {
            return;
        }
        std::vector<fs::path> folders{file.parent_path()};
        folders.insert(folders.end(), includes_.begin(), includes_.end());
        for (const std::string& name : namesIn(text)) {
            for (const fs::path& folder : folders) look((folder / name).lexically_normal());
        }
    }
    void look(const fs::path& candidate) {
        if (isOfTheSystem(candidate)) return;
        std::error_code error;
        const fs::file_status status = fs::status(candidate, error);
        if (status.type() == fs::file_type::not_found) {
            if (absent_.insert(candidate).second) found_.absent.push_back(candidate);
        } else if (status.type() == fs::file_type::regular &&
                   mayInclude(candidate, found_.folders)) {
            take(candidate);
        }
    }
    void findSpecial(const fs::path& folder) {
        std::error_code error;
        auto entry = fs::recursive_directory_iterator(
            folder, fs::directory_options::skip_permission_denied, error);
        for (std::size_t count = 0; !error && entry != end(entry) && count < mostEntriesSeen;
             ++count) {
            std::error_code unknown;
            const fs::file_type type = entry->symlink_status(unknown).type();
            const bool isUsual = type == fs::file_type::regular ||
                                 type == fs::file_type::directory || type == fs::file_type::symlink;
            if (!isUsual && !unknown) found_.special.push_back(entry->path());
            if (entry.depth() >= mostDepth) entry.disable_recursion_pending();
            entry.increment(error);
        }
    }

    std::vector<fs::path> includes_;
    std::vector<fs::path> queue_;
    std::set<fs::path> seen_;
    std::set<fs::path> absent_;
    ReachableFiles found_;
};

}  // namespace

fs::path wholePath(const fs::path& path) {
    std::error_code error;
    fs::path whole = fs::canonical(path, error);
    return error ? fs::absolute(path, error).lexically_normal() : whole;
}

bool ReachableFiles::contains(const fs::path& path) const {
    return std::ranges::any_of(folders, [&](const fs::path& each) { return isBelow(path, each); });
}

bool isProjectFolder(const fs::path& folder) {
    const fs::path whole = wholePath(folder);
    if (std::distance(whole.begin(), whole.end()) <= 2) return false;  // "/", "/data"
    for (const char* system : {"/proc", "/sys", "/dev", "/run", "/boot", "/etc"}) {
        if (isBelow(whole, system)) return false;
    }
    if (whole.parent_path() == "/home") return false;  // whoever it belongs to
    if (isForTemporaryFiles(whole)) return false;
    for (const fs::path& home : homeFolders()) {
        if (isBelow(home, whole)) return false;
        if (!isBelow(whole, home)) continue;
        const fs::path inside = whole.lexically_relative(home);
        for (const fs::path& part : inside) {
            if (part.string().starts_with('.')) return false;
        }
        constexpr std::array<std::string_view, 3> mixed{"Desktop", "Downloads", "Documents"};
        if (std::ranges::find(mixed, inside.string()) != mixed.end()) return false;
    }
    return true;
}

bool mayInclude(const fs::path& file, const std::vector<fs::path>& folders) {
    const fs::path whole = wholePath(file);
    return isOfTheSystem(whole) || hasSourceName(whole) ||
           std::ranges::any_of(folders, [&](const fs::path& each) { return isBelow(whole, each); });
}

ReachableFiles reachableFiles(const std::vector<fs::path>& sources,
                              const std::vector<std::string>& includeFolders) {
    return Search(includeFolders).from(sources);
}

}  // namespace warplens
