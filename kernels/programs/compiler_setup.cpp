#include "kernels/programs/compiler_setup.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <numeric>
#include <set>
#include <system_error>

#include "core/launch/launch.h"
#include "core/text/encoding.h"
#include "core/text/files.h"
#include "core/text/format.h"
#include "kernels/programs/compiler.h"
#include "kernels/programs/program_cache.h"
#include "kernels/programs/sandbox.h"

namespace warplens::programs {
namespace {

namespace fs = std::filesystem;

/// One of NVIDIA's Python packages that are fetched.
struct CompilerPackage final {
    std::string_view name;
    std::string_view version;  ///< those that were tried: `13.5.*`
    std::uint64_t bytes;       ///< to fetch
};

constexpr std::array<CompilerPackage, 6> fetchedPackages{{
    {"nvidia-cuda-nvcc", "13.5.*", 47'028'279},
    {"nvidia-nvvm", "13.5.*", 75'141'406},
    {"nvidia-cuda-crt", "13.5.*", 166'163},
    {"nvidia-cuda-runtime", "13.5.*", 2'504'024},
    {"nvidia-cuda-cccl", "13.3.*", 4'113'651},
    {"nvidia-cuda-nvrtc", "13.5.*", 58'185'930},
}};

/// What must be there, by the package that has it.
struct NeededFile final {
    const char* file;
    const char* package;
};
constexpr std::array<NeededFile, 6> neededFiles{{
    {"bin/nvcc", "nvidia-cuda-nvcc"},
    {"bin/cudafe++", "nvidia-cuda-nvcc"},
    {"bin/ptxas", "nvidia-cuda-nvcc"},
    {"nvvm/bin/cicc", "nvidia-nvvm"},
    {"include/crt/host_config.h", "nvidia-cuda-crt"},
    {"include/cuda_runtime.h", "nvidia-cuda-runtime"},
}};

/// Of a toolkit or of unpacked packages, whose folders hold more than the compiler.
constexpr std::array<const char*, 11> copiedParts{
    "bin/nvcc",     "bin/nvcc.profile", "bin/crt",
    "bin/cudafe++", "bin/ptxas",        "bin/fatbinary",
    "bin/nvlink",   "bin/bin2c",        "bin/__nvcc_device_query",
    "nvvm",         "include"};

/// Words of pip, Python and the system, and what they mean to who asked.
struct KnownFailure final {
    std::string_view words;
    std::string_view meaning;
};
constexpr const char* withoutPython = "it needs python3, with pip (apt install python3-pip)";
constexpr const char* otherWay = "; `warplens setup-compiler --from FOLDER` takes it from a folder";
constexpr std::array<KnownFailure, 12> knownFailures{{
    {"No module named pip", "python3 has no pip: install it (apt install python3-pip)"},
    {"No module named", "python3 is not whole: install python3 with its standard library"},
    {"No space left", "the disk is full"},
    {"Disk quota exceeded", "the disk quota is used up"},
    {"ProxyError", "the proxy lets nothing through: set HTTPS_PROXY to the one that does"},
    {"Cannot connect to proxy", "the proxy does not answer: set HTTPS_PROXY to one that does"},
    {"Proxy Authentication", "the proxy wants a name and a password: set HTTPS_PROXY with both"},
    {"CERTIFICATE_VERIFY_FAILED", "the certificate of who answered is not known here"},
    {"THESE PACKAGES DO NOT MATCH THE HASHES", "what came is not what was to come"},
    {"name resolution", "there is no network"},
    {"Name or service not known", "there is no network"},
    {"Could not find a version", "the packages cannot be reached, or are not there"},
}};

std::string meaningOf(const std::string& words) {
    for (const KnownFailure& known : knownFailures) {
        if (words.find(known.words) != std::string::npos) return std::string(known.meaning);
    }
    std::string last;
    for (const std::string_view line : splitLines(words)) {
        if (!trimmed(line).empty()) last = trimmed(line);
    }
    return last.empty() ? "pip failed without a word" : last;
}

std::uint64_t bytesIn(const fs::path& folder) {
    std::uint64_t bytes = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; at != end; at.increment(error)) {
        std::error_code gone;
        if (at->is_regular_file(gone)) bytes += at->file_size(gone);
        if (error) break;
    }
    return bytes;
}

/// `nvidia_cuda_nvcc-13.5.37-…` and of CUDA 12 `nvidia_cuda_nvcc_cu12-12.8.93-…`.
bool isWheelOf(std::string_view file, std::string_view package) {
    std::string begin(package);
    std::ranges::replace(begin, '-', '_');
    if (!file.starts_with(begin) || !file.ends_with("x86_64.whl")) return false;
    file.remove_prefix(begin.size());
    return file.starts_with('-') || file.starts_with("_cu1");
}

/// The numbers in a name, for an order in which 13.10 comes after 13.9.
std::vector<unsigned long> numbersIn(const std::string& name) {
    std::vector<unsigned long> numbers;
    for (std::size_t at = 0; at < name.size();) {
        if (std::isdigit(static_cast<unsigned char>(name[at])) == 0) {
            ++at;
            continue;
        }
        const std::size_t end = std::min(name.find_first_not_of("0123456789", at), name.size());
        numbers.push_back(std::strtoul(name.substr(at, end - at).c_str(), nullptr, 10));
        at = end;
    }
    return numbers;
}

/// Of each package the newest.
std::vector<fs::path> wheelsIn(const fs::path& folder) {
    std::map<std::string_view, fs::path> newest;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        for (const CompilerPackage& package : fetchedPackages) {
            if (!isWheelOf(name, package.name)) continue;
            fs::path& known = newest[package.name];
            if (known.empty() || numbersIn(known.filename().string()) < numbersIn(name))
                known = entry.path();
        }
    }
    std::vector<fs::path> wheels;
    for (auto& [package, wheel] : newest) wheels.push_back(std::move(wheel));
    return wheels;
}

/// `libnvrtc.so.13` and `libnvrtc-builtins.so.13.0`: the names by which they are opened.
bool isLibraryOfCompiler(const std::string& name) {
    if (name.starts_with("libcudadevrt.a")) return true;
    const bool isBuiltins = name.starts_with("libnvrtc-builtins.so.");
    if (!isBuiltins && !name.starts_with("libnvrtc.so.")) return false;
    return numbersIn(name).size() == (isBuiltins ? 2 : 1);
}

/// By their places in the folder.
std::vector<fs::path> filesOfCompiler(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const char* part : copiedParts) {
        if (fs::is_regular_file(folder / part, error)) files.emplace_back(part);
        if (!fs::is_directory(folder / part, error)) continue;
        const auto everywhere = fs::directory_options::follow_directory_symlink;
        for (const auto& entry : fs::recursive_directory_iterator(folder / part, everywhere)) {
            if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(folder));
        }
    }
    for (const char* libraries : {"lib64", "lib"}) {
        for (const auto& entry : fs::directory_iterator(folder / libraries, error)) {
            if (isLibraryOfCompiler(entry.path().filename().string()))
                files.push_back(fs::path(libraries) / entry.path().filename());
        }
    }
    return files;
}

