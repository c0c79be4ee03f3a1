// What the sanitizers are not to report: Mesa's software rasteriser is not built with them, so that
// what its threads hand each other looks like a race, and it keeps some memory of its own until the
// end. Nobody calls these in a build without sanitizers.
extern "C" {
const char* __tsan_default_suppressions();
const char* __lsan_default_suppressions();

const char* __tsan_default_suppressions() {
    return "race:libgallium\nrace:swrast_dri\n";
}

const char* __lsan_default_suppressions() {
    return "leak:libgallium\nleak:swrast_dri\n";
}
}
