# `mergefft poisson`: every kernel on meshes and boxes that are not cubes against numpy, for several numbers of ranks;
# precisions; residual; plane waves; the Gaussian of AMReX's test; densities and contrasts; what is refused.
# TEST labels=apps+command+once timeout=300 needs=jansson
import json
import os
from math import pi

import h5py
import numpy
from command import SMALL, check, end, own_lines, relative, run, sampled, soon
from poisson_truth import truth


def store(path, field, box=None, name="delta", redshift=None):
    with h5py.File(path, "w") as file:
        file[name] = field
        if box is not None:
            file[name].attrs["BoxSize"] = box
        if redshift is not None:
            file[name].attrs["Redshift"] = redshift


def load(path, *names):
    with h5py.File(path) as file:
        fields = [file[name][...] for name in names]
    return fields if len(fields) > 1 else fields[0]


def solve(path, *options, ranks=0, output="out.h5"):
    text = run("poisson", path, "-o", output, *options, "--timing", "-", ranks=ranks).stdout
    return json.loads(text)


def stencil(phi, box, order):
    weights = {2: (-2, 1), 4: (-5 / 2, 4 / 3, -1 / 12)}[order]
    out = 0
    for a, length in enumerate(box):
        h = length / phi.shape[a]
        out = out + weights[0] * phi / h**2
        for d, w in enumerate(weights[1:], 1):
            out = out + w * (numpy.roll(phi, d, a) + numpy.roll(phi, -d, a)) / h**2
    return out


NAMES = ("phi", "force_x", "force_y", "force_z")
random = numpy.random.default_rng(7)

# Every option against the formulas.
MESHES = (((12, 9, 16), (3.0, 2.7, 2.0)), ((7, 6, 9), (1.0, 5.0, 2.5)), ((16, 1, 17), (4.0, 1.0, 3.0)))
for shape, box in MESHES[:1] if SMALL else MESHES:
    field = random.standard_normal(shape) + 2
    store("in.h5", field, box)
    case = 0
    for greens in ("spectral", "fd2", "fd4"):
        for gradient in ("none", "spectral", "fd4"):
            times, assign, asmth = ((0, 1, 0), (1, 1, 0), (2, 2, 1.25), (2, 3, 0.5), (0, 0, 2.0), (1, 0, 0))[case % 6]
            ranks = (0, 2, 3, 5)[case % 4]
            case += 1
            want = truth(field, box, -2.5, greens, gradient, times, assign + 1, asmth)
            result = solve("in.h5", "--coefficient", -2.5, "--greens", greens, "--gradient", gradient, "--deconvolve", times, "--assign",
                           ("ngp", "cic", "tsc", "pcs")[assign], "--asmth", asmth, ranks=ranks)
            words = f"{shape} {greens} {gradient} {times} {assign} {asmth} on {ranks}"
            bound = 2e-14 * max(1, 0.1 / truth.left)  # rounding of the source relative to the part that the kernel does not damp
            got = load("out.h5", *NAMES) if gradient != "none" else [load("out.h5", "phi")]
            for name, g, w in zip(NAMES, got, want):
                if abs(w).max() > 0:
                    check(relative(g, w) < bound, f"{words}: {name} is {relative(g, w)} from the truth")
                else:
                    check(abs(g).max() <= 1e-14 * abs(want[0]).max(), f"{words}: {name} is not zero")
            check(0 < result["residual"] <= 4 * result["residual_explained"] < 1e-8, f"{words}: {result['residual']}")
            with h5py.File("out.h5") as file:
                check(set(file) - {"Header", "Checksum"} == set(NAMES[:len(want)]), f"{words}: {list(file)}")
                check(tuple(file["phi"].attrs["BoxSize"]) == box, "BoxSize")

# Grids, transports and chunks do not change the result; --boxsize takes precedence over the file.
field = random.standard_normal((10, 12, 14))
store("in.h5", field, 1.0)
want = truth(field, (2.0, 3.0, 4.0), gradient="spectral")
for options in (["--grid", "2x2"], ["--grid", "1x4"], ["--grid", "4x1"], ["--transport", "alltoallv"], ["--chunks", 3],
                ["--effort", "measure"], ["--backend", "ref"], ["-T"]):
    solve("in.h5", "-L", "2,3,4", "--gradient", "spectral", *options, ranks=4)
    for name, w in zip(NAMES, want):
        check(relative(load("out.h5", name), w) < 2e-14, f"{options} {name}")

