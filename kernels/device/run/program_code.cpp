#include "kernels/device/run/program_code.h"

namespace warplens {

ProgramCode compileProgram(const ProgramSources& sources, const LaunchInputs& inputs,
                           const CompileOptions& options) {
    std::vector<std::string> names{inputs.kernel};
    for (const InputArray& array : inputs.arrays) {
        if (array.isSymbol) names.push_back('&' + array.symbol);
    }
    const std::string plain = inputs.kernel.substr(0, inputs.kernel.find('<'));
    const std::string last =
        plain.substr(plain.rfind(':') == std::string::npos ? 0 : plain.rfind(':') + 1);
    std::string words;
    for (std::size_t unit = 0; unit < sources.units.size(); ++unit) {
        try {
            ProgramCode code{.unit = unit, .compiled = compileUnit(sources, unit, names, options)};
            const auto& symbols = code.compiled->symbols;
            const auto kernel = symbols.find(inputs.kernel);
            if (kernel == symbols.end()) {
                words += sources.units[unit].path + ": no kernel " + inputs.kernel + "\n";
                continue;
            }
            code.kernel = kernel->second;
            for (const InputArray& array : inputs.arrays) {
                const auto symbol = symbols.find('&' + array.symbol);
                if (array.isSymbol && symbol != symbols.end()) {
                    code.symbols[array.symbol] = symbol->second;
                }
            }
            return code;
        } catch (const CompileError& error) {
            // With several files, the one that has the kernel is the one to hear of.
            if (sources.units.size() == 1 ||
                sources.units[unit].text.find(last) != std::string::npos) {
                words += error.what();
            }
        }
    }
    throw CompileError(words.empty() ? "no file has the kernel " + inputs.kernel : words);
}

}  // namespace warplens
