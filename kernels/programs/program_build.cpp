#include "kernels/programs/program_build.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <mutex>
#include <regex>
#include <set>

#include "core/launch/launch.h"
#include "core/program/cuda_tokens.h"
#include "core/program/mangled_names.h"
#include "core/text/encoding.h"
#include "core/text/files.h"
#include "kernels/programs/compiler.h"
#include "kernels/programs/missing_parts.h"
#include "kernels/programs/nvcc_steps.h"
#include "kernels/programs/program_cache.h"
#include "kernels/programs/program_halves.h"
#include "kernels/programs/program_text.h"
#include "kernels/programs/proposed_main.h"

#include "embedded/warplens_programs.h"

namespace warplens::programs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view runtimeObject = "runtime_api.o";
constexpr std::string_view registersBehind = "\nwarplens-registers:";
const std::string listed = "warplens-listed";  ///< behind what nvcc lists

/// nvcc knows no GNU dialects; its own default is C++17.
std::string standardOf(const std::string& standard) {
    return standard.starts_with("gnu") ? "c" + standard.substr(3) : standard;
}

/// Thrown: what is called is defined in these files, which were not named.
struct MoreFiles final {
    std::vector<fs::path> files;
};

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
        for (const std::string& option : source.hostOptions)
            options_.insert(options_.end(), {"-Xcompiler", option});
        if (const std::string host = hostCompiler(); !host.empty())
            options_.insert(options_.end(), {"-ccbin", host});
        for (const fs::path& file : source.files) {
            const fs::path whole = wholePath(file);
            if (!standInName(whole.string(), 0).empty())
                options_.push_back("-I" + whole.parent_path().string());
        }
        const auto says = [&](const char* pattern) {
            const std::regex searched(pattern);
            const auto holds = [&](const ProgramFile& file) {
                return std::regex_search(file.text, searched);
            };
            return std::ranges::any_of(facts.sources.units, holds) ||
                   std::ranges::any_of(facts.sources.headers, holds);
        };
        options_.push_back("--expt-relaxed-constexpr");
        if (says(R"(\]\s*(__host__\s+)?__device__)")) options_.push_back("--extended-lambda");
        asksForRegisters_ = says(R"(\bcu(da)?(FuncGetAttribute|Occupancy))");
        hasThreads_ = says(R"(#\s*pragma\s+omp\s+(?!(end\s+)?declare)|\bomp\.h)");
    }

    /// The program's path.
    fs::path make(BuiltProgram& build) {
        const ProgramCache cache("programs");
        const std::string key = keyOf();
        if (const auto known = cache.find(key)) return *known;
        const ProgramCache lists("files");
        std::string choice = key;
        for (const fs::path& file : source_.named) choice += '\0' + wholePath(file).string();
        choice = digestOf(choice);
        if (const auto known = lists.find(choice)) {
            MoreFiles more;
            const std::string list = readFile(*known, mostSourceBytes);
            for (const std::string_view line : splitLines(list)) more.files.emplace_back(line);
            throw more;
        }
        const auto begun = std::chrono::system_clock::now();
        const TemporaryFolder folder(programCache() / "work");
        build.isCut = cutProgram(folder.path());
        try {
            const fs::path made = build.isCut ? folder.path() / "program" : program(folder.path());
            addRegisters(folder.path(), made);
            return cache.keep(key, made, inputsOf(folder.path()), begun);
        } catch (const MoreFiles& more) {
            std::string list;
            for (const fs::path& file : more.files) list += file.string() + '\n';
            writeFileAtomically(folder.path() / "files", list);
            (void)lists.keep(choice, folder.path() / "files", {.read = more.files}, begun);
            throw;
        }
    }

  private:
    [[nodiscard]] std::string keyOf() const {
        static const std::string runtime = digestOf(embedded::embeddedFile(runtimeObject)) +
                                           digestOf(embedded::embeddedFile("removed.h")) +
                                           digestOf(embedded::embeddedFile("nvrtc_compile")) +
                                           digestOf(embedded::embeddedFile("proposed.h"));
        std::string all = runtime + identityOf(compiler_.nvcc.string()) + architecture_ +
                          hostOptions() + facts_.proposedMain + source_.deviceOption +
                          (source_.isWhole ? "whole" : "");
        for (const auto* words : {&options_, &source_.libraries}) {
            for (const std::string& word : *words) all += '\0' + word;
        }
        for (const ProgramFile& file : facts_.sources.units)
            all += '\0' + wholePath(file.path).string() + '\0' + file.text;
        return digestOf(all) + digestOf("again" + all);
    }

    /// One step, in the sandbox.
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
        if (const std::string name = standInName(file, index); !name.empty()) {
            fs::path copy = folder / nameOf(index, ".cu");
            writeFileAtomically(
                copy, "#line 1 \"" + name + "\"\n" +
                          std::string(withoutByteOrderMark(facts_.sources.units[index].text)));
            file = std::move(copy).string();
        }
        if (index > 0 || facts_.proposedMain.empty()) return file;
        fs::create_directory(folder / "wl");
        writeFileAtomically(folder / "wl/proposed.h", embedded::embeddedFile("proposed.h"));
        const fs::path unit = folder / "main.cu";
        writeFileAtomically(unit, "#include \"" + file + "\"\n" + facts_.proposedMain);
        return unit.string();
    }

    /// A command of nvcc's with the options of all; `mode` is whether objects are to be linked.
    [[nodiscard]] std::string nvcc(const std::string& mode,
                                   const std::vector<std::string>& arguments) const {
        std::string line = shellWord(compiler_.nvcc.string()) + ' ' + mode;
        for (const auto* words : {&arguments, &options_}) {
            for (const std::string& word : *words) line += ' ' + shellWord(word);
        }
        return line;
    }
    /// The two commands of a file, and that they are to list their steps; of files for the host
    /// there is no second.
    struct Commands final {
        std::string object;
        std::string debug;
        std::string listing;
    };
    [[nodiscard]] Commands commandsFor(std::size_t index, const std::string& unit,
                                       const std::string& mode) const {
        // Compressed PTX could not be read out of the program.
        std::vector<std::string> object{"-c",
                                        "-lineinfo",
                                        "-gencode",
                                        "arch=" + architecture_ + ",code=" + architecture_,
                                        "--no-compress",
                                        "-Xcompiler",
                                        hostOptions(),
                                        "-o",
                                        nameOf(index, ".o"),
                                        unit};
        if (!source_.deviceOption.empty()) object.push_back(source_.deviceOption);
        const std::vector<std::string> debug{"-G", "-ptx",           "-arch=" + architecture_,
                                             "-o", debugName(index), unit};
        const std::string end = "\necho " + listed + '\n';
        const std::string kept = " 2>&1 --dryrun --keep --keep-dir " + std::string(keptFolder);
        Commands commands{.object = nvcc(mode, object) + " -MD -MF " + nameOf(index, ".d"),
                          .debug = nvcc(mode, debug),
                          .listing = nvcc(mode, object) + kept + "/object" + end};
        if (!isDeviceCode(index)) commands.debug.clear();
        commands.listing += (commands.debug.empty() ? "" : commands.debug + kept + "/debug") + end;
        return commands;
    }

    /// -g1 says which line of the host makes a call, which no jump may hide; addr2line takes the
    /// first file of DWARF 5 for what nvcc made of it.
    [[nodiscard]] std::string hostOptions() const {
        return "-O" + source_.optimization + ",-fno-optimize-sibling-calls,-g1,-gdwarf-4,-fno-pie" +
               (hasThreads_ ? ",-fopenmp" : "");
    }

    /// What nvcc lists, which is the same for a file each time.
    [[nodiscard]] std::string listingOf(const fs::path& folder, const std::string& command) const {
        static std::mutex mutex;
        static std::map<std::string, std::string> known;
        const std::string key =
            digestOf(identityOf(compiler_.nvcc.string()) + identityOf(hostCompiler()) + command);
        const auto listing = [&] {
            const std::lock_guard lock(mutex);
            const auto found = known.find(key);
            return found == known.end() ? std::string() : found->second;
        }();
        if (!listing.empty()) return listing;
        const ChildResult result = runStep(folder, {"/bin/sh", "-c", command}, {});
        const std::lock_guard lock(mutex);
        if (result.status == 0) known[key] = result.output;
        return result.output;
    }
    static std::string_view nextListed(std::string_view listings, std::size_t& at) {
        const std::size_t end = std::min(listings.find(listed, at), listings.size());
        const std::string_view part = listings.substr(at, end - at);
        at = std::min(end + listed.size() + 1, listings.size());
        return part;
    }
    [[nodiscard]] std::string moduleIdOf(std::size_t file) const {
        const std::string digest = digestOf(keyOf());
        const std::string number = std::to_string(file);
        return '_' + digest.substr(0, 8) + '_' + std::to_string(number.size() + 4) + "_f" + number +
               "_cu_" + digest.substr(8, 8);
    }

    /// The fast way, without nvcc's reading of the host's half: false where that leaves a doubt, or
    /// anything fails, so that what is wrong is told as nvcc does.
    [[nodiscard]] bool cutProgram(const fs::path& folder) const {
        if (source_.isWhole || !source_.deviceOption.empty() || source_.files.size() != 1 ||
            !facts_.proposedMain.empty() || !facts_.sources.headers.empty() || !isDeviceCode(0))
            return false;
        const ProgramFile& file = facts_.sources.units.front();
        const std::string path = wholePath(source_.files.front()).string();
        const auto halves = halvesOf(withoutByteOrderMark(file.text), path);
        if (!halves || !standInName(path, 0).empty()) return false;
        const auto isPlain = [](const std::string& define) {
            return define.find_first_of("(){}_<\"") == define.npos;
        };
        if (!std::ranges::all_of(source_.defines, isPlain) ||
            !std::ranges::all_of(source_.settings, isPlain))
            return false;
        writeFileAtomically(folder / "host.cpp", halves->host);
        std::string link;
        for (const std::string& word : linkCommand(folder, true)) link += shellWord(word) + ' ';
        const Commands commands = commandsFor(0, unitOf(folder, 0), "-rdc=false");
        const std::string listings = listingOf(folder, commands.listing);
        std::size_t at = 0;
        const std::string_view object = nextListed(listings, at);
        const std::string script = withHostPart(
            {object, nextListed(listings, at)}, moduleIdOf(0), nameOf(0, ".d"), "host.cpp",
            nvrtcCommand(folder, halves->device, path), link + "|| exit 1\n", registersName(0));
        if (script.empty()) return false;
        writeFileAtomically(folder / "compile.sh", script);
        std::vector<std::string> outputs{nameOf(0, ".o"), nameOf(0, ".d"), "f0.ptx", debugName(0),
                                         "program"};
        if (asksForRegisters_) outputs.push_back(registersName(0));
        const ChildResult result = runStep(folder, {"/bin/sh", "compile.sh"}, outputs);
        if (result.cancelled) throw Cancelled();
        return result.status == 0;
    }

    /// Compiles the text to PTX as nvcc does; fails where there is none, or no NVRTC.
    [[nodiscard]] std::string nvrtcCommand(const fs::path& folder, const std::string& text,
                                           const std::string& name) const {
        const fs::path library = nvrtcOf(compiler_);
        if (text.empty() || library.empty()) return "false";
        writeFileAtomically(folder / "device.cu", text);
        const fs::path program = folder / "nvrtc_compile";
        writeFileAtomically(program, embedded::embeddedFile("nvrtc_compile"));
        fs::permissions(program, fs::perms::owner_all);
        std::string command = "LD_LIBRARY_PATH=" + shellWord(library.parent_path().string());
        std::vector<std::string> words{
            program.string(), library.string(),        "device.cu", name, "f0.ptx",
            debugName(0),     "-arch=" + architecture_};
        for (const std::string& option : options_) {
            if (option.starts_with("-D") || option.starts_with("-std=")) words.push_back(option);
        }
        for (const std::string& word : words) command += ' ' + shellWord(word);
        return command;
    }

    /// Objects with optimised PTX, and PTX of `-G`, of all files, in one script: their steps side
    /// by side where nvcc lists those that are known.
    [[nodiscard]] ChildResult compiled(const fs::path& folder, const std::string& mode) const {
        std::vector<Commands> commands;
        std::string listing;
        for (std::size_t i = 0; i < source_.files.size(); ++i) {
            commands.push_back(commandsFor(i, unitOf(folder, i), mode));
            listing += commands.back().listing;
        }
        const std::string listings = listingOf(folder, listing);
        std::size_t at = 0;
        const auto next = [&] { return nextListed(listings, at); };
        std::string script;
        std::string end;
        std::vector<std::string> outputs;
        for (std::size_t i = 0; i < commands.size(); ++i) {
            const std::string number = std::to_string(i);
            const std::string_view object = next();
            const std::string_view debug = next();
            std::string steps =
                sideBySide({object, debug}, moduleIdOf(i), nameOf(i, ".d"), registersName(i));
            if (steps.empty()) {
                const std::string& second = commands[i].debug;
                steps = commands[i].object + (second.empty() ? "" : " &&\n" + second) + '\n';
            }
            script += "(\n" + steps + ") & unit" + number + "=$!\n";
            end += "wait $unit" + number + " || exit 1\n";
            outputs.insert(outputs.end(), {nameOf(i, ".o"), nameOf(i, ".d")});
            if (isDeviceCode(i)) outputs.push_back(debugName(i));
            if (asksForRegisters_) outputs.push_back(registersName(i));
        }
        writeFileAtomically(folder / "compile.sh", script + end);
        return runStep(folder, {"/bin/sh", "compile.sh"}, outputs);
    }

    /// Functions that code of the device calls or defines, of all files.
    [[nodiscard]] std::set<std::string> functionsIn(const fs::path& folder,
                                                    const char* linkage) const {
        const std::regex named("\\." + std::string(linkage) +
                               R"( \.func[^;{]*?(\w+)\s*(?:\n?\(|;|\{))");
        std::set<std::string> names;
        for (std::size_t i = 0; i < source_.files.size(); ++i) {
            std::ifstream file(folder / debugName(i));
            const std::string text(std::istreambuf_iterator<char>(file), {});
            for (auto at = std::sregex_iterator(text.begin(), text.end(), named);
                 at != std::sregex_iterator(); ++at)
                names.insert((*at)[1]);
        }
        for (const char* known : {"vprintf", "malloc", "free", "__assertfail"}) names.erase(known);
        return names;
    }

    /// Whether code of the device calls what is in another file, or launches: that has to be
    /// compiled to be linked.
    [[nodiscard]] bool needsLinking(const fs::path& folder, const ChildResult& result) const {
        return result.output.find("separate compilation mode") != std::string::npos ||
               result.output.find("whole program compilation mode") != std::string::npos ||
               (source_.files.size() > 1 && !functionsIn(folder, "extern").empty());
    }

    /// Files that define what code of the device calls and none of the program's has.
    void addDefiners(const fs::path& folder) const {
        std::string missing;
        const std::set<std::string> here = functionsIn(folder, "visible");
        for (const std::string& name : functionsIn(folder, "extern")) {
            if (!here.contains(name))
                missing += "undefined reference to `" + demangled(name) + '\n';
        }
        if (auto more = definersOf(missing, facts_.sources, source_.named); !more.empty())
            throw MoreFiles{std::move(more)};
    }

    void compile(const fs::path& folder) {
        ChildResult result = compiled(folder, "-rdc=false");
        const auto misses = [](std::string_view line) {
            return line.find("rror") != line.npos && namesWhatIsGone(line);
        };
        if (result.status != 0 && std::ranges::any_of(splitLines(result.output), misses)) {
            const fs::path header = folder / "wl/cuda_runtime_removed.h";  // no file of the person
            fs::create_directory(folder / "wl");
            writeFileAtomically(header, embedded::embeddedFile("removed.h"));
            writeFileAtomically(folder / "wl/nvToolsExt.h", "#include <nvtx3/nvToolsExt.h>\n");
            options_.insert(options_.end(), {"-include", "cuda_runtime.h", "-include",
                                             header.string(), "-I" + (folder / "wl").string()});
            result = compiled(folder, "-rdc=false");
        }
        if (needsLinking(folder, result)) result = compiled(folder, "-rdc=true");
        result.output = withPackages(inOwnNames(folder, withPlaces(result.output)));
        if (!facts_.hasMain) source::refuseWish(std::string_view(result.output));
        if (result.status != 0 && !result.cancelled) {
            refuseDeclared(source_, facts_.sources, facts_.hasMain);
        }
        if (result.output.find("Unsupported gpu architecture") != std::string::npos)
            refuseCapability();
        requireDone(result, "nvcc");
        addDefiners(folder);
    }

    /// Of a compute capability that nvcc does not compile for.
    [[noreturn]] void refuseCapability() const {
        const auto inWords = [](int number) {
            return std::to_string(number / 10) + '.' + std::to_string(number % 10);
        };
        const std::vector<int> known = capabilitiesOf(compiler_);
        const int asked = std::stoi(architecture_.substr(architecture_.find('_') + 1));
        throw InvalidRequest({{"--cc", '\'' + inWords(asked) + '\'',
                               "nvcc " + versionOf(compiler_) + " does not compile for it" +
                                   (known.empty() ? ""
                                                  : ", but for " + inWords(known.front()) + " to " +
                                                        inWords(known.back()))}});
    }

    /// Of files that have a main each, which no program has.
    void requireOneMain(const std::string& linked) const {
        if (linked.find("multiple definition of `main'") == std::string::npos) return;
        std::string words;
        for (const ProgramFile& file : facts_.sources.units) {
            if (definesMain(source::maskedText(file.text)))
                words += (words.empty() ? "" : " and ") + file.path;
        }
        throw CompileFailed(words +
                            " have a main each, and files given together are one program: "
                            "give one of them at a time");
    }

    /// What links the objects; `isCut`: with PTX that lies beside them.
    [[nodiscard]] std::vector<std::string> linkCommand(const fs::path& folder, bool isCut) const {
        std::ofstream(folder / runtimeObject, std::ios::binary)
            << embedded::embeddedFile(runtimeObject);
        std::string debug = ".section .rodata\n.globl __cudaDebugPtx\n__cudaDebugPtx:\n";
        std::vector<std::string> arguments{requiredCompiler(), "-no-pie", "-o", "program"};
        for (std::size_t i = 0; i < source_.files.size(); ++i) {
            if (isDeviceCode(i)) debug += ".incbin \"" + debugName(i) + "\"\n.byte 0\n";
            arguments.push_back(nameOf(i, ".o"));
        }
        debug += ".byte 0\n";
        if (isCut) debug += ".globl __cudaPlainPtx\n__cudaPlainPtx:\n.incbin \"f0.ptx\"\n.byte 0\n";
        debug += ".section .note.GNU-stack,\"\",@progbits\n";
        writeFileAtomically(folder / "debug.s", debug);
        arguments.insert(arguments.end(), {"debug.s", std::string(runtimeObject)});
        if (hasThreads_) arguments.emplace_back("-fopenmp");
        // What NVIDIA's libraries do is ours, or refused where it is called; a window and other
        // processes are not to be had in the sandbox.
        static const std::regex replaced(
            "cu[a-z]+(Lt|_static|mg)?|nv[A-Za-z-]+|nccl|npp[a-z]+|GL|GLU|GLEW|glut|mpi\\w*");
        for (const std::string& library : source_.libraries) {
            if (!std::regex_match(library, replaced)) arguments.push_back("-l" + library);
        }
        arguments.insert(arguments.end(), {"-lm", "-lpthread", "-ldl", "-lrt"});
        return arguments;
    }

    fs::path program(const fs::path& folder) {
        compile(folder);
        std::vector<std::string> arguments = linkCommand(folder, false);
        ChildResult linked = runStep(folder, arguments, {"program"});
        if (auto more = definersOf(linked.output, facts_.sources, source_.named); !more.empty())
            throw MoreFiles{std::move(more)};
        const fs::path library = nvrtcOf(compiler_);
        if (linked.output.find("undefined reference to `nvrtc") != std::string::npos &&
            !library.empty()) {
            arguments.insert(arguments.end(),
                             {library.string(),
                              "-Wl,--disable-new-dtags,-rpath," + library.parent_path().string()});
            linked = runStep(folder, arguments, {"program"});
        }
        if (const std::string missing = missingFunctions(linked.output); !missing.empty()) {
            writeFileAtomically(folder / "missing.cpp", missing);
            arguments.insert(arguments.begin() + 1, "missing.cpp");
            linked = runStep(folder, arguments, {"program"});
        }
        if (linked.output.find("relocation truncated") != std::string::npos)
            linked.output =
                "the program's own arrays take more than 2 GiB, and it cannot be linked";
        requireOneMain(linked.output);
        requireDone(linked, "the linker");
        return folder / "program";
    }

    /// `name:56,` of each kernel, behind the program: a loader reads no further than its own.
    void addRegisters(const fs::path& folder, const fs::path& made) const {
        static const std::regex counted(
            R"(Compiling entry function '(\w+)'[\s\S]*?Used (\d+) registers)");
        std::ofstream program(made, std::ios::binary | std::ios::app);
        program << registersBehind;
        for (std::size_t i = 0; asksForRegisters_ && i < source_.files.size(); ++i) {
            std::ifstream file(folder / registersName(i));
            const std::string words(std::istreambuf_iterator<char>(file), {});
            for (auto at = std::sregex_iterator(words.begin(), words.end(), counted);
                 at != std::sregex_iterator(); ++at)
                program << (*at)[1] << ':' << (*at)[2] << ',';
        }
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

    /// Files as the person calls them.
    [[nodiscard]] std::string inOwnNames(const fs::path& folder, std::string words) const {
        // The file that has a main behind the person's is none of theirs.
        const std::string unit = "from " + (folder / "main.cu").string() + ":1:\n";
        for (std::size_t at = 0; (at = words.find(unit)) != words.npos;) {
            const std::size_t line = words.rfind('\n', at) + 1;
            words.erase(line, at + unit.size() - line);
            if (line > 1 && words[line - 2] == ',') words[line - 2] = ':';
        }
        for (const auto* files : {&facts_.sources.units, &facts_.sources.headers}) {
            for (const ProgramFile& file : *files) {
                const std::string whole = wholePath(file.path).string();
                for (std::size_t at = 0; (at = words.find(whole, at)) != std::string::npos;
                     at += file.path.size())
                    words.replace(at, whole.size(), file.path);
            }
        }
        for (std::size_t i = 0; i < facts_.sources.units.size(); ++i) {
            const std::string& path = facts_.sources.units[i].path;
            const std::string name = standInName(wholePath(path).string(), i);
            for (std::size_t at = 0; !name.empty() && (at = words.find(name, at)) != words.npos;
                 at += path.size())
                words.replace(at, name.size(), path);
        }
        return words;
    }

    /// Others than .cu are for the host alone.
    [[nodiscard]] bool isDeviceCode(std::size_t file) const {
        return source_.files[file].extension() == ".cu" || !facts_.proposedMain.empty();
    }
    static std::string nameOf(std::size_t file, const char* ending) {
        return 'f' + std::to_string(file) + ending;
    }
    [[nodiscard]] std::string registersName(std::size_t file) const {
        return asksForRegisters_ ? nameOf(file, ".registers") : std::string();
    }
    static std::string debugName(std::size_t file) { return nameOf(file, ".debug.ptx"); }

    const ProgramSource& source_;
    const BuiltProgram& facts_;
    const CudaCompiler& compiler_;
    const std::function<bool()>& cancelled_;
    std::string architecture_;
    std::vector<std::string> options_;
    bool hasThreads_ = false;  ///< OpenMP's
    bool asksForRegisters_ = false;
};

