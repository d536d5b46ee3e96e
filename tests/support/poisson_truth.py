"""The truth of `mergefft poisson`: phi and the force by numpy's complex transforms and the formulas as they stand in books."""
from math import pi

import numpy


def truth(field, box, c=1.0, greens="spectral", gradient="none", times=0, order=2, asmth=0.0):
    """phi of the field with c = `c`, and the components of the force if a gradient is requested.  truth.left: the part of the
    source that the kernel does not damp, to which rounding is relative."""
    n = field.shape
    laplacian, kernel, waves = 0, 1, []
    h = [length / m for length, m in zip(box, n)]
    for a in range(3):
        shape = [1, 1, 1]
        shape[a] = n[a]
        m = numpy.fft.fftfreq(n[a], 1 / n[a]).reshape(shape)
        w = 2 * pi * m / n[a]
        k = w / h[a]
        laplacian = laplacian + {"spectral": k**2, "fd2": (2 - 2 * numpy.cos(w)) / h[a]**2,
                                 "fd4": (30 - 32 * numpy.cos(w) + 2 * numpy.cos(2 * w)) / 12 / h[a]**2}[greens]
        kernel = kernel * numpy.sinc(m / n[a])**float(-order * times) * numpy.exp(-(k * asmth * max(h))**2)
        g = k if gradient == "spectral" else (8 * numpy.sin(w) - numpy.sin(2 * w)) / 6 / h[a]
        waves.append(numpy.where(2 * abs(m) == n[a], 0, g))
    rho = numpy.fft.fftn(field - field.mean())
    rho[0, 0, 0] = 0
    laplacian[0, 0, 0] = 1
    phi = -c * rho / laplacian * kernel
    truth.left = numpy.linalg.norm(rho * kernel) / max(numpy.linalg.norm(rho), 1e-300)  # of the source, by the filter
    result = [numpy.fft.ifftn(phi).real]
    if gradient != "none":
        result += [numpy.fft.ifftn(-1j * g * phi).real for g in waves]
    return result
