# `mergefft density`, `force`, `power`, `nbody` and `ic` with --backend cuda, on a GPU or the emulated one: a density
# has the bits of the CPU, all else its numbers to rounding, on one rank and with the argument "ranks" on several; a
# resumed run has its own bits.
# TEST labels=apps+command+cuda timeout=300 needs=jansson args=ranks
# TEST labels=apps+command+emulated timeout=300 needs=jansson
# TEST labels=apps+command+emulated+nightly timeout=300 needs=jansson args=ranks
import json
import pathlib
import re
import sys

import h5py
import numpy
from command import check, end, relative, run
from snapshots import particles, write_hdf5

backends = json.loads(run("info", "--json", "-").stdout)["backends"]
if not any(b["name"] == "cuda" and b["usable"] for b in backends):
    sys.exit(77)

COUNT, BOX, N = 400, 100.0, 12
several = "ranks" in sys.argv
made = particles(3, [0, COUNT, 0, 0, 0])  # with masses of their own
made[1]["Coordinates"] *= numpy.float32(BOX)
units = {"UnitLength_in_cm": 3.085678e24, "UnitMass_in_g": 1.989e43, "UnitVelocity_in_cm_per_s": 1e5, "Omega0": 0.3, "OmegaLambda": 0.7, "HubbleParam": 0.7}
write_hdf5("set.hdf5", made, [0, COUNT, 0, 0, 0, 0], header={"BoxSize": BOX}, groups={"Parameters": units})


def table(path):
    found = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: found.update({name: item[...]}) if isinstance(item, h5py.Dataset) and not name.startswith("Checksum") else None)
    return found


def simulate(prefix, options, ranks):
    run("nbody", "set.hdf5", "-o", prefix, "--until", 0.6, "--steps", 3, "--outputs", 1, "-p", "double", "--density", "--power", *options, ranks=ranks)


def on(backend, ranks):
    tag = f"{backend}{ranks}"
    options = ("-n", N, "--backend", backend)
    for name, more in (("plain", ("--fields", "mass,momentum")), ("laced", ("--interlace",))):
        run("density", "set.hdf5", "-o", f"{tag}-{name}.h5", "-p", "double", *more, *options, ranks=ranks)
    run("force", "set.hdf5", "-o", f"{tag}-force.h5", *options, ranks=ranks)
    run("power", "set.hdf5", "-o", f"{tag}.txt", "--poles", "0,2", "--rsd", *options, ranks=ranks)
    simulate(f"{tag}-run", options, ranks)
    if ranks:
        simulate(f"{tag}-blocks", (*options, "--blocks", 4), ranks)
    if not ranks:
        run("force", "set.hdf5", "-o", "none.h5", "--dry-run", *options)
    return tag


def compare_runs(first, second):
    """Snapshots, densities, spectra and energies of two times."""
    names = sorted(path.name[len(first):] for path in pathlib.Path().glob(f"{first}*"))
    check(len(names) >= 6 and names == sorted(path.name[len(second):] for path in pathlib.Path().glob(f"{second}*")), f"{second}: {names}")
    for name in names:
        if name.endswith("settings.txt"):
            continue
        if name.endswith(".txt"):
            want, got = (numpy.loadtxt(f"{here}{name}") for here in (first, second))
            check(want.shape == got.shape and numpy.allclose(got[:, :4], want[:, :4], rtol=1e-8, atol=0), f"{second}{name}")
            continue
        want, got = table(f"{first}{name}"), table(f"{second}{name}")
        check(want.keys() == got.keys() and want, f"{second}{name}: {got.keys()}")
        for column in want:
            check(relative(got[column].astype(float), want[column].astype(float)) < 1e-6, f"{second}{name}: {column}")


first = on("fftw", 0)
if several:  # the plan's own array, which the other ranks have mapped, is counted beside the mesh
    for name, more, bounds in (("nbody", ("-p", "double"), (1.9, 2.2)), ("force", ("--gradient", "mesh"), (1.9, 2.2)), ("nbody", ("-p", "double", "--blocks", 8), (1.3, 1.5))):
        words = run(name, "set.hdf5", "-o", "none", "-n", 4 * N, *more, "--backend", "cuda", "--transport", "p2p", "--dry-run", ranks=3).stdout
        meshes = 3 * float(re.search(r"meshes (\S+) GiB", words)[1]) * 2**30 / (8 * 16 * N * N * (4 * N + 2))
        check(bounds[0] < meshes < bounds[1], f"{name} {more} --dry-run: {meshes} meshes")
for ranks in (0, 3) if several else (0,):
    tag = on("cuda", ranks)
    for kind, bound in (("plain", 0), ("laced", 1e-13), ("force", 1e-6)):
        want, got = table(f"{first}-{kind}.h5"), table(f"{tag}-{kind}.h5")
        check(want.keys() == got.keys() and want, f"{kind}: {got.keys()}")
        for name in want:
            same = numpy.array_equal(want[name], got[name]) if bound == 0 else relative(got[name].astype(float), want[name].astype(float)) <= bound
            check(same, f"{tag}-{kind}: {name}")
    want, got = numpy.loadtxt(f"{first}.txt"), numpy.loadtxt(f"{tag}.txt")
    check(want.shape == got.shape and numpy.allclose(got, want, rtol=1e-10, atol=1e-10 * abs(want).max()), f"{tag}.txt")
    compare_runs(f"{first}-run", f"{tag}-run")
    if ranks:
        compare_runs(f"{first}-run", f"{tag}-blocks")

# Initial conditions: the modes are those of the CPU, displacements agree to rounding.
tags = ("ic0", "ic2") if several else ("ic0",)
for tag in ("ic", *tags):
    backend, ranks = "fftw" if tag == "ic" else "cuda", int(tag[2:] or 0)
    run("ic", "-n", 8, "-L", 50, "-z", 9, "-p", "double", "--displacements", f"{tag}.h5", "--backend", backend, ranks=ranks)
want = table("ic.h5")
for tag in tags:
    got = table(f"{tag}.h5")
    check(len(want) == 4 and want.keys() == got.keys(), f"{tag}: {got.keys()}")
    for name in want:
        check(relative(got[name], want[name]) < 1e-14, f"{tag}: {name} by {relative(got[name], want[name])}")

# Stopped after its first step and resumed, a run on a GPU has the bits of the one that was not.
pathlib.Path("again-stop").touch()
for more in ((), ("--restart",)):
    simulate("again", ("-n", N, "--backend", "cuda", *more), 0)
    check(pathlib.Path("again-restart.hdf5").exists() != bool(more), f"the checkpoint, {more}")
for path in pathlib.Path().glob("again-z*"):
    check(path.read_bytes() == pathlib.Path(f"cuda0-run{path.name[len('again'):]}").read_bytes(), f"{path} has other bits")
check(len(list(pathlib.Path().glob("again-z*"))) >= 5, "results of the resumed run")
end()
