# `mergefft poisson --boundary open`: a Gaussian charge to 1e-12 by the truncated kernel, in boxes that are no cubes; hockney by
# direct sums, and its order; a uniform sphere; surfaces and wires, with one and two open axes; ranks; what is refused.
# TEST labels=apps+command+once timeout=200 needs=jansson
import json
from math import erf, pi

import h5py
import numpy
from command import check, end, relative, run, soon


def solve(field, box, *options, ranks=0, expect=0, name="", boundary="open"):
    with h5py.File(f"in{name}.h5", "w") as file:
        file["rho"] = field
        file["rho"].attrs["BoxSize"] = box
    done = run("poisson", f"in{name}.h5", "-o", f"out{name}.h5", "--boundary", boundary, *options, "--timing", "-", ranks=ranks, code=expect)
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



def wave_of_plane(q, z, sigma):
    """phi of a Gaussian sheet of charge 1 across z that varies like a wave q along the sheet, but for the factor of the wave."""
    error = numpy.vectorize(erf)
    if q == 0:
        return z / 2 * error(z / (2**0.5 * sigma)) + sigma / (2 * pi)**0.5 * numpy.exp(-z**2 / (2 * sigma**2))
    sides = sum(numpy.exp(sign * q * z) * (1 - error((q * sigma**2 + sign * z) / (2**0.5 * sigma))) for sign in (-1, 1))
    return -numpy.exp((q * sigma)**2 / 2) / (4 * q) * sides


def wave_of_line(q, r, sigma, period):
    """The same for a Gaussian line of charge 1: integrals over the widths of the charges that a diffusing one passes through."""
    node, weight = numpy.polynomial.legendre.leggauss(160)
    if q == 0:
        t, x = (node + 1) / 2, r**2 / (2 * sigma**2)
        ein = sum(w / 2 * -numpy.expm1(-x * s) / s for s, w in zip(t, weight))  # log x + Euler's constant + E1(x)
        return (numpy.log(2 * (sigma / period)**2) - 0.57721566490153286 + ein) / (4 * pi)
    most = numpy.log(1 + 160 / (q * sigma)**2)
    s = sigma**2 * numpy.exp((node + 1) / 2 * most)
    return -sum(w * most / 2 * numpy.exp(-q**2 * (width - sigma**2) / 2 - r**2 / (2 * width)) for width, w in zip(s, weight)) / (4 * pi)


# Surfaces and wires: charges that are Gaussian along the open axes and 1 + 2 cos(k x) along periodic ones, against integrals.
for names, shape, box, ranks, options in ((("periodic", "periodic", "open"), (12, 9, 48), (3.0, 0.2, 1.0), 0, ()),
                                          (("open", "periodic", "periodic"), (48, 6, 7), (1.0, 30.0, 2.0), 3, ()),
                                          (("open", "open", "periodic"), (48, 44, 9), (1.0, 0.9, 3.0), 2, ()),
                                          (("periodic", "open", "open"), (8, 44, 48), (90.0, 0.9, 1.0), 0, ()),
                                          (("open", "periodic", "open"), (40, 5, 44), (1.0, 0.6, 0.9), 3, ("-p", "single"))):
    sigma, square, charge, waves = 0.055, 0.0, 1.0, []
    for a, (n, length) in enumerate(zip(shape, box)):
        along = [-1 if b == a else 1 for b in range(3)]
        if names[a] == "open":
            square = square + ((((numpy.arange(n) + 0.5) / n - 0.48) * length)**2).reshape(along)
            charge = charge / ((2 * pi)**0.5 * sigma)
        else:
            waves.append((2 * pi / length, numpy.cos(2 * pi * numpy.arange(n) / n + 1).reshape(along)))
            period = length
    r = numpy.sqrt(square)
    kind = (lambda q: wave_of_plane(q, r, sigma)) if len(waves) == 2 else (lambda q: wave_of_line(q, r, sigma, period))
    rho = charge * numpy.exp(-square / (2 * sigma**2)) * (1 + 2 * sum(c for _, c in waves))
    phi = kind(0) + 2 * sum(c * kind(q) for q, c in waves)
    if len(waves) == 2:  # waves along both periodic axes
        rho = rho + charge * numpy.exp(-square / (2 * sigma**2)) * waves[0][1] * waves[1][1]
        phi = phi + kind((waves[0][0]**2 + waves[1][0]**2)**0.5) * waves[0][1] * waves[1][1]
    got, told = solve(rho, box, *options, ranks=ranks, boundary=",".join(names))
    error = relative(got, phi)
    check(error < (1e-6 if options else 1e-12), f"{names} {shape}: phi is {error} from the truth")
    check(told["residual"] is None and told["open_kernel"] == "truncated", f"{names}: the report says {told['residual']}")

for options, words in ((("--gradient", "fd4"), "--gradient needs"), (("--greens", "fd2"), "--greens, --deconvolve and --asmth"),
                       (("--field", "density"), "--field density"), (("--boundary", "open,open,neumann"), "--boundary is 'open,open,neumann'"),
                       (("--boundary", "open,periodic,open", "--open-kernel", "hockney"), "--open-kernel hockney needs all axes open")):
    done = solve(field, box, *options, expect=2)
    check(words in done.stderr, f"{options}: {done.stderr}")
end()
