#include "kernels/measure/counters/chip_counters.h"

#include <array>
#include <cstdlib>
#include <map>

#include "kernels/measure/device/device_query.h"
#include "kernels/measure/device/driver.h"

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

/// What is asked of every instruction.
enum LineMetric : std::size_t {
    globalLoads,
    globalStores,
    globalAtomics,
    globalReductions,
    sharedLoads,
    sharedStores,
    sharedAtomics,
    anyLoads,  ///< those of generic addresses too
    anyStores,
    globalSectors,
    globalSectorsIdeal,
    sharedWavefronts,
    sharedWavefrontsIdeal,
    branchesUniform,
    branchesDivergent,
    asyncCopies,  ///< `cp.async`: from global to shared memory, from compute capability 8.0 on
    lineMetricCount,
};

// metrics.md of CUPTI: "SASS Metrics"; all but the last on every chip from compute capability 7.5
// on.
constexpr std::array<const char*, lineMetricCount> lineMetricNames{
    "smsp__sass_inst_executed_op_global_ld",
    "smsp__sass_inst_executed_op_global_st",
    "smsp__sass_inst_executed_op_global_atom",
    "smsp__sass_inst_executed_op_global_red",
    "smsp__sass_inst_executed_op_shared_ld",
    "smsp__sass_inst_executed_op_shared_st",
    "smsp__sass_inst_executed_op_shared_atom",
    "smsp__sass_inst_executed_op_ld",
    "smsp__sass_inst_executed_op_st",
    "smsp__sass_sectors_mem_global",
    "smsp__sass_sectors_mem_global_ideal",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal",
    "smsp__sass_branch_targets_threads_uniform",
    "smsp__sass_branch_targets_threads_divergent",
    "smsp__sass_inst_executed_op_ldgsts",
};

using LineCounts = std::array<std::uint64_t, lineMetricCount>;

/// CUPTI's version from which a process may measure more than once.
constexpr std::uint32_t repeatingCupti = 130500;

struct CountedPlace final {
    std::string file{};
    std::uint32_t line = 0;
    friend auto operator<=>(const CountedPlace&, const CountedPlace&) = default;
};

CountedPlace placeOfInstruction(const CuptiLibrary& cupti, const std::string& cubin,
                                const CUpti_SassMetrics_Data& data) {
    CUpti_GetSassToSourceCorrelationParams params{};
    params.size = CUpti_GetSassToSourceCorrelationParamsSize;
    params.cubin = cubin.data();
    params.cubinSize = cubin.size();
    params.functionName = data.functionName;
    params.pcOffset = data.pcOffset;
    if (cupti.getSassToSource(&params) != CUPTI_SUCCESS) return {};
    CountedPlace place{.line = params.lineNumber};
    if (params.fileName != nullptr) place.file = params.fileName;
    // The compiler splits a path; `my.cu` has no folder.
    if (params.dirName != nullptr && *params.dirName != '\0' && place.file.find('/') != 0) {
        place.file = std::string(params.dirName) + '/' + place.file;
    }
    std::free(params.fileName);
    std::free(params.dirName);
    return place;
}

class CountedLines final {
  public:
    void add(const CountedPlace& place, const LineCounts& counts) {
        addMemory(place, AccessKind::load, counts[globalLoads], counts);
        addMemory(place, AccessKind::store, counts[globalStores], counts);
        addMemory(place, AccessKind::atomic, counts[globalAtomics] + counts[globalReductions],
                  counts);
        addMemory(place, AccessKind::sharedLoad, counts[sharedLoads], counts);
        addMemory(place, AccessKind::sharedStore, counts[sharedStores], counts);
        addMemory(place, AccessKind::sharedAtomic, counts[sharedAtomics], counts);
        addMemory(place, AccessKind::load, counts[asyncCopies], counts);
        addMemory(place, AccessKind::sharedStore, counts[asyncCopies], counts);
        addGeneric(place, AccessKind::load, AccessKind::sharedLoad, counts,
                   counts[globalLoads] + counts[sharedLoads], counts[anyLoads]);
        addGeneric(place, AccessKind::store, AccessKind::sharedStore, counts,
                   counts[globalStores] + counts[sharedStores], counts[anyStores]);
        if (const std::uint64_t all = counts[branchesUniform] + counts[branchesDivergent]) {
            ProgramLine& line = at(place, AccessKind::branch);
            line.requests += all;
            line.divergent += counts[branchesDivergent];
        }
    }

    std::vector<ProgramLine> take() {
        std::vector<ProgramLine> lines;
        for (auto& [key, line] : lines_) lines.push_back(std::move(line));
        return lines;
    }

  private:
    void addMemory(const CountedPlace& place, AccessKind kind, std::uint64_t executed,
                   const LineCounts& counts) {
        if (executed == 0) return;
        ProgramLine& line = at(place, kind);
        line.requests += executed;
        if (isShared(kind)) {
            line.wavefronts += counts[sharedWavefronts];
            line.idealWavefronts += counts[sharedWavefrontsIdeal];
        } else {
            line.sectors += counts[globalSectors];
            line.idealSectors += counts[globalSectorsIdeal];
        }
    }

    /// An instruction whose addresses tell the memory only when it runs.
    void addGeneric(const CountedPlace& place, AccessKind global, AccessKind shared,
                    const LineCounts& counts, std::uint64_t named, std::uint64_t any) {
        if (named != 0 || any == 0) return;
        if (counts[globalSectors] != 0) addMemory(place, global, any, counts);
        if (counts[sharedWavefronts] != 0) addMemory(place, shared, any, counts);
    }

