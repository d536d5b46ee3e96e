# `mergefft poisson --boundary open`: a Gaussian charge to 1e-12 by the truncated kernel, in boxes that are no cubes; hockney by
# direct sums, and its order; a uniform sphere; ranks; what is refused.
# TEST labels=apps+command+once timeout=200 needs=jansson
import json
from math import erf, pi

import h5py
import numpy
from command import check, end, relative, run, soon


def solve(field, box, *options, ranks=0, expect=0, name=""):
    with h5py.File(f"in{name}.h5", "w") as file:
        file["rho"] = field
        file["rho"].attrs["BoxSize"] = box
    done = run("poisson", f"in{name}.h5", "-o", f"out{name}.h5", "--boundary", "open", *options, "--timing", "-", ranks=ranks, code=expect)
    if expect:
        return done
    with h5py.File(f"out{name}.h5") as file:
        return file["phi"][...], json.loads(done.stdout)


def centres(shape, box, about):
    """Distances of the centres of cells from a point."""
    x, y, z = ((numpy.arange(n) + 0.5) * length / n - c for n, length, c in zip(shape, box, about))
    return (x[:, None, None]**2 + y[None, :, None]**2 + z[None, None, :]**2)**0.5


def gaussian(shape, box, about, sigma):
    """A Gaussian charge of mass 1, and its phi."""
    r = centres(shape, box, about)
    rho = numpy.exp(-r**2 / (2 * sigma**2)) / (2 * pi * sigma**2)**1.5
    return rho, -numpy.vectorize(erf)(r / (2**0.5 * sigma)) / (4 * pi * r)


# Spectral accuracy, far from the centre of the box too; two charges of unlike signs on several ranks.
for shape, box, sigma, ranks, options in (((48, 48, 48), (1.0, 1.0, 1.0), 0.055, 0, ()), ((48, 44, 60), (1.0, 0.9, 1.25), 0.05, 3, ()),
                                          ((48, 24, 24), (2.0, 1.0, 1.0), 0.084, 2, ("-p", "single"))):
    rho, phi = gaussian(shape, box, [0.47 * length for length in box], sigma)
    if ranks == 3:
        other = gaussian(shape, box, [0.52 * length for length in box], sigma)
        rho, phi = rho - 3 * other[0], phi - 3 * other[1]
    got, told = solve(rho, box, "--coefficient", 2, *options, ranks=ranks)
    error, bound = relative(got, 2 * phi), 1e-6 if options else 1e-12
    check(error < bound, f"a Gaussian on {shape}: phi is {error} from the truth")
    check(told["boundary"] == "open" and told["residual"] is None, f"the report says {told['boundary']}, {told['residual']}")

# hockney is a sum over cells, with the lattice's value in its own place: a cube's is 2.8372974794806 / h (Ewald).
shape, box = (5, 4, 6), (1.0, 0.8, 1.2)
field = numpy.random.default_rng(3).standard_normal(shape) + 1
points = numpy.stack(numpy.meshgrid(*((numpy.arange(n) + 0.5) * length / n for n, length in zip(shape, box)), indexing="ij"), -1).reshape(-1, 3)
r = numpy.linalg.norm(points[:, None] - points[None], axis=2)
kernel = -numpy.where(r > 0, 1 / numpy.where(r > 0, r, 1), 2.8372974794806472 / 0.2) / (4 * pi) * 0.2**3
want = (kernel @ field.ravel()).reshape(shape)
for ranks in (0, 4):
    got, _ = solve(field, box, "--open-kernel", "hockney", ranks=ranks)
    check(relative(got, want) < 1e-14, f"hockney on {ranks}: phi is {relative(got, want)} from direct sums")
got, _ = solve(field, box, "--open-kernel", "hockney", "-p", "single")
check(relative(got, want) < 1e-6, "hockney in single precision")

errors = []
for n in (16, 32):
    rho, phi = gaussian((n, n + 2, n), (1.0, 1.0, 1.2), (0.5, 0.48, 0.6), 0.1)
    errors.append(abs(solve(rho, (1.0, 1.0, 1.2), "--open-kernel", "hockney")[0] - phi).max())
rate = numpy.log2(errors[0] / errors[1])
check(3.5 < rate < 5.5, f"hockney: errors {errors} fall by order {rate}")

# A uniform sphere, whose edge the mesh cannot resolve: errors fall by order 1 at least, from a small one.
errors = []
for n in (16, 32):
    r = centres((n, n, n), (1.0, 1.0, 1.0), (0.5, 0.5, 0.5))
    # The share of a cell within the sphere, from 4^3 points of it.
    fine = (centres((4 * n,) * 3, (1.0, 1.0, 1.0), (0.5, 0.5, 0.5)) < 0.3).reshape(n, 4, n, 4, n, 4).mean((1, 3, 5))
    phi = numpy.where(r < 0.3, (r**2 - 3 * 0.3**2) / 6, -0.3**3 / (3 * r))
    errors.append(relative(solve(fine, (1.0, 1.0, 1.0))[0], phi))
check(errors[0] < 1e-2 and errors[1] < errors[0] / 2, f"a uniform sphere: errors {errors}")

for options, words in ((("--gradient", "fd4"), "--gradient needs"), (("--greens", "fd2"), "--greens, --deconvolve and --asmth"),
                       (("--field", "density"), "--field density"), (("--boundary", "open,open,periodic"), "--boundary is 'open,open,periodic'")):
    done = solve(field, box, *options, expect=2)
    check(words in done.stderr, f"{options}: {done.stderr}")
end()
