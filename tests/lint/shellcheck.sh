#!/usr/bin/env bash
# TEST labels=lint needs=shellcheck
set -uo pipefail
cd "$MFFT_TEST_SOURCE" || exit 1
command -v shellcheck >/dev/null || { echo "no shellcheck here"; exit 77; }
mapfile -t scripts < <(grep -rlE '^#!.*\b(ba)?sh\b|^# shellcheck shell=' scripts tests .ci cmake)
[ ${#scripts[@]} -gt 5 ] || { echo "found only ${#scripts[@]} scripts" >&2; exit 1; }
shellcheck --external-sources "${scripts[@]}"
