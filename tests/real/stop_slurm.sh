#!/usr/bin/env bash
# Ends what start_slurm.sh started, by pid file, if the process is what it should be. The packages stay, and while they
# do, each start of Snakemake waits some seconds for a Slurm that is stopped: `apt-get remove slurm-client` ends that.
set -u

name() { awk '/^Name:/{n=$2} /^State:/{s=$2} END{print (s=="Z"?"":n)}' "/proc/$1/status" 2> /dev/null; }

stop() { # PIDFILE NAME
  local pid
  pid=$(cat "$1" 2> /dev/null) && [ -n "$pid" ] && [ "$(name "$pid")" = "$2" ] || return 0
  kill "$pid"
  for _ in $(seq 150); do
    [ "$(name "$pid")" = "$2" ] || return 0
    sleep 0.1
  done
  kill -9 "$pid"
}

stop /run/slurm/slurmd.pid slurmd
stop /run/slurm/slurmctld.pid slurmctld
stop /run/munge/munged.pid munged
