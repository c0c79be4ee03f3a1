#!/usr/bin/env bash
# Two ssh servers of its own on the loopback, for tests; only this account can log in, with a key made here.
#   sshd.sh start FOLDER   `ssh -F FOLDER/config HOST` then reaches lab-gpu (with a banner) and lab-two (with a profile
#                          that prints lines); no-key offers neither a key nor a password, closed is a port nobody is at
#   sshd.sh stop FOLDER
set -euo pipefail
verb=$1 folder=$2
server=$(command -v sshd || echo /usr/sbin/sshd)

server() { # NAME PORT LINES...
  local name=$1 port=$2
  shift 2
  ssh-keygen -q -t ed25519 -N '' -f "$folder/host-$name"
  {
    echo "ListenAddress 127.0.0.1"
    echo "Port $port"
    echo "HostKey $folder/host-$name"
    echo "PidFile $folder/$name.pid"
    echo "AuthorizedKeysFile $folder/key.pub"
    echo "StrictModes no"
    echo "UsePAM no"
    echo "PermitRootLogin yes"
    printf '%s\n' "$@"
  } >"$folder/$name.conf"
  if ((EUID == 0)); then mkdir -p /run/sshd; fi
  "$server" -f "$folder/$name.conf" -E "$folder/$name.log"
}

case $verb in
  start)
    mkdir -p "$folder"
    port=$((20000 + RANDOM % 10000))
    ssh-keygen -q -t ed25519 -N '' -f "$folder/key"
    printf 'All use is logged.\nQuota: 80 %% used.\n' >"$folder/banner"
    cat >"$folder/profile" <<'END'
#!/bin/sh
# What a login does before the command: a profile that prints.
echo "Welcome to lab-two!"
echo "  modules loaded: cuda/13.0"
exec /bin/sh -c "$SSH_ORIGINAL_COMMAND"
END
    chmod 755 "$folder/profile"
    server one "$port" "Banner $folder/banner"
    server two $((port + 1)) "ForceCommand $folder/profile"
    common="HostName 127.0.0.1
  StrictHostKeyChecking no
  UserKnownHostsFile $folder/known"
    cat >"$folder/config" <<END
Host lab-gpu
  Port $port
  IdentityFile $folder/key
  IdentitiesOnly yes
  $common
Host lab-two
  Port $((port + 1))
  IdentityFile $folder/key
  IdentitiesOnly yes
  $common
Host no-key
  Port $port
  PubkeyAuthentication no
  $common
Host closed
  Port $((port + 2))
  $common
END
    for _ in {1..50}; do
      ssh -F "$folder/config" lab-gpu true 2>/dev/null && ssh -F "$folder/config" lab-two true >/dev/null 2>&1 && exit 0
      sleep 0.1
    done
    tail -5 "$folder"/*.log
    exit 1
    ;;
  stop)
    for name in one two; do
      [[ -f $folder/$name.pid ]] && kill "$(<"$folder/$name.pid")" 2>/dev/null || true
    done
    ;;
esac
