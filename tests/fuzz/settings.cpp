#include "app/window/settings.h"

#include "core/json/json.h"
#include "tests/fuzz/fuzz.h"

using namespace warplens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const window::Settings settings = window::settingsFromJson(fuzz::textOf(data, size));
        const std::string written = window::toJson(settings);
        fuzz::promise(window::toJson(window::settingsFromJson(written)) == written,
                      "settings read back as they were written");
        if (!settings.hasLaunch) return 0;
        window::AppState state =
            window::initialState({settings.view.experiment, settings.gridCovers},
                                 std::make_shared<const RecordingLibrary>(), false);
        (void)window::violationsOf(state);
    } catch (const MalformedJson&) {
    }
    return 0;
}
