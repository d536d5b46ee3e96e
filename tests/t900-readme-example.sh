#!/usr/bin/env bash
# The example of the README compiles without a warning and prints what the README says, on 1 and 3 ranks.
# TEST labels=docs+once timeout=120 needs=shared
set -euo pipefail
case $MFFT_TEST_LIBRARY in *.so*) ;; *) echo "a static library has to be linked with what it was built from"; exit 77 ;; esac
awk '/^```/ { on = /^```c$/; next } on' "$MFFT_TEST_SOURCE/README.md" >example.c
lines=$(wc -l <example.c)
if [ "$lines" -lt 15 ] || [ "$lines" -gt 30 ]; then
  echo "the example has $lines lines" >&2
  exit 1
fi
expected=$(awk -F '`' '/It prints/ { print $2; exit }' "$MFFT_TEST_SOURCE/README.md")
[ -n "$expected" ] || { echo "the README does not say what the example prints" >&2; exit 1; }

folder=$(dirname "$MFFT_TEST_LIBRARY")
flags=()
if grep -q '^MFFT_SANITIZE:.*address' "$MFFT_TEST_BUILD/CMakeCache.txt"; then flags=(-fsanitize=address -fsanitize=undefined); fi
mpicc -std=c11 -Wall -Wextra -Werror -pedantic "${flags[@]}" "-I$MFFT_TEST_SOURCE/include" example.c -o example \
  "-L$folder" "-Wl,-rpath,$folder" -lmergefft -lm
for ranks in 1 3; do
  # shellcheck disable=SC2086  # mpirun and its flags are words
  printed=$($MFFT_TEST_MPIEXEC $ranks ./example)
  [ "$printed" = "$expected" ] || { echo "on $ranks ranks: \"$printed\", the README says \"$expected\"" >&2; exit 1; }
done