/// The toolkit, or those of NVIDIA's unpacked packages that belong to the compiler.
std::vector<fs::path> unpackedIn(const fs::path& from) {
    std::error_code error;
    if (fs::is_regular_file(from / "bin/nvcc", error)) return {from};
    std::vector<fs::path> found;
    const fs::path root = from.filename() == "nvidia" ? from : from / "nvidia";
    for (const fs::directory_entry& entry : fs::directory_iterator(root, error)) {
        const std::string name = entry.path().filename().string();
        const bool isOfCuda = name.starts_with("cu") && name.size() == 4;  // cu13
        if (isOfCuda || name.starts_with("cuda_")) found.push_back(entry.path());
    }
    return found;
}

class Setup final {
  public:
    Setup(const fs::path& from, const SetupProgress& progress)
        : from_(from), progress_(progress), place_(ownCompilerFolder()) {
        requireHome();
        std::error_code error;
        fs::create_directories(place_.parent_path(), error);
        if (error) fail(place_.parent_path().string() + ": " + error.message());
    }

    void make() {
        const auto alone = FileLock::of(place_);
        if (!alone) fail("another `warplens setup-compiler` is at it");
        fs::path beside = place_;
        beside += ".new";
        removeLeftFolders(beside);
        try {
            const TemporaryFolder work(beside);
            fill(work.path());
            swap(work.path());
        } catch (const std::system_error& error) {
            removeIfEmpty(beside);
            fail(meaningOf(error.what()));
        } catch (...) {
            removeIfEmpty(beside);
            throw;
        }
        removeIfEmpty(beside);
    }