# A plane wave through `gen`: phi = -A cos(k x) / k^2, force = -A k sin(k x) / k^2.
run("gen", "-o", "wave.h5", "-n", "16x24x20", "-L", "2,3,5", "--kind", "plane-wave", "--mode", "3,0,-2", "-A", 0.5)
solve("wave.h5", "--gradient", "spectral", ranks=3)
k = 2 * pi * numpy.array((3 / 2, 0, -2 / 5))
x, y, z = numpy.meshgrid(*[numpy.arange(n) * length / n for n, length in ((16, 2), (24, 3), (20, 5))], indexing="ij")
phase = k[0] * x + k[2] * z
phi, fx, fy, fz = load("out.h5", *NAMES)
check(relative(phi, -0.5 * numpy.cos(phase) / (k @ k)) < 1e-14, "phi of a plane wave")
check(relative(fx, -0.5 * k[0] * numpy.sin(phase) / (k @ k)) < 1e-14, "force_x of a plane wave")
check(relative(fz, -0.5 * k[2] * numpy.sin(phase) / (k @ k)) < 1e-14 and abs(fy).max() < 1e-16, "force of a plane wave")

# AMReX Tests/FFT/Poisson: a Gaussian on 64 x 32 x 128, solved for the 7-point Laplacian to rounding.
x, y, z = numpy.meshgrid(*[(numpy.arange(n) + 0.5) / n - 0.5 for n in (64, 32, 128)], indexing="ij")
rho = numpy.exp(-10 * (1.05 * x**2 + 0.9 * y**2 + z**2))
store("gauss.h5", rho, (1.0, 1.0, 1.0))
for greens, order in (("fd2", 2), ("fd4", 4)):
    result = solve("gauss.h5", "--greens", greens, ranks=2)
    rest = stencil(load("out.h5", "phi"), (1, 1, 1), order) - (rho - rho.mean())
    check(abs(rest).max() < 2e-11 * abs(rho).max(), f"{greens}: the Laplacian is off by {abs(rest).max()}")

# The residual is that of the stored result, within the accuracy of its estimate.
noise = random.standard_normal((24, 20, 28)).astype("f4")
store("noise.h5", noise, (1.0, 1.0, 2.0))
for precision in ("single", "half"):
    result = solve("noise.h5", "--greens", "fd2", "-p", precision, "--asmth", 0, ranks=2)
    rest = stencil(load("out.h5", "phi").astype(float), (1, 1, 2), 2) - (noise.astype(float) - noise.mean(dtype=float))
    actual = numpy.linalg.norm(rest) / numpy.linalg.norm(noise)
    check(0.4 < result["residual"] / actual < 2.5, f"{precision}: residual {result['residual']}, actual {actual}")

# Precisions: the file's by default; half handles huge, tiny and offset fields, a spike and a single wave.
check(load("out.h5", "phi").dtype == numpy.float32, "half is stored as single")
solve("noise.h5")
check(load("out.h5", "phi").dtype == numpy.float32, "a single field gives single results")
solve("noise.h5", "-p", "double")
check(load("out.h5", "phi").dtype == numpy.float64, "double was requested")
spike = numpy.zeros((24, 20, 28), "f4")
spike[3, 4, 5] = 1
wave = numpy.broadcast_to(numpy.cos(2 * pi * numpy.arange(28) / 28), spike.shape).astype("f4")
for name, field in (("noise", noise), ("huge", noise * numpy.float32(1e30)), ("tiny", noise * numpy.float32(1e-30)),
                    ("offset", 1000 + noise), ("spike", spike), ("wave", wave))[::3 if SMALL else 1]:
    store("half.h5", field, (1.0, 1.0, 2.0))
    want = truth(field.astype(float), (1.0, 1.0, 2.0), gradient="spectral")
    for precision, bound in (("half", 2e-3), ("single", 5e-7)):
        solve("half.h5", "-p", precision, "--gradient", "spectral", ranks=2)
        got = load("out.h5", *NAMES)
        whole = relative(numpy.stack(got[1:]), numpy.stack(want[1:]))
        check(relative(got[0], want[0]) < bound, f"{name} in {precision}: phi {relative(got[0], want[0])}")
        check(whole < bound, f"{name} in {precision}: force {whole}")

