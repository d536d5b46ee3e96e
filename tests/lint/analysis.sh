#!/usr/bin/env bash
# What cppcheck and clang-tidy (.clang-tidy) see in the library and the command.
# TEST labels=lint timeout=600 needs=cppcheck+clang-tidy
set -uo pipefail
cd "$MFFT_TEST_SOURCE" || exit 1
command -v cppcheck >/dev/null || { echo "no cppcheck here"; exit 77; }
command -v clang-tidy >/dev/null || { echo "no clang-tidy here"; exit 77; }
failed=0

# Suppressed: findings in our list macros, which cppcheck does not follow, and two kinds of findings that it reports for
# correct code here.
cppcheck --std=c11 --language=c --quiet --error-exitcode=1 --inline-suppr -j 2 -I include -I src -I apps -D MFFT_HAVE_MPI \
  -D MFFT_HAVE_HDF5 -D __GNUC__ --enable=warning,performance,portability --suppress=missingIncludeSystem \
  --suppress=unknownMacro --suppress=invalidPointerCast --suppress=legacyUninitvar --suppress=memleak:src/base/wisdom_store.c \
  --template='{file}:{line}: {severity}: {message} [{id}]' src apps || failed=1

# Only files that this build compiles have entries in compile_commands.json.
mapfile -t compiled < <(awk -F '"' '/^ *"file":/ { print $4 }' "$MFFT_TEST_BUILD/compile_commands.json" |
  grep -E '/(src|apps|bindings)/.*\.c$' | sort -u)
[ ${#compiled[@]} -gt 10 ] || { echo "compile_commands.json lists ${#compiled[@]} sources" >&2; exit 1; }
printf '%s\0' "${compiled[@]}" | xargs -0 -P 2 -n 8 clang-tidy --quiet --extra-arg=-Wno-unknown-warning-option \
  -p "$MFFT_TEST_BUILD" 2>/dev/null || failed=1
exit $failed
