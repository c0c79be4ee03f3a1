#include "kernels/library/build/kernel_unit.h"

#include <array>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "kernels/trace/assembly/instrument.h"

namespace warplens::library {
namespace {

void replaceAll(std::string& text, std::string_view what, std::string_view by) {
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
    }
}

constexpr std::array<std::string_view, 5> tables{"wl_strings", "wl_regions", "wl_sites",
                                                 "wl_functions", "wl_kernels"};

/// Every unit stands alone: copies of functions of headers are its own.
void makeLocal(std::string& text) {
    for (std::size_t at = text.find("\t.globl\t"); at != std::string::npos;
         at = text.find("\t.globl\t", at + 1)) {
        const std::size_t end = text.find('\n', at);
        if (std::string_view(text).substr(0, end).ends_with(".wl")) text.erase(at, end + 1 - at);
    }
}

/// The array that the kernel calls `extern __shared__`: all kernels have the same one.
void useDynamicShared(std::string& text, const assembly::Unit& unit, const Kernel& kernel) {
    std::set<std::string> names;
    for (const auto& [symbol, object] : unit.objects) {
        if (object.threadLocal && !object.defined) names.insert(std::string(symbol));
    }
    for (const std::string& name : names) {
        const bool isKernels = kernel.text.find(name + "[]") != std::string::npos;
        if (isKernels) replaceAll(text, name + "@tpoff", "wl_dynamic_shared@tpoff");
    }
}

void checkNamedLines(const assembly::Unit& unit, const Kernel& kernel) {
    for (const KernelBranch& branch : kernel.branches) {
        assembly::Statements one;
        one.lines.insert(branch.line);
        bool found = false;
        for (const assembly::Function& function : unit.functions) {
            found = found || !assembly::statementOutcomes(unit, function, one).empty();
        }
        if (!found) {
            throw MalformedKernelFile(kernel.file, branch.line,
                                      "nothing is decided on the line named '" + branch.name + "'");
        }
    }
}

}  // namespace

std::string unitOf(const Kernel& kernel, std::string assembly, const std::string& headers,
                   const std::string& symbol) {
    replaceAll(assembly, "@PLT", "");
    std::array<assembly::Unit, 1> units{assembly::parseUnit(std::move(assembly), headers)};
    checkNamedLines(units[0], kernel);
    assembly::Statements statements;
    for (const KernelBranch& branch : kernel.branches) statements.lines.insert(branch.line);
    assembly::Instrumented made = assembly::instrument(units, {}, &statements);
    std::string& text = made.units.front();
    for (const std::string_view table : tables) {
        replaceAll(text, std::string(table) + ",\"a\"", std::string(table) + ",\"aw\"");
    }
    replaceAll(text, "wl_objects,\"a\"", "wl_objects,\"aw\"");
    replaceAll(text, "wl_divisions,\"a\"", "wl_divisions,\"aw\"");
    replaceAll(text, "wl_limit(%rip)", "%fs:wl_limit@tpoff");
    makeLocal(text);
    useDynamicShared(text, units[0], kernel);
    std::string begin;
    std::string end;
    std::string row;
    for (const std::string_view table : {"wl_sites", "wl_kernels", "wl_objects"}) {
        const std::string name(table);
        begin += "\t.section\t" + name + ",\"aw\"\n\t.balign 8\n.L" + name + "Begin:\n";
        end += "\t.section\t" + name + ",\"aw\"\n.L" + name + "End:\n";
        row += "\t.quad\t.L" + name + "Begin, .L" + name + "End\n";
    }
    return begin + "\t.text\n" + text + end + "\t.data\n\t.balign 8\n\t.globl\t" + symbol + "\n" +
           symbol + ":\n" + row + "\t.section\t.note.GNU-stack,\"\",@progbits\n";
}

}  // namespace warplens::library
