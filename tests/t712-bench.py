# `mergefft bench`: the content of its JSON, that results are checked against both kinds of truth before they are timed,
# peers, and what is refused.
# TEST labels=apps+command+large timeout=300 needs=jansson+cairo
import json
import math
import re

from command import SMALL, check, end, own_lines, png_size, run, sampled, soon, svg_fills, svg_texts


def bench(*arguments, ranks=0, code=0):
    done = run("bench", *arguments, "--seconds", 0, "--effort", "estimate", "--json", "-", ranks=ranks, code=code)
    return json.loads(done.stdout)["results"]


FIELDS = ("n", "batch", "kind", "precision", "backend", "ranks", "grid", "transport", "time_s", "peer", "peer_time_s", "ratio",
          "rel_l2", "warmups", "samples", "passes", "tflops", "peer_rel_l2", "copy_bytes_per_s", "group")

# One process against FFTW: every combination is a case, in the order of the lists.
results = bench("--n", "12x10x14,30x16,101", "--kind", "c2c,r2c", "--precision", "double,single", "--vs", "fftw", "-b", 3)
check(len(results) == 12 and all(name in r for r in results for name in FIELDS), f"{results[:1]}")
check([r["n"] for r in results[::4]] == [[12, 10, 14], [30, 16], [101]], "shapes")
check([(r["kind"], r["precision"]) for r in results[:4]] ==
      [("c2c", "double"), ("c2c", "single"), ("r2c", "double"), ("r2c", "single")], "kinds and precisions")
for r in results:
    low, high = (0, 4e-15) if r["precision"] == "double" else (1e-8, 2e-6)
    check(low <= r["rel_l2"] < high and 0 < r["round_trip"] < high and r["correct"], f"{r['n']}: {r['rel_l2']}")
    check(r["peer_call"].startswith("plan_many_dft") and "effort estimate, 1 thread" in r["peer_call"], r["peer_call"])
    check(r["peer"] == "fftw" and r["ratio"] == r["peer_time_s"] / r["time_s"] and r["samples"] >= 7, f"{r}")
    check(0 < r["time_min_s"] <= r["time_s"] <= r["time_max_s"] < 1 and r["ranks"] == 1 and r["grid"] == [1, 1], f"{r}")
    n = math.prod(r["n"])
    flops = 2 * 3 * n * math.log2(n) * (2.5 if r["kind"] == "r2c" else 5)
    check(abs(r["tflops"] * 1e12 * r["time_s"] / flops - 1) < 1e-9, f"tflops {r['tflops']}")
    check(abs(r["tflops_tcfft"] / r["tflops"] - 12 / 5) < 1e-9, f"as the papers count {r['tflops_tcfft']}")
    real = 8 if r["precision"] == "double" else 4
    sides = 3 * n * (2 if r["kind"] == "c2c" else 1) * real + 3 * 2 * n // r["n"][-1] * (r["n"][-1] // 2 + 1 if r["kind"] == "r2c" else r["n"][-1]) * real
    check(abs(r["passes"] * 2 * sides / r["copy_bytes_per_s"] / r["time_s"] - 1) < 1e-9, f"passes {r['passes']}")
    check(low <= r["peer_rel_l2"] < high and r["peer_round_trip"] is None, f"peer {r['peer_rel_l2']}")
    check(" x ".join(map(str, r["n"])) in r["plan"] and "forward" in r["plan"], r["plan"])
    check(r["batch"] == 3 and r["backend"] == "fftw" and r["transport"] is None and "fftw" in r["truth"], f"{r}")

# Distributed, in both orders and placements, 16-bit types, one dimension, more ranks than planes; and with laws in place of
# an FFT as truth.
places = [(ranks, truth) for truth in ([], ["--truth", 10]) for ranks in (2, 3)]
places = places[1:3] if SMALL else places
jobs = {(ranks, *truth): (soon(bench, "--n", "12x10x14,2x3x8,64x1,144", "--kind", "c2c", "--order", "natural,transposed",
                               "--precision", "double,half", *truth, ranks=ranks),
                          soon(bench, "--n", "7x6x9,16x15x13", "--kind", "r2c", "--order", "natural,transposed", "--placement",
                               "in", "-b", 2, "--direction", "forward", "--transport", "alltoallv", *truth, ranks=ranks))
        for ranks, truth in places}
