#!/usr/bin/env bash
# Makes one folder that runs from any place on any x86-64 Linux with glibc 2.31 or newer, without root,
# and a Python wheel of it; prints the paths of both on standard output.
#
#   scripts/make_portable.sh [CMAKE-OPTION...]
#
# Built on this system, with its libraries beside the programs:
#   lib/            what the programs use alone: Cairo and its fonts' libraries, GLFW
#   lib/if-missing/ taken only where the system has none: OpenGL's drivers use the same X11 libraries
#   lib/glibc/      C library and loader of this system, taken only where the system's are older
# The C++ library is linked in: drivers bring their own. OpenGL and CUDA are always the system's.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/packages.sh
source scripts/packages.sh
# shellcheck source=scripts/build.sh
source scripts/build.sh

require_packages "${build_packages[@]}" "${packing_packages[@]}" "${portable_packages[@]}"
build_preset package -DWARPLENS_PORTABLE=ON "$@" -- warplens warplens-measure

version=$(sed -n 's/^project(warplens VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
name=warplens-$version-linux-x86_64
output=$PWD/build/portable
folder=$output/$name
rm -rf "$output"
mkdir -p "$folder"
logged "$output/install.log" "collecting" cmake --install build/package --strip --prefix "$folder"

for program in "$folder"/bin/*; do
  mv "$program" "$program.bin"
  cp scripts/portable/start.sh "$program"
done

# library_of NAME: where this system has it.
library_of() { ldconfig -p | awk -v name="$1" '$1 == name && /x86-64/ {print $NF; exit}'; }

own='libcairo.so.2 libfreetype.so.6 libfontconfig.so.1 libpixman-1.so.0 libpng16.so.16 libglfw.so.3
  libstb.so.0 libbrotlidec.so.1 libbrotlicommon.so.1'
# GLFW opens the last ones at run time.
if_missing='libEGL.so.1 libGLdispatch.so.0 libX11.so.6 libX11-xcb.so.1 libXext.so.6 libXrender.so.1 libxcb.so.1
  libxcb-shm.so.0 libxcb-render.so.0 libXau.so.6 libXdmcp.so.6 libbsd.so.0 libmd.so.0 libexpat.so.1 libz.so.1
  libXrandr.so.2 libXinerama.so.1 libXcursor.so.1 libXi.so.6 libXfixes.so.3 libXxf86vm.so.1 libxkbcommon.so.0'
glibc='ld-linux-x86-64.so.2 libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1'

mkdir -p "$folder/lib/glibc" "$folder/lib/if-missing"
contents=$folder/CONTENTS.txt
{
  echo "Warplens $version, built on $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release)."
  echo
  echo "Libraries that travel along, with the Debian package and version they come from; the licence of"
  echo "each lies in share/doc/warplens/licences. What is linked into the programs is listed there, too."
  echo
} >"$contents"
# take LIBRARY FOLDER copies it, and its licence, and adds it to the list.
take() {
  local file package
  file=$(library_of "$1")
  [[ $file ]] || { say "this system has no $1" && return 1; }
  mkdir -p "$2"
  cp -L "$file" "$2/$1"
  package=$(dpkg -S "$(realpath "$file")" 2>/dev/null | head -n 1 | cut -d : -f 1)
  [[ $package ]] || package=$(dpkg -S "${file#/usr}" | head -n 1 | cut -d : -f 1)
  cp -L "/usr/share/doc/$package/copyright" "$folder/share/doc/warplens/licences/$package"
  printf '%-28s %-24s %s\n' "$1" "$package" "$(dpkg-query -W -f '${Version}' "$package:amd64")" >>"$contents"
}
for library in $own; do take "$library" "$folder/lib"; done
for library in $if_missing; do take "$library" "$folder/lib/if-missing/$library"; done
for library in $glibc; do take "$library" "$folder/lib/glibc"; done
getconf GNU_LIBC_VERSION | cut -d ' ' -f 2 >"$folder/lib/glibc/version"

# Nothing that the programs need may be forgotten.
for program in "$folder"/bin/*.bin "$folder"/lib/*.so.*; do
  while read -r needed; do
    [[ -e $folder/lib/$needed || -e $folder/lib/if-missing/$needed || -e $folder/lib/glibc/$needed ]] ||
      { say "${program##*/} needs $needed, which the folder lacks" && exit 1; }
  done < <(objdump -p "$program" | awk '$1 == "NEEDED" {print $2}')
done
tar -C "$output" --owner=0 --group=0 --sort=name -cJf "$output/$name.tar.xz" "$name"

# The wheel is the folder below a package that starts it.
wheel=$output/wheel
mkdir -p "$wheel/warplens" "$wheel/warplens-$version.dist-info"
cp -r "$folder" "$wheel/warplens/portable"
cp scripts/portable/warplens_init.py "$wheel/warplens/__init__.py"
echo 'from . import warplens; warplens()' >"$wheel/warplens/__main__.py"
cat >"$wheel/warplens-$version.dist-info/WHEEL" <<END
Wheel-Version: 1.0
Generator: scripts/make_portable.sh
Root-Is-Purelib: false
Tag: py3-none-manylinux_2_31_x86_64
END
cat >"$wheel/warplens-$version.dist-info/METADATA" <<END
Metadata-Version: 2.1
Name: warplens
Version: $version
Summary: Shows how CUDA weaves threads into warps, and measures what it costs
License: MIT
Requires-Python: >=3.9
Description-Content-Type: text/markdown
Provides-Extra: gpu
Requires-Dist: nvidia-cuda-nvrtc (>=13.0,<14) ; extra == 'gpu'
Requires-Dist: nvidia-cuda-cupti (>=13.0,<14) ; extra == 'gpu'
Requires-Dist: nvidia-cuda-runtime (>=13.0,<14) ; extra == 'gpu'

$(cat README.md)
END
cat >"$wheel/warplens-$version.dist-info/entry_points.txt" <<'END'
[console_scripts]
warplens = warplens:warplens
warplens-measure = warplens:measure
END
logged "$output/wheel.log" "packing the wheel" python3 -m wheel pack "$wheel" --dest-dir "$output"
rm -rf "$wheel"
ls "$output"/*.tar.xz "$output"/*.whl