# An axis whose dense operator would take hours is solved without the residual; a stencil is checked.
store("long.h5", field := random.standard_normal((65540, 1, 2)), (4.0, 1.0, 1.0))
done = run("poisson", "long.h5", "-o", "out.h5")
check("65540 cells" in done.stderr and "residual" not in done.stdout, f"{done.stdout}{done.stderr}")
check(relative(load("out.h5", "phi"), truth(field, (4.0, 1.0, 1.0))[0]) < 1e-13, "a long axis")
check(solve("long.h5", "--greens", "fd4")["residual"] < 1e-6, "a long axis by a stencil")

# A field without structure has no potential.
store("flat.h5", numpy.full((6, 5, 4), 0.1), 1.0)
result = solve("flat.h5", "--gradient", "fd4", ranks=2)
check(all(not f.any() for f in load("out.h5", *NAMES)) and result["residual"] == 0, "uniform field")

# A density is divided by its mean; with cosmological units the mean must be that of the named kind of field.
contrast = random.standard_normal((8, 6, 10)) * 0.3
contrast -= contrast.mean()
store("contrast.h5", contrast, 50.0, redshift=0.0)
store("density.h5", 1e10 * (1 + contrast), 50.0, redshift=0.0)
store("negative.h5", -1 - contrast, 50.0, redshift=0.0)
COSMO = ("--units", "cosmo", "--omega-m", 0.3)
want = truth(contrast, (50.0,) * 3, 1.5 * 0.3 * 1e4)[0]
for name, kind in (("contrast", []), ("contrast", ["--field", "contrast"]), ("density", ["--field", "density"])):
    for options in ([], ["-p", "half"]):
        result = solve(f"{name}.h5", *COSMO, *kind, *options, ranks=2 if options else 0)
        error = relative(load("out.h5", "phi"), want)
        check(error < (1e-3 if options else 1e-14) and result["field"] == name, f"{name} {kind} {options}: {error}, {result['field']}")
        with h5py.File("out.h5") as file:
            header = dict(file["Header"].attrs)
        check(("DensityMean" in header) == (name == "density") and abs(header["PoissonCoefficient"] / 4500 - 1) < 1e-15, f"{header}")
check(abs(header["DensityMean"] / 1e10 - 1) < 1e-15, f"{header}")
text = run("poisson", "density.h5", "-o", "out.h5", *COSMO, "--field", "density").stdout
check("laplacian(phi) = 4500 (field / mean - 1), spectral" in text, text)
text = run("poisson", "contrast.h5", "-o", "out.h5", *COSMO).stdout
check("laplacian(phi) = 4500 field, taken as a density contrast, spectral" in text, text)
solve("density.h5", "--field", "density", "--coefficient", 2)  # without units, too
check(relative(load("out.h5", "phi"), truth(contrast, (50.0,) * 3, 2)[0]) < 1e-14, "a density without units")
for name, options, words in (("density", COSMO, "--field density"), ("density", (*COSMO, "--field", "contrast"), "1e+10"),
                             ("contrast", (*COSMO, "--field", "density"), "--field contrast"),
                             ("contrast", ("--field", "density"), "--field contrast"),
                             ("negative", COSMO, "--field density"), ("negative", ("--field", "density"), "positive")):
    done = run("poisson", f"{name}.h5", "-o", "none.h5", *options, ranks=2, code=1)
    check(len(own_lines(done.stderr)) == 1 and words in done.stderr and not os.path.exists("none.h5"), f"{name} {options}: {done.stderr}")

# Cosmological units.
store("z1.h5", field := random.standard_normal((8, 8, 8)), 50.0, redshift=1.0)
want = truth(field, (50.0,) * 3, 1.5 * 0.3 * 1e4 * 2)[0]
solve("z1.h5", "--units", "cosmo", "--omega-m", 0.3)
check(relative(load("out.h5", "phi"), want) < 1e-14, "a from the redshift of the file")
solve("z1.h5", "--units", "cosmo", "--omega-m", 0.3, "--scale-factor", 0.25)
check(relative(load("out.h5", "phi"), 2 * want) < 1e-14, "a from the option")
with h5py.File("out.h5") as file:
    header = dict(file["Header"].attrs)
    check(header["Omega_m"] == 0.3 and abs(header["PoissonCoefficient"] / (1.5 * 0.3 * 1e4 / 0.25) - 1) < 1e-15, f"{header}")
    check(header["TransformBits"] == 64 and header["LaplacianOrder"] == header["GradientOrder"] == header["Asmth"] == 0, f"{header}")
    check(file["phi"].attrs["Redshift"] == 1 and file["phi"].attrs["units"] in (b"(km/s)^2", "(km/s)^2"), "attributes")

