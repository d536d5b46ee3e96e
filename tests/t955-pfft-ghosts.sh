#!/usr/bin/env bash
# Ghost cells of PFFT's interface (tests/dropin/ghosts.c): exchanged and reduced, on meshes of one to three dimensions, both
# precisions, more cells than a rank has, ranks without planes.
# TEST labels=dist+once timeout=120 needs=dropin args=double
# TEST labels=dist+once+nightly timeout=120 needs=dropin args=single
# shellcheck source=tests/support/dropin.sh
. "$MFFT_TEST_SOURCE/tests/support/dropin.sh"
for ranks in 1 2 3 6 8; do
  "${mpiexec[@]}" "$ranks" "$bin/dropin-ghosts-$1" || complain "ghost cells are wrong on $ranks ranks"
done
exit $failed
