#include "kernels/trace/assembly/instrument.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cxxabi.h>

#include "kernels/trace/assembly/device_code.h"
#include "kernels/trace/assembly/function_copy.h"
#include "kernels/trace/assembly/optimized_copy.h"

namespace warplens::assembly {
namespace {

std::string lastNameOf(std::string_view symbol) {
    std::string name(symbol);
    // Other names would be read as those of types: `a` is a signed char.
    if (!symbol.starts_with("_Z")) return name;
    int status = 0;
    char* demangled = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
    if (status == 0) name = demangled;
    std::free(demangled);
    if (const std::size_t colons = name.rfind("::"); colons != std::string::npos) {
        name = name.substr(colons + 2);
    }
    return name;
}

/// Whether the directive is of what a variable holds.
bool isData(std::string_view line) {
    static constexpr std::array<std::string_view, 9> directives{
        "\t.zero\t",   "\t.long\t",  "\t.quad\t",   "\t.byte\t", "\t.value\t",
        "\t.string\t", "\t.ascii\t", "\t.base64\t", "\t.octa\t"};
    return std::ranges::any_of(
        directives, [&](std::string_view directive) { return line.starts_with(directive); });
}

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

/// One unit: the compiler's text without its hooks, launches for kernels, copies, tables.
class UnitText final {
  public:
    UnitText(const DeviceCode& code, const Unit& unit, const SourceFacts& facts,
             const Unit* optimized, std::size_t& nextSite)
        : code_(code), unit_(unit), facts_(facts), optimized_(optimized), nextSite_(nextSite) {
        // Kernels' own heap is known to the copies with events only.
        if (optimized != nullptr && !code.usesHeap()) fast_ = optimizedCopy(*optimized, unit);
    }

    [[nodiscard]] std::string make() {
        original();
        copies();
        objects();
        return std::move(out_);
    }

  private:
    void original() {
        std::size_t at = 0;
        for (const Function& function : unit_.functions) {
            if (function.role == Role::kernel) {
                hostLines(at, function.firstLine + 1);
                launchStub(function);
                at = function.endLine;
            } else if (function.name == "main" && fast_) {
                hostLines(at, function.firstLine + 1);
                out_ += "\tjmp\tmain.fast\n";
                at = function.firstLine + 1;
            }
        }
        hostLines(at, unit_.lines.size());
    }

    void hostLines(std::size_t from, std::size_t to) {
        bool inVariable = false;  // of the device
        for (std::size_t i = from; i < to; ++i) {
            const std::string_view line = unit_.lines[i];
            if (const std::string_view label = labelOf(line); !label.empty()) {
                inVariable = isDeviceVariable(label);
            } else if (inVariable && !isData(line)) {
                inVariable = false;
                out_ += "\t.zero\t" + std::to_string(runtime::roomBehindVariables) + "\n";
            }
            // Within what the debugging information calls this unit's code.
            if (fast_ && line.starts_with(".Letext0:")) out_ += fast_->text;
            const std::size_t hook = line.find("__tsan_");
            if (hook != std::string_view::npos) {
                if (line.substr(hook).starts_with("__tsan_atomic")) {
                    out_ += std::string(line.substr(0, hook)) + "wlh_" +
                            std::string(line.substr(hook + 7)) + "\n";
                } else if (line.find("jmp") != std::string_view::npos) {
                    out_ += "\tret\n";
                }
                continue;
            }
            out_ += line;
            out_ += '\n';
        }
    }

    [[nodiscard]] bool isDeviceVariable(std::string_view label) const {
        const auto found = unit_.objects.find(label);
        if (found == unit_.objects.end() || found->second.threadLocal) return false;
        const std::string name = lastNameOf(label);
        return facts_.constant.contains(name) || facts_.device.contains(name);
    }

    /// Calling a kernel launches it, as configured before.
    void launchStub(const Function& function) {
        const std::string name(function.name);
        out_ += "\tleaq\t.LWK_" + name + "(%rip), %rax\n\tjmp\twl_launch_entry\n";
        // What the rest of the text refers to stays: labels, and files that are named here first.
        for (std::size_t i = function.firstLine + 1; i < function.endLine; ++i) {
            if (unit_.lines[i].starts_with("\t.file")) {
                out_ += unit_.lines[i];
                out_ += '\n';
            }
        }
        for (const Instruction& instruction : function.body) {
            if (const auto label = labelOf(unit_.lines[instruction.line]); !label.empty()) {
                out_ += label;
                out_ += ":\n";
            }
        }
    }

    void copies() {
        out_ += "\t.text\n";
        std::string tables;
        for (const DeviceFunction& device : code_.functions()) {
            if (device.unit != &unit_) continue;
            const std::size_t first = nextSite_;
            const FunctionCopy copy =
                copyWithEvents(code_, device, first, facts_.compoundAssignments);
            nextSite_ += copy.sites.size();
            out_ += copy.text;
            rows(device, copy, first);
        }
        out_ += "\t.section\twl_strings,\"a\"\n" + strings_;
        out_ += "\t.section\twl_sites,\"a\"\n\t.balign 8\n" + sites_;
        out_ += "\t.section\twl_functions,\"a\"\n\t.balign 8\n" + functions_;
        out_ += "\t.section\twl_kernels,\"aw\"\n\t.balign 8\n" + kernels_;
        out_ += "\t.section\twl_divisions,\"a\"\n\t.balign 8\n" + divisions_;
    }

