// The build's tool for built-in kernels: `rewrite` makes a .cu file one that any C++ compiler
// takes, `instrument` puts events into what the compiler made of it (kernels/trace/assembly).

#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/library/kernel_file.h"
#include "core/text/atomic_file.h"
#include "kernels/library/build/kernel_source.h"
#include "kernels/library/build/kernel_unit.h"

namespace {

void writeAll(const std::string& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    if (!out) throw std::runtime_error("cannot write " + path);
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    try {
        if (arguments.size() == 3 && arguments[0] == "rewrite") {
            const auto kernel =
                warplens::parseKernelFile(arguments[1], warplens::readFile(arguments[1]));
            writeAll(arguments[2], warplens::library::hostSourceOf(kernel));
            return 0;
        }
        if (arguments.size() == 6 && arguments[0] == "instrument") {
            const auto kernel =
                warplens::parseKernelFile(arguments[1], warplens::readFile(arguments[1]));
            writeAll(arguments[5],
                     warplens::library::unitOf(kernel, warplens::readFile(arguments[2], 1u << 30),
                                               arguments[3], arguments[4]));
            return 0;
        }
        std::cerr << "usage: " << argv[0] << " rewrite FILE.cu OUT.cpp\n       " << argv[0]
                  << " instrument FILE.cu IN.s HEADERS SYMBOL OUT.s\n";
        return 2;
    } catch (const std::exception& failure) {
        std::cerr << failure.what() << '\n';
        return 1;
    }
}
