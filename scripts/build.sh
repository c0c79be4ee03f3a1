# shellcheck shell=bash
# Sourced by run.sh, test.sh and make_deb.sh: configures and builds one preset. Needs `say` of packages.sh.

# told_progress LOG SECONDS prints how much of a build is done by the last `[done/all]` in its log, and
# how long the rest takes at the pace so far; nothing before the first step.
told_progress() {
  local step made all left
  step=$(grep -oE '^\[[0-9]+/[0-9]+\]' "$1" | tail -n 1 | tr -d '[]')
  [[ $step ]] || return 0
  made=${step%/*} all=${step#*/}
  ((made > 0 && all > 0)) || return 0
  left=$(($2 * (all - made) / made))
  printf '%d %% done, about %d:%02d left' $((100 * made / all)) $((left / 60)) $((left % 60))
}

# logged LOG WORDS COMMAND... keeps the command's output in LOG. Quick commands pass in silence; of one
# that takes longer WORDS are said with the share that is done, on a terminal in one line that is
# drawn again, elsewhere every 20 s. When it fails the end of its output is shown.
logged() {
  local log=$1 words=$2 pid seconds=0 progress
  shift 2
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  # shellcheck disable=SC2064  # the process of now
  trap "kill $pid 2>/dev/null; exit 130" INT
  # shellcheck disable=SC2064
  trap "kill $pid 2>/dev/null; exit 143" TERM
  for _ in {1..10}; do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  if kill -0 "$pid" 2>/dev/null; then
    say "$words"
    while kill -0 "$pid" 2>/dev/null; do
      sleep 1
      ((++seconds))
      progress=$(told_progress "$log" "$seconds")
      [[ $progress ]] || continue
      if [[ -t 2 ]]; then
        printf '\r\e[K%s: %s' "${0##*/}" "$progress" >&2
      elif ((seconds % 20 == 0)); then
        say "$progress"
      fi
    done
    [[ -t 2 ]] && printf '\r\e[K' >&2
  fi
  if wait "$pid"; then
    trap - INT TERM
    return 0
  fi
  trap - INT TERM
  tail -n 40 "$log" >&2
  say "this failed: $*"
  say "all of its output is in $PWD/$log"
  return 1
}

# cuda_headers prints where CUDA's headers may lie that are there; cmake/FindCudaHeaders.cmake chooses.
cuda_headers() {
  ls -d {"${CUDA_PATH:-}","${CUDA_HOME:-}",/usr/local/cuda,/usr/local/cuda-13}/include/cuda.h \
    {"${VIRTUAL_ENV:-}",~/.local,/usr/local,/usr}/lib/python3*/*-packages/nvidia/cu13/include/cuda.h 2>/dev/null
  command -v nvcc
}

# has_cuda_compiler says whether there is one where warplens looks for it.
has_cuda_compiler() {
  local nvcc
  for nvcc in {"${CUDA_HOME:-}","${CUDA_PATH:-}",/usr/local/cuda}/bin/nvcc "$(command -v nvcc)" \
    "${XDG_DATA_HOME:-$HOME/.local/share}"/warplens/compiler/nvidia/*/bin/nvcc; do
    [[ -x $nvcc ]] && return 0
  done
  return 1
}

# build_preset PRESET [CMAKE-OPTION...] [-- TARGET...] configures where that is still to be done, or
# CUDA's headers came or went, or an option is new, and builds the targets, or all. Run by CI a warning
# is an error.
build_preset() {
  local preset=$1 folder=build/$1 headers asked options=() targets=()
  shift
  while (($#)) && [[ $1 != -- ]]; do options+=("$1") && shift; done
  if (($#)); then shift && targets=("$@"); fi
  [[ ${CI:-} ]] && options+=(-DWARPLENS_WARNINGS_AS_ERRORS=ON)
  headers=$(cuda_headers || true)
  mkdir -p "$folder"
  if [[ ! -f $folder/build.ninja || $(cat "$folder/cuda-headers" 2>/dev/null) != "$headers" ]]; then
    logged "$folder/configure.log" "configuring in $folder (once)" \
      cmake --fresh --preset "$preset" "${options[@]}" || return 1
    echo "$headers" >"$folder/cuda-headers"
  else
    for asked in "${options[@]#-D}"; do
      grep -qE "^${asked%%=*}:[A-Z]+=${asked#*=}\$" "$folder/CMakeCache.txt" && continue
      logged "$folder/configure.log" "configuring in $folder" \
        cmake --preset "$preset" "${options[@]}" || return 1
      break
    done
  fi
  local known=()
  for asked in "${targets[@]}"; do  # the worker is there only with CUDA's headers
    if ninja -C "$folder" -t query "$asked" >/dev/null 2>&1; then known+=("$asked"); fi
  done
  logged "$folder/build.log" "building in $folder" ninja -C "$folder" "${known[@]}" || return 1
}
