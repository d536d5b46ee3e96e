#!/usr/bin/env bash
# scaling.sh: strong and weak scaling: submits one bench for each number of ranks, and after them a job that makes tables and a
# picture of the results.
#
#   scripts/slurm/scaling.sh [-w] [-o FOLDER] cpu|gpu RANKS... [-- options of sbatch]
#   scripts/slurm/scaling.sh gpu 1 2 4 8 16 32 -- --account=project --partition=gpu
#   scripts/slurm/scaling.sh cpu 32 64 128
#
#   -w          wait until all is done, and print the tables
#   -o FOLDER   of the results [scaling]: RANKS.json, RANKS.log, scaling.txt, scaling.png
#
# Run it where sbatch is.  Numbers whose result is there already are not run again, so that a sweep can be gone on with, and
# larger numbers added.  Strong scaling is one transform on all numbers of ranks; weak scaling as many elements a rank, where
# the sides of one rank's box are multiplied by the prime factors of the number of ranks, the shortest side first.
#
# Settings, from the environment, in addition to those of common.sh:
#   MERGEFFT_PER_NODE   ranks a node                 [cpu: 32, gpu: 8]
#   MERGEFFT_STRONG     the transform                [cpu: 512x512x512, gpu: 1024x1024x1024]
#   MERGEFFT_WEAK       the transform of one rank    [cpu: 256x256x256, gpu: 512x512x512]
#   MERGEFFT_PRECISION  double, single, half or bfloat16, or several: double,single [single]
#   MERGEFFT_OPTIONS    more options of `mergefft bench`, such as "--kind c2c --order transposed"
#   MERGEFFT_TIME       time limit of each job       [00:15:00]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
  printf 'scaling.sh: %s\nusage: scaling.sh [-w] [-o FOLDER] cpu|gpu RANKS... [-- options of sbatch]\n' "$*" >&2
  exit 2
}
die() {
  printf 'scaling.sh: %s\n' "$*" >&2
  exit 1
}

# ---- What is asked for -------------------------------------------------------------------------------------------------

results=scaling
wait=
while getopts wo: option; do
  case $option in
    w) wait=--wait ;;
    o) results=$OPTARG ;;
    *) usage "its own options are -w and -o FOLDER" ;;
  esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage "say where to run, cpu or gpu, and on how many ranks"
kind=$1
shift
case $kind in
  cpu) per_node=${MERGEFFT_PER_NODE:-32} strong=${MERGEFFT_STRONG:-512x512x512} weak=${MERGEFFT_WEAK:-256x256x256} ;;
  gpu) per_node=${MERGEFFT_PER_NODE:-8} strong=${MERGEFFT_STRONG:-1024x1024x1024} weak=${MERGEFFT_WEAK:-512x512x512} ;;
  *) usage "\"$kind\" is neither cpu nor gpu" ;;
esac
counts=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  case $1 in "" | *[!0-9]* | 0*) usage "\"$1\" is no number of ranks" ;; esac
  [ "$1" -le "$per_node" ] || [ $(($1 % per_node)) -eq 0 ] || usage "$1 ranks do not fill nodes of $per_node (MERGEFFT_PER_NODE)"
  counts+=("$1")
  shift
done
[ ${#counts[@]} -gt 0 ] || usage "on how many ranks?"
[ $# -eq 0 ] || shift # the --
command -v sbatch >/dev/null || die "sbatch is not on PATH; load the site's Slurm module"

# weak_shape RANKS: the shape of as many elements a rank as $weak.
weak_shape() {
  local ranks=$1 prime=2 axis shortest n
  IFS=x read -r -a n <<<"$weak"
  while [ "$ranks" -gt 1 ]; do
    while [ $((ranks % prime)) -ne 0 ]; do prime=$((prime + 1)); done
    shortest=0
    for axis in "${!n[@]}"; do [ "${n[axis]}" -ge "${n[shortest]}" ] || shortest=$axis; done
    n[shortest]=$((n[shortest] * prime))
    ranks=$((ranks / prime))
  done
  (IFS=x && echo "${n[*]}")
}

# ---- Jobs --------------------------------------------------------------------------------------------------------------

mkdir -p "$results"
results=$(cd "$results" && pwd)
jobs=()
export MERGEFFT_SCRIPTS=$here
for ranks in "${counts[@]}"; do
  if [ -e "$results/$ranks.json" ]; then
    echo "$ranks ranks: the result is there"
    continue
  fi
  a_node=$((ranks < per_node ? ranks : per_node))
  where=(--nodes=$((ranks / a_node)) --ntasks-per-node="$a_node" --time="${MERGEFFT_TIME:-00:15:00}" --output="$results/$ranks.log")
  if [ "$kind" = gpu ]; then where+=(--gpus-per-node="$a_node"); fi
  job=$(MERGEFFT_RESULT=$results/$ranks.json MERGEFFT_SHAPES=$strong,$(weak_shape "$ranks") MERGEFFT_KIND=$kind \
    sbatch --parsable "${where[@]}" "$@" "$here/bench.sh")
  echo "$ranks ranks: job $job"
  jobs+=("${job%%;*}") # a cluster's name may follow
done
after=()
if [ ${#jobs[@]} -gt 0 ]; then after=(--dependency="afterany:$(IFS=: && echo "${jobs[*]}")"); fi
code=0
MERGEFFT_RESULT=$results sbatch ${wait:+"$wait"} "${after[@]}" --nodes=1 --ntasks-per-node=1 --time=00:10:00 \
  --output="$results/scaling.log" "$@" "$here/plot.sh" || code=$?
if [ -n "$wait" ]; then
  [ "$code" -eq 0 ] || die "no tables: see $results/scaling.log, and the .log of each number of ranks"
  for ranks in "${counts[@]}"; do
    [ -e "$results/$ranks.json" ] || echo "$ranks ranks failed: see $results/$ranks.log" >&2
  done
  cat "$results/scaling.txt"
fi
exit "$code"
