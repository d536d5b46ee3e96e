# Damaged, incomplete and hostile snapshots: each is refused by all ranks, before values are read, with one message that names
# the file and what is wrong with it.
# TEST labels=field+command+once timeout=300
import os
import shutil
import struct
import subprocess

import h5py
import numpy
from command import ALONE, MPIEXEC, SMALL, check, end
from snapshots import particles, program, split, write_binary, write_hdf5

many = particles(2, [0, 500])
TOTAL = [0, 500]


def attempt(path, name, ranks):
    launch, alone = (MPIEXEC + [str(ranks)], {}) if ranks else ([], ALONE)
    number, components = (5, 1) if name == "ParticleIDs" else (1, 3)
    return subprocess.run(launch + [program("t530-snapshot"), "dump", path, f"2:{name}:{number}:{components}"], capture_output=True,
                          text=True, env={**os.environ, **alone}, timeout=60)


def refused(path, *words, name="Coordinates", ranks=(0, 3)):
    for count in ranks[:1] if SMALL else ranks:
        done = attempt(path, name, count)
        lines = [line for line in done.stderr.splitlines() if any(word in line for word in words[:1])]
        check(done.returncode == 1 and len(lines) == 1 and all(word in lines[0] for word in words), f"{path} on {count}: {words} not in: exit {done.returncode}: {done.stderr[:2000]}")


def damaged(words, **header):
    """A file whose header has been changed."""
    write_hdf5("damaged.hdf5", many, TOTAL, header)
    refused("damaged.hdf5", "damaged.hdf5", *words, ranks=(0,))


# Headers.
damaged(["500 particles", "/Header says 499"], NumPart_ThisFile=[0, 499, 0, 0, 0, 0], NumPart_Total=[0, 499, 0, 0, 0, 0])
damaged(["NumPart_ThisFile[1]", "nan"], NumPart_ThisFile=[0, numpy.nan, 0, 0, 0, 0])
damaged(["NumPart_ThisFile[1]", "-500"], NumPart_ThisFile=[0, -500, 0, 0, 0, 0])
damaged(["NumPart_ThisFile[0]", "0.5"], NumPart_ThisFile=[0.5, 500, 0, 0, 0, 0])
damaged(["no NumPart_ThisFile"], NumPart_ThisFile=numpy.zeros(17))
damaged(["no NumPart_ThisFile"], NumPart_ThisFile=[b"a", b"b"])
damaged(["9007199254740992 particles of type 1", "more than files can hold"], NumPart_ThisFile=[0, 2**53, 0, 0, 0, 0], NumPart_Total=[0, 2**53, 0, 0, 0, 0])
damaged(["contain 500 particles of type 1", "501"], NumPart_Total=[0, 501, 0, 0, 0, 0])
damaged(["type 1", "499 in all"], NumPart_Total=[0, 499, 0, 0, 0, 0])
damaged(["4294967796"], NumPart_Total_HighWord=numpy.array([0, 1, 0, 0, 0, 0], "u4"))
damaged(["BoxSize", "nan"], BoxSize=numpy.nan)
damaged(["BoxSize", "-1"], BoxSize=-1.0)
damaged(["Time", "inf"], Time=numpy.inf)
damaged(["mass of a type", "nan"], MassTable=[0, numpy.nan, 0, 0, 0, 0])
damaged(["0 files"], NumFilesPerSnapshot=-1)
damaged(["1073741824 files"], NumFilesPerSnapshot=2**30)
damaged(["one of the 3 files", "number"], NumFilesPerSnapshot=3)

