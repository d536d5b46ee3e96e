# `mergefft nbody`: a Zel'dovich pancake to shell crossing, linear growth from redshift 49 to 0, a lattice without forces,
# momentum and energy, all integrators; and what is refused, by its words.
# TEST labels=apps+once timeout=200
import math
import os
import shutil
import subprocess

import h5py
import numpy
from command import check, end, own_lines, run, soon

NAMES = "step a kinetic potential integral first largest momentum drift".split()


def write_snapshot(path, positions, velocities, box, a, masses=None, omega=(1.0, 0.0), **header):
    """A GADGET HDF5 file without units."""
    count = len(positions)
    with h5py.File(path, "w") as file:
        attributes = file.create_group("Header").attrs
        attributes["NumPart_ThisFile"] = attributes["NumPart_Total"] = numpy.array([0, count, 0, 0, 0, 0], "u4")
        attributes["MassTable"] = numpy.array([0, 0 if masses is not None else 1.0, 0, 0, 0, 0])
        attributes["Time"], attributes["Redshift"], attributes["BoxSize"] = a, 1 / a - 1, numpy.array(box)
        attributes["NumFilesPerSnapshot"] = 1
        attributes["Omega0"], attributes["OmegaLambda"], attributes["HubbleParam"] = *omega, 0.7
        for name, value in header.items():
            attributes[name] = value
        group = file.create_group("PartType1")
        group["Coordinates"], group["Velocities"] = positions, velocities
        if masses is not None:
            group["Masses"] = masses


def read(path, name="Coordinates"):
    with h5py.File(path) as file:
        return file["PartType1/" + name][...]


def energies(prefix):
    rows = numpy.loadtxt(prefix + "-energy.txt")
    return dict(zip(NAMES, rows.T))


def write_pancake(path, cells, planes, side, first):
    """Sheets at x = q - a sin(k q)/k for a = first, which move as they will until they cross at a = 1; q, k, and positions."""
    k = 2 * math.pi / cells  # the box is as long as it has cells
    q = numpy.arange(cells * planes) / planes
    positions = numpy.zeros((len(q), side, side, 3))
    velocities = numpy.zeros_like(positions)
    positions[..., 0] = ((q - first * numpy.sin(k * q) / k) % cells)[:, None, None]
    positions[..., 1], positions[..., 2] = numpy.arange(side)[:, None], numpy.arange(side)
    velocities[..., 0] = (-100 * numpy.sin(k * q) / k)[:, None, None]
    write_snapshot(path, positions.reshape(-1, 3), velocities.reshape(-1, 3), (cells, side, side), first)
    return q, k, positions


