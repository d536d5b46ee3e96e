# mergefft power --like PROGRAM beside the program itself: Pylians, pypower, nbodykit, each where the Python that MFFT_TEST_PEER_PYTHON
# names (else this one) can import it; one line says which cannot.  t632 has their formulas, everywhere.
# TEST labels=apps+once timeout=300 needs=jansson+peers
import json
import os
import subprocess
import sys
from math import pi

import numpy
from command import check, end, run
from snapshots import write_hdf5

BOX, N = 100.0, 32
# Of P0: Pylians adds particles up, and transforms, in single precision.  The mode in the corner of its mesh, the last bin, has errors of
# that size times the compensation.
TOLERANCE = {"pylians": 5e-5, "pypower": 1e-10, "nbodykit": 1e-10}

random = numpy.random.default_rng(11)
centres = random.random((40, 3)) * BOX
x = numpy.concatenate([(centres[i % 40] + random.normal(size=3) * (2.0, 2.0, 1.0)) % BOX for i in range(4000)] + [random.random(2000 * 3) * BOX])
x = x.reshape(-1, 3)
numpy.save("positions.npy", x)
write_hdf5("clumps.hdf5", {1: {"Coordinates": x, "Velocities": numpy.zeros_like(x), "Masses": numpy.ones(len(x))}}, [0, len(x), 0, 0, 0, 0],
           header={"BoxSize": BOX})


def theirs(program):
    """k, counts and multipoles of the program; None where it is not there."""
    python = os.environ.get("MFFT_TEST_PEER_PYTHON", sys.executable)
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "support", "power_peers.py")
    done = subprocess.run([python, script, program, "positions.npy", str(BOX), str(N)], capture_output=True, text=True, timeout=200)
    if done.returncode == 77:
        print(f"{program} is not compared: {done.stderr.strip().splitlines()[-1]}")
        return None
    check(done.returncode == 0, f"{program}: {done.stderr}")
    return json.loads(done.stdout[done.stdout.index("{"):]) if done.returncode == 0 else None


def by_bin(k, columns):
    """Rows by the number of their bin, without that of k = 0 alone, which may be empty, and without the mode k = 0."""
    bins = numpy.floor(numpy.asarray(k, float) * BOX / (2 * pi) + 1e-6)
    return {int(b): row for b, row in zip(bins, zip(*columns)) if b >= 1}


def compare(program, want):
    result = json.loads(run("power", "clumps.hdf5", "-n", N, "--like", program, "--poles", "0,2,4", "--los", "z", "--json", "-").stdout)
    rows = [b for b in result["bins"] if b["modes"]]
    k = [b["k"] for b in rows]
    ours = by_bin(k, [k, [b["modes"] for b in rows]] + [[b[f"P{ell}"] for b in rows] for ell in (0, 2, 4)])
    other = by_bin(want["k"], [want["k"], want["modes"]] + want["power"])
    common = sorted(set(ours) & set(other))
    check(len(common) >= N // 2 - 2 and set(ours) - set(other) <= {max(ours)}, f"{program}: bins {sorted(ours)}, {sorted(other)}")
    a, b = (numpy.array([rows[i] for i in common], float) for rows in (ours, other))
    if program == "pylians":
        a, b = a[:-1], b[:-1]
    check(numpy.array_equal(a[:, 1], b[:, 1]), f"{program}: counts {a[:, 1]}, {b[:, 1]}")
    check(numpy.allclose(a[:, 0], b[:, 0], rtol=1e-6 if program == "pylians" else 1e-10), f"{program}: k")
    shot = result["shot"] if result["shot_subtracted"] else 0
    errors = numpy.max(abs(a[:, 2:] - b[:, 2:]) / (abs(b[:, 2:3]) + shot), axis=0)
    print(f"{program}: {len(a)} bins, errors of P0, P2, P4 over P0: {errors}")
    check((errors < TOLERANCE[program]).all(), f"{program}: errors {errors} of P0")


compared = 0
for name in TOLERANCE:
    got = theirs(name)
    if got:
        compared += 1
        compare(name, got)
if not compared:
    sys.exit(77)
end()
