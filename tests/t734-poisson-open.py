# `mergefft poisson --boundary open`: phi and force of a Gaussian charge to 1e-12 by the truncated kernel, in boxes that are no
# cubes; hockney by direct sums, and its order; stencils that reach beyond the box; a uniform sphere; surfaces and wires, with
# one and two open axes; ranks; what is refused.
# TEST labels=apps+command+once timeout=200 needs=jansson
import json
from math import erf, erfc, pi

import h5py
import numpy
from command import check, end, relative, run, soon


def solve(field, box, *options, ranks=0, expect=0, name="", boundary="open", **environment):
    with h5py.File(f"in{name}.h5", "w") as file:
        file["rho"] = field
        file["rho"].attrs["BoxSize"] = box
    done = run("poisson", f"in{name}.h5", "-o", f"out{name}.h5", "--boundary", boundary, *options, "--timing", "-", ranks=ranks, code=expect,
               **environment)
    if expect:
        return done
    with h5py.File(f"out{name}.h5") as file:
        outputs = [file[output][...] for output in ("phi", "force_x", "force_y", "force_z") if output in file]
        check(len(outputs) == (4 if "--gradient" in options else 1), f"{options}: {len(outputs)} outputs")
        return outputs if len(outputs) > 1 else outputs[0], json.loads(done.stdout)


def coordinates(shape, box, about):
    """Coordinates of the centres of cells about a point, which numpy broadcasts to the mesh."""
    return numpy.ix_(*((numpy.arange(n) + 0.5) * length / n - c for n, length, c in zip(shape, box, about)))


def centres(shape, box, about):
    """Distances of the centres of cells from a point."""
    return sum(x**2 for x in coordinates(shape, box, about))**0.5


error_function, rest = numpy.vectorize(erf), numpy.vectorize(erfc)


def gaussian(shape, box, about, sigma):
    """A Gaussian charge of mass 1; its phi and force."""
    r = centres(shape, box, about)
    rho = numpy.exp(-r**2 / (2 * sigma**2)) / (2 * pi * sigma**2)**1.5
    phi = -error_function(r / (2**0.5 * sigma)) / (4 * pi * r)
    return rho, [phi] + [(phi + sigma**2 * rho) / r**2 * x for x in coordinates(shape, box, about)]


# Spectral accuracy, far from the centre of the box too; two charges of unlike signs on several ranks.
for shape, box, sigma, ranks, options in (((48, 48, 48), (1.0, 1.0, 1.0), 0.055, 0, ()), ((48, 44, 60), (1.0, 0.9, 1.25), 0.05, 3, ()),
                                          ((48, 24, 24), (2.0, 1.0, 1.0), 0.084, 2, ("-p", "single"))):
    rho, want = gaussian(shape, box, [0.47 * length for length in box], sigma)
    if ranks == 3:
        other = gaussian(shape, box, [0.52 * length for length in box], sigma)
        rho, want = rho - 3 * other[0], [a - 3 * b for a, b in zip(want, other[1])]
    got, told = solve(rho, box, "--coefficient", 2, "--gradient", "spectral", *options, ranks=ranks)
    errors, bound = [relative(a, 2 * b) for a, b in zip(got, want)], 1e-6 if options else 1e-12
    check(max(errors) < bound, f"a Gaussian on {shape}: phi and force are {errors} from the truth")
    check(told["boundary"] == "open" and told["residual"] is None, f"the report says {told['boundary']}, {told['residual']}")

# The stencil takes phi beyond the faces of the box, for a charge near a corner too, which is why the mesh of the kernel is wider.
shape, box, sigma = (40, 36, 44), (1.0, 0.9, 1.1), 0.055
about = [0.42 * length for length in box]
h = 0.025
rho, _ = gaussian(shape, box, about, sigma)
got, _ = solve(rho, box, "--gradient", "fd4", ranks=2)
for a in range(3):
    moved = [gaussian(shape, box, [c - d * h * (a == b) for b, c in enumerate(about)], sigma)[1][0] for d in (-2, -1, 1, 2)]
    want = -(moved[0] - 8 * moved[1] + 8 * moved[2] - moved[3]) / (12 * h)
    check(relative(got[1 + a], want) < 1e-11, f"fd4 along {a}: {relative(got[1 + a], want)} from the stencil of the truth")

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
# The force is that of the stencil in phi, which two empty cells around the field continue beyond its box.
wide, _ = solve(numpy.pad(field, 2), tuple(length + 0.8 for length in box), "--open-kernel", "hockney")
inner = (slice(2, -2),) * 3
for ranks in (0, 6):  # 6 on nodes of two make pencils, whose in-place transforms of the kernel need more than their box
    got, _ = solve(field, box, "--open-kernel", "hockney", "--gradient", "fd4", ranks=ranks, MFFT_NODE_RANKS="2")
    for a in range(3):
        want = -sum(c * numpy.roll(wide, -d, a) for d, c in ((-2, 1), (-1, -8), (1, 8), (2, -1)))[inner] / (12 * 0.2)
        check(relative(got[1 + a], want) < 1e-13, f"hockney on {ranks}: the force along {a} is {relative(got[1 + a], want)} from the stencil")

