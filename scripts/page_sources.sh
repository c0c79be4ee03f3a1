#!/usr/bin/env bash
# The digest of all that the page is made of, to tell whether the one that is kept (assets/page) is older.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
git ls-files -s -- CMakeLists.txt cmake core kernels/ptx kernels/library app/drawing app/figure app/fonts app/lessons \
  app/platform app/recordings app/window shaders assets/lessons assets/recordings | sha256sum | cut -d ' ' -f 1
