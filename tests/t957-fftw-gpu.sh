#!/usr/bin/env bash
# Programs written for FFTW-MPI and PFFT, with arrays on the host, run on GPUs: MFFT_FFTW=gpu, page-locked memory from
# fftw_malloc, arrays in the memory of the GPU (tests/dropin/device.c).  auto leaves such small arrays to CPUs.
# TEST labels=emulated+dist timeout=300 needs=dropin
# TEST labels=cuda+dist timeout=300 needs=dropin
set -uo pipefail
failed=0
read -r -a mpiexec <<<"$MFFT_TEST_MPIEXEC"
bin=$MFFT_TEST_BUILD/bin
complain() {
  echo "$*" >&2
  failed=1
}

for ranks in 1 2; do
  "${mpiexec[@]}" "$ranks" "$bin/dropin-double" write results 3 || complain "FFTW itself failed on $ranks ranks"
  rm -f report
  "${mpiexec[@]}" "$ranks" "$MFFT_TEST_COMMAND" run-fftw --where gpu --report report -- "$bin/dropin-double" compare results 3 2>stderr ||
    complain "results on a GPU differ on $ranks ranks: $(cat stderr)"
  # Cosines stay on CPUs, and one dimension is FFTW's.
  [ "$(grep -c ' mergefft on cuda, ' report)" -ge 9 ] || complain "$ranks ranks: few plans run on the GPU: $(cat report)"
  grep -q ' r2r .* mergefft on fftw, ' report || complain "$ranks ranks: no cosines on CPUs: $(cat report)"
  rm -f report
  MFFT_FFTW=gpu MFFT_FFTW_REPORT=report "${mpiexec[@]}" "$ranks" "$bin/dropin-device" || complain "arrays of the GPU fail on $ranks ranks"
  grep -q ' c2c 12x10x6 .* mergefft on cuda, ' report || complain "$ranks ranks: not on the GPU: $(cat report)"
done

rm -f report
"${mpiexec[@]}" 2 "$MFFT_TEST_COMMAND" run-fftw --report report -- "$bin/dropin-double" compare results 3 2>stderr || complain "auto fails: $(cat stderr)"
grep -q ' mergefft on fftw, ' report || complain "auto gives small arrays to the GPU: $(cat report)"
exit $failed
