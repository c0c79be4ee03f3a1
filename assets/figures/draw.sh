#!/usr/bin/env bash
# Draws the figures of this folder, each as PDF, SVG and PNG, with the built-in recordings. Needs no
# GPU and no display. The same program draws the same bytes.
#
#   assets/figures/draw.sh WARPLENS [FOLDER]
set -euo pipefail

warplens=$1
folder=${2:-$(dirname "$0")}

# draw NAME SCENARIO [OPTIONS...]
draw() {
    local name=$1
    shift
    for format in pdf svg png; do
        "$warplens" figure "$@" -o "$folder/$name.$format"
    done
    echo "$name"
}

draw warp-grouping-32x32 warp-grouping --block 32,32
draw warp-grouping-2x2x2 warp-grouping --block 2,2,2
draw warp-grouping-5x7x3 warp-grouping --grid 2,3 --block 5,7,3
draw picture-76x62 picture-76x62
draw access-aligned access-aligned
draw access-offset access-offset --set offset=1
draw access-stride access-stride --set stride=8
draw matmul-coalesced matmul-coalesced
draw matmul-swapped matmul-swapped
draw branch-odd-even branch-odd-even --block 256 --set n=1048576
draw reduce-interleaved reduce-interleaved
draw reduce-sequential reduce-sequential
draw latency-hiding latency-hiding
draw block-placement block-placement

# Every other figure of this folder: the scenario of its name as it opens.
drawn=$(sed -n 's/^draw \([^ ]*\) .*/\1/p' "$0")
for picture in "$(dirname "$0")"/*.svg; do
    name=$(basename "$picture" .svg)
    grep -qx "$name" <<<"$drawn" || draw "$name" "$name"
done
