#include "app/window/settings.h"

#include <cstdlib>

#include "app/platform/files.h"
#include "app/window/window.h"
#include "core/json/json_tree.h"
#include "core/json/schema.h"
#include "core/text/encoding.h"
#include "core/text/files.h"
#include "core/text/format.h"
#include "core/text/names.h"
#include "core/view/view_json.h"

namespace warplens::window {
namespace {

constexpr std::uint64_t mostBytes = 1u << 20;

void requireKnown(const Json& json) {
    const std::string schema = json.value("schema", "settings of Warplens 0.1.0");
    if (schema != schemaOf(Document::settings)) {
        throw MalformedJson("'" + schema + "', this version reads " + schemaOf(Document::settings));
    }
}

constexpr std::size_t mostLessons = 500;

Json lessonsJson(const LessonsProgress& lessons) {
    Json all = Json::object();
    for (const auto& [id, progress] : lessons) {
        Json one{{"page", progress.page},
                 {"furthest", progress.furthest},
                 {"answered", toString(progress.answered)},
                 {"tries", progress.tries},
                 {"hints", progress.hints},
                 {"goal", progress.goal},
                 {"exercise", progress.exercise},
                 {"known", progress.known}};
        if (!progress.guess.empty()) one["guess"] = progress.guess;
        if (progress.choice) one["choice"] = *progress.choice;
        one["judged"] = progress.judged;
        all[id] = std::move(one);
    }
    return all;
}

LessonsProgress progressFrom(const Json& json) {
    LessonsProgress lessons;
    for (const auto& [id, one] : json.items()) {
        if (lessons.size() >= mostLessons || !one.is_object()) break;
        LessonProgress progress;
        progress.page = one.value("page", 0U);
        progress.furthest = one.value("furthest", 0U);
        progress.answered =
            fromString<Answered>(one.value("answered", "open")).value_or(Answered::open);
        // What a question covers is not reached by a page behind it.
        if (progress.answered == Answered::open) progress.page = progress.furthest = 0;
        progress.tries = one.value("tries", 0U);
        progress.hints = one.value("hints", 0U);
        progress.goal = one.value("goal", false);
        progress.exercise = one.value("exercise", false);
        progress.known = one.value("known", progress.answered == Answered::right);
        progress.guess = asUtf8(one.value("guess", ""), longestGuess);
        if (one.contains("choice")) progress.choice = one.at("choice").get<std::size_t>();
        progress.judged = one.value("judged", false);
        lessons.emplace(id, std::move(progress));
    }
    return lessons;
}

/// What was shown last may be of a course that is not open this time.
bool isOfClosedCourse(const Json& experiment) {
    const std::string id = experiment.value("scenario", "");
    return id.find('/') != std::string::npos && findScenario(id) == nullptr;
}

/// Lessons that this window has not touched since it began, when they were `before`, are as another
/// window has kept them since; what was done in one of them stays done.
LessonsProgress withThoseOfOthers(const std::filesystem::path& file, const LessonsProgress& own,
                                  const LessonsProgress& before) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(file, unknown)) return own;
    LessonsProgress all = own;
    for (const auto& [id, kept] : readSettings(file).settings.progress) {
        const auto mine = own.find(id);
        const auto old = before.find(id);
        const bool isTouched =
            mine != own.end() && (old == before.end() || mine->second != old->second);
        LessonProgress& one = all[id];
        if (!isTouched) one = kept;
        one.known |= kept.known;
        one.goal |= kept.goal;
        one.exercise |= kept.exercise;
    }
    return all;
}

Command written(const std::filesystem::path& file, Settings settings,
                const LessonsProgress& before) {
    try {
        settings.progress = withThoseOfOthers(file, settings.progress, before);
        writeSettings(file, settings);
        return Tick{};
    } catch (const std::exception& error) {
        return Report{MessageKind::warning,
                      "The settings cannot be kept: " + std::string(error.what())};
    }
}

}  // namespace

std::string toJson(const Settings& settings) {
    Json json{{"schema", schemaOf(Document::settings)}, {"version", version()}};
    addView(json, settings.view, &ViewPart::settings);
    if (settings.hasLaunch) {
        json["grid_covers"] = settings.gridCovers;
    } else {
        for (const char* part : {"experiment", "shown_block"}) json.erase(part);
    }
    json["width"] = settings.width;
    json["height"] = settings.height;
    json["steps_per_second"] = settings.stepsPerSecond;
    json["recent"] = settings.recent;
    json["places"] = settings.places;
    json["place"] = settings.place;
    json["gpu"] = settings.device;
    json["figure_theme"] = toString(settings.figureTheme);
    json["motion"] = settings.motion;
    json["welcome"] = settings.welcome;
    json["lessons"] = lessonsJson(settings.progress);
    return json.dump(2) + '\n';
}

