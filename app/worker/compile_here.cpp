#include "app/worker/compile_here.h"

#include "app/worker/worker_client.h"

namespace warplens {

CompileAnswer compileHere(CompileRequest request, const std::function<bool()>& cancelled) {
    const std::string command = defaultWorkerCommand();
    if (command.empty()) {
        return Failure{FailureKind::impossible, "this build has no warplens-measure"};
    }
    WorkerClient worker({.command = command});
    (void)worker.compile(std::move(request));
    while (!cancelled || !cancelled()) {
        const auto event = worker.wait(std::chrono::milliseconds(100));
        if (!event) continue;
        if (const auto* compiled = std::get_if<CompiledResources>(&event->body)) return *compiled;
        if (const auto* failure = std::get_if<Failure>(&event->body)) return *failure;
    }
    return Failure{FailureKind::cancelled, "cancelled"};
}

}  // namespace warplens
