# `mergefft info`: versions, backends, transports, hosts and environment variables; plans as text; JSON.
# TEST labels=apps+command
import json
import os

from command import check, end, own_lines, run

text = run("info").stdout
for words in ("MPI", "HDF5", "FFTW", "fftw                   usable", "ref                    usable", "pairwise", "alltoallv", "cores", "GiB",
              "ranks of this job: 1", "MFFT_WATCHDOG_S", "MFFT_BACKEND", "[1800]"):
    check(words in text, f"'{words}' is not in {text}")
check("now ref" in run("info", MFFT_BACKEND="ref").stdout, "the value of a variable")
text = run("info", ranks=3).stdout
check("ranks of this job: 3" in text and "ranks 0-2" in text and text.count("processor") == 1, text)

report = json.loads(run("info", "--json", "-", ranks=2).stdout)
check({b["name"] for b in report["backends"]} >= {"fftw", "ref"} and report["environment"]["ranks"] == 2, f"{report}")
report = json.loads(run("info", "--json", "-").stdout)  # mpirun may bind a rank to one core
check(report["environment"]["cores"] == len(os.sched_getaffinity(0)) and report["environment"]["memory_bytes"] > 0, "machine")

text = run("info", "--plan", "-n", "12x10x14", "-k", "r2c", "-p", "single", ranks=2).stdout
check("12 x 10 x 14" in text and "grid 2 x 1" in text and "forward" in text and "backward" in text, text)
check(text.count("forward") == 1, "more than one rank speaks")
text = run("info", "--plan", "-n", "12x10x14", "--grid", "2x2", "--order", "transposed", "--transport", "alltoallv", ranks=4).stdout
check("grid 2 x 2" in text and "alltoallv" in text and "transposed" in text, text)
check("100 x 30" in run("info", "--plan", "-n", "100x30", "-k", "c2c", "-b", 5).stdout, "a local plan")

# A plan on a GPU, where there is none: its passes, what they move, and what they should take; radices as they were named.
if any(line.split()[:1] == ["cuda"] for line in run("info").stdout.splitlines()):
    text = run("info", "--plan", "--backend", "cuda", "-n", 4096, "-k", "c2c", "-p", "single", "-b", 1000).stdout
    check("backend cuda" in text and "1 pass, 65.5 MB, about " in text and text.count("ms on an H200") == 2, text)
    text = run("info", "--plan", "--backend", "cuda", "-n", "512x65536", "-k", "c2c", "-p", "half", "--radices", "16,16,2x16,16+16,16").stdout
    check("tensor 256 (16,16; " in text and "tensor 512 (16,16,2; " in text and "3 passes, 805 MB" in text, text)
    text = run("info", "--plan", "-n", "240x256x270", "-k", "r2c", "-b", 4, MFFT_BACKEND="cuda").stdout
    check("parts of" in text and "workspace" in text, text)
    done = run("info", "--plan", "--backend", "cuda", "-n", "512", "-k", "c2c", "--radices", "16,16", code=1)
    check("multiply to 256" in done.stderr, done.stderr)

for arguments, code, words in ((["--plan", "-n", "0"], 2, "-n"), (["extra"], 2, "extra"),
                               (["--plan", "--backend", "abacus"], 1, "abacus"), (["--json", "no/x.json"], 1, "no/x.json")):
    done = run("info", *arguments, code=code)
    check(len(own_lines(done.stderr)) == 1 and words in done.stderr, f"{arguments}: {done.stderr}")
end()
