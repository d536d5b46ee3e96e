#!/usr/bin/env bash
# The other methods of loading mergefft before FFTW, at link time and by LD_LIBRARY_PATH; a program that mixes plans of one
# process and plans for MPI (tests/dropin/mixed.c); a trace, in which FFTW does all transforms.
# TEST labels=dist+once+ranks timeout=300 needs=dropin
# shellcheck source=tests/support/dropin.sh
. "$MFFT_TEST_SOURCE/tests/support/dropin.sh"

"${mpiexec[@]}" 3 "$bin/dropin-double" write results || complain "FFTW itself failed"
# The address sanitizer must be loaded before all other libraries; the program itself is without it.
asan=$(ldd "$MFFT_TEST_BUILD/lib/libmergefft_fftw3_mpi.so" | awk '/libasan/ { print $3 ":" }')
places=("$bin/dropin-linked" "env LD_PRELOAD=$asan${LD_PRELOAD:-} LD_LIBRARY_PATH=$MFFT_TEST_BUILD/lib/mergefft/fftw3 $bin/dropin-double")
for where in "${places[@]}"; do
  rm -f report
  # shellcheck disable=SC2086
  MFFT_FFTW_REPORT=report "${mpiexec[@]}" 3 $where compare results || complain "$where differs from FFTW"
  [ "$(grep -c ' mergefft on fftw, ' report)" -ge 40 ] || complain "$where does not run on mergefft: $(cat report)"
done

for ranks in 1 2 3; do
  "${mpiexec[@]}" "$ranks" "$bin/dropin-mixed" || complain "FFTW itself fails the mixed program on $ranks ranks"
  MFFT_DESTROY_LATE=1 "${mpiexec[@]}" "$ranks" "$MFFT_TEST_COMMAND" run-fftw --report report -- "$bin/dropin-mixed" 2>stderr ||
    complain "the mixed program fails on $ranks ranks: $(cat stderr)"
  grep -q ' mergefft on fftw, ' report || complain "the mixed program does not run on mergefft: $(cat report)"
done

# The environment decides where the option does not.
for option in "" "--where cpu"; do
  rm -f report
  # shellcheck disable=SC2086
  MFFT_FFTW=off "${mpiexec[@]}" 2 "$MFFT_TEST_COMMAND" run-fftw $option --report report -- "$bin/dropin-mixed" 2>stderr || complain "off fails: $(cat stderr)"
  ours=$(grep -c ' mergefft on fftw, ' report)
  [ "${option:+some}" = "$([ "$ours" -gt 0 ] && echo some)" ] || complain "MFFT_FFTW=off with \"$option\": $(cat report)"
done

# A trial times FFTW for every kind of plan of mergefft, once, with results as without; plans of FFTW's own have none.
rm -f report
"${mpiexec[@]}" 3 "$MFFT_TEST_COMMAND" run-fftw --trial --report report -- "$bin/dropin-double" compare results 2>stderr ||
  complain "a program differs from FFTW when that is timed: $(cat stderr)"
awk '/ mergefft on fftw, / { ours++; tried += $6 > 0 } / FFTW: / { theirs++; untried += $6 == "-" }
  END { exit !(ours >= 40 && tried == ours && theirs == 4 && untried == theirs) }' report || complain "not each kind of plan was timed: $(cat report)"
grep -qE '^FFTW itself, by a trial of each kind, would have taken [0-9.]+ s for the executes for which mergefft took [0-9.]+ s, [0-9.]+ times as long$' report ||
  complain "the report does not compare: $(cat report)"

"${mpiexec[@]}" 2 "$MFFT_TEST_COMMAND" trace --report report -- "$bin/dropin-mixed" || complain "a traced program fails"
grep -q ' mergefft on ' report && complain "a trace ran on mergefft: $(cat report)"
# 50 transforms, 24 shapes twice: the plan of 12x10x6 was made and run at least so many times.
awk '/c2c 12x10x6 double, in place, natural, estimate: FFTW: MFFT_FFTW is off/ && $3 >= 50 && $4 >= 50 { found = 1 } END { exit !found }' report ||
  complain "the trace does not count plans and calls: $(cat report)"
grep -q 'FFTs that took no time would make it' report || complain "the trace has no bound: $(cat report)"
exit $failed
