# `--files N` of ic and nbody: sets of files as GADGET has them, read by h5py and by the commands; the particles of a single
# file, in its sequence; nothing is left of a run that fails.
# TEST labels=apps+command+once timeout=300
import os

import h5py
import numpy
from command import check, end, own_lines, run


def read_set(base, files):
    """The columns of type 1 of all files, after checks of their headers."""
    columns = {}
    for i in range(files):
        with h5py.File(f"{base}.{i}.hdf5") as file:
            header = dict(file["Header"].attrs)
            here = len(file["PartType1/Coordinates"])
            check(header["NumFilesPerSnapshot"] == files and header["NumPart_ThisFile"][1] == here, f"{base}.{i}: {header}")
            check(header["NumPart_Total"][1] == 24**3 and header["NumPart_Total_HighWord"][1] == 0, f"{base}.{i}: {header}")
            check(abs(here - 24**3 / files) < 1, f"{base}.{i}: {here} particles")
            for name, column in file["PartType1"].items():
                check(len(column) == here, f"{base}.{i}: {name}")
                columns.setdefault(name, []).append(column[...])
    check(not os.path.exists(f"{base}.{files}.hdf5") and not os.path.exists(f"{base}.hdf5"), f"more files of {base}")
    return {name: numpy.concatenate(parts) for name, parts in columns.items()}


def read_file(path):
    with h5py.File(path) as file:
        return {name: column[...] for name, column in file["PartType1"].items()}


def same(one, other, words):
    check(one.keys() == other.keys() and all(numpy.array_equal(one[name], other[name]) for name in one), words)


def content(name):
    with open(name, "rb") as file:
        return file.read()


for name in os.listdir():  # of an earlier run
    os.remove(name)
make = "ic", "-n", 24, "-L", 100, "--masses"
run(*make, "-o", "whole.hdf5")
want = read_file("whole.hdf5")
for ranks, files in ((0, 5), (3, 5), (2, 7)):
    run(*make, "-o", f"set{ranks}.hdf5", "--files", files, ranks=ranks)
    same(read_set(f"set{ranks}", files), want, f"{files} files of {ranks} ranks")
check(all(content(f"set0.{i}.hdf5") == content(f"set3.{i}.hdf5") for i in range(5)), "files of one and of three ranks differ")

# The same run from a set as from one file; its outputs are sets, its checkpoint is one file.
steps = "--steps", 3, "-n", 24, "--outputs", 1
run("nbody", "whole.hdf5", "-o", "one", *steps)
for ranks, begin in ((0, "set0"), (2, "set3.hdf5"), (0, "set2.3.hdf5")):
    done = run("nbody", begin, "-o", "run", *steps, "--files", 3, ranks=ranks)
    check("wrote run-z1.000.0.hdf5 to run-z1.000.2.hdf5" in done.stdout, done.stdout)
    for z in ("z1.000", "z0.000"):
        same(read_set("run-" + z, 3), read_file(f"one-{z}.hdf5"), f"{z} from {begin}")
run("density", "run-z0.000", "-o", "many.h5", "-n", 32)
run("density", "one-z0.000.hdf5", "-o", "single.h5", "-n", 32)
with h5py.File("many.h5") as many, h5py.File("single.h5") as single:
    check(numpy.array_equal(many["delta"][...], single["delta"][...]), "densities of a set and of a file differ")

# A single file that would be read in place of the set; too many files; a file of the set that cannot be written.
before = sorted(os.listdir())
for words, code, arguments in (("whole.hdf5 is there, and would be read in place of a set", 1, ("-o", "whole.hdf5", "--files", 2)),
                               ("files is 9, of 8 particles", 1, ("-n", 2, "-o", "x.hdf5", "--files", 9)),
                               ("must be a whole number from 1 to 256", 2, ("-o", "x.hdf5", "--files", 0))):
    done = run(*make[:1], *arguments, code=code, ranks=2 if code == 1 else 0)
    check(len(own_lines(done.stderr)) == 1 and words in done.stderr, done.stderr)
with open("y.1.hdf5", "w", encoding="utf-8") as file:
    file.write("a text")
done = run(*make, "-o", "y.hdf5", "--files", 3, code=1, ranks=2)
check("y.1.hdf5" in done.stderr, done.stderr)
check(sorted(os.listdir()) == sorted(before + ["y.1.hdf5"]), f"left: {set(os.listdir()) - set(before)}")
end()
