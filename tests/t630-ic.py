# mergefft ic: first order against another program's displacements; second order against exact products in numpy and a closed
# form; the same waves on every mesh and number of ranks; the spectrum; positions, velocities, identities and masses of the file.
# TEST labels=apps+command+once timeout=300
import os

import h5py
import numpy
from command import check, end, relative, run, wave_numbers
import linear_power

EINSTEIN = "--omega-m", 1, "--omega-lambda", 0  # D2 = -3/7 D1^2, growth rates 1 and 2


def read(path, *names):
    with h5py.File(path) as file:
        return [file[name][...] for name in names]


def pad(modes, n, m):
    """Modes of n^3 cells with |k| below n/2, among those of m^3 cells; or back, for m < n."""
    keep = (min(n, m) - 1) // 2
    out = numpy.zeros((m, m, m), complex)
    index = numpy.arange(-keep, keep + 1)
    out[numpy.ix_(index, index, index)] = modes[numpy.ix_(index, index, index)]
    return out * (m / n) ** 3


def second_order(delta, box):
    """sum over i < j of (phi,ii phi,jj - phi,ij^2), free of aliases by a mesh of twice the side, and grad phi2 of it."""
    n = len(delta)
    k = wave_numbers((2 * n,) * 3, (box,) * 3)
    k2 = sum(x**2 for x in k)
    k2[0, 0, 0] = 1
    fine = pad(numpy.fft.fftn(delta), n, 2 * n)
    d = {(i, j): numpy.fft.ifftn(fine * k[i] * k[j] / k2).real for i in range(3) for j in range(i, 3)}
    source = d[0, 0] * d[1, 1] + d[0, 0] * d[2, 2] + d[1, 1] * d[2, 2] - d[0, 1] ** 2 - d[0, 2] ** 2 - d[1, 2] ** 2
    coarse = pad(numpy.fft.fftn(source), 2 * n, n)
    k = wave_numbers((n,) * 3, (box,) * 3)
    k2 = sum(x**2 for x in k)
    k2[0, 0, 0] = 1
    return [numpy.fft.ifftn(-1j * k[i] * coarse / k2).real for i in range(3)]


def first_order(delta, box):
    n = len(delta)
    k = [numpy.where(numpy.isclose(abs(x), numpy.pi * n / box), 0, x) for x in wave_numbers((n,) * 3, (box,) * 3)]
    k2 = sum(x**2 for x in wave_numbers((n,) * 3, (box,) * 3))
    k2[0, 0, 0] = 1
    return [numpy.fft.ifftn(1j * k[i] * numpy.fft.fftn(delta) / k2).real for i in range(3)]


# The same density as monofonIC's, and its displacements.
path = os.path.join(os.environ.get("MFFT_TEST_DATA", "."), "density-1lpt-32.hdf5")
if os.path.exists(path):
    want = [100 * x for x in read(path, "DM_dx", "DM_dy", "DM_dz")]
    for ranks in (0, 3):
        run("ic", "--delta", path, "-d", "DM_delta", "-L", 100, "--order", 1, "-p", "double", "-D", "first.h5", ranks=ranks)
        for got, one in zip(read("first.h5", "dx", "dy", "dz"), want):
            check(relative(got, one) < 1e-13, f"first order on {ranks}: {relative(got, one)}")

# Second order, of even and odd meshes, on several ranks, pencils among them.
for n, ranks, more in ((16, 0, ()), (16, 4, ("--grid", "2x2")), (15, 2, ()), (7, 5, ()), (12, 3, ())):
    run("ic", "-n", n, "-L", 50, "-z", 3, "-p", "double", "-D", "psi.h5", "-o", "particles.hdf5", "--seed", 3, *EINSTEIN, *more, ranks=ranks)
    delta, *psi = read("psi.h5", "delta", "dx", "dy", "dz")
    first, second = first_order(delta, 50), second_order(delta, 50)
    for axis in range(3):
        got = psi[axis] - first[axis]
        check(relative(got, -3 / 7 * second[axis]) < 1e-12, f"second order, {n} on {ranks}: {relative(got, -3 / 7 * second[axis])}")
    # Particles: at the lattice points plus psi, with velocities of growth rates 1 and 2: 100 E sqrt(a) = 100 / a.
    with h5py.File("particles.hdf5") as file:
        group = file["PartType1"]
        identity = group["ParticleIDs"][...].astype(int) - 1
        check(sorted(identity) == list(range(n**3)), "identities")
        if not more:
            check((identity == numpy.arange(n**3)).all(), "particles of slabs are in the order of the lattice")
        lattice = numpy.stack(numpy.unravel_index(identity, (n, n, n)), 1) * (50 / n)
        moved = numpy.stack([x.ravel()[identity] for x in psi], 1)
        positions = group["Coordinates"][...]
        check(((positions >= 0) & (positions < 50)).all(), "positions in the box")
        away = (positions - lattice - moved + 25) % 50 - 25
        check(abs(away).max() < 1e-13 * 50, f"positions: {abs(away).max()}")
        speed = 400 * numpy.stack([(f - 2 * 3 / 7 * s).ravel()[identity] for f, s in zip(first, second)], 1)
        check(relative(group["Velocities"][...], speed) < 1e-9, f"velocities: {relative(group['Velocities'][...], speed)}")
        header = dict(file["Header"].attrs)
        density = header["MassTable"][1] * n**3 / 50**3
        check(abs(density / (3e4 / (8 * numpy.pi * 43.0187)) - 1) < 1e-5, f"mean density {density}")
        check(header["Time"] == 0.25 and header["Redshift"] == 3 and header["NumPart_Total"][1] == n**3 and header["Omega0"] == 1, header)

