# shellcheck shell=bash disable=SC2034
# dropin.sh: what the scripts share that run programs written for FFTW-MPI and PFFT (tests/dropin).  Such a script sources it
# first, and ends with `exit $failed`.
set -uo pipefail
failed=0
read -r -a mpiexec <<<"$MFFT_TEST_MPIEXEC" # to be followed by a number of ranks
bin=$MFFT_TEST_BUILD/bin                   # the folder of the programs
complain() {
  echo "$*" >&2
  failed=1
}
