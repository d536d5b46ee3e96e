#!/usr/bin/env bash
# Every name of PFFT's interface: all forms of sizes, blocks and plans agree, PFFT's own functions find a transform and its
# inverse exact, and the other functions give what they should (tests/dropin/pfft_names.c).
# TEST labels=dist+once+ranks timeout=120 needs=dropin args=double,1,4
# TEST labels=dist+once+nightly+ranks timeout=120 needs=dropin args=single,2
# shellcheck source=tests/support/dropin.sh
. "$MFFT_TEST_SOURCE/tests/support/dropin.sh"
export MFFT_FFTW=cpu
for ranks in "${@:2}"; do
  "${mpiexec[@]}" "$ranks" "$bin/dropin-pfft-names-$1" >out 2>&1 || complain "$ranks ranks: $(cat out)"
  grep -q '^all names$' out || complain "pfft_printf prints nothing: $(cat out)"
  grep -q "^$ranks ranks$" out || complain "pfft_fprintf prints nothing: $(cat out)"
done
exit $failed
