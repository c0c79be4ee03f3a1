#include "core/library/kernel_digest.h"

#include "core/program/cuda_tokens.h"
#include "core/text/digest.h"

namespace warplens {

std::string kernelDigest(const Kernel& file) {
    std::string words;
    for (const CudaToken& token : cudaTokens(file.text)) {
        words += token.text;
        words += '\n';
    }
    return digestOf(words);
}

}  // namespace warplens
