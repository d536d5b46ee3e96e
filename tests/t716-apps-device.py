# `mergefft gen`, `power` and `poisson` with --backend cuda, on a GPU or the emulated one: the numbers of the CPU; fields
# that pass through buffers in many parts; modes that are counted on the device; the time of copies in the report.
# TEST labels=apps+command+cuda timeout=300 needs=jansson
# TEST labels=apps+command+emulated timeout=300 needs=jansson
import json
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
for ranks, nodes, options in ((3, 0, []), (8, 4, ["--grid", "2x4"])):  # an odd number; two nodes of four
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
check(gpu["rms"] == cpu["rms"] and gpu["mean"] == cpu["mean"], "another source")

# A mean so large that single precision would lose the variation is removed before the field is rounded for the GPU.
with h5py.File("offset.h5", "w") as file, h5py.File("fftw.h5") as contrast:
    file["rho"] = 1e9 + contrast["delta"][...]
    file["rho"].attrs["BoxSize"] = 40.0
for backend, precision in (("fftw", "double"), ("cuda", "single")):
    on(backend, "poisson", "offset.h5", "-o", f"{backend}-offset.h5", "-p", precision)
with h5py.File("fftw-offset.h5") as cpu, h5py.File("cuda-offset.h5") as gpu:
    check(relative(gpu["phi"][...], cpu["phi"][...]) < 5e-7, f"with a mean: {relative(gpu['phi'][...], cpu['phi'][...])}")
end()
