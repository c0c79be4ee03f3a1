#include "app/window/state/palette.h"

#include <functional>
#include <map>
#include <set>

#include "app/drawing/elements.h"
#include "app/lessons/library.h"
#include "app/window/state/actions.h"
#include "app/window/state/apply.h"
#include "core/launch/mapping.h"
#include "core/text/encoding.h"
#include "core/text/format.h"

namespace warplens::window {

namespace {

std::string lowered(std::string_view text) {
    std::string small(text);
    for (char& c : small) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return small;
}

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           (static_cast<unsigned char>(c) & 0x80);
}

bool beginsWord(const std::string& text, std::size_t at) {
    return at == 0 || !isLetter(text[at - 1]);
}

/// Whether the letters are beginnings of words, in their order; `at` is where the first stands.
bool isAbbreviated(const std::string& word, const std::string& text, std::size_t at) {
    for (std::size_t i = 1; i < word.size(); ++i) {
        std::size_t next = at + 1;
        while (next < text.size() &&
               (text[next] != word[i] || (next != at + 1 && !beginsWord(text, next)))) {
            ++next;
        }
        if (next == text.size()) return false;
        at = next;
    }
    return true;
}

std::optional<int> abbreviation(const std::string& word, const std::string& text) {
    constexpr int score = 20;
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
        if (text[begin] == word[0] && beginsWord(text, begin) && isAbbreviated(word, text, begin)) {
            return score;
        }
    }
    return std::nullopt;
}

std::optional<int> scoreOf(const std::string& word, const std::string& text) {
    std::optional<int> best;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const bool isWord = at + word.size() == text.size() || !isLetter(text[at + word.size()]);
        const int score = (at == 0 ? 100 : beginsWord(text, at) ? 80 : 50) + (isWord ? 10 : 0);
        best = std::max(best.value_or(0), score);
    }
    return best ? best : abbreviation(word, text);
}

/// Found by what they are called before what is only about them.
constexpr int called = 1000;

struct Scored final {
    int score = 0;
    PaletteEntry entry;
};

/// What is done many times over, and what ends the palette itself.
bool isMeantForKeys(Act act) {
    constexpr std::array only{Act::moveLeft,  Act::moveRight,  Act::moveUp,  Act::moveDown,
                              Act::turnLeft,  Act::turnRight,  Act::turnUp,  Act::turnDown,
                              Act::blockLeft, Act::blockRight, Act::blockUp, Act::blockDown,
                              Act::palette,   Act::back,       Act::slideOn, Act::slideBack,
                              Act::slideSpace};
    return std::ranges::find(only, act) != only.end();
}

std::vector<std::string> wordsOf(std::string text) {
    std::ranges::replace(text, '=', ' ');
    std::vector<std::string> words;
    for (std::size_t at = text.find_first_not_of(' '); at != std::string::npos;) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        words.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(' ', end);
    }
    return words;
}

/// `7x3x5`, `7 3 5`, `7,3,5`.
std::optional<Extents> extentsIn(std::span<const std::string> words) {
    std::string typed = joined(words, ",");
    std::ranges::replace(typed, '*', 'x');
    const auto read = parseExtents("", typed);
    const auto* const extents = std::get_if<Extents>(&read);
    return extents == nullptr ? std::nullopt : std::optional(*extents);
}

/// A launch as one types it: `<<<(n+255)/256, dim3(16, 16)>>>`, of which numbers are taken, also as
/// the list of launches has them, `<<<(4, 2), (16, 16)>>>`, `block
/// 16x16 grid 4x2`, `7x3x5` and `7x3x5 grid 4` of a block.
SetLaunch launchIn(const std::string& typed) {
    SetLaunch launch;
    if (const std::size_t code = typed.find("<<<"); code != typed.npos) {
        std::array<std::string, 2> parts;
        std::size_t part = 0;
        int depth = 0;
        for (const char c : typed.substr(code + 3, typed.find(">>>", code) - code - 3)) {
            depth += (c == '(') - (c == ')');
            if (c == ',' && depth == 0 && ++part == parts.size()) break;
            if (c != ' ' && (c != ',' || depth != 0)) parts.at(part) += c;
        }
        for (std::string& text : parts) {
            const std::size_t open = text.starts_with("dim3(") ? 4 : 0;
            if (text.substr(open).starts_with('(') && text.ends_with(')'))
                text = text.substr(open + 1, text.size() - open - 2);
        }
        launch.grid = extentsIn({&parts[0], 1});
        launch.block = extentsIn({&parts[1], 1});
        return launch;
    }
    std::vector<std::string> words = wordsOf(lowered(typed));
    if (!words.empty() && words.front().find_first_of("x*,") != std::string::npos)
        words.insert(words.begin(), "block");
    const auto isName = [](const std::string& word) { return word == "block" || word == "grid"; };
    for (auto at = std::ranges::find_if(words, isName); at != words.end();) {
        const auto end = std::find_if(at + 1, words.end(), isName);
        (*at == "block" ? launch.block : launch.grid) = extentsIn({at + 1, end});
        at = end;
    }
    return launch;
}

