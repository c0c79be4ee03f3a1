#include "kernels/programs/build_commands.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <set>

#include "core/json/json_tree.h"
#include "core/text/files.h"
#include "kernels/programs/compiler.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

constexpr const char* option = "--build";

/// The commands of a line of a shell, word by word; what is substituted in it is not.
std::vector<std::vector<std::string>> commandsIn(std::string_view line) {
    std::vector<std::vector<std::string>> commands(1);
    std::string word;
    bool isWord = false;
    const auto endWord = [&] {
        if (isWord) commands.back().push_back(std::move(word));
        word.clear();
        isWord = false;
    };
    char quote = 0;
    for (std::size_t at = 0; at < line.size(); ++at) {
        const char c = line[at];
        if (c == '\\' && quote != '\'' && at + 1 < line.size()) {
            word += line[++at];
            isWord = true;
        } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
            quote = quote == 0 ? c : '\0';
            isWord = true;
        } else if (quote == 0 && (c == ' ' || c == '\t')) {
            endWord();
        } else if (quote == 0 && (c == ';' || c == '&' || c == '|')) {
            endWord();
            if (!commands.back().empty()) commands.emplace_back();
        } else {
            word += c;
            isWord = true;
        }
    }
    endWord();
    return commands;
}

/// Or what puts objects into a library.
bool isCompiler(const std::string& word) {
    const std::string name = fs::path(word).filename().string();
    constexpr std::array<std::string_view, 9> known{"nvcc", "g++",     "gcc",   "c++",   "cc",
                                                    "ar",   "clang++", "clang", "gcc-ar"};
    return std::ranges::any_of(known, [&](std::string_view each) {
        return name == each || name.starts_with(std::string(each) + '-');  // g++-12
    });
}

/// One call of a compiler.
struct Step final {
    ProgramSource says{};  ///< its files and options
    std::vector<fs::path> objects{};
    fs::path output{};
    bool links = true;
};

/// The words with those of the files of options among them, as CMake writes `-I` into one:
/// `--options-file includes_CUDA.rsp`.
std::vector<std::string> withOptionFiles(const fs::path& folder,
                                         const std::vector<std::string>& words) {
    std::vector<std::string> all;
    for (std::size_t index = 0; index < words.size(); ++index) {
        const std::string& word = words[index];
        std::string file;
        if ((word == "--options-file" || word == "-optf") && index + 1 < words.size())
            file = words[++index];
        else if (word.starts_with("--options-file="))
            file = word.substr(word.find('=') + 1);
        else if (word.starts_with('@'))
            file = word.substr(1);
        if (file.empty()) {
            all.push_back(word);
            continue;
        }
        std::ifstream options(folder / file);
        for (std::string line; std::getline(options, line);) {
            const std::vector<std::string> more = commandsIn(line).front();
            all.insert(all.end(), more.begin(), more.end());
        }
    }
    return all;
}

