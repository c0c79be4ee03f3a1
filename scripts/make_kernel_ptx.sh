#!/usr/bin/env bash
# Makes the PTX that stands for the built-in kernels: of each kernels/library/*.cu what nvcc makes of it with -G
# (what the source asks for) and optimised, every template instance that launches choose included.
#
#   scripts/make_kernel_ptx.sh [FOLDER] [ARCHITECTURE]
#
# Without FOLDER the files in kernels/library/ptx are made anew; the test kernel_ptx says when that is to be done.
# The repository's are made by nvcc 13.0, another one is found by NVCC=...; nothing else of the machine stands in them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../kernels/library"
mkdir -p "${1:-ptx}"
folder=$(cd "${1:-ptx}" && pwd)
architecture=${2:-sm_90}
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The kernel with its template's instances: `template TILE: tile` and `size tile: 16, one of 8 16 32` name them.
instances() {
  cat "$1"
  local parameter values signature value
  parameter=$(sed -n 's|^// template [A-Za-z_]*: *\([a-z_]*\).*|\1|p' "$1")
  [[ -n $parameter ]] || return 0
  values=$(sed -n "s|^// size $parameter: [^o]*one of \([0-9 ]*\),.*|\1|p" "$1")
  signature=$(sed -n 's|^__global__ void \([A-Za-z0-9_]*\)(\(.*\)) {$|\1 \2|p' "$1")
  for value in $values; do
    echo "template __global__ void ${signature%% *}<$value>(${signature#* });"
  done
}

make_one() {
  local file=$1 kind=$2 option=$3
  local name=${file%.cu}
  mkdir -p "$work/$name.$kind"
  instances "$file" >"$work/$name.$kind/$file"
  (cd "$work/$name.$kind" && "$nvcc" $option -ptx -arch="$architecture" -o made.ptx "$file")
  # Of the debug information lines alone are of use; paths are of the machine, and so is the number of a file's own
  # functions.
  {
    echo "// $file: sha256 $(sha256sum <"$file" | cut -d ' ' -f 1)"
    awk '/^\t\.section\t\.debug_/ { skip = 1 }
         !skip { print }
         skip && /^\t}/ { skip = 0 }' "$work/$name.$kind/made.ptx" |
      sed -E -e "/^\t\.file\t/s|\"[^\"]*/$file\"|\"$file\"|" -e '/^\t\.file\t/s|"/[^"]*/include/|"/cuda/include/|' \
        -e '/^\t\.loc\t/s/ function_name [^,]*,//' -e 's/_INTERNAL_[0-9a-f]{8}_/_INTERNAL_00000000_/g' |
      cat -s
  } >"$folder/$name.$kind.ptx"
}

export -f make_one instances
export work folder architecture nvcc
for file in *.cu; do
  printf '%s debug -G\0%s optimized -lineinfo\0' "$file" "$file"
done | xargs -0 -P "$(nproc)" -I{} bash -euo pipefail -c 'make_one {}'
