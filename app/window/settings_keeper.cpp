#include "app/window/settings.h"

namespace warplens::window {
namespace {

Command write(const std::filesystem::path& file, const Settings& settings) {
    try {
        writeSettings(file, settings);
        return Tick{};
    } catch (const std::exception& error) {
        return Report{MessageKind::warning,
                      "The settings cannot be kept: " + std::string(error.what())};
    }
}

}  // namespace

SettingsKeeper::SettingsKeeper(const std::filesystem::path& file, Settings saved,
                               std::function<void()> finished)
    : writes_(!file.empty()),
      saved_(std::move(saved)),
      writing_([file](const Snapshot& settings,
                      const std::stop_token&) { return write(file, *settings); },
               std::move(finished)) {}

void SettingsKeeper::keep(const Settings& settings, Clock::duration pause) {
    if (!writes_ || settings == saved_ || Clock::now() - last_ < pause) return;
    last_ = Clock::now();
    saved_ = settings;
    writing_.want(std::make_shared<const Settings>(settings));
}

Commands SettingsKeeper::step() {
    const std::optional<Command> said = writing_.take();
    if (!said || !said->is<Report>()) return {};
    writes_ = false;
    return {*said};
}

}  // namespace warplens::window
