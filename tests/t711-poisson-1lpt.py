# The displacement field of monofonIC's regression file, made by another program, from its density: force / L is the
# first-order displacement, for several numbers of ranks, whose results agree with each other.
# TEST labels=apps+command needs=data
import os
import sys

import h5py
from command import check, end, relative, run

path = os.path.join(os.environ.get("MFFT_TEST_DATA", "."), "density-1lpt-32.hdf5")
if not os.path.exists(path):
    sys.exit(77)
with h5py.File(path) as file:
    want = {"force_" + axis: 100 * file["DM_d" + axis][...] for axis in "xyz"}
first = {}
for ranks in (0, 1, 2, 3, 5):
    run("poisson", path, "-o", "force.h5", "--dataset", "DM_delta", "--boxsize", 100, "--gradient", "spectral", "--precision",
        "double", ranks=ranks)
    with h5py.File("force.h5") as file:
        for name in ("phi", *want):
            field = file[name][...]
            if name in want:
                check(relative(field, want[name]) < 1e-13, f"{name} on {ranks}: {relative(field, want[name])}")
            check(relative(field, first.setdefault(name, field)) < 1e-13, f"{name} on {ranks} differs from one rank")
for precision, bound in (("single", 1e-6), ("half", 2e-3)):
    run("poisson", path, "-o", "force.h5", "-d", "DM_delta", "-L", 100, "--gradient", "spectral", "-p", precision, ranks=2)
    with h5py.File("force.h5") as file:
        for name in want:
            check(relative(file[name][...], want[name]) < bound, f"{precision}: {relative(file[name][...], want[name])}")
end()
