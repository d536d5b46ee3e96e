#!/usr/bin/env bash
# near-gpu.sh COMMAND...: puts this rank on cores near its GPU, then becomes COMMAND.
#
# Rank SLURM_LOCALID of a node uses the GPU of that number, as mergefft chooses it; all GPUs stay visible to all ranks.  The
# kernel knows which cores are on the GPU's side of the machine; ranks whose GPUs have the same cores share them evenly, one
# hardware thread a core.  Where nothing is known of a GPU the rank runs unbound.
set -euo pipefail
sysfs=${MERGEFFT_SYSFS:-/sys} # tests have one of their own

# unbound REASON COMMAND...
unbound() {
  local reason=$1
  shift
  [ "${SLURM_PROCID:-0}" -ne 0 ] || echo "near-gpu.sh: ranks run on any core: $reason" >&2
  exec "$@"
}

# expand LIST: "0-2,8" as lines 0 1 2 8.
expand() {
  local part
  for part in ${1//,/ }; do seq "${part%-*}" "${part#*-}"; done
}

# cores LIST: those of "0-2,8" that this rank may use and that are the first hardware thread of their core.
cores() {
  local core siblings
  while read -r core; do
    siblings=$(cat "$sysfs/devices/system/cpu/cpu$core/topology/thread_siblings_list" 2>/dev/null || echo "$core")
    [ "${siblings%%[-,]*}" != "$core" ] || echo "$core"
  done < <(comm -12 <(expand "$1" | sort) <(expand "$allowed" | sort) | sort -n)
}
allowed=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)

# The GPUs that this job sees, in CUDA's order: what Slurm gave it, else all.
all=$(nvidia-smi --query-gpu=index,uuid,pci.bus_id --format=csv,noheader 2>/dev/null | tr -d ' ') || all=
[ -n "$all" ] || unbound "nvidia-smi lists no GPU" "$@"
IFS=', ' read -r -a gpus <<<"${CUDA_VISIBLE_DEVICES:-$(cut -d, -f1 <<<"$all" | paste -s -d, -)}"

# near GPU: the list of the cores on its side; the bus id is 00000000:1B:00.0 to nvidia-smi and 0000:1b:00.0 to the kernel.
near() {
  local bus
  bus=$(awk -F, -v gpu="$1" '$1 == gpu || index($2, gpu) == 1 { print tolower(substr($3, 5)); exit }' <<<"$all")
  cat "$sysfs/bus/pci/devices/${bus:-none}/local_cpulist" 2>/dev/null || true
}

rank=${SLURM_LOCALID:-0}
ranks=${SLURM_STEP_TASKS_PER_NODE:-$((rank + 1))} # of this node: 8, or 8(x4) on four nodes
ranks=${ranks%%[(,]*}
side=$(near "${gpus[rank % ${#gpus[@]}]}")
[ -n "$side" ] || unbound "the kernel does not say which cores are near GPU ${gpus[rank % ${#gpus[@]}]}" "$@"

# This rank is number `place` of the `sharing` ranks on its side.
place=0 sharing=0
for ((r = 0; r < ranks; r++)); do
  if [ "$(near "${gpus[r % ${#gpus[@]}]}")" = "$side" ]; then
    [ "$r" -ge "$rank" ] || place=$((place + 1))
    sharing=$((sharing + 1))
  fi
done
mapfile -t core < <(cores "$side")
share=$((${#core[@]} / sharing))
[ "$share" -gt 0 ] || unbound "$sharing ranks share the ${#core[@]} of cores $side that they may use" "$@"
mine=$(IFS=, && echo "${core[*]:place * share:share}")
exec taskset -c "$mine" "$@"
