#!/usr/bin/env python3
"""Every C++ file stands as clang-format 14 sets it by the repository's settings. Other versions set
some lines otherwise and are no judges. CUDA files are laid out by hand, as people write theirs.

format_test.py SOURCE_FOLDER
Exit code 77: clang-format 14 is missing.
"""

import os
import re
import shutil
import subprocess
import sys

VERSION = "14"
FOLDERS = ("app", "core", "kernels", "tests")


def formatter():
    """The path of clang-format 14; leaves where there is none, and says what there is."""
    found = []
    for name in (f"clang-format-{VERSION}", "clang-format"):
        path = shutil.which(name)
        if not path:
            continue
        said = subprocess.run([path, "--version"], check=True, stdout=subprocess.PIPE,
                              text=True).stdout.strip()
        if re.search(rf"version {VERSION}\.", said):
            return path
        found.append(said)
    print(f"skipped: clang-format {VERSION} is missing"
          + (f", here is {' and '.join(found)}" if found else ""))
    sys.exit(77)


def main():
    source = sys.argv[1]
    tool = formatter()
    files = sorted(os.path.join(folder, name)
                   for top in FOLDERS
                   for folder, _, names in os.walk(os.path.join(source, top))
                   for name in names if name.endswith((".cpp", ".h")))
    assert len(files) > 500, f"only {len(files)} files below {source}"
    # One line a place: FILE:LINE:COLUMN: error: ...
    judged = subprocess.run([tool, "--dry-run", "-Werror", "--style=file", *files], check=False,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wrong = sorted({os.path.relpath(place.split(":")[0], source)
                    for place in judged.stdout.splitlines() if ": error: " in place})
    if wrong:
        print(f"not as {os.path.basename(tool)} sets them; set them by:\n"
              f"  {os.path.basename(tool)} -i {' '.join(wrong)}")
        sys.exit(1)
    assert judged.returncode == 0, judged.stdout
    print(f"{len(files)} files stand as {os.path.basename(tool)} sets them")


main()
