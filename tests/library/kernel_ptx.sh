#!/usr/bin/env bash
# The PTX of the built-in kernels (kernels/library/ptx) against their files.
#
#   kernel_ptx.sh digests                   each is of the text that the kernel has now
#   kernel_ptx.sh again MACHINE_EXACTNESS   made anew it has the same bytes with nvcc 13.0; with another one what runs of
#                                           it does what is predicted (tests/bench/machine_exactness.cpp)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
library=$root/kernels/library
case $1 in
  digests)
    expected=
    for file in "$library"/*.cu; do
      name=$(basename "$file")
      head="// $name: sha256 $(sha256sum <"$file" | cut -d ' ' -f 1)"
      for kind in debug optimized; do
        ptx=${name%.cu}.$kind.ptx
        expected+=$ptx$'\n'
        [[ $(head -n 1 "$library/ptx/$ptx") == "$head" ]] || {
          echo "ptx/$ptx is of another text than $name: run scripts/make_kernel_ptx.sh" >&2
          exit 1
        }
      done
    done
    diff <(printf %s "$expected" | LC_ALL=C sort) <(cd "$library/ptx" && printf '%s\n' * | LC_ALL=C sort) >&2
    ;;
  again)
    nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
    [[ -x $nvcc ]] || { echo "skipped: there is no nvcc"; exit 77; }
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    NVCC=$nvcc "$root/scripts/make_kernel_ptx.sh" "$folder"
    if "$nvcc" --version | grep -q 'release 13\.0,'; then
      diff -r "$library/ptx" "$folder" >&2
    else
      "$2" "$folder" 5 1 100000
    fi
    ;;
esac