for ranks, truth in places:
    one, two = jobs[(ranks, *truth)]
    results = one() + two()
    check(len(results) == 20 and all(r["correct"] for r in results), f"{results}")
    for r in results:
        check(r["rel_l2"] < (4e-15 if r["precision"] == "double" else 4e-3), f"{r['n']}: {r['rel_l2']}")
        check(("impulses" if truth else "fftw") in r["truth"] and r["ranks"] == ranks, f"{r['truth']}")
        check(r["grid"][0] * r["grid"][1] == ranks and r["peer"] is None and r["peer_time_s"] is None, f"{r}")
    check({r["transport"] for r in results[-4:]} == {"alltoallv"}, "transport")
check(bench("--n", 16, "--grid", "1x2", "--which", "distributed", "--kind", "c2c", ranks=2)[0]["correct"], "one dimension, grid")
check(bench("--n", "8x8x8", "--which", "local", ranks=2)[0]["distributed"] is False, "a local plan a rank")
check(bench("--n", "8x8x8", "--backend", "ref")[0]["backend"] == "ref", "backend by option")

# One direction at a time: the error of each side is that of this direction.
results = bench("--n", "6x8x10,96", "--kind", "c2c,r2c", "--direction", "forward,backward", "--vs", "fftw", "-p", "single")
check([r["direction"] for r in results] == 4 * ["forward", "backward"] and all(r["correct"] for r in results), f"{results}")
for r in results:
    there = r["direction"] == "forward"
    error, none = (r["peer_rel_l2"], r["peer_round_trip"]) if there else (r["peer_round_trip"], r["peer_rel_l2"])
    check(1e-8 < error < 2e-6 and none is None and r["ratio"] > 0, f"{r['n']} {r['direction']}: {error}, {none}")

# Ready-made sets, as far as they are small: the tcFFT papers' sizes, cubes, and all of them; a precision that FFTW does not
# have is omitted from the comparison, not from the set.
sets = [soon(bench, "--set", *arguments) for arguments in (
    ("3d", "--max-n", 32768, "--elements", 65536), ("all", "--max-n", 256, "--elements", 512),
    ("one", "--max-n", 131072, "-p", "single", "-b", 2))]
