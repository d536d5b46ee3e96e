#!/usr/bin/env bash
# The library exports what the public headers declare, and nothing else; and of MPI neither it nor the command calls anything that
# waits for other ranks behind the watchdog's back (src/comm/watchdog.h and together.h, apps/cli/collective.h).  To split a
# communicator there is no other call.
# TEST labels=lint needs=shared
set -uo pipefail
cd "$MFFT_TEST_SOURCE" || exit 1
case $MFFT_TEST_LIBRARY in *.so*) ;; *) echo "not a shared library"; exit 77 ;; esac
exported=$(nm -D --defined-only "$MFFT_TEST_LIBRARY" | awk '$2 ~ /[A-Z]/ { sub("@.*", "", $3); print $3 }' | sort)
# Headers of parts that this build lacks declare functions that it need not export.
headers=(include/mfft.h include/mfft_{memory,spectrum,inspect}.h)
grep -q '^MFFT_MPI:BOOL=ON' "$MFFT_TEST_BUILD/CMakeCache.txt" && headers+=(include/mfft_mpi.h)
grep -q '^MFFT_HDF5:BOOL=ON' "$MFFT_TEST_BUILD/CMakeCache.txt" && headers+=(include/mfft_field.h)
declared=$(cat "${headers[@]}" | tr '\n' ' ' |
  grep -oE 'MFFT_API [^;({]*\(' | grep -oE '[a-z0-9_]+ *\($' | tr -d ' (' | grep -v '^__' | sort)
[ -n "$declared" ] || { echo "found no declaration" >&2; exit 1; }
if ! diff <(echo "$declared") <(echo "$exported"); then
  echo "< declared in ${headers[*]} but not exported; > exported but not declared" >&2
  exit 1
fi
blocking='Wait(all|any|some)?|(S|R|B)?[Ss]end|Recv|Sendrecv(_replace)?|M?[Pp]robe|Barrier|Bcast|(All)?([Rr]educe|[Gg]ather(v)?)|Scatter(v)?|Alltoall(v|w)?|Scan|Comm_dup'
for file in "$MFFT_TEST_LIBRARY" ${MFFT_TEST_COMMAND:+"$MFFT_TEST_COMMAND"}; do
  if nm -D --undefined-only "$file" | grep -E " MPI_($blocking)$"; then
    echo "$file waits for other ranks without a watchdog: use mfft_wait, or a call of together.h or collective.h" >&2
    exit 1
  fi
done