run("poisson", "z1.h5", "-o", "out.h5", "-p", "half", "--greens", "fd2", "--gradient", "fd4", "--deconvolve", 2, "--assign", "tsc",
    "--asmth", 1.25)
with h5py.File("out.h5") as file:
    header = dict(file["Header"].attrs)
    want = {"TransformBits": 16, "LaplacianOrder": 2, "GradientOrder": 4, "WindowOrder": 3, "Deconvolved": 2, "Asmth": 1.25}
    check({name: header.get(name) for name in want} == want and "Omega_m" not in header, f"{header}")

# The window of mass assignment is the one that the file states, for each of several files.
store("tsc.h5", field, 50.0)
with h5py.File("tsc.h5", "r+") as file:
    file["delta"].attrs["WindowOrder"] = 3
run("poisson", "z1.h5", "tsc.h5", "-o", "{}-phi.h5", "--deconvolve", 2)
for name, order in (("z1", 2), ("tsc", 3)):
    want = truth(field, (50.0,) * 3, 1, "spectral", "none", 2, order, 0)[0]
    check(relative(load(f"{name}-phi.h5", "phi"), want) < 2e-13, f"{name} is not divided by the window of order {order}")
done = run("poisson", "tsc.h5", "-o", "none.h5", "--deconvolve", 1, "--assign", "cic", code=1)
check("--assign is cic, and 'tsc.h5' was made by tsc" in done.stderr and not os.path.exists("none.h5"), done.stderr)
run("poisson", "tsc.h5", "-o", "out.h5", "--deconvolve", 1, "--assign", "tsc")
for name, value in (("WindowOrder", 5), ("WindowOrder", 2.5), ("WindowOrder", float("nan")), ("Interlacing", -1), ("Centered", 2),
                    ("ShotNoise", -1.0)):
    store("odd.h5", field, 50.0)
    with h5py.File("odd.h5", "r+") as file:
        file["delta"].attrs[name] = value
    done = run("poisson", "odd.h5", "-o", "none.h5", ranks=0 if SMALL else 2, code=1)
    check(f"attribute {name} is {value:g}, and must be" in done.stderr and not os.path.exists("none.h5"), done.stderr)

# Omega_m is that of the file, unless the option replaces it, which is said.
store("omega.h5", field, 50.0, redshift=1.0)
with h5py.File("omega.h5", "r+") as file:
    file.create_group("Header").attrs["Omega_m"] = 0.25
want = truth(field, (50.0,) * 3, 1.5 * 0.25 * 1e4 * 2)[0]
for options in ([], ["--untrusted"]):
    solve("omega.h5", "--units", "cosmo", *options)
    check(relative(load("out.h5", "phi"), want) < 1e-14, f"Omega_m of the file {options}")
with h5py.File("out.h5") as file:
    check(file["Header"].attrs["Omega_m"] == 0.25, "Omega_m of the results")
done = run("poisson", "omega.h5", "-o", "out.h5", "--units", "cosmo", "--omega-m", 0.5, "--scale-factor", 0.25)
check(relative(load("out.h5", "phi"), 4 * want) < 1e-14 and "--omega-m is 0.5, and Omega_m of 'omega.h5' is 0.25" in done.stderr
      and "--scale-factor is 0.25, and Redshift of 'omega.h5' is 1" in done.stderr, done.stderr)
with h5py.File("omega.h5", "r+") as file:
    file["Header"].attrs["Omega_m"] = -0.3
done = run("poisson", "omega.h5", "-o", "none.h5", "--units", "cosmo", code=1)
check("Omega_m of 'omega.h5' is -0.3" in done.stderr and not os.path.exists("none.h5"), done.stderr)

# The report.
text = run("poisson", "z1.h5", "-o", "out.h5", "--timing", "t.json", ranks=2).stdout
for words in ("residual |laplacian(phi) - rhs| / |rhs| = ", "read", "pack", "exchange", "fft", "green", "write", "of rank"):
    check(words in text, f"'{words}' is not in {text}")
with open("t.json") as file:
    t = json.load(file)
check([p["name"] for p in t["phases"]][-1] == "total" and all(p["rank"] in (0, 1) for p in t["phases"]), "phases")
check(sum(p["mean_s"] for p in t["phases"][:-1]) <= t["total_s"] * 1.2, f"phases beyond the total: {t}")
check(t["n"] == [8, 8, 8] and t["ranks"] == 2 and t["memory_bytes"] > 0, "layout")
check(run("poisson", "z1.h5", "-o", "out.h5", "--no-check").stdout.find("residual") < 0, "--no-check")

