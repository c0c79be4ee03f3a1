#include "kernels/trace/build/source_files.h"

#include <algorithm>
#include <cctype>
#include <deque>
#include <system_error>

#include "core/launch/limit_violation.h"
#include "core/program/masked_text.h"
#include "core/text/atomic_file.h"
#include "core/text/lines.h"
#include "core/text/utf8.h"
#include "kernels/programs/program_text.h"
#include "kernels/programs/reachable_files.h"

namespace warplens {
namespace {

class Collector final {
  public:
    explicit Collector(const ProgramSource& source) : source_(source) {
        for (const std::filesystem::path& file : source.files) {
            const std::filesystem::path folder = wholePath(file).parent_path();
            if (isProjectFolder(folder)) folders_.push_back(folder);
        }
        for (const std::string& include : source.includes) {
            if (isProjectFolder(include)) folders_.push_back(wholePath(include));
        }
    }

    SourceFiles collect() {
        SourceFiles all;
        for (const std::filesystem::path& path : source_.files) add(path, path.string());
        for (std::size_t i = 0; i < files_.size(); ++i) includesOf(i);
        all.hasMain = std::any_of(files_.begin(), files_.end(),
                                  [](const SourceFile& file) { return file.rewritten.hasMain; });
        std::vector<ProgramFile> texts;
        for (const SourceFile& file : files_) texts.push_back({file.reported, file.rewritten.text});
        checkDefinitions(source_, texts, all.hasMain);
        if (!all.hasMain) propose(all);
        all.files = {std::make_move_iterator(files_.begin()),
                     std::make_move_iterator(files_.end())};
        return all;
    }

  private:
    /// Writes a main behind the first file's text.
    void propose(SourceFiles& all) {
        SourceFile& first = files_.front();
        if (first.rewritten.kernels.empty() || !first.rewritten.unsupported.empty()) return;
        source::LaunchWishes wishes = source_.launch;
        for (const std::string& setting : source_.settings) {
            const std::size_t equals = setting.find('=');
            wishes.values[setting.substr(0, equals)] = setting.substr(equals + 1);
        }
        source::refuseUnknown(wishes, first.rewritten.kernels);
        const std::string text = programText(first.path, first.reported);
        source::ProposedMain proposed = source::proposedMain(
            first.reported, text, first.rewritten.kernels, wishes, source_.kernel);
        if (proposed.text.empty()) {
            std::string why = proposed.notes.empty() ? "" : ": " + proposed.notes.front();
            throw InvalidRequest({{"file", "'" + first.reported + "'",
                                   "must hold a main, or a kernel that can be launched without "
                                   "one" +
                                       why}});
        }
        first.rewritten = source::rewriteFile(text + proposed.text);
        first.rewritten.hasMain = false;
        includesOf(0);
        all.notes = std::move(proposed.notes);
        all.proposed = std::move(proposed.values);
    }

    std::size_t add(const std::filesystem::path& path, const std::string& reported) {
        std::error_code error;
        std::filesystem::path whole = std::filesystem::canonical(path, error);
        if (error) whole = path;
        if (const auto known = indexOf_.find(whole); known != indexOf_.end()) return known->second;
        SourceFile& file = files_.emplace_back();
        file.path = whole;
        file.reported = reported;
        file.copyName = "f" + std::to_string(files_.size() - 1) +
                        (files_.size() <= source_.files.size() ? ".cpp" : ".h");
        file.rewritten = source::rewriteFile(programText(path, reported));
        indexOf_[whole] = files_.size() - 1;
        return files_.size() - 1;
    }

    [[nodiscard]] std::filesystem::path find(const std::string& name,
                                             const std::filesystem::path& from) const {
        std::error_code error;
        std::vector<std::filesystem::path> folders;
        if (!from.empty()) folders.push_back(from.parent_path());
        for (const std::string& include : source_.includes) folders.emplace_back(include);
        for (const std::filesystem::path& folder : folders) {
            std::filesystem::path candidate = folder / name;
            if (std::filesystem::is_regular_file(candidate, error) &&
                mayInclude(candidate, folders_)) {
                return candidate;
            }
        }
        return {};
    }

    /// Names the rewritten copies in the #include lines of a file.
    void includesOf(std::size_t index) {
        std::string text = files_[index].rewritten.text;
        std::string out;
        for (std::size_t at = 0; at < text.size();) {
            std::size_t end = text.find('\n', at);
            end = end == std::string::npos ? text.size() : end + 1;
            out += includeLine(text.substr(at, end - at), index);
            at = end;
        }
        files_[index].rewritten.text = std::move(out);
    }
    std::string includeLine(const std::string& line, std::size_t index) {
        const std::size_t hash = line.find_first_not_of(" \t");
        if (hash == std::string::npos || line[hash] != '#') return line;
        const std::size_t word = line.find_first_not_of(" \t", hash + 1);
        if (word == std::string::npos || line.compare(word, 7, "include") != 0) return line;
        const std::size_t open = line.find_first_of("\"<", word);
        if (open == std::string::npos) return line;
        const bool inAngles = line[open] == '<';
        const std::size_t close = line.find(inAngles ? '>' : '"', open + 1);
        if (close == std::string::npos) return line;
        const std::string name = line.substr(open + 1, close - open - 1);
        const std::filesystem::path found =
            find(name, inAngles ? std::filesystem::path() : files_[index].path);
        if (found.empty() || (inAngles && !holdsKernels(found))) return line;
        const std::filesystem::path folder =
            std::filesystem::path(files_[index].reported).parent_path();
        std::error_code error;
        const std::filesystem::path beside = folder / name;
        const std::string reported =
            std::filesystem::exists(beside, error) ? beside.string() : found.string();
        const std::size_t included = add(found, reported);
        return line.substr(0, open) + '"' + files_[included].copyName + '"' +
               line.substr(close + 1);
    }

    /// Others of the folders of -I are read by the compiler alone.
    static bool holdsKernels(const std::filesystem::path& path) {
        const std::string text = programText(path, path.string());
        return text.find("__global__") != std::string::npos ||
               text.find("<<<") != std::string::npos;
    }

    const ProgramSource& source_;
    std::vector<std::filesystem::path> folders_;  ///< that all may be included from
    std::deque<SourceFile> files_;
    std::map<std::filesystem::path, std::size_t> indexOf_;
};

}  // namespace

bool SourceFiles::isCooperative() const {
    return std::any_of(files.begin(), files.end(),
                       [](const SourceFile& file) { return file.rewritten.isCooperative; });
}

SourceFiles sourceFilesOf(const ProgramSource& source) {
    return Collector(source).collect();
}

}  // namespace warplens
