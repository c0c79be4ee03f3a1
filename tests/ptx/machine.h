#pragma once

#include <array>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/launch/launch.h"
#include "kernels/ptx/run/grid.h"
#include "kernels/ptx/run/memory.h"
#include "kernels/ptx/run/program.h"

namespace warplens::ptx::test {

inline std::string header() {
    return ".version 8.0\n.target sm_90\n.address_size 64\n";
}

/// A kernel `k` with 64-bit parameters p0, p1, ..., and registers for whatever the body does.
inline std::string kernel(int parameters, const std::string& body, const std::string& before = {}) {
    std::string text = header() + before + ".visible .entry k(";
    for (int at = 0; at < parameters; ++at)
        text += (at ? ", " : "") + std::string(".param .u64 p") + std::to_string(at);
    return text +
           ") {\n.reg .pred %p<16>; .reg .b16 %h<16>; .reg .b32 %r<64>; .reg .b64 %rd<32>; .reg "
           ".f32 %f<32>; .reg .f64 %fd<16>;\n" +
           body + "\nret;\n}\n";
}

/// Puts into %rd0 the address of the thread's element of `p0`; %r0 is the thread.
inline std::string element(int bytes = 4) {
    return "ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, " +
           std::to_string(bytes) + "; add.s64 %rd0, %rd0, %rd1;\n";
}

/// A program and its memory.
class Machine final {
  public:
    explicit Machine(const std::string& text, std::uint64_t capacity = 1ull << 30)
        : memory(capacity), program(memory) {
        add(text);
    }

    void add(const std::string& text) {
        auto read = readModule(text);
        if (const auto* error = std::get_if<ReadError>(&read)) {
            throw std::runtime_error("row " + std::to_string(error->row) + ": " + error->message);
        }
        if (const auto problem = program.add(std::move(std::get<Module>(read))))
            throw std::runtime_error(*problem);
    }

    template <class T>
    std::uint64_t array(const std::vector<T>& values) {
        Allocation* made = memory.allocate(values.size() * sizeof(T));
        std::memcpy(made->data, values.data(), values.size() * sizeof(T));
        return made->address;
    }
    template <class T>
    std::uint64_t zeros(std::size_t count) {
        return array(std::vector<T>(count));
    }
    template <class T>
    std::vector<T> values(std::uint64_t address) const {
        const Allocation* array = memory.find(address);
        std::vector<T> result(array->bytes / sizeof(T));
        std::memcpy(result.data(), array->data, array->bytes);
        return result;
    }

    LaunchResult run(Extents grid, Extents block, const std::vector<std::uint64_t>& parameters,
                     std::uint32_t dynamicBytes = 0) {
        KernelLaunch launch;
        launch.kernel = program.function("k");
        launch.launch = {.grid = grid, .block = block, .dynamicSharedBytes = dynamicBytes};
        launch.parameters.resize(parameters.size() * 8);
        std::memcpy(launch.parameters.data(), parameters.data(), launch.parameters.size());
        launch.isCooperative = isCooperative;
        return ptx::run(program, launch, surroundings, bounds);
    }

    Memory memory;
    Program program;
    Surroundings surroundings;
    Bounds bounds;
    bool isCooperative = false;
};

/// What was found, kind and words a line; nothing where all is well.
inline std::string said(const LaunchResult& result) {
    std::string text;
    for (const Finding& finding : result.findings)
        text += std::string(toString(finding.kind)) + ": " + finding.words + "\n";
    return text + (result.ended.empty() ? "" : "ended: " + result.ended);
}

/// The sums of all sites of a kind.
inline LineCost sumOf(const Machine& machine, const LaunchResult& result, AccessKind kind) {
    LineCost sum;
    for (const ArrayCounts& counts : result.counts) {
        if (machine.program.sites()[counts.site].kind == kind) sum.add(counts.counts);
    }
    return sum;
}

/// Declares a register of T's width and loads or stores elements of it.
template <class T>
std::string wordsOf() {
    if constexpr (std::is_same_v<T, float>)
        return "f32";
    else if constexpr (std::is_same_v<T, double>)
        return "f64";
    else
        return "b" + std::to_string(sizeof(T) * 8);
}

/// What one instruction makes of each row of operands, a thread for each row; all bits of D, or a
/// predicate's 0 and 1 where D is bool. `instruction` writes %d (and maybe %e, a second predicate)
/// and reads %a, %b, %c, which are of the columns' types. Bytes are in 16-bit registers.
template <class D, class... Column>
std::vector<std::conditional_t<std::is_same_v<D, bool>, std::uint32_t, D>> evaluate(
    const std::string& instruction, const std::vector<Column>&... columns) {
    using R = std::conditional_t<std::is_same_v<D, bool>, std::uint32_t, D>;
    std::size_t rows = 0;
    ((rows = columns.size()), ...);
    std::string body =
        ".reg .b64 %at, %wide; .reg .b32 %t; mov.u32 %t, %ctaid.x; mad.lo.u32 %t, %t, 256, 0; .reg "
        ".b32 %lane; mov.u32 "
        "%lane, %tid.x; add.u32 %t, %t, %lane;\n";
    body += ".reg .pred %in; setp.ge.u32 %in, %t, " + std::to_string(rows) + "; @%in ret;\n";
    const auto registerOf = [](std::string type) {
        return type == "b8" ? std::string("b16") : type;
    };
    int index = 1;
    const auto place = [&](int parameter, std::size_t bytes) {
        return "ld.param.u64 %at, [p" + std::to_string(parameter) + "]; mul.wide.u32 %wide, %t, " +
               std::to_string(bytes) + "; add.u64 %at, %at, %wide;\n";
    };
    const auto declare = [&]<class C>(const std::vector<C>&) {
        const std::string name(1, static_cast<char>('a' + index - 1));
        body += ".reg ." + registerOf(wordsOf<C>()) + " %" + name + ";\n" +
                place(index, sizeof(C)) + "ld.global." + wordsOf<C>() + " %" + name + ", [%at];\n";
        ++index;
    };
    (declare(columns), ...);
    const bool isPredicate = std::is_same_v<D, bool>;
    body += isPredicate ? ".reg .pred %d, %e; .reg .b32 %result;\n"
                        : ".reg ." + registerOf(wordsOf<R>()) + " %d;\n";
    body += instruction + "\n" + place(0, sizeof(R));
    body += isPredicate ? "selp.u32 %result, 1, 0, %d; st.global.u32 [%at], %result;"
                        : "st.global." + wordsOf<R>() + " [%at], %d;";
    Machine machine(kernel(index, body));
    std::vector<std::uint64_t> parameters{machine.zeros<R>(rows)};
    (parameters.push_back(machine.array(columns)), ...);
    const LaunchResult result = machine.run({static_cast<std::uint32_t>((rows + 255) / 256), 1, 1},
                                            {256, 1, 1}, parameters);
    if (!said(result).empty()) throw std::runtime_error(instruction + ": " + said(result));
    return machine.values<R>(parameters[0]);
}

/// All rows that can be made of the values of each column.
template <class A, class B>
std::pair<std::vector<A>, std::vector<B>> cross(const std::vector<A>& a, const std::vector<B>& b) {
    std::pair<std::vector<A>, std::vector<B>> rows;
    for (const A& x : a) {
        for (const B& y : b) rows.first.push_back(x), rows.second.push_back(y);
    }
    return rows;
}

}  // namespace warplens::ptx::test