# Two plane waves that cross: phi2 has one wave along each diagonal, in closed form.
n, box = 16, 16.0
x = numpy.arange(n) * (box / n)
kx, ky = 2 * numpy.pi * 3 / box, 2 * numpy.pi * 5 / box  # products reach 8 and 10: aliases would be detected
with h5py.File("waves.h5", "w") as file:
    file["delta"] = numpy.broadcast_to((0.1 * numpy.cos(kx * x))[:, None, None] + (0.2 * numpy.cos(ky * x))[None, :, None], (n, n, n)).copy()
run("ic", "--delta", "waves.h5", "-L", box, "-p", "double", "-D", "psi.h5", *EINSTEIN)
dx, dz = read("psi.h5", "dx", "dz")
want = -0.1 / kx * numpy.sin(kx * x)[:, None] * numpy.ones(n) - 3 / 7 * 0.02 * kx / (kx**2 + ky**2) * numpy.sin(kx * x)[:, None] * numpy.cos(ky * x)
check(relative(dx, numpy.broadcast_to(want[:, :, None], dx.shape)) < 1e-13 and abs(dz).max() < 1e-15, f"waves: {relative(dx, numpy.broadcast_to(want[:, :, None], dx.shape))}")

# The redshift is the one that the file of the density states.
with h5py.File("waves.h5", "r+") as file:
    file["delta"].attrs["Redshift"] = 3.0
run("ic", "--delta", "waves.h5", "-L", box, "-D", "psi.h5", *EINSTEIN)
with h5py.File("psi.h5") as file:
    check(file["dx"].attrs["Redshift"] == 3, dict(file["dx"].attrs))
done = run("ic", "--delta", "waves.h5", "-L", box, "-D", "no.h5", "-z", 49, code=1)
check("is a density at redshift 3" in done.stderr and not os.path.exists("no.h5"), done.stderr)

# The cosmology is that of the file of the density, too; what it does not state, and an option that contradicts it, are noted.
run("gen", "-n", 8, "-L", 100, "--omega-m", 0.4, "--h", 0.5, "-z", 9, "-o", "stated.h5")
done = run("ic", "--delta", "stated.h5", "-o", "stated.hdf5")
with h5py.File("stated.hdf5") as file:
    header = file["Header"].attrs
    check([header[name] for name in ("Omega0", "OmegaLambda", "HubbleParam", "Redshift")] == [0.4, 1 - 0.4, 0.5, 9], dict(header))
check(done.stderr == "", done.stderr)
done = run("ic", "--delta", "stated.h5", "-o", "stated.hdf5", "--omega-m", 0.3, ranks=2)
with h5py.File("stated.hdf5") as file:
    check((file["Header"].attrs["Omega0"], file["Header"].attrs["OmegaLambda"]) == (0.3, 1 - 0.3), dict(file["Header"].attrs))
check("--omega-m is 0.3, and Omega_m of 'stated.h5' is 0.4: the option counts" in done.stderr, done.stderr)
with h5py.File("stated.h5", "r+") as file:
    del file["Header"].attrs["Omega_m"], file["Header"].attrs["Redshift"], file["delta"].attrs["Redshift"]
done = run("ic", "--delta", "stated.h5", "-o", "stated.hdf5")
check("does not state its redshift; 49" in done.stderr and "Omega_m 0.31 and h 0.5 are taken" in done.stderr, done.stderr)

# A density in the place of its contrast.
run("gen", "-n", 8, "--mean", 3, "-o", "mean.h5")
done = run("ic", "--delta", "mean.h5", "-o", "no.hdf5", code=1, ranks=2)
check("the mean of 'mean.h5' is 3" in done.stderr and not os.path.exists("no.hdf5"), done.stderr)

# The same waves on every mesh and number of ranks, and another seed.
modes = {}
for n, ranks in ((16, 0), (24, 2), (25, 3)):
    run("ic", "-n", n, "-L", 100, "-p", "double", "-D", "psi.h5", "--seed", 5, ranks=ranks)
    modes[n] = pad(numpy.fft.fftn(read("psi.h5", "delta")[0]), n, 15)
    check(relative(modes[n], modes[16]) < 1e-12, f"waves of {n}: {relative(modes[n], modes[16])}")
