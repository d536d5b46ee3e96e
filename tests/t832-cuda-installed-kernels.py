# Kernels of common jobs compiled beforehand: after mergefft_prebuild has compiled those of a length, gen, poisson and power on
# such a cube compile nothing; its errors.
# TEST labels=apps+command+emulated timeout=600
import os
import subprocess

from command import check, end, run

tool = os.path.join(os.environ["MFFT_TEST_BUILD"], "bin", "mergefft_prebuild")
for folder in ("kernels", "cache", "other"):
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))


def build(*arguments):
    done = subprocess.run([tool, *arguments], capture_output=True, text=True)
    return done.returncode, done.stderr


os.environ["MFFT_CACHE_DIR"] = os.path.abspath("other")
code, text = build("kernels", "90", "32")
check(code == 0 and not text, f"mergefft_prebuild: {code}: {text}")
count = len(os.listdir("kernels"))
check(count > 20, f"{count} kernels")
check(build("kernels", "90", "32")[0] == 0 and len(os.listdir("kernels")) == count, "a second run makes others")

os.environ.update(MFFT_CACHE_DIR=os.path.abspath("cache"), MFFT_PREBUILT_DIR=os.path.abspath("kernels"), MFFT_EMULATED_SMS="132")
for precision in ("single", "double"):
    run("gen", "-o", "rho.h5", "-n", 32, "-p", precision, "--backend", "cuda")
    run("poisson", "rho.h5", "-o", "phi.h5", "--precision", precision, "--backend", "cuda")
    run("poisson", "rho.h5", "-o", "phi.h5", "--precision", precision, "--gradient", "spectral", "--backend", "cuda")
    run("power", "rho.h5", "--backend", "cuda")
    check(not os.listdir("cache"), f"{precision}: {len(os.listdir('cache'))} kernels were compiled")
run("gen", "-o", "rho.h5", "-n", 32, "-p", "single", "--backend", "cuda", ranks=2)
run("poisson", "rho.h5", "-o", "phi.h5", "--gradient", "spectral", "--backend", "cuda", ranks=2)
run("power", "rho.h5", "--backend", "cuda", ranks=2)
check(not os.listdir("cache"), f"on two GPUs: {len(os.listdir('cache'))} kernels were compiled")

os.makedirs("compressed", exist_ok=True)
for arguments, words in (((), "usage"), (("--fatbinary=/nowhere/fatbinary", "compressed", "90", "32"), "/nowhere/fatbinary: No such file"),
                         (("nowhere", "90"), "nowhere: no such folder"), (("kernels", "70"), "80, 90 and 100")):
    code, text = build(*arguments)
    check(code and words in text, f"{arguments}: {code}: {text}")
check(not os.listdir("compressed"), f"kernels that could not be compressed left {os.listdir('compressed')}")
end()