results = bench("--set", "tcfft", "--max-n", 131072, "--elements", 131072, "--vs", "fftw", "-p", "single,half", "--sample", 65536)
shapes = [(r["group"], tuple(r["n"]), r["batch"]) for r in results[::2]]
check(shapes[:10] == [("1D", (2**k,), 2**(17 - k)) for k in range(8, 18)], f"1D: {shapes}")
check(shapes[10:14] == [("2D", n, 131072 // (n[0] * n[1])) for n in ((256, 256), (256, 512), (512, 256))] + [("1D 131072", (131072,), 1)],
      f"2D: {shapes[10:14]}")
check([b for group, n, b in shapes if group == "2D 512x256"] == [1, 2, 4, 8], f"sweep: {shapes[14:]}")
check(all(r["correct"] and r["kind"] == "c2c" and r["direction"] == "forward" for r in results), f"{results}")
check(all((r["peer_time_s"] is None) == (r["precision"] == "half") for r in results), "what FFTW cannot do")
check([tuple(r["n"]) for r in sets[0]()] == 3 * [(32, 32, 32)], "--set 3d")
results = sets[1]()
check({(r["kind"], r["direction"]) for r in results} == {("c2c", "forward"), ("r2c", "forward"), ("r2c", "backward")}, "--set all")
check({r["precision"] for r in results} == {"double", "single", "half", "bfloat16"} and all(r["correct"] for r in results), "all")
check([r["batch"] for r in sets[2]()] == [2, 2], "--batch of a set")
check([r["batch"] for r in bench("--n", "16,100", "--elements", 1000)] == [62, 10], "--elements of shapes")

# The plot: a panel of each quantity and group, curves in the colours of the precisions, ticks at the sizes, units; in PNG two
# pixels a unit.
plotted = ["bench", "--set", "1d,3d", "--max-n", 32768, "--elements", 32768, "-p", "double,single", "--vs", "fftw", "--seconds", 0,
           "--effort", "estimate", "--plot"]
run("bench", "--n", 8, "--seconds", 0, "--effort", "estimate", "--plot", "p.png")
check(png_size("p.png") == (2 * 496, 2 * 674), f"{png_size('p.png')}")  # one group, two quantities
run(*plotted, "p.svg", "--json", "p.json")
words, _ = svg_texts("p.svg")
check({"mergefft and fftw", "1D", "3D", "length of an axis", "2¹⁴", "2¹⁵", "16", "64", "double c2c", "ratio: peer's time over ours"} <= set(words),
      f"{words}")
check(any(re.fullmatch(r"time of one run \[[nµm]s\]", word) for word in words) and
      any(re.fullmatch(r"speed, 5 N log2 N operations \[[MG]FLOPS\]", word) for word in words), f"units: {words}")
for color in (0xd55e00, 0x0072b2):
    points = svg_fills("p.svg", color)
    for row in range(3):
        for column, count in enumerate((12, 1)):
            inside = (abs(points[:, 0] - (270 + 496 * column)) < 204) & (abs(points[:, 1] - (234 + 266 * row)) < 110)
            check(inside.sum() == count, f"{inside.sum()} points of {color:#x} in row {row} of column {column}")

# Saved results are drawn again as they were; a file of another kind is refused, and measuring options with --redraw too.
run("bench", "--redraw", "p.json", "--plot", "again.svg")
with open("p.svg") as file, open("again.svg") as again:
    check(file.read() == again.read(), "results drawn again differ")
with open("p.json") as file:
    saved = json.load(file)
for key, value, words in (("n", [0], "\"results\" 0 of"), ("kind", "dct", "\"results\" 0 of"), ("time_s", -1, "\"results\" 0 of"),
                         ("peer", "mkl", "\"results\" 0 of")):
    with open("bad.json", "w") as file:
        json.dump({"results": [{**saved["results"][0], key: value}]}, file)
    check(words in run("bench", "--redraw", "bad.json", "--plot", "bad.svg", code=1).stderr, f"a result whose {key} is {value}")
with open("bad.json", "w") as file:
    file.write("{}")
check("has no" in run("bench", "--redraw", "bad.json", "--plot", "bad.svg", code=1).stderr, "a file without results")
for more in (["--n", 8], [], ["--plot", "p.json"]):
    run("bench", "--redraw", "p.json", *(["--plot", "bad.svg"] if "--n" in more else []), *more, code=2)

# A time line: a row for the stream and one for messages of each rank, FFTs and messages in their colours.
timed = ["bench", "--n", "32x32x32", "--transport", "pairwise", "--seconds", 0, "--effort", "estimate", "--trace-plot"]
run(*timed, "t.svg", ranks=2)
for color, row in ((0x0072b2, 0), (0xd55e00, 1)):
    for rank in range(2):
        line = 76 + 1 + 16 * row + (2 * 16 + 12) * rank
        check((abs(svg_fills("t.svg", color)[:, 1] - line) < 0.01).any(), f"no {color:#x} in row {row} of rank {rank}")
check({"rank 0", "rank 1", "stream", "messages", "fft"} <= set(svg_texts("t.svg")[0]), "the names of rows")

# Long double, against the truth in long double and from impulses, if the build has it.
has_long = "long double" in run("info").stdout
if has_long:
    results = bench("--n", "16x12x10,60", "--kind", "c2c,r2c", "--precision", "long-double", "--vs", "fftw")
    results += bench("--n", "20x18x16", "--kind", "c2c,r2c", "--precision", "long-double", "--truth", 1000, ranks=2)
    check(all(r["correct"] and r["rel_l2"] < 2e-18 and r["round_trip"] < 2e-18 for r in results), f"{results}")
    results = bench("--n", "32x32x32", "--kind", "c2c", "--precision", "long-double", "--wire", "half", ranks=2)
    check(all(r["correct"] and 1e-18 < r["rel_l2"] < 1.2e-16 for r in results), f"{results}")

# FFTW-MPI and mergefft, if the build has FFTW-MPI.
if "fftw-mpi" in run("info").stdout:
    results = bench("--n", "16x12x10,60", "--kind", "c2c", "--order", "natural,transposed", "--vs", "fftw-mpi", ranks=2)
    results += bench("--n", "16x12x10", "--kind", "r2c", "--vs", "fftw-mpi", "--placement", "in", "-b", 2, ranks=3)
    if has_long:
        results += bench("--n", "16x12x10", "--kind", "c2c,r2c", "-p", "long-double", "--vs", "fftw-mpi", ranks=2)
    check(all(r["correct"] and r["peer"] == "fftw-mpi" and r["peer_time_s"] > 0 for r in results), f"{results}")

# The text: a header and a line for each case, with the ratio; as many samples as requested.
lines = run("bench", "--n", "8x8x8,9x9x9", "--vs", "fftw", "--reps", 3, "--json", "bench.json").stdout.splitlines()
check(len(lines) == 3 and "ratio" in lines[0] and lines[1].startswith("8x8x8") and " r2c " in lines[2], f"{lines}")
with open("bench.json") as file:
    report = json.load(file)
check([r["samples"] for r in report["results"]] == [3, 3] and report["environment"]["mergefft"], "--reps")

# Calls that are refused.
refused = ((["--n", "0x4"], 0, 2, "--n"), (["--n", "4x4x4x4"], 0, 2, "4x4x4x4"), (["--n", "four"], 0, 2, "four"),
           (["--n", "8,"], 0, 2, "--n"), (["--kind", "c2r"], 0, 2, "c2r"),
           (["--precision", "double,quad"], 0, 2, "quad"), (["--order", "up"], 0, 2, "up"),
           (["--reps", 0], 0, 2, "--reps"), (["--vs", "mkl"], 0, 2, "fftw-mpi"),
           (["--vs", "fftw"], 2, 2, "fftw-mpi"), (["--which", "local", "--vs", "fftw-mpi"], 2, 2, "local"),
           (["--n", "8x8x8", "--vs", "fftw", "-p", "half"], 0, 1, "leave out --vs"),
           (["--n", "8x8x8", "--backend", "abacus"], 0, 1, "abacus"),
           (["--n", "8x8x8", "--transport", "pigeon"], 2, 1, "pigeon"),
           (["--set", "tcfft", "--n", 8], 0, 2, "exclude"), (["--set", "3d,4d"], 0, 2, "4d"),
           (["--set", "3d", "--max-n", 8], 0, 2, "--max-n 8"), (["--direction", "back"], 0, 2, "back"),
           (["--vs", "cufft", "--backend", "fftw"], 0, 2, "device memory"),
           (["--n", "64", "--backend", "fftw", "--radices", "8,8"], 0, 1, "radices are"),
           (["--n", "8x8x8", "--radices", "8"], 2, 1, "a distributed plan chooses"),
           (["--vs", "cufft"], 2, 2, "one process"),
           (["--vs", "cufftxt", "--backend", "fftw"], 2, 2, "device memory"),
           (["--n", "8x8x8", "--plot", "no/folder.png"], 0, 1, "no/folder.png"),
           (["--vs", "fftw", "--backend", "cuda"], 0, 2, "host memory"),
           (["--n", "8x8x8", "--json", "no/folder.json"], 0, 1, "no/folder.json"))
refused = list(sampled(refused))
jobs = [soon(run, "bench", *arguments, ranks=ranks, code=code) for arguments, ranks, code, words in refused]
for (arguments, ranks, code, words), job in zip(refused, jobs):
    done = job()
    check(len(own_lines(done.stderr)) == 1 and words in done.stderr, f"{arguments}: {done.stderr}")
# cuFFT and VkFFT need a GPU; without one, or in a build without them, the command says so.
if not any(line.split()[:2] == ["cuda", "usable"] for line in run("info").stdout.splitlines()):
    for peer, ranks in (("cufft", 0), ("vkfft", 0), ("cufftxt", 2)):
        done = run("bench", "--vs", peer, "--order", "transposed", ranks=ranks, code=1, MFFT_BACKEND="")  # no backend is named
        said = own_lines(done.stderr)
        check(len(said) == 1 and f"--vs {peer}" in said[0] and ("needs a GPU" in said[0] or "this build has no" in said[0]), said)
# Exchanges alone, and their share of the link bound.
bare = json.loads(run("bench", "--exchange", "1048576", "--seconds", "0.02", "--json", "-", ranks=3).stdout)["exchanges"]
check({e["transport"] for e in bare} >= {"p2p", "pairwise", "alltoallv"}, f"{bare}")
check(len({(e["transport"], e["run_bytes"]) for e in bare}) == len(bare), f"a transport is listed twice: {bare}")
for e in bare:
    check(e["correct"] and e["sent_bytes"] * 3 == e["bytes"] * 2 and e["time_s"] > 0, f"{e}")
    share = e["plain_time_s"] / e["time_s"]  # relative to plain messages of the same bytes
    check(e["plain_time_s"] > 0 and abs(e["plain_share"] / share - 1) < 1e-9, f"{e}")
done = run("bench", "--exchange", "4096", code=2)
check("two ranks" in done.stderr, done.stderr)
done = run("bench", "--exchange", "4096", "--n", "8x8x8", ranks=2, code=2)
check("--exchange" in done.stderr, done.stderr)
case = json.loads(run("bench", "--n", "24x20x18", "--kind", "c2c", "--order", "transposed", "--seconds", "0.05", "--json", "-",
                      ranks=2).stdout)["results"][0]
# Each direction sends half of what a rank has.
check(case["sent_bytes"] == 2 * 24 * 20 * 18 * 16 / 4, f"{case['sent_bytes']}")
share = case["sent_bytes"] / case["time_s"] / case["link_bytes_per_s"]
check(abs(case["link_share"] / share - 1) < 1e-9 and case["link_share"] > 0, f"{case['link_share']} {share}")
# Time lines: an event for every span, whose bytes add up to those of a run; a picture if PNG can be written.
for transport, moves in (("p2p", "peers"), ("pairwise", "messages")):
    cases = json.loads(run("bench", "--n", "24x20x18,16x16x16", "--kind", "c2c", "--transport", transport, "--chunks", 3,
                           "--seconds", "0.02", "--effort", "estimate", "--json", "-", "--trace", "line.json",
                           ranks=2).stdout)["results"]
    with open("line.json") as file:
        events = json.load(file)["traceEvents"]
    spans = [e for e in events if e["ph"] == "X"]
    names = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
    check(names == {(e["pid"], e["tid"]) for e in spans}, "queues without names")
    check({e["pid"] for e in spans} == {0, 1, 2, 3}, "processes are not two ranks of two cases")
    for number, case in enumerate(cases):
        for rank in range(2):
            mine = [e for e in spans if e["pid"] == 2 * number + rank]
            sent = sum(e["args"]["sent_bytes"] for e in mine)
            check(sent == case["sent_bytes"], f"{transport}: {sent} bytes on the time line, {case['sent_bytes']} sent")
            check({"fft", "start", "wait", moves} <= {e["cat"] for e in mine}, f"{transport}: {mine}")
            check(all(e["dur"] >= 0 and e["ts"] >= 0 for e in mine), "spans end before they begin")
end()
