#include "kernels/course/remote_kernel.h"

#include <bit>
#include <map>
#include <memory>
#include <mutex>

#include "core/measurement/json_trees.h"
#include "kernels/course/kernel_process.h"
#include "kernels/course/remote_build.h"
#include "kernels/course/wire.h"
#include "kernels/library/predict.h"
#include "kernels/library/remote_tracer.h"
#include "kernels/programs/compiler.h"

namespace warplens::course {
namespace {

using json_reader::Json;

/// Children that wait for work, by program.
class IdleProcesses final {
  public:
    std::unique_ptr<KernelProcess> take(const std::string& program) {
        const std::lock_guard lock(mutex_);
        auto& idle = idle_[program];
        if (idle.empty()) return nullptr;
        std::unique_ptr<KernelProcess> process = std::move(idle.back());
        idle.pop_back();
        return process;
    }
    void giveBack(const std::string& program, std::unique_ptr<KernelProcess> process) {
        const std::lock_guard lock(mutex_);
        auto& idle = idle_[program];
        if (idle.size() < 4) idle.push_back(std::move(process));
    }

  private:
    std::mutex mutex_;
    std::map<std::string, std::vector<std::unique_ptr<KernelProcess>>> idle_;
};

IdleProcesses& idleProcesses() {
    static IdleProcesses all;
    return all;
}

class RemoteKernel final : public library::RemoteTracer {
  public:
    RemoteKernel(const Kernel& kernel, const Experiment& experiment)
        : kernel_(kernel), experiment_(json_reader::treeOf(experiment)) {
        try {
            program_ = buildRunner(kernel).string();
        } catch (const CompileFailed& failure) {
            throw TraceFault(failure.what());
        }
        const Json asked{{"experiment", experiment_}};
        Record record = ask(asked);
        if (record.kind != RecordKind::shared || record.lanes > mostSharedArrays) garbled();
        staticBytes_ = static_cast<std::uint32_t>(record.value);
        for (std::uint32_t i = 0; i < record.lanes; ++i) {
            SharedRecord place;
            read(&place, sizeof place);
            places_.push_back({place.offset, place.elementBytes, place.columns});
        }
        if (places_.size() != kernel.shared.size()) garbled();
    }
    RemoteKernel(const RemoteKernel&) = delete;
    RemoteKernel& operator=(const RemoteKernel&) = delete;
    ~RemoteKernel() override {
        if (process_ != nullptr) idleProcesses().giveBack(program_, std::move(process_));
    }

    [[nodiscard]] const std::vector<trace::SharedPlace>& sharedPlaces() const override {
        return places_;
    }
    [[nodiscard]] std::uint32_t staticSharedBytes() const override { return staticBytes_; }

    std::uint64_t runBlock(Index3 block, trace::WarpObserver& observer,
                           std::span<const ThreadRank> only, bool rounds, bool computes) override {
        Json asked{{"experiment", experiment_},
                   {"block", {block.x, block.y, block.z}},
                   {"only", Json::array()},
                   {"rounds", rounds},
                   {"computes", computes}};
        for (const ThreadRank rank : only) asked["only"].push_back(rank.value);
        std::array<std::uint64_t, 32> addresses;
        for (Record record = ask(asked);; read(&record, sizeof record)) {
            switch (record.kind) {
                case RecordKind::request: {
                    const auto count = static_cast<std::size_t>(std::popcount(record.lanes));
                    read(addresses.data(), count * sizeof addresses[0]);
                    tell(observer, record, std::span(addresses).first(count));
                    break;
                }
                case RecordKind::branch:
                    if (record.subject >= kernel_.branches.size()) garbled();
                    observer.onBranch({kernel_.branches[record.subject].name.c_str(), record.line,
                                       record.lanes, static_cast<std::uint32_t>(record.value)});
                    break;
                case RecordKind::round:
                    observer.onRound(
                        {record.line, static_cast<std::int64_t>(record.value), record.lanes});
                    break;
                case RecordKind::done:
                    return record.value;
                case RecordKind::fault:
                    fault(record);
                default:
                    garbled();
            }
        }
    }

  private:
    /// What the child tells is checked before it is believed.
    void tell(trace::WarpObserver& observer, const Record& record,
              std::span<const std::uint64_t> addresses) {
        const auto event = static_cast<trace::EventKind>(record.event);
        const bool width = std::has_single_bit(record.bytes) && record.bytes <= 16;
        if (event >= trace::EventKind::branch || addresses.empty() || !width) garbled();
        const std::size_t arrays =
            trace::isGlobal(event) ? kernel_.arrays.size() : kernel_.shared.size();
        if (record.subject >= arrays) garbled();
        if (!trace::isGlobal(event) && record.bytes < 4) {
            throw TraceFault(kernel_.name + " line " + std::to_string(record.line) +
                             ": accesses of " + std::to_string(record.bytes) +
                             " bytes to shared memory are not told");
        }
        observer.onRequest(
            {event, record.subject, record.line, record.bytes, record.lanes, addresses});
    }

    /// The first record of the answer.
    Record ask(const Json& asked) {
        Record record;
        if (process_ == nullptr) process_ = idleProcesses().take(program_);
        if (process_ == nullptr) {
            process_ = std::make_unique<KernelProcess>(program_);
            process_->say(
                Json{{"file", kernel_.file}, {"course", kernel_.course}, {"text", kernel_.text}}
                    .dump());
        }
        process_->say(asked.dump());
        read(&record, sizeof record);
        if (record.kind == RecordKind::fault) fault(record);
        return record;
    }
    void read(void* to, std::size_t bytes) {
        try {
            process_->read(to, bytes);
        } catch (const std::exception& error) {
            process_ = nullptr;
            throw TraceFault(kernel_.file + ": " + error.what());
        }
    }
    [[noreturn]] void fault(const Record& record) {
        std::string words(std::min(record.value, mostFaultBytes), ' ');
        read(words.data(), words.size());
        throw TraceFault(words);
    }
    [[noreturn]] void garbled() {
        process_ = nullptr;
        throw TraceFault(kernel_.file + ": the kernel wrote into what its process tells");
    }

    const Kernel& kernel_;
    Json experiment_;
    std::string program_;
    std::unique_ptr<KernelProcess> process_;
    std::vector<trace::SharedPlace> places_;
    std::uint32_t staticBytes_ = 0;
};

}  // namespace

void runKernelsInChildren() {
    library::setRemoteTracers([](const Kernel& kernel, const Experiment& experiment) {
        return std::make_unique<RemoteKernel>(kernel, experiment);
    });
}

}  // namespace warplens::course
