#!/usr/bin/env bash
# Programs written for FFTW-MPI and PFFT, with arrays on the host, run on GPUs: MFFT_FFTW=gpu, page-locked memory from
# fftw_malloc, arrays in the memory of the GPU (tests/dropin/device.c).  auto leaves such small arrays to CPUs.
# Arguments: every how many-th kind of plan is made, and how many plans of these must be on the GPU.
# TEST labels=emulated+dist timeout=300 needs=dropin args=7,5
# TEST labels=emulated+dist+nightly timeout=300 needs=dropin args=3,9
# TEST labels=cuda+dist timeout=300 needs=dropin args=3,9
# shellcheck source=tests/support/dropin.sh
. "$MFFT_TEST_SOURCE/tests/support/dropin.sh"

for ranks in 1 2; do
  "${mpiexec[@]}" "$ranks" "$bin/dropin-double" write results "$1" || complain "FFTW itself failed on $ranks ranks"
  rm -f report
  "${mpiexec[@]}" "$ranks" "$MFFT_TEST_COMMAND" run-fftw --where gpu --report report -- "$bin/dropin-double" compare results "$1" 2>stderr ||
    complain "results on a GPU differ on $ranks ranks: $(cat stderr)"
  # One dimension is FFTW's.
  [ "$(grep -c ' mergefft on cuda, ' report)" -ge "$2" ] || complain "$ranks ranks: few plans run on the GPU: $(cat report)"
  grep -q ' r2r .* mergefft on cuda, ' report || complain "$ranks ranks: no cosines on the GPU: $(cat report)"
  rm -f report
  MFFT_FFTW=gpu MFFT_FFTW_REPORT=report "${mpiexec[@]}" "$ranks" "$bin/dropin-device" || complain "arrays of the GPU fail on $ranks ranks"
  grep -q ' c2c 12x10x6 .* mergefft on cuda, ' report || complain "$ranks ranks: not on the GPU: $(cat report)"
done

# Arrays on the host that are large enough for page-locked memory; on a GPU `dropin-host-bench-single 512` measures.
for kind in r2c c2c; do
  MFFT_FFTW=gpu "${mpiexec[@]}" 2 "$bin/dropin-host-bench-single" 24 1 "$kind" >out || complain "$kind on the host: $(cat out)"
done

rm -f report
"${mpiexec[@]}" 2 "$MFFT_TEST_COMMAND" run-fftw --report report -- "$bin/dropin-double" compare results "$1" 2>stderr || complain "auto fails: $(cat stderr)"
grep -q ' mergefft on fftw, ' report || complain "auto gives small arrays to the GPU: $(cat report)"

# Arrays in the memory of the GPU decide for it, but for ranks that crowd a node; a real GPU's memory is none of the host's.
rm -f report
MFFT_FFTW=auto MFFT_FFTW_REPORT=report "${mpiexec[@]}" 1 "$bin/dropin-device" || complain "auto fails with arrays of the GPU"
grep -q ' mergefft on cuda, ' report || complain "auto leaves arrays of the GPU to CPUs: $(cat report)"
if [ -n "${MFFT_EMULATED_BYTES:-}" ]; then
  rm -f report
  MFFT_FFTW=auto MFFT_FFTW_REPORT=report "${mpiexec[@]}" 1 env OMPI_COMM_WORLD_LOCAL_SIZE=17 "$bin/dropin-device" >out 2>&1
  grep -q ' mergefft on fftw, ' report || complain "the program did not run: $(cat out)"
  grep -q ' mergefft on cuda, ' report && complain "auto takes the GPU for 17 ranks of a node: $(cat report)"
fi
exit $failed
