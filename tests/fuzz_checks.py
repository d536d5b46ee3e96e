"""What every mergefft command guarantees when it ends: a message for each failure, no other files, and outputs that are whole and
right."""
import json
import os
import re
import struct
import xml.etree.ElementTree
import zlib

import h5py
import numpy
from poisson_truth import truth

NAMES = ("phi", "force_x", "force_y", "force_z")


class Broken(Exception):
    """A guarantee that was violated."""


def must(condition, words):
    if not condition:
        raise Broken(words)


# ---- Outputs -------------------------------------------------------------------------------------------------------------


def strict_json(text, what):
    def refuse(word):
        raise ValueError(f"{word} is no number")
    try:
        return json.loads(text, parse_constant=refuse)
    except ValueError as error:
        raise Broken(f"{what} is no JSON: {error}") from None


def whole_png(path):
    """Signature, the checksum of every chunk, as many rows as the header says."""
    with open(path, "rb") as file:
        data = file.read()
    must(data[:8] == b"\x89PNG\r\n\x1a\n" and data[-8:-4] == b"IEND", f"{path} is no whole PNG")
    at, packed, width, height = 8, b"", 0, 0
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        must(zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0], f"{path}: chunk {kind}")
        if kind == b"IHDR":
            width, height = struct.unpack(">II", body[:8])
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    must(len(zlib.decompress(packed)) == height * (1 + 3 * width), f"{path}: {width} x {height} pixels are not all there")


