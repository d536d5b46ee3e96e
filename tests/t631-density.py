# mergefft density: densities, momenta and contrasts of snapshots against sums in numpy, for all windows, centered and interlaced;
# the same bits on every number of ranks; units, types and attributes; what is refused.
# TEST labels=apps+command+once timeout=300
import os
import shutil

import h5py
import numpy
from command import check, end, own_lines, relative, run, soon
from particle_truth import deposit
from snapshots import joined, particles, split, write_hdf5

N, BOX = (12, 10, 9), (1000.0, 800.0, 700.0)  # kpc/h


def read(path, *names):
    with h5py.File(path) as file:
        return [file[name][...].astype(float) for name in names]


made = particles(5, [300, 500, 0, 0, 200])
for columns in made.values():
    columns["Coordinates"] *= numpy.array(BOX, numpy.float32) * numpy.float32(1.25)  # a fifth lies beyond the box, which is periodic
total = [300, 500, 0, 0, 200, 0]
units = {"UnitLength_in_cm": 3.085678e21, "UnitMass_in_g": 1.989e43, "UnitVelocity_in_cm_per_s": 1e5}
for i, here in enumerate(split(made, {0: (100, 200), 1: (500, 0), 4: (0, 200)})):
    write_hdf5(f"set.{i}.hdf5", here, total, header={"NumFilesPerSnapshot": 2, "BoxSize": BOX}, groups={"Parameters": units | {"Omega0": 0.3, "OmegaLambda": 0.7, "HubbleParam": 0.7}})

runs = {}
for assign, centered in (("ngp", ()), ("cic", ("--centered",)), ("tsc", ()), ("tsc", ("--centered",)), ("pcs", ("--centered",))):
    out = f"{assign}{len(centered)}.h5"
    runs[assign, len(centered)] = soon(run, "density", "set", "-o", out, "-n", "12x10x9", "-a", assign, *centered, "-p", "double", "--type", "0,1", ranks=0 if centered else 2)
x, mass = (joined(made, (0, 1), name) for name in ("Coordinates", "Masses"))
for (assign, centered), done in runs.items():
    done()
    got, = read(f"{assign}{centered}.h5", "delta")
    want = deposit(x, mass, N, BOX, assign, 0.5 * centered)
    want = want / want.mean() - 1
    check(relative(got, want) < 1e-12, f"{assign}, centered {centered}: {relative(got, want)}")

# Masses and momenta in units of the results; interlacing by the average of two spectra; one rank and three.
x, v, mass = (joined(made, (0, 1, 4), name) for name in ("Coordinates", "Velocities", "Masses"))
v, mass = v.astype(float), mass.astype(float)
cell = numpy.prod(BOX) * 1e-9 / numpy.prod(N)
phase = numpy.ones((1, 1, 1))
for axis, n in enumerate(N):
    along = numpy.exp(-1j * numpy.pi * numpy.fft.fftfreq(n))
    along[abs(numpy.fft.fftfreq(n)) == 0.5] = 0  # both n/2 and -n/2: the mean of both phases
    phase = phase * along.reshape([-1 if a == axis else 1 for a in range(3)])


def interlaced(weight):
    first, second = (numpy.fft.fftn(deposit(x, weight, N, BOX, "cic", shift)) for shift in (0, 0.5))
    return numpy.fft.ifftn(0.5 * (first + second * phase)).real


want = {"delta": deposit(x, mass, N, BOX, "cic"), "mass": deposit(x, mass, N, BOX, "cic") / cell}
want["delta"] = want["delta"] / want["delta"].mean() - 1
for axis in range(3):
    want["momentum_" + "xyz"[axis]] = deposit(x, mass * v[:, axis] * 0.5, N, BOX, "cic") / cell  # a = 1/4
first = {}
for ranks in (0, 3):
    run("density", "set.0.hdf5", "-o", "all.h5", "-n", "12x10x9", "-a", "cic", "--fields", "momentum,delta,mass", "-p", "double", ranks=ranks)
    for name, values in zip(want, read("all.h5", *want)):
        check(relative(values, want[name]) < 1e-12, f"{name} on {ranks}: {relative(values, want[name])}")
        check(numpy.array_equal(values, first.setdefault(name, values)), f"{name} on {ranks} has other bits")
