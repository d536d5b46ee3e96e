#!/usr/bin/env bash
# TEST labels=dist+emulated
# Ranks that share a GPU get one warning for all of them; if each has its own there is none.
set -u
export MFFT_EMULATED_GPUS=2
for ranks in 2 3; do
  said=$($MFFT_TEST_MPIEXEC $ranks "$MFFT_TEST_COMMAND" info --plan --backend cuda --n 8x8x8 2>&1 >/dev/null) ||
    { echo "$ranks ranks: $said"; exit 1; }
  lines=$(grep -c "^mergefft: warning: [0-9]* of $ranks ranks use a GPU that another rank of their node uses too" <<<"$said")
  [ "$lines" -eq $((ranks - 2)) ] || { echo "$ranks ranks on two GPUs: $said"; exit 1; }
done
