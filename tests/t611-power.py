# `mergefft power`: mode counts against brute force in integers, powers against numpy, windows against sums over aliases.
# TEST labels=apps+command+once timeout=300 needs=jansson
import json
from math import isqrt, pi

import h5py
import numpy
from command import check, end, own_lines, run, wave_numbers


def store(path, field, box=None, name="delta"):
    with h5py.File(path, "w") as file:
        file[name] = field
        if box is not None:
            file[name].attrs["BoxSize"] = box


def measure(*arguments, ranks=0):
    return json.loads(run("power", *arguments, "--json", "-", ranks=ranks).stdout)


def columns(result, *names):
    return [numpy.array([b[name] if b[name] is not None else 0 for b in result["bins"]]) for name in names]


def modes_of(field, box):
    """|k|, the power and the wave numbers in cycles of every mode of the whole complex array but k = 0."""
    kx, ky, kz = wave_numbers(field.shape, box)
    k = numpy.sqrt(kx**2 + ky**2 + kz**2)
    p = abs(numpy.fft.fftn(field - field.mean()))**2 * numpy.prod(box) / field.size**2
    return k.ravel()[1:], p.ravel()[1:]


def binned(k, p, edges):
    which = numpy.digitize(k, edges) - 1
    keep = (which >= 0) & (which < len(edges) - 1)
    count = numpy.bincount(which[keep], minlength=len(edges) - 1)
    safe = numpy.maximum(count, 1)
    return (numpy.bincount(which[keep], k[keep], len(edges) - 1) / safe, count,
            numpy.bincount(which[keep], p[keep], len(edges) - 1) / safe)


def cycles(n):
    return [i if 2 * i <= n else i - n for i in range(n)]


random = numpy.random.default_rng(3)

# Cubes, where |m|^2 is an integer: counts from integers alone.  From k = 0 on every multiple of the fundamental is an edge
# with modes on it, which belong to the upper bin.
for n in (15, 16):
    field = random.standard_normal((n, n, n))
    store("cube.h5", field, 2 * pi * 3.7)
    square = [x * x + y * y + z * z for x in cycles(n) for y in cycles(n) for z in cycles(n)]
    want = {"centred": {}, "edges": {}}
    for s in square:
        if s:
            root = isqrt(s)
            want["edges"][root] = want["edges"].get(root, 0) + 1
            nearest = root + (s > root * root + root)  # s > (root + 1/2)^2
            want["centred"][nearest] = want["centred"].get(nearest, 0) + 1
    for ranks in (0, 2, 5) if n == 15 else (3,):
        r = measure("cube.h5", "--bins", 2 * n, "--dk", 1 / 3.7, ranks=ranks)
        got = columns(r, "modes")[0]
        check(list(got) == [want["centred"].get(b + 1, 0) for b in range(2 * n)], f"{n}: {got}")
        r = measure("cube.h5", "--kmin", 0, "--bins", 2 * n, "--dk", 1 / 3.7, ranks=ranks)
        got = columns(r, "modes")[0]
        check(list(got) == [want["edges"].get(b, 0) for b in range(2 * n)], f"{n}, from 0: {got}")
        check(got.sum() == n**3 - 1, "some mode is missing")
default = measure("cube.h5")
check(len(default["bins"]) == 7 and abs(default["bins"][0]["k_min"] - 0.5 / 3.7) < 1e-12, "default bins")

# Multipoles about a tilted line of sight are those of the mirror image about the mirrored line, up to the corners, although a
# component at the Nyquist wave number is stored with one of its two signs.
field = random.standard_normal((8, 6, 10))
mirrored = []
for sign in (1, -1):
    store("mirror.h5", field[:, ::sign], (8.0, 6.0, 10.0))
    mirrored.append(columns(measure("mirror.h5", "--poles", "0,2,4", "--los", f"1,{2 * sign},3", "--kmax", 6, ranks=2 if sign < 0 else 0), "P0", "P2", "P4"))
