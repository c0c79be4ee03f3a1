// How long a measurement takes from request to result, beside what ncu takes for the same counters
// of the same kernel; and of every built-in scenario. Usage: bench_warm_measurement WORKER
// LAUNCH_ONCE [NCU], or bench_warm_measurement WORKER --scenarios

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "app/worker/worker_client.h"

namespace {

using namespace warplens;
using Clock = std::chrono::steady_clock;

constexpr int runs = 10;

// The counters of kernels/measure/counters/chip_counters.cpp.
constexpr const char* metrics =
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,l1tex__t_requests_pipe_lsu_mem_global_op_st."
    "sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st."
    "sum,smsp__sass_data_bytes_mem_global_op_ld.sum,smsp__sass_data_bytes_mem_global_op_st.sum,"
    "smsp__sass_branch_targets.sum,smsp__sass_branch_targets_threads_divergent.sum,smsp__inst_"
    "executed.sum,smsp__thread_inst_executed.sum,smsp__thread_inst_executed_pred_on.sum,smsp__sass_"
    "inst_"
    "executed_op_shared_ld.sum,smsp__sass_inst_executed_op_shared_st.sum,smsp__"
    "sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum,lts__t_bytes.sum,dram__"
    "bytes.sum,sm__warps_active.avg.pct_of_peak_sustained_active";

double secondsSince(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct Times {
    std::vector<double> seconds;
    void print(const char* what) {
        std::ranges::sort(seconds);
        std::printf("%-44s median %8.1f ms   least %8.1f   most %8.1f   n %zu\n", what,
                    1e3 * median(), 1e3 * seconds.front(), 1e3 * seconds.back(), seconds.size());
    }
    [[nodiscard]] double median() const { return seconds[seconds.size() / 2]; }
};

/// Seconds from each thing that the worker says it does until the next one.
using Stages = std::vector<std::pair<std::string, Times>>;

Times& stageNamed(Stages& stages, const std::string& name) {
    const auto known = std::ranges::find(stages, name, &Stages::value_type::first);
    return known != stages.end() ? known->second : stages.emplace_back(name, Times{}).second;
}

double measureOnce(WorkerClient& client, Stages& stages, const Experiment& experiment) {
    const auto begin = Clock::now();
    std::string stage = "sending the request";
    auto stageBegin = begin;
    const auto enter = [&](const std::string& next) {
        stageNamed(stages, stage).seconds.push_back(secondsSince(stageBegin));
        stage = next;
        stageBegin = Clock::now();
    };
    client.measure({.experiment = experiment});
    while (true) {
        const auto event = client.wait(std::chrono::seconds(60));
        if (!event) std::exit((std::fprintf(stderr, "no answer\n"), 1));
        if (const auto* failure = std::get_if<Failure>(&event->body)) {
            std::exit((std::fprintf(stderr, "%s\n", failure->message.c_str()), 3));
        }
        if (const auto* progress = std::get_if<Progress>(&event->body)) enter(progress->stage);
        if (!std::holds_alternative<Measurement>(event->body)) continue;
        enter({});
        return secondsSince(begin);
    }
}

/// Each as it opens: the first time, and warm.
int measureScenarios(const std::string& worker) {
    WorkerClient client({.command = worker});
    for (const Scenario& scenario : allScenarios()) {
        const Experiment experiment = initialExperiment(scenario);
        Stages stages;
        const double first = measureOnce(client, stages, experiment);
        Times warm;
        for (int run = 0; run < 5; ++run)
            warm.seconds.push_back(measureOnce(client, stages, experiment));
        const std::string title(scenario.id);
        std::printf("first %8.1f ms   ", 1e3 * first);
        warm.print(title.c_str());
        std::fflush(stdout);
    }
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) {
        std::fprintf(stderr, "usage: %s WORKER LAUNCH_ONCE [NCU]\n", arguments[0]);
        return 2;
    }
    if (std::string(arguments[2]) == "--scenarios") return measureScenarios(arguments[1]);
    const Experiment sum = complete({"matadd-coalesced", {}, {}, {{"n", 512}}});
    std::printf("matadd-coalesced 512x512, request to result\n");
    Times warm;
    Stages stages;
    Stages cold;
    {
        // Ended before ncu starts: a process that has read counters keeps them from others.
        WorkerClient client({.command = arguments[1]});
        std::printf("%-44s %.1f ms\n", "first measurement, worker and context cold",
                    1e3 * measureOnce(client, cold, sum));
        for (int run = 0; run < runs; ++run)
            warm.seconds.push_back(measureOnce(client, stages, sum));
    }
    warm.print("warm measurement, every source");
    for (auto& [stage, times] : stages) times.print(("  " + stage).c_str());

    const std::string ncu = count > 3 ? arguments[3] : "ncu";
    const std::string command =
        ncu + " --clock-control none --metrics " + metrics + ' ' + arguments[2] + " > ncu.log 2>&1";
    Times profiler;
    for (int run = 0; run < 3; ++run) {
        const auto begin = Clock::now();
        if (std::system(command.c_str()) != 0) {
            std::fprintf(stderr, "ncu failed, see ncu.log: %s\n", command.c_str());
            return 1;
        }
        profiler.seconds.push_back(secondsSince(begin));
    }
    profiler.print("ncu, the same counters of one launch");
    std::printf("ncu takes %.1f times as long\n", profiler.median() / warm.median());
    return 0;
}
