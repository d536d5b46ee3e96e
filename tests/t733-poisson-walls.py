# `mergefft poisson --boundary`: manufactured solutions between walls and their forces, the stencils with values mirrored at the
# walls, mixtures of boundaries against matrices of each axis, ranks, sources with a mean, and what is refused.
# TEST labels=apps+command+once timeout=200 needs=jansson
# TEST labels=apps+command+once+emulated+nightly timeout=300 env=MFFT_BACKEND=cuda needs=jansson
import itertools
import json
from math import pi

import h5py
import numpy
from command import check, end, relative, run

SIGN = {"periodic": 0, "dirichlet": -1, "neumann": 1}
random = numpy.random.default_rng(11)


def solve(field, box, boundary, *options, ranks=0, expect=0):
    with h5py.File("in.h5", "w") as file:
        file["delta"] = field
        file["delta"].attrs["BoxSize"] = box
    done = run("poisson", "in.h5", "-o", "out.h5", "--boundary", boundary, *options, "--timing", "-", ranks=ranks, code=expect)
    if expect:
        return done
    with h5py.File("out.h5") as file:
        outputs = [file[output][...] for output in ("phi", "force_x", "force_y", "force_z") if output in file]
        check(len(outputs) == (4 if "--gradient" in options else 1), f"{options}: {len(outputs)} outputs")
        return outputs if len(outputs) > 1 else outputs[0], json.loads(done.stdout)


def forces(phi, box, names, gradient):
    """-gradient(phi) by Fourier transforms of the mirrored phi, or by the stencil of order 4 in it."""
    for a, (n, length, boundary) in enumerate(zip(phi.shape, box, names)):
        h, whole = length / n, phi
        if SIGN[boundary]:
            whole = numpy.concatenate((phi, SIGN[boundary] * numpy.flip(phi, a)), a)
        if gradient == "fd4":
            slope = sum(c * numpy.roll(whole, -d, a) for d, c in ((-2, 1), (-1, -8), (1, 8), (2, -1))) / (12 * h)
        else:
            m = numpy.fft.fftfreq(whole.shape[a], 1 / whole.shape[a])
            k = numpy.where(2 * abs(m) == whole.shape[a], 0, 2 * pi * m / (whole.shape[a] * h))
            slope = numpy.fft.ifft(1j * k.reshape([-1 if b == a else 1 for b in range(3)]) * numpy.fft.fft(whole, axis=a), axis=a).real
        yield -numpy.take(slope, range(n), a)


def matrix(n, length, boundary, order):
    """Minus the second derivative along one axis, by a stencil whose values beyond a wall are mirrored, or by its modes."""
    h = length / n
    if order:
        weights = {2: (2, -1), 4: (5 / 2, -4 / 3, 1 / 12)}[order]
        out = numpy.zeros((n, n))
        for i in range(n):
            for d in range(1 - len(weights), len(weights)):
                j, sign = i + d, 1
                if boundary == "periodic":
                    j %= n
                elif j < 0:
                    j, sign = -1 - j, SIGN[boundary]
                elif j >= n:
                    j, sign = 2 * n - 1 - j, SIGN[boundary]
                out[i, j] += sign * weights[abs(d)] / h**2
        return out
    j = (numpy.arange(n) + 0.5) / n
    m = numpy.arange(n)
    if boundary == "periodic":
        m = numpy.fft.fftfreq(n, 1 / n)
        modes = numpy.exp(2j * pi * numpy.outer(m, numpy.arange(n)) / n) / n**0.5
        return (modes.conj().T @ numpy.diag((2 * pi * m / length)**2) @ modes).real
    modes = numpy.sin(pi * numpy.outer(m + 1, j)) if boundary == "dirichlet" else numpy.cos(pi * numpy.outer(m, j))
    modes /= numpy.linalg.norm(modes, axis=1)[:, None]
    return modes.T @ numpy.diag((pi * (m + (boundary == "dirichlet")) / length)**2) @ modes


def truth(field, box, boundary, order):
    """phi of laplacian(phi) = field by the eigenvectors of each axis's matrix."""
    pairs = [numpy.linalg.eigh(matrix(n, length, b, order)) for n, length, b in zip(field.shape, box, boundary)]
    modes = numpy.einsum("xyz,xi,yj,zk->ijk", field, *(v for _, v in pairs))
    sums = pairs[0][0][:, None, None] + pairs[1][0][None, :, None] + pairs[2][0][None, None, :]
    constant = sums < 1e-9 * sums.max()
    modes = numpy.where(constant, 0, -modes / numpy.where(constant, 1, sums))
    return numpy.einsum("ijk,xi,yj,zk->xyz", modes, *(v for _, v in pairs))


# Manufactured solutions: one mode of each axis, at centres of cells, is its own solution but for a factor.
shape, box = (12, 10, 8), (3.0, 2.0, 1.5)
x, y, z = ((numpy.arange(n) + 0.5) / n for n in shape)
waves = {"dirichlet": lambda s: numpy.sin(2 * pi * s), "neumann": lambda s: numpy.cos(2 * pi * s),
         "periodic": lambda s: numpy.sin(4 * pi * s)}
slopes = {"dirichlet": lambda s: 2 * pi * numpy.cos(2 * pi * s), "neumann": lambda s: -2 * pi * numpy.sin(2 * pi * s),
          "periodic": lambda s: 4 * pi * numpy.cos(4 * pi * s)}
