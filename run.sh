#!/usr/bin/env bash
# Installs what is missing, builds, and runs Warplens with the arguments given. Safe to run again;
# quick when nothing changed. Standard output is the program's alone.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/packages.sh
source "$root/scripts/packages.sh"
# shellcheck source=scripts/build.sh
source "$root/scripts/build.sh"

require_packages "${build_packages[@]}"
(cd "$root" && build_preset release -- warplens warplens-measure) || exit 1
exec "$root/build/release/bin/warplens" "$@"
