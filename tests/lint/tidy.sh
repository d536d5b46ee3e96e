#!/usr/bin/env bash
# The findings of clang-tidy (.clang-tidy) in the sources of the library and the command that changed lately (recent.sh), and in one source
# that includes each header that did.
# TEST labels=lint timeout=600 needs=clang-tidy
set -uo pipefail
cd "$MFFT_TEST_SOURCE" || exit 1
# shellcheck source=tests/support/recent.sh
. tests/support/recent.sh
command -v clang-tidy >/dev/null || { echo "no clang-tidy here"; exit 77; }

# Only files that this build compiles have entries in compile_commands.json.
mapfile -t compiled < <(awk -F '"' '/^ *"file":/ { print $4 }' "$MFFT_TEST_BUILD/compile_commands.json" |
  grep -E '/(src|apps|bindings)/.*\.c$' | sort -u)
[ ${#compiled[@]} -gt 10 ] || { echo "compile_commands.json lists ${#compiled[@]} sources" >&2; exit 1; }
mapfile -t changed < <(recent_files include src apps bindings)
includers() { # of each header that changed, by the end of its path, the first source
  local header
  for header in "${changed[@]}"; do
    case $header in *.h) grep -lF "${header#*/}\"" "${compiled[@]}" | head -n 1 ;; esac
  done
}
{
  printf '%s\n' "${changed[@]/#/$PWD/}" | grep -Fx -f <(printf '%s\n' "${compiled[@]}")
  includers
  true
} | sort -u | tr '\n' '\0' | xargs -0 --no-run-if-empty -P 2 -n 16 clang-tidy --quiet \
  --extra-arg=-Wno-unknown-warning-option -p "$MFFT_TEST_BUILD" 2>/dev/null
