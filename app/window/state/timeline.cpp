#include "app/window/state/timeline.h"

#include <cmath>
#include <tuple>

#include "app/drawing/line_meaning.h"
#include "app/window/state/editing.h"
#include "app/window/state/program_changes.h"
#include "app/window/state/scene.h"

namespace warplens::window {
namespace {

/// The first request to memory: what a warp asks of memory is what it is held for. Where the
/// scenario is about divergence, the first branch at which lanes part, or the first there is; the
/// guard that keeps threads without a value out only where there is no other.
std::size_t firstTelling(const WarpTrace& trace) {
    if (scenarioNamed(trace.place.experiment.scenario).group == 'D') {
        std::optional<std::size_t> first;
        int best = -1;
        for (std::size_t i = 0; i < trace.steps.size(); ++i) {
            const WarpStep& step = trace.steps[i];
            if (step.kind != StepKind::branch) continue;
            const bool parts = step.taken != 0 && step.taken != step.active;
            const bool isGuard = trace.subjects.branches.at(step.subject).name == "inside";
            const int telling = (isGuard ? 0 : 2) + (parts ? 1 : 0);
            if (telling <= best) continue;
            best = telling;
            first = i;
        }
        if (first) return *first;
    }
    const auto found = std::ranges::find_if(
        trace.steps, [](const WarpStep& step) { return step.kind != StepKind::branch; });
    return found == trace.steps.end() ? 0 : static_cast<std::size_t>(found - trace.steps.begin());
}

/// Line of the open file that a step is on; 0 for one in another file.
std::uint32_t lineOf(const BlockSteps& steps, const BlockStep& step) {
    const SourcePlace& place = steps.places[step.place];
    return sameFile(place.file, steps.file) ? place.line : 0;
}

/// The warp's next step on the line from `from` on, round to its first.
std::optional<std::size_t> stepOn(const BlockSteps& steps, WarpRank warp, std::uint32_t line,
                                  std::size_t from,
                                  const std::function<bool(const BlockStep&)>& isWanted = {}) {
    if (warp.value >= steps.warps.size()) return std::nullopt;
    const std::vector<BlockStep>& all = steps.warps[warp.value].steps;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t at = (from + i) % all.size();
        if (isWanted && !isWanted(all[at])) continue;
        if (lineOf(steps, all[at]) == line) return at;
    }
    return std::nullopt;
}

/// Whether a step's request is of that array.
bool isAt(const BlockSteps& steps, const BlockStep& step, const std::string& array) {
    const auto named = [&](const auto& all) {
        return step.subject < all.size() && all[step.subject].name == array;
    };
    return isShared(step.kind) ? named(steps.shared) : named(steps.arrays);
}

/// Of global or shared memory: what a warp waits for longer than for constants.
bool asksMemory(const BlockStep& step) {
    return isGlobal(step.kind) || isShared(step.kind);
}

bool diverges(const BlockStep& step) {
    return step.kind == StepKind::branch && step.taken != 0 && step.taken != step.active;
}

/// Whether what is to be told of a line is that warps diverge on it: of a guard that accesses
/// memory as well, the access is.
bool isAboutDivergence(const ProgramState& program) {
    const LaunchReport* const launch = chosenLaunch(program);
    if (launch == nullptr || program.line == 0) return false;
    // What is wrong is told first.
    if (!findingsAt(program.now->trace, program.path, program.line).empty()) return false;
    const LineCosts costs = costsOfLine(*launch, program.path, program.line);
    if (worstAccessOfLine(*launch, program.path, program.line)) return false;
    const bool asks = costs.global.requests + costs.shared.requests != 0;
    return std::ranges::any_of(launch->lines, [&](const ProgramLine& one) {
        return one.source == Source::predicted && one.kind == AccessKind::branch &&
               one.divergent != 0 && !(one.isGuard && asks) && one.place.line == program.line &&
               sameFile(one.place.file, program.path);
    });
}

/// What was found at the chosen line in the chosen launch, each with the thread that did it.
std::vector<const Finding*> foundAtLine(const ProgramState& program) {
    const LaunchReport* const launch = chosenLaunch(program);
    if (launch == nullptr || program.line == 0) return {};
    std::vector<const Finding*> found = findingsHere(program);
    std::erase_if(found, [&](const Finding* one) {
        return one->launch != launch->index || !one->block || !one->thread;
    });
    return found;
}

/// The array whose accesses in the chosen line cost most beyond their best, in the launch that the
/// steps are of; empty where none do.
std::string costliestArray(const ProgramSteps& steps, const ProgramState& program) {
    const std::vector<LaunchReport>& all = steps.place.version->trace.launches;
    const auto launch = std::ranges::find(all, steps.place.launch, &LaunchReport::index);
    if (launch == all.end()) return {};
    const auto worst = worstAccessOfLine(*launch, program.path, program.line);
    return worst ? worst->array : std::string();
}

/// The steps, where they are there.
const BlockSteps* stepsOf(const AppState& state) {
    const ProgramSteps* const shown = shownSteps(state);
    return shown == nullptr ? nullptr : shown->steps.get();
}

/// Of the warps of the block that is shown, the one whose access to the chosen line, of the kind
/// whose cost is looked at, takes most beyond its best; its step there.
std::optional<std::pair<WarpRank, std::size_t>> dearestStep(const AppState& state) {
    const BlockSteps* const steps = stepsOf(state);
    const auto kind = state.program.costs;
    std::optional<std::pair<WarpRank, std::size_t>> dearest;
    std::uint64_t most = 0;
    if (steps == nullptr || !kind) return dearest;
    WarpPlace place = warpInFocus(state);
    for (place.warp.value = 0; place.warp.value < steps->warps.size(); ++place.warp.value) {
        const WarpTrace warp = traceWarp(place);
        for (std::size_t at = 0; at < warp.steps.size(); ++at) {
            const WarpStep& step = warp.steps[at];
            if (step.kind != *kind || step.line != state.program.line) continue;
            const LineCost cost = costOf(step);
            const std::uint64_t waste = step.kind == StepKind::branch
                                            ? (step.taken != 0 && step.taken != step.active ? 1 : 0)
                                        : step.isAtomic() ? cost.sameAddress
                                                          : wasteOf(step.kind, cost);
            if (dearest && waste <= most) continue;
            dearest = {place.warp, at};
            most = waste;
        }
    }
    return dearest;
}

/// A alone, B alone, both.
void movePart(AppState& state, std::int64_t steps) {
    const auto last = static_cast<std::int64_t>(PairPart::both);
    const std::int64_t next = static_cast<std::int64_t>(state.present.part) + steps;
    if (next < 0) return report(state, MessageKind::note, "A alone is the first; Esc ends.");
    if (next > last) return report(state, MessageKind::note, "A against B is the last; Esc ends.");
    state.present.part = static_cast<PairPart>(next);
}

}  // namespace

