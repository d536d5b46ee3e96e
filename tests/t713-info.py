# `mergefft info`: versions, backends, transports, hosts and environment variables; plans as text; JSON.
# TEST labels=apps+command+once needs=jansson
import json
import os

from command import check, end, own_lines, run

text = run("info").stdout
for words in ("MPI", "HDF5", "FFTW", "JSON", "pictures", "fftw                   usable", "ref                    usable", "pairwise", "alltoallv", "cores", "GiB",
              "ranks of this job: 1", "MFFT_WATCHDOG_S", "MFFT_BACKEND", "[1800]"):
    check(words in text, f"'{words}' is not in {text}")
check("now ref" in run("info", MFFT_BACKEND="ref").stdout, "the value of a variable")
text = run("info", ranks=3).stdout
check("ranks of this job: 3" in text and "ranks 0-2" in text and text.count("processor") == 1, text)

report = json.loads(run("info", "--json", "-", ranks=2).stdout)
check({b["name"] for b in report["backends"]} >= {"fftw", "ref"} and report["environment"]["ranks"] == 2, f"{report}")
report = json.loads(run("info", "--json", "-").stdout)  # mpirun may bind a rank to one core
check(report["environment"]["cores"] == len(os.sched_getaffinity(0)) and report["environment"]["memory_bytes"] > 0, "machine")
check(report["environment"]["mpi"] and report["environment"]["hdf5"] and report["environment"]["fftw"], "libraries that run")

text = run("info", "--plan", "-n", "12x10x14", "-k", "r2c", "-p", "single", ranks=2).stdout
check("12 x 10 x 14" in text and "grid 2 x 1" in text and "forward" in text and "backward" in text, text)
check(text.count("forward") == 1, "more than one rank speaks")
text = run("info", "--plan", "-n", "12x10x14", "--grid", "2x2", "--order", "transposed", "--transport", "alltoallv", ranks=4).stdout
check("grid 2 x 2" in text and "alltoallv" in text and "transposed" in text, text)
check("100 x 30" in run("info", "--plan", "-n", "100x30", "-k", "c2c", "-b", 5).stdout, "a local plan")

# How a plan was chosen and what was tried, also as JSON; with wisdom no candidate is tried.
text = run("info", "--plan", "-n", "12x10x14", "--backend", "fftw", "--effort", "measure").stdout
check("transforms: measured" in text and "tried" not in text, text)
check("transforms: estimated" in run("info", "--plan", "-n", "12x10x14", "--backend", "fftw").stdout, "estimated")
tuned = ["info", "--plan", "-n", "12x10x14", "-T", "--backend", "fftw", "--transport", "pairwise", "--wire", "auto", "--tolerance", "1e-6"]
text = run(*tuned, "--json", "choice.json", "--time-limit", 30, ranks=2).stdout
choice = json.load(open("choice.json"))["choice"]
trials = [t for t in choice["trials"] if t["seconds"]]
winner = [t for t in trials if t["won"]]
check(choice["chosen"] == "measured" and len(winner) == 1 and winner[0]["candidate"] == choice["candidate"], f"{choice}")
check(f"plan: measured, {choice['candidate']}, " in text and " of 30 s\n" in text and f" {choice['candidate']}\n" in text, text)
check(text.count("\n    * ") == 1 and all(f" ms  {t['candidate']}\n" in text for t in trials), text)
check({t["parameter"] for t in trials} >= {"rule", "chunks", "wire", "local"}, f"{trials}")
check(min(t["seconds"] for t in trials) >= 0.97 * winner[0]["seconds"], f"{trials}")
for trial in choice["trials"]:
    check(bool(trial["why_not"]) == (trial["seconds"] is None), f"{trial}")
text = run(*tuned, "--effort", "estimate", ranks=2).stdout
check("plan: estimated, transport pairwise" in text and "local estimate" in text and "tried" not in text, text)
if os.path.exists("wisdom.txt"):
    os.remove("wisdom.txt")
