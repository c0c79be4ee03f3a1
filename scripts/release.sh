#!/usr/bin/env bash
# Makes a release of what is checked out: tests everything, packs, and writes the notes.
#
#   scripts/release.sh [FOLDER]      FOLDER receives the files (build/release-VERSION, if left out)
#
# Refuses where something is not committed, or CHANGELOG.md does not begin with the version of
# CMakeLists.txt and the date of today.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/packages.sh
source scripts/packages.sh

version=$(sed -n 's/^project(warplens VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
heading=$(grep -m 1 '^## ' CHANGELOG.md)
if [[ -n $(git status --porcelain) ]]; then
  say "these changes are not committed:"
  git status --short >&2
  exit 2
fi
if [[ $heading != "## $version ($(date -u +%F))" ]]; then
  say "CHANGELOG.md begins with '$heading', not '## $version ($(date -u +%F))'"
  exit 2
fi

folder=${1:-build/release-$version}
mkdir -p "$folder"
CI=true ./test.sh --all
scripts/make_deb.sh | xargs -I{} cp {} "$folder"
scripts/make_portable.sh | xargs -I{} cp {} "$folder"
git archive --prefix="warplens-$version/" HEAD | xz >"$folder/warplens-$version.tar.xz"
# The section of this version, without its heading.
awk -v heading="$heading" '$0 == heading {inside = 1; next} /^## / {inside = 0} inside' CHANGELOG.md |
  sed '/./,$!d' >"$folder/notes.md"
(cd "$folder" && sha256sum -- *.deb *.tar.xz *.whl >SHA256SUMS)
say "release $version is in $folder; tag it with: git tag -a v$version -F $folder/notes.md"
ls "$folder"
