# Memory of the host beside a field on a GPU, real or emulated: a field of twice the cells takes no more, since nothing but files is on
# the host: two page-locked parts, buffers of threads, and the numbers of some rows (docs/poisson.md).
# TEST labels=apps+command+cuda
# TEST labels=apps+command+emulated+nightly timeout=300
import os
import subprocess
import time

from command import ALONE, COMMAND, check, end, run

emulated = "MFFT_EMULATED_BYTES" in os.environ
SHAPES = ("32x64x128", "64x64x128") if emulated else ("512x512x256", "512x512x512")


def peak_kib(*arguments):
    """Runs the command; the most anonymous memory that it had, in KiB, of which page-locked memory and that of a GPU are no part."""
    most = 0
    job = subprocess.Popen([COMMAND, *arguments], stdout=subprocess.DEVNULL, env={**os.environ, **ALONE})
    while job.poll() is None:
        try:
            with open(f"/proc/{job.pid}/status", encoding="utf-8") as status:
                words = [line.split() for line in status]
        except OSError:
            break
        most = max([most] + [int(w[1]) for w in words if w and w[0] == "RssAnon:"])
        time.sleep(0.002)
    check(job.wait() == 0, f"{arguments}")
    return most


for name, shape in zip("ab", SHAPES):
    run("gen", "-o", f"{name}.h5", "-n", shape, "-L", 40, "--backend", "fftw")
field_kib = os.path.getsize("b.h5") / 1024
for command in (("poisson", "-o", "phi.h5"), ("power", "-o", "p.txt")):
    options = (*command[1:], "--backend", "cuda", "--part", "0.25", "--io-threads", "2")
    peak = {name: peak_kib(command[0], f"{name}.h5", *options) for name in "abab"}  # kernels are compiled in the first two
    grown = peak["b"] - peak["a"]
    check(grown < 0.2 * field_kib, f"{command[0]}: {peak} KiB, {grown} more for a field of {field_kib} KiB")
end()
