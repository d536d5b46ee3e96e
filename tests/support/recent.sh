# shellcheck shell=bash
# recent.sh: which files a lint checks that takes long.  Source it with the root of the project as the working directory.

# recent_files FOLDER...: the files in these folders that changed in the last fifty commits or since, one a line: within as many,
# scripts/test runs several times.  All files with MFFT_TEST_ALL=1 (scripts/test --all), and where git does not know the commits.
recent_files() {
  local since=HEAD~50
  if [ "${MFFT_TEST_ALL:-0}" = 1 ] || ! git rev-parse --quiet --verify "$since^{commit}" >/dev/null 2>&1; then
    find "$@" -type f
  else
    git diff --name-only --diff-filter=d "$since" -- "$@"
    git ls-files --others --exclude-standard -- "$@"
  fi
}
