#!/usr/bin/env bash
# Ghost cells of PFFT's interface (tests/dropin/ghosts.c): exchanged and reduced, on meshes of one to three dimensions, both
# precisions, more cells than a rank has, ranks without planes.
# TEST labels=dist+once timeout=120 needs=dropin args=double
# TEST labels=dist+once+nightly timeout=120 needs=dropin args=single
set -uo pipefail
failed=0
read -r -a mpiexec <<<"$MFFT_TEST_MPIEXEC"
for ranks in 1 2 3 6 8; do
  "${mpiexec[@]}" "$ranks" "$MFFT_TEST_BUILD/bin/dropin-ghosts-$1" || failed=1
done
exit $failed