done = run("bench", "-n", "12x10x14", "-T", "--backend", "fftw", "--seconds", 0.01, "--wisdom", "wisdom.txt", "--json", "bench.json", ranks=2)
check("wisdom" not in done.stderr, f"the file that bench is about to write is missed: {done.stderr}")
case = json.load(open("bench.json"))["results"][0]
text = run("info", "--plan", "-n", "12x10x14", "-T", "--backend", "fftw", "--destroy-input", "--wisdom", "wisdom.txt", "--json", "-", ranks=2).stdout
choice = json.loads(text)["choice"]
check(case["chosen"] == "measured" and case["wire"] == "full", f"{case}")
check(choice["chosen"] == "from wisdom" and choice["candidate"] == case["candidate"] and choice["trials"] == [], f"{choice}")
done = run("info", "--plan", "--wire", "auto", "-n", 8, code=1)
check("tolerance" in done.stderr and "6e-08" in done.stderr, done.stderr)

# Kinds of axes, one for all or one each; without a DFT the plan is real to real.
text = run("info", "--plan", "-n", "12x10x14", "--axis-kinds", "dct2,dft,dst1", "--backend", "fftw").stdout
check("r2c double 12 dct2 x 10 x 14 dst1" in text, text)
check("r2r double 8 dst3 x 6 dst3" in run("info", "--plan", "-n", "8x6", "--axis-kinds", "dst3", "--backend", "fftw").stdout, "real to real")
for kinds in ("dct5", "dct2,dct2", "dct2,,dct2"):
    done = run("info", "--plan", "-n", "12x10x14", "--axis-kinds", kinds, code=2)
    check("--axis-kinds must be dft, dct1" in done.stderr, done.stderr)

# A plan on a GPU, on a machine without one: its passes, the bytes they move, and their expected time; radices as they were
# named.
if any(line.split()[:1] == ["cuda"] for line in run("info").stdout.splitlines()):
    text = run("info", "--plan", "--backend", "cuda", "-n", 4096, "-k", "c2c", "-p", "single", "-b", 1000).stdout
    check("backend cuda" in text and "1 pass, 65.5 MB, about " in text and text.count("ms on an H200") == 2, text)
    text = run("info", "--plan", "--backend", "cuda", "-n", "512x65536", "-k", "c2c", "-p", "half", "--compute", "tensor",
               "--radices", "16,16,2x16,16+16,16").stdout
    check("tensor 256 (16,16; " in text and "tensor 512 (16,16,2; " in text and "3 passes, 805 MB" in text, text)
    text = run("info", "--plan", "--backend", "cuda", "-n", "512x512x512", "--axis-kinds", "dct2", "-p", "single").stdout
    check("cuda: 32 parts of dct2 by 512 (" in text and ", then dct2 by 512 (" in text, text)
    text = run("info", "--plan", "--backend", "cuda", "-n", "512x512x512", "--given", "256x256x256", "-k", "c2c", "-p", "single").stdout
    check("padded from 256" in text and "cropped to 256" in text and text.count("3 passes, 2.82e+03 MB (6.44e+03 MB with zeros)") == 2, text)
    text = run("info", "--plan", "--backend", "cuda", "-n", "1009", "--axis-kinds", "dct2", "-b", 9).stdout
    check("dct2 of 1009, 1 piece of 9 lines: in, " in text, text)
    text = run("info", "--plan", "-n", "240x256x270", "-k", "r2c", "-b", 4, MFFT_BACKEND="cuda").stdout
    check("parts of" in text and "workspace" in text, text)
    done = run("info", "--plan", "--backend", "cuda", "-n", "512", "-k", "c2c", "--radices", "16,16", code=1)
    check("multiply to 256" in done.stderr, done.stderr)

for arguments, code, words in ((["--plan", "-n", "0"], 2, "-n"), (["--plan", "-n", "8x8", "--given", "4"], 2, "--given must have"), (["extra"], 1, "cannot open extra"), (["extra", "more"], 2, "more"),
                               (["--plan", "--backend", "abacus"], 1, "abacus"), (["--json", "no/x.json"], 1, "no/x.json")):
    done = run("info", *arguments, code=code)
    check(len(own_lines(done.stderr)) == 1 and words in done.stderr, f"{arguments}: {done.stderr}")
end()
