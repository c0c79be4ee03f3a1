#include "tests/gpu/probe/probe.h"

#include <algorithm>
#include <mutex>

#include "kernels/device/compile.h"
#include "tests/gpu/probe/instrument.h"
#include "tests/gpu/probe/ptx_reader.h"

#include "embedded/warplens_probe.h"

namespace warplens {
namespace {

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

/// `ld.param.u32 %r1, [NAME_param_0];` as `mov.u32 %r1, ARGUMENT;`.
std::string withArgument(const std::string& line, const std::string& function,
                         const std::vector<std::string>& arguments) {
    const std::string begin = '[' + function + "_param_";
    const std::size_t open = line.find(begin);
    if (open == std::string::npos) return line;
    const std::size_t which = std::stoul(line.substr(open + begin.size()));
    const std::size_t load = line.find("ld.param");
    return line.substr(0, load) + "mov" + line.substr(load + 8, open - load - 8) +
           arguments.at(which) + ';';
}

}  // namespace

ProbeCode::ProbeCode(const std::string& ptx) {
    std::string function;
    std::string* body = nullptr;
    for (std::size_t at = 0; at < ptx.size();) {
        const std::size_t end = std::min(ptx.find('\n', at), ptx.size());
        const std::string line = ptx.substr(at, end - at);
        at = end + 1;
        if (body == nullptr) {
            if (const auto found = functionOf(line)) function = found->symbol;
            if (line.starts_with('{') && !function.empty()) body = &bodies_[function];
            if (line.find(".global ") != std::string::npos) {
                declarations_ += line + '\n';
            }
        } else if (line.starts_with('}')) {
            body = nullptr;
            function.clear();
        } else {
            *body += line + '\n';
        }
    }
    if (bodies_.empty() || declarations_.empty()) throw UnknownPtx("the probe has no functions");
}

std::string ProbeCode::block(const std::string& function, const std::vector<std::string>& arguments,
                             const std::string& label) const {
    const auto found = bodies_.find(function);
    if (found == bodies_.end()) throw UnknownPtx("the probe has no " + function);
    std::string body = found->second;
    replaceAll(body, "$L__", "$L" + label + "_");
    std::string block = "\t{\n";
    for (std::size_t at = 0; at < body.size();) {
        const std::size_t end = body.find('\n', at);
        const std::string line = body.substr(at, end - at);
        at = end + 1;
        const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
        if (line.compare(first, 4, "ret;") == 0) {
            // The last one stands at the end.
            if (at < body.size()) block += "\tbra $L" + label + "_end;\n";
            continue;
        }
        block += withArgument(line, function, arguments) + '\n';
    }
    return block + "\t}\n$L" + label + "_end:\n";
}

const ProbeCode& probeCode(int computeCapability) {
    static std::mutex mutex;
    static std::map<int, ProbeCode> kept;
    const std::lock_guard lock(mutex);
    if (const auto found = kept.find(computeCapability); found != kept.end()) return found->second;
    // Relocatable: functions that nobody calls stay.
    const CompiledUnit unit = compileDeviceCode(
        "probe.cu", std::string(probe_text::embeddedFiles()[0].bytes), {},
        {.computeCapability = computeCapability, .lineInformation = false, .relocatable = true});
    return kept.emplace(computeCapability, ProbeCode(unit.ptx)).first->second;
}

}  // namespace warplens