/// `grid = 4,2 and block = 16,16: 8 blocks of 256 threads`.
std::string wordsOf(const SetLaunch& launch) {
    const std::string grid = launch.grid ? "grid = " + toString(*launch.grid) : "";
    const std::string block = launch.block ? "block = " + toString(*launch.block) : "";
    if (grid.empty() || block.empty()) return grid + block;
    return grid + " and " + block + ": " + counted(launch.grid->count(), "block") + " of " +
           counted(launch.block->count(), "thread");
}

/// What stands behind one of the names: `2,0,1`, `(2, 0, 1)`, `5`.
std::optional<Index3> indexIn(const std::string& typed, std::span<const std::string_view> names) {
    std::string text = lowered(typed);
    const auto name =
        std::ranges::find_if(names, [&](std::string_view each) { return text.starts_with(each); });
    if (name == names.end() ||
        text.find_first_not_of("0123456789 ,()=x", name->size()) != text.npos)
        return std::nullopt;
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c < '0' || c > '9'; }, ' ');
    std::array<std::uint32_t, 3> index{};
    const std::vector<std::string> numbers = wordsOf(text);
    if (numbers.empty() || numbers.size() > index.size()) return std::nullopt;
    for (std::size_t at = 0; at < numbers.size(); ++at) {
        const auto number = wholeNumber<std::uint32_t>(numbers[at]);
        if (!number) return std::nullopt;
        index.at(at) = *number;
    }
    return Index3{index[0], index[1], index[2]};
}

/// `block (2,0,1)`, `blockIdx 5`: a block of the grid.
std::optional<Index3> blockIn(const std::string& typed) {
    constexpr std::array<std::string_view, 3> names{"blockidx", "block (", "block("};
    return indexIn(typed, names);
}
/// `thread 6,2,4`, `threadIdx 5`: a thread of its block; of one number beyond a row its rank.
std::optional<Index3> threadIn(const std::string& typed, const Extents& block) {
    constexpr std::array<std::string_view, 3> names{"threadidx", "thread ", "thread("};
    const std::optional<Index3> index = indexIn(typed, names);
    const bool isRank = index && index->x >= block.x && index->x < block.count() &&
                        typed.find_first_of(",x", typed.find_first_of("0123456789")) == typed.npos;
    return isRank ? threadIndexInBlock(ThreadRank{index->x}, block) : index;
}

bool isNumber(const std::string& word) {
    return !word.empty() && word.find_first_not_of("0123456789") == word.npos;
}

/// Chooses the line of the open file, in a launch that runs it where the one shown does not.
Commands toLine(const ProgramState& program, const ChooseProgramLine& chosen) {
    const auto isOnIt = [&](const LaunchReport& launch) {
        return std::ranges::any_of(launch.lines, [&](const ProgramLine& line) {
            return line.place.line == chosen.line && sameFile(line.place.file, program.path);
        });
    };
    const std::vector<LaunchReport>& launches = program.now->trace.launches;
    const auto launch = std::ranges::find_if(launches, isOnIt);
    const LaunchReport* const shown = chosenLaunch(program);
    if (launch == launches.end() || (shown != nullptr && isOnIt(*shown))) return {chosen};
    return {ChooseProgramLaunch{launch->index}, chosen};
}

