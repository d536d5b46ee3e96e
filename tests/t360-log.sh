# TEST labels=dist
# MFFT_LOG=2 prints a plan once, when it is made; 1 prints nothing of it.
set -u
program=$MFFT_TEST_BUILD/bin/t341-late-rank
shown=$(MFFT_LOG=2 $MFFT_TEST_MPIEXEC 3 "$program" none 2>&1) || exit 1
quiet=$(MFFT_LOG=1 $MFFT_TEST_MPIEXEC 3 "$program" none 2>&1) || exit 1
[ "$(grep -c '^mergefft: c2c double 12 x 12 x 12' <<<"$shown")" = 1 ] || { echo "no plan in: $shown"; exit 1; }
grep -q 'START' <<<"$shown" || { echo "no stages in: $shown"; exit 1; }
if grep -q mergefft <<<"$quiet"; then echo "not quiet: $quiet"; exit 1; fi
