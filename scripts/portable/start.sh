#!/bin/sh
# Starts the program that lies beside this file under the same name with `.bin`. What the system has is
# preferred; the C library of this folder is taken only where the system's is older than the one that the
# program was built with, and a library of lib/if-missing only where the system has none of that name.
self=$0
while [ -h "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=$(dirname "$self")/$link ;;
  esac
done
folder=$(cd "$(dirname "$self")/.." && pwd -P) || exit 3
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

needed=$(cat "$lib/glibc/version")
there=$(getconf GNU_LIBC_VERSION 2>/dev/null || /lib64/ld-linux-x86-64.so.2 --version 2>/dev/null | head -n 1)
there=$(printf '%s\n' "$there" | sed 's/.*[^0-9]\(2\.[0-9][0-9]*\).*/\1/')
oldest=$(printf '%s\n%s\n' "$needed" "$there" | sort -t . -k 1,1n -k 2,2n | head -n 1)
if [ "$oldest" != "$needed" ]; then
  exec "$lib/glibc/ld-linux-x86-64.so.2" --library-path \
    "$lib/glibc:$lib$path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$program" "$@"
fi
if [ -n "$path" ]; then
  LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}${path#:}
  export LD_LIBRARY_PATH
fi
exec "$program" "$@"