Timeline::Timeline(const AppState& state) : trace_(shownTrace(state)) {
    if (trace_ == nullptr || trace_->steps.empty()) return;
    const auto& [array, step] = std::tie(state.view.array, state.view.step);
    if (array && *array < trace_->byArray.size()) only_ = &trace_->byArray[*array];
    if (size() == 0) return;
    const std::size_t wanted = step ? *step : only_ == nullptr ? firstTelling(*trace_) : 0;
    const std::size_t at =
        only_ == nullptr
            ? wanted
            : static_cast<std::size_t>(std::ranges::lower_bound(*only_, wanted) - only_->begin());
    position_ = std::min(at, size() - 1);
}

std::size_t Timeline::size() const {
    if (trace_ == nullptr) return 0;
    return only_ == nullptr ? trace_->steps.size() : only_->size();
}

std::size_t Timeline::stepAt(std::size_t position) const {
    return only_ == nullptr ? position : only_->at(position);
}

const WarpStep* stepShown(const AppState& state) {
    const Timeline timeline(state);
    return timeline.size() == 0 ? nullptr
                                : &shownTrace(state)->steps[timeline.stepAt(timeline.position())];
}

void showPosition(AppState& state, std::size_t position) {
    const Timeline timeline(state);
    if (timeline.size() == 0) return;
    state.view.step = timeline.stepAt(std::min(position, timeline.size() - 1));
}

