# scripts/aims: the figures of several GPUs and their aims, from results of any step, and its output if some are missing.
# TEST labels=apps+command+scripts
import json
import os
import subprocess
import sys

from command import check, end

SCRIPT = os.path.join(os.environ["MFFT_TEST_SOURCE"], "scripts", "aims")


def aims(*arguments, code=0):
    done = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, timeout=60)
    check(done.returncode == code, f"exit {done.returncode}: {done.stderr}")
    return {(row[0], row[1]): row[2:] for row in ([cell.strip() for cell in line.strip("|").split("|")]
                                                  for line in done.stdout.splitlines()[2:])}


def result(n, seconds, **changes):
    return {"n": [n] * 3, "precision": "single", "kind": "c2c", "order": "transposed", "direction": "forward", "wire": "full", "ranks": 8,
            "distributed": True, "correct": True, "time_s": seconds, "ratio": None, "rel_l2": 1e-7, **changes}


def exchange(transport, speed, share, **changes):
    return {"transport": transport, "ranks": 8, "correct": True, "bytes_per_s": speed, "plain_share": share, **changes}


os.makedirs("results", exist_ok=True)
files = {
    "a": {"results": [result(1024, 4e-3, ratio=1.2), result(1024, 3e-3), result(1024, 1e-3, correct=False),
                      result(1024, 1e-3, ranks=4, ratio=9), result(512, 1e-3, precision="double", ratio=1.15),
                      result(1024, 2e-3, wire="half", rel_l2=2.5e-4), result(1024, 5e-3, kind="r2c", order="natural", direction="pair"),
                      result(1024, 2e-3, wire="half", rel_l2=2e-4), result(1024, 3e-3, kind="r2c", direction="pair")]},
    "b": {"exchanges": [exchange("p2p", 352e9, None), exchange("p2p", 300e9, None), exchange("pairwise", 1e9, 0.81),
                        exchange("p2p", 9e12, None, correct=False)]},
    "trace": [1, 2, 3],
}
for name, content in files.items():
    with open(f"results/{name}.json", "w", encoding="utf-8") as file:
        json.dump(content, file)
with open("results/cut.json", "w", encoding="utf-8") as file:
    file.write('{"results": [')
with open("results/solve-8.txt", "w", encoding="utf-8") as file:
    file.write("1024^3 single, 8 ranks: forward 2.0 ms, filtered 9.0 ms; solve 10.000 ms, 1.02 of its transforms\n")

table = aims("results", "8")
check(table["1024^3 single", "<= 3.6 ms"] == ["3", "1.20"], table)
check(table["1024^3 single", ">= 1.15 x cufftXt"] == ["1.2", "1.04"], table)
check(table["512^3 double", ">= 1.15 x cufftXt"] == ["1.15", "1.00"], table)
check(table["512^3 single", ">= 1.15 x cufftXt"] == ["not measured", "-"], table)
check(table["1024^3 single, half the width on the wire", "<= 2.2 ms"] == ["2", "1.10"], table)
check(table["1024^3 single, half the width on the wire, relative L2", "<= 0.0005"] == ["0.00025", "2.00"], table)
check(table["1024^3 R2C and C2R single, natural order", "<= 4.5 ms for the pair"] == ["5", "0.90"], table)
check(table["1024^3 R2C and C2R single, from slabs of x to slabs of y", "<= 4.5 ms for the pair"] == ["3", "1.50"], table)
check(table["p2p exchange alone, 1 GiB a GPU", ">= 320 GB/s out of each GPU"] == ["352", "1.10"], table)
check(table["mpi exchange over plain Isend and Irecv", ">= 0.9 of their speed"] == ["0.81", "0.90"], table)
check(table["Poisson solve 1024^3 single, three force components", "<= 12 ms"] == ["10", "1.20"], table)
check(aims("results", "4") == {("1024^3 single", ">= 1.1 x cufftXt"): ["9", "8.18"]})
check(all(row == ["not measured", "-"] for row in aims("absent", "8").values()))
aims("results", "eight", code=1)
aims("results", code=1)
end()
