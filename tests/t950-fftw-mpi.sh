#!/usr/bin/env bash
# A program written for FFTW-MPI gets the same results from mergefft, loaded before FFTW by `mergefft run-fftw`, as from FFTW
# itself (tests/dropin/client.c): every kind and order, each precision, 1 to 8 ranks.  The report says what mergefft did.
# TEST labels=dist+once+ranks timeout=300 needs=dropin args=double,1,2,3,5
# TEST labels=dist+once+nightly+ranks timeout=300 needs=dropin args=double,4,8
# TEST labels=dist+once+nightly+ranks timeout=300 needs=dropin args=single,1,2,3,4,8
# TEST labels=dist+once+ranks timeout=300 needs=dropin+long-double args=long-double,3
# shellcheck source=tests/support/dropin.sh
. "$MFFT_TEST_SOURCE/tests/support/dropin.sh"
export MFFT_FFTW=cpu # also on machines with a GPU, for which t957 is
client=$bin/dropin-$1
[ "$1" != long-double ] || [ -x "$client" ] || { echo "no FFTW-MPI in this precision"; exit 77; }
for ranks in "${@:2}"; do
  "${mpiexec[@]}" "$ranks" "$client" write results || { echo "FFTW itself failed on $ranks ranks" >&2; exit 1; }
  "${mpiexec[@]}" "$ranks" "$MFFT_TEST_COMMAND" run-fftw --report report -- "$client" compare results 2>stderr ||
    complain "$(cat stderr)"
  # Four cases are left to FFTW: five axes, one dimension, halfcomplex, a transposition.
  theirs=$(grep -c ' FFTW: ' report)
  ours=$(grep -c ' mergefft on fftw, ' report)
  if [ "$theirs" -ne 4 ] || [ "$ours" -lt 40 ]; then
    complain "$ranks ranks, $1: mergefft did $ours kinds of plans, FFTW $theirs: $(cat report)"
  fi
done
exit $failed
