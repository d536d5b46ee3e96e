#!/usr/bin/env bash
# mergefft's library of PFFT's names before another one (tests/dropin/both.c): by run-fftw, where a program that calls FFTW-MPI
# too gets one report of both; by LD_LIBRARY_PATH with the names of PFFT's files.  What is refused has a reason and is NULL.
# TEST labels=dist+once timeout=120 needs=dropin+unsanitized
# shellcheck source=tests/support/dropin.sh
. "$MFFT_TEST_SOURCE/tests/support/dropin.sh"
both=$bin/dropin-pfft-both

"${mpiexec[@]}" 1 "$both" run 2>stderr && complain "the other PFFT works, so that this test proves nothing"
grep -q 'the other PFFT: pfft_init' stderr || complain "the program does not reach the other PFFT: $(cat stderr)"

for ranks in 1 3; do
  rm -f report
  "${mpiexec[@]}" "$ranks" "$MFFT_TEST_COMMAND" run-fftw --report report -- "$both" run >out 2>stderr ||
    complain "the program fails on $ranks ranks: $(cat out stderr)"
  grep -qE '^ +[0-9.]+ +[0-9.]+ +3 +1 .* pfft r2c 12x10x8 on '"$ranks"' x 1 double, out of place, natural, padded, estimate: mergefft on fftw' report ||
    complain "the report lacks PFFT's plan: $(cat report)"
  grep -qE ' r2c 12x10x8 double, out of place, natural, estimate: mergefft on fftw' report || complain "the report lacks FFTW's plan: $(cat report)"
  grep -qE '^% 3 executes of [0-9.e+-]+ s on average' out || complain "no times of the plan: $(cat out)"
done
"${mpiexec[@]}" 1 "$MFFT_TEST_COMMAND" trace -- "$both" run 2>stderr && complain "a trace does not leave PFFT's plans to PFFT"

LD_PRELOAD=$MFFT_TEST_BUILD/lib/mergefft/pfft/libpfft.so.0 "${mpiexec[@]}" 2 "$both" run >out 2>&1 || complain "by the name of PFFT's file: $(cat out)"

export LD_PRELOAD=$MFFT_TEST_BUILD/lib/libmergefft_pfft.so
MFFT_FFTW_REPORT=report "${mpiexec[@]}" 2 "$both" refuse 2>stderr || complain "the program fails: $(cat stderr)"
for reason in 'transposed in and out, with more than three axes' 'more than four axes, a tuple counted as one' 'lengths of input and output must be 1 to n' 'the blocks need more ranks than there are' 'skip_trafos must be 0' \
  'reals in transposed order' 'a length is odd' 'no halfcomplex and Hartley' 'pfft_execute: the plan is NULL' 'is no plan of PFFT'; do
  grep -q "^mergefft: error: .*$reason" stderr || complain "no message with \"$reason\": $(cat stderr)"
done
grep -q 'pfft r2r 12x10x8 on 2 x 1 .*: no plan: mergefft has no halfcomplex' report || complain "the report does not have what was refused: $(cat report)"

"${mpiexec[@]}" 2 "$both" ghosts >out 2>stderr && complain "ghost cells that are not exchanged are no error"
grep -q 'goes on' out || complain "a plan of ghost cells ends the program: $(cat out stderr)"
grep -q 'not reached' out && complain "an exchange of ghost cells returns"
grep -q 'no plan for ghost cells: a number of ghost cells is negative' stderr || complain "no reason: $(cat stderr)"
grep -q 'pfft_exchange: the plan for ghost cells was refused' stderr || complain "no reason: $(cat stderr)"
exit $failed
