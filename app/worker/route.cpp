#include "app/worker/route.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

#include "app/worker/worker_client.h"
#include "core/text/files.h"
#include "core/text/format.h"

namespace warplens {
namespace {

constexpr const char* remoteWorker = "warplens-measure";
/// What the shell gives a meaning of its own outside quotes.
constexpr std::string_view special = "|&;<>()$`\n*?[]{}~#!";
constexpr std::string_view sshOptionsWithValue = "BbcDEeFIiJLlmOopQRSWw";
constexpr std::string_view srunOptionsWithValue = "ABbCcDdEeFGiJLMmNnopqRrSTtWwx";
/// Those of srun's long options that take no value; any other without `=` takes the next word.
constexpr std::array<std::string_view, 22> srunFlags{
    "--contiguous", "--disable-status", "--exact",         "--exclusive",    "--help",
    "--immediate",  "--interactive",    "--label",         "--no-allocate",  "--no-kill",
    "--overcommit", "--overlap",        "--oversubscribe", "--preserve-env", "--pty",
    "--quiet",      "--reboot",         "--spread-job",    "--unbuffered",   "--use-min-nodes",
    "--usage",      "--verbose"};

using Words = std::vector<std::string>;

bool isProgram(const std::string& word, std::string_view name) {
    return word.substr(word.rfind('/') + 1) == name;
}

/// Where the options that begin at `from` end.
std::size_t afterOptions(const Words& words, std::size_t from, std::string_view withValue) {
    std::size_t at = from;
    while (at < words.size() && words[at].size() > 1 && words[at][0] == '-') {
        const std::string& word = words[at++];
        if (word == "--") break;
        if (word.starts_with("--")) {
            const bool alone = word.find('=') != std::string::npos ||
                               std::ranges::find(srunFlags, word) != srunFlags.end();
            at += alone ? 0 : 1;
            continue;
        }
        // `-p gpu`, `-pgpu`, `-vp gpu`: the first letter that takes a value ends the word.
        const std::size_t letter = word.find_first_of(withValue, 1);
        at += letter == word.size() - 1 ? 1 : 0;
    }
    return std::min(at, words.size());
}

/// The first of them, for a shell.
std::string quoted(const Words& words, std::size_t count) {
    return joined(std::span(words).first(count), " ", quotedForShell);
}

/// Where srun stands among the words, after what sets it up (`env A=b srun …`); their number where
/// it does not.
std::size_t srunIn(const Words& words) {
    const auto found = std::ranges::find_if(
        words, [](const std::string& word) { return isProgram(word, "srun"); });
    return static_cast<std::size_t>(found - words.begin());
}

/// The same with the worker's name where no program is named.
std::string completedSrun(const Words& words) {
    const std::size_t program = afterOptions(words, srunIn(words) + 1, srunOptionsWithValue);
    return quoted(words, words.size()) +
           (program < words.size() ? "" : std::string(" ") + remoteWorker);
}

Route sshRoute(const std::string& text, const Words& words) {
    const std::size_t host = afterOptions(words, 1, sshOptionsWithValue);
    if (host >= words.size()) return {.command = text};
    const std::string before = quoted(words, host + 1);
    Route route{.transport = Transport::ssh, .command = text, .host = words[host]};
    // ssh puts its last words together to the text of a shell over there.
    const std::string remote = joined(std::span(words).subspan(host + 1), " ");
    if (remote.empty()) {
        route.command = before + " " + remoteWorker;
        return route;
    }
    const Words there = wordsOf(remote);
    if (srunIn(there) == there.size()) return route;
    route.transport = Transport::slurm;
    route.atController = before;
    route.command = before + " " + quotedForShell(completedSrun(there));
    return route;
}

constexpr const char* workerName = "warplens-measure";

bool isProgram(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::filesystem::path workerPath() {
    const std::filesystem::path self = programPath();
    if (!self.empty() && isProgram(self.parent_path() / workerName)) {
        return self.parent_path() / workerName;
    }
    const char* path = std::getenv("PATH");
    std::string_view folders = path ? path : "";
    while (!folders.empty()) {
        const std::string_view folder = folders.substr(0, folders.find(':'));
        folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
        if (!folder.empty() && isProgram(std::filesystem::path(folder) / workerName)) {
            return std::filesystem::path(folder) / workerName;
        }
    }
    return {};
}

}  // namespace

std::string quotedForShell(const std::string& text) {
    const bool plain =
        !text.empty() && text.find_first_not_of(
                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "_-./+=:,@%") == std::string::npos;
    if (plain) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

Words wordsOf(std::string_view text) {
    Words words;
    std::string word;
    bool inWord = false;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0) {
            if (c == quote) {
                quote = 0;
            } else if (quote == '"' && c == '\\' && i + 1 < text.size()) {
                word += text[++i];
            } else if (quote == '"' && (c == '$' || c == '`')) {
                return {};
            } else {
                word += c;
            }
        } else if (c == '\'' || c == '"') {
            quote = c;
            inWord = true;
        } else if (c == '\\' && i + 1 < text.size()) {
            word += text[++i];
            inWord = true;
        } else if (special.find(c) != std::string_view::npos) {
            return {};
        } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            if (inWord) words.push_back(std::move(word));
            word.clear();
            inWord = false;
        } else {
            word += c;
            inWord = true;
        }
    }
    if (quote != 0) return {};
    if (inWord) words.push_back(std::move(word));
    return words;
}

Route routeOf(const std::string& text) {
    const Words words = wordsOf(text);
    if (words.empty()) return {.command = text};
    if (isProgram(words.front(), "ssh")) return sshRoute(text, words);
    if (srunIn(words) < words.size()) {
        return {.transport = Transport::slurm, .command = completedSrun(words)};
    }
    return {.command = text};
}

std::string cancelCommand(const Route& route, std::string_view job) {
    return route.atController + (route.atController.empty() ? "" : " ") + "scancel " +
           std::string(job);
}

std::string limitCommand(const Route& route, std::string_view job) {
    return route.atController + (route.atController.empty() ? "" : " ") + "squeue -h -o %l -j " +
           std::string(job);
}

bool isPortable(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path + ".bin", ignored);
}

Installation installationOn(const Route& route, const std::string& path) {
    const Words words = wordsOf(route.command);
    if (route.host.empty()) return {};
    const std::size_t host = afterOptions(words, 1, sshOptionsWithValue);
    const std::string connection = quoted(words, std::min(host + 1, words.size()));
    // Through the connection that the worker uses, with its options; not with scp, which names some
    // of them differently.
    std::string command = connection +
                          " 'cat > warplens-measure && chmod 755 warplens-measure' < " +
                          quotedForShell(path);
    std::string program = "./warplens-measure";
    if (isPortable(path)) {
        const std::string folder = std::filesystem::path(path).parent_path().parent_path().string();
        command = "tar -C " + quotedForShell(folder) +
                  " -c bin/warplens-measure bin/warplens-measure.bin lib/glibc | " + connection +
                  " 'mkdir -p warplens-worker && tar -C warplens-worker -x'";
        program = "./warplens-worker/bin/warplens-measure";
    }
    if (route.transport == Transport::ssh) return {command, connection + " " + program};
    const Words there = wordsOf(words.empty() ? "" : words.back());
    const std::size_t srun = afterOptions(there, srunIn(there) + 1, srunOptionsWithValue);
    return {command, connection + " " + quotedForShell(quoted(there, srun) + " " + program)};
}

std::string defaultWorkerCommand() {
    const std::filesystem::path worker = workerPath();
    return worker.empty() ? std::string() : quotedForShell(worker.string());
}

}  // namespace warplens
