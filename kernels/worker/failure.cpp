#include "kernels/worker/failure.h"

#include <new>

#include "core/launch/limit_violation.h"
#include "kernels/device/compile/compile.h"
#include "kernels/device/compile/nvrtc_library.h"
#include "kernels/measure/device/cuda_failure.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/measuring.h"
#include "kernels/measure/result_check.h"

namespace warplens {

Failure failureOf(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const InvalidRequest& error) {
        return {FailureKind::invalid, error.what()};
    } catch (const CompileError& error) {
        return {FailureKind::invalid, error.what()};
    } catch (const CompilerUnavailable& error) {
        return {FailureKind::impossible, error.what()};
    } catch (const NoDevice& error) {
        return {FailureKind::impossible, error.what()};
    } catch (const OtherKernelSource& error) {
        return {FailureKind::impossible, error.what()};
    } catch (const WrongResult& error) {
        return {FailureKind::wrongResult, error.what()};
    } catch (const Cancelled&) {
        return {FailureKind::cancelled, "cancelled"};
    } catch (const CudaError& error) {
        return failureOf(error);
    } catch (const std::bad_alloc&) {
        return {FailureKind::failed, "the worker's own memory is exhausted"};
    } catch (const std::exception& error) {
        return {FailureKind::failed, error.what()};
    }
}

bool endsWorker(FailureKind kind) {
    return kind == FailureKind::failed || kind == FailureKind::impossible;
}

}  // namespace warplens
