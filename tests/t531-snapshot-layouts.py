# Snapshots in the layouts of other programs: GADGET-2, 3 and 4, SWIFT, monofonIC, one file or many of different sizes, and the
# binary formats of either byte order: every column, bit by bit, read by several numbers of ranks.
# TEST labels=field+command+once timeout=300
import os
import subprocess

import h5py
import numpy
from command import ALONE, MPIEXEC, SMALL, check, end, run
from snapshots import joined, particles, program, split, write_binary, write_hdf5

FLOAT32, FLOAT64, INT64, UINT64 = 0, 1, 3, 5
TYPES = {FLOAT32: "f4", FLOAT64: "f8", INT64: "i8", UINT64: "u8"}


def tool(*arguments, ranks=0):
    launch, alone = (MPIEXEC + [str(ranks)], {}) if ranks else ([], ALONE)
    return subprocess.run(launch + [program("t530-snapshot")] + [str(a) for a in arguments], capture_output=True, text=True,
                          env={**os.environ, **alone}, timeout=60)


def read_all(path, columns, ranks):
    """The columns [(types, name, number, components)] of a snapshot; Nones where it cannot be read."""
    done = tool("dump", path, *[f"{sum(1 << k for k in kinds)}:{name}:{number}:{components}" for kinds, name, number, components in columns], ranks=ranks)
    check(done.returncode == 0, f"{path} on {ranks}: {done.stderr}")
    if done.returncode:
        return [None] * len(columns)
    return [numpy.fromfile(f"column-{i}.bin", TYPES[number]).reshape((-1, components) if components > 1 else -1)
            for i, (_, _, number, components) in enumerate(columns)]


def read(path, kinds, name, number, components, ranks):
    return read_all(path, [(kinds, name, number, components)], ranks)[0]


def facts(path):
    done = tool("list", path)
    check(done.returncode == 0, f"{path}: {done.stderr}")
    lines = done.stdout.splitlines() or [""]
    words = dict(word.split("=") for word in lines[0].split())
    columns = {line.split()[0]: line.split()[1:] for line in lines[1:]}
    return {key: value if key == "format" else float(value) for key, value in words.items()}, columns


def compare(path, want, rank_list=(0, 3), names=("Coordinates", "Velocities", "ParticleIDs", "Masses")):
    """Every column of all types together and, by one process, of each type, in every kind of numbers."""
    for ranks in rank_list[:1] if SMALL else rank_list:
        columns = []
        for name in names:
            components = 3 if name in ("Coordinates", "Velocities") else 1
            numbers = (UINT64, INT64) if name == "ParticleIDs" else (FLOAT64, FLOAT32)
            columns += [(sorted(want), name, number, components) for number in (numbers if ranks == 0 else numbers[:1])]
            columns += [([kind], name, numbers[0], components) for kind in want if ranks == 0]
        for (kinds, name, number, _), got in zip(columns, read_all(path, columns, ranks)):
            whole = joined(want, kinds, name).astype(TYPES[number])
            check(got is not None and got.shape == whole.shape and (got == whole).all(), f"{path}: {name} of {kinds} on {ranks} as {number}")


# GADGET-2 and 3: 32-bit counts, six types, big-endian, chunked and packed; the name of the set; ranks without particles.
all_types = particles(1, [7, 1000, 0, 3])
write_hdf5("gadget3.hdf5", all_types, [7, 1000, 0, 3], {"NumPart_Total_HighWord": numpy.zeros(6, "u4")})
compare("gadget3.hdf5", all_types, (0, 2, 5))
header, columns = facts("gadget3")
check(header == {"format": "hdf5", "files": 1, "types": 6, "big": 0, "box": 100, "time": 0.25, "redshift": 3, "cosmology": 1, "omega_m": 0.3,
                 "omega_lambda": 0.7, "h": 0.7, "length": 0, "mass": 0, "velocity": 0}, header)
check(columns["type1"] == ["1000", "0", "Coordinates:3:0", "Masses:1:0", "ParticleIDs:1:4", "Velocities:3:0"], columns)
big = {k: {name: values.astype(values.dtype.newbyteorder(">")) for name, values in c.items()} for k, c in all_types.items()}
write_hdf5("big.hdf5", big, [7, 1000, 0, 3], chunks=True, compression="gzip", shuffle=True, fletcher32=True)
compare("big.hdf5", all_types)
double = {1: {"Coordinates": all_types[1]["Coordinates"].astype("f8") / 3, "ParticleIDs": all_types[1]["ParticleIDs"].astype("u8") << 31}}
write_hdf5("double.hdf5", double, [0, 1000])
compare("double.hdf5", double, (0,), ("ParticleIDs",))
check((read("double.hdf5", [1], "Coordinates", FLOAT64, 3, 2) == double[1]["Coordinates"]).all(), "doubles")

