#!/usr/bin/env bash
# Makes the PTX of every built-in kernel, each template instance included, with the nvcc on PATH.
#
#   tests/bench/library_ptx.sh FOLDER [-G | -lineinfo] [ARCHITECTURE]
set -euo pipefail
folder=$1
kind=${2:--G}
architecture=${3:-sm_90}
library=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../kernels/library" && pwd)
mkdir -p "$folder"
for file in "$library"/*.cu; do
  name=$(basename "$file" .cu)
  text=$(mktemp --suffix=.cu)
  cat "$file" >"$text"
  # `template TILE: tile` and `size tile: 16, one of 8 16 32` name the instances.
  parameter=$(sed -n 's|^// template [A-Za-z_]*: *\([a-z_]*\).*|\1|p' "$file")
  if [[ -n $parameter ]]; then
    values=$(sed -n "s|^// size $parameter: [^o]*one of \([0-9 ]*\),.*|\1|p" "$file")
    signature=$(sed -n 's|^__global__ void \([A-Za-z0-9_]*\)(\(.*\)) {$|\1 \2|p' "$file")
    for value in $values; do
      echo "template __global__ void ${signature%% *}<$value>(${signature#* });" >>"$text"
    done
  fi
  nvcc "$kind" -ptx -arch="$architecture" -o "$folder/$name.ptx" "$text"
  rm "$text"
done
