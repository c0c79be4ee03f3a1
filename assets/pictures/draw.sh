#!/usr/bin/env bash
# Draws the pictures of the README with the built-in recordings. Needs no GPU and no display.
#
#   assets/pictures/draw.sh WARPLENS [FOLDER]
set -euo pipefail

warplens=$(realpath "$1")
folder=$(realpath "${2:-$(dirname "$0")}")
cd "$(dirname "$0")/../.."  # files are shown by the names they have here

# draw NAME SCENARIO [OPTIONS...]
draw() {
    local file="$folder/$1.png"
    shift
    "$warplens" screenshot "$@" -o "$file" >/dev/null
    echo "$(basename "$file")"
}

draw matadd-swapped matadd-swapped --theme light
draw matadd-coalesced matadd-coalesced --theme light
draw warp-grouping-5x7x3 warp-grouping --grid 2,3 --block 5,7,3 --theme light
draw matmul-swapped matmul-swapped
draw measured-on-h200 branch-odd-even --block 256 --set n=1048576
# A file of its own is compiled and run for its picture.
draw own-file docs/brightness.cu --theme light
draw own-error docs/smooth.cu --theme light --size 1600x900
draw own-atomics docs/histogram.cu --theme light --size 1600x900
draw own-remedy docs/transpose.cu --theme light --size 1600x1200 --line 10
draw own-sources tests/programs/more/matvec_warp_per_row.cu --theme light \
    --measured docs/matvec-h200.json --line 10
assets/pictures/annotations.py "$warplens" docs/transpose.cu 7 11 >"$folder/pull-request.svg"
echo pull-request.svg