for pole, (one, other) in enumerate(zip(*mirrored)):
    check(numpy.max(abs(one - other)) < 1e-11 * numpy.max(abs(one)), f"multipole {2 * pole}: {one}, mirrored {other}")

# Any mesh and box, linear and logarithmic.
for shape, box in (((7, 6, 9), (1.0, 2.0, 3.5)), ((16, 1, 17), (5.0, 1.0, 4.0)), ((20, 21, 22), (10.0, 11.0, 7.0))):
    field = random.standard_normal(shape) + 3
    store("any.h5", field, box)
    k, p = modes_of(field, box)
    for options in (["--kmin", 0.5, "--dk", 0.77, "--kmax", 12],
                    ["--spacing", "log", "--bins", 9, "--kmin", 0.4, "--kmax", 20]):
        for ranks in (0,) if shape[0] == 20 else (3,):
            r = measure("any.h5", *options, ranks=ranks)
            got_k, got_p, got_modes = columns(r, "k", "P", "modes")
            edges = [b["k_min"] for b in r["bins"]] + [r["bins"][-1]["k_max"]]
            want_k, want_modes, want_p = binned(k, p, edges)
            check(list(got_modes) == list(want_modes), f"{shape} modes {got_modes} want {want_modes}")
            check(numpy.allclose(got_k, want_k, rtol=1e-12, atol=0), f"{shape} k")
            check(numpy.allclose(got_p, want_p, rtol=1e-12, atol=0), f"{shape} P")
    check(abs(edges[0] - 0.4) < 1e-12 and abs(edges[-1] - 20) < 1e-9 and len(edges) == 10, f"log edges {edges}")
    check(abs(r["mean"] / field.mean() - 1) < 1e-13 and abs(r["deviation"] / field.std() - 1) < 1e-13, "mean, deviation")

# A plane wave has all its power, V A^2 / 2, in one bin; white noise has P = V / cells * variance in every bin.
run("gen", "-o", "wave.h5", "-n", "16x12x20", "-L", "2,3,5", "--kind", "plane-wave", "--mode", "2,3,-4", "-A", 1.7)
r = measure("wave.h5", ranks=2)
got_p, got_modes = columns(r, "P", "modes")
wave_bins = [b for b in range(len(got_p)) if got_p[b] * got_modes[b] > 1e-20]
k = 2 * pi * ((2 / 2)**2 + (3 / 3)**2 + (4 / 5)**2)**.5
check(len(wave_bins) == 1 and r["bins"][wave_bins[0]]["k_min"] <= k < r["bins"][wave_bins[0]]["k_max"], f"the wave is in bins {wave_bins}")
check(abs(got_p[wave_bins[0]] * got_modes[wave_bins[0]] / (30 * 1.7**2 / 2) - 1) < 1e-12, "power of the wave")
run("gen", "-o", "white.h5", "-n", 48, "-L", 10, "--kind", "white", "-A", 2)
got_p, got_modes = columns(measure("white.h5"), "P", "modes")
check((abs(got_p / (1000 / 48**3 * 4) - 1) < 5 / (got_modes / 2)**.5).all(), f"white noise {got_p}")

# A point has the same power in every mode: V (A / cells)^2.  The 63 modes of 4 x 4 x 4 by hand: |m|^2 of 1, 2 are nearest to
# 1 (6 + 12 modes), 3 to 6 to 2 (8 + 3 + 12 + 12), 8, 9 and 12 to 3 (3 + 6 + 1).
run("gen", "-o", "point.h5", "-n", 4, "-L", 2, "--kind", "point", "--cell", "1,2,3", "-A", 5, ranks=2)
got_p, got_modes = columns(measure("point.h5", "--kmax", 12, ranks=3), "P", "modes")
check(list(got_modes) == [18, 35, 10], f"4^3: {got_modes}")
check(numpy.allclose(got_p, 8 * (5 / 64)**2, rtol=1e-13), f"point: {got_p}")