# Masses from the header, for one type of two, and a column of another name.
two = {1: {**all_types[1], "SubfindHsml": all_types[1]["Masses"] * 2}, 3: dict(all_types[3])}
for name in ("both.hdf5", "table.hdf5"):  # with a column of other masses too, which is not read, and without
    write_hdf5(name, two, [0, 1000, 0, 3], {"MassTable": numpy.array([0, 0.375, 0, 0, 0, 0])})
    got = read(name, [1, 3], "Masses", FLOAT64, 1, 3)
    check((got == numpy.concatenate([numpy.full(1000, 0.375), two[3]["Masses"]])).all(), f"{name}: masses of the header")
    two[1].pop("Masses", None)
check((read("table.hdf5", [1], "SubfindHsml", FLOAT32, 1, 3) == two[1]["SubfindHsml"]).all(), "a column of its own name")

# A set of files of different sizes; one has no particle of a type, and so no group.
cuts = {0: [0, 7, 0, 0, 0], 1: [400, 1, 0, 590, 9], 3: [1, 0, 0, 1, 1]}
os.makedirs("snapdir_007", exist_ok=True)
for i, part in enumerate(split(all_types, cuts)):
    write_hdf5(f"snapdir_007/snapshot_007.{i}.hdf5", part, [7, 1000, 0, 3], {"NumFilesPerSnapshot": numpy.int32(5)})
for path in ("snapdir_007/snapshot_007", "snapdir_007/snapshot_007.0.hdf5", "snapdir_007/snapshot_007.3.hdf5"):
    compare(path, all_types, (0, 2, 3, 8) if path.endswith("007") else (2,), ("Coordinates", "ParticleIDs"))
check(facts("snapdir_007/snapshot_007")[0]["files"] == 5, "files")

# GADGET-4: 64-bit counts, two types, units in /Parameters in kpc.
lean = {1: all_types[1]}
write_hdf5("gadget4.hdf5", lean, [0, 1000], kinds=2, count_type="u8", cosmology=False, groups={
    "Parameters": {"UnitLength_in_cm": 3.085678e21, "UnitMass_in_g": 1.989e43, "UnitVelocity_in_cm_per_s": 1e5, "Omega0": 0.31,
                   "OmegaLambda": 0.69, "HubbleParam": 0.678}, "Config": {"NTYPES": 2.0}})
compare("gadget4.hdf5", lean)
header, _ = facts("gadget4.hdf5")
check((header["types"], header["length"], header["mass"], header["velocity"], header["h"]) == (2, 1e-3, 1, 0.5, 0.678), header)

# A run without expansion: Time is no scale factor, and velocities are not divided by its root.
write_hdf5("still.hdf5", lean, [0, 1000], {"Time": 0.25, "Redshift": 0.0}, groups={"Parameters": {"UnitLength_in_cm": 3.085678e21, "UnitMass_in_g": 1.989e43,
                                                                                                   "UnitVelocity_in_cm_per_s": 1e5}})
check(facts("still.hdf5")[0]["velocity"] == 1, "velocities of a run without expansion")

# SWIFT: seven types, a box with three sides, units without h, peculiar velocities, a time that is no scale factor.
mpc, msun = 3.08567758149e24, 1.98841e33
write_hdf5("swift.hdf5", lean, [0, 1000], {"BoxSize": numpy.array([100.0, 100, 100]), "Code": numpy.bytes_("SWIFT"), "Time": numpy.array([0.013]), "Scale-factor": numpy.array([0.25]),
                                           "Redshift": numpy.array([3.0]), "NumFilesPerSnapshot": numpy.array([1])}, kinds=7, count_type="i8",
           cosmology=False, groups={"Units": {"Unit length in cgs (U_L)": numpy.array([mpc]), "Unit mass in cgs (U_M)": numpy.array([1e10 * msun]),
                                              "Unit time in cgs (U_t)": numpy.array([mpc / 1e5])},
                                    "Cosmology": {"Omega_m": numpy.array([0.3]), "Omega_lambda": numpy.array([0.7]), "h": numpy.array([0.5])}})
