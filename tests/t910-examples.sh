#!/usr/bin/env bash
# The programs of examples/ run and find their results right: on CPUs, and on a GPU with "cuda" as the argument.
# TEST labels=docs timeout=120
# TEST labels=emulated args=cuda timeout=120
# TEST labels=cuda args=cuda timeout=120
set -euo pipefail
examples=$MFFT_TEST_BUILD/examples
if [ "${1:-}" = cuda ]; then
  [ -x "$examples/cuda" ] || { echo "this build has no examples/cuda"; exit 77; }
  if ldd "$examples/cuda" | grep -q 'libcuda.* not found'; then echo "this machine has no driver for GPUs" && exit 77; fi
  "$examples/cuda" >log 2>&1 || { code=$?; cat log; exit "$code"; }
  programs=(poisson)
  counts=(1)
  export MFFT_BACKEND=cuda
else
  for program in local convolution; do "$examples/$program" >log 2>&1 || { cat log; exit 1; }; done
  programs=(mpi poisson particles)
  counts=(1 3)
fi
for program in "${programs[@]}"; do
  [ -x "$examples/$program" ] || continue # a build without MPI
  for ranks in "${counts[@]}"; do
    # shellcheck disable=SC2086  # mpirun and its flags are words
    $MFFT_TEST_MPIEXEC $ranks "$examples/$program" >log 2>&1 || { echo "$program on $ranks ranks:"; cat log; exit 1; }
  done
done