# Deconvolution restores a mode that CIC has damped: with sinc the pure window, with jing the sum of its aliases.
n, box = 12, 6.0
kx, ky, kz = (k * box / n / 2 for k in wave_numbers((n,) * 3, (box,) * 3))  # pi m / n
window = (numpy.sinc(kx / pi) * numpy.sinc(ky / pi) * numpy.sinc(kz / pi))**2
folded = numpy.sqrt((1 - 2 / 3 * numpy.sin(kx)**2) * (1 - 2 / 3 * numpy.sin(ky)**2) * (1 - 2 / 3 * numpy.sin(kz)**2))
for name, damped in (("sinc", window), ("jing", folded)):
    store("window.h5", numpy.fft.ifftn(damped).real, box)
    p = columns(measure("window.h5", "--assign", "cic", "--compensate", name, "--kmax", 11, ranks=2), "P")[0]
    check(numpy.allclose(p, box**3 / n**6, rtol=1e-10), f"cic {name}: {p * n**6 / box**3}")
p = columns(measure("window.h5", "--assign", "cic", "--compensate", "none", "--kmax", 11), "P")[0]
check(p[-1] < 0.9 * box**3 / n**6, f"not compensated: {p * n**6 / box**3}")

# Densities, shot noise, the table on stdout and in a file.
contrast = random.standard_normal((9, 8, 7)) * 0.1
contrast -= contrast.mean()
store("contrast.h5", contrast, 4.0)
store("density.h5", 17.5 * (1 + contrast).astype(">f4"), None, "a/rho")
want = columns(measure("contrast.h5"), "P")[0]
r = measure("density.h5", "-d", "a/rho", "-L", 4, "--field", "density", "--particles", 1000, ranks=2)
check(numpy.allclose(columns(r, "P")[0], want, rtol=1e-4) and r["shot"] == 0.064 and not r["shot_subtracted"], "density")
r = measure("contrast.h5", "--shot", 0.5, "--subtract-shot")
check(numpy.allclose(columns(r, "P")[0], want - 0.5, rtol=1e-13), "shot noise subtracted")
table = run("power", "contrast.h5", "--shot", 0.5, "--json", "both.json", ranks=2).stdout
rows = numpy.array([[float(word) for word in line.split()] for line in table.splitlines() if line[0] != "#"])
with open("both.json") as file:
    k, p, modes = columns(json.load(file), "k", "P", "modes")
full = modes > 0
check(rows.shape == (full.sum(), 4) and (rows[:, 3] == 0.5).all() and list(rows[:, 2]) == list(modes[full]), "columns")
check(numpy.allclose(rows[:, 0], k[full], rtol=1e-11) and numpy.allclose(rows[:, 1], p[full], rtol=1e-11), "table and JSON")
check("# cells 9 8 7, box 4 4 4" in table, table)
check(run("power", "contrast.h5", "-o", "table.txt").stdout == "", "stdout with -o")
with open("table.txt") as file:
    check(file.read().startswith("# mergefft power: 'delta' of contrast.h5\n# cells 9 8 7"), "file")

# Calls that are refused, in one line.
with open("white.h5", "rb") as file:
    whole = bytearray(file.read())
