#include "kernels/trace/build/compiler_options.h"

#include "kernels/programs/reachable_files.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

const std::string defaultStandard = "gnu++17";  // nvcc's own

/// `_GNU_SOURCE`: what the system's headers ask for. Others are the program's own: our headers,
/// which are read first, must not see an `N`.
bool isForHeaders(const std::string& define) {
    return define.starts_with('_');
}

}  // namespace

const std::vector<std::string>& compilerFlags() {
    static const std::vector<std::string> all{"-O0",
                                              "-g1",
                                              "-w",
                                              "-fno-pie",
                                              "-fsanitize=thread",
                                              "--param=tsan-distinguish-volatile=1",
                                              "--param=tsan-instrument-func-entry-exit=0",
                                              "-fno-extern-tls-init",
                                              "-fno-jump-tables",
                                              "-fno-optimize-sibling-calls",
                                              "-fno-reorder-blocks",
                                              "-fno-reorder-blocks-and-partition",
                                              "-ffixed-r15",
                                              "-mno-red-zone",
                                              "-fcf-protection=none",
                                              "-fno-stack-protector",
                                              "-fdiagnostics-color=never",
                                              "-fno-diagnostics-show-caret"};
    return all;
}

const std::vector<std::string>& optimizerFlags() {
    static const std::vector<std::string> all{"-O2",
                                              "-g1",
                                              "-w",
                                              "-DWL_FAST",
                                              "-fno-pie",
                                              "-fno-extern-tls-init",
                                              "-fno-omit-frame-pointer",
                                              "-fno-optimize-sibling-calls",
                                              "-fno-reorder-blocks-and-partition",
                                              "-fno-ipa-icf",
                                              "-fno-strict-aliasing",
                                              "-fno-delete-null-pointer-checks",
                                              "-fwrapv",
                                              "-fsanitize=unreachable",
                                              "-fsanitize-undefined-trap-on-error",
                                              "-ffixed-r15",
                                              "-fcf-protection=none",
                                              "-fno-stack-protector"};
    return all;
}

std::string standardOption(const ProgramSource& source) {
    return "-std=" + (source.standard.empty() ? defaultStandard : source.standard);
}

std::vector<std::string> languageOptions(const ProgramSource& source, const SourceFiles& sources,
                                         const RuntimeFiles& files) {
    std::vector<std::string> options;
    if (sources.isCooperative()) {
        options.push_back("-DWL_MULTIPROCESSORS=" + std::to_string(multiprocessorsTogether));
    }
    options.push_back(standardOption(source));
    for (const std::string& define : source.defines) {
        if (isForHeaders(define)) options.push_back("-D" + define);
    }
    for (const fs::path& file : source.files) {
        options.insert(options.end(), {"-iquote", wholePath(file).parent_path().string()});
    }
    for (const std::string& include : source.includes) {
        options.push_back("-I" + wholePath(include).string());
    }
    options.insert(options.end(), {"-isystem", files.headers.string(), "-include",
                                   (files.headers / firstHeader).string()});
    return options;
}

std::string definitionsOf(const ProgramSource& source, const SourceFiles& sources) {
    std::vector<std::string> all = source.defines;
    if (sources.hasMain) all.insert(all.end(), source.settings.begin(), source.settings.end());
    std::string text;
    for (const std::string& define : all) {
        if (isForHeaders(define)) continue;
        const std::size_t equals = define.find('=');
        text += "#define " + define.substr(0, equals) + ' ' +
                (equals == std::string::npos ? "1" : define.substr(equals + 1)) + '\n';
    }
    return text;
}

}  // namespace warplens
