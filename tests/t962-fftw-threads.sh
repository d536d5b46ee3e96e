#!/usr/bin/env bash
# Threads that execute plans of FFTW's interface on one communicator, and wisdom that is shared among ranks and from run to run
# (tests/dropin/threads.c).
# TEST labels=dist+once timeout=120 needs=dropin
set -uo pipefail
failed=0
rm -f wisdom.txt
read -r -a mpiexec <<<"$MFFT_TEST_MPIEXEC"
for ranks in 1 2; do
  "${mpiexec[@]}" "$ranks" "$MFFT_TEST_BUILD/bin/dropin-threads" || failed=1
  "${mpiexec[@]}" "$ranks" "$MFFT_TEST_BUILD/bin/dropin-threads" wisdom.txt || failed=1
done
exit $failed