Settings settingsFromJson(std::string_view text) {
    try {
        Json json = parseObject(text);
        requireKnown(json);
        Settings settings;
        settings.width = std::clamp(json.at("width").get<int>(), 640, 16384);
        settings.height = std::clamp(json.at("height").get<int>(), 480, 16384);
        settings.recent = json.value("recent", settings.recent);
        settings.places = json.value("places", settings.places);
        settings.place = json.value("place", "");
        settings.device = json.value("gpu", "");
        settings.stepsPerSecond = json.value("steps_per_second", settings.stepsPerSecond);
        settings.figureTheme =
            fromWord<Theme>(json.value("figure_theme", "")).value_or(settings.figureTheme);
        settings.motion = json.value("motion", true);
        // Who has settings has seen the window, unless these say otherwise.
        settings.welcome = json.value("welcome", false);
        if (json.contains("lessons")) settings.progress = progressFrom(json.at("lessons"));
        settings.hasLaunch =
            json.contains("experiment") && !isOfClosedCourse(json.at("experiment"));
        if (!settings.hasLaunch) {
            // Nor what was chosen in it.
            for (const char* part : {"experiment", "shown_block", "held_warp", "array", "step"}) {
                json.erase(part);
            }
        }
        View& view = settings.view;
        take(view, viewChangeIn(json, &ViewPart::settings));
        view.textScale = std::clamp(view.textScale, leastTextScale, largestTextScale);
        if (view.theme == Theme::print) view.theme = Theme::dark;
        if (view.mode == Mode::present) view.mode = Mode::explore;
        if (!settings.hasLaunch) return settings;
        settings.gridCovers = json.at("grid_covers").get<bool>();
        // Edited by hand, or written by a version whose kernel had other sizes.
        const Scenario& scenario = scenarioNamed(view.experiment.scenario);
        for (const KernelSize& parameter : kernelOf(scenario.kernel).sizes) {
            if (view.experiment.arguments.contains(parameter.name)) continue;
            view.experiment = initialExperiment(scenario);
            view.block = {};
            view.warp.reset();
            view.array.reset();
            view.step.reset();
            settings.gridCovers = true;
            break;
        }
        return settings;
    } catch (const nlohmann::json::exception& error) {
        throw MalformedJson(error.what());
    }
}

SettingsReading readSettings(const std::filesystem::path& file) {
    std::error_code unknown;
    const std::filesystem::file_status status = std::filesystem::status(file, unknown);
    if (file.empty() || !std::filesystem::exists(status)) return {};
    if (std::filesystem::is_other(status)) {
        return {{}, "The settings cannot be read: " + file.string() + " is a pipe or device."};
    }
    std::string why;
    try {
        return {settingsFromJson(readFile(file, mostBytes)), {}};
    } catch (const std::exception& error) {
        why = error.what();
    }
    SettingsReading reading;
    std::filesystem::path aside = file;
    aside += ".bad";
    std::error_code kept;
    std::filesystem::rename(file, aside, kept);
    reading.problem = "The settings could not be read, so everything starts as new. " +
                      (kept ? "The file " + file.string() + " stays as it is"
                            : "The old file is kept as " + aside.string()) +
                      " (" + why + ").";
    return reading;
}

void writeSettings(const std::filesystem::path& file, const Settings& settings) {
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
    writeFileAtomically(file, toJson(settings));
    keepFile(file);
}

SettingsKeeper::SettingsKeeper(const std::filesystem::path& file, Settings saved,
                               std::function<void()> finished)
    : file_(file),
      writes_(!file.empty()),
      saved_(std::move(saved)),
      before_(saved_.progress),
      writing_(
          [file, before = before_](const Snapshot& settings, const std::stop_token&) {
              return written(file, *settings, before);
          },
          std::move(finished)) {}

void SettingsKeeper::keep(const Settings& settings, Clock::duration pause) {
    if (!writes_ || settings == saved_ || Clock::now() - last_ < pause) return;
    last_ = Clock::now();
    saved_ = settings;
    writing_.want(std::make_shared<const Settings>(settings));
}

void SettingsKeeper::keepNow(const Settings& settings) {
    if (writes_) static_cast<void>(written(file_, settings, before_));
}

Commands SettingsKeeper::step() {
    const std::optional<Command> said = writing_.take();
    if (!said || !said->is<Report>()) return {};
    writes_ = false;
    return {*said};
}

}  // namespace warplens::window

namespace warplens {

std::filesystem::path defaultSettingsFile() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::filesystem::path(value == nullptr ? "" : value);
    };
    // The XDG base directory specification asks for relative paths to be ignored.
    const std::filesystem::path config = variable("XDG_CONFIG_HOME");
    if (config.is_absolute()) return config / "warplens" / "settings.json";
    const std::filesystem::path home = variable("HOME");
    return home.empty() ? std::filesystem::path() : home / ".config" / "warplens" / "settings.json";
}

}  // namespace warplens
