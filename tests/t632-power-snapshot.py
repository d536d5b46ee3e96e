# mergefft power of snapshots: the spectra and multipoles of clustered particles against direct sums over modes; bins, counts and
# powers of other programs by their formulas in numpy; lattices, random points, cross spectra, redshift space, foldings and ranks.
# TEST labels=apps+command+once timeout=300 needs=jansson+cairo
import re
import json
import os
from math import pi

import h5py
import numpy
from command import check, end, own_lines, relative, run, soon, svg_texts
from particle_truth import deposit, modes
from snapshots import write_hdf5

BOX, N = 100.0, 16
random = numpy.random.default_rng(8)


def store(path, x, v=None, mass=None, box=BOX, kind=1, **header):
    columns = {"Coordinates": x, "Velocities": numpy.zeros_like(x) if v is None else v, "Masses": numpy.ones(len(x)) if mass is None else mass}
    write_hdf5(path, {kind: columns}, [len(x) if i == kind else 0 for i in range(6)], header={"BoxSize": box, **header},
               groups={"Parameters": {"UnitLength_in_cm": 3.085678e24, "UnitMass_in_g": 1.989e43, "UnitVelocity_in_cm_per_s": 1e5,
                                      "Omega0": 0.3, "OmegaLambda": 0.7, "HubbleParam": 0.7}})


def measure(*arguments, ranks=0):
    return json.loads(run("power", *arguments, "--json", "-", ranks=ranks).stdout)


def columns(result, *names, fold=None):
    rows = [b for b in result["bins"] if b["modes"] and (fold is None or b["fold"] == fold)]
    return [numpy.array([b[name] for b in rows]) for name in names]


def whole(n):
    """Integer wave numbers of the whole array [n^3][3], with those at n/2 as -n/2."""
    return numpy.stack([m.ravel() for m in numpy.meshgrid(*[numpy.fft.fftfreq(n, 1 / n)] * 3, indexing="ij")], axis=1)


# Clustered particles: clumps of several sizes, flattened along z, and a background.
centres = random.random((60, 3)) * BOX
x = numpy.concatenate([(centres[i % 60] + random.normal(size=3) * (3.0, 3.0, 1.5) * (0.3 + i % 7 / 5)) % BOX for i in range(3000)] +
                      [random.random(1500 * 3) * BOX]).reshape(-1, 3)
mass = 0.5 + random.random(len(x))
v = random.normal(size=x.shape) * 300
store("clumps.hdf5", x, v, mass)
volume, shot = BOX**3, BOX**3 * (mass**2).sum() / mass.sum() ** 2
waiting = {ranks: soon(measure, "clumps.hdf5", "-n", N, "--poles", "0,2,4", "--los", "z", ranks=ranks) for ranks in (0, 3)}

# Truth is the sum over particles, which has no mesh: interlaced TSC is within half a per cent of it up to 0.7 of the Nyquist
# wave number, in the monopole and in the quadrupole.
m = whole(N)
m = m[(numpy.linalg.norm(m, axis=1) < 0.72 * N / 2) & (m.any(axis=1))]
upper = m[(m[:, 2] > 0) | ((m[:, 2] == 0) & ((m[:, 1] > 0) | ((m[:, 1] == 0) & (m[:, 0] > 0))))]  # of k and -k one
power = volume * abs(modes(x, mass, upper, (BOX,) * 3)) ** 2 / mass.sum() ** 2
size = numpy.linalg.norm(upper, axis=1)
mu = upper[:, 2] / size
which = numpy.floor(size + 0.5).astype(int) - 1
legendre = {0: numpy.ones_like(mu), 2: 2.5 * (3 * mu**2 - 1), 4: 9 / 8 * (35 * mu**4 - 30 * mu**2 + 3)}
results = {ranks: wait() for ranks, wait in waiting.items()}
full = results[0]
good = int(0.7 * N / 2 - 0.5)  # bins that end below it
check(abs(full["shot"] / shot - 1) < 1e-12 and full["interlace"] == 2 and full["assign"] == "tsc", full["shot"])
k, count, got = columns(full, "k", "modes", "P")
for ell, weights in legendre.items():
    pole, = columns(full, f"P{ell}")
    want = numpy.bincount(which, weights * power)[:good] / numpy.bincount(which)[:good]
    monopole = numpy.bincount(which, power)[:good] / numpy.bincount(which)[:good]
    error = numpy.max(abs(pole[:good] - want) / monopole)
    check(error < (5e-3 if ell < 4 else 1e-2), f"P{ell} is off by {error} of P0")
