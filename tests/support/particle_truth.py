"""Independent truth about particles, in numpy: mass assignment, direct sums of modes, direct Ewald sums of forces."""
import math

import numpy

POINTS = {"ngp": 1, "cic": 2, "tsc": 3, "pcs": 4}


def window(kind, d):
    """The share of a mesh point at a distance of d cells (Hockney and Eastwood 1981)."""
    d = abs(d)
    if kind == "ngp":
        return (d <= 0.5) * 1.0
    if kind == "cic":
        return numpy.clip(1 - d, 0, None)
    if kind == "tsc":
        return numpy.where(d < 0.5, 0.75 - d**2, numpy.clip(1.5 - d, 0, None) ** 2 / 2)
    return numpy.where(d < 1, (4 - 6 * d**2 + 3 * d**3) / 6, numpy.clip(2 - d, 0, None) ** 3 / 6)


def deposit(x, weight, n, box, kind, shift=0.0):
    """Sums of weights on a mesh whose points lie at (i + shift) h."""
    points, mesh = POINTS[kind], numpy.zeros(n)
    g = x.astype(float) * numpy.array(n) / numpy.array(box) - shift
    first = numpy.floor(g - (points - 2) / 2 if points > 1 else g + 0.5).astype(int)
    for i in numpy.ndindex(points, points, points):
        at = first + numpy.array(i)
        share = numpy.prod(window(kind, g - at) if points > 1 else numpy.ones_like(g), axis=1)
        numpy.add.at(mesh, tuple((at % numpy.array(n)).T), share * weight)
    return mesh


def modes(x, weight, m, box):
    """sum of w exp(-i k.x) for integer wave numbers m [count][3]."""
    k = 2 * numpy.pi * m / numpy.array(box)
    return numpy.array([numpy.sum(weight * numpy.exp(-1j * (x.astype(float) @ one))) for one in k])


def ewald(x, mass, box, targets):
    """Accelerations for G = 1 of particles `targets` in a periodic cube, by a direct Ewald sum to 1e-10."""
    erfc = numpy.vectorize(math.erfc)
    alpha, reach, waves = 5 / box, 1, 9
    shifts = box * numpy.array(list(numpy.ndindex(3, 3, 3))) - box * reach
    m = numpy.array(list(numpy.ndindex(2 * waves + 1, 2 * waves + 1, 2 * waves + 1))) - waves
    m = m[(m**2).sum(axis=1) > 0]
    m = m[(m**2).sum(axis=1) <= waves**2]
    k = 2 * numpy.pi * m / box
    k2 = (k**2).sum(axis=1)
    green = 4 * numpy.pi / box**3 * numpy.exp(-k2 / (4 * alpha**2)) / k2
    structure = numpy.concatenate([numpy.exp(-1j * (part @ x.T)) @ mass for part in numpy.array_split(k, 40)])
    force = numpy.zeros((len(targets), 3))
    for t, i in enumerate(targets):
        d = x[i] - x
        d -= box * numpy.round(d / box)
        for shift in shifts:
            r = d + shift
            s = numpy.sqrt((r**2).sum(axis=1))
            s[s == 0] = numpy.inf
            pull = (erfc(alpha * s) + 2 * alpha * numpy.where(numpy.isinf(s), 0, s) / numpy.sqrt(numpy.pi) * numpy.exp(-(alpha * s) ** 2)) / s**3
            pull[numpy.isinf(s)] = 0
            force[t] -= (mass * pull) @ r
        wave = green * (numpy.exp(1j * (k @ x[i])) * structure).imag
        force[t] -= wave @ k
    return force
