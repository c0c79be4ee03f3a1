#!/usr/bin/env bash
# Makes the recordings and sweeps of a tape (take_recordings.sh), puts them in place of those in the
# tree, and draws and writes anew what depends on them: the README's pictures, the figures, and
# docs/lessons.md. Needs no GPU.
#
#   assets/recordings/unpack_recordings.sh BUILD TAPE.tar.xz PREFIX
#
# BUILD is a build folder of this tree, of the version that took the tape. BUILDER, where it is set,
# is the command that builds the target it is given; else cmake does.
set -euo pipefail

build=$(cd "$1" && pwd)
tape=$2
prefix=$3
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../.." && pwd)
warplens=$build/bin/warplens

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tar -C "$scratch" -xJf "$tape"
"$here/record.sh" "$warplens" "$prefix" "$scratch/made" \
    --worker "python3 '$here/tape.py' play '$scratch/tape'"

# All of them, or none: what is no longer recorded goes.
rm -f "$here/$prefix"-*.json "$here/sweeps/$prefix"-*.json
cp "$scratch/made"/*.json "$here/"
cp "$scratch/made/sweeps"/*.json "$here/sweeps/"

${BUILDER:-cmake --build "$build" --target} warplens
"$tree/assets/pictures/draw.sh" "$warplens"
"$tree/assets/figures/draw.sh" "$warplens"
"$warplens" lesson --table >"$scratch/lessons.md"
cp "$scratch/lessons.md" "$tree/docs/lessons.md"