check(numpy.array_equal(count[:good], 2 * numpy.bincount(which)[:good]), "counts")
check(numpy.allclose(k[:good], 2 * pi / BOX * numpy.bincount(which, size)[:good] / numpy.bincount(which)[:good], rtol=1e-12), "k")
for ranks, result in results.items():
    for name in ("k", "P", "P2", "P4", "modes"):
        one, other = columns(result, name)[0], columns(full, name)[0]
        check(numpy.allclose(one, other, rtol=1e-11, atol=1e-11 * shot), f"{name} on {ranks}")

# And so is it of a mesh twice as fine, of which these wave numbers are below 0.35 of its own Nyquist wave number.
fine = measure("clumps.hdf5", "-n", 2 * N, "--poles", "0,2", "--los", "z")
monopole = columns(fine, "P0")[0][:good]
for name in ("P0", "P2"):
    one, other = columns(full, name)[0][:good], columns(fine, name)[0][:good]
    check(numpy.max(abs(one - other) / monopole) < 5e-3, f"{name} of a finer mesh is off by {numpy.max(abs(one - other) / monopole)} of P0")


# The methods of other programs, by their formulas: the bin of each mode of a CIC density in numpy, and what it counts.
def of_mesh(n, assign, factor, compensate):
    """|m|, m and compensated power of every mode, of positions times `factor`."""
    delta = numpy.fft.fftn(deposit(x * factor, mass, (n,) * 3, (BOX,) * 3, assign)).ravel() / mass.sum()
    m = whole(n)
    s = pi * m / n
    if compensate == "jing":
        inverse = 1 / numpy.prod(1 - 2 / 3 * numpy.sin(s) ** 2, axis=1)
    else:
        inverse = 1 / numpy.prod(numpy.sinc(m / n) ** 4, axis=1)
    return numpy.linalg.norm(m, axis=1), m, volume * abs(delta) ** 2 * inverse


def average(bins, values, count):
    return numpy.bincount(bins, values, len(count)) / numpy.maximum(count, 1)


size, m, power = of_mesh(N, "cic", 1, "jing")
result = measure("clumps.hdf5", "-n", N, "--like", "nbodykit")
inside = (size > 0) & (size < N / 2 - 1e-9)
count = numpy.bincount(size[inside].astype(int))
k, modes_got, got = columns(result, "k", "modes", "P")
check(numpy.array_equal(modes_got, count[count > 0]), "counts of nbodykit")
check(relative(got, average(size[inside].astype(int), power[inside], count)[count > 0]) < 1e-11 and not result["shot_subtracted"], "nbodykit")

size, m, power = of_mesh(N, "cic", 1, "sinc")
result = measure("clumps.hdf5", "-n", N, "--like", "pylians", "--poles", "2", "--los", "x")
images = numpy.where(m == -N / 2, N / 2, -m)
mirrored = [tuple(a) > tuple(b) for a, b in zip(numpy.where(m == -N / 2, N / 2, m), images)]
one = (size > 0) & ~numpy.array(mirrored)  # of k and -k one
count = numpy.bincount(size[one].astype(int))
modes_got, got, pole = columns(result, "modes", "P", "P2")
check(numpy.array_equal(modes_got, count[count > 0]), "counts of Pylians")
check(relative(got, average(size[one].astype(int), power[one], count)[count > 0]) < 1e-11, "Pylians")
with numpy.errstate(invalid="ignore"):
    second = power * 2.5 * (3 * (m[:, 0] / size) ** 2 - 1)
check(relative(pole, average(size[one].astype(int), second[one], count)[count > 0]) < 1e-11, "quadrupole of Pylians")

result = measure("clumps.hdf5", "-n", N, "--like", "gadget4", ranks=2)
for fold in (1, 16, 256):
    size, m, power = of_mesh(N, "cic", fold, "sinc")
    kept = (size > 0) & (size * fold < 128 * N)
    bins = (numpy.log(size[kept] * fold) * (4000 / numpy.log(128 * N)) + 1e-9).astype(int)
    count = numpy.bincount(bins)
    k, modes_got, got = columns(result, "k", "modes", "P", fold=fold)
    check(numpy.array_equal(modes_got, count[count > 0]), f"counts of GADGET-4 folded by {fold}")
    want = 2 * pi / BOX * numpy.exp(average(bins, numpy.log(size[kept] * fold), count)[count > 0])
    check(numpy.allclose(k, want, rtol=1e-11), f"k of GADGET-4 folded by {fold}")
    check(relative(got, average(bins, power[kept], count)[count > 0]) < 1e-9, f"GADGET-4 folded by {fold}")
