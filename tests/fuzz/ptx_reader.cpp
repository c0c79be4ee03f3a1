#include "kernels/ptx/read/flow.h"
#include "kernels/ptx/read/module.h"
#include "tests/fuzz/fuzz.h"

using namespace warplens;

/// The text as PTX, read but not run.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto read = ptx::readModule(std::string(fuzz::textOf(data, size)));
    if (const auto* error = std::get_if<ptx::ReadError>(&read)) {
        fuzz::promise(!error->message.empty() && error->row >= 1,
                      "a refusal says what is wrong, and in which row");
        return 0;
    }
    for (const auto& [name, function] : std::get<ptx::Module>(read).functions) {
        const ptx::ControlFlow flow(*function);
        for (std::uint32_t at = 0; at < function->instructions.size(); ++at) {
            const std::uint32_t meeting = flow.reconvergence(at);
            fuzz::promise(
                meeting == ptx::ControlFlow::none || meeting <= function->instructions.size(),
                "lanes meet again within the function");
        }
    }
    return 0;
}
