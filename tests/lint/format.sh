#!/usr/bin/env bash
# Every source looks as .clang-format says.  `clang-format -i FILE` repairs.
# TEST labels=lint needs=clang-format-14
set -uo pipefail
cd "$MFFT_TEST_SOURCE" || exit 1
command -v clang-format >/dev/null || { echo "no clang-format here"; exit 77; }
# Other versions break lines differently, so one version is required.
clang-format --version | grep -q 'version 14\.' || { echo "clang-format 14 is the judge, here is another"; exit 77; }
find include src apps bindings examples tests \( -name '*.c' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' \
  -o -name '*.cpp' -o -name '*.hpp' \) -print0 |
  xargs -0 clang-format --dry-run --Werror