Step stepOf(const fs::path& folder, const std::vector<std::string>& written,
            bool isArchive = false) {
    const std::vector<std::string> words = withOptionFiles(folder, written);
    Step step{.links = !isArchive};
    const auto at = [&](const std::string& path) { return (folder / path).lexically_normal(); };
    for (std::size_t index = 0; index < words.size(); ++index) {
        const std::string& word = words[index];
        /// What an option is followed by, in the same word or the next one.
        const auto value = [&](std::string_view name) -> std::optional<std::string> {
            if (!word.starts_with(name)) return std::nullopt;
            if (word.size() > name.size())
                return word.substr(name.size() + (word[name.size()] == '=' ? 1 : 0));
            return index + 1 < words.size() ? words[++index] : std::string();
        };
        static const std::set<std::string, std::less<>> withValue{"-arch",
                                                                  "-gencode",
                                                                  "-code",
                                                                  "-ccbin",
                                                                  "-Xcompiler",
                                                                  "-Xptxas",
                                                                  "-Xlinker",
                                                                  "-x",
                                                                  "-MF",
                                                                  "-MT",
                                                                  "-MQ",
                                                                  "-include",
                                                                  "-odir",
                                                                  "-L",
                                                                  "--generate-code",
                                                                  "--gpu-architecture",
                                                                  "--compiler-options",
                                                                  "-maxrregcount"};
        const std::string extension = fs::path(word).extension().string();
        if (word == "-c" || word == "-dc" || word == "-dw" || word == "--device-c" ||
            word == "-dlink" || word == "--device-link") {
            step.links = false;
        } else if (withValue.contains(word)) {
            ++index;
        } else if (auto folderOf = value("-isystem"); folderOf || (folderOf = value("-I"))) {
            step.says.includes.push_back(at(*folderOf).string());
        } else if (const auto macro = value("-D")) {
            step.says.defines.push_back(*macro);
        } else if (word.starts_with("-std=") || word.starts_with("--std=")) {
            step.says.standard = word.substr(word.find('=') + 1);
        } else if (word.size() == 3 && word.starts_with("-O") && word[2] >= '0' && word[2] <= '3') {
            step.says.optimization = word.substr(2);
        } else if (word == "-o" || word == "--output-file") {
            step.output = at(*value(word));
        } else if (const auto library = value("-l"); library && !word.starts_with("-li")) {
            step.says.libraries.push_back(*library);
        } else if (extension == ".cu" || extension == ".cpp" || extension == ".cc" ||
                   extension == ".cxx" || extension == ".c") {
            step.says.files.push_back(at(word));
        } else if (extension == ".a" && isArchive && step.output.empty()) {
            step.output = at(word);
        } else if (extension == ".o" || extension == ".obj" || extension == ".a") {
            step.objects.push_back(at(word));
        }
    }
    if (!step.links && step.output.empty() && !step.says.files.empty())
        step.output = at(step.says.files.front().stem().string() + ".o");
    return step;
}

/// Where a build's files lie, or else where one is, as for `src/main.cu` beside a Makefile of all.
fs::path folderOfMake(const fs::path& ofFile) {
    for (const char* name : {"GNUmakefile", "makefile", "Makefile"}) {
        if (fs::exists(ofFile / name)) return ofFile;
    }
    return fs::current_path();
}

/// What says how a program is built without building it: where it is run, and what it sees.
struct BuildCall final {
    std::vector<std::string> words;
    fs::path folder;
    std::vector<fs::path> readable{};
};

/// `make -C FOLDER TARGET` of `cmake --build FOLDER --target TARGET`, or the same with ninja.
std::vector<std::string> withoutCmake(const fs::path& folder,
                                      const std::vector<std::string>& words) {
    fs::path built = folder;
    std::vector<std::string> targets;
    for (std::size_t at = 1; at + 1 < words.size(); ++at) {
        if (words[at] == "--build") built = (folder / words[at + 1]).lexically_normal();
        if (words[at] == "--target" || words[at] == "-t") targets.push_back(words[at + 1]);
    }
    std::vector<std::string> all{"make", "-C", built.string()};
    if (fs::exists(built / "build.ninja")) all = {"ninja", "-C", built.string(), "-t", "commands"};
    all.insert(all.end(), targets.begin(), targets.end());
    return all;
}

/// Of `make -C ..` beside the file's folder and the working folder what it names; folders are those
/// of the working folder first, as a shell has them.
BuildCall buildCallOf(const std::string& call, const fs::path& first,
                      const std::vector<std::string>& includes) {
    const std::vector<std::vector<std::string>> commands = commandsIn(call);
    BuildCall build{.words = commands.back(), .folder = folderOfMake(first.parent_path())};
    std::vector<std::string>& words = build.words;
    const auto named = [&](const std::string& word) {
        const bool isHere = fs::exists(fs::current_path() / word);
        if (isHere) build.folder = fs::current_path();
        const fs::path path = build.folder / word;
        build.readable.push_back(fs::is_directory(path) ? path : path.parent_path());
    };
    for (const std::vector<std::string>& each : commands) {
        if (each.size() != 2 || each.front() != "cd") continue;
        build.folder = (fs::current_path() / each.back()).lexically_normal();
    }
    if (!words.empty() && fs::path(words.front()).filename() == "cmake")
        words = withoutCmake(commands.size() > 1 ? build.folder : fs::current_path(), words);
    for (std::size_t at = 1; at < words.size(); ++at) {
        const std::string& word = words[at];
        std::string path;
        for (const std::string_view name : {"-C", "-f", "--directory=", "--file=", "--makefile="}) {
            if (word == name && at + 1 < words.size())
                path = words[at + 1];
            else if (word.starts_with(name))
                path = word.substr(name.size());
        }
        if (!path.empty()) named(path);
    }
    build.readable.push_back(first.parent_path());
    for (const std::string& include : includes)
        build.readable.push_back(fs::absolute(include).lexically_normal());
    build.readable.push_back(build.folder);
    std::erase_if(build.readable, [](const fs::path& each) { return !fs::exists(each); });
    // What CMake made depends on the folder that it was made of.
    constexpr std::string_view home = "CMAKE_HOME_DIRECTORY:INTERNAL=";
    for (std::size_t at = build.readable.size(); at-- > 0;) {
        build.readable[at] = build.readable[at].lexically_normal();
        std::ifstream cache(build.readable[at] / "CMakeCache.txt");
        for (std::string line; std::getline(cache, line);) {
            if (line.starts_with(home)) build.readable.emplace_back(line.substr(home.size()));
        }
    }
    return build;
}

