# `mergefft scaling`: which results make series, their numbers, the picture, and what is refused.
# TEST labels=apps+command+once needs=jansson+cairo
import json
import math

from command import check, end, own_lines, run, svg_texts


def store(name, *results):
    with open(name, "w") as file:
        json.dump({"results": [{"kind": "c2c", "precision": "double", "backend": "fftw", "order": "natural", "direction": "pair",
                                "batch": 1, "grid": [r["ranks"], 1], "transport": "pairwise", "correct": True, "exchange_s": 0, **r}
                               for r in results]}, file)
    return name


def tables(text):
    """{title: rows of (ranks, n, time, speed, efficiency)} of what the command printed."""
    found = {}
    for block in text.strip().split("\n\n"):
        title, _, *lines = block.splitlines()
        words = [line.split() for line in lines]
        found[title] = [(int(w[0]), w[1], float(w[4]), float(w[6]), float(w[7])) for w in words]
    return found


# Two strong series, and a weak one that shares a point with one of them; the fastest of two results counts; one single size.
files = [store("1.json", {"n": [64, 64, 64], "ranks": 1, "time_s": 1e-3}, {"n": [64, 64, 64], "ranks": 1, "time_s": 8e-4},
               {"n": [32, 32], "ranks": 1, "time_s": 1e-5}),
         store("2.json", {"n": [64, 64, 64], "ranks": 2, "time_s": 5e-4}, {"n": [128, 64, 64], "ranks": 2, "time_s": 1e-3}),
         store("4.json", {"n": [64, 64, 64], "ranks": 4, "time_s": 4e-4}, {"n": [128, 128, 64], "ranks": 4, "time_s": 2e-3},
               {"n": [64, 64, 64], "ranks": 4, "kind": "r2c", "time_s": 1e-4}),
         store("8.json", {"n": [64, 64, 64], "ranks": 8, "kind": "r2c", "time_s": 1e-4},
               {"n": [64, 64, 64], "ranks": 8, "time_s": 1e-9, "correct": False})]
done = run("scaling", *reversed(files), "--plot", "scaling.svg")
got = tables(done.stdout)
work = [n * math.log2(n) for n in (2**18, 2**19, 2**20)]
want = {
    "strong scaling: 64x64x64 c2c double fftw": [(1, "64x64x64", 0.8, 1, 1), (2, "64x64x64", 0.5, 1.6, 0.8), (4, "64x64x64", 0.4, 2, 0.5)],
    "strong scaling: 64x64x64 r2c double fftw": [(4, "64x64x64", 0.1, 1, 1), (8, "64x64x64", 0.1, 1, 0.5)],
    "weak scaling: 262144 a rank, 3D c2c double fftw": [
        (1, "64x64x64", 0.8, 1, 1), (2, "128x64x64", 1, 0.8 * work[1] / work[0], 0.4 * work[1] / work[0]),
        (4, "128x128x64", 2, 0.4 * work[2] / work[0], 0.1 * work[2] / work[0])]}
check(list(got) == list(want), f"{list(got)}")
for title, rows in want.items():
    check(len(got[title]) == len(rows), title)
    for a, b in zip(got[title], rows):
        check(a[:2] == b[:2] and all(abs(x - y) < 6e-4 for x, y in zip(a[2:], b[2:])), f"{title}: {a}, want {b}")
check("'8.json': 1 wrong results are left out" in done.stderr, done.stderr)
words, _ = svg_texts("scaling.svg")
check({"strong scaling", "weak scaling", "64x64x64 c2c double fftw", "ranks", "time of one run [µs]", "efficiency", "ideal"} <= set(words) and
      [word for word in words if word in ("1", "2", "4", "8")] and all(words.count(r) for r in "1248"), f"the picture: {words}")

# Files that bench itself writes.
for ranks in (1, 2):
    run("bench", "--n", "12x10x8", "--seconds", 0, "--json", f"bench-{ranks}.json", ranks=ranks)
check(len(tables(run("scaling", "bench-1.json", "bench-2.json").stdout)) == 1, "results of bench")
check(len(tables(run("scaling", "bench-1.json", "bench-2.json", ranks=2).stdout)) == 1, "on two ranks")

# More series than are drawn.
many = store("many.json", *({"n": [n], "ranks": ranks, "time_s": 1} for n in range(8, 20) for ranks in (1, 2)))
done = run("scaling", many, "--plot", "many.png")
check("the first 8 are drawn" in done.stderr, done.stderr)

store("other.json")
with open("broken.json", "w") as file:
    file.write('{"results": [\n{"n": [8 8]}]}')
with open("list.json", "w") as file:
    file.write("[]")
with open("bare.json", "w") as file:
    file.write('{"results": [{"n": [8], "correct": true}]}')
for arguments, code, words in ((["1.json"], 1, "no two results"), (["other.json"], 1, "no two results"), (["absent.json"], 1, "absent.json"),
                               (["broken.json"], 1, "line 2"), (["list.json"], 1, "has no results"), (["bare.json"], 1, "without n, kind, ranks"),
                               ([], 2, "BENCH.json"), ([*files, "--plot", "no/folder.png"], 1, "no/folder.png"),
                               (["absent.json", "--plot", "x"], 2, ".png, .svg or .pdf")):
    done = run("scaling", *arguments, code=code)
    check(sum(words in line for line in own_lines(done.stderr)) == 1, f"{arguments}: {done.stderr}")
end()
