#include "kernels/trace/run/sandbox.h"

#include "kernels/trace/run/child_process.h"

namespace warplens {
namespace {

Sandbox find() {
    const std::string bubblewrap = findProgram("bwrap");
    if (bubblewrap.empty()) {
        return {{},
                "bubblewrap is not installed: the program can reach your files and the network"};
    }
    Sandbox sandbox;
    sandbox.command = {bubblewrap,
                       "--ro-bind",
                       "/",
                       "/",
                       "--dev",
                       "/dev",
                       "--proc",
                       "/proc",
                       "--tmpfs",
                       "/tmp",
                       "--tmpfs",
                       "/run",
                       "--unshare-net",
                       "--unshare-pid",
                       "--unshare-ipc",
                       "--die-with-parent"};
    ChildCommand trial{.arguments = sandbox.command};
    trial.arguments.push_back("/bin/true");
    trial.limits.wall = std::chrono::seconds(10);
    if (runChild(trial).status == 0) return sandbox;
    // In containers /proc can often not be mounted anew.
    std::vector<std::string> without;
    for (std::size_t i = 0; i < sandbox.command.size(); ++i) {
        if (sandbox.command[i] == "--proc") {
            ++i;
            continue;
        }
        without.push_back(sandbox.command[i]);
    }
    trial.arguments = without;
    trial.arguments.push_back("/bin/true");
    if (runChild(trial).status == 0) return {without, ""};
    return {{},
            "bubblewrap does not work on this machine: the program can reach your files and the "
            "network"};
}

}  // namespace

const Sandbox& sandboxOfThisMachine() {
    static const Sandbox found = find();
    return found;
}

}  // namespace warplens