/// Of a line of a shell; CMake has those that link in a file of their own.
void addSteps(fs::path here, std::string_view line, std::vector<Step>& steps) {
    for (const std::vector<std::string>& command : commandsIn(line)) {
        if (command.size() == 2 && command.front() == "cd") here = here / command.back();
        const auto script = std::ranges::find(command, "cmake_link_script");
        if (script != command.end() && script + 1 != command.end()) {
            std::ifstream links(here / script[1]);
            for (std::string each; std::getline(links, each);) addSteps(here, each, steps);
        }
        const auto compiler = std::ranges::find_if(command, isCompiler);
        if (compiler == command.end() || compiler - command.begin() > 1) continue;
        steps.push_back(stepOf(here, {compiler + 1, command.end()}, compiler->ends_with("ar")));
    }
}

std::vector<Step> stepsOfMake(const std::string& call, const fs::path& first,
                              const std::vector<std::string>& includes) {
    BuildCall build = buildCallOf(call, first, includes);
    std::vector<std::string>& words = build.words;
    const std::string tool = words.empty() ? std::string() : findProgram(words.front());
    const std::string name = fs::path(tool).filename().string();
    const bool isNinja = name == "ninja";
    if (name != "make" && name != "gmake" && !isNinja) {
        throw InvalidRequest({{option, "'" + call + "'",
                               "a call of make or of cmake --build, or the path of a "
                               "compile_commands.json"}});
    }
    words.front() = tool;
    if (!isNinja) words.insert(words.begin() + 1, {"-n", "-B", "-k", "-w"});
    const ChildResult told =
        runCompiler({.arguments = words, .folder = build.folder, .readable = build.readable});
    const fs::path folder = isNinja ? fs::path(words[2]) : build.folder;
    std::vector<Step> steps;
    std::vector<fs::path> folders{folder};
    std::string text;
    for (std::size_t at = 0; at < told.output.size(); ++at) {
        if (told.output.compare(at, 2, "\\\n") == 0)
            text += ' ', ++at;
        else
            text += told.output[at];
    }
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = std::string_view(text).substr(begin, end - begin);
        begin = end + 1;
        const std::size_t quote = line.find('\'');
        if (line.find(": Entering directory '") != line.npos)
            folders.emplace_back(line.substr(quote + 1, line.rfind('\'') - quote - 1));
        if (line.find(": Leaving directory '") != line.npos && folders.size() > 1)
            folders.pop_back();
        addSteps(folders.back(), line, steps);
    }
    if (steps.empty()) {
        const std::size_t error = std::min(text.find("***"), text.find("ninja: error"));
        std::string seen;
        for (const fs::path& each :
             std::set<fs::path>(build.readable.begin(), build.readable.end()))
            seen += (seen.empty() ? "" : ", ") + each.string();
        throw InvalidRequest(
            {{option, "'" + call + "'",
              "a build that compiles something in " + folder.string() +
                  (error >= text.size()
                       ? std::string()
                       : ": it says '" + text.substr(error, text.find('\n', error) - error) +
                             "', and sees of this machine's files " + seen +
                             "; -I FOLDER lets it see that folder, too")}});
    }
    return steps;
}

