# `mergefft` with GPUDirect Storage, by a cuFile that is emulated beside the GPU: the same files as through host memory, said in
# --timing and `info`; the reasons why it is not used; and a transfer that fails in the middle of the first of two fields.
# TEST labels=apps+command+emulated timeout=300 needs=jansson
import json
import os

import h5py
from command import COMMAND, check, end, run, soon

CUFILE = os.path.join(os.path.dirname(os.path.dirname(COMMAND)), "tests", "emulated", "cufile")
PATH = {"LD_LIBRARY_PATH": f"{CUFILE}:{os.environ['LD_LIBRARY_PATH']}", "MFFT_CUFILE": "on", "MFFT_EMULATED_CLOSED": "0"}  # which the emulated cuFile accesses

# The line of `info` about the machine: with direct transfers, and why there are none.
said = {}
for name, variables in (("on", {}), ("auto", {"MFFT_CUFILE": "auto"}), ("compat", {"MFFT_EMULATED_CUFILE": "compat"}), ("off", {"MFFT_CUFILE": "off"}),
                        ("old", {"MFFT_EMULATED_CUFILE_OLD": "1"}),
                        ("told", {"MFFT_EMULATED_CUFILE_OLD": "1", "CUFILE_ALLOW_COMPAT_MODE": "false"}),
                        ("wanted", {"MFFT_EMULATED_CUFILE": "compat", "MFFT_CUFILE": "compat"}),
                        ("absent", {"LD_LIBRARY_PATH": os.environ["LD_LIBRARY_PATH"]})):
    said[name] = soon(run, "info", "--json", "-", **{**PATH, **variables})
said = {name: json.loads(wait().stdout)["gpudirect_storage"] for name, wait in said.items()}
check(said["on"] == said["told"] == "cuFile 1.20", f"{said}")
check("the nvidia-fs driver is not loaded" in said["auto"] or os.path.exists("/proc/driver/nvidia-fs"), f"{said}")
check("the nvidia-fs driver is not loaded" in said["compat"] and said["compat"].startswith("not used"), f"{said}")
check("MFFT_CUFILE is off" in said["off"], f"{said}")
check("set CUFILE_ALLOW_COMPAT_MODE=false" in said["old"], f"{said}")
check("copies on the host allowed" in said["wanted"], f"{said}")
check("libcufile.so.0" in said["absent"], f"{said}")

# The planes of a rank end within a block of the file.
N = (16, 60, 36)
BYTES = 8 * N[0] * N[1] * N[2]
run("gen", "-o", "a.h5", "-n", "x".join(map(str, N)), "-L", 40, "--seed", 5, "--backend", "fftw")
run("gen", "-o", "b.h5", "-n", "x".join(map(str, N)), "-L", 40, "--seed", 6, "--backend", "fftw")


def solve(*arguments, code=0, **variables):
    """Solves on two ranks; what the report says about direct transfers."""
    done = run("poisson", *arguments, "--backend", "cuda", "--timing", "t.json", ranks=2, code=code, **{**PATH, **variables})
    return done, json.load(open("t.json"))["gpudirect_storage"] if not code else None


if os.path.exists("log"):
    os.remove("log")
done, direct = solve("a.h5", "-o", "direct.h5", "--gradient", "spectral", MFFT_EMULATED_CUFILE_LOG="log")
check(direct == {"read_bytes": BYTES, "written_bytes": 4 * BYTES, "why_not": None}, f"{direct}")
check("GPUDirect Storage read 0.000257 GiB and wrote 0.00103 GiB" in done.stdout, done.stdout)
moved = [line.split() for line in open("log")]
check(0.9 * BYTES < sum(int(m[1]) for m in moved if m[0] == "read") <= BYTES, "reads")
check(3.6 * BYTES < sum(int(m[1]) for m in moved if m[0] == "write") <= 4 * BYTES, "writes")
done, direct = solve("a.h5", "-o", "host.h5", "--gradient", "spectral", MFFT_EMULATED_CUFILE="refuse")
check(direct["read_bytes"] == direct["written_bytes"] == 0 and "the file system has none" in direct["why_not"], f"{direct}")
check("fields went through host memory: " in done.stdout, done.stdout)
check(open("direct.h5", "rb").read() == open("host.h5", "rb").read(), "other files through the host")

# Values that are converted, and rows that are short in the file, go through the host.
done, direct = solve("a.h5", "-o", "single.h5", "-p", "single")
check(direct["read_bytes"] == 0 and direct["written_bytes"] == BYTES / 2, f"{direct}")

# Damage of the file, which no core has seen, is found by the checksums of the GPU.
with h5py.File("a.h5") as file:
    offset = file["delta"].id.get_offset()
bad = bytearray(open("a.h5", "rb").read())
bad[offset + BYTES // 2 + 17] ^= 1
open("bad.h5", "wb").write(bad)
done, _ = solve("bad.h5", "-o", "none.h5", code=1)
check("dataset delta is damaged: planes x = 8" in done.stderr, done.stderr)
check(not os.path.exists("none.h5"), "a result of a damaged field")

# The first field fails in the middle of its reading, and the second goes through the host.
done, _ = solve("a.h5", "b.h5", "-o", "{}-phi.h5", code=1, MFFT_EMULATED_CUFILE_FAIL=str(offset + BYTES // 2 + 8192))
check("a.h5: reading" in done.stderr and "by GPUDirect Storage: Input/output error" in done.stderr, done.stderr)
check(not os.path.exists("a-phi.h5") and not os.path.exists("a-phi.h5.mfft-partial"), "a result of a failed field")

# A write of the first field that is confirmed and not done: found when its file is committed, while the second is solved.
done, _ = solve("a.h5", "b.h5", "-o", "{}-lost.h5", code=1, MFFT_EMULATED_CUFILE_LOSE=str(offset + BYTES // 2 + 8192))
check("mergefft poisson a.h5: what was written does not read back" in done.stderr, done.stderr)
check("1 of 2 fields solved, 0 skipped since their results exist, 1 failed: a.h5" in done.stderr, done.stderr)
check(not os.path.exists("a-lost.h5") and not os.path.exists("a-lost.h5.mfft-partial"), "a file that was not written whole")

solve("b.h5", "-o", "b-host.h5", MFFT_CUFILE="off")
with h5py.File("b-lost.h5") as a, h5py.File("b-host.h5") as b:
    check((a["phi"][...] == b["phi"][...]).all(), "phi beside a lost write")
with h5py.File("b-phi.h5") as a, h5py.File("b-host.h5") as b:
    check((a["phi"][...] == b["phi"][...]).all(), "phi after a failed transfer")
end()
