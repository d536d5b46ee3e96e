# `--dry-run` of ic, density, force, nbody and power: nothing is written, and memory and disk space are those of the run.
# TEST labels=apps+command+once timeout=300
import functools
import os
import re
import subprocess
import sys

from command import ALONE, COMMAND, SMALL, check, end, own_lines, run

# The peak of a process, by one that is small itself: a child counts what its parent held when it began.
PEAK = "import resource, subprocess, sys; done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL); " \
       "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(done.returncode)"


@functools.cache
def peak(*arguments):
    """Bytes of memory that a run of the command takes at most."""
    done = subprocess.run([sys.executable, "-S", "-c", PEAK, COMMAND, *map(str, arguments)], capture_output=True, text=True, env={**os.environ, **ALONE})
    check(done.returncode == 0, f"{arguments}: {done.stderr}")
    return 1024 * int(done.stdout)


def figures(text):
    """Bytes a rank and of all ranks, to read and to write; expected seconds."""
    memory = re.search(r"^host memory: up to (\S+) GiB a rank, (\S+) GiB of all ranks$", text, re.MULTILINE)
    disk = re.search(r"^disk: (\S+) GiB to read, (\S+) GiB to write", text, re.MULTILINE)
    parts = re.search(r"^of a rank: particles (\S+) GiB, meshes (\S+) GiB, ghost cells (\S+) GiB$", text, re.MULTILINE)
    check(memory and (parts or "delta" in text) and (not parts or abs(sum(map(float, parts.groups())) / float(memory[1]) - 1) < 0.02), text)
    times = re.search(r"^expected time: read (\S+) s, \w+ (\S+) s, write (\S+) s ", text, re.MULTILINE)
    check(memory and disk and times and "nothing is" in text and "phase" not in text, text)
    return [float(x) * 2**30 for x in memory.groups() + disk.groups()] + [float(x) for x in times.groups()]


def compare(written, *arguments, least=(), ranks=2):
    """A dry run beside the run; written: names of the files that it leaves; least: arguments of one that holds nothing of size."""
    before = sorted(os.listdir("."))
    predicted, _, reads, writes, read_s, work_s, write_s = figures(run(*arguments, "--dry-run").stdout)
    check(sorted(os.listdir(".")) == before, f"{set(os.listdir('.')) - set(before)} was written by {arguments}")
    check(work_s > 0 and (read_s > 0) == (reads > 0) and (write_s > 0) == (writes > 0), f"{arguments}: {read_s}, {work_s}, {write_s} s")
    if ranks:
        here, total, *_ = figures(run(*arguments, "--dry-run", ranks=ranks).stdout)
        check(total <= 1.01 * ranks * here and 0.8 / ranks < here / predicted < 1.8 / ranks, f"{arguments}: {predicted} bytes, of {ranks} ranks {here}, {total} in all")
    if SMALL:
        run(*arguments)
    else:
        held = peak(*arguments) - peak(*least)
        check(0.8 < predicted / held < 1.35, f"{arguments}: {predicted} bytes of memory, and the run took {held}")
    bytes_there = sum(os.path.getsize(name) for name in written)
    check(abs(bytes_there - writes) < 0.01 * writes + (1e5 if SMALL else 5e5), f"{arguments}: {writes} bytes to write, {bytes_there} were written")


# Where the memory of runs is not measured, meshes of half the length.
N72, N96, N128 = (36, 48, 64) if SMALL else (72, 96, 128)
run("ic", "-n", 8, "-L", 100, "-o", "few.hdf5")
compare(["ic.hdf5", "psi.h5"], "ic", "-n", N72, "-L", 100, "-o", "ic.hdf5", "-D", "psi.h5", "--masses", least=("ic", "-n", 8, "-o", "x.hdf5"))
compare(["first.hdf5"], "ic", "-n", N96, "-L", 100, "-o", "first.hdf5", "--order", 1, "-p", "double", least=("ic", "-n", 8, "-o", "x.hdf5"), ranks=0)
few = "few.hdf5", "-n", 8
compare(["d.h5"], "density", "ic.hdf5", "-o", "d.h5", "-n", N128, "--interlace", "--fields", "delta,momentum", least=("density", *few, "-o", "x.h5"))
for gradient in ("fd4", "mesh"):
    compare(["f.hdf5"], "force", "ic.hdf5", "-o", "f.hdf5", "-n", N128, "--gradient", gradient, least=("force", *few, "-o", "y.hdf5"))
    os.remove("f.hdf5")
compare(["run-z0.000.hdf5", "run-z1.000.hdf5", "run-z0.000-density.h5", "run-z1.000-density.h5"], "nbody", "ic.hdf5", "-o", "run", "--steps", 2, "--outputs", 1,
        "--density", "--checkpoint", 0, "--kick", "cola", least=("nbody", *few, "-o", "least", "--steps", 1))
# A simulation needs no more than one and a half meshes, on any number of ranks.
for precision, real in (("single", 4), ("double", 8)):
    for ranks in (1, 2, 3):
        text = run("nbody", "ic.hdf5", "-o", "run", "-n", 128, "-p", precision, "--dry-run", ranks=ranks if ranks > 1 else 0).stdout
        meshes = float(re.search(r"meshes (\S+) GiB", text)[1]) * 2**30 / (128 * 128 * 130 * real) * ranks
        check(0.95 < meshes < 1.5, f"{precision}, {ranks} ranks: {meshes} meshes")
compare([], "power", "ic.hdf5", "-n", N128, "--cross", "first.hdf5", "-o", "pk.txt", least=("power", *few, "-o", "x.txt"))
compare([], "power", "d.h5", "-d", "delta", "-o", "pk.txt", least=("power", *few, "-o", "x.txt"), ranks=0)

# A checkpoint takes memory beside the outputs, and each folding reads again; what is wrong is refused before.
plain, kept = (figures(run("nbody", "ic.hdf5", "-o", "run", "--dry-run", "--checkpoint", minutes).stdout)[3] for minutes in (0, 30))
check(abs(kept - plain - 2 * N72**3 * (12 + 24 + 24)) < 0.02 * kept, f"checkpoints: {kept - plain}")
once, thrice = (figures(run("power", "ic.hdf5", "-n", 64, "--dry-run", "--fold", folds).stdout)[2] for folds in ("1", "1,2,4"))
check(abs(thrice / once - 3) < 0.02, f"foldings: {once}, {thrice}")
with open("power.txt", "w", encoding="utf-8") as file:
    file.write("".join(f"{10 ** (i / 10 - 4)} 1000\n" for i in range(41)))
text = run("ic", "-n", 32, "-L", 200, "-o", "x2.hdf5", "--spectrum", "power.txt", "--dry-run").stdout
check(text.count("power.txt: 41 rows") == 1 and figures(text)[3] > 0 and not os.path.exists("x2.hdf5"), text)
done = run("ic", "-n", 256, "-L", 200, "-o", "x2.hdf5", "--spectrum", "power.txt", "--dry-run", code=1)
check("the mesh has waves from" in done.stderr, done.stderr)
done = run("density", "missing.hdf5", "-o", "d.h5", "--dry-run", code=1)
check(len(own_lines(done.stderr)) == 1 and "missing.hdf5" in done.stderr, done.stderr)
end()
