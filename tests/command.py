"""What tests of the mergefft command share: running it, checking, and independent truth in numpy."""
import os
import subprocess
import sys

import numpy

COMMAND = os.environ["MFFT_TEST_COMMAND"]
MPIEXEC = os.environ["MFFT_TEST_MPIEXEC"].split()
failures = 0


def run(*arguments, ranks=0, code=0, **environment):
    """Runs `mergefft arguments` (under mpirun for ranks > 0) and checks the exit code; the finished process."""
    launch = MPIEXEC + [str(ranks)] if ranks else []
    done = subprocess.run(launch + [COMMAND] + [str(a) for a in arguments], capture_output=True, text=True,
                          env={**os.environ, **environment}, timeout=100)
    check(done.returncode == code, f"exit {done.returncode}, want {code}: {arguments} on {ranks}: {done.stderr}")
    return done


def own_lines(text):
    """The lines of stderr that are ours, not mpirun's."""
    return [line for line in text.splitlines() if line.startswith("mergefft")]


def check(condition, words=""):
    global failures
    if not condition:
        failures += 1
        frame = sys._getframe(1)
        print(f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}: {words}", file=sys.stderr)


def end():
    sys.exit(1 if failures else 0)


def relative(got, want):
    """Relative L2 distance."""
    return float(numpy.linalg.norm((got - want).ravel()) / numpy.linalg.norm(want.ravel()))


def wave_numbers(n, box):
    """kx, ky, kz of the whole complex array, for broadcasting."""
    return numpy.meshgrid(*[2 * numpy.pi * numpy.fft.fftfreq(m, 1.0 / m) / length for m, length in zip(n, box)],
                          indexing="ij", sparse=True)