/// A list says how each file is compiled; what is linked of them, the build that lies beside it.
std::vector<Step> stepsOfCommands(const std::string& path, const fs::path& first,
                                  const std::vector<std::string>& includes) {
    if (const std::string folder = fs::absolute(path).parent_path().string();
        fs::exists(fs::path(folder) / "CMakeCache.txt")) {
        try {
            return stepsOfMake("cmake --build '" + folder + '\'', first, includes);
        } catch (const InvalidRequest&) {
            // Without make, say: the list alone.
        }
    }
    std::ifstream file(path);
    const std::string list(std::istreambuf_iterator<char>(file), {});
    try {
        const Json all = parseObject("{\"commands\":" + list + '}');
        std::vector<Step> steps;
        for (const Json& each : json_reader::list(all, "commands")) {
            std::vector<std::string> words;
            if (each.contains("arguments")) {
                for (const Json& word : json_reader::list(each, "arguments"))
                    words.push_back(json_reader::textOf(word, "arguments"));
            } else {
                words = commandsIn(json_reader::text(each, "command")).front();
            }
            if (!words.empty()) words.erase(words.begin());
            steps.push_back(stepOf(json_reader::text(each, "directory"), words));
        }
        return steps;
    } catch (const MalformedJson& malformed) {
        throw InvalidRequest({{option, "'" + path + "'",
                               std::string("a compile_commands.json: ") + malformed.what()}});
    }
}

template <class T>
void addMissing(std::vector<T>& to, const std::vector<T>& from) {
    for (const T& each : from) {
        if (std::ranges::find(to, each) == to.end()) to.push_back(each);
    }
}

}  // namespace

std::string takeBuild(ProgramSource& source, const std::string& build) {
    const fs::path first = fs::absolute(source.files.front()).lexically_normal();
    const bool isList = build.ends_with(".json");
    const std::vector<Step> steps = isList ? stepsOfCommands(build, first, source.includes)
                                           : stepsOfMake(build, first, source.includes);
    const auto has = [&](const Step& step) {
        return std::ranges::find(step.says.files, first) != step.says.files.end();
    };
    // The program is what is linked of the file, or of the object that it is compiled to.
    std::vector<const Step*> taken;
    std::string program;
    for (const Step& step : steps) {
        if (!step.links || !program.empty()) continue;
        std::vector<const Step*> parts{&step};
        for (std::size_t at = 0; at < parts.size(); ++at) {
            for (const Step& other : steps) {
                if (!other.links &&
                    std::ranges::find(parts[at]->objects, other.output) !=
                        parts[at]->objects.end() &&
                    std::ranges::find(parts, &other) == parts.end())
                    parts.push_back(&other);
            }
        }
        if (std::ranges::none_of(parts, [&](const Step* part) { return has(*part); })) continue;
        taken = parts;
        program = step.output.empty() ? "a.out" : step.output.filename().string();
    }
    for (const Step& step : steps) {
        if (taken.empty() && has(step)) taken.push_back(&step);
    }
    if (taken.empty()) {
        throw InvalidRequest(
            {{option, "'" + build + "'", "a build that compiles " + first.string()}});
    }
    std::vector<fs::path> files{first};
    for (const Step* step : taken) {
        addMissing(files, step->says.files);
        addMissing(source.includes, step->says.includes);
        addMissing(source.defines, step->says.defines);
        addMissing(source.libraries, step->says.libraries);
        if (!step->says.standard.empty()) source.standard = step->says.standard;
        source.optimization = std::max(source.optimization, step->says.optimization);
    }
    std::string words = "as " + build + " builds " + (program.empty() ? "it" : program) + ": ";
    for (const fs::path& file : files)
        words += (file == first ? "" : ", ") + file.filename().string();
    files.front() = source.files.front();
    for (const fs::path& file : source.files) {
        if (std::ranges::find(files, fs::absolute(file).lexically_normal()) == files.end() &&
            file != files.front())
            files.push_back(file);
    }
    source.files = std::move(files);
    return words;
}

}  // namespace warplens