    ProgramLine& at(const CountedPlace& place, AccessKind kind) {
        ProgramLine& line = lines_[std::pair(place, kind)];
        line.place = {place.file, place.line, 0};
        line.kind = kind;
        line.source = Source::counted;
        return line;
    }

    std::map<std::pair<CountedPlace, AccessKind>, ProgramLine> lines_;
};

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

LineCounters& LineCounters::open(const CuptiLibrary& cupti) {
    static LineCounters counters(cupti);  // a failed attempt throws and is made again next time
    if (counters.spent_) {
        throw CountersUnavailable(
            "CUPTI 13.0 counts lines once in a process, and has done so; CUPTI 13.5 (`pip install "
            "nvidia-cuda-cupti`) repeats");
    }
    return counters;
}

LineCounters::LineCounters(const CuptiLibrary& cupti) : cupti_(cupti) {
    auto initialize = WARPLENS_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params);
    cupti_.check(cupti_.profilerInitialize(&initialize), "cuptiProfilerInitialize");
    const CUdevice device = currentDevice();
    auto chip = WARPLENS_CUPTI_PARAMS(CUpti_Device_GetChipName_Params);
    chip.deviceIndex = static_cast<std::size_t>(device);
    cupti_.check(cupti_.deviceGetChipName(&chip), "cuptiDeviceGetChipName");
    std::vector<CUpti_SassMetrics_Config> configs;
    for (std::size_t i = 0; i < lineMetricCount; ++i) {
        auto properties = WARPLENS_CUPTI_PARAMS(CUpti_SassMetrics_GetProperties_Params);
        properties.pChipName = chip.pChipName;
        properties.pMetricName = lineMetricNames[i];
        const CUptiResult found = cupti_.sassGetProperties(&properties);
        if (i == asyncCopies && found != CUPTI_SUCCESS) break;
        cupti_.check(found, "cuptiSassMetricsGetProperties");
        metrics_.push_back(properties.metric.metricId);
        configs.push_back({properties.metric.metricId, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
    }
    auto config = WARPLENS_CUPTI_PARAMS(CUpti_SassMetricsSetConfig_Params);
    config.numOfMetricConfig = configs.size();
    config.pConfigs = configs.data();
    config.deviceIndex = static_cast<std::uint32_t>(device);
    cupti_.check(cupti_.sassSetConfig(&config), "cuptiSassMetricsSetConfig");
}

std::vector<ProgramLine> LineCounters::read(const std::string& cubin,
                                            const std::function<void()>& launch) {
    const Driver& driver = Driver::open();
    CUcontext context = nullptr;
    check(driver.ctxGetCurrent(&context), "cuCtxGetCurrent");
    check(driver.ctxSynchronize(), "cuCtxSynchronize");
    std::uint32_t version = 0;
    cupti_.check(cupti_.getVersion(&version), "cuptiGetVersion");
    spent_ = version < repeatingCupti;

    auto enable = WARPLENS_CUPTI_PARAMS(CUpti_SassMetricsEnable_Params);
    enable.ctx = context;
    enable.enableLazyPatching = 1;
    cupti_.check(cupti_.sassEnable(&enable), "cuptiSassMetricsEnable");
    /// Takes the patches out again, whatever happens.
    struct Enabled final {
        const CuptiLibrary& cupti;
        CUcontext context;
        ~Enabled() {
            auto disable = WARPLENS_CUPTI_PARAMS(CUpti_SassMetricsDisable_Params);
            disable.ctx = context;
            cupti.sassDisable(&disable);
        }
    } enabled{cupti_, context};

    launch();
    check(driver.ctxSynchronize(), "cuCtxSynchronize");
    auto properties = WARPLENS_CUPTI_PARAMS(CUpti_SassMetricsGetDataProperties_Params);
    properties.ctx = context;
    cupti_.check(cupti_.sassGetDataProperties(&properties), "cuptiSassMetricsGetDataProperties");
    const std::size_t records = properties.numOfPatchedInstructionRecords;
    const std::size_t instances = properties.numOfInstances;
    std::vector<CUpti_SassMetrics_InstanceValue> values(records * instances);
    std::vector<CUpti_SassMetrics_Data> data(records);
    for (std::size_t i = 0; i < records; ++i) {
        data[i].structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE;
        data[i].pInstanceValues = values.data() + i * instances;
    }
    auto flush = WARPLENS_CUPTI_PARAMS(CUpti_SassMetricsFlushData_Params);
    flush.ctx = context;
    flush.numOfPatchedInstructionRecords = records;
    flush.numOfInstances = instances;
    flush.pMetricsData = data.data();
    cupti_.check(cupti_.sassFlushData(&flush), "cuptiSassMetricsFlushData");

    std::map<std::uint64_t, std::size_t> rowOf;
    for (std::size_t i = 0; i < metrics_.size(); ++i) rowOf[metrics_[i]] = i;
    // One instruction has several records, each with some of the metrics.
    std::map<std::pair<std::string, std::uint32_t>, std::pair<CountedPlace, LineCounts>> counted;
    for (const CUpti_SassMetrics_Data& record : data) {
        const auto [entry, isNew] = counted.try_emplace({record.functionName, record.pcOffset});
        auto& [place, counts] = entry->second;
        if (isNew) place = placeOfInstruction(cupti_, cubin, record);
        for (std::size_t i = 0; i < instances; ++i) {
            const auto row = rowOf.find(record.pInstanceValues[i].metricId);
            if (row != rowOf.end()) counts[row->second] += record.pInstanceValues[i].value;
        }
    }
    CountedLines lines;
    for (const auto& [instruction, found] : counted) lines.add(found.first, found.second);
    return lines.take();
}

}  // namespace warplens