/// What a line with a number sets or chooses: a launch, `set n=4096`, `n 4096`, `warp 3`, `line
/// 20`, `blockIdx 5`. Nothing where it is none, or where nothing has that name.
std::optional<PaletteEntry> settingOf(const AppState& state, const std::string& typed) {
    std::vector<std::string> words = wordsOf(typed);
    if (!words.empty() && lowered(words.front()) == "set") words.erase(words.begin());
    const auto entry = [](std::string does, Commands commands) {
        commands.emplace_back(FinishEdit{});
        return PaletteEntry{PaletteKind::command, std::move(does), {}, std::move(commands)};
    };
    const bool ofProgram = showsProgram(state);
    if (const std::optional<Index3> block = blockIn(typed)) {
        const Extents grid = state.view.experiment.launch.grid;
        if (block->x >= grid.x || block->y >= grid.y || block->z >= grid.z) return std::nullopt;
        return entry("Select block " + toText(*block) + " of the grid", {ChooseBlock{*block}});
    }
    const Extents block = state.view.experiment.launch.block;
    if (const std::optional<Index3> thread = threadIn(typed, block)) {
        if (thread->x >= block.x || thread->y >= block.y || thread->z >= block.z)
            return std::nullopt;
        const ThreadRank rank = threadRankInBlock(*thread, block);
        const WarpRank warp = warpRankInBlock(rank);
        return entry("Select warp " + std::to_string(warp.value) + ", whose lane " +
                         std::to_string(rank.value % lanesPerWarp) + " is thread " +
                         toText(*thread),
                     {HoldThread{*thread}});
    }
    SetLaunch launch = launchIn(typed);
    Commands wishes;
    if (ofProgram) {
        SetLaunch taken;
        for (const ProposedValue& value : proposedForChosen(state.program)) {
            const bool isNumber = value.kind == ProposedKind::number && words.size() == 2 &&
                                  value.name == words.front();
            if (isNumber)
                return entry(
                    words[0] + " = " + words[1],
                    {WishForProgram{{.kind = value.kind, .name = value.name, .value = words[1]}}});
            if (value.kind != ProposedKind::block && value.kind != ProposedKind::grid) continue;
            const bool isBlock = value.kind == ProposedKind::block;
            const auto& extents = isBlock ? launch.block : launch.grid;
            if (!extents) continue;
            (isBlock ? taken.block : taken.grid) = extents;
            wishes.emplace_back(WishForProgram{
                {.kind = value.kind, .name = value.name, .value = toString(*extents)}});
        }
        launch = taken;
    } else {
        wishes.emplace_back(launch);
    }
    if (launch.grid || launch.block) return entry(wordsOf(launch), std::move(wishes));
    if (words.size() != 2) return std::nullopt;
    if (!ofProgram && state.edit.experiment.arguments.contains(words[0]))
        return entry(words[0] + " = " + words[1], {EnterNumber{words[0], words[1]}});
    const std::string name = lowered(words[0]);
    const auto index = extentsIn({&words[1], 1});
    if (!index || index->y != 1 || index->z != 1) return std::nullopt;
    if (name == "warp" && index->x < warpCountPerBlock(state.view.experiment.launch.block)) {
        return entry("Select warp " + std::to_string(index->x), {Show{.warp = WarpRank{index->x}}});
    }
    if (name == "registers") {
        SmView sm = state.sm;
        sm.registers = index->x;
        return entry("Registers per thread = " + words[1],
                     {Show{.picture = PictureKind::slots}, SetSmView{sm}});
    }
    if (name == "line" && ofProgram && state.program.now && index->x != 0 &&
        index->x <= state.program.now->lines.size()) {
        return entry("Line " + std::to_string(index->x), toLine(state.program, {index->x}));
    }
    return std::nullopt;
}

/// Of a number alone all that have such a one.
std::vector<PaletteEntry> settingsOf(const AppState& state) {
    const std::string number(trimmed(state.palette.typed));
    std::vector<PaletteEntry> all;
    for (const char* const name : {"", "line ", "block ", "grid ", "warp ", "blockIdx "}) {
        if (isNumber(number) == (*name == 0)) continue;
        if (auto entry = settingOf(state, name + number);
            entry && !isLocked(state, entry->commands.front()))
            all.push_back(*std::move(entry));
    }
    return all;
}

}  // namespace