done = measure("clumps.hdf5", "-n", N, "--like", "pypower")
check(done["shot_subtracted"] and done["assign"] == "tsc" and done["interlace"] == 2, "pypower")
plain = measure("clumps.hdf5", "-n", N, "--kmin", 0)
check(relative(columns(done, "P")[0] + shot, columns(plain, "P")[0]) < 1e-12, "shot noise subtracted")

# Interlacing by three, and finer windows, are nearer to the truth than CIC alone.
size = numpy.linalg.norm(upper, axis=1)
exact = volume * abs(modes(x, mass, upper, (BOX,) * 3)) ** 2 / mass.sum() ** 2
want = numpy.bincount(which, exact)[:good] / numpy.bincount(which)[:good]
errors = {}
for assign, order in (("cic", 1), ("cic", 2), ("cic", 3), ("pcs", 2)):
    got, = columns(measure("clumps.hdf5", "-n", N, "-a", assign, "--interlace", order), "P")
    errors[assign, order] = numpy.max(abs(got[:good] / want - 1))
check(errors["cic", 1] > 2 * errors["cic", 2] and errors["cic", 3] < 1.2 * errors["cic", 2] and errors["pcs", 2] < 2e-3, errors)

# Cross spectra: with itself the power, with other particles the sum over modes; of a density file with its particles too.
y = numpy.concatenate([x[::2] + 0.5, random.random((500, 3)) * BOX])
store("other.hdf5", y, kind=0)
result = measure("clumps.hdf5", "-n", N, "--cross", "other.hdf5", ranks=2)
both = (modes(x, mass, upper, (BOX,) * 3) / mass.sum() * modes(y, 1, upper, (BOX,) * 3).conj() / len(y)).real * volume
first, second, got = columns(result, "P_first", "P_second", "P")
want = numpy.bincount(which, both)[:good] / numpy.bincount(which)[:good]
check(numpy.max(abs(got[:good] - want) / numpy.sqrt(first * second)[:good]) < 5e-3, "cross spectrum")
check(relative(first, columns(full, "P")[0]) < 1e-11 and result["shot"] is None, "the power of the first")
run("density", "clumps.hdf5", "-n", N, "-o", "clumps.h5", "-p", "double")
result = measure("clumps.h5", "-a", "tsc", "--cross", "clumps.hdf5", "--interlace", 1, "--type", 1)
got, first, second = columns(result, "P", "P_first", "P_second")
check(relative(got, first) < 1e-11 and relative(first, second) < 1e-11, "a field with its particles")
check(relative(first, columns(measure("clumps.hdf5", "-n", N, "--interlace", 1), "P")[0]) < 1e-11, "a field and its particles")

# A field says by what it was made, so each source of a cross spectrum is divided by its own window, and particles take the mesh points
# of the field. A field of another program says nothing, and is taken as it is, unless --assign is given.
clean = [columns(measure("clumps.hdf5", "-n", N, "-a", "pcs"), "P")[0][:good]]
for kind, options in (("cic", ()), ("tsc", ("--centered",)), ("pcs", ("--interlace",))):
    run("density", "clumps.hdf5", "-n", N, "-o", "stated.h5", "-a", kind, *options)
    result = measure("stated.h5", "--cross", "clumps.hdf5")
    own, cross = [numpy.max(abs(columns(result, name)[0][:good] / clean[0] - 1)) for name in ("P_first", "P")]
    check(result["assign"] == kind and result["cross"]["assign"] == "tsc" and own < 0.15, (kind, result["assign"], own))
    check(cross < 0.7 * own + 4e-3, f"cross spectrum of a field by {kind} {options}: {cross}, with aliases of the field {own}")
    alone = measure("stated.h5")
    check(abs(alone["shot"] / full["shot"] - 1) < 1e-12 and alone["assign"] == kind, "a field by itself")
    check(relative(*columns(alone, "P"), *columns(result, "P_first")) < 1e-11, "a field by itself and in a cross spectrum")
    subtracted = measure("stated.h5", "--subtract-shot", ranks=2)
    check(relative(columns(subtracted, "P")[0] + full["shot"], columns(alone, "P")[0]) < 1e-11, "shot noise of a field")
with h5py.File("clumps.h5") as file, h5py.File("foreign.h5", "w") as other:
    other["delta"] = file["delta"][...]