void moveOn(AppState& state, std::int64_t steps) {
    if (presentsPair(state)) return movePart(state, steps);
    const Timeline timeline(state);
    if (timeline.size() == 0) return;
    const auto count = static_cast<std::int64_t>(timeline.size());
    const auto next = static_cast<std::int64_t>(timeline.position()) + steps % count;
    // On a slide nobody sees that the steps begin again.
    if (state.view.mode == Mode::present && (next < 0 || next >= count))
        return report(state, MessageKind::note,
                      next < 0 ? "That is the first step." : "That is the last step.");
    showPosition(state, static_cast<std::size_t>((next + count) % count));
}

void togglePlay(AppState& state) {
    const Timeline timeline(state);
    Playback& playback = state.playback;
    playback.due = 0;
    playback.playing = !playback.playing && timeline.size() > 1;
    if (playback.playing && timeline.position() + 1 == timeline.size()) showPosition(state, 0);
}

void passTime(AppState& state, double seconds) {
    Playback& playback = state.playback;
    // Written so that what is no number passes as no time.
    if (!playback.playing || !(seconds > 0)) return;
    const Timeline timeline(state);
    // While another warp is traced, time stands still.
    if (timeline.size() == 0) return;
    // After a standstill of the whole program steps are not made up for.
    playback.due += std::min(seconds, 1.0) * playback.stepsPerSecond;
    const double steps = std::floor(playback.due);
    playback.due -= steps;
    const std::size_t next = timeline.position() + static_cast<std::size_t>(steps);
    if (next + 1 >= timeline.size()) playback = {false, playback.stepsPerSecond, 0};
    if (steps > 0) showPosition(state, next);
}

std::optional<double> secondsToNextStep(const AppState& state) {
    const Playback& playback = state.playback;
    if (!playback.playing) return std::nullopt;
    return (1 - playback.due) / playback.stepsPerSecond;
}

std::optional<StepsPlace> wantedSteps(const AppState& state) {
    const LaunchReport* const launch = chosenLaunch(state.program);
    if (!showsProgram(state) || launch == nullptr || !launch->traced ||
        launch->launch.grid != state.view.experiment.launch.grid ||
        launch->launch.block != state.view.experiment.launch.block) {
        return std::nullopt;
    }
    return StepsPlace{state.program.path, state.program.now, launch->index, state.view.block,
                      state.program.wishes};
}

const ProgramSteps* shownSteps(const AppState& state) {
    const ProgramSteps* const steps = state.program.steps.get();
    return steps != nullptr && wantedSteps(state) == steps->place ? steps : nullptr;
}

StepSubjects shownSubjects(const AppState& state) {
    const WarpPlace place = warpInFocus(state);
    return showsProgram(state) && place.program == nullptr ? StepSubjects{} : subjectsOf(place);
}

