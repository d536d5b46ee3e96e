# scripts/gpu on eight emulated GPUs: all steps of the one command for sites with so many GPUs complete, at sizes without
# meaning for speed, and write the files that the table of aims is made of.  Only cuFFT on several GPUs, which is not
# emulated, is missing.
# TEST labels=apps+command+emulated+nightly timeout=900 needs=jansson
import glob
import json
import os
import subprocess

from command import check, end

GPUS, SIDE, STEPS = 8, 16, ["stores", "laws", "cufftxt", "tune", "aims"]
SMI = """#!/bin/sh
for i in $(seq %d); do
  case "$*" in *memory.total*) echo 143771 ;; *) echo "NVIDIA H200" ;; esac
done
""" % GPUS

os.makedirs("tools", exist_ok=True)
with open("tools/nvidia-smi", "w", encoding="utf-8") as file:
    file.write(SMI)
os.chmod("tools/nvidia-smi", 0o755)
os.makedirs("gpu", exist_ok=True)
if not os.path.lexists("gpu/bin"):
    os.symlink(os.path.join(os.environ["MFFT_TEST_BUILD"], "bin"), "gpu/bin")
for old in glob.glob("gpu/results/*"):
    os.remove(old)

# NVIDIA's cuFFT cannot run on an emulated driver; the emulated one refuses several GPUs.
libraries = os.path.join(os.environ["MFFT_TEST_BUILD"], "tests", "emulated", "cufft") + ":" + os.environ["LD_LIBRARY_PATH"]
environment = {**os.environ, "LD_LIBRARY_PATH": libraries, "PATH": os.path.abspath("tools") + ":" + os.environ["PATH"], "GPU_FOLDER": os.path.abspath("gpu"),
               "GPU_N": str(SIDE), "GPU_PATIENCE": "1", "MFFT_EMULATED_GPUS": str(GPUS), "MFFT_EMULATED_CHECK": "0"}
done = subprocess.run(["bash", os.path.join(os.environ["MFFT_TEST_SOURCE"], "scripts", "gpu"), *STEPS], env=environment,
                      capture_output=True, text=True, timeout=850)
tail = done.stdout[-3000:] + done.stderr[-3000:]
check(done.returncode == 1 and "failed: cufftxt;" in done.stderr, f"exit {done.returncode}: {tail}")
complaints = [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("mergefft") and "warning" not in line]
check(complaints and all("cufft" in line.lower() for line in complaints), complaints)


def text(name):
    with open(f"gpu/results/{name}", encoding="utf-8") as file:
        return file.read()


def times(name):
    return [r["time_s"] for r in json.loads(text(name))["results"] if r["correct"] and r["ranks"] == GPUS]


check(text(f"stores-{GPUS}.txt").count(" ms (least ") == 8 + 2 + 4 * 1 + 2, text(f"stores-{GPUS}.txt"))
check(text(f"laws-{GPUS}.txt").count("Parseval") == 4, text(f"laws-{GPUS}.txt"))
check(text(f"tune-{GPUS}.txt").count("plan: tried in") == 2, text(f"tune-{GPUS}.txt"))
for name, cases in {"half": 1, "wire": 1, "real": 2, "real-wire": 1, "single": 1}.items():
    check(len(times(f"{name}-{GPUS}.json")) == cases, name)
check(len(json.loads(text(f"timeline-{GPUS}.json"))["traceEvents"]) > GPUS, "a time line")
check("rel. l2" in done.stdout and "solve" in text(f"solve-{GPUS}.txt"), tail)

rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text(f"aims-{GPUS}.md").splitlines()[2:]]
missing = [row for row in rows if row[2] == "not measured"]
check(len(rows) == 14 and all("cufftXt" in row[1] or "Isend" in row[0] for row in missing), rows)
end()