with open("short.h5", "wb") as file:
    file.write(whole[:len(whole) // 2])
whole[len(whole) // 2] ^= 4
with open("flipped.h5", "wb") as file:
    file.write(whole)
spoilt = contrast.copy()
spoilt[1, 2, 3] = numpy.nan
store("nan.h5", spoilt, 4.0)
store("zero.h5", numpy.zeros((4, 4, 4)), 1.0)
store("flat.h5", numpy.zeros((4, 4)), 1.0)
store("rounded.h5", contrast - contrast.mean(), 4.0)
store("huge.h5", contrast * 1e200, 4.0)
store("negative.h5", contrast, -4.0)
store("wide.h5", contrast * 3e153, 4.0)
store("tiny.h5", contrast * 1e-200, 4.0)
store("box-large.h5", contrast, 1e200)
store("box-denormal.h5", contrast, 1e-310)
for arguments, code, words in ((["nan.h5"], 1, "NaN"), (["nan.h5"], 1, "1,2,3"), (["flat.h5"], 1, "2 axes"),
                               (["zero.h5", "--field", "density"], 1, "mean"), (["absent.h5"], 1, "absent.h5"),
                               (["rounded.h5", "--field", "density"], 1, "mean"), (["huge.h5"], 1, "other units"),
                               (["contrast.h5", "--field", "density"], 1, "--field contrast"),
                               (["wide.h5"], 1, "other units"), (["tiny.h5"], 1, "other units"),
                               (["contrast.h5", "--kmin", 1e3, "--kmax", 1e4], 1, "no mode"),
                               (["box-large.h5"], 1, "--boxsize"), (["box-denormal.h5"], 1, "1e-310 along x"),
                               (["contrast.h5", "-L", 1e31], 2, "1e+30"), (["negative.h5"], 1, "positive"), (["contrast.h5", "-L", "1,2"], 2, "-L 1,2"),
                               (["density.h5"], 1, "name the dataset"),
                               (["density.h5", "-d", "a/rho"], 1, "--boxsize"), (["contrast.h5", "-d", "x"], 1, "dataset x"),
                               (["contrast.h5", "-o", "no/folder.txt"], 1, "no/folder.txt"),
                               (["short.h5"], 1, "short.h5"), (["flipped.h5"], 1, "damaged"),
                               (["contrast.h5", "-o", "/dev/full"], 1, "No space"),
                               (["contrast.h5", "--kmin", 5, "--kmax", 4], 1, "--kmin"),
                               (["contrast.h5", "--kmin", 1, "--dk", 4, "--kmax", 3], 1, "choose a smaller --dk, or a larger --kmax"), ([], 2, "FILE... is missing"),
                               (["contrast.h5", "--dk", 0], 2, "--dk"), (["contrast.h5", "--dk", 1e-9], 1, "--dk"),
                               (["contrast.h5", "--subtract-shot"], 1, "--shot"),
                               (["contrast.h5", "--shot", 1, "--particles", 8], 2, "--particles"),
                               (["contrast.h5", "--spacing", "log", "--dk", 1], 2, "--dk")):
    done = run("power", *arguments, ranks=2 if arguments[:1] == ["nan.h5"] else 0, code=code)
    check(len(own_lines(done.stderr)) == 1 and words in done.stderr and done.stdout == "", f"{arguments}: {done.stderr}")
check(columns(measure("box-large.h5", "-L", 4), "P")[0].tolist() == want.tolist(), "a box of the option over that of the file")

# A mean that is much larger than the variation about it changes neither the power nor, by a bit, mean and deviation on other
# numbers of ranks; a uniform field is reported as uniform.
big = 1e12 + numpy.round(contrast, 3)
store("offset.h5", big, 4.0)
store("small.h5", big - 1e12, 4.0)
small = measure("small.h5")
seen = [measure("offset.h5", "--part", part, ranks=ranks) for ranks, part in ((0, 32), (3, 0.001))]
for r in seen:
    check(numpy.allclose(columns(r, "P")[0], columns(small, "P")[0], rtol=1e-12, atol=0), "power with a large mean")
    check(abs(r["deviation"] / (big - 1e12).std() - 1) < 1e-13, f"deviation {r['deviation']}")
check(len({(r["mean"], r["deviation"]) for r in seen}) == 1, "mean and deviation depend on the ranks")
store("uniform.h5", numpy.full((6, 5, 4), 0.1), 1.0)
done = run("power", "uniform.h5", ranks=2)
check(len(own_lines(done.stderr)) == 1 and "uniform" in done.stderr, done.stderr)
got = columns(measure("nan.h5", "--allow-nonfinite"), "P")[0]
spoilt[1, 2, 3] = numpy.nanmean(spoilt)
store("mended.h5", spoilt, 4.0)
check(numpy.allclose(got, columns(measure("mended.h5"), "P")[0], rtol=1e-12), "--allow-nonfinite")
end()
