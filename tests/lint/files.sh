#!/usr/bin/env bash
# Every file in git is a text or a picture of the documentation, and smaller than 1 MiB, and those of the root are known by name:
# packages that a download had left, and what a test had written there, were committed.  Comments begin with their subjects.
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
known=" .clang-format .clang-tidy .editorconfig .gitignore CHANGELOG.md CITATION.cff CMakeLists.txt CMakePresets.json CONTRIBUTING.md
  LICENSE README.md SECURITY.md "
while IFS= read -r file; do
  case ${known//$'\n'/ } in
    *" $file "*) ;;
    *)
      echo "$file is in the root; remove it from git, or add it to the names in tests/lint/files.sh" >&2
      failed=1
      ;;
  esac
done < <(git ls-files | grep -v /)
# Pages and headers that are read as a whole stay short.
for limit in "docs/design.md 200" "docs/performance.md 250" $'include/*.h 250'; do
  for file in ${limit% *}; do
    lines=$(wc -l <"$file")
    [ "$lines" -le "${limit##* }" ] || { echo "$file has $lines lines; ${limit##* } are allowed" >&2; failed=1; }
  done
done
# A comment begins with its subject, not with a relative pronoun, for which the reader would have to find the noun.
if git grep -nE '^ *(/[*]|//|#) (What|Which|That|So) ' -- src apps bindings include examples tests cmake scripts >&2; then
  echo "begin these comments with the things that they are about" >&2
  failed=1
fi
exit $failed
