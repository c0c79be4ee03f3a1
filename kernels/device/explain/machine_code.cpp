#include <cstdlib>
#include <filesystem>
#include <map>
#include <system_error>
#include <unistd.h>

#include "core/program/program_sources.h"
#include "kernels/device/compile/compile.h"
#include "kernels/device/explain/differences.h"
#include "kernels/programs/run_child.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;
using LineKey = std::pair<std::string, std::uint32_t>;

/// nvdisasm beside the libraries that compile, else on PATH; empty where there is none.
std::string disassembler() {
    for (const std::string& folder : cudaLibraryFolders()) {
        const fs::path beside = fs::path(folder).parent_path().parent_path() / "bin/nvdisasm";
        if (!folder.empty() && ::access(beside.c_str(), X_OK) == 0) return beside;
    }
    return findProgram("nvdisasm");
}

/// A file that is there while this lives.
class CubinFile final {
  public:
    explicit CubinFile(const std::string& cubin) {
        const char* folder = std::getenv("TMPDIR");
        path_ = std::string(folder != nullptr ? folder : "/tmp") + "/warplens_XXXXXX";
        const FileDescriptor file(::mkstemp(path_.data()));
        isWhole_ = file.isOpen() && ::write(file.value(), cubin.data(), cubin.size()) ==
                                        static_cast<ssize_t>(cubin.size());
        isThere_ = file.isOpen();
    }
    CubinFile(const CubinFile&) = delete;
    CubinFile& operator=(const CubinFile&) = delete;
    ~CubinFile() {
        if (isThere_) ::unlink(path_.c_str());
    }
    /// Empty where it could not be written.
    [[nodiscard]] std::string path() const { return isWhole_ ? path_ : std::string(); }

  private:
    std::string path_;
    bool isThere_ = false;
    bool isWhole_ = false;
};

std::string disassembled(const std::string& program, const std::string& cubin) {
    const CubinFile file(cubin);
    ChildCommand command{.arguments = {program, "-g", "-c", file.path()},
                         .environment = ownEnvironment()};
    command.limits.outputKept = command.limits.outputMost;
    try {
        return runChild(command).output;
    } catch (const std::system_error&) {
        return {};
    }
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

std::vector<CompiledLine> codeByLine(const ProgramCode& code,
                                     std::span<const PtxInstruction> instructions,
                                     const std::set<std::string>& files,
                                     std::vector<std::string>& notes) {
    std::map<LineKey, CompiledLine> lines;
    for (const PtxInstruction& instruction : instructions) {
        if (instruction.line == 0) continue;
        lines[{instruction.file, instruction.line}].ptx.push_back(instruction.text);
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