void takeSteps(AppState& state, std::shared_ptr<const ProgramSteps> steps) {
    if (steps == nullptr || wantedSteps(state) != steps->place) return;
    // The picture follows what the text says of another version's line.
    const auto last = std::exchange(state.program.steps, std::move(steps));
    if (last && last->place.version != state.program.steps->place.version &&
        costliestArray(*last, state.program) != costliestArray(*state.program.steps, state.program))
        state.view.step.reset();
    const bool isChosen = state.view.step.has_value();
    showLine(state);
    std::uint32_t line = lineWithoutStep(state);
    if (line == 0 && !isChosen && isAboutDivergence(state.program) && divergingWarps(state).empty())
        line = state.program.line;
    if (line == 0 && !isChosen && state.program.costs && !dearestStep(state))
        line = state.program.line;
    if (line == 0) return;
    const LaunchReport& launch = *chosenLaunch(state.program);
    const std::uint64_t blocks = launch.launch.grid.count();
    const std::array<std::uint64_t, mostBlocksTried> others{blocks / 2, blocks - 1, 1};
    std::uint32_t& tried = state.program.blocksTried;
    if (blocks > 1 && tried < others.size() &&
        !costsOfLine(launch, state.program.path, line).empty()) {
        state.view.block = blockIndexInGrid(others.at(tried++), launch.launch.grid);
        state.view.step.reset();
    }
}

void showFoundBlock(AppState& state) {
    const std::vector<const Finding*> found = foundAtLine(state.program);
    const auto isShown = [&](const Finding* one) { return one->block == state.view.block; };
    if (!found.empty() && std::ranges::none_of(found, isShown))
        takeView(state, {.block = found.front()->block});
}

std::vector<std::uint32_t> divergingWarps(const AppState& state) {
    std::vector<std::uint32_t> found;
    const BlockSteps* const steps = stepsOf(state);
    for (std::uint32_t warp = 0; steps != nullptr && warp < steps->warps.size(); ++warp) {
        if (stepOn(*steps, {warp}, state.program.line, 0, diverges)) found.push_back(warp);
    }
    return found;
}

void showLine(AppState& state) {
    // Where no line stands out it is that of the first request.
    if (const BlockSteps* const taken = stepsOf(state);
        taken != nullptr && state.program.line == 0) {
        const std::uint32_t warp = warpInFocus(state).warp.value;
        if (warp < taken->warps.size()) {
            const std::vector<BlockStep>& all = taken->warps[warp].steps;
            const auto first = std::ranges::find_if(all, asksMemory);
            if (first != all.end()) state.program.line = lineOf(*taken, *first);
        }
    }
    state.view.step ? keepLine(state) : showStepOfLine(state);
}

namespace {

bool isOnLine(const BlockSteps& steps, WarpRank warp, std::size_t step, std::uint32_t line) {
    if (warp.value >= steps.warps.size()) return false;
    const std::vector<BlockStep>& all = steps.warps[warp.value].steps;
    return step < all.size() && lineOf(steps, all[step]) == line;
}

/// The warp of the thread that was found to be wrong there, else the first that diverges where the
/// one in focus does not; the one in focus where neither is of this block.
void showWarpOfLine(AppState& state, const BlockSteps& steps) {
    std::vector<std::uint32_t> telling;
    for (const Finding* one : foundAtLine(state.program)) {
        if (*one->block != steps.block) continue;
        const Extents block = state.view.experiment.launch.block;
        telling.push_back(warpRankInBlock(threadRankInBlock(*one->thread, block)).value);
    }
    if (telling.empty() && isAboutDivergence(state.program)) telling = divergingWarps(state);
    const std::uint32_t focus = warpInFocus(state).warp.value;
    if (!telling.empty() && std::ranges::find(telling, focus) == telling.end() &&
        stepOn(steps, {telling.front()}, state.program.line, 0))
        state.view.warp = WarpRank{telling.front()};
}

/// The warp's step on the line that a finding is about: of its array, where there is one the
/// access that its words name, first one that faults.
std::optional<std::size_t> stepOfFinding(const BlockSteps& steps, WarpRank warp, std::uint32_t line,
                                         const Finding& finding) {
    const std::string array(arrayOf(finding));
    // To a barrier those come that go into the branch before it.
    if (finding.kind == FindingKind::barrierMismatch && warp.value < steps.warps.size()) {
        const std::vector<BlockStep>& all = steps.warps[warp.value].steps;
        std::optional<std::size_t> last;
        for (std::size_t at = 0; at < all.size(); ++at) {
            const std::uint32_t of = lineOf(steps, all[at]);
            if (diverges(all[at]) && of != 0 && of <= line) last = at;
        }
        return last;
    }
    if (array.empty()) return std::nullopt;
    const auto isOfIt = [&](const BlockStep& step) {
        return step.kind != StepKind::branch && isAt(steps, step, array);
    };
    const std::string_view words = finding.words;
    const auto isNamed = [&](const BlockStep& step) {
        const bool isOther = words.starts_with("load from") ? isStore(step.kind)
                             : words.starts_with("store to")
                                 ? !isStore(step.kind)
                                 : words.starts_with("atomic on") && !isAtomic(step.kind);
        return isOfIt(step) && !isOther;
    };
    auto own = stepOn(steps, warp, line, 0,
                      [&](const BlockStep& step) { return isNamed(step) && step.refused != 0; });
    if (!own) own = stepOn(steps, warp, line, 0, isNamed);
    return own ? own : stepOn(steps, warp, line, 0, isOfIt);
}

}  // namespace