def whole_picture(path):
    """A picture of the kind that the ending of its name says."""
    if path.endswith(".png"):
        whole_png(path)
        return
    with open(path, "rb") as file:
        data = file.read()
    if path.endswith(".pdf"):
        must(data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF"), f"{path} is no whole PDF")
        return
    try:
        xml.etree.ElementTree.fromstring(data)
    except xml.etree.ElementTree.ParseError as error:
        raise Broken(f"{path} is no SVG: {error}") from None


def whole_fields(path):
    """The datasets of a field file, all of them finite."""
    with h5py.File(path) as file:
        fields = {}
        file.visititems(lambda name, item: fields.update({name: item[...]}) if isinstance(item, h5py.Dataset)
                        and not name.startswith("Checksum") else None)
    must(fields, f"{path} holds no field")
    for name, values in fields.items():
        must(numpy.isfinite(values).all(), f"{path}: {name} holds NaN or infinity")
    return fields


def table_rows(text, what):
    rows = [[float(x) for x in line.split()] for line in text.splitlines() if line and not line.startswith("#")]
    must(rows and all(numpy.isfinite(row).all() for row in rows), f"{what}: rows that are no numbers, or none")
    return rows


# ---- Results ---------------------------------------------------------------------------------------------------------------


def number(command, name, fallback):
    return float(command.values.get(name) or fallback)


def box_of(command, field):
    text = command.values.get("boxsize")
    box = [float(x) for x in text.split(",")] if text else list(field.box)
    return box * 3 if len(box) == 1 else box


def check_gen(command, fields):
    """What can be said in closed form."""
    n = [int(x) for x in command.values["n"].split("x")]
    values = next(iter(fields.values()))
    must(values.shape == tuple(n if len(n) == 3 else n * 3), f"the shape is {values.shape}")
    kind, amplitude = command.values.get("kind", "gaussian"), number(command, "amplitude", 1)
    if kind == "uniform":
        want = numpy.full(values.shape, amplitude)
    elif kind == "point":
        want = numpy.zeros(values.shape)
        want[tuple(int(i) for i in command.values.get("cell", "0,0,0").split(","))] = amplitude
    elif kind == "plane-wave":
        mode = [int(m) for m in command.values.get("mode", "1,0,0").split(",")]
        index = numpy.meshgrid(*map(numpy.arange, values.shape), indexing="ij", sparse=True)
        turns = sum(m * i / size for m, i, size in zip(mode, index, values.shape))
        want = amplitude * numpy.cos(2 * numpy.pi * turns + number(command, "phase", 0))
    else:
        return
    if "mean" in command.values:
        want = number(command, "mean", 0) * (1 + want)
    must(abs(values - want).max() <= (1e-6 if values.dtype == numpy.float32 else 1e-13) * abs(want).max(), f"a wrong {kind}")


def check_poisson(command, fields, field):
    """phi and the force against numpy."""
    values = field.values.astype(float)
    if "allow-nonfinite" in command.values:
        values = numpy.where(numpy.isfinite(values), values, values[numpy.isfinite(values)].mean())
    c = number(command, "coefficient", 1)
    if command.values.get("units") == "cosmo":
        c = 1.5 * number(command, "omega-m", 0) * 1e4 / number(command, "scale-factor", 1 / (1 + field.redshift))
    if command.values.get("field") == "density":
        values = values / values.mean() - 1
    gradient = command.values.get("gradient", "none")
    with numpy.errstate(all="ignore"):
        want = truth(values, box_of(command, field), c, command.values.get("greens", "spectral"), gradient,
                     int(command.values.get("deconvolve", 0)), 1 + ("ngp", "cic", "tsc", "pcs").index(command.values.get("assign", "cic")),
                     number(command, "asmth", 0))
    if not all(numpy.isfinite(w).all() for w in want) or not numpy.linalg.norm(values - values.mean()) > 1e-12 * numpy.linalg.norm(values):
        return  # beyond the accuracy of numpy's transform
    bits = command.values.get("precision") or ("double" if field.values.dtype.itemsize == 8 else "single")
    bound = {"double": 1e-11, "single": 2e-4, "half": 3e-2}[bits] * max(1, 0.1 / max(truth.left, 1e-300))
    scale = numpy.linalg.norm(numpy.stack(want[1:] or want))
    for name, w in zip(NAMES, want):
        size = numpy.linalg.norm(w) if name == "phi" else scale
        must(numpy.linalg.norm(fields[name] - w) <= bound * size, f"{name} is {numpy.linalg.norm(fields[name] - w) / size:.2g} off")


def check_power(command, report, field):
    """Modes and powers of each bin against numpy, if no mode is on an edge."""
    if command.given("assign", "shot", "particles") or not numpy.isfinite(field.values).all() or field.values.ndim != 3:
        return
    values = field.values.astype(float)
    values = values / values.mean() - 1 if command.values.get("field") == "density" else values - values.mean()
    box = box_of(command, field)
    k = numpy.sqrt(sum(x**2 for x in numpy.meshgrid(*[2 * numpy.pi * numpy.fft.fftfreq(m, 1 / m) / length
                                                      for m, length in zip(values.shape, box)], indexing="ij", sparse=True)))
    p = abs(numpy.fft.fftn(values))**2 * numpy.prod(box) / values.size**2
    k, p = k.ravel()[1:], p.ravel()[1:]
    if not numpy.isfinite(p).all() or p.max(initial=0) < 1e-24 * (field.values.astype(float)**2).sum() * numpy.prod(box) / values.size**2:
        return
    for row in report["bins"]:
        low, high = row["k_min"], row["k_max"]
        if (abs(k / low - 1) < 1e-9).any() if low else False or (abs(k / high - 1) < 1e-9).any():
            continue
        inside = (k >= low) & (k < high)
        must(row["modes"] == inside.sum(), f"{row['modes']} modes from {low} to {high}, not {inside.sum()}")
        if not row["modes"]:
            continue
        want = p[inside].mean()
        must(abs(row["P"] - want) <= 1e-9 * want + 1e-12 * p.max(), f"P is {row['P']} from {low} to {high}, not {want}")


# ---- The end of a command -----------------------------------------------------------------------------------------------


def check_words(command, done, ranks):
    """stderr: words of ours for each failure, all of them printable, none of a sanitizer or of HDF5; mpirun adds its own."""
    others = 0 if "--progress" in command.arguments or ranks > 1 else len(done.stderr.splitlines())
    own = [line for line in done.stderr.splitlines() if line.startswith("mergefft")]
    strange = re.search(r"[^\n\t -~\u00a0-\U0010ffff]", done.stderr)
    must(not strange, f"an unprintable character on stderr: {strange and strange.group()!r}")
    for words in ("Sanitizer", "runtime error:", "HDF5-DIAG", "infinite loop closing", "Assertion", "MPI_ERR", "*** "):
        must(words not in done.stderr, f"'{words}' on stderr")
    must(done.returncode in (0, 1, 2), f"exit code {done.returncode}")
    if done.returncode:
        must(own, "a failure without a message")
        must(len(own) <= 12 and len(own) >= others, f"stderr: {done.stderr}")
    if done.returncode == 2:
        must("--help" in done.stderr, "wrong usage without the name of the page")


def check_success(command, done, field, old):
    """Outputs that were promised."""
    if "?" in command.values and {"-h", "--help", "--version"} & set(command.arguments):
        return
    if "--dry-run" in command.arguments:
        return  # no output file was requested
    paths = {option: path for option, path in command.outputs.items() if os.path.isfile(path)}
    if "?" not in command.values:
        missing = [path for path in command.outputs.values() if not os.path.exists(path)]
        must(not missing, f"{missing} is not there")
    for option, path in paths.items():
        if path in old and os.stat(path).st_mtime_ns == old[path][0]:
            continue  # an earlier value of an option that was given twice
        if option in ("json", "timing", "trace"):
            with open(path, encoding="utf-8") as file:
                report = strict_json(file.read(), path)
            if option == "json" and command.name == "power" and field and "?" not in command.values:
                check_power(command, report, field)
        elif option in ("plot", "trace-plot") or command.name == "show":
            whole_picture(path)
        elif command.name == "power":
            with open(path, encoding="utf-8") as file:
                table_rows(file.read(), path)
        elif command.name in ("gen", "poisson") and "no-check" not in command.values:
            fields = whole_fields(path)
            if command.name == "gen" and "?" not in command.values:
                check_gen(command, fields)
            if command.name == "poisson" and field and "?" not in command.values:
                check_poisson(command, fields, field)
    if "?" not in command.values and "-" in (command.values.get("json"), command.values.get("timing")) and command.name != "bench":
        if not (command.values.get("json") == command.values.get("timing") == "-"):
            strict_json(done.stdout[done.stdout.index("{"):], "stdout")


def same(path, content):
    with open(path, "rb") as file:
        return file.read() == content


def check_folder(command, done, old):
    """Only the outputs that were requested exist; after a failure an output is absent, unchanged, or whole."""
    for name in os.listdir("."):
        must(name in old or name in command.outputs.values() or name == command.values.get("wisdom") or "?" in command.values
             and not re.search(r"\.tmp\.|partial", name), f"'{name}' is left behind")
    if done.returncode:
        for name in old:
            must(os.path.lexists(name), f"'{name}' is gone after a failure")
        path = command.outputs.get("output")
        if path and os.path.isfile(path) and not (path in old and same(path, old[path][1])) and path not in command.inputs:
            (whole_picture if command.name == "show" else whole_fields if command.name != "power" else os.stat)(path)
