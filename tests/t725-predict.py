# `mergefft info --plan --nodes --machine` and `--measure-machine`: predictions as text and JSON against arithmetic by hand, the
# best grid among all, machines that are refused by line, and a machine that is measured here and read again.
# TEST labels=apps+command+once timeout=300 needs=jansson
import json

from command import ALL, check, end, own_lines, run

PLAN = ["info", "--plan", "-p", "double", "-k", "c2c"]
HAND = """mergefft machine 1
title a machine by hand
# a remark
memory device
memory_bandwidth 1e9   # by hand
near_bandwidth 1e8     # by hand
far_bandwidth 1e7      # by hand
far_share 0.5          # by hand
"""


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def predict(*arguments, **options):
    return json.loads(run(*PLAN, *arguments, "--json", "-", **options).stdout)


# Slabs of 8^3 on 2 nodes of 2 GPUs, transposed order: of 2048 bytes a rank sends 512 to its node and 1024 to the other one, at
# half of 1e7 bytes a second.
write("hand.txt", HAND)
report = predict("--nodes", "2x2", "--machine", "hand.txt", "--grid", "4x1", "--order", "transposed", "-n", "8x8x8", "--direction", "forward")
forward = report["ranks"][0]["forward"]
check((forward["self_bytes"], forward["near_bytes"], forward["far_bytes"]) == (512, 512, 1024), f"{forward}")
check((forward["near_messages"], forward["far_messages"]) == (1, 2), f"{forward}")
check(abs(forward["far_s"] - 1024 / 5e6) < 1e-12 and abs(forward["transforms_s"] - 3 * 2 * 2048 / 1e9) < 1e-12, f"{forward}")
check([r["rank"] for r in report["ranks"]] == [0, 2, 3] and report["model"] == 1, f"{report['ranks']}")
result = report["results"][0]
check(result["backend"] == "model hand.txt" and result["ranks"] == 4 and result["nodes"] == 2 and result["grid"] == [4, 1], f"{result}")
check(result["time_s"] == max(r["forward"]["time_s"] for r in report["ranks"]), f"{result}")

# All grids are compared; of two nodes slabs send less than pencils, whose first exchange is within the nodes.
report = predict("-n", "32x32x32", "--nodes", "2x2", "--machine", "hand.txt", "--order", "natural")
times = {tuple(g["grid"]): g["time_s"] for g in report["grids"]}
check(set(times) == {(4, 1), (2, 2), (1, 4)}, f"{times}")
kept = [t for t in times.values() if t is not None]
check(report["results"][0]["time_s"] == min(kept) == times[tuple(report["results"][0]["grid"])], f"{times}")
text = run(*PLAN, "-n", "32x32x32", "--nodes", "2x2", "--machine", "hand.txt").stdout
check(text.startswith("a prediction by a model, not a measurement: 2 x 2 ranks of hand.txt\na machine by hand\n"), text)
check("exchange, far" in text and "memory [MB]" in text and "messages far" in text, text)

# A spectrum of 33 rows over 64 ranks: the slowest rank has twice as much as the first, and counts.
uneven = predict("-k", "r2c", "-n", "64x64x64", "--nodes", "16x8", "--machine", "hand.txt", "--grid", "2x64", "--order", "transposed", "--direction", "forward")
slowest = max(r["forward"]["time_s"] for r in uneven["ranks"])
check(slowest > 1.3 * uneven["ranks"][0]["forward"]["time_s"], f"{slowest}")
check(uneven["results"][0]["time_s"] == slowest == uneven["grids"][0]["time_s"], f"{slowest} {uneven['grids']}")

# More ranks than planes, and than lines; machines that are built in; a rank that does not fit.
for machine in ("dgx-h100", "dgx-h200", "cpu-node"):
    text = run("info", "--plan", "-n", "20x20x20", "--nodes", "64x8", "--machine", machine).stdout
    check("r2c double 20 x 20 x 20" in text and "rank       0" in text, text)
text = run("info", "--plan", "-n", "8192x8192x8192", "--nodes", "1x8", "--machine", "dgx-h100", "--grid", "8x1").stdout
check("does not fit: a rank of this machine has 80000 MB" in text, text)

