# --untrusted: a file is read from a copy that another process makes.  Results are the same; if that process is killed,
# stopped or exhausts its limits, the command fails; and no temporary file remains.
# TEST labels=field+fault+command timeout=120 needs=jansson
import os
import re
import socket
import struct
import zlib

import h5py
import numpy
from command import check, end, run, soon

# Two mpiruns that begin at the same time cannot both make the folder that Open MPI shares between jobs, so it exists already, and a
# file in it prevents the end of one job from removing it while another begins.
shared = f"temporary/ompi.{socket.gethostname().split('.')[0]}.{os.getuid()}"
os.makedirs(shared, exist_ok=True)
with open(f"{shared}/kept", "w", encoding="ascii"):
    pass
os.environ["TMPDIR"] = os.path.abspath("temporary")
random = numpy.random.default_rng(5)
field = random.standard_normal((12, 10, 8))

run("gen", "-n", 16, "-L", 10, "-z", 3, "-o", "ours.h5")
with h5py.File("foreign.h5", "w") as file:
    packed = file.create_dataset("a/rho", data=field.astype(">f4"), chunks=(5, 5, 8), compression="gzip", shuffle=True)
    packed.attrs["BoxSize"] = [1.0, 2.0, 3.0]
    file["link"] = h5py.SoftLink("/a/rho")
with h5py.File("plane.h5", "w") as file:
    file["f"] = field[0]


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def both(*arguments, output=None, ranks=0, code=0):
    """The command without --untrusted and with it: what it prints, and its output file."""
    results = []
    for i, more in enumerate(([], ["--untrusted"])):
        target = f"{i}-{output}"
        wanted = ["-o", target] if output else []
        done = run(*arguments, *wanted, *more, ranks=ranks, code=code)
        text = (done.stdout + re.sub(r"rank 0 of \d+: ", "", done.stderr)).replace(target, output or "")
        lines = [line for line in text.splitlines() if line and not re.search(r"\d s\b|\d+\.\d{4}|^-----|^mpi|^Primary", line)]
        results.append((lines, read_bytes(target) if output and code == 0 else None))
        check(not (output and code) or not os.path.exists(target), f"{target} after a failure")
    check(results[0] == results[1], f"{arguments} on {ranks}: {results[0][0]} and {results[1][0]}")
    return results[1][0]


# ---- The same results -------------------------------------------------------------------------------------------------------
tries = [soon(both, "power", "ours.h5"),
         soon(both, "power", "foreign.h5", "-d", "/a/rho", "--json", "-"),
         soon(both, "power", "foreign.h5", "-d", "link", output="pk.txt", ranks=2),
         soon(both, "poisson", "ours.h5", output="phi.h5", ranks=2),
         soon(both, "poisson", "foreign.h5", "-d", "a/rho", "--gradient", "fd4", output="forces.h5"),
         soon(both, "show", "ours.h5", output="ours.png"),
         soon(both, "show", "foreign.h5", "-d", "a/rho", output="foreign.png", ranks=2)]
lines = [finish() for finish in tries]
check(not any("verified" in line for line in lines[-2]) and any("not verified" in line for line in lines[-1]), f"{lines[-2:]}")

# Errors have the same text, with the name that the user gave.
damaged = bytearray(read_bytes("ours.h5"))
damaged[-3000] ^= 1
with open("damaged.h5", "wb") as file:
    file.write(damaged)
tries = [soon(both, "power", "no-such.h5", code=1),
         soon(both, "poisson", "foreign.h5", "-d", "none", output="none.h5", code=1),
         soon(both, "power", "plane.h5", "--boxsize", 1, code=1),
         soon(both, "show", "damaged.h5", output="none.png", code=1),
         soon(both, "power", "foreign.h5", "-d", "link", "--shot", "nan", code=2)]
lines = [finish() for finish in tries]
check("plane.h5" in lines[2][0] and "2 axes" in lines[2][0], f"{lines[2]}")
check("damaged.h5: dataset delta is damaged: planes" in lines[3][0], f"{lines[3]}")

# Warnings of the other process are shown.
with h5py.File("future.h5", "w") as file, h5py.File("ours.h5") as ours:
    ours.copy("delta", file)
    ours.copy("Checksum", file)
    file["Checksum/delta"].attrs["version"] = 99
done = run("power", "future.h5", "--untrusted")
check(done.stderr.startswith("mergefft power: warning: future.h5: the checksums of delta are of a kind that"), done.stderr)

# ---- Files that do harm -----------------------------------------------------------------------------------------------------
# A tree of the old format that is its own child: HDF5 (1.10.8 and 1.14.5) descends until its stack is full.
with h5py.File("tree.h5", "w", libver="earliest") as file:
    file["delta"] = field
tree = bytearray(read_bytes("tree.h5"))
at = tree.find(b"TREE\0")
tree[at + 5] = 1
tree[at + 32:at + 40] = struct.pack("<Q", at)
with open("tree.h5", "wb") as file:
    file.write(tree)

# A chunk that unpacks to 65536 times its size.
with h5py.File("bomb.h5", "w") as file:
    bomb = file.create_dataset("delta", (8, 8, 8), "<f8", chunks=(8, 8, 8), compression="gzip")
    bomb.attrs["BoxSize"] = 1.0
    bomb.id.write_direct_chunk((0, 0, 0), zlib.compress(bytes(1 << 28), 9))

small, brief = ["--untrusted-memory", 0.1], ["--untrusted-time", 0.001]
before = read_bytes("plane.h5")
with open("phi.h5", "wb") as file:
    file.write(before)


def harm(words, *arguments, ranks=0):
    done = run(*arguments, "--untrusted", ranks=ranks, code=1)
    lines = [line for line in done.stderr.splitlines() if line.startswith("mergefft")]
    check(len(lines) == 1 and re.search(words, lines[0]) and done.stdout == "", f"{arguments} on {ranks}: {done.stderr}")


tries = [soon(harm, "'tree.h5': HDF5", "power", "tree.h5"),
         soon(harm, r"crashed while reading it \((Segmentation fault|exit code 1|exit code 66)\)", "power", "tree.h5", "-d", "delta", ranks=2),
         soon(harm, "crashed while reading it", "poisson", "tree.h5", "-L", 1, "-o", "phi.h5"),
         soon(harm, "crashed while reading it", "show", "tree.h5", "-o", "none.png", ranks=3),
         soon(harm, r"'bomb.h5': (reading it takes more than 0.1 GiB|HDF5 .* crashed while reading it \(exit)", "power", "bomb.h5", *small),
         soon(harm, "'ours.h5': HDF5", "power", "ours.h5", *brief),
         soon(harm, "did not finish reading it in 0.001 s", "poisson", "ours.h5", "-o", "phi.h5", *brief, ranks=2)]
for finish in tries:
    finish()
check(read_bytes("phi.h5") == before, "an output that was not to be touched")
done = run("power", "ours.h5", "--untrusted", code=1, TMPDIR="no/such/folder")
check("'no/such/folder/mergefft-untrusted-" in done.stderr and "set TMPDIR" in done.stderr, done.stderr)

left = [name for folder in (".", "temporary") for name in os.listdir(folder) if "untrusted" in name]
check(not left, f"files remain: {left}")
end()
