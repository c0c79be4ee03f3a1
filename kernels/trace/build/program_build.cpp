#include "kernels/trace/build/program_build.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <set>
#include <system_error>

#include "core/launch/limit_violation.h"
#include "core/text/atomic_file.h"
#include "core/text/digest.h"
#include "core/text/lines.h"
#include "kernels/programs/program_cache.h"
#include "kernels/trace/assembly/instrument.h"
#include "kernels/trace/build/compiler_options.h"
#include "kernels/trace/build/missing_functions.h"
#include "kernels/trace/build/runtime_files.h"
#include "kernels/trace/build/source_files.h"
#include "kernels/trace/source/compound_assignments.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

/// Where the compiler refuses a line of what was defined: the name is no macro of the program's.
void refuseDefinition(const std::string& words, const std::string& definitions,
                      const ProgramSource& source) {
    constexpr std::string_view before = ".cpp:";  // `f0.cpp:1:11`: a copy, before its first line
    const std::size_t place = words.find(before);
    if (!words.starts_with('f') || place == std::string::npos) return;
    const std::vector<std::string_view> lines = splitLines(definitions);
    const auto number = static_cast<std::size_t>(std::atoi(words.c_str() + place + before.size()));
    if (number == 0 || number > lines.size()) return;
    const std::string_view define = lines[number - 1].substr(std::string_view("#define ").size());
    const std::string name(define.substr(0, define.find(' ')));
    const bool isSetting = std::ranges::any_of(source.settings, [&](const std::string& setting) {
        return setting.starts_with(name + '=');
    });
    throw InvalidRequest({{isSetting ? "--set" : "-D", "'" + name + "'",
                           "a macro; here it is another name, and the program's own arguments go "
                           "after --"}});
}

std::string buildDigest(const std::vector<SourceFile>& files, const std::string& compiler,
                        const std::vector<std::string>& options, const std::string& definitions) {
    std::string all = WARPLENS_TRACER_DIGEST + identityOf(compiler) + definitions;
    for (const auto* each : {&compilerFlags(), &optimizerFlags(), &options}) {
        for (const std::string& option : *each) all += '\0' + option;
    }
    for (const SourceFile& file : files) all += '\0' + file.reported + '\0' + file.rewritten.text;
    return digestOf(all) + digestOf("again" + all);
}

std::string quotedForLine(const std::string& path) {
    std::string quoted;
    for (const char c : path) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted;
}

class Build final {
  public:
    Build(const ProgramSource& source, SourceFiles files, const ReachableFiles& reachable,
          std::string compiler, std::function<bool()> cancelled)
        : source_(source),
          reachable_(reachable),
          compiler_(std::move(compiler)),
          cancelled_(std::move(cancelled)),
          runtime_(runtimeFilesIn(programCache())),
          options_(languageOptions(source, files, runtime_)),
          definitions_(definitionsOf(source, files)),
          files_(std::move(files.files)) {}

    /// The program's path; whether it was there before.
    std::pair<fs::path, bool> make() {
        const ProgramCache cache("programs");
        const std::string key = buildDigest(files_, compiler_, options_, definitions_);
        if (const auto program = cache.find(key)) return {*program, true};
        const auto begun = std::chrono::system_clock::now();
        const TemporaryFolder folder(programCache() / "work");
        writeSources(folder.path());
        Linking linking(*this, folder.path());
        const fs::path made = link(folder.path(), compile(folder.path()), linking);
        return {cache.keep(key, made, inputsOf(folder.path()), begun), false};
    }

  private:
    void writeSources(const fs::path& folder) const {
        for (const SourceFile& file : files_) {
            writeFileAtomically(folder / file.copyName, definitions_ + "#line 1 \"" +
                                                            quotedForLine(file.reported) + "\"\n" +
                                                            file.rewritten.text);
        }
    }

    /// What the compiler has read beside the copies of the program's own files.
    [[nodiscard]] ProgramInputs inputsOf(const fs::path& folder) const {
        std::set<fs::path> read;
        for (std::size_t i = 0; i < source_.files.size(); ++i) {
            for (const char kind : {'f', 'o'}) {
                for (fs::path& path : readDependencies(folder / outputName(kind, i, ".d"))) {
                    const bool isOurs = path.string().starts_with(runtime_.headers.string());
                    if (!isOurs) read.insert(std::move(path));
                }
            }
        }
        return {.read = {read.begin(), read.end()}, .absent = reachable_.absent};
    }

