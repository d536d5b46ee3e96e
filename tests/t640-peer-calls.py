# How `mergefft bench --vs cufft` and t890 call cuFFT, on the emulated GPU and a cuFFT made of FFTW: dense arrays without embeds
# and, alone, by the plan of one array; the fastest of the calls, launched or replayed as a graph, is what the result is of and
# what it names; a peer whose result is wrong is not compared.
# TEST labels=apps+command+emulated timeout=300 needs=jansson
import json
import os
import subprocess
import sys

from command import check, end, run

BUILD = os.environ["MFFT_TEST_BUILD"]
FOLDER = os.path.join(BUILD, "tests", "emulated", "cufft")
if not os.path.isdir(FOLDER):  # a toolkit without cuFFT's headers
    print("this build has no cuFFT")
    sys.exit(77)
LOG = os.path.abspath("plans.txt")
EMULATED = {"LD_LIBRARY_PATH": FOLDER + ":" + os.environ["LD_LIBRARY_PATH"], "MFFT_EMULATED_CUFFT_LOG": LOG}


def plans():
    """The calls of cuFFT by the last program."""
    with open(LOG, encoding="utf-8") as file:
        lines = file.read().splitlines()
    os.remove(LOG)
    return lines


def bench(*arguments, code=0, **environment):
    done = run("bench", "--vs", "cufft", "--backend", "cuda", "--effort", "estimate", "--reps", 1, "--json", "-", *arguments,
               code=code, **EMULATED, **environment)
    return json.loads(done.stdout)["results"] if code == 0 else done.stderr


# Every kind and placement, alone and batched, is right without embeds, and single arrays also by the plan of one.
for placement in ("out", "in"):
    for batch in (1, 3):
        precisions = "single,double" if batch == 1 else "single"
        results = bench("-n", "16,6x8,4x6x8", "--kind", "c2c,r2c", "-p", precisions, "--placement", placement, "-b", batch)
        check(len(results) == (12 if batch == 1 else 6) and all(r["peer_rel_l2"] < 1e-6 and r["ratio"] > 0 for r in results), f"{placement} {batch}")
        asked = plans()
        check(asked and not any("embeds" in line or "patient" in line for line in asked), asked)
        singles = sum(line.startswith("single") for line in asked)
        check(singles == (len(asked) / 2 if batch == 1 else 0), f"{singles} of {len(asked)} plans are of one array")
        check(all(r["peer_call"].startswith("cuFFT ") and "with embeds" not in r["peer_call"] for r in results), results)
results = bench("-n", "12", "--kind", "r2c", "-p", "double", "--direction", "backward")
check(results[0]["peer_round_trip"] < 1e-12 and all("type i" in line for line in plans()), "only what is run is planned")

# A call that is slow is not the one that is timed.
def fastest(slow, *arguments):
    result = bench("-n", "24", "--kind", "r2c", "-p", "double", "--direction", "forward", *arguments,
                   MFFT_EMULATED_CUFFT_SLOW=slow)[0]
    return result["peer_call"].split(", ", 1)[1], result["peer_effort"]


SEARCH = ("--peer-effort", "measure")
check(fastest("launch,many") == ("cufftMakePlan1d to 3d, as a CUDA graph", "estimate"))
check(fastest("launch,single") == ("cufftXtMakePlanMany without embeds, as a CUDA graph", "estimate"))
check(fastest("launch,single,embeds,patient", *SEARCH) == ("cufftXtMakePlanMany without embeds, as a CUDA graph", "measure"))
os.remove(LOG)
check(fastest("single,many", *SEARCH)[1] == "measure" and [line.split(" type")[0] for line in plans()] ==
      ["single dense", "many dense", "many embeds", "many dense patient"], "calls that are tried")

# A peer with wrong results.
said = bench("-n", "24", "--kind", "c2c", "-p", "double", code=1, MFFT_EMULATED_CUFFT_WRONG="1")
check("the peer's result is wrong" in said and "cufft" in said, said)

# t890, which makes the same calls.
t890 = os.path.join(BUILD, "bin", "t890-cuda-bench")
if os.path.exists(t890):
    done = subprocess.run([t890, "--real", "--set", "1d,r2c,c2r", "--precision", "s", "--min", "5", "--max", "5", "--total", "8",
                           "--repeat", "1"], env={**os.environ, **EMULATED}, capture_output=True, text=True, timeout=200)
    rows = [line for line in done.stdout.splitlines() if "ratio" in line and "geometric" not in line]
    # FFTW in place of cuFFT may be closer to the truth than ours, which would be an error of t890 if it were cuFFT's.
    check(len(rows) == 2 and "cuFFT's error" not in done.stdout + done.stderr, done.stdout + done.stderr)
    check(all("cuFFT: cufftXtMakePlanMany without embeds" in row and "nan" not in row for row in rows), rows)
    check(all("dense" in line for line in plans()), "embeds")
end()