compare("swift.hdf5", lean)
header, _ = facts("swift.hdf5")
check((header["types"], header["length"], header["mass"], header["velocity"], header["h"], header["time"]) == (7, 0.5, 0.5, 1, 0.5, 0.25), header)

# SWIFT's lossy snapshots: decimal places kept by scale-offset, short mantissas and identities of few bits by N-bit, checksums
# after them; and a file that begins with 512 bytes of another program.
def write_lossy(path, columns):
    """columns: {name: (values, type in the file, what sets the filter)}"""
    group = h5py.File(path, "r+").require_group("PartType1")
    for name, (values, kind, pack) in columns.items():
        properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        properties.set_chunk((300,) + values.shape[1:])
        pack(properties)
        properties.set_shuffle()
        properties.set_deflate(4)
        properties.set_fletcher32()
        del group[name]
        dataset = h5py.h5d.create(group.id, name.encode(), kind, h5py.h5s.create_simple(values.shape), properties)
        dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, numpy.ascontiguousarray(values))
    group.file.close()


def narrow_float(bits, mantissa, exponent):
    kind = (h5py.h5t.IEEE_F32LE if bits == 32 else h5py.h5t.IEEE_F64LE).copy()
    kind.set_fields(mantissa + exponent, mantissa, exponent, 0, mantissa)
    kind.set_offset(0)
    kind.set_precision(mantissa + exponent + 1)
    kind.set_ebias(2**(exponent - 1) - 1)
    return kind


few_bits = h5py.h5t.STD_U64LE.copy()
few_bits.set_precision(40)
nbit = lambda properties: properties.set_filter(h5py.h5z.FILTER_NBIT)
write_hdf5("lossy.hdf5", lean, [0, 1000])
write_lossy("lossy.hdf5", {"Coordinates": (lean[1]["Coordinates"].astype("f8"), h5py.h5t.IEEE_F64LE, lambda p: p.set_scaleoffset(h5py.h5z.SO_FLOAT_DSCALE, 3)),
                           "Velocities": (lean[1]["Velocities"], narrow_float(32, 9, 8), nbit),
                           "Masses": (lean[1]["Masses"].astype("f8"), narrow_float(64, 9, 11), nbit),
                           "ParticleIDs": (lean[1]["ParticleIDs"].astype("u8"), few_bits, nbit)})
with h5py.File("lossy.hdf5") as file:
    unpacked = {1: {name: column[...] for name, column in file["PartType1"].items()}}
for name, most in (("Coordinates", 0.00051), ("Velocities", 0.001), ("Masses", 0.001)):
    distance = abs(unpacked[1][name] - lean[1][name]) / (1 if name == "Coordinates" else abs(lean[1][name]))
    check(0 < distance.max() < most, f"{name}: lost {distance.max()}")
compare("lossy.hdf5", unpacked, (0, 3))
write_hdf5("plain.hdf5", lean, [0, 1000])
with h5py.File("block.hdf5", "w", userblock_size=512) as block, h5py.File("plain.hdf5") as plain:
    for name in plain:
        plain.copy(name, block)
with open("block.hdf5", "r+b") as file:
    file.write(b"a text of another program")
compare("block.hdf5", lean)

# monofonIC: attributes as lists of one number; and the smallest header: no totals, no redshift.
write_hdf5("monofonic.hdf5", lean, [0, 1000], {"BoxSize": numpy.array([100.0]), "Time": numpy.array([0.02]), "Redshift": numpy.array([49.0]),
                                               "NumFilesPerSnapshot": numpy.array([1], "i4"), "Omega0": numpy.array([0.3])})
compare("monofonic.hdf5", lean)
write_hdf5("no-set.hdf5", lean, [0, 1000], {"NumFilesPerSnapshot": 0})  # as some converters write it
compare("no-set.hdf5", lean, (0,))
with h5py.File("least.hdf5", "w") as file:
    file.create_group("Header").attrs["NumPart_ThisFile"] = numpy.array([0, 1000])
    file["PartType1/Coordinates"] = lean[1]["Coordinates"]