std::optional<int> matchScore(std::string_view typed, std::string_view text) {
    const std::string wanted = lowered(typed);
    const std::string there = lowered(text);
    int sum = 0;
    for (std::size_t at = 0; at < wanted.size();) {
        const std::size_t begin = wanted.find_first_not_of(' ', at);
        if (begin == std::string::npos) break;
        at = std::min(wanted.find(' ', begin), wanted.size());
        const auto score = scoreOf(wanted.substr(begin, at - begin), there);
        if (!score) return std::nullopt;
        sum += *score;
    }
    return sum;
}

std::string whyNothing(const AppState& state) {
    const std::vector<std::string> words = wordsOf(lowered(state.palette.typed));
    const auto named = [&](std::string_view name) {
        return words.size() > 1 && words.front() == name &&
               words[1].find_first_not_of("0123456789x,") == std::string::npos;
    };
    const ProgramState& program = state.program;
    const bool ofProgram = showsProgram(state);
    if (named("warp"))
        return "warps 0 to " +
               std::to_string(warpCountPerBlock(state.view.experiment.launch.block) - 1);
    if (blockIn(state.palette.typed)) {
        const Extents grid = state.view.experiment.launch.grid;
        return "blocks (0, 0, 0) to " + toText(Index3{grid.x - 1, grid.y - 1, grid.z - 1});
    }
    const Extents block = state.view.experiment.launch.block;
    if (threadIn(state.palette.typed, block)) {
        return "threads (0, 0, 0) to " + toText(Index3{block.x - 1, block.y - 1, block.z - 1});
    }
    if (ofProgram && program.now && named("line"))
        return "lines 1 to " + std::to_string(program.now->lines.size());
    const SetLaunch launch = launchIn(state.palette.typed);
    if (ofProgram && (launch.grid || launch.block)) return std::string(ownLaunches);
    for (const std::string_view name : {"grid", "block"}) {
        const bool isNumbered = words.size() > 1 && words.front() == name && isNumber(words.back());
        if (!isNumbered) continue;
        const LaunchLimits limits;
        const std::string most = "a launch has at most " +
                                 (name == "grid" ? toString(limits.grid) + " blocks"
                                                 : toString(limits.block) + " threads a block") +
                                 " along x, y and z";
        return ofProgram ? most : most + ", typed as " + std::string(name) + " 4,2,3";
    }
    if (state.palette.typed.find("<<<") != std::string::npos)
        return "a launch is typed in numbers: <<<120, 256>>>, <<<dim3(4,2), dim3(16,16)>>>";
    if (words.size() == 1 && isNumber(words[0]))
        return "no line, launch, warp or block has that number";
    if (ofProgram && !words.empty() && words.front() == "apply" && wantedRemedies(program) &&
        ofNow(program.remedies, program) == nullptr)
        return "remedies are being tried";
    return "nothing is called so";
}

std::string aboutLesson(const Lesson& lesson) {
    std::string about = lesson.id + ' ' + std::string(groupTitle(lesson.group));
    for (const std::string& word : lesson.words) about += ' ' + word;
    for (const auto& [name, launch] : lesson.launches) {
        about += ' ' + std::string(scenarioNamed(launch.scenario).title);
    }
    return about;
}

bool isAbout(const Lesson& lesson, const std::string& typed) {
    if (matchScore(typed, lesson.title + ' ' + aboutLesson(lesson))) return true;
    const auto isIn = [](const std::string& wanted, const std::string& text) {
        const std::string all = lowered(text);
        for (std::size_t at = all.find(wanted); at != all.npos; at = all.find(wanted, at + 1)) {
            if (beginsWord(all, at)) return true;
        }
        return false;
    };
    const auto isSaid = [&](const std::string& word) {
        constexpr std::size_t shortest = 4;
        const auto says = [&](const std::string& text) { return isIn(lowered(word), text); };
        const auto inTable = [&](const LessonTable& table) {
            return std::ranges::any_of(
                table.rows, [&](const auto& row) { return std::ranges::any_of(row, says); });
        };
        return word.size() >= shortest &&
               (std::ranges::any_of(lesson.look, says) ||
                std::ranges::any_of(lesson.conclude, says) ||
                std::ranges::any_of(lesson.steps,
                                    [&](const LessonStep& step) { return says(step.see); }) ||
                std::ranges::any_of(lesson.tables, inTable));
    };
    const std::vector<std::string> words = wordsOf(typed);
    return !words.empty() && std::ranges::all_of(words, isSaid);
}