run("density", "set", "-o", "woven.h5", "-n", "12x10x9", "-a", "cic", "--interlace", "-p", "double", ranks=2)
weight = interlaced(mass)
got, = read("woven.h5", "delta")
check(relative(got, weight / weight.mean() - 1) < 1e-12, f"interlaced: {relative(got, weight / weight.mean() - 1)}")
with h5py.File("woven.h5") as file:
    header = file["Header"].attrs
    check(numpy.allclose(header["BoxSize"], numpy.array(BOX) * 1e-3), header["BoxSize"])
    shot = numpy.prod(BOX) * 1e-9 * (mass**2).sum() / mass.sum() ** 2
    for name, value in {"Redshift": 3, "Time": 0.25, "Particles": 1000, "ShotNoise": shot, "WindowOrder": 2, "Interlacing": 2, "Omega_m": 0.3}.items():
        check(abs(header[name] - value) <= 1e-12 * value, f"{name} is {header[name]}, want {value}")

# --units that agrees with the file changes nothing, and what contradicts it is refused by every command.
run("density", "set", "-o", "agreed.h5", "-n", "12x10x9", "-a", "cic", "--fields", "momentum,mass", "-p", "double", "--units", "kpc")
for name in ("mass", "momentum_y"):
    check(numpy.array_equal(*read("agreed.h5", name), first[name]), f"{name} with --units kpc")
for command, result, extra in (("density", "no.h5", ()), ("power", "no.txt", ()), ("force", "no.hdf5", ()), ("nbody", "no", ("--type", 1))):
    lines = own_lines(run(command, "set", "-o", result, "--units", "mpc", *extra, code=1).stderr)
    check(len(lines) == 1 and "--units mpc: 'set' states that its unit of length is 0.001 Mpc/h; omit --units" in lines[0], (command, lines))

# A real snapshot, in single precision, on the mesh that is chosen without --n.
data = os.path.join(os.environ.get("MFFT_TEST_DATA", "."), "gadget4-snapshot-4096.hdf5")
if os.path.exists(data):
    run("density", data, "-o", "real.h5", ranks=3)
    with h5py.File(data) as file:
        x, box = file["PartType1/Coordinates"][...], float(file["Header"].attrs["BoxSize"])
    got, = read("real.h5", "delta")
    want = deposit(x, numpy.ones(len(x)), (32,) * 3, (box,) * 3, "tsc")
    check(got.shape == (32,) * 3 and relative(got, want / want.mean() - 1) < 1e-6, "the snapshot of GADGET-4")

# Particles without masses are counted if the user says so, and particles with masses too.
points = numpy.random.default_rng(5).random((500, 3)) * 100
write_hdf5("points.hdf5", {1: {"Coordinates": points}}, [0, 500])
write_hdf5("equal.hdf5", {1: {"Coordinates": points}}, [0, 500], header={"MassTable": [0, 2.0, 0, 0, 0, 0]})
write_hdf5("unequal.hdf5", {1: {"Coordinates": points, "Masses": points[:, 0]}}, [0, 500])
for name in ("points", "equal", "unequal"):
    run("density", f"{name}.hdf5", "-o", f"{name}.h5", "-n", 9, "-p", "double", "--fields", "delta,mass", "--unweighted", ranks=2 if name == "points" else 0)
    delta, number = read(f"{name}.h5", "delta", "mass")
    check(numpy.array_equal(delta, first.setdefault("counted", delta)), f"counts of {name}")
    check(abs(number.sum() * (100 / 9) ** 3 / 500 - 1) < 1e-12, f"number density of {name}")
run("density", "equal.hdf5", "-o", "weighed.h5", "-n", 9, "-p", "double")
check(numpy.array_equal(read("weighed.h5", "delta")[0], first["counted"]), "equal masses")

# Lengths of no known unit are noted, unless the user knows it.
for options, words in (((), "'equal.hdf5' does not state its units: the lengths of 'weighed.h5' are as stored"), (("--units", "mpc"), ""), (("--units", "stored"), "")):
    told = own_lines(run("density", "equal.hdf5", "-o", "weighed.h5", "-n", 9, *options, ranks=0 if options else 2).stderr)
    check(len(told) == 1 and words in told[0] and "; give --units" in told[0] if words else not told, (options, told))

