# shellcheck shell=bash
# Sourced by run.sh and test.sh: makes sure that Debian or Ubuntu packages are installed.
# All words go to standard error: standard output belongs to the program.

say() { echo "${0##*/}: $*" >&2; }

# What the program is built from, and why.
# shellcheck disable=SC2034  # read by run.sh and test.sh
build_packages=(
  'cmake:configures the build'
  'ninja-build:runs the build'
  'g++:compiles C++20'
  'pkg-config:finds libraries'
  'libimgui-dev:user interface'
  'libglfw3-dev:the window'
  'libegl-dev:drawing without a display'
  'libgl1-mesa-dri:OpenGL in software'
  'libcairo2-dev:figures for slides'
  'libfreetype-dev:text in figures'
  'zlib1g-dev:pictures inside figures'
  'python3-glad:generates the OpenGL loader'
  'nlohmann-json3-dev:JSON'
  'libcli11-dev:command line'
  'libglm-dev:vectors and matrices of the cubes'
  'bubblewrap:holds .cu files that are run to read their traces'
  'fonts-inter:text in the window and in figures'
  'fonts-jetbrains-mono:code and numbers there'
)

# What the tests need besides.
# shellcheck disable=SC2034  # read by test.sh
test_packages=(
  'libgtest-dev:tests'
  'libbenchmark-dev:benchmarks'
  'xvfb:a display for the window tests'
  'xdotool:keys and mouse for the window tests'
  'weston:a Wayland display for the window test'
  'xclip:reads the clipboard in the window tests'
  'qpdf:checks the PDF figures'
  'libxml2-utils:checks the SVG figures'
  'poppler-utils:reads the words of PDF figures'
  'x11-utils:reads what the window tells the desktop'
  'desktop-file-utils:checks the menu entry'
  'dpkg-dev:packages'
  'file:tells programs from other files in packages'
  'openssh-server:measuring over ssh'
  'slurm-wlm:measuring on a cluster'
  'munge:accounts on that cluster'
  'python3-jsonschema:judges JSON by its schemas'
)

# What packing needs besides.
# shellcheck disable=SC2034  # read by make_deb.sh
packing_packages=(
  'dpkg-dev:finds the libraries that the package depends on'
  'file:tells programs from other files'
)

# What the portable folder and the wheel need besides.
# shellcheck disable=SC2034  # read by make_portable.sh
portable_packages=(
  'binutils:reads which libraries a program needs'
  'xz-utils:packs the folder'
  'python3-wheel:packs the wheel'
  'libgl1:opened by Dear ImGui'
  'libxrandr2:opened by GLFW'
  'libxinerama1:opened by GLFW'
  'libxcursor1:opened by GLFW'
  'libxi6:opened by GLFW'
  'libxxf86vm1:opened by GLFW'
  'libx11-xcb1:opened by GLFW'
)

# require_tools is require_packages where there is no dpkg: whatever brought the tools, they will do.
require_tools() {
  local tool missing=()
  for tool in g++ cmake ninja pkg-config; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  if ((${#missing[@]})); then
    say "there is no ${missing[*]} here, and no dpkg to install it with"
    say "${instead:-use Debian 12 or 13, or install what scripts/packages.sh names by hand}"
    exit 3
  fi
  say "this system has no dpkg: building with what is here; scripts/packages.sh names what is needed"
}

# require_packages NAME:REASON... installs those that are missing, or says how to. A script that has
# something to do instead names it in `instead`.
require_packages() {
  local entry missing=() reasons=()
  command -v dpkg-query >/dev/null || { require_tools && return 0; }
  local installed
  installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' | sed -n 's/^ii *//p')
  for entry in "$@"; do
    if ! grep -qxF -- "${entry%%:*}" <<<"$installed"; then
      missing+=("${entry%%:*}")
      reasons+=("${entry%%:*} (${entry#*:})")
    fi
  done
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    if command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
      as_root=(sudo)
    else
      say "these packages are missing and only root may install them:"
      printf '  %s\n' "${reasons[@]}" >&2
      say "as root, run:"
      echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
      [[ -z ${instead:-} ]] || say "without root: $instead"
      exit 3
    fi
  fi
  say "installing with apt-get:"
  printf '  %s\n' "${reasons[@]}" >&2
  if ! { "${as_root[@]}" apt-get -qq update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends \
      "${missing[@]}"; } </dev/null >&2; then
    say "apt-get could not install them; to see why, run:"
    echo "  ${as_root[*]:+sudo }apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 3
  fi
}
