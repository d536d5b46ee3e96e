"""Spectra of particles by other programs, for t638: python3 power_peers.py PROGRAM POSITIONS.npy BOX N.

Prints k, counts of modes and multipoles 0, 2, 4 about z as JSON, from the calls of the program that its documentation shows, with its
defaults for a periodic box; exits with 77 if the program cannot be imported.  Runs in the Python that has the program.
"""
import json
import sys
from math import pi

import numpy


def pylians(x, box, n):
    import MAS_library
    import Pk_library
    delta = numpy.zeros((n, n, n), numpy.float32)
    MAS_library.MA(x.astype(numpy.float32), delta, numpy.float32(box), "CIC", verbose=False)
    delta /= numpy.mean(delta, dtype=numpy.float64)
    delta -= 1
    result = Pk_library.Pk(delta, box, 2, "CIC", 1, False)
    return result.k3D, result.Nmodes3D, [result.Pk[:, i] for i in range(3)]


def edges_below(box, n):
    """The edges of linear bins: moved down a little, as rounded ones put modes that lie on an edge into either bin."""
    return numpy.arange(0, pi * n / box * (1 + 1e-9), 2 * pi / box) * (1 - 1e-9)


def pypower(x, box, n):
    from pypower import CatalogFFTPower
    poles = CatalogFFTPower(data_positions1=x, edges=edges_below(box, n), ells=(0, 2, 4), los="z", boxsize=box, boxcenter=box / 2, nmesh=n,
                            resampler="tsc", interlacing=2, position_type="pos", dtype="f8").poles
    return poles.k, poles.nmodes, [poles(ell=ell, complex=False) for ell in (0, 2, 4)]


def nbodykit(x, box, n):
    from nbodykit.algorithms import FFTPower
    from nbodykit.source.catalog import ArrayCatalog
    mesh = ArrayCatalog({"Position": x}, BoxSize=box).to_mesh(Nmesh=n, BoxSize=box, dtype="f8", compensated=True)
    poles = FFTPower(mesh, mode="1d", los=[0, 0, 1], poles=[0, 2, 4], kmin=-1e-9 * 2 * pi / box).poles
    return poles["k"], poles["modes"], [poles[f"power_{ell}"].real for ell in (0, 2, 4)]


program, path, box, n = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
try:
    k, modes, power = {"pylians": pylians, "pypower": pypower, "nbodykit": nbodykit}[program](numpy.load(path), box, n)
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(77)
json.dump({"k": numpy.asarray(k).tolist(), "modes": numpy.asarray(modes).tolist(), "power": [numpy.asarray(p).tolist() for p in power]}, sys.stdout)