void showStepOfLine(AppState& state) {
    const BlockSteps* const steps = stepsOf(state);
    const std::uint32_t line = state.program.line;
    // What a warp asks of memory is what it is looked at for.
    const bool isFirst = !state.view.step;
    const std::size_t from = isFirst ? 0 : *state.view.step + 1;
    const WarpRank before = warpInFocus(state).warp;
    const bool isOther = steps != nullptr && (isFirst || !isOnLine(*steps, before, from - 1, line));
    state.view.array.reset();
    state.view.step.reset();
    if (steps == nullptr || line == 0) return;
    if (const auto dearest = isFirst ? dearestStep(state) : std::nullopt) {
        state.view.warp = dearest->first;
        state.view.step = dearest->second;
        return;
    }
    // Of a line that is come to, the warp that does what is told of it.
    if (isOther) showWarpOfLine(state, *steps);
    const WarpRank warp = warpInFocus(state).warp;
    std::optional<std::size_t> own;
    if (isOther && isAboutDivergence(state.program)) own = stepOn(*steps, warp, line, 0, diverges);
    if (own) {
        state.view.step = *own;
        return;
    }
    if (isFirst) {
        // And of that, what makes the line a bad one.
        const LaunchReport& launch = *chosenLaunch(state.program);
        const auto worst = worstAccessOfLine(launch, state.program.path, line);
        const std::uint64_t waste = worst ? wasteOf(worst->kind, *worst) : 0;
        const LineCosts costs = costsOfLine(launch, state.program.path, line);
        // What is wrong comes before what costs.
        for (const Finding* finding : findingsHere(state.program)) {
            if (!own) own = stepOfFinding(*steps, warp, line, *finding);
        }
        if (own) {
            state.view.step = *own;
            return;
        }
        if (wasteOf(StepKind::constantLoad, costs.constant) > waste) {
            const ProgramLine& most = worstOf(costs.constantParts);
            own = stepOn(*steps, warp, line, 0, [&](const BlockStep& step) {
                return step.kind == StepKind::constantLoad && isAt(*steps, step, most.array);
            });
        } else if (worst) {
            own = stepOn(*steps, warp, line, 0, [&](const BlockStep& step) {
                return worst->kind == step.kind && isAt(*steps, step, worst->array);
            });
        }
        if (!own) own = stepOn(*steps, warp, line, 0, asksMemory);
        if (!own) {
            own = stepOn(*steps, warp, line, 0,
                         [](const BlockStep& step) { return step.kind != StepKind::branch; });
        }
    }
    if (!own) own = stepOn(*steps, warp, line, from);
    if (own) {
        state.view.step = *own;
        return;
    }
    for (std::uint32_t other = 0; other < steps->warps.size(); ++other) {
        if (const auto at = stepOn(*steps, {other}, line, 0)) {
            state.view.warp = WarpRank{other};
            state.view.step = *at;
            return;
        }
    }
}

