# mergefft force: accelerations of a snapshot of GADGET-4 beside those that it holds, and of made-up particles beside a direct
# Ewald sum in numpy; the order, columns and types of the file; ranks; units; --check against the same sum; what is refused.
# TEST labels=apps+command+once timeout=300
import os
import re

import h5py
import numpy
from command import check, end, own_lines, relative, run, soon
from particle_truth import ewald
from snapshots import joined, particles, split, write_hdf5

G = 6.6738e-8 * 1.989e43 / 3.085678e24 / 1e10  # (Mpc/h) (km/s)^2 / (1e10 Msun/h)


def errors(got, want):
    return numpy.linalg.norm(got - want, axis=1) / numpy.linalg.norm(want, axis=1)


# Three types in two files, in kpc/h, at a = 1/4: the order of the file is that of types, then of files.
made = particles(9, [60, 70, 0, 0, 90])
BOX = 2000.0
for columns in made.values():
    columns["Coordinates"] = (columns["Coordinates"] * BOX).astype("f8")
units = {"UnitLength_in_cm": 3.085678e21, "UnitMass_in_g": 1.989e43, "UnitVelocity_in_cm_per_s": 1e5, "Omega0": 0.3, "OmegaLambda": 0.7, "HubbleParam": 0.7}
for i, here in enumerate(split(made, {0: (20, 40), 1: (70, 0), 4: (0, 90)})):
    write_hdf5(f"set.{i}.hdf5", here, [60, 70, 0, 0, 90, 0], header={"NumFilesPerSnapshot": 2, "BoxSize": BOX}, groups={"Parameters": units})
on_mesh = soon(run, "force", "set", "-o", "mesh.hdf5", "-n", 64, "-a", "pcs", "--gradient", "mesh", ranks=2)
runs = {ranks: soon(run, "force", "set", "-o", f"all{ranks}.hdf5", "-n", 64, "-a", "pcs", "--check", 500 if ranks else 220, ranks=ranks) for ranks in (0, 3)}
some = soon(run, "force", "set", "-o", "some.hdf5", "-n", 64, "-a", "pcs", "--type", "0,4", "--gravity", 2, ranks=2)
x, mass = (joined(made, (0, 1, 4), name).astype(float) for name in ("Coordinates", "Masses"))
want = ewald(x, mass, BOX, range(len(x)))
first = {}
for ranks, wait in runs.items():
    done = wait()
    with h5py.File(f"all{ranks}.hdf5") as file:
        got = {name: numpy.concatenate([file[f"PartType{kind}/{name}"][...] for kind in (0, 1, 4)]) for name in ("Coordinates", "Velocities", "ParticleIDs", "Masses", "Acceleration", "Potential")}
        check(file["Header"].attrs["NumPart_Total"].tolist() == [60, 70, 0, 0, 90, 0], "counts")
    for name in ("Coordinates", "Velocities", "ParticleIDs", "Masses"):
        check(numpy.array_equal(got[name], joined(made, (0, 1, 4), name)), f"{name} on {ranks}")
    off = errors(got["Acceleration"], want * G * 1e3 * 16)  # lengths in kpc/h; a^-2
    check(numpy.median(off) < 2e-3, f"median {numpy.median(off)} on {ranks}")
    for name in ("Acceleration", "Potential"):
        check(relative(got[name], first.setdefault(name, got[name])) < 1e-11, f"{name} on {ranks}")
    told = [float(word) for word in re.search(r"median (\S+), 90 % below (\S+), worst (\S+)", done.stdout).groups()]
    truth = numpy.sort(off)[[109, 198, 219]]  # all particles, each once
    check("errors of 220 accelerations" in done.stdout and relative(told, truth) < 0.006, f"--check says {told}, truth {truth}")
on_mesh()
with h5py.File("mesh.hdf5") as file:
    got = numpy.concatenate([file[f"PartType{kind}/Acceleration"][...] for kind in (0, 1, 4)])
    check(relative(got, first["Acceleration"]) < 1e-11, f"the gradient on the mesh: {relative(got, first['Acceleration'])}")
some()
x, mass = (joined(made, (0, 4), name).astype(float) for name in ("Coordinates", "Masses"))
with h5py.File("some.hdf5") as file:
    got = numpy.concatenate([file[f"PartType{kind}/Acceleration"][...] for kind in (0, 4)])
    check("PartType1" not in file and file["Header"].attrs["NumPart_Total"].tolist() == [60, 0, 0, 0, 90, 0], "types")
check(numpy.median(errors(got, 2 * ewald(x, mass, BOX, range(len(x))))) < 2e-3, "two of three types")

# The forces that GADGET-4 has written, softened and with the errors of its tree; and --check of them.
data = os.path.join(os.environ.get("MFFT_TEST_DATA", "."), "gadget4-snapshot-4096.hdf5")
if os.path.exists(data):
    done = run("force", data, "-o", "real.hdf5", "-n", 128, "-a", "pcs", "--check", 20, ranks=2)
    with h5py.File(data) as file, h5py.File("real.hdf5") as own:
        check(numpy.array_equal(file["PartType1/ParticleIDs"][...], own["PartType1/ParticleIDs"][...]), "identities")
        check(own["PartType1/Acceleration"].dtype == "f8", "the type of the positions")
        off = errors(own["PartType1/Acceleration"][...], file["PartType1/Acceleration"][...])
        check(numpy.median(off) < 8e-3, f"median error beside GADGET-4 is {numpy.median(off)}")
        potential = numpy.polyfit(own["PartType1/Potential"][...], file["PartType1/Potential"][...], 1)
        check(abs(potential[0] - 1) < 0.05, f"potential beside GADGET-4: {potential}")
    check(float(re.search(r"median (\S+),", done.stdout)[1]) < 5e-3, done.stdout)

# A lattice feels nothing; what does not tell its units is refused.
lattice = numpy.stack(numpy.meshgrid(*[numpy.arange(4.0)] * 3), axis=-1).reshape(-1, 3) * 25
write_hdf5("lattice.hdf5", {1: {"Coordinates": lattice, "ParticleIDs": numpy.arange(64, dtype="u8")}}, [0, 64, 0, 0, 0, 0], header={"BoxSize": 100.0, "MassTable": [0, 2.0, 0, 0, 0, 0]})
run("force", "lattice.hdf5", "-o", "still.hdf5", "-n", 16, "--units", "mpc")
with h5py.File("still.hdf5") as file:
    check(numpy.abs(file["PartType1/Acceleration"][...]).max() < 1e-12 * G * 2 * 16 / 25**2, "a lattice falls")
    check("Velocities" not in file["PartType1"] and "Masses" not in file["PartType1"], list(file["PartType1"]))
lines = own_lines(run("force", "lattice.hdf5", "-o", "no.hdf5", code=1, ranks=2).stderr)
check(len(lines) == 1 and "does not contain its units; give --units" in lines[0] and not os.path.exists("no.hdf5"), lines)
end()