# Calls that are refused, and their messages.
for arguments, words, code in ((("set", "--type", "2"), "has no particles of type 2", 1), (("set", "--type", "x"), "must be a list of types", 1),
                               (("set", "--fields", "delta,mess"), "must be a list of delta, mass and momentum", 2), (("none",), "cannot open none", 1),
                               (("points.hdf5",), "no masses of particles of type 1, in MassTable or a column Masses; give --unweighted", 1)):
    done = run("density", *arguments, "-o", "no.h5", code=code, ranks=2)
    lines = own_lines(done.stderr)
    check(len(lines) == 1 and words in lines[0], f"{arguments}: {done.stderr}")
    check(not os.path.exists("no.h5"), arguments)

# Particles are named by their index in the file, and a column of masses that is damaged is no missing one.
for column, word, arguments in (("Coordinates", "position", ("density",)), ("Velocities", "velocity", ("density", "--fields", "momentum"))):
    values = {"Coordinates": points.copy(), "Velocities": 0 * points, "Masses": points[:, 0]}
    values[column][437, 1] = numpy.nan
    write_hdf5("bad.hdf5", {1: values}, [0, 500])
    done = run(arguments[0], "bad.hdf5", *arguments[1:], "-o", "no.h5", "-n", 9, "--units", "mpc", code=1, ranks=3)
    check(f"the {word} of particle 437 of 'bad.hdf5' is nan" in done.stderr, done.stderr)

# A position may lie outside of the box by its side, but no farther, unless the box of the file is not the one that is meant.
for value, real, ranks in ((-99.5, "f4", 0), (199.5, "f8", 0), (-100.5, "f8", 3), (1e300, "f8", 0), (200.5, "f4", 0)):
    x = points.astype(real)
    x[123, 2] = value
    write_hdf5("far.hdf5", {1: {"Coordinates": x}}, [0, 500])
    fits = -100 < value < 200
    done = run("density", "far.hdf5", "-o", "far.h5" if fits else "no.h5", "-n", 9, "--unweighted", code=0 if fits else 1, ranks=ranks)
    check(fits or f"the position of particle 123 of 'far.hdf5' has z = {value:g}, more than a side outside of the box of 100" in done.stderr, done.stderr)
run("density", "far.hdf5", "-o", "far.h5", "-n", 9, "--unweighted", "-L", 1000)
run("density", "points.hdf5", "-o", "far.h5", "-n", 9, "--unweighted", "-L", 10)
with h5py.File("unequal.hdf5", "r+") as file:
    del file["PartType1/Masses"]
    file["PartType1/Masses"] = points[1:, 0]
done = run("density", "unequal.hdf5", "-o", "no.h5", "-n", 9, code=1, ranks=2)
check("499" in done.stderr and "unweighted" not in done.stderr, done.stderr)

# Time and Redshift of two epochs; those of runs without expansion, of EAGLE and SWIFT, and of writers who do not state the one.
for attributes, a in (({"Time": 0.5}, None), ({"Time": 12.0, "Redshift": 0.1}, None), ({"Time": 12.0, "Redshift": 0.0}, 12), ({"Time": 0.0}, 0),
                      ({"Time": 0.2499}, 0.2499), ({"Time": 0.013, "Scale-factor": 0.25}, 0.25), ({"Time": 0.013, "ExpansionFactor": 0.25}, 0.25)):
    write_hdf5("epoch.hdf5", {1: {"Coordinates": points}}, [0, 500], header=attributes)
    done = run("density", "epoch.hdf5", "-o", "no.h5" if a is None else "epoch.h5", "-n", 4, "--unweighted", code=0 if a is not None else 1)
    check(a is not None or f"'epoch.hdf5' has Time {attributes['Time']:g} and Redshift {attributes.get('Redshift', 3):g}; Time must be" in done.stderr, done.stderr)
    if a is not None:
        with h5py.File("epoch.h5") as file:
            check(file["Header"].attrs["Time"] == a, (attributes, file["Header"].attrs["Time"]))

# No file of the input is written, by whatever name it is read; other files with numbers are.
for given in ("set", "set.hdf5", "set.0.hdf5"):
    done = run("density", given, "-o", "set.1.hdf5", "-n", 8, code=2)
    check("--output set.1.hdf5 is a file of the input" in done.stderr, done.stderr)
done = run("power", "all.h5", "--cross", "woven.h5", "--hdf5", "woven.h5", code=2)
check("--hdf5 woven.h5 is the input file" in done.stderr, done.stderr)
shutil.copy("all.h5", "other.1.h5")
shutil.copy("all.h5", "other.0.h5")
run("poisson", "other.1.h5", "-o", "other.0.h5", "-d", "delta")
end()