compare("least.hdf5", lean, (0,), ("Coordinates",))
for given, time in (({}, 1), ({"Redshift": 3.0}, 0.25), ({"Time": 0.5}, 0.5)):  # Time follows from Redshift and the other way round
    with h5py.File("least.hdf5", "r+") as file:
        for name in ("Time", "Redshift"):
            file["Header"].attrs.pop(name, None)
        file["Header"].attrs.update(given)
    header, _ = facts("least.hdf5")
    check((header["time"], header["redshift"]) == (time, 1 / time - 1), (given, header))

# Binary formats of either byte order, single and double, ids of either size, one file or many.
cuts = {0: [0, 7, 0], 1: [400, 1, 599], 3: [1, 0, 2]}
for form in (1, 2):
    for order in "<>":
        for real, identity in (("f4", "u4"), ("f8", "u8")):
            name = f"binary-{form}-{'little' if order == '<' else 'big'}-{real}"
            extra = [("JUNK", b"12345"), ("HSML", b"of all"), ("POT ", joined(all_types, [0, 1, 3], "Masses").astype(order + real).tobytes())] if form == 2 else []
            write_binary(name, all_types, [7, 1000, 0, 3, 0, 0], form, order, real=real, identity=identity, extra=extra)
            compare(name, all_types, (0, 3) if real == "f4" else (2,))
            if form == 2:
                check((read(name, [1], "Potential", FLOAT64, 1, 2) == all_types[1]["Masses"]).all(), f"{name}: Potential")
            header, columns = facts(name)
            check("SmoothingLength:1:0" not in columns["type0"], "a block of another length is skipped")
            check(header["format"] == f"gadget{form}" and header["big"] == (order == ">") and header["box"] == 100 and header["h"] == 0.7, header)
        for i, part in enumerate(split(all_types, cuts)):
            write_binary(f"set-{form}-{ord(order)}.{i}", part, [7, 1000, 0, 3, 0, 0], form, order, 3)
        compare(f"set-{form}-{ord(order)}", all_types, (2,))
        write_binary("halo", lean, [0, 1000, 0, 0, 0, 0], form, order, mass=(0, 0.5, 0, 0, 0, 0))
        check((read("halo", [1], "Masses", FLOAT32, 1, 2) == 0.5).all(), "mass of the header in a binary file")

# The output of mergefft info for a set, also as JSON; an incomplete set.
text = run("info", "snapdir_007/snapshot_007", ranks=2).stdout
check(text.count("snapdir_007/snapshot_007: GADGET HDF5, 5 files\n") == 1 and "0.25, redshift 3\n" in text and "units                  not in the file" in text, text)
check("1000 particles\n" in text and "Coordinates          float x 3\n" in text and "ParticleIDs          uint32 x 1\n" in text, text)
text = run("info", "binary-2-big-f8").stdout
check("GADGET format 2, big-endian, 1 file\n" in text and "ParticleIDs          uint64 x 1\n" in text and "Potential            double x 1\n" in text, text)
text = run("info", "gadget4.hdf5").stdout
check("length 0.001 Mpc/h, mass 1 1e10 Msun/h, velocity 0.5 km/s" in text and "Omega_m 0.31, Omega_Lambda 0.69, h 0.678" in text, text)
os.makedirs("torn", exist_ok=True)
for i in (0, 1, 3, 4):
    with open(f"snapdir_007/snapshot_007.{i}.hdf5", "rb") as file, open(f"torn/snapshot_007.{i}.hdf5", "wb") as out:
        out.write(file.read())
check("torn/snapshot_007.2.hdf5" in run("info", "torn/snapshot_007", code=1, ranks=2).stderr, "a file of a set is missing")
check("ask for one of them" in run("info", "--plan", "gadget4.hdf5", code=2).stderr, "--plan and a snapshot")

# A file that GADGET-4 has written.
path = os.path.join(os.environ.get("MFFT_TEST_DATA", "."), "gadget4-snapshot-4096.hdf5")
if os.path.exists(path):
    header, columns = facts(path)
    check((header["types"], header["box"], header["length"], header["mass"], header["h"]) == (2, 100, 1, 1, 0.678), header)
    with h5py.File(path) as file:
        check(columns["type1"][1] == f"{file['Header'].attrs['MassTable'][1]:.17g}", columns)
        for name, values in file["PartType1"].items():
            number = FLOAT64 if values.dtype.kind == "f" else UINT64
            for ranks in (0, 3):
                check((read(path, [1], name, number, values.size // 4096, ranks) == values[...]).all(), f"GADGET-4's {name} on {ranks}")
end()
