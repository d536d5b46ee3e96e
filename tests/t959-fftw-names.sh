#!/usr/bin/env bash
# Every function of FFTW-MPI that makes a plan or answers for a size, by its C and its Fortran 2003 name, every effort and
# flag, and every name that executes, asks or destroys: mergefft's results are FFTW's (tests/dropin/names.c).
# TEST labels=dist+once+ranks timeout=120 needs=dropin args=double,1,3
# TEST labels=dist+once+ranks timeout=120 needs=dropin args=single,2
# shellcheck source=tests/support/dropin.sh
. "$MFFT_TEST_SOURCE/tests/support/dropin.sh"
for ranks in "${@:2}"; do
  "${mpiexec[@]}" "$ranks" "$bin/dropin-names-$1" >out 2>&1 || complain "$ranks ranks: $(cat out)"
  ours=$(grep -c '^fftwf*_mpi_plan_.*: mergefft$' out)
  sizes=$(grep -c '^fftwf*_mpi_local_size.*: as FFTW$' out)
  # FFTW does one dimension and the two transpositions.
  [ "$ours $sizes" = "16 10" ] || complain "$ranks ranks: mergefft makes plans of $ours names, $sizes sizes are answered: $(cat out)"
done
exit $failed
