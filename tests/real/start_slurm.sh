#!/usr/bin/env bash
# A real Slurm on this machine alone, for tests: one node with four fake GPUs, no accounting, no systemd. Run as root on
# Debian 12; installs the packages where they are missing. Running it again does no harm. stop_slurm.sh ends it.
# The node claims more processors and memory than it has, since the jobs of tests ask for much and use little.
set -euo pipefail
CPUS=${SLURM_CPUS:-16}
MEM_MB=${SLURM_MEM_MB:-500000}
CONF=/etc/slurm
STATE=/var/spool/slurm-local
LOG=/var/log/slurm
RUN=/run/slurm
HOST=$(hostname -s)

[ "$(id -u)" = 0 ] || { echo "start_slurm.sh: run it as root" >&2; exit 1; }

install_packages() {
  local missing=() name
  for name in slurm-wlm munge; do
    dpkg-query -W -f='${Status}' "$name" 2> /dev/null | grep -q 'ok installed' || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  local policy=/usr/sbin/policy-rc.d made=
  if [ ! -e $policy ]; then # packages must not start daemons
    printf '#!/bin/sh\nexit 101\n' > $policy && chmod 755 $policy && made=yes
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
  [ -z "$made" ] || rm $policy
}

# Whether the process of a pid file lives and is what it should be: a zombie keeps its name.
alive() {
  local pid
  pid=$(cat "$1" 2> /dev/null) && [ -n "$pid" ] || return 1
  [ "$(awk '/^Name:/{n=$2} /^State:/{s=$2} END{print (s=="Z"?"":n)}' "/proc/$pid/status" 2> /dev/null)" = "$2" ]
}

wait_for() { # SECONDS COMMAND...
  local left=$(($1 * 10))
  shift
  while ! "$@" > /dev/null 2>&1; do
    left=$((left - 1))
    [ $left -gt 0 ] || return 1
    sleep 0.1
  done
}

start_munge() {
  install -d -o munge -g munge -m 0711 /var/lib/munge
  install -d -o munge -g munge -m 0700 /var/log/munge /etc/munge
  install -d -o munge -g munge -m 0755 /run/munge
  [ -s /etc/munge/munge.key ] || dd if=/dev/urandom of=/etc/munge/munge.key bs=1 count=1024 status=none
  chown munge:munge /etc/munge/munge.key
  chmod 400 /etc/munge/munge.key
  if ! alive /run/munge/munged.pid munged; then
    rm -f /run/munge/munge.socket.2*
    setpriv --reuid=munge --regid=munge --clear-groups /usr/sbin/munged
  fi
  wait_for 10 munge -n || { echo "munge did not start" >&2; exit 1; }
}

configure() {
  mkdir -p $CONF $LOG $STATE/ctld $STATE/d $RUN
  touch $LOG/jobcomp.log
  # cred_expire: else a requeued job waits two minutes. KillWait: seconds from SIGTERM to SIGKILL.
  cat > $CONF/slurm.conf << END
ClusterName=local
SlurmctldHost=$HOST(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=cred_expire=5
CredType=cred/munge
SlurmctldPidFile=$RUN/slurmctld.pid
SlurmdPidFile=$RUN/slurmd.pid
StateSaveLocation=$STATE/ctld
SlurmdSpoolDir=$STATE/d
SlurmctldLogFile=$LOG/slurmctld.log
SlurmdLogFile=$LOG/slurmd.log
SlurmdParameters=config_overrides
MpiDefault=none
SwitchType=switch/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2,batch_sched_delay=0,sched_min_interval=0
ReturnToService=2
MinJobAge=3600
KillWait=10
JobCompType=jobcomp/filetxt
JobCompLoc=$LOG/jobcomp.log
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
GresTypes=gpu
NodeName=$HOST NodeAddr=127.0.0.1 Sockets=1 CoresPerSocket=$CPUS ThreadsPerCore=1 RealMemory=$MEM_MB Gres=gpu:fake:4
PartitionName=cpu Nodes=$HOST Default=YES MaxTime=1440 DefMemPerCPU=512 State=UP
PartitionName=gpu Nodes=$HOST Default=NO MaxTime=1440 DefMemPerCPU=512 State=UP
END
  # A GPU is a device, so four devices that every machine has stand for GPUs; nothing opens them.
  echo "AutoDetect=off" > $CONF/gres.conf
  for device in null zero full random; do
    echo "NodeName=$HOST Name=gpu Type=fake File=/dev/$device Flags=nvidia_gpu_env" >> $CONF/gres.conf
  done
  cat > $CONF/cgroup.conf << END
CgroupAutomount=no
ConstrainCores=no
ConstrainRAMSpace=no
ConstrainDevices=no
END
}

# Whether the node answers: "idle*" has not yet, and a state may be left from before.
ready() { alive $RUN/slurmd.pid slurmd && sinfo -h -N -n "$HOST" -o %t | grep -qE '^(idle|mix|alloc)$'; }

install_packages
getent hosts "$HOST" > /dev/null || echo "127.0.0.1 $HOST" >> /etc/hosts
start_munge
if ! alive $RUN/slurmctld.pid slurmctld || ! alive $RUN/slurmd.pid slurmd; then
  configure
  alive $RUN/slurmctld.pid slurmctld || slurmctld
  wait_for 20 scontrol ping || { tail -n 20 $LOG/slurmctld.log >&2; exit 1; }
  alive $RUN/slurmd.pid slurmd || slurmd
fi
if ! wait_for 15 ready; then
  scontrol update NodeName="$HOST" State=RESUME || true
  wait_for 15 ready || { sinfo -R >&2; tail -n 20 $LOG/slurmd.log $LOG/slurmctld.log >&2; exit 1; }
fi
sinfo
