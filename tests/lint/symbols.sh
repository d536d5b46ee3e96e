#!/usr/bin/env bash
# The library exports what the public headers declare, and nothing else; the libraries with the names of FFTW and PFFT
# export such names only. Neither they nor the command call any function of MPI that waits for other ranks outside the watchdog
# (src/comm/watchdog.h and together.h, apps/cli/collective.h), except MPI_Comm_split, which has no nonblocking form.
# TEST labels=lint needs=shared
set -uo pipefail
cd "$MFFT_TEST_SOURCE" || exit 1
case $MFFT_TEST_LIBRARY in *.so*) ;; *) echo "not a shared library"; exit 77 ;; esac
exported=$(nm -D --defined-only "$MFFT_TEST_LIBRARY" | awk '$2 ~ /[A-Z]/ { sub("@.*", "", $3); print $3 }' | sort)
# Headers of parts that are not in this build declare functions that it need not export.
headers=(include/mfft.h include/mfft_{memory,array,spectrum,convolution,direct,inspect}.h)
grep -q '^MFFT_MPI:BOOL=ON' "$MFFT_TEST_BUILD/CMakeCache.txt" && headers+=(include/mfft_{mpi,motion,particles,predict}.h)
grep -q '^MFFT_HDF5:BOOL=ON' "$MFFT_TEST_BUILD/CMakeCache.txt" && headers+=(include/mfft_{field,field_direct,snapshot}.h)
declared=$(cat "${headers[@]}" | tr '\n' ' ' |
  grep -oE 'MFFT_API [^;({]*\(' | grep -oE '[a-z0-9_]+ *\($' | tr -d ' (' | grep -v '^__' | sort)
[ -n "$declared" ] || { echo "found no declaration" >&2; exit 1; }
if ! diff <(echo "$declared") <(echo "$exported"); then
  echo "< declared in ${headers[*]} but not exported; > exported but not declared" >&2
  exit 1
fi
# The library that replaces FFTW-MPI exports names that FFTW has, and no other.
dropin=$MFFT_TEST_BUILD/lib/libmergefft_fftw3_mpi.so
if [ -e "$dropin" ]; then
  fftw=$(awk -F = '/^FFTW3_(double|single|long_double)(_MPI)?_LIBRARY:/ { print $2 }' "$MFFT_TEST_BUILD/CMakeCache.txt")
  # shellcheck disable=SC2086
  known=$(nm -D --defined-only $fftw | awk '$2 ~ /[A-Z]/ { print $3 }' | sort -u)
  names=$(nm -D --defined-only "$dropin" | awk '$2 ~ /[A-Z]/ { print $3 }' | sort)
  [ "$(echo "$names" | grep -c '^fftw[fl]*_mpi_plan')" -ge 60 ] || { echo "$dropin lacks names of FFTW-MPI" >&2; exit 1; }
  if comm -13 <(echo "$known") <(echo "$names") | grep .; then
    echo "$dropin exports what FFTW does not" >&2
    exit 1
  fi
  # All public names for MPI must be there, since the library may take the place of FFTW-MPI.
  missing=$(echo "$known" | grep -E '^fftw[fl]?_mpi_(init|cleanup|local_size|plan_|execute_|gather|broadcast)' | grep -v '_guru' |
    comm -23 - <(echo "$names"))
  [ -z "$missing" ] || { echo "$dropin lacks $missing" >&2; exit 1; }
fi
# The one with PFFT's names exports what its header declares; what both stand on, names of mergefft alone.
pfft=$MFFT_TEST_BUILD/lib/libmergefft_pfft.so
if [ -e "$pfft" ]; then
  read -r -a mpi <<<"$(mpicc --showme:compile 2>/dev/null || mpicc -compile_info 2>/dev/null | cut -d ' ' -f 2-)"
  declared=$("${CC:-cc}" -E -P "${mpi[@]}" bindings/pfft/pfft.h | tr '\n' ' ' |
    grep -oE '\bpfftf?_[a-zA-Z0-9_]+ *\(' | tr -d ' (' | sort -u)
  [ "$(echo "$declared" | grep -c '_plan_')" -ge 30 ] || { echo "found no declaration in bindings/pfft/pfft.h" >&2; exit 1; }
  if ! diff <(echo "$declared") <(nm -D --defined-only "$pfft" | awk '$2 ~ /[A-Z]/ { print $3 }' | sort); then
    echo "< declared in pfft.h but not exported; > exported but not declared" >&2
    exit 1
  fi
  if nm -D --defined-only "$MFFT_TEST_BUILD/lib/libmergefft_dropin.so" | awk '$2 ~ /[A-Z]/ { print $3 }' | grep -v '^mfft_dropin_'; then
    echo "libmergefft_dropin exports names that are not mfft_dropin_" >&2
    exit 1
  fi
fi
blocking='Wait(all|any|some)?|(S|R|B)?[Ss]end|Recv|Sendrecv(_replace)?|M?[Pp]robe|Barrier|Bcast|(All)?([Rr]educe|[Gg]ather(v)?)|Scatter(v)?|Alltoall(v|w)?|Scan|Comm_dup'
for file in "$MFFT_TEST_LIBRARY" ${MFFT_TEST_COMMAND:+"$MFFT_TEST_COMMAND"} $(find "$MFFT_TEST_BUILD/lib" -name 'libmergefft_*.so'); do
  if nm -D --undefined-only "$file" | grep -E " MPI_($blocking)$"; then
    echo "$file waits for other ranks without a watchdog: use mfft_wait, or a call of together.h or collective.h" >&2
    exit 1
  fi
done
