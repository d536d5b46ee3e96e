#!/usr/bin/env bash
# Every source that changed lately (recent.sh) looks as .clang-format says.  `clang-format -i FILE` repairs.
# TEST labels=lint needs=clang-format-14
set -uo pipefail
cd "$MFFT_TEST_SOURCE" || exit 1
# shellcheck source=tests/support/recent.sh
. tests/support/recent.sh
command -v clang-format >/dev/null || { echo "no clang-format here"; exit 77; }
# Other versions break lines differently, so one version is required.
clang-format --version | grep -q 'version 14\.' || { echo "this test needs clang-format 14"; exit 77; }
recent_files include src apps bindings examples tests | sed -nE '/\.(c|h|cu|cuh|cpp|hpp)$/p' | tr '\n' '\0' |
  xargs -0 --no-run-if-empty clang-format --dry-run --Werror
