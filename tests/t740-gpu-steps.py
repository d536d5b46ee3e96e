# scripts/gpu: the steps that make the tables of the documents, with programs that only record their arguments: results as
# text, JSON and tables; a benchmark beyond its time limit does not prevent the others.  And the build step: CMake gets the
# toolkit that has the headers, if the compiler is a script that is elsewhere, and all sources of the build include its
# headers.
# TEST labels=apps+command+scripts
import json
import os
import re
import shutil
import subprocess

from command import check, end

BENCH = """#!/bin/sh
echo "t890 $*" >>%(log)s
case "$MFFT_TEST_COMPILE $*" in */*) exit 0 ;; *2d,plane*) [ "$SLEEP" = 0 ] || exec sleep "$SLEEP" ;; esac
echo "1d   s 64               b=2        cufft   0.6000 ours   0.3000 ratio  2.00 passes  1.07 err  1.00e-07 cufft  1.00e-07 plan 2 ms | a | cuFFT: x"
"""
CUBE = """#!/bin/sh
echo "t893 $*" >>%(log)s
echo "cube $*"
"""
COMMAND = """#!/bin/sh
if [ "$1" = info ]; then echo "$PARTS"; exit; fi
echo "mergefft $*" >>%(log)s
while [ $# -gt 0 ]; do if [ "$1" = --json ]; then echo '{"results": []}' >"$2"; fi; shift; done
"""
log = os.path.abspath("log.txt")
shutil.rmtree("gpu", ignore_errors=True)
os.makedirs("gpu/bin")
for path, text in (("gpu/bin/t890-cuda-bench", BENCH % {"log": log}), ("gpu/bin/t893-convolution-peer-bench", CUBE % {"log": log}),
                   ("gpu/bin/mergefft", COMMAND % {"log": log}),
                   ("gpu/bin/nvidia-smi", "#!/bin/sh\necho 'NVIDIA H200'\n")):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o755)


def gpu(*steps, code=0, sleep=0, **environment):
    open(log, "w", encoding="utf-8").close()
    done = subprocess.run(["bash", os.path.join(os.environ["MFFT_TEST_SOURCE"], "scripts", "gpu"), *steps], capture_output=True,
                          text=True, timeout=100, env={**os.environ, "PATH": os.path.abspath("gpu/bin") + ":" + os.environ["PATH"],
                                                       "GPU_FOLDER": os.path.abspath("gpu"), "SLEEP": str(sleep), "PARTS": "", **environment})
    check(done.returncode == code, f"exit {done.returncode}: {done.stdout}{done.stderr}")
    with open(log, encoding="utf-8") as file:
        return file.read().splitlines(), done


def result(name):
    with open(f"gpu/results/{name}", encoding="utf-8") as file:
        return file.read()


asked, done = gpu("papers", "engine", "large", "calls")
check(sum("--vs cufft --set tcfft" in line for line in asked) == 1 and sum("--vs cufft --set 3d" in line for line in asked) == 2, asked)
check(sum("--radices" in line for line in asked) == 2, asked)
cores = os.cpu_count() if not hasattr(os, "sched_getaffinity") else len(os.sched_getaffinity(0))
for words, runs in (("--set 1d,2d,plane", 1), ("--real --set r2c,c2r,1d", 1), ("--total 30", 2), ("--peer-effort measure", 1)):
    found = sum(words in line for line in asked if line.startswith("t890"))
    check(found == runs * (1 + cores), f"{words}: {found} times, {cores} cores")  # a share of the kernels each, then all
for name in ("engine", "engine-real", "large", "large-real", "calls"):
    check("ratio  2.00" in result(name + ".txt") and "| 1D 64 | 2 |" in result(name + ".md"), name)
check(json.loads(result("tcfft.json")) == {"results": []} and "Left out" not in result("tcfft.md"), "tcfft")

# Solves: cubes in both precisions, and chains of columns, each compiled before it is timed.
asked, done = gpu("solves", GPU_COLUMNS="400 1024")
cubes = [line for line in asked if line.startswith("t893")]
check(len(cubes) == len(set(cubes)) == result("solves.txt").count("cube --only circular") > 20, cubes)
chains = [line for line in asked if "--columns" in line]
check(len(chains) == 2 * len(set(chains)) == 2 * result("columns.txt").count("ratio") == 2 * 2 * 3 * 2, len(chains))
for n, kind, precision, items in (("400", "filtered", "d", ",k1:0:0:0:0:0:0:0:2"), ("400", "filtered", "d", ",n20x20:20:8:0,n20x20:20:8:3,n20x20:20:8:4,"),
                                  ("400", "solved", "s", ",n10x10x4:40:16:0,n10x10x4:40:16:2,"), ("1024", "multiplied", "s", ",n32x32:32:16:0,")):
    wanted = f"--set {n}x{n}x{n},r2c --columns {kind} --precision {precision} --cluster k0:0:0:0:0:0:0:0:0,"
    check(any(wanted in line and items in line for line in chains), (wanted, items))

