#!/usr/bin/env bash
# What cppcheck sees in the library and the command.
# TEST labels=lint timeout=300
set -uo pipefail
cd "$MFFT_TEST_SOURCE" || exit 1
command -v cppcheck >/dev/null || { echo "no cppcheck here"; exit 77; }
cppcheck --std=c11 --language=c --quiet --error-exitcode=1 --inline-suppr -j 2 -I include -I src -I apps -D MFFT_HAVE_MPI \
  -D MFFT_HAVE_HDF5 -D __GNUC__ --enable=warning,performance,portability --suppress=missingIncludeSystem \
  --suppress=unknownMacro --template='{file}:{line}: {severity}: {message} [{id}]' src apps
