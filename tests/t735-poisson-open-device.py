# `mergefft poisson --boundary open` with --backend cuda, on a GPU or the emulated one: the numbers of the CPU, with all axes open by
# both kernels and beside periodic axes, phi and force, on one rank and two; the Green functions in the memory of the device.
# TEST labels=apps+command+cuda timeout=300 needs=jansson
# TEST labels=apps+command+emulated timeout=300 needs=jansson
import json
import os
import sys

import h5py
import numpy
from command import check, end, relative, run

backends = json.loads(run("info", "--json", "-").stdout)["backends"]
if not any(b["name"] == "cuda" and b["usable"] for b in backends):
    sys.exit(77)

with h5py.File("in.h5", "w") as file:
    file["rho"] = numpy.random.default_rng(1).standard_normal((16, 12, 20))
    file["rho"].attrs["BoxSize"] = (1.0, 0.8, 1.2)


def outputs(backend, boundary, *options, ranks=0):
    done = run("poisson", "in.h5", "-o", f"{backend}.h5", "--boundary", boundary, "--backend", backend, "--timing", "-", *options, ranks=ranks)
    check(json.loads(done.stdout)["backend"] == backend, f"{boundary} did not run on {backend}")
    with h5py.File(f"{backend}.h5") as file:
        return [file[name][...] for name in ("phi", "force_x", "force_y", "force_z") if name in file]


cases = [("open", 0, ("--gradient", "spectral"), 2e-15), ("open", 0, ("--gradient", "spectral", "--one-array"), 2e-15), ("periodic,open,open", 2, ("--part", 0.002, "--gradient", "fd4"), 2e-15)]
if os.environ.get("MFFT_TEST_SMALL", "0") != "1":  # kernels of the emulated GPU take long to compile
    cases += [("open", 2, ("--open-kernel", "hockney", "--gradient", "fd4"), 2e-15), ("open,periodic,periodic", 0, (), 2e-15),
              ("open", 0, ("-p", "single", "--gradient", "spectral"), 5e-7)]
for boundary, ranks, options, bound in cases:
    cpu, gpu = (outputs(backend, boundary, *options, ranks=ranks) for backend in ("fftw", "cuda"))
    check(len(gpu) == len(cpu) == (4 if "--gradient" in options else 1), f"{boundary} {options}: {len(gpu)} and {len(cpu)} outputs")
    errors = list(map(relative, gpu, cpu))
    check(max(errors) < bound, f"{boundary} {options} on {ranks} ranks: phi and force are {errors} from those of the CPU")
end()
