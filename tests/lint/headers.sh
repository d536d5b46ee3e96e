#!/usr/bin/env bash
# Each public header compiles alone, in C11 and in C++17, without one warning; private headers in C11.
# TEST labels=lint
set -uo pipefail
cd "$MFFT_TEST_SOURCE" || exit 1
failed=0
read -r -a mpi <<<"$(mpicc --showme:compile 2>/dev/null || mpicc -compile_info 2>/dev/null | cut -d ' ' -f 2-)"

# alone HEADER COMPILER...: a translation unit of nothing but the header.
alone() {
  local header=$1
  shift
  printf '#include "%s"\nextern int not_empty;\n' "$header" |
    "$@" -Wall -Wextra -Werror -pedantic -Iinclude -Isrc -Iapps "${mpi[@]/#-I/-isystem}" -fsyntax-only - ||
    { echo "$header does not compile alone with $1 $2" >&2; failed=1; }
}

for header in include/*.h; do
  case $header in */mfft_mpi.h | */mfft_field.h | */mfft_snapshot.h) [ ${#mpi[@]} -gt 0 ] || continue ;; esac
  alone "${header#include/}" "${CC:-cc}" -std=c11 -x c
  alone "${header#include/}" c++ -std=c++17 -x c++
done
for header in src/{base,comm,plan,local,local/host,local/fftw,dist,particles}/*.h; do
  [ -e "$header" ] && alone "${header#src/}" "${CC:-cc}" -std=c11 -D_POSIX_C_SOURCE=200809L -x c # as the library is compiled
done
for header in bindings/*/*.h; do
  [ ${#mpi[@]} -gt 0 ] && alone "$header" "${CC:-cc}" -std=c11 -I. -Ibindings/dropin -x c
done
exit $failed
