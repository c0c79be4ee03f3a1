#!/usr/bin/env bash
# Builds the window as a page (docs/web.md): a folder for any static web server.
#
#   scripts/build_page.sh [--keep] [FOLDER]
#
# FOLDER receives the page (build/page, if left out). --keep also puts it, compressed, into assets/page, from where
# `warplens export` takes it. Needs Debian 13, or a folder that is one in WARPLENS_DEBIAN_13 (then as root):
#   debootstrap --variant=minbase trixie /srv/debian13
# with emscripten, cmake, ninja-build, nlohmann-json3-dev, libglm-dev, fonts-inter, fonts-jetbrains-mono and fonttools, and Dear
# ImGui's sources: cd /usr/src && apt-get source imgui.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
say() { printf 'build_page.sh: %s\n' "$*" >&2; }

keep=
if [[ ${1:-} == --keep ]]; then keep=yes && shift; fi
if [[ ${1:-} == -* ]] || (($# > 1)); then
  say "use: scripts/build_page.sh [--keep] [FOLDER]"
  exit 2
fi
folder=${1:-build/page}

build='emcmake cmake -S . -B build/web -G Ninja -DCMAKE_BUILD_TYPE=Release && cmake --build build/web --target warplens warplens_data predictions'
if [[ ${WARPLENS_DEBIAN_13:-} ]]; then
  root=$WARPLENS_DEBIAN_13
  [[ -x $root/usr/bin/emcc ]] || { say "$root has no emscripten" && exit 3; }
  # The sources at the same place within it, while this runs.
  unshare --mount --propagation private bash -euc '
    mkdir -p "$1$2"
    mount --bind "$2" "$1$2"
    mount --bind /proc "$1/proc"
    mount --bind /dev "$1/dev"
    exec chroot "$1" /bin/bash -euc "cd \"\$1\" && eval \"\$2\"" - "$2" "$3"' - "$root" "$PWD" "$build" >&2
elif command -v emcc >/dev/null; then
  bash -euc "$build" >&2
else
  say "there is no emscripten: install Debian 13's, or name a folder with Debian 13 in WARPLENS_DEBIAN_13"
  exit 3
fi

mkdir -p "$folder"
cp app/platform/web/{index.html,page.css,page.js} build/web/bin/warplens.{js,wasm,data} "$folder"
if [[ $keep ]]; then
  mkdir -p assets/page
  cp build/web/bin/warplens.{js,data} assets/page
  gzip -9 -n -c build/web/bin/warplens.wasm >assets/page/warplens.wasm.gz
  # What it was made of: tests/web/kept_page_test.py says where that has changed since.
  scripts/page_sources.sh >assets/page/warplens.sources
fi
printf '%s\n' "$folder"
