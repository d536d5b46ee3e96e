# Damaged metadata gives an error that says so, in one line: an object that cannot be opened does not count as missing, and
# HDF5 prints nothing when the process ends.
# TEST labels=field+fault+command
import os

import h5py
import numpy
from command import check, end, run, soon

run("gen", "-n", 8, "-L", 10, "-o", "good.h5")
with h5py.File("good.h5") as file:
    headers = {name: h5py.h5o.get_info(file[name].id).addr for name in ("delta", "Header", "Checksum", "Checksum/delta", "/")}
with open("good.h5", "rb") as file:
    good = file.read()


def damaged(name, shift):
    """The lines that `power` prints of a file in whose object header of that name a bit is flipped."""
    path = f"bad-{name.replace('/', '-')}-{shift}.h5"
    bad = bytearray(good)
    check(bad[headers[name]:headers[name] + 4] == b"OHDR", f"no header of {name}")
    bad[headers[name] + shift] ^= 4
    with open(path, "wb") as file:
        file.write(bad)
    lines = run("power", path, code=1).stderr.splitlines()
    os.remove(path)
    return lines


def damaged_heap():
    """The same for an attribute whose text, which lies in a heap, is lost."""
    with h5py.File("heap.h5", "w", libver="earliest") as file:
        file["f"] = numpy.ones((4, 4, 4))
        file["f"].attrs["units"] = "Mpc/h"
    with open("heap.h5", "rb") as file:
        bad = bytearray(file.read())
    bad[bad.find(b"GCOL")] ^= 4
    with open("heap.h5", "wb") as file:
        file.write(bad)
    return run("power", "heap.h5", "-L", 1, code=1).stderr.splitlines()


wanted = {"delta": "delta is damaged", "Header": "Header is damaged", "Checksum": "Checksum is damaged",
          "Checksum/delta": "Checksum/delta is damaged", "/": "cannot be"}
for name, lines in [(name, soon(damaged, name, shift)) for name in headers for shift in (20, 40)]:
    lines = lines()
    check(len(lines) == 1 and wanted[name] in lines[0], f"{name}: {lines}")
lines = damaged_heap()
check(len(lines) == 1 and "heap.h5: attribute units cannot be read" in lines[0], f"{lines}")
end()
