#!/usr/bin/env bash
# A program written for PFFT and linked with mergefft's library (tests/dropin/pfft.c) gets FFTW's results: every kind, order and
# padding, meshes of one to three dimensions, blocks that do not divide, both precisions.  The report has its plans.
# Arguments: precision, where, and numbers of ranks.
# TEST labels=dist+once+ranks timeout=300 needs=dropin args=double,cpu,1,2,4,6
# TEST labels=dist+once+nightly+ranks timeout=300 needs=dropin args=single,cpu,1,2,4,6
# TEST labels=emulated+dist+nightly timeout=600 needs=dropin args=double,gpu,1,2
# TEST labels=cuda+dist timeout=300 needs=dropin args=double,gpu,1,2
# shellcheck source=tests/support/dropin.sh
. "$MFFT_TEST_SOURCE/tests/support/dropin.sh"
precision=$1 where=$2
on=fftw
[ "$where" = cpu ] || on=cuda
for ranks in "${@:3}"; do
  rm -f report
  MFFT_FFTW=$where MFFT_FFTW_REPORT=report "${mpiexec[@]}" "$ranks" "$bin/dropin-pfft-$precision" || complain "results differ on $ranks ranks"
  kinds=$(grep -cE " pfft (c2c|r2c|c2r|r2r) .* mergefft on $on, " report)
  if [ "$kinds" -lt 40 ] || grep -qE 'no plan|FFTW: ' report; then
    complain "$ranks ranks, $precision: the report has $kinds kinds of plans of mergefft on $on: $(cat report)"
  fi
done
exit $failed