def sheets_by_mesh(cells, planes, steps, first, outputs):
    """The same sheets by a one-dimensional particle mesh in numpy, CIC, four-point gradient, deconvolved twice, with the factors that
    FastPM's steps have in a universe of matter alone: positions by the scale factor of each output."""
    k, q, mode = 2 * math.pi / cells, numpy.arange(cells * planes) / planes, numpy.arange(1, cells // 2 + 1)
    w = 2 * math.pi * mode / cells
    green = numpy.zeros(cells // 2 + 1, complex)
    green[1:] = 1.5j * (8 * numpy.sin(w) - numpy.sin(2 * w)) / 6 / w**2 / numpy.sinc(mode / cells)**4
    green[-1] = 0

    def force(x):
        at = numpy.floor(x).astype(int)
        upper = x - at
        density = numpy.bincount(at % cells, 1 - upper, cells) + numpy.bincount((at + 1) % cells, upper, cells)
        field = numpy.fft.irfft(green * numpy.fft.rfft(density / planes - 1), cells)
        return (1 - upper) * field[at % cells] + upper * field[(at + 1) % cells]

    times = sorted({first + i / steps * (1 - first) for i in range(steps)} | set(outputs))
    x, p = q - first * numpy.sin(k * q) / k, -first**1.5 * numpy.sin(k * q) / k
    found, f = {}, force(x)
    for a0, a1 in zip(times, times[1:]):
        middle = 0.5 * (a0 + a1)
        p = p + (middle**1.5 - a0**1.5) / (1.5 * a0) * f
        x = x + (a1 - a0) / middle**1.5 * p
        f = force(x)
        p = p + (a1**1.5 - middle**1.5) / (1.5 * a1) * f
        found[a1] = x
    return found


def pancake_converges():
    """Twice the cells, a fifth of the largest error at a = 0.8; four times the steps change nothing."""
    side, wrong = 2, {}
    for cells, steps in ((64, 12), (64, 48), (128, 12)):
        prefix = f"sheets{cells}-{steps}"
        q, k, _ = write_pancake(prefix + ".hdf5", cells, 16, side, 0.02)
        run("nbody", prefix + ".hdf5", "-o", prefix, "--units", "mpc", "-n", f"{cells}x{side}x{side}", "--steps", steps, "--until", 0.8,
            "--deconvolve", 2, "-p", "double", "--no-energy")
        away = read(prefix + "-z0.250.hdf5")[:, 0].reshape(-1, side * side) - (q - 0.8 * numpy.sin(k * q) / k)[:, None]
        wrong[cells, steps] = abs(away - cells * numpy.rint(away / cells)).max()
    check(wrong[128, 12] < 0.25 * wrong[64, 12] and abs(wrong[64, 48] / wrong[64, 12] - 1) < 0.25, f"errors by cells and steps: {wrong}")


def pancake():
    """One wave whose sheets cross at a = 1 in a universe of matter alone: x = q - a sin(k q)/k until then."""
    cells, planes, side, first = 64, 32, 2, 0.02
    q, k, positions = write_pancake("pancake.hdf5", cells, planes, side, first)
    # At crossing the mesh smooths the caustic, where the largest errors are.
    bounds = {"cic": ((1, 1.5e-3, 5e-4), (0.25, 3e-3, 1e-3), (0, 3e-2, 2e-3)), "tsc": ((1, 2e-4, 1e-4), (0.25, 2e-3, 1e-4), (0, 3e-2, 1e-3))}
    runs = [soon(run, "nbody", "pancake.hdf5", "-o", assign, "--units", "mpc", "-n", f"{cells}x{side}x{side}", "--steps", 50, "-a", assign,
                 "--deconvolve", 2, "-p", "double", "--outputs", "1,0.25") for assign in bounds]
    for done in runs:
        done()
    reference = sheets_by_mesh(cells, planes, 50, first, (0.5, 0.8, 1.0))
    for assign, z, most, median in ((assign, *bound) for assign in bounds for bound in bounds[assign]):
        a = 1 / (1 + z)
        x = read(f"{assign}-z{z:.3f}.hdf5").reshape(positions.shape)
        wrong = x[..., 0] - (q - a * numpy.sin(k * q) / k)[:, None, None]
        wrong = abs(wrong - cells * numpy.rint(wrong / cells))
        check(wrong.max() < most and numpy.median(wrong) < median, f"{assign}, z = {z}: {wrong.max()} cells, median {numpy.median(wrong)}")
        if assign == "tsc":  # two cells from the caustic a position is within 1e-3 of a cell until crossing
            x0 = q - a * numpy.sin(k * q) / k
            away = abs(x0 - cells * numpy.rint(x0 / cells)) > 2
            check(wrong[away].max() < 1e-3, f"z = {z}: {wrong[away].max()} cells away from the caustic")
        if assign == "cic":  # what is left at crossing is the method's
            off = x[..., 0] - reference[a][:, None, None]
            off = abs(off - cells * numpy.rint(off / cells)).max()
            check(off < 1e-9, f"z = {z}: {off} cells from a one-dimensional particle mesh")
        check((x[..., 1:] == positions[..., 1:]).all(), f"{assign}, z = {z}: moved across the wave")
        v = read(f"{assign}-z{z:.3f}.hdf5", "Velocities").reshape(positions.shape)[..., 0]
        if z:
            error = abs(v / -100 - (numpy.sin(k * q) / k)[:, None, None]).max() * k
            check(error < 4e-3, f"{assign}, z = {z}: velocities by {error}")
    table = energies("tsc")
    check(table["momentum"].max() < 1e-12 and len(table["a"]) == 53, f"momentum {table['momentum'].max()}, {len(table['a'])} rows")
    check(abs(table["drift"][table["a"] < 0.9]).max() < 0.01, f"energy {table['drift']}")


def growth_factor(a, omega):
    """Heath 1977."""
    x = (numpy.arange(200000) + 0.5) * a / 200000
    return math.sqrt(omega / a**3 + 1 - omega) * (x / (omega + (1 - omega) * x**3))[:].__pow__(1.5).sum() * a / 200000


def linear_growth():
    """P(k) of small waves grows as D^2: k < 0.1 of the Nyquist wave number of the particles, from redshift 49 to 0."""
    n, box, omega = 32, 800.0, 0.31
    run("ic", "-n", n, "-L", box, "-z", 49, "--sigma8", 0.02, "-p", "double", "-o", "linear.hdf5")
    for kick, more in (("fastpm", ["-n", 2 * n, "--greens", "fd2"]), ("bullfrog", ["-n", n, "-a", "pcs", "--deconvolve", 2])):
        run("nbody", "linear.hdf5", "-o", kick, "--kick", kick, "--steps", 5, *more, "--outputs", 49, "--power", "--no-snapshots",
            "--no-energy", "-p", "double")
        begin, final = numpy.loadtxt(kick + "-z49.000-power.txt"), numpy.loadtxt(kick + "-z0.000-power.txt")
        wanted = (growth_factor(1, omega) / growth_factor(0.02, omega))**2
        low = begin[:, 0] < 0.1 * math.pi * n / box
        error = abs(final[low, 1] / begin[low, 1] / wanted - 1)
        check(low.any() and error.max() < 5e-3, f"{kick}: {error} of {wanted}")


def lattice():
    """Equal particles on a lattice of whole cells feel nothing, wherever it lies; unequal masses pull."""
    points = numpy.indices((8, 8, 8)).reshape(3, -1).T * 2.0 + 0.3125
    for name, masses in (("equal", None), ("unequal", 1 + numpy.random.default_rng(3).random(len(points)))):
        write_snapshot(name + ".hdf5", points, 0 * points, (16.0, 16.0, 16.0), 0.1, masses)
        run("nbody", name + ".hdf5", "-o", name, "--units", "kpc", "-n", 8, "--steps", 3, "--kick", "leapfrog", "-p", "double", "--density")
        weights = numpy.ones(len(points)) if masses is None else masses
        with h5py.File(name + "-z0.000-density.h5") as file:
            shot, wanted = file["Header"].attrs["ShotNoise"], 0.016**3 * (weights**2).sum() / weights.sum() ** 2
        check(abs(shot / wanted - 1) < 1e-13, f"{name}: a shot noise of {shot}, wanted {wanted}")
        moved = (read(name + "-z0.000.hdf5") != points * 1e-3).any()  # kpc become Mpc
        check(moved == (masses is not None), f"{name}: moved {moved}")
        check(energies(name)["momentum"].max() < 1e-12, f"{name}: {energies(name)['momentum']}")
    check((read("unequal-z0.000.hdf5", "Masses") == masses).all(), "masses")


def integrators():
    """All agree where steps are short; and COLA with few steps is near what many steps give."""
    run("ic", "-n", 16, "-L", 200, "-z", 19, "-o", "ic.hdf5")
    wanted = {}
    for kick, steps in (("leapfrog", 40), ("fastpm", 40), ("bullfrog", 40), ("cola", 40), ("cola", 6)):
        prefix = f"{kick}{steps}"
        wanted[prefix] = soon(run, "nbody", "ic.hdf5", "-o", prefix, "--kick", kick, "--steps", steps, "--spacing",
                              "loga" if steps > 6 else "a", "-p", "double")
    energy = soon(run, "nbody", "ic.hdf5", "-o", "coarse", "-n", 16, "--spacing", "loga", "--kick", "leapfrog")  # own clouds count less
    for done in wanted.values():
        done()
    best = read("fastpm40-z0.000.hdf5")
    moved = best - read("ic.hdf5")
    moved -= 200 * numpy.rint(moved / 200)
    for prefix in wanted:
        wrong = read(prefix + "-z0.000.hdf5") - best
        wrong -= 200 * numpy.rint(wrong / 200)
        error = numpy.linalg.norm(wrong) / numpy.linalg.norm(moved)
        check(error < (0.02 if prefix != "cola6" else 0.08), f"{prefix}: {error} of the displacements")
        with h5py.File(prefix + "-z0.000.hdf5") as file:
            check((file["PartType1/ParticleIDs"][...] == numpy.arange(1, 16**3 + 1)).all(), f"{prefix}: identities")
    energy()
    drift = energies("coarse")["drift"]
    check(0 < abs(drift).max() < 0.02, f"energy: {drift}")


def refused():
    points = numpy.random.default_rng(5).random((20, 3))
    write_snapshot("plain.hdf5", points, 0 * points, (1.0, 1.0, 1.0), 0.1)
    write_snapshot("late.hdf5", points, 0 * points, (1.0, 1.0, 1.0), 0.1, Redshift=3.0)
    points[7, 1] = numpy.nan
    write_snapshot("nan.hdf5", points, 0 * points, (1.0, 1.0, 1.0), 0.1)
    points[7] = 0.1, 2.01, 0.2
    write_snapshot("far.hdf5", points, 0 * points, (1.0, 1.0, 1.0), 0.1)
    for words, code, arguments in (
            ("does not contain its units; give", 1, ["plain.hdf5"]),
            ("Time must be the scale factor", 1, ["late.hdf5", "--units", "mpc"]),
            ("Coordinates of particle 7 of type 1 is not finite", 1, ["nan.hdf5", "--units", "mpc"]),
            ("Coordinates of particle 7 has y = 2.01, more than a side outside of the box of 1", 1, ["far.hdf5", "--units", "mpc"]),
            ("and --until is 0.05; choose a later end", 1, ["plain.hdf5", "--units", "mpc", "--until", "0.05"]),
            ("redshift 20 is not between those of the run", 1, ["plain.hdf5", "--units", "mpc", "--outputs", "1,20"]),
            ("'1;2' must be a finite number", 1, ["plain.hdf5", "--units", "mpc", "--outputs", "1;2"]),
            ("--kick cola needs a cube", 1, ["plain.hdf5", "--units", "mpc", "--kick", "cola"]),
            ("two have the redshift 0.000", 1, ["plain.hdf5", "--units", "mpc", "--outputs", "0.0001"]),
            ("has no particles of type 2", 1, ["plain.hdf5", "--type", "2"]),
            ("'bad-settings.txt' cannot be read, which --restart needs", 1, ["plain.hdf5", "--units", "mpc", "--restart"]),
            ("gives no results", 2, ["plain.hdf5", "--no-snapshots"])):
        done = run("nbody", *arguments, "-o", "bad", ranks=2 if "nan.hdf5" in arguments else 0, code=code)
        check(words in done.stderr and len(own_lines(done.stderr)) == 1, f"{words}: {done.stderr}")
    check(not any(name.startswith("bad-") and "settings" not in name for name in os.listdir()), "files of refused runs")


def no_lattice():
    """COLA refuses particles whose identities or velocities are not those of a lattice of `mergefft ic`."""
    number = numpy.arange(16**3)
    transposed = number % 16 * 256 + number // 16 % 16 * 16 + number // 256 + 1
    twice = number + 1
    twice[100] = 7
    positions, velocities = read("ic.hdf5"), read("ic.hdf5", "Velocities")
    for name, words, column, values in (
            ("transposed", "the displacements that the velocities stand for differ from those that the identities give", "ParticleIDs", transposed),
            ("twice", "ParticleIDs has a number more than once", "ParticleIDs", twice),
            ("beyond", "ParticleIDs has 4097", "ParticleIDs", number + 2),
            ("shifted", "particles are displaced along x by 0.5 of the distance of their lattice in the mean", "Coordinates", (positions + 200 / 32) % 200),
            ("opposite", "the displacements that the velocities stand for differ", "Velocities", -velocities)):
        shutil.copy("ic.hdf5", name + ".hdf5")
        with h5py.File(name + ".hdf5", "a") as file:
            file["PartType1/" + column][...] = values
            del file["Checksum"]
        done = run("nbody", name + ".hdf5", "-o", name, "--kick", "cola", "--steps", 1, ranks=3 if name == "twice" else 0, code=1)
        check(f"'{name}.hdf5': {words}" in done.stderr and "give initial conditions of `mergefft ic`, or choose another --kick" in done.stderr
              and len(own_lines(done.stderr)) == 1, f"{name}: {done.stderr}")


def future():
    """Beyond a = 1 redshifts are negative, in files and in their names, and a run goes on from there."""
    run("nbody", "plain.hdf5", "--units", "mpc", "--steps", 3, "--until", 2, "--outputs", "0,-0.3333333333", "-o", "far")
    for z, a in (("0.000", 1), ("-0.333", 1.5), ("-0.500", 2)):
        with h5py.File(f"far-z{z}.hdf5") as file:
            header = file["Header"].attrs
            check(abs(header["Time"] - a) < 1e-8 and abs((1 + header["Redshift"]) * a - 1) < 1e-8, (header["Time"], header["Redshift"]))
    run("nbody", "far-z-0.333.hdf5", "--steps", 1, "--until", 2, "-o", "further")
    check(os.path.exists("further-z-0.500.hdf5"), "a run from the future")
    os.rename("far-z-0.333.hdf5", "kept-z-0.500.hdf5")  # what a run of the same prefix would write
    done = run("nbody", "kept-z-0.500.hdf5", "--steps", 1, "--until", 2, "-o", "kept", code=2)
    check("--output kept-z-0.500.hdf5 is the input file; name another" in done.stderr, done.stderr)


def bad_outputs():
    """Outputs that cannot be written are found before the first step."""
    def directory(path):
        os.mkdir(path)
        return lambda: os.rmdir(path)

    def text(path):
        with open(path, "w", encoding="utf-8") as file:
            file.write("text")
        return lambda: os.remove(path)

    for make, name, words, arguments, code in (
            (directory, "full-z0.000.hdf5", "cannot write 'full-z0.000.hdf5': it is a directory", [], 1),
            (text, "full-z1.000.hdf5", "cannot write 'full-z1.000.hdf5': the file is there and is not an HDF5 file", ["--outputs", 1], 1),
            (text, "full-z0.000.hdf5", "full-z0.000.hdf5 is there, and would be read in place of a set of files", ["--files", 2], 1),
            (directory, "full-z0.000.1.hdf5", "cannot write 'full-z0.000.1.hdf5': it is a directory", ["--files", 2], 1),
            (directory, "full-z0.000-density.h5", "cannot write 'full-z0.000-density.h5': it is a directory", ["--density"], 1),
            (directory, "full-z0.000-power.txt", "cannot write 'full-z0.000-power.txt': it is a directory", ["--power"], 1),
            (directory, "full-settings.txt", "cannot write 'full-settings.txt': it is a directory", [], 1),
            (None, "", "--files 21: 'plain.hdf5' has 20 particles; give no more files than these", ["--files", 21], 1),
            (None, "", "--timing full-z0.000.hdf5 is the file of --output; name another", ["-t", "full-z0.000.hdf5"], 2)):
        remove = make(name) if make else lambda: None
        done = run("nbody", "plain.hdf5", "--units", "mpc", "-o", "full", *arguments, ranks=2 if "--density" in arguments else 0, code=code)
        check(words in done.stderr and len(own_lines(done.stderr)) == 1 and not done.stdout, f"{words}: {done.stderr} {done.stdout}")
        remove()
    check(not any(name.startswith("full-") for name in os.listdir()), "files of refused runs")


def few():
    """More ranks than particles, some of which have none, and a header without dark energy, which is of a flat universe."""
    points = numpy.random.default_rng(6).random((3, 3))
    write_snapshot("few.hdf5", points, 0 * points, (1.0, 1.0, 1.0), 0.1, omega=(0.3, 0.7))
    with h5py.File("few.hdf5") as file, h5py.File("flat.hdf5", "w") as flat:
        for name in file:
            file.copy(name, flat)
        del flat["Header"].attrs["OmegaLambda"]
    for name, ranks in (("few", 0), ("few", 5), ("flat", 0)):
        run("nbody", name + ".hdf5", "--units", "mpc", "-n", 8, "--steps", 2, "-o", f"few{ranks}{name}", ranks=ranks)
    for other in ("few5few", "few0flat"):
        check((read("few0few-z0.000.hdf5") == read(other + "-z0.000.hdf5")).all(), other)


def little_disk():
    """A run whose outputs do not fit on the disk says so at its start, and goes on."""
    with open("disk.c", "w", encoding="utf-8") as file:
        file.write("#include <sys/statvfs.h>\n")
        for name in ("statvfs", "statvfs64"):
            file.write(f"int {name}(const char *path, struct {name} *s) {{ (void)path; s->f_frsize = 512, s->f_bavail = 1; return 0; }}\n")
    subprocess.run([os.environ["CC"], "-D_GNU_SOURCE", "-D_LARGEFILE64_SOURCE", "-shared", "-fPIC", "-o", "disk.so", "disk.c"], check=True)
    for extra, wanted in (({}, False), ({"LD_PRELOAD": os.path.abspath("disk.so")}, True)):
        done = run("nbody", "plain.hdf5", "--units", "mpc", "--steps", 1, "-o", "little", **extra)
        check(("and 4.77e-07 GiB are free where 'little-...' is written: make space" in done.stderr) == wanted, done.stderr)


for test in (pancake, pancake_converges, linear_growth, lattice, integrators, refused, no_lattice, future, bad_outputs, few, little_disk):
    test()
end()
