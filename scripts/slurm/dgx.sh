#!/usr/bin/env bash
# dgx.sh: Poisson's equation for a list of fields, on the 8 GPUs of one DGX node, or on those of many.
#
#   sbatch [options of sbatch] scripts/slurm/dgx.sh FIELD.h5...
#   sbatch --nodes=8 scripts/slurm/dgx.sh FIELD.h5...           one job on 64 GPUs
#
# Potentials, job arrays, requeued jobs and the settings in the environment: as for cpu.sh; see also common.sh and
# docs/slurm.md, on many nodes for the network above all.
#
#SBATCH --job-name=mergefft
##SBATCH --partition=gpu           # without them the site's own defaults
##SBATCH --account=project
#SBATCH --time=01:00:00
#SBATCH --nodes=1
#SBATCH --gpus-per-node=8
#SBATCH --ntasks-per-node=8        # one rank a GPU
#SBATCH --cpus-per-task=14         # a DGX H100 or H200 has 112 cores, a DGX A100 128
#SBATCH --exclusive
#SBATCH --mem=0
##SBATCH --switches=1@01:00:00     # many nodes: near each other, if that takes no more than an hour of waiting
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
use_gpus "$scripts"
solve_fields "$@"