done = run("poisson", "z1.h5", "-o", "out.h5", "--progress", "-T", "--wisdom", "tuned.txt", ranks=2)
check("solving" in done.stderr and os.path.getsize("tuned.txt") > 0, f"--progress, --wisdom: {done.stderr}")
run("poisson", "z1.h5", "-o", "out.h5", "-T", "--wisdom", "tuned.txt", ranks=2)
check(run("poisson", "z1.h5", "-o", "out.h5", ranks=2).stderr == "", "quiet without a terminal")

# Refusals, in one line, without a change to an older result.
spoilt = field.copy()
spoilt[1, 2, 3] = numpy.nan
store("nan.h5", spoilt, 50.0)
store("huge.h5", field * 1e200, 50.0)
store("tiny.h5", field * 1e-200, 50.0)
store("plain.h5", field)
store("plane.h5", field[0], 1.0)
store("zigzag.h5", numpy.where(numpy.indices((8, 8, 8)).sum(0) % 2, 1e-200, -1e-200), 50.0)  # of mean 0
store("huge60.h5", field * 1e60, 50.0)
store("tiny60.h5", field * 1e-60, 50.0)
for name, z in (("zero", -1.0), ("minus", -2.0), ("end", -1 + 1e-12)):
    store(f"z-{name}.h5", field, 50.0, redshift=z)
for name, box in (("large", 1e200), ("denormal", 1e-310), ("flat", (1.0, 1e-31, 1.0))):
    store(f"box-{name}.h5", field, box)
for name, where in (("own", "delta"), ("header", "Header")):
    store(f"mesh-{name}.h5", field, 50.0)
    with h5py.File(f"mesh-{name}.h5", "r+") as file:
        file.require_group("Header").attrs["Note"] = 1
        file[where].attrs["Nmesh"] = 16
before = os.stat("out.h5").st_mtime_ns
refused = []
for arguments, code, words in sampled(((["nan.h5"], 1, "NaN"), (["nan.h5"], 1, "1,2,3"), (["absent.h5"], 1, "absent.h5"),
                               (["plain.h5"], 1, "--boxsize"), (["plane.h5"], 1, "2 axes"), (["z1.h5", "-d", "x"], 1, "dataset x"),
                               ([], 2, "IN.h5"), (["z1.h5", "z1.h5"], 2, "2 fields"), (["z1.h5", "-L", "1,2"], 2, "-L 1,2"),
                               (["huge.h5"], 1, "too large"), (["tiny.h5"], 1, "too small"),
                               (["zigzag.h5"], 1, "too small"), (["huge60.h5", "-p", "single"], 1, "too large for single"),
                               (["tiny60.h5", "-p", "single"], 1, "too small for single"),
                               (["tiny60.h5", "-p", "half"], 1, "too small for single"),
                               (["z1.h5", "--coefficient", 1e307], 1, "--coefficient"),
                               (["z1.h5", "-L", 1, "--coefficient", 1e307], 1, "the Laplacian of phi is too large"),
                               (["z1.h5", "-L", 1, "-p", "single", "--boundary", "dirichlet", "--coefficient", 1e-36], 1, "phi is too small"),
                               (["z1.h5", "-L", 1, "-p", "single", "--boundary", "open", "--coefficient", 5e-36], 1, "phi is too small"),
                               (["z1.h5", "--coefficient", 1e300, "-p", "single"], 1, "--coefficient"),
                               (["z1.h5", "--coefficient", 1e300, "-p", "half", "--no-check"], 1, "smaller --coefficient"),
                               (["z1.h5", "--coefficient", 1e307, "--no-check"], 1, "smaller --coefficient"),
                               (["z1.h5", "--coefficient", 1e-310], 1, "too small"), (["z1.h5", "--coefficient", 1e-60, "-p", "single"], 1, "too small"),
                               (["z1.h5", "--coefficient", 1e-40, "-p", "single", "--no-check"], 1, "larger --coefficient"),
                               (["z1.h5", "--coefficient", 1e-60, "-p", "half", "--no-check", "--asmth", 0.1], 1, "larger --coefficient"),
                               (["z1.h5", "-L", 1e10, "--coefficient", 1e-55, "-p", "single", "--gradient", "spectral"], 1, "the force is too small"),
                               (["z-zero.h5", *COSMO], 1, "Redshift of 'z-zero.h5' is -1"), (["z-minus.h5", *COSMO], 1, "--scale-factor"),
                               (["z-end.h5", *COSMO], 1, "--scale-factor"), (["box-large.h5"], 1, "1e+200 along x"),
                               (["box-denormal.h5"], 1, "--boxsize"), (["box-flat.h5"], 1, "1e-31 along y"),
                               (["z1.h5", "-L", "1e31"], 2, "1e+30"), (["mesh-own.h5"], 1, "Nmesh of delta is 16 along axis 0"),
                               (["mesh-header.h5"], 1, "Nmesh of /Header is 16 along axis 0, but dataset delta has length 8"),
                               (["z1.h5", "-L", "0"], 2, "-L 0"), (["z1.h5", "-L", "-1"], 2, "-L -1"),
                               (["z1.h5", "--greens", "fd3"], 2, "spectral|fd2|fd4"), (["z1.h5", "--deconvolve", 3], 2, "0 to 2"),
                               (["z1.h5", "--asmth", "nan"], 2, "--asmth"), (["z1.h5", "-p", "quad"], 2, "half"),
                               (["z1.h5", "--units", "cosmo"], 1, "--omega-m"), (["z1.h5", "--omega-m", 0.3], 2, "--units cosmo"),
                               (["z1.h5", "--units", "cosmo", "--omega-m", 0.3, "--coefficient", 1], 2, "--coefficient"),
                               (["plain.h5", "-L", 1, "--units", "cosmo", "--omega-m", 0.3], 1, "--scale-factor"),
                               (["z1.h5", "--grid", "3x3"], 1, "grid"), (["z1.h5", "--transport", "pigeon"], 1, "pigeon"),
                               (["z1.h5", "--frobnicate"], 2, "--frobnicate"))):
    output = f"refused-{len(refused)}.h5"
    refused.append((arguments, words, output, soon(run, "poisson", *arguments, "-o", output,
                                                   ranks=2 if code == 1 and not SMALL else 0, code=code)))
