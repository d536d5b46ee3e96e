#!/usr/bin/env bash
# cpu.sh: Poisson's equation for a list of fields, on CPU nodes.
#
#   sbatch [options of sbatch] scripts/slurm/cpu.sh FIELD.h5...
#   sbatch --array=0-3 scripts/slurm/cpu.sh FIELD.h5...         four jobs, which share the list
#
# Each FIELD.h5 becomes FIELD-potential.h5, with times and residual in FIELD-potential.json.  Existing potentials are skipped,
# so that a job that was requeued, or is submitted again, continues where it was.
#
# Settings of a site or a user: the lines below, which options of sbatch override, and in the environment MERGEFFT_COMMAND,
# MERGEFFT_SETUP, MERGEFFT_OUTPUT, MERGEFFT_PRECISION, MERGEFFT_BACKEND and MERGEFFT_OPTIONS: see common.sh.
#
#SBATCH --job-name=mergefft
##SBATCH --partition=cpu           # without them the site's own defaults
##SBATCH --account=project
#SBATCH --time=01:00:00
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=32       # one rank a core
#SBATCH --cpus-per-task=1          # more: threads of each rank's transforms
#SBATCH --signal=B:USR1@120        # tells this script 2 minutes before the end
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=mergefft-%j.log
set -euo pipefail

# sbatch runs a copy of this script from its spool.  The folder of the original:
scripts=${MERGEFFT_SCRIPTS:-$(scontrol show job "${SLURM_JOB_ID:?submit this script with sbatch}" |
  sed -n 's|^ *Command=\([^ ]*\)/.*|\1|p' | sort -u)} # once for each task of an array
# shellcheck source=scripts/slurm/common.sh
. "$scripts/common.sh" || { echo "set MERGEFFT_SCRIPTS to the folder of this script" >&2 && exit 1; }

begin "$scripts"
use_cores
solve_fields "$@"
