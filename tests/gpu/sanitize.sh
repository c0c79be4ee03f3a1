#!/usr/bin/env bash
# Runs every scenario's plain, probed and time-stamping kernel, and everything around them, under
# compute-sanitizer's memcheck, racecheck and initcheck, on the GPU of this machine: PARTS workers for
# each tool, which share a request for each scenario. Prints what each tool found; fails if there was
# a finding, or a scenario was not measured.
#
#   [PARTS=5] tests/gpu/sanitize.sh WARPLENS WARPLENS_MEASURE [FOLDER]
#
# FOLDER keeps the requests, the tools' own words and the results. Sizes are small, counters are
# left out: CUPTI and the sanitizer exclude each other.
set -uo pipefail

warplens=$1
worker=$2
folder=${3:-$(mktemp -d)}
parts=${PARTS:-5}
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
    local sizes=("n=1000" "rows=70 inner=48 cols=90" "width=75 height=43")
    # Products read their operands n times over, hundreds of times slower under racecheck.
    case $scenario in matmul-* | shared-dynamic) sizes[0]="n=100" ;; esac
    for set in "${sizes[@]}"; do
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

# Several workers for each tool: one takes its requests one after another.
run() {
    local tool=$1 part=$2
    compute-sanitizer --tool "$tool" --log-file "$folder/$tool.$part.txt" "$worker" \
        <"$requests.$part" >"$folder/$tool.$part.events.jsonl" 2>"$folder/$tool.$part.err"
}
split --number=r/"$parts" --numeric-suffixes=1 --suffix-length=1 "$requests" "$requests."
for tool in memcheck racecheck initcheck; do
    for ((part = 1; part <= parts; ++part)); do run "$tool" "$part" & done
done
wait
findings=0
for tool in memcheck racecheck initcheck; do
    measured=$(cat "$folder/$tool".*.events.jsonl | grep -c '"event": *"result"')
    clean=$(cat "$folder/$tool".*.txt |
        grep -cE '(ERROR SUMMARY: 0 errors|RACECHECK SUMMARY: 0 hazards)')
    echo "$tool: $measured of $asked measured, $clean of $parts workers without a finding"
    cat "$folder/$tool".*.txt | grep SUMMARY
    [[ $measured -eq $asked && $asked -eq $(wc -w <<<"$scenarios") && $clean -eq $parts ]] ||
        findings=1
done
exit "$findings"
