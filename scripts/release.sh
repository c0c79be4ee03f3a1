#!/usr/bin/env bash
# Makes a release of what is checked out: tests everything, packs, and writes the notes.
#
#   scripts/release.sh [--tested] [FOLDER]
#
# FOLDER receives the files (build/release-VERSION, if left out). --tested leaves the tests out, for a
# commit that CI has passed. Refuses where something is not committed, or CHANGELOG.md does not begin with
# the version of CMakeLists.txt and the date of today.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/packages.sh
source scripts/packages.sh

tested=
if [[ ${1:-} == --tested ]]; then tested=yes && shift; fi
if [[ ${1:-} == -* ]] || (($# > 1)); then
  say "use: scripts/release.sh [--tested] [FOLDER]"
  exit 2
fi
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
[[ ${1:-} ]] || rm -rf "$folder"
mkdir -p "$folder"
if [[ -n $(ls -A "$folder") ]]; then
  say "$folder is not empty"
  exit 2
fi
if [[ ! $tested ]]; then CI=true ./test.sh --all >&2; fi
# The same objects for both, linked differently.
deb=$(scripts/make_deb.sh)
portable=$(scripts/make_portable.sh)
cp "$deb" "$folder"
while read -r file; do cp "$file" "$folder"; done <<<"$portable"
# The page for a web server, where its compiler is.
if scripts/build_page.sh "$folder/warplens-page-$version" >/dev/null; then
  tar -C "$folder" -cJf "$folder/warplens-page-$version.tar.xz" "warplens-page-$version"
  rm -r "$folder/warplens-page-$version"
else
  say "the release has no page"
fi
git archive --prefix="warplens-$version/" HEAD | xz >"$folder/warplens-$version.tar.xz"
# The section of this version, without its heading.
awk -v heading="$heading" '$0 == heading {inside = 1; next} /^## / {inside = 0} inside' CHANGELOG.md |
  sed '/./,$!d' >"$folder/notes.md"
[[ -s $folder/notes.md ]] || { say "CHANGELOG.md says nothing of $version" && exit 1; }
(cd "$folder" && sha256sum -- *.deb *.tar.xz *.whl >SHA256SUMS)
say "release $version is in $folder; tag it with: git tag -a v$version -F $folder/notes.md"
ls "$folder"