for arguments, words, output, finish in refused:
    done = finish()
    check(len(own_lines(done.stderr)) == 1 and words in done.stderr and done.stdout == "", f"{arguments}: {done.stderr}")
    check(not os.path.exists(output), f"{arguments}: a file was made")
run("poisson", "z1.h5", "-o", "out.h5", "--coefficient", 1e300, "-p", "single", ranks=2, code=1)
check(os.stat("out.h5").st_mtime_ns == before, "a failed run touched an older result")
for arguments, code, words in ((["z1.h5"], 2, "--output"), (["z1.h5", "-o", "z1.h5"], 2, "input file"),
                               (["z1.h5", "-o", "./z1.h5"], 2, "input file"), (["z1.h5", "-o", "no/out.h5"], 1, "no/")):
    done = run("poisson", *arguments, ranks=2, code=code)
    check(len(own_lines(done.stderr)) == 1 and words in done.stderr, f"{arguments}: {done.stderr}")
if "cuda                   usable" not in run("info").stdout:  # with a GPU the CPU plan is tried after it
    done = run("poisson", "z1.h5", "-o", "out.h5", "--transport", "nccl", ranks=2, code=1)
    check(len(own_lines(done.stderr)) == 1 and "device memory" in done.stderr, done.stderr)
# Fields far from 1 that the precision can hold are solved.
for c in (1e300, -1e-300, 1e-305):
    result = solve("z1.h5", "--coefficient", c)
    check(relative(load("out.h5", "phi") / c, truth(field, (50.0,) * 3)[0]) < 1e-14 and 0 < result["residual"] < 1e-14, f"c = {c}")
solve("z1.h5", "--coefficient", 0, "--gradient", "spectral")
check(not any(f.any() for f in load("out.h5", *NAMES)), "c = 0")
store("checkers.h5", numpy.where(numpy.indices((8, 8, 8)).sum(0) % 2, 1.0, -1.0), 50.0)  # Nyquist modes alone
solve("checkers.h5", "--gradient", "spectral")
check(load("out.h5", "phi").any() and not load("out.h5", "force_x").any(), "a force of Nyquist modes")
for name, options in (("box-large", ["-L", 50]), ("z-zero", [*COSMO, "--scale-factor", 1])):
    solve(f"{name}.h5", *options)
solve("nan.h5", "--allow-nonfinite", ranks=2)
spoilt[1, 2, 3] = numpy.nanmean(spoilt)
check(relative(load("out.h5", "phi"), truth(spoilt, (50.0,) * 3)[0]) < 1e-14, "--allow-nonfinite")
check(not [name for name in os.listdir(".") if "partial" in name], f"files remain: {os.listdir('.')}")
end()
