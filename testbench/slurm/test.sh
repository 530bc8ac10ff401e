#!/bin/sh
# Runs a job array of awgstar on a Slurm of one node, ends one of its tasks early, gives the array once more, and
# compares what `merge` prints with the whole run. Installs slurm-wlm and munge (Debian, Ubuntu: as root) if they are
# missing. Slurm runs below a temporary folder with a key and ports of its test, and is stopped at the end.
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu
cd "$(dirname "$0")/../.."
PATH="$PATH:/usr/sbin:/sbin"

stop() {
    echo "slurm: $1" >&2
    exit 2
}

if ! command -v slurmctld >/dev/null || ! command -v munged >/dev/null; then
    echo "slurm: installing with apt-get: slurm-wlm munge"
    apt-get update -qq && apt-get install -y -qq --no-install-recommends slurm-wlm munge >/dev/null ||
        stop "slurm-wlm and munge cannot be installed"
fi
cargo build --quiet --locked -p awgstar-cli
AWGSTAR=$PWD/target/debug/awgstar
export AWGSTAR

folder=$(mktemp -d /tmp/awgstar-slurm.XXXXXX)
end() {
    result=$?
    for name in slurmd slurmctld munged; do
        [ -s "$folder/$name.pid" ] || continue
        pid=$(cat "$folder/$name.pid")
        kill "$pid" 2>/dev/null || continue
        # They write to the folder until they end.
        tail --pid="$pid" -f /dev/null
    done
    if [ "$result" -eq 0 ]; then rm -rf "$folder"; else echo "slurm: logs in $folder" >&2; fi
    exit "$result"
}
trap end EXIT
trap 'exit 130' INT TERM

# munge refuses folders that others could write.
chmod 755 "$folder"
mkdir -m 755 "$folder/state" "$folder/spool" "$folder/out"
dd if=/dev/urandom of="$folder/munge.key" bs=1024 count=1 status=none
chmod 600 "$folder/munge.key"
munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
    --log-file="$folder/munged.log" --seed-file="$folder/munge.seed"
host=$(hostname -s)
cat >"$folder/slurm.conf" <<CONF
ClusterName=awgstar
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CryptoType=crypto/munge
SlurmctldPort=46817
SlurmdPort=46818
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MinJobAge=300
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
SLURM_CONF=$folder/slurm.conf
export SLURM_CONF
slurmctld -f "$SLURM_CONF"
slurmd -f "$SLURM_CONF" -N "$host"

array() { # $1 numbers, then variables for the tasks
    numbers=$1
    shift
    env "$@" sbatch --wait --quiet --array="$numbers" --cpus-per-task=1 --output="$folder/out/%A-%a.txt" \
        testbench/slurm/parts.sbatch "$folder/parts" campaign --cases 8 --nodes 3
}

"$AWGSTAR" campaign --cases 8 --nodes 3 >"$folder/whole"
printf '#!/bin/sh\n[ "$SLURM_ARRAY_TASK_ID" != 2 ] || { echo half; exit 1; }\nexec "%s" "$@"\n' "$AWGSTAR" >"$folder/broken"
chmod +x "$folder/broken"
if array 1-4 AWGSTAR="$folder/broken"; then stop "an array with a task that failed has succeeded"; fi
[ -e "$folder/parts/part-1.jsonl" ] || { cat "$folder"/out/* >&2; stop "part 1 was not written"; }
[ ! -e "$folder/parts/part-2.jsonl" ] || stop "a task that failed has written its part"
if "$AWGSTAR" merge "$folder"/parts/part-*.jsonl 2>/dev/null; then stop "a part is missing, and merge succeeded"; fi
before=$(stat -c %Y.%i "$folder/parts/part-1.jsonl")
array 1-4 AWGSTAR="$AWGSTAR" || stop "the array given once more failed"
[ "$before" = "$(stat -c %Y.%i "$folder/parts/part-1.jsonl")" ] || stop "a part that was there was run again"
"$AWGSTAR" merge "$folder"/parts/part-*.jsonl >"$folder/merged"
cmp "$folder/whole" "$folder/merged"
echo "slurm: 4 parts, one of them run again: the same bytes as the whole run"
