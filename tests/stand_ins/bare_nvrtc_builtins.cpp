// The second half of bare_nvrtc.cpp, which that one opens by plain name.
extern "C" int bareNvrtcBuiltins() {
    return 0;
}
