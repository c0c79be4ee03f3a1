# shellcheck shell=bash
# Sourced by run.sh and test.sh: configures and builds one preset. Needs `say` of packages.sh.

# gpu_architecture prints the CMake name of this machine's GPU architecture, or of the oldest one
# that is supported, as the least to build, where there is no GPU.
gpu_architecture() {
  local capability
  capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1)
  if [[ $capability =~ ^([0-9]+)\.([0-9]+)$ ]]; then
    echo "${BASH_REMATCH[1]}${BASH_REMATCH[2]}-real"
  else
    echo 75
  fi
}

# logged LOG WORDS COMMAND... keeps the command's output in LOG. Quick commands pass in silence; of one
# that takes longer WORDS are said, and on a terminal its output is shown. When it fails the end of
# its output is shown.
logged() {
  local log=$1 words=$2 pid
  shift 2
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  # shellcheck disable=SC2064  # the process of now
  trap "kill $pid 2>/dev/null; exit 130" INT TERM
  for _ in {1..10}; do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  if kill -0 "$pid" 2>/dev/null; then
    say "$words"
    if [[ -t 2 ]]; then tail --pid="$pid" -n +1 -f "$log" >&2; fi
  fi
  if wait "$pid"; then
    trap - INT TERM
    return 0
  fi
  trap - INT TERM
  [[ -t 2 ]] || tail -n 40 "$log" >&2
  say "this failed: $*"
  say "all of its output is in $PWD/$log"
  return 1
}

# build_preset PRESET configures where that is still to be done, or nvcc came or went, and builds: for
# the GPU of this machine, or as a package for all of them.
build_preset() {
  local preset=$1 folder=build/$1 nvcc architecture=()
  [[ $preset == package ]] ||
    architecture=("-DCMAKE_CUDA_ARCHITECTURES=$(gpu_architecture)")
  nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null || echo none)
  mkdir -p "$folder"
  if [[ ! -f $folder/build.ninja || $(cat "$folder/nvcc.path" 2>/dev/null) != "$nvcc" ]]; then
    logged "$folder/configure.log" "configuring in $folder (once)" \
      cmake --fresh --preset "$preset" "${architecture[@]}" || return 1
    echo "$nvcc" >"$folder/nvcc.path"
  fi
  logged "$folder/build.log" "building in $folder" cmake --build "$folder" || return 1
}
