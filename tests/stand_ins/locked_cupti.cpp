// CUPTI on a machine that lets administrators alone read the counters: the real one, but for the
// first call that needs the right to.
#include <cuda.h>
#include <cupti.h>
#include <cupti_profiler_target.h>

extern "C" CUptiResult CUPTIAPI
cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params*) {
    return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
}
