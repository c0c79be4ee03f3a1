#!/bin/sh
# Starts the program that lies beside this file under the same name with `.bin`. What the system has is
# preferred; the C library of this folder is taken only where the system's is older than the one that the
# program was built with, and a library of lib/if-missing only where the system has none of that name.
self=$0
while [ -h "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=${self%/*}/$link ;;
  esac
done
case $self in
  */*) ;;
  *) self=./$self ;;
esac
folder=$(cd "${self%/*}/.." && pwd -P) || exit 3
program=$folder/bin/${self##*/}.bin
lib=$folder/lib

known=$( (/sbin/ldconfig -p || /usr/sbin/ldconfig -p || ldconfig -p) 2>/dev/null)
path=
for missing in "$lib"/if-missing/*; do
  [ -e "$missing" ] || continue
  case $known in
    *"	${missing##*/} (libc6,x86-64"*) ;;
    *) path=$path:$missing ;;
  esac
done

# is_older A B: of two versions of the C library. One that is not known is.
is_older() {
  case $1 in
    [0-9]*.[0-9]*) ;;
    *) return 0 ;;
  esac
  minor=${1#*.}  # of 2.41.9000 is 41
  [ "${1%%.*}" -lt "${2%%.*}" ] || { [ "${1%%.*}" -eq "${2%%.*}" ] && [ "${minor%%.*}" -lt "${2#*.}" ]; }
}
read -r needed <"$lib/glibc/version"
# `glibc 2.36`, or in a first line that ends with `version 2.36.`
there=$(getconf GNU_LIBC_VERSION 2>/dev/null || /lib64/ld-linux-x86-64.so.2 --version 2>/dev/null | head -n 1)
there=${there##* }
if is_older "${there%.}" "$needed"; then
  exec "$lib/glibc/ld-linux-x86-64.so.2" --library-path \
    "$lib/glibc:$lib$path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$program" "$@"
fi
if [ -n "$path" ]; then
  LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}${path#:}
  export LD_LIBRARY_PATH
fi
exec "$program" "$@"
