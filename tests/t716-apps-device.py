# `mergefft gen`, `power` and `poisson` with --backend cuda, on a GPU or the emulated one: the numbers of the CPU; fields
# that pass through buffers in many parts; residuals, means and values that are not finite, which the GPU finds; modes that are counted on the device; the time of copies in the report.
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


def on(backend, command, *arguments):
    return run(command, *arguments, "--backend", backend, "--part", 0.002, ranks=2).stdout


N = "16x8x16"
for backend in ("fftw", "cuda"):
    on(backend, "gen", "-o", f"{backend}.h5", "-n", N, "-L", 40, "--seed", 5)
    on(backend, "power", "fftw.h5", "--assign", "cic", "--spacing", "log", "-o", f"{backend}.txt", "--timing",
       f"{backend}-power.json")
    on(backend, "poisson", "fftw.h5", "-o", f"{backend}-phi.h5", "--gradient", "spectral", "--timing", f"{backend}.json")

with h5py.File("fftw.h5") as cpu, h5py.File("cuda.h5") as gpu:
    check(relative(gpu["delta"][...], cpu["delta"][...]) < 2e-15, "gen")
cpu, gpu = numpy.loadtxt("fftw.txt"), numpy.loadtxt("cuda.txt")
check(cpu.shape == gpu.shape and (cpu[:, 2] == gpu[:, 2]).all(), "other modes are counted")
check(abs(gpu / cpu - 1).max() < 1e-12, f"power is off by {abs(gpu / cpu - 1).max()}")
with h5py.File("fftw-phi.h5") as cpu, h5py.File("cuda-phi.h5") as gpu:
    for name in ("phi", "force_x", "force_y", "force_z"):
        check(relative(gpu[name][...], cpu[name][...]) < 2e-15, name)
for ranks, nodes, options in ((3, 0, []), (4, 2, ["--grid", "2x2"])):  # an odd number; two nodes of two
    many = f"cuda-{ranks}"
    run("poisson", "fftw.h5", "-o", f"{many}.h5", "--gradient", "spectral", "--backend", "cuda", "--part", 0.002, *options, ranks=ranks,
        MFFT_NODE_RANKS=str(nodes))
    run("power", "fftw.h5", "--assign", "cic", "--spacing", "log", "-o", f"{many}.txt", "--backend", "cuda", *options, ranks=ranks,
        MFFT_NODE_RANKS=str(nodes))
    with h5py.File("fftw-phi.h5") as cpu, h5py.File(f"{many}.h5") as gpu:
        for name in ("phi", "force_x", "force_y", "force_z"):
            check(relative(gpu[name][...], cpu[name][...]) < 2e-15, f"{name} on {ranks} ranks")
    cpu, gpu = numpy.loadtxt("fftw.txt"), numpy.loadtxt(f"{many}.txt")
    check(abs(gpu / cpu - 1).max() < 1e-12, f"power on {ranks} ranks is off by {abs(gpu / cpu - 1).max()}")
cpu, gpu = [json.load(open(f"{backend}.json")) for backend in ("fftw", "cuda")]
check(gpu["backend"] == "cuda" and gpu["copy_s"] > 0 and 0 <= gpu["copy_overlap"] <= 1, f"{gpu['copy_s']}, {gpu['copy_overlap']}")
power = json.load(open("cuda-power.json"))
check(power["backend"] == "cuda" and power["copy_s"] > 0 and 0 <= power["copy_overlap"] <= 1, f"{power}")
names = [p["name"] for p in power["phases"]]
check({"mpi", "open", "plan", "read", "contrast", "transform", "shells", "copy", "close", "total"} <= set(names), f"{names}")
check(cpu["copy_s"] == 0 and cpu["copy_overlap"] is None, "a CPU copies nothing")
check(gpu["mean"] == cpu["mean"] and abs(gpu["rms"] / cpu["rms"] - 1) < 1e-14, f"another source: {gpu['rms']}, {cpu['rms']}")
check(0 < gpu["residual"] <= 4 * gpu["residual_explained"], f"residual {gpu['residual']}, rounding explains {gpu['residual_explained']}")
check(abs(gpu["residual_explained"] / cpu["residual_explained"] - 1) < 1e-9, "another rms of phi")

# In single the residual is far above the rounding of its sums, so that both agree; with filters and in half too.
for precision, options in (("single", []), ("single", ["--greens", "fd2", "--asmth", 1.25, "--deconvolve", 1]), ("half", [])):
    found = {}
    for backend in ("fftw", "cuda"):
        on(backend, "poisson", "fftw.h5", "-o", f"{backend}-{precision}.h5", "-p", precision, "--timing", "t.json", *options)
        found[backend] = json.load(open("t.json"))
    cpu, gpu = found["fftw"], found["cuda"]
    check(0.3 < gpu["residual"] / cpu["residual"] < 3, f"{precision} {options}: residual {gpu['residual']}, of a CPU {cpu['residual']}")
    check(abs(gpu["residual_explained"] / cpu["residual_explained"] - 1) < 1e-3, f"{precision} {options}: {gpu}")
    check("check" in [p["name"] for p in gpu["phases"]], f"{gpu['phases']}")

