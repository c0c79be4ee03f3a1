#!/usr/bin/env bash
# Installs what is missing, builds in the folder that run.sh uses, and runs the tests side by side.
#
#   ./test.sh              every test but the long ones
#   ./test.sh --long       the long ones: soaks, pictures of everything, packages
#   ./test.sh --all        both
#
# Other arguments go to ctest, as in ./test.sh -R core.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=scripts/packages.sh
source scripts/packages.sh
# shellcheck source=scripts/build.sh
source scripts/build.sh

which=(-LE long)
case ${1:-} in
  --long) which=(-L long) && shift ;;
  --all) which=() && shift ;;
esac

require_packages "${build_packages[@]}" "${test_packages[@]}"
build_preset release -DBUILD_TESTING=ON

# The page and its engine, for the tests labelled web; they are skipped where its compiler is not.
if ((${#which[@]} == 0)) && [[ ${WARPLENS_DEBIAN_13:-}$(command -v emcc) ]]; then scripts/build_page.sh >/dev/null; fi

# Single tests that need NVIDIA's compiler skip themselves; these need it all through.
needs_compiler='cli.progress|remedies|schemas.documents|ui.files|ui.remedies|ui.window'
has_cuda_compiler || which+=(-E "^($needs_compiler)")

log=build/release/tests.log
status=0
# More at once than processors: those of the window, of clusters and of ssh mostly wait.
ctest --preset release -j "$(($(nproc) + 2))" "${which[@]}" "$@" 2>&1 | tee "$log" || status=$?

count() { grep -cE "$1" "${2:-$log}" || true; }
is_failed='^ *[0-9]+/[0-9]+ Test .*\*\*\*(Failed|Timeout|Exception|Not Run)'
passed=$(count '^ *[0-9]+/[0-9]+ Test .* Passed ')
skipped=$(count '^ *[0-9]+/[0-9]+ Test .*\*\*\*Skipped ')
failed=$(count "$is_failed")

# A few that failed beside others run once more, alone, and are named: what waits for a window or a
# cluster has limits of time, and a busy machine is no fault of theirs.
if ((failed >= 1 && failed <= 3)); then
  echo "test.sh: again, alone:" && grep -E "$is_failed" "$log"
  status=0
  # With the same options: tests that are left out by name are not numbered.
  ctest --preset release --rerun-failed "${which[@]}" "$@" 2>&1 | tee "$log.again" || status=$?
  still=$(count "$is_failed" "$log.again")
  echo "test.sh: $((failed - still)) of $failed passed alone"
  passed=$((passed + failed - still))
  failed=$still
fi
gpu_skipped=$(count '^ *[0-9]+/[0-9]+ Test .* gpu\..*\*\*\*Skipped ')

if ((passed + failed == 0)); then
  echo "test.sh: no test ran" >&2
  status=1
fi
if ((gpu_skipped)); then
  reason="no NVIDIA GPU here"
elif ! grep -qE ' gpu\.' "$log"; then
  reason="not built: no CUDA headers here"
fi
if [[ -n ${reason:-} ]]; then echo "GPU tests skipped: $reason"; fi
if ! has_cuda_compiler; then
  of=$(grep -oE 'Test +#[0-9]+: (programs|cli|sandbox|ui|device|gl\.Reference)\b.*\*\*\*Skipped' "$log" |
    sed -E 's/.*: ([a-z]+).*/\1/' | sort | uniq -c | awk '{printf "%s%s %s", (NR > 1 ? ", " : ""), $1, $2}')
  echo "skipped, as there is no compiler of NVIDIA's here (./run.sh setup-compiler): ${of:-none}; all of ${needs_compiler//|/, }"
fi
echo "test.sh: $passed passed, $failed failed, $skipped skipped"
exit "$status"
