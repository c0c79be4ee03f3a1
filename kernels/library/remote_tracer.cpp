#include "kernels/library/remote_tracer.h"

#include "core/library/kernel_file.h"
#include "kernels/library/predict.h"

namespace warplens::library {
namespace {

MakeRemoteTracer& maker() {
    static MakeRemoteTracer make;
    return make;
}

}  // namespace

void setRemoteTracers(MakeRemoteTracer make) {
    maker() = std::move(make);
}

std::unique_ptr<RemoteTracer> makeRemoteTracer(const Kernel& kernel, const Experiment& experiment) {
    if (maker() == nullptr) throw TraceFault(kernel.file + " is not part of this program");
    return maker()(kernel, experiment);
}

}  // namespace warplens::library
