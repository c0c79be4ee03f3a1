#include "kernels/measure/counters/counter_table.h"

namespace warplens {
namespace {

using Names = std::string_view[];

constexpr Names loadRequests{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"};
constexpr Names storeRequests{"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"};
constexpr Names loadSectors{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"};
constexpr Names storeSectors{"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"};
constexpr Names loadBytes{"smsp__sass_data_bytes_mem_global_op_ld.sum"};
constexpr Names storeBytes{"smsp__sass_data_bytes_mem_global_op_st.sum"};
constexpr Names branchTargets{"smsp__sass_branch_targets.sum"};
constexpr Names divergent{"smsp__sass_branch_targets_threads_divergent.sum"};
constexpr Names instructions{"smsp__inst_executed.sum"};
constexpr Names threadInstructions{"smsp__thread_inst_executed.sum"};
constexpr Names threadInstructionsOn{"smsp__thread_inst_executed_pred_on.sum"};
// Patched into the code like the wavefronts, and so counted alike.
constexpr Names sharedLoads{"smsp__sass_inst_executed_op_shared_ld.sum"};
constexpr Names sharedStores{"smsp__sass_inst_executed_op_shared_st.sum"};
constexpr Names sharedAtomics{"smsp__sass_inst_executed_op_shared_atom.sum"};
constexpr Names wavefronts{"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum"};
constexpr Names l2Bytes{"lts__t_bytes.sum"};
constexpr Names dramBytes{"dram__bytes.sum"};
constexpr Names occupancy{"sm__warps_active.avg.pct_of_peak_sustained_active"};

constexpr std::string_view unknown = "this GPU has no such counter";

constexpr std::array<CounterRow, counterCount> rows{{
    {Counter::loadRequests, loadRequests, unknown},
    {Counter::storeRequests, storeRequests, unknown},
    {Counter::loadSectors, loadSectors, unknown},
    {Counter::storeSectors, storeSectors, unknown},
    {Counter::loadBytesRequested, loadBytes, unknown},
    {Counter::storeBytesRequested, storeBytes, unknown},
    {Counter::branchTargets, branchTargets, unknown},
    {Counter::divergentBranches, divergent, unknown},
    {Counter::instructions, instructions, unknown},
    {Counter::threadInstructions, threadInstructions, unknown},
    {Counter::threadInstructionsPredicatedOn, threadInstructionsOn, unknown},
    {Counter::sharedLoadRequests, sharedLoads, unknown},
    {Counter::sharedStoreRequests, sharedStores, unknown},
    {Counter::sharedAtomicRequests, sharedAtomics, unknown},
    {Counter::sharedWavefronts, wavefronts, unknown},
    {Counter::l2Bytes, l2Bytes, unknown},
    {Counter::dramBytes, dramBytes,
     "the GPU shares the system's memory and counts no DRAM traffic"},
    {Counter::achievedOccupancy, occupancy, unknown},
}};

}  // namespace

std::span<const CounterRow, counterCount> counterTable() {
    return rows;
}

}  // namespace warplens
