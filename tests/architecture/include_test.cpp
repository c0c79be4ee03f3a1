// The layers are the folders: which may include which is checked against every #include there is.
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <regex>
#include <string>
#include <vector>

namespace warplens {
namespace {

struct Include final {
    std::string file;  ///< below the root of the project
    std::string target;
    bool system = false;  ///< between < and >

    [[nodiscard]] bool isIn(std::string_view folder) const { return file.starts_with(folder); }
    [[nodiscard]] bool isImplementation() const { return file.ends_with(".cpp"); }
    [[nodiscard]] bool isOf(std::string_view prefix) const { return target.starts_with(prefix); }
    /// Headers of the C++ and C libraries and of the operating system.
    [[nodiscard]] bool isStandard() const {
        static const std::regex name(
            R"([a-z_0-9]+|ext/stdio_filebuf\.h|(assert|dlfcn|elf|fcntl|poll|pwd|sched|signal|spawn|unistd|(linux|sys)/[a-z]+)\.h)");
        return system && std::regex_match(target, name);
    }
    [[nodiscard]] bool isCuda() const {
        static const std::regex name(R"(cuda.*|cupti.*|nvrtc.*|nvperf.*|cooperative_groups.*)");
        return std::regex_search(target, name) && system;
    }
    [[nodiscard]] bool isJson() const { return isOf("nlohmann/"); }
};

std::vector<Include> includesBelow(const std::string& folder) {
    const std::filesystem::path root = SOURCE_FOLDER;
    const std::regex directive(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)re");
    std::vector<Include> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
        const std::string extension = entry.path().extension().string();
        if (extension != ".h" && extension != ".cpp" && extension != ".cu") continue;
        std::ifstream file(entry.path());
        std::smatch match;
        for (std::string line; std::getline(file, line);) {
            if (std::regex_match(line, match, directive)) {
                found.push_back({std::filesystem::relative(entry.path(), root).generic_string(),
                                 match[2].str(), match[1].str() == "<"});
            }
        }
    }
    return found;
}

/// Fails for each include below `folder` that is not `allowed`.
void expectOnly(const std::string& folder, const std::function<bool(const Include&)>& allowed) {
    const std::vector<Include> includes = includesBelow(folder);
    EXPECT_FALSE(includes.empty()) << "nothing found below " << folder;
    for (const Include& include : includes) {
        EXPECT_TRUE(allowed(include)) << include.file << " includes " << include.target;
    }
}

TEST(Core, IncludesItselfAndTheStandardLibraryAndJsonOutsideItsHeaders) {
    expectOnly("core", [](const Include& include) {
        const bool mayReadJson =
            include.isImplementation() || include.file == "core/json/json_tree.h";
        return include.isStandard() || (!include.system && include.isOf("core/")) ||
               include.target == "embedded/warplens_core.h" || include.target == "cxxabi.h" ||
               (include.isJson() && mayReadJson);
    });
}

TEST(Programs, IncludeCoreAndThemselves) {
    expectOnly("kernels/programs", [](const Include& include) {
        const bool isOfPrograms = include.file == "kernels/programs/proposed.h" ||
                                  include.file == "kernels/programs/removed.h";
        if (isOfPrograms) return include.system;
        return include.isStandard() || include.isOf("core/") || include.isOf("kernels/ptx/") ||
               include.isOf("kernels/programs/") || include.isOf("embedded/") ||
               include.target == "cxxabi.h" || include.target == "execinfo.h" ||
               include.target == "ucontext.h";
    });
}

TEST(Ptx, IncludesCoreAndItselfAndNothingOfTheSystem) {
    expectOnly("kernels/ptx", [](const Include& include) {
        return (include.isStandard() && !include.target.ends_with(".h")) || include.isOf("core/") ||
               include.isOf("kernels/ptx/") || include.target == "cxxabi.h";
    });
}

TEST(KernelLibrary, NeedsNoCudaAndNothingOfTheApp) {
    expectOnly("kernels/library", [](const Include& include) {
        return include.isStandard() || include.isOf("core/") || include.isOf("kernels/library/") ||
               include.isOf("kernels/ptx/") || include.isOf("embedded/");
    });
}

TEST(KernelsOfCourses, NeedNoCudaAndNothingOfTheApp) {
    expectOnly("kernels/course", [](const Include& include) {
        return include.isStandard() || include.isOf("core/") || include.isOf("kernels/course/") ||
               include.isOf("kernels/library/") || include.isOf("kernels/programs/") ||
               include.isOf("kernels/ptx/");
    });
}

TEST(KernelTurns, NeedTheSystemAlone) {
    expectOnly("kernels/turns", [](const Include& include) {
        return include.isStandard() || include.isOf("kernels/turns/");
    });
}

TEST(DeviceCode, NeedsNoCuda) {
    expectOnly("kernels/device", [](const Include& include) {
        return include.isStandard() || include.isOf("core/") || include.isOf("kernels/device/") ||
               include.isOf("kernels/ptx/") || include.isOf("kernels/programs/");
    });
}

TEST(Measure, KnowsNothingOfTheWorker) {
    expectOnly("kernels/measure", [](const Include& include) {
        return include.isStandard() || include.isCuda() || include.isOf("core/") ||
               include.isOf("embedded/") || include.isOf("kernels/library/") ||
               include.isOf("kernels/device/") || include.isOf("kernels/measure/");
    });
}

TEST(Worker, SpeaksToTheDeviceThroughMeasureAlone) {
    expectOnly("kernels/worker", [](const Include& include) {
        return include.isStandard() || include.isOf("core/") || include.isOf("kernels/worker/") ||
               include.isOf("kernels/measure/") || include.isOf("kernels/device/") ||
               include.isOf("kernels/turns/");
    });
}

TEST(Kernels, IncludeNothingOfTheApp) {
    expectOnly("kernels", [](const Include& include) { return !include.isOf("app/"); });
}

TEST(App, IncludesNoCudaAndOfTheKernelsOnlyTheirHostSide) {
    expectOnly("app", [](const Include& include) {
        return !include.isCuda() &&
               (!include.isOf("kernels/") || include.isOf("kernels/library/") ||
                include.isOf("kernels/course/") || include.isOf("kernels/programs/") ||
                include.isOf("kernels/ptx/") ||
                include.target == "kernels/device/difference_trial.h" ||
                include.target == "kernels/device/measure_request.h");
    });
}

TEST(AppBelowTheWindow, KnowsNothingOfIt) {
    for (const char* folder : {"app/worker", "app/recordings"}) {
        expectOnly(folder, [&](const Include& include) {
            return include.isStandard() || include.isOf("core/") || include.isOf("embedded/") ||
                   include.isOf(folder) || include.target == "kernels/programs/child_process.h";
        });
    }
}

TEST(Lessons, KnowNothingOfWindowsAndWorkers) {
    expectOnly("app/lessons", [](const Include& include) {
        return include.isStandard() || include.isOf("core/") || include.isOf("kernels/library/") ||
               include.isOf("app/recordings/") || include.isOf("app/drawing/") ||
               include.isOf("app/lessons/") || include.isOf("embedded/");
    });
}

TEST(Drawing, KnowsNothingOfWindowsAndOpenGl) {
    expectOnly("app/drawing", [](const Include& include) {
        return include.isStandard() || include.isOf("core/") || include.isOf("kernels/library/") ||
               include.isOf("app/drawing/") || include.isOf("glm/");
    });
}

TEST(Fonts, KnowOnlyWhatFacesThereAre) {
    expectOnly("app/fonts", [](const Include& include) {
        return include.isStandard() || include.isOf("app/drawing/") || include.isOf("app/fonts/") ||
               include.isOf("embedded/");
    });
}

TEST(Figures, NeedNoWindowAndNoOpenGl) {
    expectOnly("app/figure", [](const Include& include) {
        const bool draws = include.isOf("cairo") || include.isOf("ft2build") ||
                           include.isOf("FT_") || include.isOf("zlib");
        return include.isStandard() || include.isOf("core/") || include.isOf("kernels/library/") ||
               include.isOf("app/drawing/") || include.isOf("app/fonts/") ||
               include.isOf("app/recordings/") || include.isOf("app/figure/") ||
               (include.system && draws);
    });
}

TEST(WindowState, KnowsNothingOfPanelsAndOfWhatDrawsThem) {
    expectOnly("app/window/state", [](const Include& include) {
        return include.isStandard() || include.isJson() || include.isOf("core/") ||
               include.isOf("kernels/library/") || include.isOf("app/drawing/") ||
               include.isOf("app/lessons/") || include.isOf("app/recordings/") ||
               include.isOf("app/worker/") || include.isOf("app/window/state/") ||
               include.target == "app/platform/input_queue.h";
    });
}

TEST(Text, IsBelowEverythingElseOfTheCore) {
    expectOnly("core/text", [](const Include& include) {
        return include.isStandard() || include.isOf("core/text/");
    });
}

TEST(Tests, AreIncludedByNobodyElse) {
    for (const char* folder : {"core", "kernels", "app"}) {
        expectOnly(folder, [](const Include& include) { return !include.isOf("tests/"); });
    }
}

}  // namespace
}  // namespace warplens
