#!/usr/bin/env bash
# Runs every scenario's plain, probed and time-stamping kernel, and everything around them, under
# compute-sanitizer's memcheck, racecheck and initcheck, on the GPU of this machine: one worker for
# each tool, which is given a request for each scenario. Prints a line for each tool; fails if there
# was a finding, or a scenario was not measured.
#
#   tests/gpu/sanitize.sh WARPLENS WARPLENS_MEASURE [FOLDER]
#
# FOLDER keeps the requests, the tools' own words and the results. Sizes are small, counters are
# left out: CUPTI and the sanitizer exclude each other.
set -uo pipefail

warplens=$1
worker=$2
folder=${3:-$(mktemp -d)}
mkdir -p "$folder"
requests=$folder/requests.jsonl
: >"$requests"

# The requests are those that warplens makes: this worker notes each and passes it on.
noting=$folder/noting-worker.sh
printf '#!/bin/sh\ntee -a "%s" | "%s" "$@"\n' "$requests" "$worker" >"$noting"
chmod +x "$noting"

# The first set of sizes that the scenario knows.
measure() {
    local scenario=$1 set size options
    for set in "n=1000" "rows=70 inner=48 cols=90" "width=75 height=43"; do
        options=()
        for size in $set; do options+=(--set "$size"); done
        "$warplens" predict "$scenario" "${options[@]}" >/dev/null 2>&1 || options=()
        ((${#options[@]})) && break
    done
    "$warplens" measure "$scenario" "${options[@]}" --no-counters --schedule --no-predict \
        --worker "$noting" >/dev/null 2>"$folder/$scenario.err" || echo "$scenario: not measured"
}

scenarios=$("$warplens" list --json | python3 -c 'import json, sys
for one in json.load(sys.stdin)["scenarios"]: print(one["id"])')
for scenario in $scenarios; do measure "$scenario"; done
asked=$(grep -c '"request": *"measure"' "$requests")
echo "$asked scenarios asked for"

for tool in memcheck racecheck initcheck; do
    compute-sanitizer --tool "$tool" --log-file "$folder/$tool.txt" "$worker" \
        <"$requests" >"$folder/$tool.events.jsonl" 2>"$folder/$tool.err" &
done
wait
findings=0
for tool in memcheck racecheck initcheck; do
    measured=$(grep -c '"event": *"result"' "$folder/$tool.events.jsonl")
    summary=$(grep -h SUMMARY "$folder/$tool.txt" | tail -1)
    echo "$tool: $measured of $asked measured, $summary"
    [[ $measured -eq $asked && $asked -eq $(wc -w <<<"$scenarios") &&
        $summary =~ (ERROR SUMMARY: 0 errors|RACECHECK SUMMARY: 0 hazards) ]] || findings=1
done
exit "$findings"
