#!/usr/bin/env bash
# Records every scenario at its default launch and at other shapes, and the sweeps, on the GPU of
# this machine.
#
#   assets/recordings/record.sh WARPLENS PREFIX FOLDER [OPTIONS...]
#
# WARPLENS is the program, PREFIX names the device in the file names (h200), FOLDER receives the
# files, its folder sweeps/ those of the sweeps; OPTIONS go to each command, as in --worker CMD.
# Every file comes from `warplens measure --save` or `warplens sweep --save`; none is ever written or
# changed by hand, and a changed one is refused by its digest. Ends with 1 where one was not made.
# With SWEEPS=none the sweeps are left out. Where device time is scarce: see tape.py.
set -uo pipefail

warplens=$1
prefix=$2
folder=$3
shift 3
options=("$@")
mkdir -p "$folder/sweeps"
missing=0

# made FILE COMMAND...: runs it, and says whether the file is there.
made() {
    local file=$1
    shift
    if "$@" "${options[@]}" --save "$file" >/dev/null 2>"$folder/problem" && [[ -s $file ]]; then
        echo "$(basename "$file")"
    else
        echo "$(basename "$file") not made: $(tail -1 "$folder/problem")" >&2
        missing=$((missing + 1))
    fi
    rm -f "$folder/problem"
}
# record NAME SCENARIO [OPTIONS...]: into PREFIX-NAME.json
record() {
    local name=$1
    shift
    made "$folder/$prefix-$name.json" "$warplens" measure "$@"
}
# sweep NAME SCENARIO OPTIONS...: into sweeps/PREFIX-NAME.json
sweep() {
    [[ ${SWEEPS:-all} == none ]] && return
    local name=$1
    shift
    made "$folder/sweeps/$prefix-$name.json" "$warplens" sweep "$@"
}

record warp-grouping-32x32 warp-grouping
record warp-grouping-5x7x3 warp-grouping --grid 2,3 --block 5,7,3
record warp-grouping-2x2x2 warp-grouping --block 2,2,2
record warp-grouping-1024 warp-grouping --block 1024
record warp-grouping-128 warp-grouping-128
record warp-grouping-2x2x2-alone warp-grouping-2x2x2
record partial-warp-5x7x3 partial-warp
record partial-warp-33 partial-warp --block 33
record matmul-1000-16x16 matmul-1000
record matmul-1000-32x32 matmul-1000 --block 32,32
record matmul-4x4-2x2 matmul-4x4
record stencil-global-256 stencil-global
record stencil-halo-256 stencil-halo
record stencil-halo-256-radius16 stencil-halo --set radius=16
record points-structures-256 points-structures
record points-arrays-256 points-arrays
record row-sum-256 row-sum
record row-sum-unrolled-256 row-sum-unrolled
record row-sum-unrolled-256-length4096 row-sum-unrolled --set length=4096 --set gap=0
record sparse-thread-256 sparse-thread
record sparse-thread-256-length1 sparse-thread --set length=1
record sparse-warp-256 sparse-warp
record reduce-shuffle-512 reduce-shuffle
record histogram-global-256 histogram-global
record histogram-global-256-run32 histogram-global --set run=32
record histogram-shared-256 histogram-shared
record histogram-shared-256-bins32 histogram-shared --set bins=32
record histogram-aggregated-256 histogram-aggregated
record histogram-aggregated-256-run32 histogram-aggregated --set run=32
record access-aligned-256 access-aligned
record access-aligned-256-array-offset-1 access-aligned --array-offset 1

for order in coalesced swapped; do
    record "matadd-$order-16x16" "matadd-$order" --set n=512
    for block in 16x16 32x8 8x32; do
        record "matadd-$order-$block-n16384" "matadd-$order" --block "$block"
    done
    record "matmul-$order-32x32" "matmul-$order"
    record "matmul-$order-16x16" "matmul-$order" --block 16,16
    record "matmul-$order-8x32" "matmul-$order" --block 8,32
done

for branch in odd-even by-warp; do
    record "branch-$branch-64" "branch-$branch"
    record "branch-$branch-256-n1048576" "branch-$branch" --block 256 --set n=1048576
    record "branch-$branch-33-n1000" "branch-$branch" --block 33 --set n=1000
done
for shift in 0 1 2 3 4 5; do
    record "branch-long-arms-256-shift$shift" branch-long-arms --set "shift=$shift"
done
record branch-long-arms-64-shift0 branch-long-arms --block 64
record branch-long-arms-1024-shift0 branch-long-arms --block 1024

for stride in 1 2 4 8 16 32; do
    record "access-stride-256-stride$stride" access-stride --set "stride=$stride"
done
for offset in 0 1 8; do
    record "access-offset-256-offset$offset" access-offset --set "offset=$offset"
done
record access-stride-1024-stride2 access-stride --block 1024
record access-offset-1024-offset1 access-offset --block 1024
record access-stride-128-stride2 access-stride --block 128
record access-offset-128-offset1 access-offset --block 128

record picture-76x62-16x16 picture-76x62
record picture-76x62-32x8 picture-76x62 --block 32,8
for layout in row-major column-major; do
    record "$layout-32x8" "$layout"
    record "$layout-8x32" "$layout" --block 8,32
done
record elementwise-1d-256 elementwise-1d
record elementwise-2d-32x8 elementwise-2d
record elementwise-3d-8x8x4 elementwise-3d
record elementwise-3d-32x4x2 elementwise-3d --block 32,4,2
record access-float4-256 access-float4
record branch-predicate-64 branch-predicate
record warmup-64 warmup
record branch-loop-trips-256 branch-loop-trips
for order in interleaved sequential; do
    record "reduce-$order-512" "reduce-$order"
    record "reduce-$order-128" "reduce-$order" --block 128
done
record matmul-global-16x16 matmul-global
record matmul-global-16x16-n4096 matmul-global --set n=4096
for tile in 8 16 32; do
    record "matmul-tiled-tile$tile" matmul-tiled --block "$tile,$tile" --set "tile=$tile"
    record "matmul-tiled-tile$tile-n4096" matmul-tiled --block "$tile,$tile" --set "tile=$tile" \
        --set n=4096
done
record shared-dynamic-16x16 shared-dynamic
record shared-banks-32x32 shared-banks
record shared-banks-padded-32x32 shared-banks-padded
record local-array-256 local-array
record register-array-256 register-array

record latency-hiding-64 latency-hiding
record latency-hiding-64-grid132 latency-hiding --grid 132
record latency-hiding-64-grid4224 latency-hiding --grid 4224
record latency-hiding-64-work256 latency-hiding --set work=256
record block-placement-256 block-placement
record block-placement-256-grid132 block-placement --grid 132
record block-placement-1024 block-placement --block 1024 --grid 660

sweep access-stride-stride access-stride --over stride=1..128
sweep access-offset-offset access-offset --over offset=0..32
sweep branch-long-arms-shift branch-long-arms --over shift=0..5
sweep latency-hiding-grid latency-hiding --over grid=66..4224:x2
sweep matmul-tiled-tile matmul-tiled --over tile=8..32:x2
for order in coalesced swapped; do
    sweep "matadd-$order-n16384-block-256" "matadd-$order" --over block=256
    sweep "matadd-$order-n16384-block-32-1024" "matadd-$order" --over block=32..1024
    sweep "matmul-$order-block-256" "matmul-$order" --over block=256
    sweep "matmul-$order-block-1024" "matmul-$order" --over block=1024
done
sweep matmul-global-block-256 matmul-global --over block=256

((missing == 0))
