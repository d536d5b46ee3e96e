#!/usr/bin/env bash
# FFTW's own test program for MPI verifies plans of mergefft: transforms of two to four axes, tuples, complex, real, cosines and
# sines, natural ("[", "]": transposed) and in place ("i"), by linearity, impulses and shifts, on CPUs or a GPU.  It is built in
# FFTW's source (mpi/mpi-bench, linked with the shared libraries) and found in the PATH; mpi-bench-f is that in single precision.
# Arguments: where, precision, and numbers of ranks.
# TEST labels=dist+once+nightly+ranks timeout=600 needs=dropin+mpi-bench args=cpu,double,1,2,3,4,8
# TEST labels=dist+once+nightly+ranks timeout=600 needs=dropin+mpi-bench-f args=cpu,single,1,2,4
# TEST labels=emulated+dist+nightly timeout=600 needs=dropin+mpi-bench args=gpu,double,1,2,3,4
# TEST labels=emulated+dist+nightly timeout=600 needs=dropin+mpi-bench-f args=gpu,single,2
# TEST labels=cuda+dist timeout=300 needs=dropin+mpi-bench args=gpu,double,1,2,3,4
# shellcheck source=tests/support/dropin.sh
. "$MFFT_TEST_SOURCE/tests/support/dropin.sh"
problems=(ofc12x10x6 ibc8x7x9 ofc]6x5x8 "ibc[5x10x9" ofc12x11 ifr12x10x8 obr9x8x7 ofr]10x6x8 "ibr[8x5x10" ofrd9x10x12 obrd8x5x6
  ofc6x5x4x3 ofc]5x2x6x8 ofr]6x5x4x8 ibr5x6x4x9 ofc9x8v4 ifr10x6x5v3 ibr13x9v4 ofc16x16x16 ifr16x16x16
  okd8e01x7o10x6e01 ok]6o01x4e11x5e10 ik5e00x12o00x6e10 ok7o11x9e01)
where=$1 bench=mpi-bench on=fftw
[ "$2" = double ] || bench=mpi-bench-f
[ "$where" = cpu ] || on=cuda
verify=()
for problem in "${problems[@]}"; do verify+=(--verify "$problem"); done
for ranks in "${@:3}"; do
  rm -f report
  "${mpiexec[@]}" "$ranks" "$MFFT_TEST_COMMAND" run-fftw --where "$where" --report report -- "$bench" -v1 -o estimate "${verify[@]}" >out 2>&1 ||
    complain "$ranks ranks: $(tail -n 5 out)"
  [ "$(grep -cE '^[oi][fbk][^ ]* [0-9.e+-]+ [0-9.e+-]+ [0-9.e+-]+$' out)" -eq "${#problems[@]}" ] || complain "$ranks ranks: results are missing: $(cat out)"
  [ "$(grep -c " mergefft on $on, " report)" -eq "${#problems[@]}" ] || complain "$ranks ranks: plans are missing: $(cat report)"
done
exit $failed