    std::string fileLabel(std::uint32_t file) {
        const auto found = unit_.files.find(file);
        if (found == unit_.files.end()) return "0";
        const std::string label = ".LWfile" + std::to_string(file);
        if (fileLabels_.insert(file).second) {
            strings_ += label + ":\n\t.asciz\t" + quoted(found->second) + "\n";
        }
        return label;
    }

    void rows(const DeviceFunction& device, const FunctionCopy& copy, std::size_t first) {
        const std::string id = std::to_string(device.index);
        const std::string name(device.function->name);
        strings_ += ".LWname" + id + ":\n\t.asciz\t" + quoted(name) + "\n";
        functions_ += ".LWfn" + id + ":\n\t.quad\t.LWname" + id + ", " + name + ", " + name +
                      ".wl\n\t.long\t" + std::to_string(first) + ", " +
                      std::to_string(copy.sites.size()) + "\n";
        bool isVolatile = false;
        for (const PlannedSite& site : copy.sites) {
            isVolatile = isVolatile || (site.flags & runtime::siteIsVolatile) != 0;
            sites_ += "\t.quad\t" + fileLabel(site.location.file) + ", .LWfn" + id + ", " +
                      objectLabel(site.object) + ", " + (site.region.empty() ? "0" : site.region) +
                      "\n\t.long\t" + std::to_string(static_cast<int>(site.kind)) + ", " +
                      std::to_string(site.bytes) + ", " + std::to_string(site.flags) + ", " +
                      std::to_string(site.location.line) + ", " +
                      std::to_string(site.location.column) + ", " + std::to_string(site.outcomes) +
                      ", " + std::to_string(site.arms[0]) + ", " + std::to_string(site.arms[1]) +
                      "\n";
        }
        divisions_ += copy.divisions;
        if (device.function->role == Role::kernel) {
            const bool isFast = fast_ && optimized_->functionByName.contains(name);
            kernels_ += ".LWK_" + name + ":\n\t.quad\t.LWname" + id + ", " + name + ".wl, " +
                        (isFast ? name + ".fast" : "0") + ", " + (isVolatile ? "1" : "0") + ", " +
                        objectLabel(std::string(code_.dynamicSharedOf(device))) + "\n";
        }
    }

    [[nodiscard]] std::string objectLabel(const std::string& symbol) const {
        const auto found = unit_.objects.find(symbol);
        return found == unit_.objects.end() || !found->second.threadLocal ? "0" : ".LWO_" + symbol;
    }

    void objects() {
        std::string rows;
        std::size_t index = 0;
        for (const auto& [symbol, object] : unit_.objects) {
            if (symbol.starts_with("_ZT") || symbol.starts_with("_ZGV") ||
                symbol.starts_with("DW.") || symbol.starts_with(".")) {
                continue;
            }
            const std::string name = lastNameOf(symbol);
            std::uint32_t flags = 0;
            if (object.threadLocal) flags |= runtime::objectIsShared;
            if (!object.defined) {
                if (!object.threadLocal) continue;
                flags |= runtime::objectIsDynamic;
            }
            if (facts_.constant.contains(name)) flags |= runtime::objectIsConstant;
            if (facts_.device.contains(name)) flags |= runtime::objectIsDevice;
            const std::string id = std::to_string(index++);
            out_ += "\t.section\twl_strings,\"a\"\n.LWobject" + id + ":\n\t.asciz\t" +
                    quoted(symbol) + "\n";
            rows += ".LWO_" + std::string(symbol) + ":\n\t.quad\t.LWobject" + id + ", " +
                    std::string(symbol) + (object.threadLocal ? "@tpoff" : "") + ", " +
                    std::to_string(object.bytes) + ", " + std::to_string(flags) + ", " +
                    std::to_string(object.alignment) + "\n";
        }
        out_ += "\t.section\twl_objects,\"a\"\n\t.balign 8\n" + rows + "\t.text\n";
    }

    const DeviceCode& code_;
    const Unit& unit_;
    const SourceFacts& facts_;
    const Unit* optimized_;
    std::optional<OptimizedCopy> fast_;
    std::size_t& nextSite_;
    std::string out_;
    std::string strings_;
    std::string sites_;
    std::string functions_;
    std::string kernels_;
    std::string divisions_;
    std::set<std::uint32_t> fileLabels_;
};

/// All `extern __shared__` arrays begin at one place, as in CUDA.
std::string dynamicShared(std::span<const Unit> units) {
    std::set<std::string_view> names;
    for (const Unit& unit : units) {
        for (const auto& [symbol, object] : unit.objects) {
            if (object.threadLocal && !object.defined) names.insert(symbol);
        }
    }
    std::string text = "\t.section\t.tbss,\"awT\",@nobits\n\t.balign 1024\n";
    for (const std::string_view name : names) {
        text += "\t.globl\t" + std::string(name) + "\n\t.type\t" + std::string(name) +
                ", @object\n" + std::string(name) + ":\n";
    }
    text += "\t.zero\t" + std::to_string(runtime::mostDynamicSharedBytes) +
            "\n\t.section\t.note.GNU-stack,\"\",@progbits\n";
    return text;
}

}  // namespace

Instrumented instrument(std::span<const Unit> units, const SourceFacts& facts,
                        std::span<const Unit> optimized) {
    Instrumented result;
    const DeviceCode code(units);
    std::size_t nextSite = 1;  // 0 stands for none
    for (std::size_t i = 0; i < units.size(); ++i) {
        const Unit* fast = optimized.empty() ? nullptr : &optimized[i];
        result.units.push_back(UnitText(code, units[i], facts, fast, nextSite).make());
    }
    result.shared = dynamicShared(units);
    result.sites = nextSite - 1;
    return result;
}

}  // namespace warplens::assembly
