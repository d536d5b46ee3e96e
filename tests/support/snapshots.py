"""Snapshots of particles as other programs write them, made by h5py and numpy, for tests."""
import os
import struct

import h5py
import numpy


def particles(seed, counts):
    """Columns of each type: {type: {name: array}}, with values that no conversion between float and double changes."""
    random = numpy.random.default_rng(seed)
    made = {}
    for kind, n in enumerate(counts):
        if n:
            made[kind] = {"Coordinates": random.random((n, 3), numpy.float32), "Velocities": random.standard_normal((n, 3), numpy.float32),
                          "ParticleIDs": random.integers(0, 2**31, n, numpy.uint32), "Masses": random.random(n, numpy.float32)}
    return made


def split(all_particles, cuts):
    """The particles of each file: cuts[type] are the numbers in each."""
    files = []
    for i in range(len(next(iter(cuts.values())))):
        part = {}
        for kind, columns in all_particles.items():
            lo = sum(cuts[kind][:i])
            if cuts[kind][i]:
                part[kind] = {name: values[lo:lo + cuts[kind][i]] for name, values in columns.items()}
        files.append(part)
    return files


def joined(all_particles, kinds, name):
    """A column as a reader returns it: type after type."""
    return numpy.concatenate([all_particles[kind][name] for kind in kinds])


def write_hdf5(path, here, total, header=None, groups=None, kinds=6, count_type="u4", cosmology=True, **options):
    """One file in GADGET's HDF5 layout.  here: its particles; total: of all files; options: of create_dataset."""
    with h5py.File(path, "w") as file:
        attributes = file.create_group("Header").attrs
        count = [len(here.get(k, {}).get("Coordinates", ())) for k in range(kinds)]
        attributes["NumPart_ThisFile"] = numpy.array(count, count_type)
        attributes["NumPart_Total"] = numpy.array(list(total) + [0] * (kinds - len(total)), count_type)
        attributes["MassTable"] = numpy.zeros(kinds)
        attributes["BoxSize"] = 100.0
        attributes["Time"] = 0.25
        attributes["Redshift"] = 3.0
        attributes["NumFilesPerSnapshot"] = numpy.int32(1)
        if cosmology:
            attributes["Omega0"], attributes["OmegaLambda"], attributes["HubbleParam"] = 0.3, 0.7, 0.7
        for name, value in (header or {}).items():
            attributes[name] = value
        for group, values in (groups or {}).items():
            for name, value in values.items():
                file.require_group(group).attrs[name] = value
        for kind, columns in here.items():
            for name, values in columns.items():
                file.create_dataset(f"PartType{kind}/{name}", data=values, **options)


def write_binary(path, here, total, form=1, order="<", files=1, mass=(0,) * 6, real="f4", identity="u4", extra=()):
    """One file in GADGET's binary format 1 or 2, of a byte order.  extra: blocks of format 2, [(letters, bytes)]."""
    count = [len(here.get(k, {}).get("Coordinates", ())) for k in range(6)]
    low, high = [n & 0xffffffff for n in total], [n >> 32 for n in total]
    head = struct.pack(order + "6I6ddd2i6I2i4d2i6Ii", *count, *mass, 0.25, 3.0, 0, 0, *low, 0, files, 100.0, 0.3, 0.7, 0.7, 0, 0, *high, 0)
    held = {"POS ": ("Coordinates", real, range(6)), "VEL ": ("Velocities", real, range(6)), "ID  ": ("ParticleIDs", identity, range(6)),
            "MASS": ("Masses", real, [k for k in range(6) if not mass[k]])}
    with open(path, "wb") as file:

        def record(data):
            mark = struct.pack(order + "I", len(data))
            file.write(mark + data + mark)

        def block(letters, data):
            if form == 2:
                record(letters.encode() + struct.pack(order + "i", len(data) + 8))
            record(data)

        block("HEAD", head.ljust(256, b"\0"))
        for letters, (name, kind, kinds) in held.items():
            data = b"".join(here[k][name].astype(order + kind).tobytes() for k in kinds if k in here)
            if data:
                block(letters, data)
        for letters, data in extra:
            block(letters, data)


def program(name):
    """A program of the tests, which scripts call as a tool."""
    return os.path.join(os.environ["MFFT_TEST_BUILD"], "bin", name)
