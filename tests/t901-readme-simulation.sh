#!/usr/bin/env bash
# The simulation of the README runs as it stands there, with fewer particles and steps, and leaves the files that are named.
# TEST labels=docs+once needs=cairo
set -euo pipefail
awk '/^## / { on = /^## A simulation/; next } on && /^    / { print }' "$MFFT_TEST_SOURCE/README.md" >lines
[ "$(wc -l <lines)" -eq 4 ] || { echo "the README has $(wc -l <lines) lines of a simulation, not 4" >&2; exit 1; }
sed -i -e "s|mpirun -n|$MFFT_TEST_MPIEXEC|; s|mergefft |$MFFT_TEST_COMMAND |; s|-n 96|-n 12|; s|--steps 30|--steps 3|; s|--depth 48|--depth 6|" lines
rm -f ic.hdf5 web*
bash -euo pipefail lines >printed
for name in ic.hdf5 web-z0.000.hdf5 web-z0.000-density.h5 web.txt web.png; do
  [ -s "$name" ] || { echo "no $name" >&2; exit 1; }
done
