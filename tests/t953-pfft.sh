#!/usr/bin/env bash
# A program written for PFFT and linked with mergefft's library (tests/dropin/pfft.c) gets FFTW's results: every kind, order and
# padding, meshes of one to three dimensions, blocks that do not divide, both precisions.  The report has its plans.
# TEST labels=dist+once+ranks timeout=300 needs=dropin args=double
# TEST labels=dist+once+nightly+ranks timeout=300 needs=dropin args=single
# shellcheck source=tests/support/dropin.sh
. "$MFFT_TEST_SOURCE/tests/support/dropin.sh"
for ranks in 1 2 4 6; do
  rm -f report
  MFFT_FFTW_REPORT=report "${mpiexec[@]}" "$ranks" "$bin/dropin-pfft-$1" || complain "results differ on $ranks ranks"
  kinds=$(grep -cE ' pfft (c2c|r2c|c2r|r2r) .* mergefft on fftw, ' report)
  if [ "$kinds" -lt 40 ] || grep -qE 'no plan|FFTW: ' report; then
    complain "$ranks ranks, $1: the report has $kinds kinds of plans of mergefft: $(cat report)"
  fi
done
exit $failed
