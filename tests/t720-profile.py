# scripts/profile: its calls of ncu, replaced by a script that prints made-up figures, the table of these, and what is
# refused.
# TEST labels=apps+command+scripts
import os
import subprocess
import sys

from command import check, end

SCRIPT = os.path.join(os.environ["MFFT_TEST_SOURCE"], "scripts", "profile")
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
HEAD = ["ID", "Kernel Name", "gpu__time_duration.sum", "launch__grid_size", "launch__block_size", "launch__registers_per_thread",
        "launch__shared_mem_per_block_dynamic", "launch__shared_mem_per_block", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
        STALL.format("barrier"), STALL.format("long_scoreboard"), STALL.format("long_scoreboard_not_issued")]
UNITS = ["", "", "ns", "", "", "register/thread", "Kbyte/block", "Kbyte/block", "%", "inst", "inst", "inst"]
OURS = [["0", "mfft_pass", "16,740", "512", "256", "80", "32.77", "33.79", "49.6", "1", "3", "9"],
        ["1", "mfft_pass", "20,000", "512", "256", "80", "32.77", "33.79", "50.4", "1", "3", "9"],
        ["2", "mfft_pass", "30,000", "128", "256", "80", "32.77", "33.79", "n/a", "0", "0", "0"]]
THEIRS = [["0", "void vector_fft<256, float>(kernel<T9>)", "9,000", "512", "128", "40", "0", "8.19", "60", "1", "0", "0"]]


def lines(rows):
    return "\n".join(",".join(f'"{cell}"' for cell in row) for row in [HEAD, UNITS, *rows])


os.makedirs("path", exist_ok=True)
for name, rows in (("ours", OURS), ("theirs", THEIRS)):
    with open(f"{name}.csv", "w") as file:
        file.write("==PROF== a line before\n" + lines(rows) + "\n")
with open("path/ncu", "w") as file:
    file.write('#!/bin/sh\necho "$@" >>asked.txt\ncase "$*" in *nothing*) echo none; exit 3 ;; *mfft_pass*) cat ours.csv ;; '
               "*) cat theirs.csv ;; esac\n")
os.chmod("path/ncu", 0o755)
open("asked.txt", "w").close()  # an earlier run may have left calls in it


def profile(*arguments, code=0):
    done = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PATH": "path:" + os.environ["PATH"]})
    check(done.returncode == code, f"exit {done.returncode}: {done.stderr}")
    return done


text = profile("--bench", "the-bench", "--into", "made", "r2c,3d:s:64x64x64").stdout
rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]
check(rows == [["r2c,3d s 64x64x64", "cuFFT: vector_fft", "9.0", "512 x 128", "40", "8.0", "-", "-", "60", "-", "-", "barrier 100"],
               ["r2c,3d s 64x64x64", "ours", "20.0", "512 x 256", "80", "33.0", "-", "-", "50", "-", "-",
                "long scoreboard 75, barrier 25"],
               ["r2c,3d s 64x64x64", "ours", "30.0", "128 x 256", "80", "33.0", "-", "-", "-", "-", "-", ""]], text)
check(profile("--table", "made").stdout == text)
with open("asked.txt") as file:
    ours, theirs = file.read().splitlines()
for words in ("--clock-control none", "the-bench --set r2c,3d --precision s --only 64x64x64", "--real"):
    check(words in ours and words in theirs, words)
check("--alone" in ours and "--alone" not in theirs and "--kernel-id ::mfft_pass:" in ours, ours)

profile("--into", "line", "c2r,1d:s:8192")
with open("asked.txt") as file:
    check("--only 8192 --repeat 1 --real --min 13 --max 13" in file.read().splitlines()[-1], "the line of 8192 is not requested")
profile("--into", "cube", "3d:s:1024x1024x1024")
with open("asked.txt") as file:
    check("--only 1024x1024x1024 --repeat 1 --total 30" in file.read().splitlines()[-1], "no memory for 2^30 elements is requested")
check("ncu ended with 3 and profiled 0 launches" in profile("--into", "none", "1d:h:nothing").stderr)
check("name a CASE" in profile(code=2).stderr)
check('"1d:64" is no CASE' in profile("1d:64", code=2).stderr)
end()