    [[nodiscard]] ChildResult run(std::vector<std::string> arguments, const fs::path& folder,
                                  std::vector<std::string> outputs,
                                  std::chrono::seconds most = std::chrono::seconds(120)) const {
        return runCompiler(compilationOf(std::move(arguments), folder, std::move(outputs), most),
                           cancelled_);
    }
    [[nodiscard]] Compilation compilationOf(std::vector<std::string> arguments,
                                            const fs::path& folder,
                                            std::vector<std::string> outputs,
                                            std::chrono::seconds most) const {
        Compilation compilation{.arguments = std::move(arguments),
                                .folder = folder,
                                .outputs = std::move(outputs),
                                .readable = reachable_.folders,
                                .unread = reachable_.special,
                                .most = most};
        compilation.readable.insert(compilation.readable.end(), reachable_.files.begin(),
                                    reachable_.files.end());
        compilation.readable.push_back(runtime_.headers.parent_path());
        return compilation;
    }
    [[nodiscard]] std::vector<std::string> linkArguments() const {
        std::vector<std::string> arguments{compiler_, "-no-pie", "-o", "program"};
        for (std::size_t i = 0; i < source_.files.size(); ++i) {
            arguments.push_back(outputName('t', i, ".s"));
        }
        arguments.insert(arguments.end(),
                         {"shared.s", runtime_.runtime.string(), "-lm", "-lpthread", "-ldl"});
        return arguments;
    }

    /// The linker's sandbox is made while the compiler runs, and waits there.
    class Linking final {
      public:
        Linking(const Build& build, const fs::path& folder)
            : start_(makePipe()), result_(std::async(std::launch::async, [this, &build, folder] {
                  // The compiler's time is waited for as well.
                  Compilation linking = build.compilationOf(build.linkArguments(), folder,
                                                            {"program"}, std::chrono::seconds(300));
                  linking.startsAfter = start_.readEnd.value();
                  return runCompiler(linking, [this, &build] {
                      return isAbandoned_ || (build.cancelled_ && build.cancelled_());
                  });
              })) {}
        Linking(const Linking&) = delete;
        Linking& operator=(const Linking&) = delete;
        ~Linking() {
            isAbandoned_ = true;
            start_.writeEnd.close();
        }
        /// What there is to link is in the folder now.
        ChildResult result() {
            letBegin(start_.writeEnd);
            return result_.get();
        }

      private:
        Pipe start_;
        std::atomic<bool> isAbandoned_{false};
        std::future<ChildResult> result_;  // the last: it is waited for, and uses the others
    };

    struct Compiled final {
        std::vector<assembly::Unit> units;
        std::vector<assembly::Unit> optimized;  ///< none where that took too long
    };

    /// The compiler reads our headers once for all programs: what it has read of them lies beside
    /// them, where it looks by itself, and is taken where it fits.
    void precompileHeaders(const std::vector<std::string>& flags) const {
        const fs::path header = runtime_.headers / firstHeader;
        const fs::path folder = header.string() + ".gch";
        const std::string standard = standardOption(source_);
        // An update of the system's headers replaces them all.
        std::string all = identityOf(compiler_) + identityOf("/usr/include/stdio.h") + standard;
        for (const std::string& flag : flags) all += flag;
        const fs::path made = folder / digestOf(all);
        std::error_code error;
        if (fs::exists(made, error)) return;
        fs::create_directories(folder);
        const TemporaryFolder work(programCache() / "work");
        std::vector<std::string> arguments{compiler_};
        arguments.insert(arguments.end(), flags.begin(), flags.end());
        arguments.insert(arguments.end(),
                         {standard, "-isystem", runtime_.headers.string(), "-x", "c++-header",
                          header.string(), "-MD", "-MF", "header.d", "-o", "header"});
        if (run(arguments, work.path(), {"header", "header.d"}).status == 0) {
            fs::rename(work.path() / "header", made, error);
        }
    }

    Compiled compile(const fs::path& folder) const {
        std::vector<std::future<void>> running;
        for (const auto* flags : {&compilerFlags(), &optimizerFlags()}) {
            running.push_back(
                std::async(std::launch::async, [this, flags] { precompileHeaders(*flags); }));
        }
        std::vector<std::future<bool>> optimizing;
        for (std::size_t i = 0; i < source_.files.size(); ++i) {
            running.push_back(std::async(std::launch::async, [this, i, &folder] {
                requireDone(compileFile(compilerFlags(), 'f', i, folder, std::chrono::seconds(120)),
                            "the compiler");
            }));
            optimizing.push_back(std::async(std::launch::async, [this, i, &folder] {
                const ChildResult result =
                    compileFile(optimizerFlags(), 'o', i, folder, std::chrono::seconds(20));
                return result.status == 0;
            }));
        }
        for (std::future<void>& each : running) each.get();
        bool optimized = true;
        for (std::future<bool>& each : optimizing) optimized = each.get() && optimized;
        Compiled compiled;
        for (std::size_t i = 0; i < source_.files.size(); ++i) {
            compiled.units.push_back(unitOf(folder / outputName('f', i, ".s")));
            if (optimized) compiled.optimized.push_back(unitOf(folder / outputName('o', i, ".s")));
        }
        return compiled;
    }

