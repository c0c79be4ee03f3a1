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
#include "kernels/programs/reachable_files.h"

namespace warplens {
namespace {

constexpr std::uint64_t mostSourceBytes = 4u << 20;

std::string contentsOf(const std::filesystem::path& path, const std::string& reported) {
    std::string text;
    // No compiler takes such a name apart from the lines of what it prints.
    if (reported.find('\n') != std::string::npos) {
        throw InvalidRequest({{"file", "'" + reported + "'", "must have a name of one line"}});
    }
    std::error_code unknown;
    if (std::filesystem::is_other(std::filesystem::status(path, unknown))) {
        throw InvalidRequest(
            {{"file", "'" + reported + "'", "must be a file; it is a pipe, a socket or a device"}});
    }
    try {
        text = readFile(path, mostSourceBytes);
    } catch (const std::system_error& error) {
        throw InvalidRequest({{"file", "'" + reported + "'", error.code().message()}});
    }
    if (text.find('\0') != std::string::npos) {
        throw InvalidRequest(
            {{"file", "'" + reported + "'", "must be text: it holds a zero byte"}});
    }
    return std::string(withoutByteOrderMark(text));
}

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
        checkDefinitions(all.hasMain);
        if (!all.hasMain) propose(all);
        all.files = {std::make_move_iterator(files_.begin()),
                     std::make_move_iterator(files_.end())};
        return all;
    }

  private:
    /// What is defined must be a name, and one that the program uses where it is set for that.
    void checkDefinitions(bool hasMain) const {
        std::vector<LimitViolation> violations;
        for (const std::string& define : source_.defines) {
            const std::string name = define.substr(0, define.find_first_of("=("));
            if (!isName(name)) {
                violations.push_back({"-D", "'" + define + "'", "a macro's name, as in N=512"});
            }
        }
        for (const std::string& setting : hasMain ? source_.settings : std::vector<std::string>()) {
            const std::string name = setting.substr(0, setting.find('='));
            const bool used =
                isName(name) &&
                std::any_of(files_.begin(), files_.end(), [&](const SourceFile& file) {
                    return source::findWord(file.rewritten.text, name) != source::nowhere;
                });
            if (!used)
                violations.push_back(
                    {"--set", "'" + setting + "'", "a name that the program uses"});
        }
        if (hasMain) refuseDefined("--set", source_.settings, violations);
        refuseDefined("-D", source_.defines, violations);
        if (!violations.empty()) throw InvalidRequest(std::move(violations));
    }
    /// What the program defines itself, whatever was said before: nothing would change.
    void refuseDefined(const char* option, const std::vector<std::string>& defines,
                       std::vector<LimitViolation>& violations) const {
        for (const std::string& define : defines) {
            const std::string name = define.substr(0, define.find_first_of("=("));
            for (const SourceFile& file : files_) {
                const std::uint32_t line = lineOfDefinition(file.rewritten.text, name);
                if (line == 0) continue;
                violations.push_back({option, "'" + define + "'",
                                      "a macro that the program leaves open; " + file.reported +
                                          ':' + std::to_string(line) +
                                          " defines it, with no #ifndef " + name + " around it"});
            }
        }
    }
    /// Of a macro, from 1; 0 where there is none, or one that asks first whether there is one.
    static std::uint32_t lineOfDefinition(const std::string& text, const std::string& name) {
        std::uint32_t number = 0;
        for (const std::string_view line : splitLines(text)) {
            ++number;
            const std::string_view directive = trimmed(line);
            if (!directive.starts_with('#')) continue;
            const std::size_t at = source::findWord(directive, name);
            if (at == source::nowhere) continue;
            const std::string_view word = trimmed(directive.substr(1, at - 1));
            if (word.starts_with("if") || word.starts_with("undef")) return 0;
            if (word == "define") return number;
        }
        return 0;
    }
    static bool isName(const std::string& text) {
        return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
               std::all_of(text.begin(), text.end(), source::isNameCharacter);
    }

    /// Writes a main behind the first file's text.
    void propose(SourceFiles& all) {
        SourceFile& first = files_.front();
        if (first.rewritten.kernels.empty() || !first.rewritten.unsupported.empty()) return;
        source::LaunchWishes wishes = source_.launch;
        for (const std::string& setting : source_.settings) {
            const std::size_t equals = setting.find('=');
            wishes.values[setting.substr(0, equals)] = setting.substr(equals + 1);
        }
        refuseUnknown(wishes, first.rewritten.kernels);
        const std::string text = contentsOf(first.path, first.reported);
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

    /// Names that no kernel has.
    static void refuseUnknown(const source::LaunchWishes& wishes,
                              const std::vector<source::KernelSource>& kernels) {
        std::vector<LimitViolation> violations;
        std::set<std::string> all;
        for (const source::KernelSource& kernel : kernels) {
            for (const source::KernelParameter& parameter : kernel.parameters) {
                if (!parameter.name.empty()) all.insert(parameter.name);
            }
        }
        std::string names;
        for (const std::string& name : all) names += ' ' + name;
        const auto check = [&](const char* option, const std::string& name) {
            if (!all.contains(name)) {
                violations.push_back({option, "'" + name + "'", "one of" + names});
            }
        };
        for (const auto& [name, value] : wishes.values) check("--set", name);
        for (const auto& [name, wish] : wishes.arrays) check("--array", name);
        if (!violations.empty()) throw InvalidRequest(std::move(violations));
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
        file.rewritten = source::rewriteFile(contentsOf(path, reported));
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
        const std::string text = contentsOf(path, path.string());
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