/// What stands behind the program; of kernels beyond the first some hundreds nothing.
std::string registersOf(const fs::path& program) {
    constexpr std::uintmax_t most = 1u << 16;
    std::error_code error;
    const std::uintmax_t size = fs::file_size(program, error);
    std::ifstream file(program, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(error || size < most ? 0 : size - most));
    const std::string end(std::istreambuf_iterator<char>(file), {});
    const std::size_t at = end.rfind(registersBehind);
    return at == end.npos ? std::string() : end.substr(at + registersBehind.size());
}

/// A main for a program that has none.
void propose(const ProgramSource& source, BuiltProgram& build) {
    const ProgramFile& first = build.sources.units.front();
    const std::string masked = source::maskedText(first.text);
    const std::vector<source::KernelSource> kernels = source::kernelsIn(masked);
    std::vector<source::KernelSource> all = kernels;
    for (source::KernelSource& each : source::launchersIn(masked)) all.push_back(std::move(each));
    source::LaunchWishes wishes = source.launch;
    wishes.take(source.settings);
    source::refuseUnknown(wishes, all);
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

std::string standInName(const std::string& path, std::size_t index) {
    if (path.find_first_of("\"\\$`") == path.npos) return {};
    return "warplens-unit-" + std::to_string(index) + ".cu";
}

namespace {

BuiltProgram build(const ProgramSource& source, const CudaCompiler& compiler, int computeCapability,
                   const std::function<bool()>& cancelled) {
    std::vector<std::string> units;
    for (const fs::path& file : source.files) {
        (void)programText(file, file.string());
        units.push_back(file.string());
    }
    BuiltProgram build;
    build.sources = readProgramSources(units, source.includes);
    build.sources.defines = source.defines;
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
    // The program may compile, too.
    if (std::ranges::any_of(texts, [](const ProgramFile& file) {
            return file.text.find("nvrtc") != file.text.npos;
        }))
        build.reachable.folders.insert(build.reachable.folders.end(), compiler.folders.begin(),
                                       compiler.folders.end());
    build.binary = Build(source, build, compiler, computeCapability, cancelled).make(build);
    build.registers = registersOf(build.binary);
    return build;
}

}  // namespace

BuiltProgram buildProgram(const ProgramSource& source, const CudaCompiler& compiler,
                          int computeCapability, const std::function<bool()>& cancelled) {
    const auto begin = std::chrono::steady_clock::now();
    ProgramSource whole = source;
    std::string added;
    for (;;) {
        try {
            BuiltProgram built = build(whole, compiler, computeCapability, cancelled);
            if (!added.empty())
                built.notes.push_back("compiled with it, since it calls what is in there:" + added);
            built.seconds =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            return built;
        } catch (const MoreFiles& more) {
            for (const fs::path& file : more.files) {
                // As the person calls files of that folder.
                const fs::path folder = source.files.front().parent_path();
                std::error_code error;
                const fs::path named =
                    folder / fs::relative(file, wholePath(folder.empty() ? "." : folder), error);
                whole.files.push_back(error ? file : named);
                added += (added.empty() ? " " : ", ") + file.filename().string();
            }
        }
    }
}

}  // namespace warplens::programs