std::uint32_t lineWithoutStep(const AppState& state) {
    const BlockSteps* const steps = stepsOf(state);
    const std::uint32_t line = state.program.line;
    if (steps == nullptr || state.view.step || state.view.array) return 0;
    for (std::uint32_t warp = 0; warp < steps->warps.size(); ++warp) {
        if (stepOn(*steps, {warp}, line, 0)) return 0;
    }
    return line;
}

void keepLine(AppState& state) {
    const BlockSteps* const steps = stepsOf(state);
    if (steps == nullptr || state.program.line == 0) return;
    const WarpRank warp = warpInFocus(state).warp;
    const std::size_t now = state.view.step.value_or(0);
    if (const auto at = stepOn(*steps, warp, state.program.line, now)) {
        state.view.step = *at;
    }
}

void followStep(AppState& state) {
    if (!showsProgram(state) || state.pointed || !state.view.step) return;
    const WarpStep* const step = stepShown(state);
    if (step == nullptr || step->line == 0) return;
    // Of a barrier that not all reach it is the branch before it.
    const bool isOfBarrier =
        std::ranges::any_of(foundAtLine(state.program), [&](const Finding* finding) {
            return finding->kind == FindingKind::barrierMismatch &&
                   step->kind == StepKind::branch && step->line <= state.program.line;
        });
    if (!isOfBarrier) state.program.line = step->line;
}

std::optional<ShownLaunch> shownLaunch(const AppState& state) {
    const LaunchReport* const launch = chosenLaunch(state.program);
    if (!showsProgram(state) || launch == nullptr) return std::nullopt;
    const ProgramSteps* const steps = shownSteps(state);
    const ProgramResult* const result = resultOfChosen(state.program);
    return ShownLaunch{.path = state.program.path,
                       .version = state.program.now,
                       .launch = launch->index,
                       .steps = steps == nullptr ? nullptr : steps->steps,
                       .measured = result == nullptr ? nullptr : result->measurement,
                       .warp = state.view.warp,
                       .step = state.view.step,
                       .line = state.program.line};
}

std::optional<ShownLaunch> launchHeldAgainst(const AppState& state) {
    const std::optional<ShownLaunch>& pinned = state.pinnedProgram;
    const bool isShown =
        pinned && pinned->version == state.program.now && pinned->launch == state.program.launch;
    return isShown ? std::nullopt : pinned;
}

std::optional<std::array<std::uint32_t, 32>> lanesAtStep(const AppState& state) {
    const BlockSteps* const steps = stepsOf(state);
    const WarpStep* const shown = stepShown(state);
    if (steps == nullptr || shown == nullptr) return std::nullopt;
    const WarpRank focus = warpInFocus(state).warp;
    const auto at = static_cast<std::size_t>(shown - shownTrace(state)->steps.data());
    const std::vector<BlockStep>& own = steps->warps[focus.value].steps;
    const auto isSame = [&](const BlockStep& step) {
        return step.place == own[at].place && step.kind == own[at].kind &&
               step.subject == own[at].subject;
    };
    // In a loop a warp comes to it again and again, each time with those of its lanes that are
    // left.
    const auto before = std::ranges::count_if(std::span(own).first(at), isSame);
    std::array<std::uint32_t, 32> lanes{};
    for (std::size_t warp = 0; warp < std::min(lanes.size(), steps->warps.size()); ++warp) {
        std::ptrdiff_t times = 0;
        const std::vector<BlockStep>& all = steps->warps[warp].steps;
        const auto step = std::ranges::find_if(
            all, [&](const BlockStep& one) { return isSame(one) && times++ == before; });
        if (step != all.end()) lanes.at(warp) = step->active | step->refused;
    }
    return lanes;
}

}  // namespace warplens::window
