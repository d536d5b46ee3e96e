#!/usr/bin/env bash
# What cppcheck and clang-tidy (.clang-tidy) see in the library and the command.
# TEST labels=lint timeout=600 needs=cppcheck+clang-tidy
set -uo pipefail
cd "$MFFT_TEST_SOURCE" || exit 1
command -v cppcheck >/dev/null || { echo "no cppcheck here"; exit 77; }
command -v clang-tidy >/dev/null || { echo "no clang-tidy here"; exit 77; }
failed=0

# Suppressed: what it does not follow (our list macros), and two kinds that it reports of sound code here.
cppcheck --std=c11 --language=c --quiet --error-exitcode=1 --inline-suppr -j 2 -I include -I src -I apps -D MFFT_HAVE_MPI \
  -D MFFT_HAVE_HDF5 -D __GNUC__ --enable=warning,performance,portability --suppress=missingIncludeSystem \
  --suppress=unknownMacro --suppress=invalidPointerCast --suppress=legacyUninitvar --suppress=memleak:src/base/wisdom_store.c \
  --template='{file}:{line}: {severity}: {message} [{id}]' src apps || failed=1

# Only what this build compiles has its flags written down.
mapfile -t compiled < <(awk -F '"' '/^ *"file":/ { print $4 }' "$MFFT_TEST_BUILD/compile_commands.json" |
  grep -E '/(src|apps)/.*\.c$' | sort -u)
[ ${#compiled[@]} -gt 10 ] || { echo "compile_commands.json lists ${#compiled[@]} sources" >&2; exit 1; }
printf '%s\0' "${compiled[@]}" | xargs -0 -P 2 -n 8 clang-tidy --quiet --extra-arg=-Wno-unknown-warning-option \
  -p "$MFFT_TEST_BUILD" 2>/dev/null || failed=1
exit $failed