    static void requireHome() {
        if (!ownCompilerFolder().is_absolute()) {
            throw CompilerNotSetUp(
                "there is no place for it: neither HOME nor XDG_DATA_HOME names a folder");
        }
    }

  private:
    [[noreturn]] void fail(const std::string& words) const {
        throw CompilerNotSetUp("the compiler was not set up: " + words);
    }

    static void removeIfEmpty(const fs::path& folder) {
        std::error_code error;
        fs::remove(folder, error);
    }

    void tell(double done, const std::string& what) const {
        if (progress_) progress_(done, what);
    }

    void requireRoom(std::uint64_t bytes) const {
        std::error_code error;
        const fs::space_info space = fs::space(place_.parent_path(), error);
        if (error || space.available >= bytes) return;
        fail("the disk is full: " + formatBytes(space.available) + " are free in " +
             place_.parent_path().string() + ", and it takes " + formatBytes(bytes));
    }

    void fill(const fs::path& work) const {
        const fs::path made = work / "compiler";
        fs::create_directory(made);
        if (from_.empty()) {
            fetch(work);
            unpack(wheelsIn(work / "wheels"), made);
        } else if (const auto wheels = wheelsIn(from_); !wheels.empty()) {
            std::uint64_t packed = 0;
            for (const fs::path& wheel : wheels) packed += fs::file_size(wheel);
            requireRoom(3 * packed);
            unpack(wheels, made);
        } else {
            copy(made);
        }
        requireWhole(made);
    }

    [[nodiscard]] std::string python() const {
        std::string found = findProgram("python3");
        if (found.empty()) {
            fail(withoutPython + std::string(from_.empty() ? otherWay : ""));
        }
        return found;
    }

    void run(std::vector<std::string> arguments, const fs::path& work,
             const std::function<void()>& meanwhile) const {
        ChildCommand command{.arguments = std::move(arguments), .environment = ownEnvironment()};
        std::erase_if(command.environment, [](const std::string& variable) {
            return variable.starts_with("TMPDIR=") || variable.starts_with("LC_ALL=");
        });
        // What pip unpacks on the way goes with the rest.
        command.environment.push_back("TMPDIR=" + work.string());
        command.environment.emplace_back("LC_ALL=C");
        const ChildResult result = runChild(command, {}, [&] {
            meanwhile();
            return false;
        });
        if (result.cancelled) throw Cancelled();
        if (result.status == 0) return;
        const std::string meaning = meaningOf(result.output);
        const bool helpsElsewhere = from_.empty() && !meaning.starts_with("the disk");
        fail(meaning + (helpsElsewhere ? otherWay : ""));
    }

    void fetch(const fs::path& work) const {
        requireRoom(bytesToFetch() + bytesUnpacked);
        std::vector<std::string> arguments{python(),
                                           "-m",
                                           "pip",
                                           "download",
                                           "--no-deps",
                                           "--only-binary=:all:",
                                           "--no-input",
                                           "--quiet",
                                           "--disable-pip-version-check",
                                           "--no-cache-dir",
                                           "--retries=1",
                                           "--timeout=20",
                                           "--dest",
                                           (work / "wheels").string()};
        for (const CompilerPackage& package : fetchedPackages)
            arguments.push_back(std::string(package.name) + "==" + std::string(package.version));
        run(std::move(arguments), work, [&] {
            tell(0.8 * std::min(1.0, static_cast<double>(bytesIn(work)) /
                                         static_cast<double>(bytesToFetch())),
                 "fetching NVIDIA's compiler");
        });
    }

    void unpack(const std::vector<fs::path>& wheels, const fs::path& made) const {
        double done = 0;
        for (const fs::path& wheel : wheels) {
            run({python(), "-m", "zipfile", "-e", wheel.string(), made.string()},
                made.parent_path(), [&] { tell(0.8 + 0.2 * done, "unpacking"); });
            done += 1.0 / static_cast<double>(wheels.size());
            std::error_code error;
            if (from_.empty()) fs::remove(wheel, error);
        }
        makeProgramsRunnable(made);
    }