# Values that are not finite are counted and found on the GPU: refused, or replaced by the mean of the others.
with h5py.File("spoilt.h5", "w") as file, h5py.File("fftw.h5") as contrast:
    spoilt = contrast["delta"][...]
    spoilt[3, 7, 2] = numpy.nan
    spoilt[3, 7, 1] = spoilt[12, 0, 15] = -numpy.inf
    file["delta"] = spoilt
    file["delta"].attrs["BoxSize"] = 40.0
found = {}
for backend in ("fftw", "cuda"):
    done = run("poisson", "spoilt.h5", "-o", "none.h5", "--backend", backend, "--part", 0.002, ranks=2, code=1)
    check("holds 3 values that are NaN or infinite, the first at cell 3,7,1;" in done.stderr, done.stderr)
    on(backend, "poisson", "spoilt.h5", "-o", f"{backend}-mended.h5", "--allow-nonfinite", "--timing", "t.json")
    found[backend] = json.load(open("t.json"))
cpu, gpu = found["fftw"], found["cuda"]
check(gpu["mean"] == cpu["mean"] and gpu["nonfinite"] == cpu["nonfinite"] == 3, f"{gpu['mean']}, {cpu['mean']}, {gpu['nonfinite']}")
with h5py.File("fftw-mended.h5") as cpu, h5py.File("cuda-mended.h5") as gpu:
    check(relative(gpu["phi"][...], cpu["phi"][...]) < 2e-15, "mended")

# A bit that is flipped while a field goes to the GPU or comes back is found, and nothing is written: the residual, of what is
# in the memory of the GPU, sees neither.  A part is a plane of 1 KiB, and the field and each output have 8 on each of two ranks;
# copies there count from -1 down, those back from 1 up, in each process.
if "MFFT_EMULATED_BYTES" in os.environ:
    for copy, name in ((-5, "delta"), (3, "phi"), (30, "force_z")):
        done = run("poisson", "fftw.h5", "-o", "none.h5", "--gradient", "spectral", "--backend", "cuda", "--part", 0.001, ranks=2, code=1,
                   MFFT_EMULATED_FLIP=str(copy))
        check(f"{name} was damaged between host and GPU: on rank" in done.stderr, done.stderr)
        check(not os.path.exists("none.h5"), f"a damaged {name} is written")

# Walls: cosines and sines on the GPU.
for backend in ("fftw", "cuda"):
    on(backend, "poisson", "fftw.h5", "-o", f"{backend}-walls.h5", "--boundary", "dirichlet,neumann,periodic")
with h5py.File("fftw-walls.h5") as cpu, h5py.File("cuda-walls.h5") as gpu:
    check(relative(gpu["phi"][...], cpu["phi"][...]) < 2e-15, f"walls: {relative(gpu['phi'][...], cpu['phi'][...])}")

# A uniform field, and one whose potential the precision cannot hold, in single.
with h5py.File("flat.h5", "w") as file:
    file["delta"] = numpy.full((8, 8, 8), 0.1)
    file["delta"].attrs["BoxSize"] = 40.0
done = run("poisson", "flat.h5", "-o", "flat-phi.h5", "--backend", "cuda", ranks=2)
check("the field is uniform" in done.stderr, done.stderr)
with h5py.File("flat-phi.h5") as file:
    check((file["phi"][...] == 0).all(), "phi of a uniform field")
done = run("poisson", "fftw.h5", "-o", "none.h5", "-p", "single", "--coefficient", 1e-44, "--backend", "cuda", ranks=2, code=1)
check("small" in done.stderr, done.stderr)
done = run("poisson", "fftw.h5", "-o", "none.h5", "-p", "single", "--coefficient", 1e39, "--backend", "cuda", ranks=2, code=1)
check("large" in done.stderr, done.stderr)
check(not os.path.exists("none.h5"), "a refused solution is written")

# A mean so large that single precision would lose the variation is removed before the field is rounded for the GPU.
with h5py.File("offset.h5", "w") as file, h5py.File("fftw.h5") as contrast:
    file["rho"] = 1e9 + contrast["delta"][...]
    file["rho"].attrs["BoxSize"] = 40.0
for backend, precision in (("fftw", "double"), ("cuda", "single")):
    on(backend, "poisson", "offset.h5", "-o", f"{backend}-offset.h5", "-p", precision)
with h5py.File("fftw-offset.h5") as cpu, h5py.File("cuda-offset.h5") as gpu:
    check(relative(gpu["phi"][...], cpu["phi"][...]) < 5e-7, f"with a mean: {relative(gpu['phi'][...], cpu['phi'][...])}")
end()
