# The libraries of README "Dependencies": from the system.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(glfw3 3.3 REQUIRED)
pkg_check_modules(imgui REQUIRED IMPORTED_TARGET imgui)
pkg_check_modules(egl REQUIRED IMPORTED_TARGET egl)
find_package(PNG QUIET)