# Faults of a machine are told with its line, or the name of what is missing.
for change, words in ((("mergefft machine 1", "a machine"), "line 1"), (("1e9   # by hand", "1e9"), "line 5: no source of 'memory_bandwidth'"),
                      (("1e8 ", "fast "), "line 6: near_bandwidth is 'fast'"), (("far_share 0.5", "far_share 2"), "line 8: far_share is '2'"),
                      (("far_share", "share"), "line 8: unknown key 'share'"), (("memory device", "memory disk"), "line 4: memory 'disk'"),
                      (("memory_bandwidth", "near_message_s"), "line 5: near_message_s"), (("# a remark", "far_bandwidth 1e7 # twice"), "line 7: a second 'far_bandwidth'"),
                      (("# a remark", "passes strided 8 1 # x\npasses strided 8 2 # x"), "line 4: length '8'"),
                      (("memory device\n", ""), "has no line memory;"), (("memory device", "memory host"), "has no line flops_double")):
    check(change[0] in HAND, f"{change}")
    write("wrong.txt", HAND.replace(*change))
    done = run(*PLAN, "-n", "8x8x8", "--nodes", "1x2", "--machine", "wrong.txt", code=1)
    check(len(own_lines(done.stderr)) == 1 and words in done.stderr, f"{change}: {done.stderr}")
done = run(*PLAN, "-n", "8x8x8", "--nodes", "1x2", "--machine", "none", code=1)
check("dgx-h100, dgx-h200" in done.stderr and len(own_lines(done.stderr)) == 1, done.stderr)
write("slow.txt", HAND.replace("far_bandwidth 1e7      # by hand\n", ""))
check("far_bandwidth is 0" in run(*PLAN, "-n", "8x8x8", "--nodes", "2x2", "--machine", "slow.txt", code=1).stderr, "no network")
run(*PLAN, "-n", "8x8x8", "--nodes", "1x8", "--machine", "slow.txt")
for arguments in (["--nodes", "2x2"], ["--machine", "hand.txt"], ["--nodes", "2x0", "--machine", "hand.txt"], ["--nodes", "2", "--machine", "hand.txt"],
                  ["--measure-machine", "x.txt"], ["--measure-machine", "x.txt", "--seconds", "-1"]):
    check(len(own_lines(run(*PLAN, *arguments, code=2).stderr)) == 1, f"{arguments}")
done = run(*PLAN, "-n", "8x8x8", "--nodes", "2x2", "--machine", "hand.txt", "--grid", "3x0", code=1)
check("does not make 4 ranks" in done.stderr, done.stderr)

# A machine that is measured has all that a prediction for as many nodes needs; two nodes are made of one, of two ranks each, or,
# with all cases, four of one rank.
if ALL:
    run("info", "--measure-machine", "four.txt", "--backend", "fftw", "--seconds", "0.01", ranks=4, MFFT_NODE_RANKS="1")
    predict("-n", "64x64x64", "--nodes", "8x1", "--machine", "four.txt")
run("info", "--measure-machine", "here.txt", "--backend", "fftw", "--seconds", "0.01", ranks=4, MFFT_NODE_RANKS="2")
with open("here.txt", encoding="utf-8") as file:
    lines = file.read().splitlines()
check(lines[0] == "mergefft machine 1" and all("# measured: " in line for line in lines[3:]), f"{lines}")
keys = {line.split()[0] for line in lines}
check(keys >= {"memory_bandwidth", "copy_bandwidth", "flops_double", "flops_single", "near_bandwidth", "far_bandwidth", "node_bandwidth"}, f"{keys}")
time = predict("-n", "64x64x64", "--nodes", "2x2", "--machine", "here.txt")["results"][0]["time_s"]
check(1e-4 < time < 10, f"{time}")

# `mergefft scaling` reads predictions, and calls them a model.
for nodes in (1, 2, 4):
    run(*PLAN, "-n", "256x256x256", "--nodes", f"{nodes}x8", "--machine", "dgx-h100", "--json", f"{nodes}.json")
text = run("scaling", "1.json", "2.json", "4.json").stdout
check("strong scaling: 256x256x256 c2c double model dgx-h100" in text and "     32 " in text, text)
end()
