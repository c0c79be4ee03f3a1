#!/usr/bin/env bash
# Packs Warplens for this release of Debian or Ubuntu; installs what is missing for that, builds, and
# prints the package's path on standard output. Where CUDA's headers are the package can measure, too.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/packages.sh
source scripts/packages.sh
# shellcheck source=scripts/build.sh
source scripts/build.sh

require_packages "${build_packages[@]}" "${packing_packages[@]}"
build_preset package -DWARPLENS_PORTABLE=OFF || exit 1
rm -f build/package/*.deb
(cd build/package && logged pack.log "packing" cpack) || exit 1
ls "$PWD"/build/package/*.deb
