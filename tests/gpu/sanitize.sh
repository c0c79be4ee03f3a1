#!/usr/bin/env bash
# Runs every scenario's plain, probed and time-stamping kernel, and everything around them, under
# compute-sanitizer's memcheck, racecheck and initcheck, on the GPU of this machine. Prints a line
# for each tool and scenario; fails if there was a finding.
#
#   tests/gpu/sanitize.sh WARPLENS WARPLENS_MEASURE [FOLDER]
#
# FOLDER keeps the tools' own words. Sizes are small, counters are left out: CUPTI and the sanitizer
# exclude each other.
set -uo pipefail

warplens=$1
worker=$2
folder=${3:-$(mktemp -d)}
mkdir -p "$folder"

# The first set of sizes that the scenario knows.
sizes() {
    for set in "n=1000" "rows=70 inner=48 cols=90" "width=75 height=43"; do
        local options=()
        for size in $set; do options+=(--set "$size"); done
        if "$warplens" predict "$1" "${options[@]}" >/dev/null 2>&1; then
            echo "${options[@]}"
            return
        fi
    done
}

check() {
    local tool=$1 scenario=$2 log="$folder/$1-$2.txt"
    # shellcheck disable=SC2046
    "$warplens" measure "$scenario" $(sizes "$scenario") --no-counters --schedule --no-predict \
        --deadline 300 --worker "compute-sanitizer --tool $tool --log-file $log $worker" \
        >"$folder/$tool-$scenario.out" 2>&1
    local code=$?
    echo "$tool $scenario: exit $code, $(grep -h -E 'SUMMARY' "$log" | tail -1)"
}
export -f check sizes
export warplens worker folder

scenarios=$("$warplens" list --json | python3 -c 'import json, sys
for one in json.load(sys.stdin)["scenarios"]: print(one["id"])')
for tool in memcheck racecheck initcheck; do
    for scenario in $scenarios; do echo "$tool $scenario"; done
done | xargs -P "${JOBS:-8}" -L 1 bash -c 'check "$0" "$1"' | sort | tee "$folder/summary.txt"
! grep -vE 'exit 0, .*(ERROR SUMMARY: 0 errors|RACECHECK SUMMARY: 0 hazards)' "$folder/summary.txt" >/dev/null
