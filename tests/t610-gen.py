# `mergefft gen`: every kind against numpy, the same for every number of ranks, attributes, and its errors.
# TEST labels=apps+command+once timeout=300
import os
import re

import h5py
import numpy
from command import check, end, own_lines, relative, run, wave_numbers
from linear_power import power


def load(path, name="delta"):
    with h5py.File(path) as file:
        return file[name][...]


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

# A table of the same spectrum makes the same field: at redshift 0, at another one, and with another amplitude and sigma8.
def write_table(path, rows, columns="# k [h/Mpc]  P(k) [(Mpc/h)^3]", line=lambda k, p: f"  {k:.12E}   {p:.12E}"):
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join([columns] + [line(k, p) for k, p in rows]) + "\n")


k = numpy.geomspace(1e-4, 10, 1001)
run("gen", "-o", "formula.h5", "-n", 24, "-L", 150, "-z", 2, "--omega-m", .3)
want = load("formula.h5")
for name, scale, more, ranks in (("now", 1, (), 0), ("then", 1 / 1.634506**2, ("--spectrum-z", 1), 3), ("other", 7, ("--sigma8", .81), 2)):
    write_table(f"{name}.txt", zip(k, scale * power(k, .3)))
    done = run("gen", "-o", "table.h5", "-n", 24, "-L", 150, "-z", 2, "--omega-m", .3, "--spectrum", f"{name}.txt", *more, ranks=ranks)
    check(relative(load("table.h5"), want) < 2e-5, f"the table {name}: {relative(load('table.h5'), want)}")
    words = re.match(r"(\S+): 1001 rows, k from 0\.0001 to 10 h/Mpc at redshift [01]; sigma8 at redshift 0 is (\S+)\n", done.stdout)
    check(words and words[1] == f"{name}.txt" and abs(float(words[2]) - .81) < 1e-4, done.stdout)
with h5py.File("table.h5") as file:
    check("Omega_m" in file["Header"].attrs and "n_s" not in file["Header"].attrs, "attributes of a table")
# Comments, empty lines, tabs and line ends of other systems; k from the first wave of the box to the corners of k-space.
write_table("short.txt", zip(k[500:], power(k[500:], .3)), "\r\n# CLASS\r\n", lambda k, p: f"\t{k:.9e}\t{p:.9e} # row\r\n\r")
run("gen", "-o", "table.h5", "-n", 24, "-L", 150, "-z", 2, "--omega-m", .3, "--spectrum", "short.txt")
check(relative(load("table.h5"), want) < 2e-5, "a table with comments")

# Tables that are refused, with line and value.
for text, words in (("1e-3 1\n0 2\n", "line 2: k is 0;"), ("# c\n\n1e-3 -4\n", "line 3: P is -4;"), ("1e-3 1\n2e-3 2\n2e-3 3\n", "line 3: k is 0.002 after 0.002;"),
                    ("1e-3 1\n-3 2\n", "line 2: k is -3;"), ("1e-3 1 2 3\n", "line 1 has 4 columns;"), ("1e-3\n", "line 1 has 1 column;"),
                    ("1e-3 1\nk P\n", "line 2 is 'k P';"), ("1e-3 nan\n", "line 1: P is nan;"), ("1e-3 1x\n", "line 1 is '1e-3 1x';"), ("inf 1\n", "line 1: k is inf;"),
                    ("1e-3 1\n", "it has 1 row;"), ("# empty\n", "it has 0 rows;"), ("1e-3 1\0\n2 1\n", "no text"),
                    ("0.05 1\n10 1\n", "the mesh has waves from 0.0418879"), ("1e-3 1\n0.8 1\n", "the mesh has waves from 0.0418879")):
    with open("wrong.txt", "w", encoding="utf-8") as file:
        file.write(text)
    done = run("gen", "-o", "never.h5", "-n", 24, "-L", 150, "--spectrum", "wrong.txt", code=1, ranks=2 if "columns" in words else 0)
    check(len(own_lines(done.stderr)) == 1 and "wrong.txt" in done.stderr and words in done.stderr, f"{text!r}: {done.stderr}")
run("gen", "-o", "never.h5", "-n", 24, "-L", 150, "--spectrum", "short.txt")
os.remove("never.h5")
for code, more, words in ((1, ("--spectrum", "short.txt", "--sigma8", .8), "sigma8 needs"), (1, ("--spectrum", "missing.txt"), "cannot read the table 'missing.txt'"),
                          (2, ("--spectrum-z", 1), "needs --spectrum"), (2, ("--kind", "white", "--spectrum", "short.txt"), "only a field of --kind gaussian")):
    done = run("gen", "-o", "never.h5", "-n", 24, "-L", 150, *more, code=code)
    check(len(own_lines(done.stderr)) == 1 and words in done.stderr, done.stderr)

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
    run("gen", "-o", "u.h5", "-n", "12x10x9", "--kind", "uniform", "-A", .5, "--mean", 8, "-p", "single", "--value-unit", "kg",
        ranks=ranks)
    got = load("u.h5")
    check(got.dtype == numpy.dtype("<f4") and (got == 12).all(), "uniform")
    with h5py.File("u.h5") as file:
        check(file["delta"].attrs["units"] in ("kg", b"kg"), "units")
        check(list(file["delta"].attrs["BoxSize"].ravel()) in ([1000], [1000] * 3), "BoxSize")

done = run("gen", "-o", "huge.h5", "-n", 8, "--kind", "uniform", "-A", 1.7e308, ranks=2)  # sums overflow, the mean does not
check("mean 1.7e+308, standard deviation 0," in done.stdout, done.stdout)

# Errors: one line, the right exit code, and no new files.
files_before = sorted(os.listdir("."))
done = run("gen", "-o", "no/such/folder/x.h5", "-n", 8, ranks=3, code=1)
check(len(own_lines(done.stderr)) == 1 and "no/such/folder" in done.stderr, done.stderr)
for wrong in (["--omega-b", .5], ["--kind", "plane-wave", "--mode", "1,0"], ["--kind", "plane-wave", "--mode", "5,0,0"],
              ["--kind", "point", "--cell", "0,8,0"], ["--kind", "point", "--cell", "0,0.5,0"], ["--grid", "2"],
              ["--n", "8x8"], ["--boxsize", "1,2"], ["--omega-lambda", 5]):
    done = run("gen", "-o", "never.h5", "-n", 8, *wrong, code=2)
    check(len(own_lines(done.stderr)) == 1 and wrong[-2][2:] in done.stderr, done.stderr)
for beyond in (["--kind", "white", "-A", 1e200], ["--kind", "white", "-A", 1e-200]):  # squares overflow and underflow
    done = run("gen", "-o", "never.h5", "-n", 8, *beyond, ranks=2, code=1)
    check(len(own_lines(done.stderr)) == 1 and "other units" in done.stderr, done.stderr)
done = run("gen", "-o", "never.h5", "-n", 8, "--kind", "uniform", "-A", 1e-40, "-p", "single", ranks=2, code=1)
check(len(own_lines(done.stderr)) == 1 and "too small for single" in done.stderr, done.stderr)
done = run("gen", "-o", "never.h5", "-n", 8, "--grid", "5x7", ranks=2, code=1)
check(len(own_lines(done.stderr)) == 1, done.stderr)
check(sorted(os.listdir(".")) == files_before, f"files remain: {set(os.listdir('.')) - set(files_before)}")
end()
