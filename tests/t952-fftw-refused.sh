#!/usr/bin/env bash
# FFTW executes plans that mergefft must not, the results are right, and one line gives the reason: calls of fftw_execute
# that are bound to FFTW, a plugin with an FFTW of its own (RTLD_DEEPBIND), a value of MFFT_FFTW without meaning, a missing
# program.
# TEST labels=dist+once timeout=120 needs=dropin+unsanitized
# shellcheck source=tests/support/dropin.sh
. "$MFFT_TEST_SOURCE/tests/support/dropin.sh"

# expect LINES PATTERN: stderr has this number of lines of mergefft, and one that matches.
expect() {
  [ "$(grep -c '^mergefft: ' stderr)" -eq "$1" ] || complain "not $1 lines: $(cat stderr)"
  grep -qE "$2" stderr || complain "no line \"$2\": $(cat stderr)"
}

"${mpiexec[@]}" 2 "$bin/dropin-double" write results || complain "FFTW itself failed"
MFFT_FFTW_REPORT=report LD_LIBRARY_PATH=$MFFT_TEST_BUILD/lib/mergefft/fftw3 "${mpiexec[@]}" 2 "$bin/dropin-order" compare results >out 2>stderr
grep -v 'wrote after' out | grep -q 'case' && complain "wrong results: $(cat out)"
expect 1 '^mergefft: warning: FFTW itself makes the plans of this program: calls of fftw_execute reach .*libfftw3.* first; put this library before it, by LD_PRELOAD$'
grep -q ' mergefft on ' report && complain "mergefft made plans that FFTW would execute: $(cat report)"

# All calls of the plugin are bound to its own FFTW, or only those that it makes itself, and not those among FFTW's
# functions.
rm -f report
"${mpiexec[@]}" 2 "$MFFT_TEST_COMMAND" run-fftw --report report -- "$bin/dropin-host" 2>stderr || complain "the plugin fails: $(cat stderr)"
grep -q 'no plan of FFTW-MPI or PFFT was made through this library' report || complain "the report does not say that no plan came: $(cat report)"
rm -f report
"${mpiexec[@]}" 2 "$MFFT_TEST_COMMAND" run-fftw --report report -- "$bin/dropin-host-fftw" 2>stderr || complain "the plugin fails: $(cat stderr)"
expect 1 "^mergefft: warning: FFTW itself makes .*: the program's calls of FFTW-MPI are bound to FFTW's library, for instance by RTLD_DEEPBIND$"
grep -q ' mergefft on ' report && complain "mergefft made plans that the plugin executes by FFTW: $(cat report)"

MFFT_FFTW=gpus LD_PRELOAD=$MFFT_TEST_BUILD/lib/libmergefft_fftw3_mpi.so "${mpiexec[@]}" 2 "$bin/dropin-mixed" 2>stderr || complain "failed: $(cat stderr)"
expect 1 'MFFT_FFTW is "gpus", which is none of auto, cpu, gpu and off'

"$MFFT_TEST_COMMAND" run-fftw -- ./absent 2>stderr && complain "a missing program runs"
grep -q 'cannot run ./absent: No such file' stderr || complain "no reason: $(cat stderr)"
"$MFFT_TEST_COMMAND" run-fftw 2>stderr && complain "no program is needed"
grep -q 'PROGRAM .*is missing' stderr || complain "no remedy: $(cat stderr)"
exit $failed
