#include "kernels/programs/program_build.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <future>
#include <regex>
#include <set>

#include "core/launch/limit_violation.h"
#include "core/program/masked_text.h"
#include "core/text/atomic_file.h"
#include "core/text/digest.h"
#include "core/text/lines.h"
#include "kernels/programs/compiler.h"
#include "kernels/programs/program_cache.h"
#include "kernels/programs/program_text.h"
#include "kernels/programs/proposed_main.h"

#include "embedded/warplens_programs.h"

namespace warplens::programs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view runtimeObject = "runtime_api.o";

/// nvcc knows no GNU dialects; its own default is C++17.
std::string standardOf(const std::string& standard) {
    return standard.starts_with("gnu") ? "c" + standard.substr(3) : standard;
}

class Build final {
  public:
    Build(const ProgramSource& source, const BuiltProgram& facts, const CudaCompiler& compiler,
          int computeCapability, const std::function<bool()>& cancelled)
        : source_(source),
          facts_(facts),
          compiler_(compiler),
          cancelled_(cancelled),
          architecture_("compute_" + std::to_string(computeCapability)) {
        options_ = {"-w"};
        if (!source.standard.empty()) options_.push_back("-std=" + standardOf(source.standard));
        for (const std::string& include : source.includes)
            options_.push_back("-I" + wholePath(include).string());
        std::vector<std::string> defines = source.defines;
        if (facts.hasMain)
            defines.insert(defines.end(), source.settings.begin(), source.settings.end());
        for (const std::string& define : defines) options_.push_back("-D" + define);
        if (const std::string host = hostCompiler(); !host.empty())
            options_.insert(options_.end(), {"-ccbin", host});
    }

    /// The program's path; whether it was there before.
    std::pair<fs::path, bool> make() {
        const ProgramCache cache("programs");
        const std::string key = keyOf();
        if (const auto known = cache.find(key)) return {*known, true};
        const auto begun = std::chrono::system_clock::now();
        const TemporaryFolder folder(programCache() / "work");
        const fs::path made = program(folder.path());
        return {cache.keep(key, made, inputsOf(folder.path()), begun), false};
    }

  private:
    [[nodiscard]] std::string keyOf() const {
        static const std::string runtime = digestOf(embedded::embeddedFile(runtimeObject));
        std::string all =
            runtime + identityOf(compiler_.nvcc.string()) + architecture_ + facts_.proposedMain;
        for (const std::string& option : options_) all += '\0' + option;
        for (const ProgramFile& file : facts_.sources.units)
            all += '\0' + wholePath(file.path).string() + '\0' + file.text;
        return digestOf(all) + digestOf("again" + all);
    }

    /// One step of nvcc: what `arguments` say, with the options of all.
    [[nodiscard]] ChildResult run(const fs::path& folder, std::vector<std::string> arguments,
                                  std::vector<std::string> outputs) const {
        arguments.insert(arguments.begin(), compiler_.nvcc.string());
        arguments.insert(arguments.end(), options_.begin(), options_.end());
        return runStep(folder, std::move(arguments), std::move(outputs));
    }
    [[nodiscard]] ChildResult runStep(const fs::path& folder, std::vector<std::string> arguments,
                                      std::vector<std::string> outputs) const {
        Compilation step{.arguments = std::move(arguments),
                         .folder = folder,
                         .outputs = std::move(outputs),
                         .readable = facts_.reachable.folders,
                         .unread = facts_.reachable.special};
        step.readable.insert(step.readable.end(), facts_.reachable.files.begin(),
                             facts_.reachable.files.end());
        step.readable.insert(step.readable.end(), compiler_.folders.begin(),
                             compiler_.folders.end());
        return runCompiler(step, cancelled_);
    }

    /// The file that is compiled: the person's own, or one that has it and a main behind it.
    [[nodiscard]] std::string unitOf(const fs::path& folder, std::size_t index) const {
        std::string file = wholePath(source_.files[index]).string();
        if (index > 0 || facts_.proposedMain.empty()) return file;
        fs::create_directory(folder / "wl");
        writeFileAtomically(folder / "wl/proposed.h", embedded::embeddedFile("proposed.h"));
        const fs::path unit = folder / "main.cu";
        writeFileAtomically(unit, "#include \"" + file + "\"\n" + facts_.proposedMain);
        return unit.string();
    }

    /// Objects with optimised PTX, and PTX of `-G`, of all files side by side.
    void compile(const fs::path& folder) const {
        std::vector<std::future<ChildResult>> optimized;
        std::vector<std::future<ChildResult>> debug;
        for (std::size_t i = 0; i < source_.files.size(); ++i) {
            const std::string file = unitOf(folder, i);
            optimized.push_back(std::async(std::launch::async, [=, this, &folder] {
                // Compressed PTX could not be read out of the program; -g1 says which line of the
                // host makes a call.
                return run(folder,
                           {"-c", "-lineinfo", "-gencode",
                            "arch=" + architecture_ + ",code=" + architecture_, "--no-compress",
                            "-Xcompiler", "-g1,-fno-pie", "-MD", "-MF", nameOf(i, ".d"), "-o",
                            nameOf(i, ".o"), file},
                           {nameOf(i, ".o"), nameOf(i, ".d")});
            }));
            debug.push_back(std::async(std::launch::async, [=, this, &folder] {
                return run(folder,
                           {"-G", "-ptx", "-arch=" + architecture_, "-o", debugName(i), file},
                           {debugName(i)});
            }));
        }
        std::vector<ChildResult> results;
        for (auto* const steps : {&optimized, &debug}) {
            for (std::future<ChildResult>& step : *steps) results.push_back(step.get());
        }
        for (ChildResult& result : results) {
            result.output = inOwnWords(result.output);
            if (!facts_.hasMain) source::refuseWish(std::string_view(result.output));
            requireDone(result, "nvcc");
        }
    }

