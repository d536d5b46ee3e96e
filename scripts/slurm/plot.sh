#!/usr/bin/env bash
# plot.sh: the end of a scaling sweep, submitted by scaling.sh, which sets MERGEFFT_RESULT, the folder of the results.
#
#SBATCH --job-name=mergefft-plot
set -euo pipefail

scripts=${MERGEFFT_SCRIPTS:?submit with scaling.sh}
# shellcheck source=scripts/slurm/common.sh
. "$scripts/common.sh"

begin "$scripts"
shopt -s nullglob
results=("$MERGEFFT_RESULT"/[0-9]*.json)
[ ${#results[@]} -gt 0 ] || die "no results in $MERGEFFT_RESULT; the .log of each number of ranks says why"
run_step scaling "${results[@]}" --plot "$MERGEFFT_RESULT/scaling.png" >"$MERGEFFT_RESULT/scaling.txt.part"
mv "$MERGEFFT_RESULT/scaling.txt.part" "$MERGEFFT_RESULT/scaling.txt"
say "$MERGEFFT_RESULT/scaling.txt and scaling.png"
