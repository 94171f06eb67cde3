#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A real Slurm of one node, without systemd, for as long as a command runs:
#
#     tests/cluster/slurm.sh COMMAND...
#
# Needs root, and slurmctld, slurmd, slurm-client and munge (Debian's packages). Everything lies in a folder that is removed
# at the end; nothing of another Slurm on the machine is touched. The command finds it by $SLURM_CONF.
set -eu
home=$(mktemp -d /tmp/tune-slurm-XXXXXX)
chmod 755 "$home"
node=$(hostname -s)
running=

end() {
    status=$?
    for process in $running; do kill "$process" 2>/dev/null || true; done
    for process in $running; do wait "$process" 2>/dev/null || true; done
    if [ $status -ne 0 ]; then tail -n 20 "$home"/*.log >&2 || true; fi
    rm -rf "$home"
    exit $status
}
trap end EXIT
trap 'exit 130' INT TERM

dd if=/dev/urandom of="$home/key" bs=1024 count=1 2>/dev/null
chmod 400 "$home/key"
mkdir "$home/munge" "$home/state" "$home/spool"
munged --foreground --force --key-file="$home/key" --socket="$home/munge/socket" --pid-file="$home/munge/pid" \
    --log-file="$home/munge.log" --seed-file="$home/munge/seed" >/dev/null 2>&1 &
running="$running $!"

cat >"$home/slurm.conf" <<EOF
ClusterName=tune
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
AuthType=auth/munge
AuthInfo=socket=$home/munge/socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$home/state
SlurmdSpoolDir=$home/spool
SlurmctldPidFile=$home/slurmctld.pid
SlurmdPidFile=$home/slurmd.pid
SlurmctldLogFile=$home/slurmctld.log
SlurmdLogFile=$home/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=pmix
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2,batch_sched_delay=0
ReturnToService=2
KillWait=5
NodeName=$node NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=main Nodes=$node Default=YES MaxTime=INFINITE State=UP
EOF
echo "CgroupPlugin=cgroup/v1" >"$home/cgroup.conf"
export SLURM_CONF="$home/slurm.conf"

slurmctld -D >"$home/slurmctld.out" 2>&1 &
running="$running $!"
slurmd -D >"$home/slurmd.out" 2>&1 &
running="$running $!"
tries=0
until [ "$(sinfo -h -o %T 2>/dev/null)" = idle ]; do
    tries=$((tries + 1))
    if [ $tries -gt 60 ]; then
        echo "Slurm does not start:" >&2
        cat "$home"/*.out >&2
        exit 1
    fi
    sleep 0.5
done
"$@"