    /// What unpacks the wheels knows of no modes.
    static void makeProgramsRunnable(const fs::path& made) {
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(made)) {
            if (!entry.is_regular_file() || entry.path().parent_path().filename() != "bin")
                continue;
            fs::permissions(entry.path(),
                            fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                            fs::perm_options::add);
        }
    }

    void copy(const fs::path& made) const {
        std::vector<std::pair<fs::path, fs::path>> files;
        for (const fs::path& folder : unpackedIn(from_)) {
            const fs::path name = folder == from_ ? "toolkit" : folder.filename();
            for (const fs::path& file : filesOfCompiler(folder)) {
                const bool isLibrary = isLibraryOfCompiler(file.filename().string());
                const fs::path to = isLibrary ? "lib" / file.filename() : file;
                files.emplace_back(folder / file, made / "nvidia" / name / to);
            }
        }
        std::uint64_t bytes = 0;
        for (const auto& [file, to] : files) bytes += fs::file_size(file);
        requireRoom(bytes);
        std::uint64_t done = 0;
        for (const auto& [file, to] : files) {
            tell(static_cast<double>(done) / static_cast<double>(bytes), "copying the compiler");
            fs::create_directories(to.parent_path());
            fs::copy_file(file, to, fs::copy_options::skip_existing);
            done += fs::file_size(file);
        }
    }

    void requireWhole(const fs::path& made) const {
        std::set<std::string> missing;
        for (const NeededFile& needed : neededFiles) {
            const std::vector<fs::path> folders = unpackedIn(made);
            std::error_code error;
            const auto has = [&](const fs::path& folder) {
                return fs::is_regular_file(folder / needed.file, error);
            };
            const bool isThere = has(made / "nvidia/toolkit") || std::ranges::any_of(folders, has);
            if (!isThere) missing.insert(needed.package);
        }
        if (!missing.empty()) {
            std::string names;
            for (const std::string& name : missing) names += (names.empty() ? "" : ", ") + name;
            const bool isOfTwelve = std::ranges::any_of(wheelsIn(from_), [](const fs::path& wheel) {
                return wheel.filename().string().find("_cu12-") != std::string::npos;
            });
            refuse("must hold a CUDA toolkit, or NVIDIA's packages as wheels or unpacked; " +
                   names + (missing.size() == 1 ? " is" : " are") + " missing" +
                   (isOfTwelve ? ", as nvcc is in no package for CUDA 12" : ""));
        }
        const auto nvcc = compilerIn(made);
        if (!nvcc || (Sandbox::ofThisMachine().holds() && versionOf(*nvcc).empty()))
            refuse("holds an nvcc that does not run on this machine");
    }

    [[noreturn]] void refuse(const std::string& words) const {
        if (from_.empty()) fail("what was fetched " + words);
        throw InvalidRequest({{"--from", "'" + from_.string() + "'", words}});
    }

    void swap(const fs::path& work) const {
        std::error_code none;
        if (fs::exists(place_, none)) fs::rename(place_, work / "before");
        fs::rename(work / "compiler", place_);
    }

    const fs::path& from_;
    const SetupProgress& progress_;
    fs::path place_;
};

}  // namespace

std::uint64_t bytesToFetch() {
    return std::accumulate(fetchedPackages.begin(), fetchedPackages.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& each) { return sum + each.bytes; });
}

std::string whyNotFetched() {
    const std::string python = findProgram("python3");
    if (python.empty()) return withoutPython + std::string(otherWay);
    const ChildResult pip = runChild(
        {.arguments = {python, "-m", "pip", "--version"}, .environment = ownEnvironment()});
    const bool isThere = pip.output.find("No module named") == std::string::npos;
    return isThere ? std::string() : meaningOf(pip.output) + otherWay;
}

std::optional<OwnCompiler> ownCompiler() {
    auto compiler = compilerIn(ownCompilerFolder());
    if (!compiler) return std::nullopt;
    OwnCompiler own{.compiler = *std::move(compiler), .version = {}};
    own.version = versionOf(own.compiler);
    own.bytes = bytesIn(ownCompilerFolder());
    return own;
}

OwnCompiler setUpCompiler(const fs::path& from, const SetupProgress& progress) {
    Setup(from, progress).make();
    return ownCompiler().value();
}

std::optional<std::uint64_t> removeOwnCompiler() {
    Setup::requireHome();
    const fs::path place = ownCompilerFolder();
    std::error_code error;
    if (!fs::exists(fs::symlink_status(place, error))) return std::nullopt;
    const std::uint64_t bytes = bytesIn(place);
    fs::remove_all(place, error);
    if (error) throw CompilerNotSetUp(place.string() + " was not removed: " + error.message());
    return bytes;
}

}  // namespace warplens::programs
