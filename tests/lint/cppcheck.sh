#!/usr/bin/env bash
# The findings of cppcheck in the library and the command.
# TEST labels=lint+nightly timeout=600 needs=cppcheck
set -uo pipefail
cd "$MFFT_TEST_SOURCE" || exit 1
command -v cppcheck >/dev/null || { echo "no cppcheck here"; exit 77; }

# Suppressed: findings in our list macros, which cppcheck does not follow, and two kinds of findings that it reports for
# correct code here.
cppcheck --std=c11 --language=c --quiet --error-exitcode=1 --inline-suppr -j 2 -I include -I src -I apps -D MFFT_HAVE_MPI \
  -D MFFT_HAVE_HDF5 -D __GNUC__ --enable=warning,performance,portability --suppress=missingIncludeSystem \
  --suppress=unknownMacro --suppress=invalidPointerCast --suppress=legacyUninitvar --suppress=memleak:src/base/wisdom_store.c \
  --template='{file}:{line}: {severity}: {message} [{id}]' src apps
