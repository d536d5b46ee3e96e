#!/usr/bin/env bash
# docs/environment.md repeats the table of src/base/env.h: every variable, its default and its help, and no other variable.
# TEST labels=lint
set -uo pipefail
cd "$MFFT_TEST_SOURCE" || exit 1
table=$(tr -d '\\\n' <src/base/env.h | grep -oE 'X\([A-Z_0-9]+, *"MFFT_[^"]*", *"[^"]*", *"[^"]*"\)' |
  awk -F '"' '{ printf "| `%s` |%s | %s |\n", $2, $4 == "" ? "" : " " $4, $6 }' | sort)
page=$(grep -E '^\| `MFFT_' docs/environment.md | sort)
[ "$(echo "$table" | wc -l)" -ge 5 ] || { echo "could not read the table in src/base/env.h" >&2; exit 1; }
diff <(echo "$table") <(echo "$page") || { echo "< src/base/env.h, > docs/environment.md" >&2; exit 1; }
# The library reads its own variables through the table only.
if grep -rnE 'getenv\("MFFT_' src; then
  echo "read the variable with mfft_env_string instead" >&2
  exit 1
fi