# Beside open axes the stencil along a periodic one goes round.
got, _ = solve(field, box, "--gradient", "fd4", ranks=2, boundary="open,periodic,open")
want = -sum(c * numpy.roll(got[0], -d, 1) for d, c in ((-2, 1), (-1, -8), (1, 8), (2, -1))) / (12 * 0.2)
check(relative(got[2], want) < 1e-14, f"open,periodic,open: the force along y is {relative(got[2], want)} from the stencil")

errors = []
for n in (16, 32):
    rho, want = gaussian((n, n + 2, n), (1.0, 1.0, 1.2), (0.5, 0.48, 0.6), 0.1)
    got, _ = solve(rho, (1.0, 1.0, 1.2), "--open-kernel", "hockney", "--gradient", "fd4")
    errors.append([abs(a - b).max() for a, b in zip(got, want)])
rates = numpy.log2(numpy.divide(*errors))
check(all(rates > 3.2) and all(rates < 5.5), f"hockney: errors {errors} fall by order {rates}")

# A uniform sphere, whose edge the mesh cannot resolve: errors fall by order 1 at least, from a small one; away from the edge,
# where the force is -r / 3, they are much smaller.
errors, inside = [], []
for n in (16, 32):
    r = centres((n, n, n), (1.0, 1.0, 1.0), (0.5, 0.5, 0.5))
    # The share of a cell within the sphere, from 4^3 points of it.
    fine = (centres((4 * n,) * 3, (1.0, 1.0, 1.0), (0.5, 0.5, 0.5)) < 0.3).reshape(n, 4, n, 4, n, 4).mean((1, 3, 5))
    phi = numpy.where(r < 0.3, (r**2 - 3 * 0.3**2) / 6, -0.3**3 / (3 * r))
    pull = -numpy.where(r < 0.3, 1 / 3, 0.3**3 / (3 * r**3))
    got, _ = solve(fine, (1.0, 1.0, 1.0), "--gradient", "fd4")
    want = [phi] + [pull * x for x in coordinates((n, n, n), (1.0, 1.0, 1.0), (0.5, 0.5, 0.5))]
    errors.append([relative(a, b) for a, b in zip(got, want)])
    inside.append(max(relative(a[r < 0.2], b[r < 0.2]) for a, b in zip(got[1:], want[1:])))
check(errors[0][0] < 1e-2 and errors[1][0] < errors[0][0] / 2, f"a uniform sphere: errors of phi {errors}")
check(max(errors[0]) < 0.1 and all(b < a / 1.6 for a, b in zip(*errors)), f"a uniform sphere: errors {errors}")
check(inside[1] < inside[0] / 3 and inside[1] < 5e-3, f"in a uniform sphere: errors of the force {inside}")



def wave_of_plane(q, z, sigma):
    """phi of a Gaussian sheet of charge 1 across z that varies like a wave q along the sheet, but for the factor of the wave; and
    its derivative in z over z."""
    if q == 0:
        slope = error_function(z / (2**0.5 * sigma)) / 2
        return numpy.array((z * slope + sigma / (2 * pi)**0.5 * numpy.exp(-z**2 / (2 * sigma**2)), slope / z))
    below, above = (numpy.exp(sign * q * z) * rest((q * sigma**2 + sign * z) / (2**0.5 * sigma)) for sign in (-1, 1))
    return -numpy.exp((q * sigma)**2 / 2) / 4 * numpy.array(((above + below) / q, (above - below) / z))