    [[nodiscard]] ChildResult compileFile(const std::vector<std::string>& flags, char kind,
                                          std::size_t file, const fs::path& folder,
                                          std::chrono::seconds most) const {
        const std::string output = outputName(kind, file, ".s");
        const std::string listing = outputName(kind, file, ".d");
        std::vector<std::string> arguments{compiler_};
        arguments.insert(arguments.end(), flags.begin(), flags.end());
        arguments.insert(arguments.end(), options_.begin(), options_.end());
        arguments.insert(arguments.end(), {"-MD", "-fpch-deps", "-MF", listing, "-S",
                                           files_[file].copyName, "-o", output});
        return run(std::move(arguments), folder, {output, listing}, most);
    }
    [[nodiscard]] assembly::Unit unitOf(const fs::path& assembly) const {
        return assembly::parseUnit(readFile(assembly, std::uint64_t{1} << 30),
                                   runtime_.headers.string());
    }
    static std::string outputName(char kind, std::size_t file, const char* ending) {
        return kind + std::to_string(file) + ending;
    }

    fs::path link(const fs::path& folder, const Compiled& compiled, Linking& linking) const {
        assembly::SourceFacts facts;
        for (const SourceFile& file : files_) {
            facts.constant.insert(file.rewritten.constantNames.begin(),
                                  file.rewritten.constantNames.end());
            facts.device.insert(file.rewritten.deviceNames.begin(),
                                file.rewritten.deviceNames.end());
            facts.compoundAssignments.merge(source::compoundAssignmentsIn(file.rewritten.text));
        }
        const assembly::Instrumented instrumented =
            assembly::instrument(compiled.units, facts, compiled.optimized);
        for (std::size_t i = 0; i < instrumented.units.size(); ++i) {
            writeFileAtomically(folder / outputName('t', i, ".s"), instrumented.units[i]);
        }
        writeFileAtomically(folder / "shared.s", instrumented.shared);
        ChildResult linked = linking.result();
        if (const std::string missing = missingFunctions(linked.output);
            linked.status != 0 && !linked.cancelled && !missing.empty()) {
            writeFileAtomically(folder / "missing.s", missing);
            std::vector<std::string> arguments = linkArguments();
            arguments.push_back("missing.s");
            linked = run(std::move(arguments), folder, {"program"});
        }
        requireDone(linked, "the linker");
        return folder / "program";
    }

    const ProgramSource& source_;
    const ReachableFiles& reachable_;
    std::string compiler_;
    std::function<bool()> cancelled_;
    RuntimeFiles runtime_;
    std::vector<std::string> options_;
    std::string definitions_;
    std::vector<SourceFile> files_;
};

}  // namespace

BuiltProgram buildProgram(const ProgramSource& source, const std::function<bool()>& cancelled) {
    const auto begin = std::chrono::steady_clock::now();
    SourceFiles files = sourceFilesOf(source);
    BuiltProgram built;
    built.hasMain = files.hasMain;
    built.notes = files.notes;
    built.proposed = files.proposed;
    if (files.isCooperative()) {
        built.notes.push_back(
            "all threads of a cooperative launch run together: the program is told of a device "
            "of " +
            std::to_string(multiprocessorsTogether) + " multiprocessors");
    }
    for (const SourceFile& file : files.files) {
        const source::RewrittenFile& rewritten = file.rewritten;
        built.kernels.insert(built.kernels.end(), rewritten.kernels.begin(),
                             rewritten.kernels.end());
        built.launches.insert(built.launches.end(), rewritten.launches.begin(),
                              rewritten.launches.end());
        built.shifts[file.reported] = rewritten.shifts;
        for (const source::UnsupportedUse& use : rewritten.unsupported) {
            Finding& finding = built.unsupported.emplace_back();
            finding.kind = FindingKind::notSupported;
            finding.words = use.words;
            finding.place = {file.reported, use.place.line, use.place.column};
        }
    }
    if (!built.unsupported.empty()) return built;
    if (built.kernels.empty()) {
        throw InvalidRequest({{"file", "'" + source.files.front().string() + "'",
                               "must hold a __global__ function with a body"}});
    }
    const std::string compiler = requiredCompiler();
    const std::string definitions = definitionsOf(source, files);
    built.reachable = reachableFiles(source.files, source.includes);
    try {
        std::tie(built.binary, built.fromCache) =
            Build(source, std::move(files), built.reachable, compiler, cancelled).make();
    } catch (const CompileFailed& refusal) {
        if (!built.hasMain) source::refuseWish(std::string_view(refusal.what()));
        refuseDefinition(refusal.what(), definitions, source);
        throw;
    }
    built.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return built;
}

}  // namespace warplens