std::vector<const Lesson*> lessonsFound(const std::string& typed) {
    std::vector<const Lesson*> found;
    for (const Lesson& lesson : builtInLessons().lessons) {
        if (isAbout(lesson, typed)) found.push_back(&lesson);
    }
    std::ranges::stable_sort(found, std::greater<>(), [&](const Lesson* lesson) {
        return matchScore(typed, lesson->title).value_or(-1);
    });
    return found;
}

std::string_view toString(PaletteKind kind) {
    constexpr std::array<std::string_view, 7> words{"",       "scenario", "lesson", "file",
                                                    "launch", "finding",  "remedy"};
    return words.at(static_cast<std::size_t>(kind));
}

/// Of the open program the files that lines of its launches stand in, and the first such launch.
static std::map<std::string, std::uint32_t> otherFilesOf(const AppState& state) {
    std::map<std::string, std::uint32_t> files;
    if (!showsProgram(state) || !state.program.now) return files;
    for (const LaunchReport& launch : state.program.now->trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            const std::string& file = line.place.file;
            if (!file.empty() && !sameFile(file, state.program.path) && files.size() < 100)
                files.try_emplace(file, launch.index);
        }
    }
    return files;
}

/// Each at the line of the file that it is for.
static void offerRemedies(const AppState& state,
                          const std::function<void(PaletteEntry, const std::string&)>& offer) {
    const ProgramState& program = state.program;
    const ProgramRemedies* const found = ofNow(program.remedies, program);
    if (found == nullptr) return;
    for (std::size_t at = 0; at < found->tried.size(); ++at) {
        const TriedRemedy& tried = found->tried[at];
        const auto isHere = [&](const SourcePlace& place) {
            return place.line != 0 && sameFile(place.file, program.path);
        };
        const auto place = std::ranges::find_if(tried.places, isHere);
        if (place == tried.places.end()) continue;
        offer({PaletteKind::remedy,
               "Line " + std::to_string(place->line) + ": " + wordsOf(tried),
               {},
               toLine(program, {place->line, at})},
              "remedy fix apply");
    }
}

std::optional<int> namedScore(std::string_view typed, const std::string& name,
                              const std::string& about) {
    if (const auto score = matchScore(typed, name)) return called + *score;
    return matchScore(typed, name + ' ' + about);
}