one = measure("clumps.hdf5", "-n", N, "--cross", "foreign.h5", "-L", BOX)
two = measure("clumps.hdf5", "-n", N, "--cross", "foreign.h5", "-L", BOX, "-a", "tsc")
bare = measure("foreign.h5", "-L", BOX)
check(one["cross"]["assign"] == bare["assign"] == "none" and two["cross"]["assign"] == "tsc" and bare["shot"] is None, "a field that says nothing")
check(relative(*columns(one, "P_second"), *columns(bare, "P")) < 1e-11, "no window is assumed")
check(relative(*columns(two, "P_second"), *columns(measure("clumps.h5"), "P")) < 1e-11, "the window of --assign")
run("density", "clumps.hdf5", "-n", N, "-o", "stated.h5", "--centered")

# Redshift space along a diagonal: velocities are stored over sqrt(a), a = 1/4.
a, line = 0.25, numpy.array([0, 1, 1]) / 2**0.5
hubble = 100 * (0.3 / a**3 + 0.7) ** 0.5
moved = x + (v @ line * a**0.5 / (a * hubble))[:, None] * line
store("moved.hdf5", moved, v, mass)
one = measure("clumps.hdf5", "-n", N, "--rsd", "--los", "0,1,1", "--poles", "2")
other = measure("moved.hdf5", "-n", N, "--los", "0,2,2", "--poles", "2")
for name in ("P", "P2"):
    check(relative(*columns(one, name), *columns(other, name)) < 1e-9, f"{name} in redshift space")
check(relative(*columns(one, "P2"), *columns(full, "P2")) > 0.1, "redshift space changes nothing")

# A lattice has no power but its own; random points have that of shot noise.
lattice = numpy.stack(numpy.meshgrid(*[numpy.arange(8.0)] * 3), axis=-1).reshape(-1, 3) * BOX / 8
store("lattice.hdf5", lattice)
got, = columns(measure("lattice.hdf5", "-n", 16, "--kmax", 0.99 * 2 * pi * 8 / BOX), "P")
check(numpy.max(abs(got[:6])) < 1e-18 * volume, f"a lattice has {numpy.max(abs(got[:6]))}")
many = 20000
store("random.hdf5", (random.random((many, 3)) * BOX).astype("f4"))
result = measure("random.hdf5", "-n", 32, ranks=2)
got, count = columns(result, "P", "modes")
mean = (got * count).sum() / count.sum() / (volume / many)
check(abs(mean - 1) < 4 * (2 / count.sum()) ** 0.5, f"random points have {mean} of their shot noise")
check(abs(result["shot"] - volume / many) < 1e-9 * result["shot"], "shot noise")

# The same as HDF5, and as a picture beside linear theory.
result = measure("clumps.hdf5", "-n", N, "--poles", "0,2", "--fold", "1,2", "--hdf5", "{}-pk.h5", "--plot", "pk.svg", ranks=2)
with h5py.File("clumps-pk.h5") as file:
    check(set(file) - {"Header", "Checksum"} == {"k", "P", "P2", "modes", "shot", "fold"}, list(file))
    for name in ("k", "P", "P2", "modes", "fold"):
        check(numpy.array_equal(file[name][...], columns(result, name)[0]), f"{name} in HDF5")
one = measure("clumps.hdf5", "-n", N, "--poles", "0,2", "--fold", 2)  # a single folding is told as well
check({b["fold"] for b in one["bins"]} == {2} and relative(*columns(one, "P"), *columns(result, "P", fold=2)) < 1e-12, "one folding of two")
check("fold" in run("power", "clumps.hdf5", "-n", N, "--fold", 2).stdout and "fold" not in run("power", "clumps.hdf5", "-n", N).stdout, "fold")
texts, title = svg_texts("pk.svg")
check({"linear theory", "shot noise", "measured", "|P2|", "k [h/Mpc]"} <= set(texts) and title == "clumps.hdf5 at redshift 3", (texts, title))

# Linear theory of a table: a flat one is a horizontal line, and none is drawn where the table does not reach.
def theory_lines(path):
    """The pieces of the curve of linear theory, by whether they are horizontal."""
    with open(path, encoding="utf-8") as file:
        found = re.findall(r'<path[^>]*stroke:rgb\(0%,44.7[^)]*\)[^>]*d="M [\d.]+ ([\d.]+) L [\d.]+ ([\d.]+) ', file.read())
    return sum(y == z for y, z in found), sum(y != z for y, z in found)


pieces = []
for last in (100, 0.2):
    with open("flat.txt", "w", encoding="utf-8") as file:
        file.write(f"# k P\n1e-4 5000\n{last} 5000\n")
    measure("clumps.hdf5", "-n", N, "--plot", "flat.svg", "--spectrum", "flat.txt", "--spectrum-z", 3, ranks=2)
    pieces.append(theory_lines("flat.svg"))
