#!/usr/bin/env bash
# An execute by FFTW's interface takes no more than 1 % longer than mfft_execute of the same plan (tests/dropin/overhead.c), as
# the median of pairs says, and has the same bits.  A size is timed again where the machine was busy, three times at most.
# TEST labels=dist+once+nightly timeout=300 needs=dropin
set -uo pipefail
failed=0
read -r -a mpiexec <<<"$MFFT_TEST_MPIEXEC"

within() { awk '{ for (i = 1; i < NF; i++) if ($i == "ratio") r = $(i + 1) } END { exit !(r > 0 && r <= 1.01) }' out; }

for case in "64 1000" "128 200" "256 20"; do
  read -r n pairs <<<"$case"
  for attempt in 1 2 3; do
    "${mpiexec[@]}" 2 "$MFFT_TEST_BUILD/bin/dropin-overhead" "$n" "$pairs" >out || failed=1
    cat out
    within && break
    [ "$attempt" = 3 ] && failed=1
  done
done
exit $failed
