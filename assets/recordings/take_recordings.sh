#!/usr/bin/env bash
# Takes what the recordings are made of, in two steps, so that the machine with the GPU does nothing
# but measure: one warm worker, some five minutes of an H200.
#
#   assets/recordings/take_recordings.sh prepare BUILD STAGE   here: STAGE gets all that is needed
#   STAGE/take_recordings.sh measure OUT                       there: writes OUT/tape.tar.xz
#
# BUILD is a build folder with bin/warplens and bin/warplens-measure. unpack_recordings.sh makes the
# recordings of the tape.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)

prepare() {
    local build=$1 stage=$2
    mkdir -p "$stage"
    rm -f "$stage/requests"
    cp "$here/tape.py" "$here/take_recordings.sh" "$stage/"
    strip -o "$stage/warplens-measure" "$build/bin/warplens-measure"
    local scratch
    scratch=$(mktemp -d)
    # Every command fails, once it has said what it asks a worker.
    SWEEPS=none "$here/record.sh" "$build/bin/warplens" noted "$scratch" \
        --worker "python3 '$here/tape.py' requests '$stage/warplens-measure' '$stage/requests'" \
        >/dev/null 2>&1 || true
    rm -rf "$scratch"
    python3 "$here/tape.py" points "$here/sweeps" "$stage/requests"
    sort -u "$stage/requests" | wc -l | xargs echo "requests:"
}

measure() {
    local out=$1
    local code=0
    python3 "$here/tape.py" take "$here/warplens-measure" "$here/requests" "$here/tape" || code=$?
    tar -C "$here" -cJf "$out/tape.tar.xz" tape
    ls -l "$out/tape.tar.xz"
    return "$code"
}

"$@"
