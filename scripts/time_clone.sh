#!/usr/bin/env bash
# Times ./run.sh, ./test.sh after it and a rebuild after one panel was touched, in fresh clones, without a
# compiler cache; prints one row of a table for each.
#
#   scripts/time_clone.sh [--runs N] [--no-tests] COMMIT...
#
# Several commits take turns, so that they meet the same machine. Leave it alone meanwhile.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
runs=3
tests=yes
while [[ ${1:-} == --* ]]; do
  case $1 in
    --runs) runs=$2 && shift ;;
    --no-tests) tests= ;;
    *) echo "time_clone.sh: $1 is not an option" >&2 && exit 2 ;;
  esac
  shift
done
(($#)) || { echo "time_clone.sh: which commits?" >&2 && exit 2; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CCACHE_DISABLE=1
TIMEFORMAT='%R %U %S'

# row COMMIT RUN WHAT COMMAND... times the command in the clone; processor time is user and system together.
row() {
  local commit=$1 run=$2 what=$3 taken
  shift 3
  taken=$({ time "$@" >"$folder/log" 2>&1 </dev/null; } 2>&1) || what+=" (failed)"
  awk -v head="| $commit | $run | $what" '{printf "%s | %d:%02d | %d:%02d |\n", head, $1 / 60, $1 % 60,
    ($2 + $3) / 60, ($2 + $3) % 60}' <<<"$taken"
  tail -n 1 "$folder/log" >&2
}

echo "| commit | run | what | wall | processor |"
echo "|---|---|---|---|---|"
for ((run = 1; run <= runs; ++run)); do
  for commit in "$@"; do
    rm -rf "$folder/clone"
    git clone -q "$root" "$folder/clone"
    cd "$folder/clone"
    git checkout -q "$commit"
    row "$commit" "$run" run.sh ./run.sh --version
    touch app/window/panels/launch_panel.cpp
    row "$commit" "$run" "one panel" ./run.sh --version
    if [[ $tests ]]; then row "$commit" "$run" test.sh ./test.sh; fi
    cd "$root"
  done
done
