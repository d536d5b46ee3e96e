# Threads that read, add up, check and write fields: files, means, residuals and spectra are the same, bit by bit, for any
# number of threads, of ranks in slabs, and for any size of parts; values that are not finite are counted and located by any
# number; the cores that `info` reports.
# TEST labels=apps+command+once timeout=300 needs=jansson
import filecmp
import json
import os

import h5py
import numpy
from command import check, end, own_lines, run, sampled

random = numpy.random.default_rng(5)


def store(path, field, box=(3.0, 2.0, 5.0), **options):
    with h5py.File(path, "w") as file:
        file.create_dataset("delta", data=field, **options)
        file["delta"].attrs["BoxSize"] = box


N = (64, 48, 80)  # several pieces for each thread
field = random.standard_normal(N)
store("single.h5", field.astype("f4"))
store("offset.h5", field + 1e6)
store("chunked.h5", field, chunks=(16, 16, 80))
spoilt = field.copy()
spoilt[13, 40, 7] = spoilt[13, 41, 0] = numpy.nan
spoilt[60, 0, 79] = -numpy.inf
store("spoilt.h5", spoilt)

KEYS = ("mean", "rms", "residual", "residual_explained", "nonfinite")
for name, options in (("single", ("--gradient", "fd4")), ("single", ("-p", "half")), ("offset", ("-p", "single")), ("chunked", ()),
                      ("spoilt", ("--allow-nonfinite", "-p", "single")), ("spoilt", ("--allow-nonfinite",)),
                      ("single", ("--asmth", 1.25, "--deconvolve", 1, "--greens", "fd2"))):
    want = None
    for ranks, threads, part in ((0, 1, 32), *sampled(((0, 3, 32), (0, 16, 0.05), (2, 1, 32), (2, 4, 0.01), (3, 2, 32)))):
        run("poisson", f"{name}.h5", "-o", "out.h5", "--timing", "t.json", "--io-threads", threads, "--part", part, *options, ranks=ranks)
        with open("t.json", encoding="utf-8") as file:
            report = json.load(file)
        got = tuple(report[key] for key in KEYS)
        if want is None:
            want = got
            run("power", f"{name}.h5", "-o", "want.txt", "--io-threads", 1, *(o for o in options if o == "--allow-nonfinite"))
        check(got[:2] + got[4:] == want[:2] + want[4:], f"{name} {options} on {ranks} with {threads}: {got}, want {want}")
        if not ranks:  # transforms of other ranks round otherwise
            check(got == want, f"{name} {options} with {threads}: {got}, want {want}")
            if threads > 1:
                check(filecmp.cmp("out.h5", "one.h5", shallow=False), f"{name} {options} with {threads} threads is another file")
            else:
                run("poisson", f"{name}.h5", "-o", "one.h5", "--io-threads", threads, *options)
    run("power", f"{name}.h5", "-o", "got.txt", "--io-threads", 5, *(o for o in options if o == "--allow-nonfinite"))
    check(filecmp.cmp("got.txt", "want.txt", shallow=False), f"{name}: another spectrum with 5 threads")

# Outputs that are written in the background, while the next one is computed in a second array, equal those that are not.
for ranks, threads in ((0, 1), (2, 3)):
    sizes = []
    for one_array in ((), ("--one-array",)):
        run("poisson", "single.h5", "-o", f"turns{len(one_array)}.h5", "--gradient", "spectral", "--timing", "t.json", "--io-threads", threads,
            *one_array, ranks=ranks)
        with open("t.json", encoding="utf-8") as file:
            sizes.append(json.load(file)["memory_bytes"])
    check(filecmp.cmp("turns0.h5", "turns1.h5", shallow=False), f"in turns on {ranks} with {threads}")
    check(sizes[0] - sizes[1] >= 4 * 64 * 48 * 80 / max(ranks, 1), f"{sizes}: no second array")

for threads in (1, 7):
    done = run("poisson", "spoilt.h5", "-o", "out.h5", "--io-threads", threads, ranks=2, code=1)
    check("holds 3 values that are NaN or infinite, the first at cell 13,40,7;" in own_lines(done.stderr)[0], done.stderr)
run("poisson", "single.h5", "-o", "out.h5", "--io-threads", -1, code=2)
run("poisson", "single.h5", "-o", "out.h5", MFFT_IO_THREADS="2")

# A process that is bound to one core says how many it could have.
cores = os.sched_getaffinity(0)
os.sched_setaffinity(0, {min(cores)})
bound = run("info").stdout
os.sched_setaffinity(0, cores)
check(len(cores) == 1 or f"1 of {len(cores)}: this process is bound to them" in bound, bound)
end()