    fs::path program(const fs::path& folder) const {
        compile(folder);
        std::ofstream(folder / runtimeObject, std::ios::binary)
            << embedded::embeddedFile(runtimeObject);
        std::string debug = ".section .rodata\n.globl __cudaDebugPtx\n__cudaDebugPtx:\n";
        std::vector<std::string> arguments{requiredCompiler(), "-no-pie", "-o", "program"};
        for (std::size_t i = 0; i < source_.files.size(); ++i) {
            debug += ".incbin \"" + debugName(i) + "\"\n.byte 0\n";
            arguments.push_back(nameOf(i, ".o"));
        }
        debug += ".byte 0\n.section .note.GNU-stack,\"\",@progbits\n";
        writeFileAtomically(folder / "debug.s", debug);
        arguments.insert(arguments.end(), {"debug.s", std::string(runtimeObject), "-lm",
                                           "-lpthread", "-ldl", "-lrt"});
        requireDone(runStep(folder, arguments, {"program"}), "the linker");
        return folder / "program";
    }

    /// What the compiler has read.
    [[nodiscard]] ProgramInputs inputsOf(const fs::path& folder) const {
        std::set<fs::path> read;
        for (std::size_t i = 0; i < source_.files.size(); ++i) {
            for (fs::path& path : readDependencies(folder / nameOf(i, ".d"))) {
                if (!path.string().starts_with(folder.string())) read.insert(std::move(path));
            }
        }
        return {.read = {read.begin(), read.end()}, .absent = facts_.reachable.absent};
    }

    /// Files as the person calls them, and places as other compilers write them: `my.cu:3: error`
    /// in place of `/home/me/my.cu(3): error`. What only counts the errors is left out.
    [[nodiscard]] std::string inOwnWords(const std::string& told) const {
        std::string words;
        for (const std::string_view line : splitLines(told)) {
            if (line.find(" detected in the compilation of ") != std::string_view::npos) continue;
            words += std::string(line) + '\n';
        }
        static const std::regex place(R"((^|\n)([^\n]*?)\((\d+)\): (error|warning|remark))");
        return inOwnNames(std::regex_replace(words, place, "$1$2:$3: $4"));
    }
    [[nodiscard]] std::string inOwnNames(std::string words) const {
        for (const auto* files : {&facts_.sources.units, &facts_.sources.headers}) {
            for (const ProgramFile& file : *files) {
                const std::string whole = wholePath(file.path).string();
                for (std::size_t at = 0; (at = words.find(whole, at)) != std::string::npos;
                     at += file.path.size())
                    words.replace(at, whole.size(), file.path);
            }
        }
        return words;
    }

    static std::string nameOf(std::size_t file, const char* ending) {
        return 'f' + std::to_string(file) + ending;
    }
    static std::string debugName(std::size_t file) { return nameOf(file, ".debug.ptx"); }

    const ProgramSource& source_;
    const BuiltProgram& facts_;
    const CudaCompiler& compiler_;
    const std::function<bool()>& cancelled_;
    std::string architecture_;
    std::vector<std::string> options_;
};

/// A main for a program that has none.
void propose(const ProgramSource& source, BuiltProgram& build) {
    const ProgramFile& first = build.sources.units.front();
    const std::vector<source::KernelSource> kernels =
        source::kernelsIn(source::maskedText(first.text));
    source::LaunchWishes wishes = source.launch;
    for (const std::string& setting : source.settings) {
        const std::size_t equals = setting.find('=');
        wishes.values[setting.substr(0, equals)] = setting.substr(equals + 1);
    }
    source::refuseUnknown(wishes, kernels);
    source::ProposedMain proposed =
        source::proposedMain(first.path, first.text, kernels, wishes, source.kernel);
    if (proposed.text.empty()) {
        throw InvalidRequest({{"file", "'" + first.path + "'",
                               "must hold a main, or a kernel that can be launched without one" +
                                   (proposed.notes.empty() ? "" : ": " + proposed.notes.front())}});
    }
    build.proposedMain = std::move(proposed.text);
    build.notes = std::move(proposed.notes);
    build.proposed = std::move(proposed.values);
}

}  // namespace

BuiltProgram buildProgram(const ProgramSource& source, const CudaCompiler& compiler,
                        int computeCapability, const std::function<bool()>& cancelled) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::string> units;
    for (const fs::path& file : source.files) {
        (void)programText(file, file.string());
        units.push_back(file.string());
    }
    BuiltProgram build;
    build.sources = readProgramSources(units, source.includes);
    std::vector<ProgramFile> texts;
    for (const auto* files : {&build.sources.units, &build.sources.headers}) {
        for (const ProgramFile& file : *files)
            texts.push_back({file.path, source::maskedText(file.text)});
    }
    build.hasMain =
        std::ranges::any_of(texts, [](const ProgramFile& file) { return definesMain(file.text); });
    checkDefinitions(source, texts, build.hasMain);
    if (!build.hasMain) propose(source, build);
    build.reachable = reachableFiles(source.files, source.includes);
    std::tie(build.binary, build.fromCache) =
        Build(source, build, compiler, computeCapability, cancelled).make();
    build.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return build;
}

}  // namespace warplens::programs
