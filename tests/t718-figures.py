# scripts/figures: the tables of results with a peer, which results are omitted, and what is refused.
# TEST labels=apps+command+scripts needs=jansson
import json
import os
import re
import subprocess
import sys

from command import check, end, run

SCRIPT = os.path.join(os.environ["MFFT_TEST_SOURCE"], "scripts", "figures")


def figures(*names, code=0):
    done = subprocess.run([sys.executable, SCRIPT, *names], capture_output=True, text=True, timeout=60)
    check(done.returncode == code, f"exit {done.returncode}: {done.stderr}")
    return done


def rows(text, first):
    """The cells of the lines of tables that begin so."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith(f"| {first} |")]


def result(n, precision, ratio, **changes):
    return {"group": f"{len(n)}D", "n": n, "batch": 2, "kind": "c2c", "precision": precision, "direction": "forward", "ranks": 1,
            "distributed": False, "peer": "cufft", "correct": True, "time_s": 1e-3, "peer_time_s": 1e-3 * (ratio or 0), "ratio": ratio,
            "passes": 1.25, "link_share": None, "rel_l2": 1e-7, "peer_rel_l2": 2e-7, "round_trip": None, "peer_round_trip": None,
            **changes}


with open("made.json", "w") as file:
    json.dump({"results": [result([64], "single", 1), result([1 << 20], "single", 4), result([64], "double", 0.5),
                           result([32, 32], "single", 3), result([128], "double", 9, correct=False),
                           result([256], "double", None)]}, file)
text = figures("made.json").stdout
check(rows(text, "1D") == [["1D", "c2c", "forward", "2.00 (1.00 .. 4.00)", "0.50 (0.50 .. 0.50)"]], text)
check(rows(text, "2D") == [["2D", "c2c", "forward", "3.00 (3.00 .. 3.00)", "-"]], text)
check(rows(text, "1D 2^20") == [["1D 2^20", "2", "4.000 / 1.000", "4.00", "1.25", "2.0e-07 / 1.0e-07", "-", "-", "-", "-"]], text)
check(rows(text, "1D 64")[0][6:9] == ["0.500 / 1.000", "0.50", "1.25"], text)
check("c2c 128 double: WRONG" in text and "c2c 256 double: no peer" in text, text)

# The script reads what the command writes.
run("bench", "--vs", "fftw-mpi", "--n", "16x16x16,20x16x16", "--kind", "c2c", "--precision", "double", "--seconds", "0.05", "--json",
    "bench.json", ranks=2)
text = figures("bench.json").stdout
check(len(rows(text, "20 x 16 x 16")) == 1 and "2 ranks" in text, text)
check(re.fullmatch(r"\d+\.\d\d \(\d+\.\d\d \.\. \d+\.\d\d\)", rows(text, "3D")[0][3]) is not None, text)

# The output of t890: the summary by groups, a row for each case with its precisions, and the calls of cuFFT.
PRINTED = """copy 4220 GB/s
1d   h 4096             b=32768    cufft   0.3000 ours   0.1500 ratio  2.00 passes  1.12 err  5.60e-04 cufft  1.50e-03 plan    2.0 ms | a | cuFFT: x
1d   s 4096             b=32768    cufft   0.5000 ours   0.5000 ratio  1.00 passes  1.01 err  1.28e-07 cufft  1.85e-07 WORSE plan    2.0 ms | a | cuFFT: x
1d   h 64               b=2097152  cufft   0.6000 ours   0.0750 ratio  8.00 passes  1.07 err -1.00e+00 cufft -1.00e+00 plan    2.0 ms | a | cuFFT: y
r2d  s 256x256          b=2048     cufft   0.6540 ours   0.4880 ratio  1.34 passes  1.92 err  1.00e-07 cufft  1.00e-07 plan    2.0 ms | a | cuFFT: x
1d   s 32               b=2048     cufft      nan ours   0.4880 ratio   nan passes  1.92 err  1.00e-07 cufft -1.00e+00 plan    2.0 ms | a | cuFFT: none
geometric mean of 4 ratios 2.0
"""
with open("t890.txt", "w") as file:
    file.write(PRINTED)
text = figures("t890.txt").stdout
check(rows(text, "1D 2^4 .. 2^12") == [["1D 2^4 .. 2^12", "4.00 (2.00 .. 8.00)", "1.00 (1.00 .. 1.00)"]], text)
check(rows(text, "1D 4096") == [["1D 4096", "32768", "0.300 / 0.150", "2.00", "1.12", "1.50e-03 / 5.60e-04", "0.500 / 0.500", "1.00",
                                 "1.01", "1.85e-07 / 1.28e-07"]], text)
check(rows(text, "1D 64")[0][5] == "-" and rows(text, "R2C 2D 256x256")[0][7] == "1.34" and not rows(text, "1D 32"), text)
check(rows(text, "3") == [["3", "x"]] and rows(text, "1") == [["1", "y"]], text)
check("no results" in figures("empty.txt", code=1).stderr if not open("empty.txt", "w").close() else False, "an empty text")

figures(code=1)
for words in ("[]", "no json"):
    with open("bad.json", "w") as file:
        file.write(words)
    check("bad.json" in figures("bad.json", code=1).stderr, words)
check("absent.json" in figures("absent.json", code=1).stderr)
end()
