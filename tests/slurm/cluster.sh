#!/usr/bin/env bash
# A cluster of its own on this machine, for tests: Debian's slurm-wlm and munge with two nodes, one pretended GPU each.
#   cluster.sh start FOLDER   starts munged, slurmctld and two slurmd, their files in FOLDER (made here)
#   cluster.sh stop FOLDER    ends them
# Afterwards `SLURM_CONF=FOLDER/slurm.conf srun -p gpu --gres=gpu:1 …` works for this account.
set -euo pipefail
verb=$1 folder=$2
user=$(id -un)
port=${SLURM_TEST_PORT:-26817}

daemons=(slurmd-gpu01 slurmd-gpu02 slurmctld munged)

stop() {
  local name id
  for name in "${daemons[@]}"; do
    [[ -f $folder/$name.pid ]] || continue
    id=$(<"$folder/$name.pid")
    kill "$id" 2>/dev/null || continue
    for _ in {1..50}; do kill -0 "$id" 2>/dev/null || break; sleep 0.1; done
    kill -9 "$id" 2>/dev/null || true
  done
}

start() {
  mkdir -p "$folder"/{spool-gpu01,spool-gpu02,state}
  chmod 755 "$folder"
  local host
  host=$(hostname -s)
  head -c 1024 /dev/urandom >"$folder/munge.key"
  chmod 400 "$folder/munge.key"
  # --force: the folder may lie below one that others may write to.
  munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
    --log-file="$folder/munged.log" --seed-file="$folder/munged.seed" --num-threads=2
  : >"$folder/gpu-a"
  : >"$folder/gpu-b"
  cat >"$folder/gres.conf" <<END
NodeName=gpu01 Name=gpu File=$folder/gpu-a
NodeName=gpu02 Name=gpu File=$folder/gpu-b
END
  cat >"$folder/cgroup.conf" <<END
CgroupAutomount=no
END
  cat >"$folder/slurm.conf" <<END
ClusterName=warplens
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
SlurmctldPort=$port
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
ReturnToService=2
MpiDefault=none
KillWait=2
SlurmdTimeout=10
InactiveLimit=0
MinJobAge=2
SchedulerParameters=sched_interval=1,bf_interval=1,sched_min_interval=100000,batch_sched_delay=0
NodeName=gpu01 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=2 RealMemory=256 Gres=gpu:1 State=UNKNOWN
NodeName=gpu02 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=2 RealMemory=256 Gres=gpu:1 State=UNKNOWN
PartitionName=gpu Nodes=gpu01,gpu02 Default=YES MaxTime=10 DefaultTime=5 State=UP
END
  export SLURM_CONF=$folder/slurm.conf
  slurmctld -c >"$folder/slurmctld.out" 2>&1
  slurmd -N gpu01 >"$folder/slurmd-gpu01.out" 2>&1
  slurmd -N gpu02 >"$folder/slurmd-gpu02.out" 2>&1
  for _ in {1..150}; do
    [[ $(sinfo -h -t idle -o %D 2>/dev/null) == 2 ]] && return 0
    sleep 0.1
  done
  sinfo || true
  tail -5 "$folder"/*.log "$folder"/*.out
  return 1
}

case $verb in
  start) start || { stop; exit 1; } ;;
  stop) stop ;;
  *) echo "cluster.sh start|stop FOLDER" >&2; exit 2 ;;
esac