for case, names in enumerate((("dirichlet",) * 3, ("neumann",) * 3, ("dirichlet", "neumann", "periodic"), ("periodic", "dirichlet", "neumann"))):
    want = waves[names[0]](x)[:, None, None] * waves[names[1]](y)[None, :, None] * waves[names[2]](z)[None, None, :]
    square = sum(((4 if b == "periodic" else 2) * pi / length)**2 for b, length in zip(names, box))
    (phi, *force), told = solve(-square * want, box, ",".join(names) if case > 1 else names[0], "--gradient", "spectral", ranks=(0, 0, 2, 4)[case])
    check(relative(phi, want) < 1e-14, f"{names}: phi is {relative(phi, want)} from the wave")
    for a, got in enumerate(force):
        kinds = [slopes if a == b else waves for b in range(3)]
        fx, fy, fz = (kind[name](s) for kind, name, s in zip(kinds, names, (x, y, z)))
        pull = -fx[:, None, None] * fy[None, :, None] * fz[None, None, :] / box[a]
        check(relative(got, pull) < 1e-14, f"{names}: the force along {a} is {relative(got, pull)} from the wave's")
    check(told["boundary"] == (",".join(names) if case > 1 else names[0]), f"{names}: the report says {told['boundary']}")

# A filter so wide that it leaves 5e-24 of the slowest wave between two walls: nothing of the source but that, and no wrong solution.
s = (numpy.arange(9) + 0.5) / 9
wave = (numpy.sin(pi * s)[:, None, None] * numpy.ones((5, 3)))
phi, told = solve(wave, (1.0, 2.5, 10.0), "dirichlet,periodic,periodic", "--asmth", 0.7)
want = -wave * numpy.exp(-(pi * 0.7 * 10 / 3)**2) / pi**2
check(relative(phi, want) < 1e-12 and told["residual"] < 1e-15, f"a wide filter: {relative(phi, want)}, residual {told['residual']}")

# A function that goes on as an odd one beyond the walls: the stencils converge to it by their orders.
for greens, order in (("fd2", 2), ("fd4", 4)):
    errors, steep = [], []
    for n in (24, 48):
        s = (numpy.arange(n) + 0.5) / n
        g, slope = numpy.exp(numpy.cos(2 * pi * s)), -2 * pi * numpy.sin(2 * pi * s)
        u = numpy.sin(pi * s) * g
        v = -pi**2 * u + 2 * pi * numpy.cos(pi * s) * slope * g + numpy.sin(pi * s) * (slope**2 - 4 * pi**2 * numpy.cos(2 * pi * s)) * g
        want = u[:, None, None] * u[None, :, None] * numpy.ones(4)
        source = (v[:, None, None] * u[None, :, None] + u[:, None, None] * v[None, :, None]) * numpy.ones(4)
        (phi, force, *_), _ = solve(source, (1.0, 1.0, 1.0), "dirichlet,dirichlet,neumann", "--greens", greens, "--gradient", "fd4")
        errors.append(abs(phi - want).max())
        pull = -(pi * numpy.cos(pi * s) * g + numpy.sin(pi * s) * slope * g)[:, None, None] * u[None, :, None]
        steep.append(abs(force - pull).max())
    for what, values in ((greens, errors), (f"the force of {greens}", steep)):
        rate = numpy.log2(values[0] / values[1])
        check(order - 0.3 < rate < order + 1.2, f"{what}: errors {values} fall by order {rate}")

# Random sources with a quarter of all mixtures of boundaries, by the eigenvectors of the matrices; a source keeps its mean where phi has walls.
shape, box = (6, 5, 8), (3.0, 2.7, 2.0)
field = random.standard_normal(shape) + 2
for case, names in enumerate(list(itertools.product(SIGN, repeat=3))[::4]):
    greens = ("spectral", "fd2", "fd4")[case % 3]
    source = field if "dirichlet" in names else field - field.mean()
    want = truth(source, box, names, {"spectral": 0, "fd2": 2, "fd4": 4}[greens])
    gradient = ("spectral", "fd4")[case % 2]
    options = ("--greens", greens, "--gradient", gradient, "-p", "double", *(("--transport", "p2p") if case == 4 else ()))
    (phi, *force), told = solve(field, box, ",".join(names), *options, ranks=(0, 3, 0, 4, 2, 0, 0)[case % 7])
    check(relative(phi, want) < 1e-13, f"{names} {greens}: phi is {relative(phi, want)} from the truth")
    for a, (got, pull) in enumerate(zip(force, forces(want, box, names, gradient))):
        check(relative(got, pull) < 1e-13, f"{names} {greens} {gradient}: the force along {a} is {relative(got, pull)} from the truth")
    check(told["residual"] <= 4 * told["residual_explained"], f"{names} {greens}: residual {told['residual']}")
(phi, *force), _ = solve(field.astype("f4"), box, "dirichlet", "--gradient", "spectral", ranks=2)
want = truth(field, box, ("dirichlet",) * 3, 0)
pull = forces(want, box, ("dirichlet",) * 3, "spectral")
check(max(map(relative, (phi, *force), (want, *pull))) < 1e-6, "single precision")
phi, _ = solve(field + 100, box, "dirichlet", "--field", "density")
want = truth((field + 100) / (field + 100).mean() - 1, box, ("dirichlet",) * 3, 0)
check(relative(phi, want) < 1e-12, "a density between walls is a contrast")
phi, _ = solve(field + 1000, box, "dirichlet", "-p", "single")
check(relative(phi, truth(field + 1000, box, ("dirichlet",) * 3, 0)) < 1e-6, "a mean that was removed to read the file is back")

for options, words in ((("dirichlet,neumann",), "--boundary is 'dirichlet,neumann'"), (("wall",), "--boundary is 'wall'"),
                       (("neumann", "-p", "half"), "--precision half needs --boundary periodic")):
    done = solve(field, box, *options, expect=2)
    check(words in done.stderr, f"{options}: {done.stderr}")
end()
