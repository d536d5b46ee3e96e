# `mergefft poisson` on fields whose mean is up to 1e14 times the variation about it, of both precisions, solved in each: phi
# has the accuracy of the variation, the mean has the same bits for every number of ranks and size of parts, and a field that
# is uniform to rounding is reported as such.
# TEST labels=apps+command+once timeout=300 needs=jansson
import json

import h5py
import numpy
from command import SMALL, check, end, own_lines, relative, run
from poisson_truth import truth

SHAPE = (12, 10, 14)
BOX = (2.0, 1.5, 3.0)
random = numpy.random.default_rng(11)
noise = random.standard_normal(SHAPE)


def store(path, field):
    with h5py.File(path, "w") as file:
        file["rho"] = field
        file["rho"].attrs["BoxSize"] = BOX


def solve(path, *options, ranks=0):
    done = run("poisson", path, "-o", "out.h5", *options, "--timing", "-", ranks=ranks)
    with h5py.File("out.h5") as file:
        return json.loads(done.stdout), file["phi"][...], own_lines(done.stderr)


# The bound of phi is that of a field without a mean.
BOUNDS = {"double": 1e-15, "single": 5e-7, "half": 2e-3}
for case, (stored, mean) in enumerate((("f8", 1e2), ("f8", 1e5), ("f8", 1e7), ("f8", -1e12), ("f8", 1e14), ("f4", 1e3), ("f4", -1e5))):
    field = (mean + noise).astype(stored)
    store("in.h5", field)
    (want,), exact = truth(field.astype(float), BOX), float(field.astype(numpy.longdouble).mean())
    for i, (precision, bound) in enumerate(BOUNDS.items()):
        ranks, part = (case + i) % 4, (32, 0.001)[(case + i) % 2]
        words = f"{stored} of mean {mean} in {precision} on {ranks}"
        result, phi, notes = solve("in.h5", "-p", precision, "--part", part, ranks=ranks)
        check(relative(phi, want) < bound, f"{words}: phi is off by {relative(phi, want)}")
        check(0 < result["residual"] <= 4 * result["residual_explained"], f"{words}: residual {result['residual']}")
        check(abs(result["mean"] - exact) <= numpy.spacing(abs(exact)), f"{words}: mean {result['mean']}, want {exact}")
        check(abs(result["rms"] / field.astype(numpy.longdouble).std() - 1) < 1e-6, f"{words}: rms {result['rms']}")
        rounded = abs(mean) * (2.0**-53 if stored == "f8" else 2.0**-24) > 1e-3
        check(len(notes) == rounded and all("the file rounds" in n for n in notes), f"{words}: {notes}")

# The same bits of mean and rms on any number of ranks, in any parts.
store("in.h5", 1e3 + noise)
facts = {(r["mean"], r["rms"]) for r in (solve("in.h5", "--part", part, ranks=ranks)[0]
                                         for ranks, part in ((0, 32), (2, 32), (3, 0.001), (5, 0.0001)))}
check(len(facts) == 1, f"mean and rms: {facts}")

# Fields of `gen` at high redshifts.
run("gen", "-o", "ic.h5", "-n", 32 if SMALL else 128, "-L", 2000, "-z", 200, "--mean", 1, "--seed", 3)
run("poisson", "ic.h5", "-o", "out.h5", ranks=2)

# Uniform, and uniform to rounding.
spacing = numpy.where(random.random(SHAPE) < 0.5, 0, 1)
for stored in ("f8", "f4"):
    tenth = numpy.full(SHAPE, 0.1, stored)
    for field in (tenth, tenth + (spacing * numpy.spacing(tenth[0, 0, 0])).astype(stored), numpy.zeros(SHAPE, stored)):
        store("in.h5", field)
        for precision, ranks in (("double", 0), ("single", 2)) if field[0, 0, 0] else (("half", 3),):
            result, phi, notes = solve("in.h5", "-p", precision, ranks=ranks)
            words = f"{stored} {field.std()} in {precision}"
            check(len(notes) == 1 and "uniform" in notes[0] and not phi.any() and result["residual"] == 0, f"{words}: {notes}")

# Values that are not finite count as the mean of the others, also if that mean is removed before rounding.
for mean in (0, 1e9):
    field = mean + noise
    field[3, 4, 5], field[7, 0, 13] = numpy.nan, numpy.inf
    store("in.h5", field)
    field[3, 4, 5] = field[7, 0, 13] = mean + (field - mean)[numpy.isfinite(field)].mean()
    want = truth(field, BOX)[0]
    for precision, ranks in (("double", 2), ("single", 0), ("half", 3)):
        result, phi, notes = solve("in.h5", "-p", precision, "--allow-nonfinite", ranks=ranks)
        check(relative(phi, want) < 2 * BOUNDS[precision] and result["nonfinite"] == 2 and len(notes) == 1,
              f"NaN at mean {mean} in {precision}: {relative(phi, want)} {notes}")
end()