# The sanitizer: every program alone, then under each tool but for two combinations; one that reports an error is named, and fails.
for name in ("810-cuda-transforms", "815-cuda-resident", "833-cuda-any-length", "834-cuda-trigonometric", "807-cuda-filters", "358-convolution-axis"):
    with open(f"gpu/bin/t{name}", "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\necho t{name} \"$*\" small $MFFT_TEST_SMALL >>{log}\n")
    os.chmod(f"gpu/bin/t{name}", 0o755)
with open("gpu/bin/compute-sanitizer", "w", encoding="utf-8") as file:
    file.write("#!/bin/sh\ncase \"$*\" in *initcheck*t815*) echo '1 error'; exit 1 ;; esac\necho '0 errors'\nshift 4\nexec \"$@\"\n")
os.chmod("gpu/bin/compute-sanitizer", 0o755)
asked, done = gpu("sanitize", code=1)
check(len(asked) == 9 + 4 * 9 - 3 and all(line.endswith("small 1") for line in asked), asked)
check(asked.count("t810-cuda-transforms small 6 small 1") == 3 and asked.count("t834-cuda-trigonometric small 1 small 1") == 5, asked)
check("racecheck filters: 0 errors" in done.stdout and "initcheck tiles: failed, 1 error" in done.stdout, done.stdout)
check(done.stdout.count("failed") == 1 and "failed: sanitize" in done.stderr, done.stdout + done.stderr)

# Without jansson there are no JSON files, and the text remains.
asked, done = gpu("papers", PARTS="  JSON                   not built in")
check(not any("--json" in line for line in asked) and sum("--vs cufft" in line for line in asked) == 3 and result("tcfft.txt") == "", asked)

asked, done = gpu("engine", code=1, sleep=30, GPU_SECONDS="1")
check("failed: engine" in done.stderr and "ratio  2.00" in result("engine-real.txt"), done.stderr)

# The toolkit is the compiler's, if the headers are there, else the one next to it, else the one that the environment names.
with open("gpu/bin/cmake", "w", encoding="utf-8") as file:
    file.write(f"#!/bin/sh\necho cmake \"$*\" >>{log}\n")
os.chmod("gpu/bin/cmake", 0o755)
for place, says, headers, found in (("wrapped", "real", ["real"], "real"), ("wrapped", "real", ["wrapped"], "wrapped"),
                                    ("wrapped", "real", ["wrapped", "real"], "real"), ("wrapped", "real", ["home"], "home")):
    shutil.rmtree("kits", ignore_errors=True)
    for folder in ("wrapped/bin", *(f"{h}/include" for h in headers)):
        os.makedirs(f"kits/{folder}", exist_ok=True)
    for folder in headers:
        open(f"kits/{folder}/include/cuda.h", "w", encoding="utf-8").close()
    nvcc = os.path.abspath(f"kits/{place}/bin/nvcc")
    with open(nvcc, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\necho '#$ _SPACE_= ' >&2\necho '#$ TOP={os.path.abspath('kits')}/{says}' >&2\nexit 1\n")
    os.chmod(nvcc, 0o755)
    asked, _ = gpu("build", CUDACXX=nvcc, CUDA_HOME=os.path.abspath("kits/home"), GPU_TARGETS="one two", GPU_CMAKE="-DA=1 -DB=2")
    kit = os.path.realpath(f"kits/{found}")
    for words in (f"-DCUDAToolkit_ROOT={kit} ", f"-DCUDAToolkit_BIN_DIR={kit}/bin ", f"-DCUDAToolkit_NVCC_EXECUTABLE={nvcc} ", "-DA=1 -DB=2"):
        check(words in asked[0] + " ", f"{words} is not in {asked}")
    check(asked[1].endswith("--target one two"), asked)

# The headers that the library is compiled with are those of the emulated GPU.
with open(os.path.join(os.environ["MFFT_TEST_BUILD"], "compile_commands.json"), encoding="utf-8") as file:
    commands = json.load(file)
folders = {word for c in commands if c["file"].endswith("local/cuda/runtime/driver.c") for word in re.findall(r"-(?:I|isystem )(\S+)", c["command"])
           if os.path.exists(word + "/cuda.h")}
for c in commands:
    if "/tests/emulated/" in c["file"]:
        check(all(f"-isystem {folder} " in c["command"] for folder in folders), f"{c['file']} is compiled without {folders}")
end()
