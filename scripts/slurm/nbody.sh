#!/usr/bin/env bash
# nbody.sh: a simulation by `mergefft nbody`, on CPU nodes, for as many jobs as it takes.
#
#   sbatch [options of sbatch] scripts/slurm/nbody.sh SNAPSHOT PREFIX [options of mergefft nbody]
#
# The files of the run are PREFIX-*.  When the job's time runs out the run is stopped after the step that it is at, with a
# checkpoint, and the job goes back to the queue, and on from there to the same result.  A job that died goes on from the last
# checkpoint of the run if it is requeued, or if the same line is submitted again.
#
# Settings of a site or a user: the lines below, which options of sbatch override, and in the environment MERGEFFT_COMMAND,
# MERGEFFT_SETUP, MERGEFFT_SRUN, MERGEFFT_WRAP and MERGEFFT_SPARE_S: see common.sh.
#
#SBATCH --job-name=mergefft-nbody
##SBATCH --partition=cpu           # without them the site's own defaults
##SBATCH --account=project
#SBATCH --time=12:00:00
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=32       # one rank a core
#SBATCH --cpus-per-task=1          # more: threads of each rank
#SBATCH --signal=B:USR1@300        # tells this script 5 minutes before the end: time for a step and a checkpoint
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=mergefft-%j.log
set -euo pipefail

# sbatch runs a copy of this script from its spool.  The folder of the original:
scripts=${MERGEFFT_SCRIPTS:-$(scontrol show job "${SLURM_JOB_ID:?submit this script with sbatch}" |
  sed -n 's|^ *Command=\([^ ]*\)/.*|\1|p' | sort -u)}
# shellcheck source=scripts/slurm/common.sh
. "$scripts/common.sh" || { echo "set MERGEFFT_SCRIPTS to the folder of this script" >&2 && exit 1; }

[ $# -ge 2 ] || die "name the snapshot and the prefix of the results: sbatch ${0##*/} SNAPSHOT PREFIX [options]"
snapshot=$1 prefix=$2
shift 2
checkpoint=$prefix-restart.hdf5
mkdir -p "$(dirname "$prefix")" || die "the folder of $prefix cannot be made"

begin "$scripts"
use_cores
at_notice() {
  say "the job's time ends soon: the run is stopped after its step"
  : >"$prefix-stop"
}

started=$(mktemp) # older than every checkpoint of this job
trap 'rm -f "$started"' EXIT
rm -f "$prefix-stop" # of a job that ended before its run saw it
read -r -a options <<<"${MERGEFFT_OPTIONS:-}"
if [ -e "$checkpoint" ]; then
  say "going on from $checkpoint"
  options+=(--restart)
fi
code=0
run_step nbody "$snapshot" -o "$prefix" "${options[@]}" "$@" || code=$?

if [ "$code" -eq 0 ] && [ ! -e "$checkpoint" ] && [ -e "$prefix-settings.txt" ]; then
  say "the run is done"
elif [ -n "$ending" ]; then
  [ "$checkpoint" -nt "$started" ] || die "the job's time is too short for a step and a checkpoint: ask for more (sbatch --time, --signal)"
  say "job $job goes back to the queue, and on from $checkpoint"
  requeue "submit it again, and it goes on"
elif [ "$code" -eq 0 ]; then
  say "the run was stopped; the same line goes on from $checkpoint"
else
  die "the run ended with exit code $code; what is said above is the reason"
fi