run("ic", "-n", 16, "-L", 100, "-p", "double", "-D", "psi.h5", "--seed", 6)
other = pad(numpy.fft.fftn(read("psi.h5", "delta")[0]), 16, 15)
check(abs(numpy.vdot(other, modes[16])) < 0.1 * numpy.linalg.norm(other) ** 2, "seeds")

# The spectrum is that of gen, within the scatter of Gaussian modes, at low and at high k; the phases are uniform.
run("ic", "-n", 64, "-L", 300, "-z", 9, "-D", "psi.h5")
run("gen", "-n", 64, "-L", 300, "-z", 9, "-o", "gen.h5")
k = numpy.sqrt(sum(m**2 for m in wave_numbers((64,) * 3, (300,) * 3)))
power = [abs(numpy.fft.fftn(f)) ** 2 for f in (read("psi.h5", "delta")[0], read("gen.h5", "delta")[0])]
for low, high in ((0.02, 0.2), (0.2, 0.4), (0.4, 0.6)):
    inside = (k > low) & (k <= high)
    got, want = [numpy.mean(p[inside] * k[inside] ** 1.5) for p in power]
    scatter = numpy.std(power[1][inside] * k[inside] ** 1.5) / want / numpy.sqrt(inside.sum() / 2)
    check(abs(got / want - 1) < 6 * scatter and scatter < 0.2, f"power in [{low}, {high}]: {got / want} +- {scatter}")

# A table of the spectrum, in place of the formula: the same waves, on ranks of other numbers.
rows = numpy.geomspace(1e-4, 10, 1001)
numpy.savetxt("power.txt", numpy.stack([rows, 3 * linear_power.power(rows)], 1), header="k P")
run("ic", "-n", 24, "-L", 100, "-z", 9, "-p", "double", "-D", "formula.h5")
run("ic", "-n", 24, "-L", 100, "-z", 9, "-p", "double", "-D", "table.h5", "--spectrum", "power.txt", "--sigma8", 0.81, ranks=3)
for got, want in zip(read("table.h5", "delta", "dx"), read("formula.h5", "delta", "dx")):
    check(relative(got, want) < 2e-5, f"a table: {relative(got, want)}")
run("ic", "-n", 24, "-L", 100, "-z", 9, "-p", "double", "-D", "table.h5", "--spectrum", "power.txt")
got, want = read("table.h5", "delta")[0], read("formula.h5", "delta")[0]
check(relative(got, numpy.sqrt(3) * want) < 2e-5, f"the amplitude of a table: {relative(got, numpy.sqrt(3) * want)}")
done = run("ic", "-o", "x.hdf5", "-n", 256, "-L", 20, "--spectrum", "power.txt", code=1, ranks=2)
check("'power.txt' has k from 0.0001 to 10 h/Mpc" in done.stderr and not os.path.exists("x.hdf5"), done.stderr)

# Single precision, masses, and what is refused.
run("ic", "-n", 16, "-L", 100, "-o", "single.hdf5", "--masses", "--seed", 9, ranks=2)
with h5py.File("single.hdf5") as file:
    group = file["PartType1"]
    check(group["Coordinates"].dtype == "f4" and group["Velocities"].dtype == "f4" and group["ParticleIDs"].dtype == "u4", "types")
    check((group["Coordinates"][...] < numpy.float32(100)).all() and numpy.allclose(group["Masses"][...], file["Header"].attrs["MassTable"][1]), "single")
for words, arguments in {"give --output": (), "cube": ("-o", "x.hdf5", "-n", "8x8x16"), "the mesh is that of": ("-D", "x.h5", "--delta", "waves.h5", "-n", 8),
                         "less than --omega-m": ("-o", "x.hdf5", "--omega-b", 0.4), "needs --delta": ("-o", "x.hdf5", "-d", "delta"),
                         "--seed is for a density that is drawn": ("-o", "x.hdf5", "--delta", "waves.h5", "--seed", 2),
                         "--ns is for the formula": ("-o", "x.hdf5", "--spectrum", "power.txt", "--ns", 1),
                         "leave one of the two out": ("-o", "x.hdf5", "--delta", "waves.h5", "--spectrum", "power.txt"),
                         "is the input file": ("-D", "waves.h5", "--delta", "waves.h5")}.items():
    done = run("ic", *arguments, code=2)
    check(words in done.stderr, done.stderr)
done = run("ic", "-o", "x.hdf5", "--omega-m", 3, "--omega-lambda", 0, code=1)
check("stops expanding" in done.stderr, done.stderr)
run("gen", "-n", "8x8x16", "-o", "brick.h5")
done = run("ic", "--delta", "brick.h5", "-o", "x.hdf5", code=1, ranks=2)
check("give a cube, since the lattice of particles is one" in done.stderr, done.stderr)
end()
