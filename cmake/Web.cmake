# A page instead of a program (docs/web.md): Emscripten's options, and the libraries of Debian 13 that it needs,
# whose headers and sources serve any processor.
set(WARPLENS_IMGUI_SOURCES "" CACHE PATH "Dear ImGui's sources, as `apt-get source imgui` leaves them")
if(NOT WARPLENS_IMGUI_SOURCES)
  file(GLOB WARPLENS_IMGUI_SOURCES /usr/src/imgui-*)
endif()
if(NOT EXISTS "${WARPLENS_IMGUI_SOURCES}/imgui.cpp")
  message(FATAL_ERROR "Dear ImGui's sources are missing: `cd /usr/src && apt-get source imgui`, or set "
                      "WARPLENS_IMGUI_SOURCES.")
endif()

# Small, but for the machine that runs PTX and what draws (their own options come behind these).
add_compile_options(-Os -fwasm-exceptions -msimd128 -mtail-call -D_LIBCPP_ENABLE_EXPERIMENTAL)
add_link_options(-fwasm-exceptions -sSUPPORT_LONGJMP=wasm)

# Without what else is in /usr/include, which is for this machine.
set(web_headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${web_headers})
foreach(library nlohmann glm)
  find_path(WARPLENS_${library}_HEADERS ${library} PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(CREATE_LINK ${WARPLENS_${library}_HEADERS}/${library} ${web_headers}/${library} SYMBOLIC)
endforeach()
foreach(library Threads::Threads nlohmann_json::nlohmann_json glm::glm)
  add_library(${library} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${library} INTERFACE ${web_headers})
endforeach()

set(imgui ${WARPLENS_IMGUI_SOURCES})
add_library(warplens_imgui STATIC ${imgui}/imgui.cpp ${imgui}/imgui_draw.cpp ${imgui}/imgui_tables.cpp
            ${imgui}/imgui_widgets.cpp ${imgui}/misc/cpp/imgui_stdlib.cpp
            ${imgui}/backends/imgui_impl_opengl3.cpp)
target_include_directories(warplens_imgui SYSTEM PUBLIC ${imgui} ${imgui}/backends ${imgui}/misc/cpp)
target_compile_definitions(warplens_imgui PUBLIC IMGUI_IMPL_OPENGL_ES3 IMGUI_DISABLE_DEMO_WINDOWS
                           IMGUI_DISABLE_DEBUG_TOOLS)
set_property(SOURCE ${imgui}/backends/imgui_impl_opengl3.cpp PROPERTY COMPILE_OPTIONS
             -DWARPLENS_KNOWN_STATE -include;${PROJECT_SOURCE_DIR}/app/platform/web/known_state.h)
set_property(TARGET warplens_imgui PROPERTY UNITY_BUILD OFF)
target_compile_options(warplens_imgui PRIVATE -O2)
add_library(PkgConfig::imgui ALIAS warplens_imgui)
