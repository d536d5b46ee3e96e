#!/usr/bin/env bash
# Every file in git is a text or a picture of the documentation, and smaller than 1 MiB: packages that a download had left in a
# folder were committed twice.
# TEST labels=lint
set -uo pipefail
cd "$MFFT_TEST_SOURCE" || exit 1
git rev-parse --git-dir >/dev/null 2>&1 || { echo "no git checkout here"; exit 77; }
failed=0
while IFS=$'\t' read -r kind file; do
  case $kind:$file in *:docs/images/*) ;; i/-text*) echo "$file is not a text; remove it from git" >&2; failed=1 ;; esac
done < <(git ls-files --eol)
while IFS= read -r file; do
  echo "$file has 1 MiB or more" >&2
  failed=1
done < <(git ls-files -z | xargs -0 sh -c 'find "$@" -maxdepth 0 -type f -size +1023k' files)
exit $failed
