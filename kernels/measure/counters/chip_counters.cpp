#include "kernels/measure/counters/chip_counters.h"

namespace warplens {

namespace {

using Names = std::string_view[];

constexpr Names loadRequestsNames{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"};
constexpr Names storeRequestsNames{"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"};
constexpr Names loadSectorsNames{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"};
constexpr Names storeSectorsNames{"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"};
constexpr Names loadBytesNames{"smsp__sass_data_bytes_mem_global_op_ld.sum"};
constexpr Names storeBytesNames{"smsp__sass_data_bytes_mem_global_op_st.sum"};
constexpr Names branchTargetsNames{"smsp__sass_branch_targets.sum"};
constexpr Names divergentNames{"smsp__sass_branch_targets_threads_divergent.sum"};
constexpr Names instructionsNames{"smsp__inst_executed.sum"};
constexpr Names threadInstructionsNames{"smsp__thread_inst_executed.sum"};
constexpr Names threadInstructionsOnNames{"smsp__thread_inst_executed_pred_on.sum"};
// Patched into the code like the wavefronts, and so counted alike.
constexpr Names sharedLoadsNames{"smsp__sass_inst_executed_op_shared_ld.sum"};
constexpr Names sharedStoresNames{"smsp__sass_inst_executed_op_shared_st.sum"};
constexpr Names sharedAtomicsNames{"smsp__sass_inst_executed_op_shared_atom.sum"};
constexpr Names wavefrontsNames{"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum"};
constexpr Names l2BytesNames{"lts__t_bytes.sum"};
constexpr Names dramBytesNames{"dram__bytes.sum"};
constexpr Names l1HitsNames{"l1tex__t_sectors_lookup_hit.sum"};
constexpr Names l1MissesNames{"l1tex__t_sectors_lookup_miss.sum"};
constexpr Names occupancyNames{"sm__warps_active.avg.pct_of_peak_sustained_active"};

constexpr std::string_view unknown = "this GPU has no such counter";

constexpr std::array<CounterRow, counterCount> rows{{
    {Counter::loadRequests, loadRequestsNames, unknown},
    {Counter::storeRequests, storeRequestsNames, unknown},
    {Counter::loadSectors, loadSectorsNames, unknown},
    {Counter::storeSectors, storeSectorsNames, unknown},
    {Counter::loadBytesUsed, loadBytesNames, unknown},
    {Counter::storeBytesUsed, storeBytesNames, unknown},
    {Counter::branchTargets, branchTargetsNames, unknown},
    {Counter::divergentBranches, divergentNames, unknown},
    {Counter::instructions, instructionsNames, unknown},
    {Counter::threadInstructions, threadInstructionsNames, unknown},
    {Counter::threadInstructionsPredicatedOn, threadInstructionsOnNames, unknown},
    {Counter::sharedLoadRequests, sharedLoadsNames, unknown},
    {Counter::sharedStoreRequests, sharedStoresNames, unknown},
    {Counter::sharedAtomicRequests, sharedAtomicsNames, unknown},
    {Counter::sharedWavefronts, wavefrontsNames, unknown},
    {Counter::l2Bytes, l2BytesNames, unknown},
    {Counter::dramBytes, dramBytesNames,
     "the GPU shares the system's memory and counts no DRAM traffic"},
    {Counter::achievedOccupancy, occupancyNames, unknown},
    {Counter::l1Hits, l1HitsNames, unknown},
    {Counter::l1Misses, l1MissesNames, unknown},
}};

}  // namespace

std::span<const CounterRow, counterCount> counterTable() {
    return rows;
}

ChipCounters::ChipCounters(const CuptiLibrary& cupti, std::string chip,
                           std::vector<std::uint8_t> availability)
    : cupti_(cupti), chip_(std::move(chip)), availability_(std::move(availability)) {
    auto params = WARPLENS_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize_Params);
    params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    params.pChipName = chip_.c_str();
    params.pCounterAvailabilityImage = availability_.empty() ? nullptr : availability_.data();
    cupti_.check(cupti_.hostInitialize(&params), "cuptiProfilerHostInitialize");
    host_ = {params.pHostObject, [&cupti](CUpti_Profiler_Host_Object* host) {
                 auto release = WARPLENS_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize_Params);
                 release.pHostObject = host;
                 cupti.hostDeinitialize(&release);
             }};
    for (const CounterRow& row : counterTable()) {
        for (const std::string_view name : row.names) {
            // One unknown name would spoil the whole configuration, so each is asked for alone.
            if (!knows(name.data())) continue;
            names_.push_back(name.data());
            counters_.push_back(row.counter);
            break;
        }
    }
    configure();
}

bool ChipCounters::knows(const char* metric) const {
    auto params = WARPLENS_CUPTI_PARAMS(CUpti_Profiler_Host_GetMetricProperties_Params);
    params.pHostObject = host_.get();
    params.pMetricName = metric;
    return cupti_.hostGetMetricProperties(&params) == CUPTI_SUCCESS;
}

void ChipCounters::configure() {
    auto add = WARPLENS_CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params);
    add.pHostObject = host_.get();
    add.ppMetricNames = names_.data();
    add.numMetrics = names_.size();
    cupti_.check(cupti_.hostConfigAddMetrics(&add), "cuptiProfilerHostConfigAddMetrics");

    auto size = WARPLENS_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params);
    size.pHostObject = host_.get();
    cupti_.check(cupti_.hostGetConfigImageSize(&size), "cuptiProfilerHostGetConfigImageSize");

    config_.resize(size.configImageSize);
    auto image = WARPLENS_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params);
    image.pHostObject = host_.get();
    image.configImageSize = config_.size();
    image.pConfigImage = config_.data();
    cupti_.check(cupti_.hostGetConfigImage(&image), "cuptiProfilerHostGetConfigImage");

    auto passes = WARPLENS_CUPTI_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params);
    passes.configImageSize = config_.size();
    passes.pConfigImage = config_.data();
    cupti_.check(cupti_.hostGetNumOfPasses(&passes), "cuptiProfilerHostGetNumOfPasses");
    passes_ = static_cast<int>(passes.numOfPasses);
}

std::vector<double> ChipCounters::evaluate(std::span<const std::uint8_t> image,
                                           std::size_t index) const {
    std::vector<double> values(names_.size());
    std::vector<const char*> names(names_);  // the call takes a pointer to non-const
    auto params = WARPLENS_CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
    params.pHostObject = host_.get();
    params.pCounterDataImage = image.data();
    params.counterDataImageSize = image.size();
    params.rangeIndex = index;
    params.ppMetricNames = names.data();
    params.numMetrics = names.size();
    params.pMetricValues = values.data();
    cupti_.check(cupti_.hostEvaluateToGpuValues(&params), "cuptiProfilerHostEvaluateToGpuValues");
    return values;
}

}  // namespace warplens
