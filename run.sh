#!/usr/bin/env bash
# Installs what is missing, builds, and runs Warplens with the arguments given. Safe to run again;
# quick when nothing changed. Standard output is the program's alone.
#
#   PREFIX=DIR ./run.sh     installs below DIR, too, and runs it from there; needs no root for that
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/packages.sh
source "$root/scripts/packages.sh"
# shellcheck source=scripts/build.sh
source "$root/scripts/build.sh"

instead="unpack a release's warplens-*-linux-x86_64.tar.xz and start bin/warplens: nothing is compiled or installed"
if ! has_cuda_compiler && ! python3 -m pip --version >/dev/null 2>&1 &&
  { ((EUID == 0)) || command -v sudo >/dev/null; }; then
  build_packages+=("python3-pip:fetches NVIDIA's compiler, once it is wanted")
fi
require_packages "${build_packages[@]}"
if [[ -z ${PREFIX:-} ]]; then
  (cd "$root" && build_preset release -- warplens warplens-measure) || exit 1
  exec "$root/build/release/bin/warplens" "$@"
fi
mkdir -p "$PREFIX" || exit 3
prefix=$(cd "$PREFIX" && pwd)
(cd "$root" && build_preset release -- warplens warplens-measure warplens_documentation &&
  logged build/release/install.log "installing below $prefix" \
    cmake --install build/release --strip --prefix "$prefix") || exit 1
exec "$prefix/bin/warplens" "$@"
