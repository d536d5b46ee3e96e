#!/usr/bin/env bash
# Every command has a manual page that names its options, groff reads all pages without a warning, and mergefft(1) lists the
# commands and the environment variables.
# TEST labels=docs+once
set -euo pipefail
pages=$MFFT_TEST_BUILD/man/man1
failed=0

complain() {
  echo "$*" >&2
  failed=1
}

commands=$("$MFFT_TEST_COMMAND" --help | awk '/^Commands:/ { on = 1; next } !NF { on = 0 } on { print $1 }')
[ "$(wc -w <<<"$commands")" -ge 4 ] || complain "mergefft --help lists no commands"
for command in $commands; do
  page=$pages/mergefft-$command.1
  [ -s "$page" ] || { complain "no page $page"; continue; }
  text=$(sed 's/\\-/-/g' "$page")
  for option in $("$MFFT_TEST_COMMAND" "$command" --help | grep -oE '^ +(-., )?--[a-z0-9-]+' | grep -oE -- '--.*'); do
    grep -qE -- "^\.B (-., )?$option( |\$)" <<<"$text" || complain "$page has no $option"
  done
  grep -q "mergefft.-$command (1)" "$pages/mergefft.1" || complain "mergefft(1) does not list $command"
done
for variable in $(grep -oE '"MFFT_[A-Z_]+"' "$MFFT_TEST_SOURCE/src/base/env.h" | tr -d '"'); do
  grep -q "^\.B $variable\$" "$pages/mergefft.1" || complain "mergefft(1) does not list $variable"
done
if command -v groff >/dev/null; then
  for page in "$pages"/*.1; do
    warnings=$(groff -man -ww -z "$page" 2>&1)
    [ -z "$warnings" ] || complain "$warnings"
  done
fi
exit $failed
