# `mergefft gen`: every kind against numpy, the same for every number of ranks, attributes, and its errors.
# TEST labels=apps+command+once timeout=300
import os

import h5py
import numpy
from command import check, end, own_lines, relative, run, wave_numbers


def load(path, name="delta"):
    with h5py.File(path) as file:
        return file[name][...]


def transfer(k_h, om, ob, h, t_cmb):
    """Eisenstein and Hu (1998), section 3, written from the paper; k in h/Mpc."""
    m, b, f, th, k = om * h * h, ob * h * h, ob / om, t_cmb / 2.7, k_h * h
    keq, zeq = 7.46e-2 * m / th**2, 2.5e4 * m / th**4
    zd = 1291 * m**.251 / (1 + .659 * m**.828) * (1 + .313 * m**-.419 * (1 + .607 * m**.674) * b**(.238 * m**.223))
    rd, req = 31.5 * b / th**4 * 1e3 / (1 + zd), 31.5 * b / th**4 * 1e3 / zeq
    s = 2 / (3 * keq) * (6 / req)**.5 * numpy.log(((1 + rd)**.5 + (rd + req)**.5) / (1 + req**.5))
    silk = 1.6 * b**.52 * m**.73 * (1 + (10.4 * m)**-.95)
    ac = ((46.9 * m)**.67 * (1 + (32.1 * m)**-.532))**-f * ((12 * m)**.424 * (1 + (45 * m)**-.582))**-(f**3)
    bc = 1 / (1 + .944 / (1 + (458 * m)**-.708) * ((1 - f)**((.395 * m)**-.0266) - 1))
    y = zeq / (1 + zd)
    g = y * (-6 * (1 + y)**.5 + (2 + 3 * y) * numpy.log(((1 + y)**.5 + 1) / ((1 + y)**.5 - 1)))
    ab = 2.07 * keq * s * (1 + rd)**-.75 * g
    bb, node = .5 + f + (3 - 2 * f) * ((17.2 * m)**2 + 1)**.5, 8.41 * m**.435
    q, ks = k / (13.41 * keq), k * s

    def t0(alpha, beta):
        lq = numpy.log(numpy.e + 1.8 * beta * q)
        return lq / (lq + (14.2 / alpha + 386 / (1 + 69.9 * q**1.08)) * q * q)

    mix = 1 / (1 + (ks / 5.4)**4)
    cold = mix * t0(1, bc) + (1 - mix) * t0(ac, bc)
    x = ks / (1 + (node / ks)**3)**(1 / 3)
    warm = (t0(1, 1) / (1 + (ks / 5.2)**2) + ab / (1 + (bb / ks)**3) * numpy.exp(-(k / silk)**1.4)) * numpy.sin(x) / x
    return f * warm + (1 - f) * cold


def power(k, om=.31, ob=.049, h=.677, ns=.967, sigma8=.81, t_cmb=2.7255):
    def shape(q):
        return q**ns * transfer(q, om, ob, h, t_cmb)**2
    q = numpy.exp(numpy.linspace(numpy.log(1e-5), numpy.log(60), 200001))
    w = 3 * (numpy.sin(8 * q) - 8 * q * numpy.cos(8 * q)) / (8 * q)**3
    f = q**3 * shape(q) * w * w / (2 * numpy.pi**2)
    variance = ((f[1:] + f[:-1]) / 2 * numpy.diff(numpy.log(q))).sum()
    return sigma8**2 / variance * shape(k)


def gaussian(name, n, box, ranks):
    shape = "x".join(map(str, n))
    sides = ",".join(map(str, box))
    run("gen", "-o", "noise.h5", "-n", shape, "-L", sides, "--kind", "white", "--seed", 5)
    noise = load("noise.h5")
    kx, ky, kz = wave_numbers(n, box)
    k = numpy.sqrt(kx**2 + ky**2 + kz**2)
    p = numpy.zeros(k.shape)
    p[k > 0] = power(k[k > 0])
    want = numpy.fft.ifftn(numpy.fft.fftn(noise) * numpy.sqrt(p * noise.size / numpy.prod(box)))
    check(abs(want.imag).max() < 1e-12 * want.real.std(), "the expected field is not real")
    first = None
    for r in ranks:
        run("gen", "-o", name, "-n", shape, "-L", sides, "--seed", 5, ranks=r)
        got = load(name)
        first = got if first is None else first
        check(relative(got, want.real) < 1e-7, f"{n} on {r}: {relative(got, want.real)} from numpy")
        check(relative(got, first) < 1e-13, f"{n} on {r} ranks: {relative(got, first)} from {ranks[0]}")
        check(abs(got.mean()) < 1e-14 * got.std(), f"mean {got.mean()}")


gaussian("g.h5", (32, 32, 32), (200, 200, 200), (0, 2, 5))
gaussian("g.h5", (7, 6, 9), (50, 40, 60), (0, 8))
gaussian("g.h5", (16, 1, 17), (100, 3, 77), (0, 3))

