#include "app/window/state_file.h"

#include <cstdlib>
#include <gtest/gtest.h>

#include "app/window/state/apply.h"
#include "core/text/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens::window {
namespace {

AppState arranged() {
    AppState state = initialState({initialExperiment(scenarioNamed("matadd-coalesced")), true},
                                  std::make_shared<RecordingLibrary>(), true);
    state.results.push_back({tests::scriptedMeasurement(state.view.experiment), false});
    apply(state, Pin{PinSlot::a});
    apply(state, SetBlock{{32, 8, 1}});
    apply(state, Show{.picture = PictureKind::block3d});
    apply(state, ToggleWarp{{3}});
    apply(state, ChooseBlock{{1, 2, 0}});
    apply(state, ChooseArray{std::size_t{1}, std::uint64_t{2}});
    apply(state, PointAtThread{Index3{3, 1, 0}});
    apply(state, Show{.tab = RightTab::sweep});
    apply(state, Show{.over = "n=64..256"});
    apply(state, Show{.numbers = CellNumbers::rank});
    apply(state, Show{.map = MapFollows::grid});
    apply(state, Show{.theme = Theme::light});
    apply(state, Show{.textScale = 1.5F});
    return state;
}

// Tests that drive the window and accessibility tools read it.
TEST(StateFile, StaysAsItIs) {
    const tests::TemporaryFolder folder;
    const std::string path = (folder.path() / "state.json").string();
    ::setenv("WARPLENS_STATE_FILE", path.c_str(), 1);
    StateFile file;
    ::unsetenv("WARPLENS_STATE_FILE");
    file.update(arranged(), {{"measure", {1, 2, 3, 4}}}, "measure", {}, true);
    EXPECT_EQ(readFile(path), readFile(STATE_FILE));
}

}  // namespace
}  // namespace warplens::window
