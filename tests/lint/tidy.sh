#!/usr/bin/env bash
# What clang-tidy (.clang-tidy) sees in the library and the command.
# TEST labels=lint timeout=600 needs=clang-tidy
set -uo pipefail
cd "$MFFT_TEST_SOURCE" || exit 1
command -v clang-tidy >/dev/null || { echo "no clang-tidy here"; exit 77; }

# Only files that this build compiles have entries in compile_commands.json.
mapfile -t compiled < <(awk -F '"' '/^ *"file":/ { print $4 }' "$MFFT_TEST_BUILD/compile_commands.json" |
  grep -E '/(src|apps|bindings)/.*\.c$' | sort -u)
[ ${#compiled[@]} -gt 10 ] || { echo "compile_commands.json lists ${#compiled[@]} sources" >&2; exit 1; }
printf '%s\0' "${compiled[@]}" | xargs -0 -P 2 -n 8 clang-tidy --quiet --extra-arg=-Wno-unknown-warning-option \
  -p "$MFFT_TEST_BUILD" 2>/dev/null
