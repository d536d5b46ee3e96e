# mergefft force: accelerations of a snapshot of GADGET-4 beside those that it holds, and of made-up particles beside a direct
# Ewald sum in numpy; the order, columns and types of the file; ranks; units, also read again; --check against the same sum; what is refused.
# TEST labels=apps+command+once timeout=300
import json
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

# SWIFT's units, which are without h, return from the file of a force to rounding, with the forces of the second file too.
write_hdf5("swift.hdf5", {1: made[1]}, [0, 70], header={"BoxSize": BOX, "Code": numpy.bytes_("SWIFT"), "Scale-factor": 0.25},
           groups={"Units": {"Unit length in cgs (U_L)": 3.08567758e24, "Unit mass in cgs (U_M)": 1.98841e43, "Unit time in cgs (U_t)": 3.08567758e19},
                   "Cosmology": {"Omega_m": 0.3, "Omega_lambda": 0.7, "h": 0.7}}, cosmology=False)
told, potential = [], []
for name, result in (("swift", "first"), ("first", "second")):
    run("force", f"{name}.hdf5", "-o", f"{result}.hdf5", "-n", 8)
    run("info", f"{result}.hdf5", "--json", "told.json")
    with open("told.json", encoding="utf-8") as text, h5py.File(f"{result}.hdf5") as file:
        told.append(json.load(text))
        potential.append(file["PartType1/Potential"][...])
for key in ("length_mpc_h", "mass_1e10_msun_h"):
    check(all(abs(each[key] / 0.7 - 1) < 1e-15 for each in told), (key, told))
check(told[0]["velocity_km_s"] == 0.5 and relative(potential[0], potential[1]) < 1e-14, "forces of a file that has been written")

# Velocities of a run without expansion are divided by nothing.
write_hdf5("still.hdf5", {1: made[1]}, [0, 70], header={"BoxSize": BOX, "Time": 0.25, "Redshift": 0.0}, groups={"Parameters": units})
run("force", "still.hdf5", "-o", "forced.hdf5", "-n", 8)
with h5py.File("forced.hdf5") as file:
    check(numpy.array_equal(file["PartType1/Velocities"][...], made[1]["Velocities"]), "velocities without expansion")

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