# Datasets.
write_hdf5("shape.hdf5", {1: {"Coordinates": numpy.zeros((500, 2))}}, TOTAL, {"NumPart_ThisFile": [0, 500, 0, 0, 0, 0]})
refused("shape.hdf5", "shape.hdf5", "has 2 numbers for each particle, not 3")
write_hdf5("kind.hdf5", {1: {"Coordinates": numpy.zeros((500, 3), "f2")}}, TOTAL, {"NumPart_ThisFile": [0, 500, 0, 0, 0, 0]})
refused("kind.hdf5", "kind.hdf5", "floating-point numbers of 2 bytes")
write_hdf5("lacks.hdf5", {1: {"Coordinates": many[1]["Coordinates"]}}, TOTAL)
refused("lacks.hdf5", "lacks.hdf5", "no column Velocities; there is Coordinates", name="Velocities")
write_hdf5("integer.hdf5", many, TOTAL)
with h5py.File("integer.hdf5", "r+") as file:
    del file["PartType1/Coordinates"]
    file["PartType1/Coordinates"] = h5py.ExternalLink("shape.hdf5", "PartType1/Coordinates")
refused("integer.hdf5", "integer.hdf5", "PartType1/Coordinates is a link to another file")
with h5py.File("integer.hdf5", "r+") as file:
    del file["PartType1"]
    file["PartType1"] = h5py.ExternalLink("shape.hdf5", "PartType1")
refused("integer.hdf5", "integer.hdf5", "another file")
with h5py.File("virtual.hdf5", "w") as file:
    with h5py.File("shape.hdf5") as other:
        other.copy("Header", file)
    layout = h5py.VirtualLayout((500, 3), "f8")
    layout[:] = h5py.VirtualSource("lacks.hdf5", "PartType1/Coordinates", (500, 3))
    file.create_virtual_dataset("PartType1/Coordinates", layout)
refused("virtual.hdf5", "virtual.hdf5", "virtual")
with h5py.File("no-header.hdf5", "w") as file:
    file["delta"] = numpy.zeros((4, 4, 4))
refused("no-header.hdf5", "no-header.hdf5", "Header is not there", "delta")

