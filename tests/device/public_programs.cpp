// public_programs LIST FOLDER: tries to compile, for the device alone, every program of LIST (lines
// `collection path`, as docs/public-programs.txt has them) in FOLDER/collection, where the slash of
// the collection's name is a plus. One line for each: `held KERNELS` or `refused` and the
// compiler's first error. Fetching the collections is the caller's.
#include <fstream>
#include <iostream>
#include <regex>
#include <set>
#include <string>

#include "kernels/device/compile/compile.h"
#include "tests/gpu/probe/ptx_reader.h"

namespace {

using namespace warplens;

std::size_t kernelsIn(const std::string& ptx) {
    std::size_t kernels = 0;
    for (std::size_t at = ptx.find(".entry "); at != std::string::npos;
         at = ptx.find(".entry ", at + 1)) {
        ++kernels;
    }
    return kernels;
}

/// Templates whose instances only a running program names are compiled without their instances.
std::shared_ptr<const CompiledUnit> compiled(const ProgramSources& sources) {
    std::vector<std::string> named;
    for (const std::string& kernel : launchedKernels(sources.units[0].text)) {
        try {
            (void)compileUnit(sources, 0, {kernel}, {});
            named.push_back(kernel);
        } catch (const CompileError&) {
            continue;
        }
    }
    return compileUnit(sources, 0, named, {});
}

std::string firstError(const std::string& words) {
    static const std::regex error(R"(error[^:]*: (.*))");
    std::smatch match;
    return std::regex_search(words, match, error) ? match[1].str()
                                                  : words.substr(0, words.find('\n'));
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) {
        std::cerr << "public_programs LIST FOLDER\n";
        return 2;
    }
    std::ifstream list(arguments[1]);
    std::size_t programs = 0;
    std::size_t held = 0;
    for (std::string line; std::getline(list, line);) {
        const std::size_t space = line.find(' ');
        if (space == std::string::npos) continue;
        ++programs;
        std::string collection = line.substr(0, space);
        collection.replace(collection.find('/'), 1, "+");
        const std::string folder = std::string(arguments[2]) + '/' + collection;
        try {
            // The vendor's samples share the headers of one folder.
            const ProgramSources sources =
                readProgramSources({folder + '/' + line.substr(space + 1)}, {folder + "/Common"});
            const std::size_t kernels = kernelsIn(compiled(sources)->ptx);
            ++held;
            if (kernels == 0) {
                std::cout << line << ": held, templates that only a running program names\n";
            } else {
                std::cout << line << ": held, kernels: " << kernels << '\n';
            }
        } catch (const CompilerUnavailable& error) {
            std::cerr << error.what() << '\n';
            return 3;
        } catch (const std::exception& error) {
            std::cout << line << ": refused: " << firstError(error.what()) << '\n';
        }
        std::cout.flush();
    }
    std::cout << "held " << held << " of " << programs << '\n';
    return programs == 0 ? 1 : 0;
}
