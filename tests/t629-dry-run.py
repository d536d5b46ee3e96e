# Predictions of a solve's needs and time: --dry-run writes nothing and agrees with the run that follows; the line before a
# long job; and --bound, which compares a job with plain reads and writes of its bytes.
# TEST labels=apps+command+once timeout=300 needs=jansson
import json
import os
import re
import subprocess

import h5py
import numpy
from command import ALONE, COMMAND, SMALL, check, end, own_lines, run

N = (40, 36, 48)
with h5py.File("in.h5", "w") as file:
    file["delta"] = numpy.random.default_rng(2).standard_normal(N).astype("f4")
    file["delta"].attrs["BoxSize"] = 1.0

for ranks, options, outputs, stored in ((0, (), 1, 4), (2, ("--gradient", "fd4"), 4, 4), (3, ("-p", "double", "--gradient", "spectral"), 4, 8),
                                        (2, ("-p", "half"), 1, 4), (3, ("--boundary", "neumann,dirichlet,dirichlet", "--gradient", "fd4"), 4, 4),
                                        (2, ("--boundary", "open,periodic,open", "--gradient", "spectral"), 4, 4)):
    before = sorted(os.listdir("."))
    text = run("poisson", "in.h5", "-o", "out.h5", "--dry-run", *options, ranks=ranks).stdout
    check(sorted(os.listdir(".")) == before, f"{set(os.listdir('.')) - set(before)} was written")
    check(f"{max(ranks, 1)} rank" in text and "40x36x48 -> out.h5, nothing is written" in text and "phase" not in text, text)
    disk = re.search(r"disk: (\S+) GiB to read, (\S+) GiB to write, (\S+) GiB free", text)
    check(disk and abs(float(disk[1]) * 2**30 / (4 * numpy.prod(N)) - 1) < 0.01, text)
    check(disk and abs(float(disk[2]) * 2**30 / (stored * outputs * numpy.prod(N)) - 1) < 0.01, text)
    disk_now = os.statvfs(".")
    check(disk and 0.5 < float(disk[3]) * 2**30 / (disk_now.f_bavail * disk_now.f_frsize) < 2, text)
    memory = float(re.search(r"host memory: up to (\S+) GiB a rank", text)[1]) * 2**30
    times = re.search(r"expected time: read (\S+) s, solve (\S+) s, write (\S+) s", text)
    check(times and all(float(time) >= 0 for time in times.groups()), text)

    # The run has the predicted memory, layout and space.
    run("poisson", "in.h5", "-o", "out.h5", "--timing", "t.json", *options, ranks=ranks)
    with open("t.json", encoding="utf-8") as file:
        reported = json.load(file)
    check(abs(memory / reported["memory_bytes"] - 1) < 0.01, f"{options} on {ranks}: {memory} bytes, in the run {reported['memory_bytes']}")
    check(f"grid {reported['grid'][0]}x{reported['grid'][1]}, backend {reported['backend']}, transport {reported['transport']}" in text, text)
    os.remove("out.h5")
words = run("poisson", "in.h5", "missing.h5", "-o", "{}-out.h5", "--dry-run", code=1).stderr
check("1 of 2 fields can be solved" in words, words)

# The kernel of open axes takes a mesh as wide as the diagonal of the box while it is made.
for cells in (512, 65536):
    with h5py.File("long.h5", "w") as file:
        file["delta"] = numpy.ones((cells, 4, 4), "f4")
        file["delta"].attrs["BoxSize"] = (float(cells), 4.0, 4.0)
    text = run("poisson", "long.h5", "-o", "long-out.h5", "--boundary", "open", "--dry-run").stdout
    memory = float(re.search(r"host memory: up to (\S+) GiB a rank", text)[1])
    check(0.25 < memory < 0.35 if cells == 512 else memory > 1e5, f"{cells}x4x4: {text}")
words = run("poisson", "long.h5", "-o", "long-out.h5", "--boundary", "open", code=1).stderr
check("the truncated kernel of 65536x4x4 cells takes a mesh of" in words and "--open-kernel hockney" in words, words)

with h5py.File("long.h5", "w") as file:
    file["delta"] = numpy.ones((262144, 4, 4), "f4")
    file["delta"].attrs["BoxSize"] = (262144.0, 4.0, 4.0)
words = run("poisson", "long.h5", "-o", "long-out.h5", "--boundary", "open", "--dry-run", code=1).stderr
check("more than 2^50 points" in words and "--open-kernel hockney" in words, words)

# A long job prints its expected time first, others do not.
check(run("poisson", "in.h5", "-o", "out.h5", ranks=2).stderr == "", "a short job needs no words")
if not SMALL:
    with h5py.File("large.h5", "w") as file:  # a hole of 4 GiB
        space = h5py.h5s.create_simple((1024, 1024, 1024))
        early = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        early.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        early.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
        h5py.h5d.create(file.id, b"delta", h5py.h5t.IEEE_F32LE, space, dcpl=early)
        file["delta"].attrs["BoxSize"] = 1.0
    solve = subprocess.Popen([COMMAND, "poisson", "large.h5", "-o", "large-out.h5", "--gradient", "fd4"], stderr=subprocess.PIPE, text=True,
                             env={**os.environ, **ALONE})
    line = solve.stderr.readline()
    solve.kill()
    solve.wait()
    check(re.match(r"mergefft poisson: this will take about \S+ s: read \S+ s, solve \S+ s, write \S+ s; see --dry-run", line), line)
    os.remove("large.h5")

# The bound.
for ranks, arguments, reads, writes in ((0, ("poisson", "in.h5", "-o", "out.h5"), 4, 4), (2, ("poisson", "in.h5", "-o", "out.h5", "--gradient", "fd4"), 4, 16),
                                        (2, ("power", "in.h5", "-o", "pk.txt"), 4, 0), (0, ("gen", "-n", "32", "-o", "gen.h5"), 0, 8)):
    done = run(*arguments, "--bound", "--timing", "b.json", ranks=ranks)
    with open("b.json", encoding="utf-8") as file:
        reported = json.load(file)
    cells = 32**3 if arguments[0] == "gen" else numpy.prod(N)
    bound = reported["bound"]
    check(bound["read_bytes"] == reads * cells and bound["write_bytes"] == writes * cells, f"{arguments}: {bound}")
    check((bound["read_s"] > 0) == (reads > 0) and (bound["write_s"] > 0) == (writes > 0), f"{arguments}: {bound}")
    own = reported["total_s"] - {p["name"]: p["seconds"] for p in reported["phases"]}["bound"]
    check(abs(bound["ratio"] - own / (max(bound["read_s"], bound["write_s"]) + 1)) < 1e-9, f"{bound}, {own}")
    check(not [name for name in os.listdir(".") if "mfft-bound" in name], "the file of the plain writes is still there")
    if arguments[0] == "poisson":
        check(done.stdout.splitlines()[-1].startswith("plain reads of "), done.stdout)

# Progress reports bytes and, once some have been processed, the remaining time.
done = run("poisson", "in.h5", "-o", "out.h5", "--progress", "--part", 0.01)
check(re.search(r"  reading   0 %, 0 of \S+ GiB  0\.0 s$", done.stderr, re.MULTILINE), done.stderr)
check(re.search(r"  writing   0 %, 0 of \S+ GiB  0\.0 s$", done.stderr, re.MULTILINE), done.stderr)
check(own_lines(done.stderr) == [], done.stderr)
end()
