#!/usr/bin/env bash
# The two programs of docs/from-fftw.md compile without a warning and print what the page says, on 1 and 3 ranks.
# TEST labels=docs+once timeout=120
set -euo pipefail
page=$MFFT_TEST_SOURCE/docs/from-fftw.md
case $MFFT_TEST_LIBRARY in *.so*) ;; *) echo "a static library has to be linked with what it was built from"; exit 77 ;; esac
grep -q mfft_options_init "$MFFT_TEST_SOURCE/include/mfft.h" || { echo "the library has no mfft_options yet"; exit 77; }
awk '/^```/ { on = /^```c$/; block += on; next } on { print >("program" block ".c") }' "$page"
expected=$(awk -F '`' '/Both print/ { print $2; exit }' "$page")
[ -n "$expected" ] || { echo "the page does not say what the programs print" >&2; exit 1; }

folder=$(dirname "$MFFT_TEST_LIBRARY")
flags=(-std=c11 -Wall -Wextra -Werror)
if grep -q '^MFFT_SANITIZE:.*address' "$MFFT_TEST_BUILD/CMakeCache.txt"; then flags+=(-fsanitize=address -fsanitize=undefined); fi
mpicc "${flags[@]}" "-I$MFFT_TEST_SOURCE/include" program2.c -o program2 "-L$folder" "-Wl,-rpath,$folder" -lmergefft -lm
programs=(program2)
if echo '#include <fftw3-mpi.h>' | mpicc -fsyntax-only -x c - 2>/dev/null; then
  mpicc "${flags[@]}" program1.c -o program1 -lfftw3_mpi -lfftw3 -lm
  programs+=(program1)
fi
for program in "${programs[@]}"; do
  for ranks in 1 3; do
    # shellcheck disable=SC2086  # mpirun and its flags are words
    printed=$($MFFT_TEST_MPIEXEC $ranks "./$program")
    [ "$printed" = "$expected" ] || { echo "$program on $ranks ranks: \"$printed\", the page says \"$expected\"" >&2; exit 1; }
  done
done