level, slanted = theory_lines("pk.svg")
check(pieces[0][0] > pieces[1][0] > 1 and pieces[0][1] == pieces[1][1] == 0 and slanted > 5, f"linear theory of tables {pieces}, of the formula {level, slanted}")
lines = own_lines(run("power", "clumps.hdf5", "-n", N, "--plot", "flat.svg", "--spectrum", "none.txt", "-o", "pk.txt", code=1, ranks=2).stderr)
check(len(lines) == 1 and "cannot read the table 'none.txt'" in lines[0], lines)
write_hdf5("bare.hdf5", {1: {"Coordinates": x}}, [0, len(x)], header={"BoxSize": BOX}, cosmology=False)
bare = ("power", "bare.hdf5", "-n", N, "--unweighted", "--plot", "bare.svg", "-o", "pk.txt")
told = own_lines(run(*bare, ranks=2).stderr)  # what linear theory is drawn for where the file does not say
check(len(told) == 2 and "as if lengths were in Mpc/h, which 'bare.hdf5' does not say" in told[0] and "that of Omega_m 0.31 and h 0.677" in told[1], told)
check(not run(*bare, "--units", "mpc", "--omega-m", 0.3).stderr, "units and cosmology by options")
for source, words in (("bare", "'bare.h5' does not contain its cosmology"), ("clumps", "")):  # the file of a density has that of its snapshot
    run("density", f"{source}.hdf5", "-o", f"{source}.h5", "-n", N, "--unweighted", ranks=2)
    told = run("power", f"{source}.h5", "--plot", "bare.svg", "-o", "pk.txt").stderr
    check(words in told if words else not told, told)
for words, options in (("--spectrum needs --plot", ("--spectrum", "flat.txt")), ("--spectrum-z needs --spectrum", ("--plot", "pk.svg", "--spectrum-z", 1))):
    check(words in run("power", "clumps.hdf5", *options, code=2).stderr, words)

# The table: rows whose error by window and aliasing may exceed 1 % are marked.
lines = run("power", "clumps.hdf5", "-n", N, "-a", "cic", "--interlace", 1).stdout.splitlines()
mark = next(i for i, line in enumerate(lines) if line.startswith("# beyond"))
limit = float(next(line for line in lines if "below 1 %" in line).split("=")[1])
check(float(lines[mark - 1].split()[0]) <= limit < float(lines[mark + 1].split()[0]), (limit, lines[mark - 1:mark + 2]))
reach = numpy.linspace(0, 1, 10001)  # Nyquist wave numbers along an axis, and what images add there
add = sum((reach / (reach + 2 * n)) ** 4 for n in (-2, -1, 1, 2))
check(abs(limit * BOX / (pi * N) - reach[add > 0.01][0]) < 5e-3, f"limit {limit}")

store("still.hdf5", x[:9], Redshift=0.0)
store("never.hdf5", x[:9], Time=numpy.nan)
write_hdf5("heavy.hdf5", {1: {"Coordinates": x[:9], "Masses": numpy.where(numpy.arange(9) == 5, numpy.nan, 1)}}, [0, 9], header={"BoxSize": BOX})
for arguments, words in ((("clumps.h5", "-n", 16), "--n is for snapshots"), (("clumps.hdf5", "--cross", "random.hdf5", "-L", 50, "--type", 3), "no particles of type 3"),
                         (("clumps.h5", "--cross", "lattice.hdf5", "-L", 100, "--rsd"), "--rsd is for snapshots"),
                         (("clumps.h5", "--cross", "clumps.h5", "--type", 1), "--type is for snapshots"),
                         (("still.hdf5", "--rsd"), "'still.hdf5' has Time 0.25 and Redshift 0; Time must be the scale factor"),
                         (("never.hdf5",), "never.hdf5: Time in the header is nan"),
                         (("heavy.hdf5", "-n", 16), "the mass of particle 5 of 'heavy.hdf5' is nan"),
                         (("clumps.h5", "-a", "cic"), "--assign is not the tsc by which 'clumps.h5' was made"),
                         (("clumps.h5", "--cross", "stated.h5"), "the mesh points of 'stated.h5' are at (i + 1/2) h")):
    lines = own_lines(run("power", *arguments, code=1, ranks=2).stderr)
    check(len(lines) == 1 and words in lines[0], (arguments, lines))
for option, value in (("--poles", "0,x"), ("--los", "0,0,0"), ("--fold", "0"), ("--interlace", 4)):
    check(option in run("power", "clumps.hdf5", option, value, code=2).stderr, option)
end()