std::vector<PaletteEntry> paletteEntries(const AppState& state) {
    const std::string& typed = state.palette.typed;
    std::vector<Scored> found;
    const auto offer = [&](PaletteEntry entry, const std::string& about) {
        if (const auto score = namedScore(typed, entry.words, about))
            found.push_back({*score, std::move(entry)});
    };
    const std::string wanted = lowered(trimmed(typed));
    for (const Action& action : allActions()) {
        if (isMeantForKeys(action.act) || !isPossible(state, action)) continue;
        PaletteEntry entry{PaletteKind::command,
                           std::string(action.does),
                           keysOf(action),
                           {action.command(state)}};
        // By the very word on its button, or its key.
        const KeyPress& press = action.presses.front();
        const bool isItsKey = press.key != 0 && !press.control && !press.shift &&
                              wanted == lowered(std::string(1, static_cast<char>(press.key)));
        if (isItsKey || (!wanted.empty() && wanted == lowered(action.label)))
            found.push_back({2 * called, std::move(entry)});
        else
            offer(std::move(entry),
                  std::string(action.label) + ' ' + std::string(titleOf(action.group)));
    }
    for (const Scenario& scenario : allScenarios()) {
        Commands commands;
        if (state.present.lesson) commands.emplace_back(SetMode{Mode::learn});
        if (tellsLesson(state)) commands.emplace_back(SetMode{Mode::explore});
        commands.emplace_back(ChooseScenario{std::string(scenario.id)});
        offer({PaletteKind::scenario, std::string(scenario.title), {}, std::move(commands)},
              std::string(scenario.id) + ' ' + std::string(groupTitle(scenario.group)));
    }
    for (const Lesson& lesson : builtInLessons().lessons) {
        const bool isSaid = isAbout(lesson, typed);
        offer({PaletteKind::lesson, lesson.title, {}, {OpenLesson{lesson.id}}},
              aboutLesson(lesson) + " lesson " + (isSaid ? typed : ""));
    }
    if (showsProgram(state) && state.program.now) {
        const ProgramTrace& trace = state.program.now->trace;
        std::set<std::string> kernels;
        for (const LaunchReport& launch : trace.launches) {
            const std::string name = "Launch " + std::to_string(launch.index);
            PaletteEntry entry{PaletteKind::launch,
                               name + ": " + launch.kernel + ' ' + launchText(launch.launch),
                               {},
                               {ChooseProgramLaunch{launch.index}}};
            // Its number before those of its grid and block.
            if (joined(wordsOf(lowered(typed)), " ") == lowered(name) ||
                wanted == std::to_string(launch.index)) {
                found.push_back({4 * called, std::move(entry)});
                continue;
            }
            // A kernel of the file, by its first launch, before scenarios and lessons called so.
            constexpr std::size_t shortest = 3;
            if (const auto score =
                    typed.size() < shortest ? std::nullopt : matchScore(typed, launch.kernel);
                score && kernels.insert(launch.kernel).second)
                found.push_back({2 * called + *score, std::move(entry)});
            else
                offer(std::move(entry), launch.kernel + " kernel launch");
        }
        for (std::size_t i = 0; i < trace.findings.size(); ++i) {
            const Finding& finding = trace.findings[i];
            offer({PaletteKind::finding,
                   "Line " + std::to_string(finding.place.line) + ": " + finding.words,
                   {},
                   {ShowFinding{i}}},
                  "finding " + std::string(toString(finding.kind)));
        }
        offerRemedies(state, offer);
    }
    // By its name before whatever else is called so.
    bool isOfProgram = false;
    for (const auto& [path, launch] : otherFilesOf(state)) {
        constexpr std::size_t shortest = 3;
        const auto score = matchScore(typed, std::filesystem::path(path).filename().string());
        PaletteEntry entry{PaletteKind::file, path, {}, {OpenProgram{path, launch}}};
        if (typed.size() >= shortest && score) {
            found.push_back({3 * called + *score, std::move(entry)});
            isOfProgram = true;
        } else {
            offer(std::move(entry), "file of this program");
        }
    }
    const auto open = [&](const std::string& path) -> Commands {
        if (state.view.mode == Mode::explore) return {OpenProgram{path}};
        return {SetMode{Mode::explore}, OpenProgram{path}};
    };
    std::string path(trimmed(typed));
    if (wanted.starts_with("open ")) path = trimmed(path.substr(wanted.find(' ')));
    const auto isListed = [&](const std::vector<std::string>& files) {
        return std::ranges::find(files, path) != files.end();
    };
    if (std::error_code none; path.ends_with(".cu") && !isListed(state.palette.files) &&
                              !isListed(state.recent) &&
                              (!isOfProgram || std::filesystem::is_regular_file(path, none))) {
        found.push_back({3 * called, {PaletteKind::file, "Open " + path, {}, open(path)}});
    }
    for (const std::string& file : state.palette.files) {
        offer({PaletteKind::file, file, {}, open("./" + file)}, "file open");
    }
    std::error_code unknown;
    const std::string here = (std::filesystem::current_path(unknown) / "").string();
    for (const std::string& file : state.recent) {
        if (file.starts_with(here) &&
            std::ranges::find(state.palette.files, file.substr(here.size())) !=
                state.palette.files.end())
            continue;  // offered by its shorter name
        offer({PaletteKind::file, file, {}, open(file)}, "file open recent");
    }
    for (PaletteEntry& setting : settingsOf(state))
        found.push_back({4 * called, std::move(setting)});
    std::ranges::stable_sort(found, std::ranges::greater{}, &Scored::score);
    std::vector<PaletteEntry> entries;
    entries.reserve(found.size());
    for (Scored& one : found) entries.push_back(std::move(one.entry));
    return entries;
}

}  // namespace warplens::window
