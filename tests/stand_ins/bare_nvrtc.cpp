// NVRTC as PyPI has it: its second half lies beside it, and nothing says so. It compiles nothing.
extern "C" {

int nvrtcVersion(int* major, int* minor) {
    *major = 13;
    *minor = 99;
    return 0;
}
const char* nvrtcGetErrorString(int) {
    return "a stand-in";
}

#define WITHOUT_USE(name) \
    int name() {          \
        return 1;         \
    }
WITHOUT_USE(nvrtcCreateProgram)
WITHOUT_USE(nvrtcDestroyProgram)
WITHOUT_USE(nvrtcAddNameExpression)
WITHOUT_USE(nvrtcCompileProgram)
WITHOUT_USE(nvrtcGetProgramLogSize)
WITHOUT_USE(nvrtcGetProgramLog)
WITHOUT_USE(nvrtcGetPTXSize)
WITHOUT_USE(nvrtcGetPTX)
WITHOUT_USE(nvrtcGetCUBINSize)
WITHOUT_USE(nvrtcGetCUBIN)
WITHOUT_USE(nvrtcGetLoweredName)
}
