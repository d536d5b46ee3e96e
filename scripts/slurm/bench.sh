#!/usr/bin/env bash
# bench.sh: one point of a scaling sweep, submitted by scaling.sh, which sets
#   MERGEFFT_RESULT   where the results go, a JSON file
#   MERGEFFT_SHAPES   the transforms, such as 512x512x512,256x256x512
#   MERGEFFT_KIND     cpu or gpu
#
#SBATCH --job-name=mergefft-bench
#SBATCH --exclusive
#SBATCH --mem=0
set -euo pipefail

scripts=${MERGEFFT_SCRIPTS:?submit with scaling.sh}
# shellcheck source=scripts/slurm/common.sh
. "$scripts/common.sh"

begin "$scripts"
case $MERGEFFT_KIND in
  gpu) use_gpus "$scripts" ;;
  *) use_cores ;;
esac
read -r -a options <<<"${MERGEFFT_OPTIONS:-}"
[ -z "${MERGEFFT_BACKEND:-}" ] || options+=(--backend "$MERGEFFT_BACKEND")
run_step bench --n "$MERGEFFT_SHAPES" --precision "${MERGEFFT_PRECISION:-single}" --json "$MERGEFFT_RESULT" "${options[@]}"