def wave_of_line(q, r, sigma, period):
    """The same for a Gaussian line of charge 1: integrals over the widths of the charges that a diffusing one passes through."""
    node, weight = numpy.polynomial.legendre.leggauss(160)
    if q == 0:
        t, x = (node + 1) / 2, r**2 / (2 * sigma**2)
        ein = sum(w / 2 * -numpy.expm1(-x * s) / s for s, w in zip(t, weight))  # log x + Euler's constant + E1(x)
        phi = (numpy.log(2 * (sigma / period)**2) - 0.57721566490153286 + ein) / (4 * pi)
        return numpy.array((phi, -numpy.expm1(-x) / (2 * pi * r**2)))
    most = numpy.log(1 + 160 / (q * sigma)**2)
    widths = sigma**2 * numpy.exp((node + 1) / 2 * most)
    terms = [(w * most / 2 * numpy.exp(-q**2 * (s - sigma**2) / 2 - r**2 / (2 * s)), s) for s, w in zip(widths, weight)]
    return numpy.array((-sum(t for t, _ in terms), sum(t / s for t, s in terms))) / (4 * pi)


# Surfaces and wires: charges that are Gaussian along the open axes and 1 + 2 cos(k x) along periodic ones, against integrals.
for names, shape, box, ranks, options in ((("periodic", "periodic", "open"), (12, 9, 48), (3.0, 0.2, 1.0), 0, ()),
                                          (("open", "periodic", "periodic"), (48, 6, 7), (1.0, 30.0, 2.0), 3, ()),
                                          (("open", "open", "periodic"), (48, 44, 9), (1.0, 0.9, 3.0), 2, ()),
                                          (("periodic", "open", "open"), (8, 44, 48), (90.0, 0.9, 1.0), 0, ()),
                                          (("open", "periodic", "open"), (40, 5, 44), (1.0, 0.6, 0.9), 3, ("-p", "single"))):
    sigma, square, charge, waves, across = 0.055, 0.0, 1.0, [], []
    for a, (n, length) in enumerate(zip(shape, box)):
        along = [-1 if b == a else 1 for b in range(3)]
        if names[a] == "open":
            across.append((a, (((numpy.arange(n) + 0.5) / n - 0.48) * length).reshape(along)))
            square = square + across[-1][1]**2
            charge = charge / ((2 * pi)**0.5 * sigma)
        else:
            phase = (2 * pi * numpy.arange(n) / n + 1).reshape(along)
            waves.append((2 * pi / length, numpy.cos(phase), numpy.sin(phase), a))
            period = length
    r = numpy.sqrt(square)
    kind = (lambda q: wave_of_plane(q, r, sigma)) if len(waves) == 2 else (lambda q: wave_of_line(q, r, sigma, period))
    rho = charge * numpy.exp(-square / (2 * sigma**2)) * (1 + 2 * sum(c for _, c, _, _ in waves))
    phi, want = kind(0) + 2 * sum(c * kind(q) for q, c, _, _ in waves), [0, 0, 0, 0]
    for q, _, s, a in waves:
        want[1 + a] = 2 * q * s * kind(q)[0]
    if len(waves) == 2:  # waves along both periodic axes
        rho = rho + charge * numpy.exp(-square / (2 * sigma**2)) * waves[0][1] * waves[1][1]
        both = kind((waves[0][0]**2 + waves[1][0]**2)**0.5)
        phi = phi + both * waves[0][1] * waves[1][1]
        for (q, _, s, a), other in zip(waves, waves[::-1]):
            want[1 + a] = want[1 + a] + q * s * other[1] * both[0]
    want[0] = phi[0]
    for a, x in across:
        want[1 + a] = -phi[1] * x
    got, told = solve(rho, box, "--gradient", "spectral", *options, ranks=ranks, boundary=",".join(names))
    errors = [relative(a, b) for a, b in zip(got, want)]
    check(max(errors) < (1e-6 if options else 1e-12), f"{names} {shape}: phi and force are {errors} from the truth")
    check(told["residual"] is None and told["open_kernel"] == "truncated", f"{names}: the report says {told['residual']}")

for options, words in ((("--gradient", "spectral", "--open-kernel", "hockney"), "--open-kernel hockney has no exact derivative"), (("--greens", "fd2"), "--greens, --deconvolve and --asmth"),
                       (("--field", "density"), "--field density"), (("--boundary", "open,open,neumann"), "--boundary is 'open,open,neumann'"),
                       (("--boundary", "open,periodic,open", "--open-kernel", "hockney"), "--open-kernel hockney needs all axes open")):
    done = solve(field, box, *options, expect=2)
    check(words in done.stderr, f"{options}: {done.stderr}")
end()
