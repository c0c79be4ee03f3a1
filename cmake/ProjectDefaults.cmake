# Settings every target of the project shares.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

# Files of a target are compiled a few together: most of what a compiler does for one of them is for
# its headers. -DCMAKE_UNITY_BUILD=OFF compiles each alone.
if(NOT DEFINED CMAKE_UNITY_BUILD)
  set(CMAKE_UNITY_BUILD ON)
endif()
set(CMAKE_UNITY_BUILD_BATCH_SIZE 20)

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

option(WARPLENS_PORTABLE "For scripts/make_portable.sh: the C++ library inside, other libraries in ../lib" OFF)
if(WARPLENS_PORTABLE)
  add_link_options(-static-libstdc++ -static-libgcc -Wl,--disable-new-dtags)
  set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")
endif()

option(WARPLENS_WARNINGS_AS_ERRORS "Stop at the first warning" OFF)
set(WARPLENS_SANITIZE "" CACHE STRING
    "Sanitizers to build with, as -fsanitize takes them: address,undefined or thread")

# Linked privately by every target of ours.
add_library(warplens_warnings INTERFACE)
set(warnings -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
target_compile_options(warplens_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:${warnings};-Wpedantic;-Wconversion;-Wno-sign-conversion>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns of overlapping copies inside its own std::string (GCC bug 105651).
  target_compile_options(warplens_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
# Linked privately, too, where nothing is done for each thread, request or pixel: the compiler takes a
# quarter less time.
add_library(warplens_seldom_run INTERFACE)
target_compile_options(warplens_seldom_run INTERFACE $<$<CONFIG:Release>:$<IF:$<BOOL:${EMSCRIPTEN}>,-Oz,-O1>>)

if(WARPLENS_WARNINGS_AS_ERRORS)
  target_compile_options(warplens_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(WARPLENS_SANITIZE)
  # A finding ends the program: a test must not pass over it.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${WARPLENS_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  string(REPLACE "fuzzer-no-link," "" sanitizers_to_link "${WARPLENS_SANITIZE}")
  add_link_options(-fsanitize=${sanitizers_to_link})
endif()
