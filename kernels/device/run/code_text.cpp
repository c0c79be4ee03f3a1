#include "kernels/device/run/code_text.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <unistd.h>

#include "core/program/program_sources.h"
#include "kernels/device/compile/cuda_folders.h"
#include "kernels/device/instrument/instrument.h"

namespace warplens {
namespace {

using LineKey = std::pair<std::string, std::uint32_t>;

/// nvdisasm beside the libraries that compile, else on PATH.
std::string disassembler() {
    for (const std::string& folder : cudaLibraryFolders()) {
        const std::size_t last = folder.empty() ? 0 : folder.rfind('/', folder.size() - 2);
        if (folder.empty() || last == std::string::npos) continue;
        const std::string path = folder.substr(0, last) + "/bin/nvdisasm";
        if (::access(path.c_str(), X_OK) == 0) return path;
    }
    const char* path = std::getenv("PATH");
    std::string_view folders = path != nullptr ? path : "";
    while (!folders.empty()) {
        const std::size_t end = std::min(folders.find(':'), folders.size());
        const std::string program = std::string(folders.substr(0, end)) + "/nvdisasm";
        if (::access(program.c_str(), X_OK) == 0) return program;
        folders.remove_prefix(std::min(end + 1, folders.size()));
    }
    return {};
}

/// A file that is there while this lives.
class CubinFile final {
  public:
    explicit CubinFile(const std::string& cubin) {
        const char* folder = std::getenv("TMPDIR");
        path_ = std::string(folder != nullptr ? folder : "/tmp") + "/warplens_XXXXXX";
        const int file = ::mkstemp(path_.data());
        if (file < 0) path_.clear();
        if (file >= 0) ::close(file);
        std::ofstream(path_, std::ios::binary) << cubin;
    }
    CubinFile(const CubinFile&) = delete;
    CubinFile& operator=(const CubinFile&) = delete;
    ~CubinFile() {
        if (!path_.empty()) ::unlink(path_.c_str());
    }
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

std::string disassembled(const std::string& program, const std::string& cubin) {
    const CubinFile file(cubin);
    const std::string command = "'" + program + "' -g -c '" + file.path() + "' 2>/dev/null";
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"),
                                                               ::pclose);
    std::string text;
    if (!pipe) return text;
    std::array<char, 4096> part{};
    while (const std::size_t read = std::fread(part.data(), 1, part.size(), pipe.get())) {
        text.append(part.data(), read);
    }
    return text;
}

/// Walks what nvdisasm writes: `//## File "my.cu", line 7` goes before the instructions of a line,
/// `.text.SYMBOL:` before those of a function.
void addMachineCode(const std::string& text, const std::string& kernel,
                    std::map<LineKey, CompiledLine>& lines, const std::set<std::string>& files) {
    LineKey place;
    bool inside = false;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line(text.data() + at, end - at);
        at = end + 1;
        if (const std::size_t label = line.find(".text."); label == 0) {
            inside = line.substr(6, line.find(':') - 6) == kernel;
        } else if (const std::size_t mark = line.find("//## File \""); mark != line.npos) {
            const std::size_t open = mark + 11;
            const std::size_t close = line.find('"', open);
            const std::size_t number = line.find("line ", close);
            // Of an inlined function, the places that called it follow: the first of ours counts.
            const bool follows = line.find("inlined at") != line.npos;
            if (number == line.npos) continue;
            const std::string file = ownFile(std::string(line.substr(open, close - open)), files);
            const LineKey found{file, static_cast<std::uint32_t>(
                                          std::strtoul(line.data() + number + 5, nullptr, 10))};
            if (!file.empty() || !follows) place = found;
        } else if (inside && line.find("/*") != line.npos) {
            const std::size_t close = line.find("*/");
            if (close == line.npos || place.first.empty()) continue;
            const std::size_t begin = line.find_first_not_of(" \t", close + 2);
            const std::size_t stop = line.find(';', close);
            if (begin == line.npos || stop == line.npos) continue;
            CompiledLine& compiled = lines[place];
            compiled.sass.emplace_back(line.substr(begin, stop - begin));
        }
    }
}

}  // namespace

std::vector<CompiledLine> codeText(const ProgramCode& code, const std::set<std::string>& files,
                                   std::vector<std::string>& notes) {
    std::map<LineKey, CompiledLine> lines;
    for (const Site& site : sitesOf(code.compiled->ptx, {code.kernel}, files)) {
        if (site.line == 0) continue;
        lines[{site.file, site.line}].ptx.push_back(site.instruction);
    }
    if (const std::string program = disassembler(); program.empty()) {
        notes.emplace_back(
            "no nvdisasm beside NVRTC and none on PATH: lines show their PTX, not their machine "
            "code");
    } else {
        addMachineCode(disassembled(program, code.compiled->cubin), code.kernel, lines, files);
    }
    std::vector<CompiledLine> list;
    for (auto& [key, line] : lines) {
        line.file = key.first;
        line.line = key.second;
        list.push_back(std::move(line));
    }
    return list;
}

}  // namespace warplens