# The white noise has the same bits for every division of the array.
for n in ("17x16x15", "5x33x8"):
    run("gen", "-o", "white.h5", "-n", n, "--kind", "white", "-A", 3, "-s", 12345678901)
    want = load("white.h5")
    for ranks, grid in ((2, "1x2"), (3, "3x1"), (7, "0x0")) if n == "17x16x15" else ((4, "2x2"), (6, "2x3")):
        run("gen", "-o", "cut.h5", "-n", n, "--kind", "white", "-A", 3, "-s", 12345678901, "--grid", grid, ranks=ranks)
        check(numpy.array_equal(load("cut.h5"), want), f"white noise of {n} on {grid}")
        with open("cut.h5", "rb") as a, open("white.h5", "rb") as b:
            check(a.read() == b.read(), f"the file of {n} on {grid} differs")
run("gen", "-o", "other.h5", "-n", n, "--kind", "white", "-A", 3, "-s", 2)
check(abs(numpy.corrcoef(load("other.h5").ravel(), want.ravel())[0, 1]) < 0.15, "two seeds are correlated")

# Growth: a field at a later redshift is an earlier one, scaled; D(1)/D(z=1) = 1.634506 for a flat universe with omega_m 0.3.
for z in (0, 1):
    run("gen", "-o", f"z{z}.h5", "-n", 16, "-L", 100, "--omega-m", .3, "-z", z)
check(abs(load("z0.h5").std() / load("z1.h5").std() - 1.634506) < 2e-6, "growth between redshift 1 and 0")
with h5py.File("z1.h5") as file:
    header, own = file["Header"].attrs, file["delta"].attrs
    check(header["Redshift"] == 1 and own["Redshift"] == 1 and own["BoxSize"] == 100 and own["Nmesh"] == 16, "attributes")
    check(abs(header["Omega_m"] - .3) < 1e-15 and abs(header["Omega_Lambda"] - .7) < 1e-15 and header["Seed"] == 1, "header")

# Plane waves, points, uniform fields; single precision; a mean; another dataset name with units.
i, j, k = numpy.meshgrid(numpy.arange(12), numpy.arange(10), numpy.arange(9), indexing="ij")
for ranks in (0, 4):
    run("gen", "-o", "w.h5", "-n", "12x10x9", "-L", "1,2,3", "--kind", "plane-wave", "--mode", "5,-2,4", "-A", 2.5,
        "--phase", .3, ranks=ranks)
    want = 2.5 * numpy.cos(2 * numpy.pi * (5 * i / 12 - 2 * j / 10 + 4 * k / 9) + .3)
    check(abs(load("w.h5") - want).max() < 1e-13, "plane wave")
    run("gen", "-o", "p.h5", "-n", "12x10x9", "--kind", "point", "--cell", "11,3,8", "-A", -4, "-d", "grp/pt", ranks=ranks)
    want = numpy.zeros((12, 10, 9))
    want[11, 3, 8] = -4
    check(numpy.array_equal(load("p.h5", "grp/pt"), want), "point")
    run("gen", "-o", "u.h5", "-n", "12x10x9", "--kind", "uniform", "-A", .5, "--mean", 8, "-p", "single", "--units", "kg",
        ranks=ranks)
    got = load("u.h5")
    check(got.dtype == numpy.dtype("<f4") and (got == 12).all(), "uniform")
    with h5py.File("u.h5") as file:
        check(file["delta"].attrs["units"] in ("kg", b"kg"), "units")
        check(list(file["delta"].attrs["BoxSize"].ravel()) in ([1000], [1000] * 3), "BoxSize")

# Errors: one line, the right exit code, and no new files.
files_before = sorted(os.listdir("."))
done = run("gen", "-o", "no/such/folder/x.h5", "-n", 8, ranks=3, code=1)
check(len(own_lines(done.stderr)) == 1 and "no/such/folder" in done.stderr, done.stderr)
for wrong in (["--omega-b", .5], ["--kind", "plane-wave", "--mode", "1,0"], ["--kind", "plane-wave", "--mode", "5,0,0"],
              ["--kind", "point", "--cell", "0,8,0"], ["--kind", "point", "--cell", "0,0.5,0"], ["--grid", "2"],
              ["--n", "8x8"], ["--boxsize", "1,2"], ["--omega-lambda", 5]):
    done = run("gen", "-o", "never.h5", "-n", 8, *wrong, code=2)
    check(len(own_lines(done.stderr)) == 1 and wrong[-2][2:] in done.stderr, done.stderr)
for beyond in (["--kind", "white", "-A", 1e200], ["--kind", "uniform", "-A", 1.7e308],  # squares and sums overflow
               ["--kind", "white", "-A", 1e-200]):  # squares underflow
    done = run("gen", "-o", "never.h5", "-n", 8, *beyond, ranks=2, code=1)
    check(len(own_lines(done.stderr)) == 1 and "other units" in done.stderr, done.stderr)
done = run("gen", "-o", "never.h5", "-n", 8, "--kind", "uniform", "-A", 1e-40, "-p", "single", ranks=2, code=1)
check(len(own_lines(done.stderr)) == 1 and "too small for single" in done.stderr, done.stderr)
done = run("gen", "-o", "never.h5", "-n", 8, "--grid", "5x7", ranks=2, code=1)
check(len(own_lines(done.stderr)) == 1, done.stderr)
check(sorted(os.listdir(".")) == files_before, f"files remain: {set(os.listdir('.')) - set(files_before)}")
end()
