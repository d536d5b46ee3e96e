#!/usr/bin/env bash
# Every relative link of the documentation, pictures too, leads to a file that is part of the project.
# TEST labels=lint
set -uo pipefail
cd "$MFFT_TEST_SOURCE" || exit 1
failed=0

# part FILE: whether the file exists and, if git is present, is committed or added: another file exists on one machine only.
declare -A tracked
while IFS= read -r -d '' file; do tracked[$file]=1; done < <(git ls-files -z 2>/dev/null)
part() {
  [ -e "$1" ] || return 1
  [ -d "$1" ] || [ ${#tracked[@]} -eq 0 ] || [ -n "${tracked[$1]:-}" ] || git ls-files --error-unmatch "$1" >/dev/null 2>&1
}

for page in *.md docs/*.md docs/*/*.md; do
  while read -r target; do
    case $target in http:* | https:* | mailto:* | '#'*) continue ;; esac
    part "$(dirname "$page")/${target%%#*}" || { echo "$page: $target is not there, or not in the repository" >&2; failed=1; }
  done < <(grep -o '](\([^) ]*\))' "$page" | sed 's/^](//; s/)$//')
done
exit $failed
