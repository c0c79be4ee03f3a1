#include "core/program/program_sources.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "core/text/encoding.h"
#include "core/text/files.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

class SourceReader final {
  public:
    explicit SourceReader(const std::vector<std::string>& folders) : folders_(folders) {}

    ProgramSources run(const std::vector<std::string>& units) {
        for (const std::string& unit : units) {
            sources_.units.push_back({.path = unit, .text = read(unit)});
        }
        for (const ProgramFile& unit : sources_.units) follow(unit.text, unit.path);
        return std::move(sources_);
    }

  private:
    std::string read(const fs::path& path) {
        std::error_code unsized;  // of what is no file: readFile says so
        const std::uintmax_t size = fs::file_size(path, unsized);
        if (!unsized) refuseMoreThan(path, bytes_ + size);
        std::string text = readFile(path, mostSourceBytes);
        bytes_ += text.size();
        refuseMoreThan(path, bytes_);
        return text;
    }

    static void refuseMoreThan(const fs::path& path, std::uintmax_t bytes) {
        if (bytes <= mostSourceBytes) return;
        throw std::runtime_error(path.string() + ": with it the program's sources have " +
                                 std::to_string(bytes) + " bytes, the most is " +
                                 std::to_string(mostSourceBytes));
    }

    void follow(const std::string& text, const fs::path& from) {
        for (const CudaToken& token : cudaTokens(text)) {
            if (token.kind != CudaTokenKind::directive) continue;
            const std::string name = includedName(token);
            if (name.empty()) continue;
            const fs::path found = find(name, from);
            if (!found.empty()) add(found, name);
        }
    }

    [[nodiscard]] fs::path find(const std::string& name, const fs::path& from) const {
        std::vector<fs::path> places{from.parent_path()};
        places.insert(places.end(), folders_.begin(), folders_.end());
        for (const fs::path& place : places) {
            const fs::path path = (place / name).lexically_normal();
            std::error_code ignored;
            if (fs::is_regular_file(path, ignored)) return path;
        }
        return {};
    }

    void add(const fs::path& path, const std::string& name) {
        const auto known = [&] {
            return std::ranges::find(sources_.headers, path.string(), &ProgramFile::path);
        };
        if (known() == sources_.headers.end()) {
            const std::string text = read(path);
            sources_.headers.push_back({.path = path.string(), .text = text});
            follow(text, path);
        }
        std::vector<std::string>& names = known()->includedAs;
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }

    const std::vector<std::string>& folders_;
    ProgramSources sources_;
    std::size_t bytes_ = 0;
};

}  // namespace

ProgramSources readProgramSources(const std::vector<std::string>& units,
                                  const std::vector<std::string>& includeFolders) {
    return SourceReader(includeFolders).run(units);
}

std::set<std::string> filesOf(const ProgramSources& sources) {
    std::set<std::string> files;
    for (const auto* const list : {&sources.units, &sources.headers}) {
        for (const ProgramFile& file : *list) files.insert(file.path);
    }
    return files;
}

std::string_view textOf(const ProgramSources& sources, std::string_view path) {
    for (const auto* files : {&sources.units, &sources.headers}) {
        for (const ProgramFile& file : *files) {
            if (file.path == path) return file.text;
        }
    }
    return {};
}

std::string_view lineOf(std::string_view text, std::uint32_t line) {
    const std::vector<std::string_view> lines = splitLines(text);
    return line != 0 && line <= lines.size() ? lines[line - 1] : std::string_view();
}

std::string ownFile(const std::string& path, const std::set<std::string>& files) {
    if (files.contains(path)) return path;
    for (const std::string& file : files) {
        const std::string plain = fs::path(file).lexically_normal().string();
        const bool same = path == plain || path.ends_with('/' + plain) ||
                          (!path.empty() && plain.ends_with('/' + path));
        if (same) return file;
    }
    return {};
}

}  // namespace warplens
