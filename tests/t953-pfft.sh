#!/usr/bin/env bash
# A program written for PFFT and linked with mergefft's library (tests/dropin/pfft.c) gets FFTW's results: every kind, order and
# padding, meshes of one to three dimensions, blocks that do not divide, both precisions.  The report has its plans.
# TEST labels=dist+once timeout=300 needs=dropin args=double
# TEST labels=dist+once+nightly timeout=300 needs=dropin args=single
set -uo pipefail
failed=0
read -r -a mpiexec <<<"$MFFT_TEST_MPIEXEC"
for ranks in 1 2 4 6; do
  rm -f report
  MFFT_FFTW_REPORT=report "${mpiexec[@]}" "$ranks" "$MFFT_TEST_BUILD/bin/dropin-pfft-$1" || failed=1
  kinds=$(grep -cE ' pfft (c2c|r2c|c2r|r2r) .* mergefft on fftw, ' report)
  if [ "$kinds" -lt 40 ] || grep -qE 'no plan|FFTW: ' report; then
    echo "$ranks ranks, $1: the report has $kinds kinds of plans of mergefft" >&2
    cat report >&2
    failed=1
  fi
done
exit $failed
