#!/usr/bin/env bash
# Makes one folder that runs from any place on any x86-64 Linux with glibc 2.31 or newer, without root,
# packed as tar.xz, and a Python wheel of it; prints the paths of both on standard output.
#
#   scripts/make_portable.sh [CMAKE-OPTION...]
#
# Built on this system, Debian 12, and not on one with glibc 2.31: the compiler of Debian 11, GCC 10, is
# too old for the sources, and the libraries there are too old as well. So what is newer than on the oldest
# system travels along, and is taken only where it has to be (scripts/portable/start.sh):
#   lib/            what the programs use alone: Cairo and what it needs for text, GLFW
#   lib/if-missing/ taken only where the system has none, for OpenGL's drivers use the same libraries: X11
#   lib/glibc/      C library and loader, taken only where the system's are older
# The C++ library is linked in: drivers bring a C++ library of their own. OpenGL's drivers and
# CUDA are always the system's; NVRTC and CUPTI come with the toolkit or from PyPI.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/packages.sh
source scripts/packages.sh
# shellcheck source=scripts/build.sh
source scripts/build.sh

require_packages "${build_packages[@]}" "${packing_packages[@]}" "${portable_packages[@]}"
build_preset package -DWARPLENS_PORTABLE=ON "$@"

version=$(sed -n 's/^project(warplens VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
name=warplens-$version-linux-x86_64
output=build/portable
folder=$output/$name
licences=$folder/share/doc/warplens/licences
contents=$folder/CONTENTS.txt
# The same sources make the same files: their times are those of the last change.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)
export SOURCE_DATE_EPOCH
rm -rf "$output"
mkdir -p "$folder"
logged "$output/install.log" "collecting" cmake --install build/package --strip --prefix "$PWD/$folder"

for program in "$folder"/bin/*; do
  mv "$program" "$program.bin"
  cp scripts/portable/start.sh "$program"
  chmod 755 "$program"
done
cp scripts/portable/README.txt "$folder"

# in_package FILE names the Debian package that the file belongs to. Some are known under /lib alone.
in_package() {
  local file
  file=$(realpath "$1")
  { dpkg -S "$file" 2>/dev/null || dpkg -S "${file#/usr}"; } | sed -n 1p | cut -d : -f 1
}
# listed WHAT PACKAGE adds a row to the list, and the package's licence to the folder.
listed() {
  cp -L "/usr/share/doc/$2/copyright" "$licences/$2"
  printf '%-28s %-26s %s\n' "$1" "$2" "$(dpkg-query -W -f '${Version}\n' "$2" | sed -n 1p)" >>"$contents"
}
# take LIBRARY FOLDER copies it from where this system has it.
take() {
  local file
  file=$(/sbin/ldconfig -p | awk -v name="$1" '$1 == name && /x86-64/ && !found++ {print $NF}')
  [[ $file ]] || { say "this system has no $1" && return 1; }
  mkdir -p "$2"
  cp -L "$file" "$2/$1"
  chmod u+w "$2/$1"
  listed "$1" "$(in_package "$file")"
}

own='libcairo.so.2 libfreetype.so.6 libfontconfig.so.1 libpixman-1.so.0 libpng16.so.16 libglfw.so.3
  libstb.so.0 libbrotlidec.so.1 libbrotlicommon.so.1'
# GLFW opens the last six when it runs, Dear ImGui libGL, which servers with NVIDIA's driver often lack.
if_missing='libEGL.so.1 libGL.so.1 libGLX.so.0 libGLdispatch.so.0 libX11.so.6 libXext.so.6 libXrender.so.1 libxcb.so.1
  libxcb-shm.so.0 libxcb-render.so.0 libXau.so.6 libXdmcp.so.6 libbsd.so.0 libmd.so.0 libexpat.so.1 libz.so.1
  libXfixes.so.3 libXrandr.so.2 libXinerama.so.1 libXcursor.so.1 libXi.so.6 libXxf86vm.so.1 libX11-xcb.so.1'
# All of glibc: parts of two versions do not go together, and drivers use some that the programs do not.
glibc='ld-linux-x86-64.so.2 libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libresolv.so.2
  libutil.so.1 libanl.so.1 libnss_compat.so.2 libnss_dns.so.2 libnss_files.so.2'

mkdir -p "$folder/lib/glibc" "$folder/lib/if-missing"
{
  echo "Warplens $version, built on $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release)."
  echo
  echo "What travels along, with the Debian package and the version it comes from. The licence of each lies"
  echo "in share/doc/warplens/licences under the package's name; that of Warplens beside that folder."
  printf '\nLibraries in lib, and those taken only where the system has none or an older one:\n'
} >"$contents"
for library in $own; do take "$library" "$folder/lib"; done
for library in $if_missing; do take "$library" "$folder/lib/if-missing/$library"; done
for library in $glibc; do take "$library" "$folder/lib/glibc"; done
getconf GNU_LIBC_VERSION | cut -d ' ' -f 2 >"$folder/lib/glibc/version"

printf '\nInside the programs:\n' >>"$contents"
for package in libimgui-dev nlohmann-json3-dev libcli11-dev libglm-dev python3-glad \
  fonts-inter fonts-jetbrains-mono; do
  listed '' "$package"
done
for library in libstdc++.a libgcc.a; do
  listed "$library" "$(in_package "$(g++ -print-file-name=$library)")"
done

# Nothing that the programs need may be forgotten, and nothing of the C++ library be left outside.
for program in "$folder"/bin/*.bin $(find "$folder/lib" -type f -name "*.so.*"); do
  while read -r needed; do
    [[ -e $folder/lib/$needed || -e $folder/lib/if-missing/$needed || -e $folder/lib/glibc/$needed ]] ||
      { say "${program##*/} needs $needed, which the folder lacks" && exit 1; }
  done < <(objdump -p "$program" | awk '$1 == "NEEDED" {print $2}')
done
"$folder/bin/warplens" --version >/dev/null
tar -C "$output" --owner=0 --group=0 --sort=name --mtime="@$SOURCE_DATE_EPOCH" -cJf "$output/$name.tar.xz" "$name"

# The wheel is the folder below a package that starts it.
wheel=$output/wheel
information=$wheel/warplens-$version.dist-info
mkdir -p "$wheel/warplens" "$information"
cp -r "$folder" "$wheel/warplens/portable"
cp scripts/portable/warplens_init.py "$wheel/warplens/__init__.py"
cp scripts/portable/warplens_api.py "$wheel/warplens/api.py"
cp scripts/portable/warplens_main.py "$wheel/warplens/__main__.py"
sed "s/@VERSION@/$version/" scripts/portable/METADATA.in | cat - README.md >"$information/METADATA"
cp scripts/portable/WHEEL scripts/portable/entry_points.txt LICENSE "$information"
logged "$output/wheel.log" "packing the wheel" /usr/bin/python3 -m wheel pack "$wheel" --dest-dir "$output"
rm -rf "$wheel"
ls "$PWD/$output"/*.tar.xz "$PWD/$output"/*.whl