# Files that are truncated, at many places.
write_hdf5("whole.hdf5", many, TOTAL)
write_binary("whole.1", many, [0, 500, 0, 0, 0, 0], 1)
write_binary("whole.2", many, [0, 500, 0, 0, 0, 0], 2)
for path in ("whole.hdf5", "whole.1", "whole.2"):
    with open(path, "rb") as file:
        data = file.read()
    sizes = [0, 3, 15, 200, 300, len(data) // 3, len(data) // 2] + ([len(data) - 1] if path != "whole.hdf5" else [])
    for size in sizes:
        with open("cut", "wb") as file:
            file.write(data[:size])
        refused("cut", "cut", ranks=(0,))
        if path != "whole.hdf5":
            refused("cut", "cut", ranks=(0,), name="ParticleIDs")

# Sets: a file that is missing, truncated, of another snapshot, without a header, or with another number of particles.
parts = split(many, {1: [100, 250, 150]})


def make_set():
    for i, part in enumerate(parts):
        write_hdf5(f"set.{i}.hdf5", part, TOTAL, {"NumFilesPerSnapshot": numpy.int32(3)})


make_set()
os.remove("set.1.hdf5")
refused("set", "set.1.hdf5", "No such file", "file 1 of the 3")
make_set()
with open("set.2.hdf5", "r+b") as file:
    file.truncate(3000)
refused("set.0.hdf5", "set.2.hdf5", "file 2 of the 3")
for name, value in {"Time": 0.5, "BoxSize": 50.0, "MassTable": numpy.ones(6), "NumPart_Total": [1, 500, 0, 0, 0, 0], "NumFilesPerSnapshot": 4}.items():
    make_set()
    with h5py.File("set.2.hdf5", "r+") as file:
        file["Header"].attrs[name] = value
    refused("set", "set.2.hdf5", "set.0.hdf5", f"differ in {name}", ranks=(2,))
make_set()
with h5py.File("set.2.hdf5", "r+") as file:
    file["Header"].attrs["NumPart_ThisFile"] = [0, 149, 0, 0, 0, 0]
refused("set", "499 particles of type 1", "500", ranks=(2,))
make_set()
with h5py.File("set.1.hdf5", "r+") as file:
    del file["PartType1/Velocities"]
refused("set", "set.1.hdf5", "no column Velocities", name="Velocities")
make_set()
with h5py.File("set.1.hdf5", "r+") as file:
    del file["PartType1/Coordinates"]
    file["PartType1/Coordinates"] = numpy.zeros((249, 3))
refused("set", "set.1.hdf5", "249 particles")

# Binary files: blocks of another length, record markers that differ, an invalid header.
for form in (1, 2):
    base = 0 if form == 1 else 16
    first = 2 * base + 256 + 8  # offset of the marker of the first block

    def patched(words, changes, name="Coordinates"):
        shutil.copy(f"whole.{form}", "patched")
        with open("patched", "r+b") as file:
            for offset, number in changes.items():
                file.seek(offset)
                file.write(struct.pack("<I", number))
        refused("patched", "patched", *words, name=name, ranks=(0,))

    patched(["block POS", "6004"], {first: 6004})
    patched(["block POS", "different lengths, 6000 and 6001"], {first + 4 + 6000: 6001})
    patched(["block VEL", "5"], {first + 8 + 6000 + base: 5}, name="ParticleIDs")
    patched(["header", "256"], {base + 4 + 256: 255})
    patched(["4294967295"], {base + 4 + 4: 0xffffffff})
    patched(["block POS"], {base + 4 + 4: 501, base + 4 + 100: 501})
    patched(["BoxSize", "nan"], {base + 4 + 132: 0x7ff80000})

# A file of mergefft: its checksums are verified, and it has what other programs read.
subprocess.run([program("t530-snapshot")], env={**os.environ, **ALONE}, timeout=60, check=True)
with h5py.File("round-trip.hdf5") as file:
    header = dict(file["Header"].attrs)
    check(sorted(file) == ["Checksum", "Header", "Parameters", "PartType0", "PartType1", "Units"], sorted(file))
    check(list(header["NumPart_ThisFile"]) == list(header["NumPart_Total"]) == [37, 100003, 0, 0, 0, 0], header)
    check(list(header["MassTable"]) == [0, 0.125, 0, 0, 0, 0] and not header["NumPart_Total_HighWord"].any(), header)
    check({k: float(header[k]) for k in ("BoxSize", "Time", "Redshift", "NumFilesPerSnapshot", "Omega0", "OmegaLambda", "HubbleParam", "Dimension",
                                         "Flag_Entropy_ICs")} == {"BoxSize": 100, "Time": 0.25, "Redshift": 3, "NumFilesPerSnapshot": 1, "Omega0": 0.3,
                                                                  "OmegaLambda": 0.7, "HubbleParam": 0.7, "Dimension": 3, "Flag_Entropy_ICs": 0}, header)
    check(file["Parameters"].attrs["UnitLength_in_cm"] == 3.085678e24 and file["Parameters"].attrs["HubbleParam"] == 0.7, "Parameters")
    check(file["Units"].attrs["Unit length in cgs (U_L)"] == 3.085678e24, "Units")
    scalings = dict(file["PartType1/Velocities"].attrs)
    check(scalings == {"a_scaling": 0.5, "h_scaling": 0, "length_scaling": 0, "mass_scaling": 0, "velocity_scaling": 1, "to_cgs": 1e5}, scalings)
    offset = file["PartType1/Velocities"].id.get_offset() + 12 * 70000
    check(file["PartType1/ParticleIDs"].dtype == "u8" and file["PartType1/Velocities"].dtype == "f4", "types")
with open("round-trip.hdf5", "r+b") as file:
    file.seek(offset)
    value = file.read(1)
    file.seek(offset)
    file.write(bytes([value[0] ^ 4]))
refused("round-trip.hdf5", "round-trip.hdf5", "PartType1/Velocities is damaged: particles 69888 to 70015", "checksum", name="Velocities")
check(attempt("round-trip.hdf5", "Coordinates", 2).returncode == 0, "a column that is not damaged")

refused("/dev/null", "/dev/null", "not a regular file", ranks=(0,))
os.makedirs("folder", exist_ok=True)
refused("folder", "cannot open folder", ranks=(0,))
with open("text", "w", encoding="utf-8") as file:
    file.write("a text that is no snapshot")
refused("text", "text", "neither an HDF5 file nor a GADGET", ranks=(0, 3))
end()
