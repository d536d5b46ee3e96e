# The times of a whole job, of every command that works on fields: they cover the process from start to end, add up, are the
# same in table and JSON, leave little in "other", and contain the time of the launcher; the picture has a row for each rank.
# The time in "other" is counted in processor seconds, which other processes on the machine do not prolong.
# TEST labels=apps+command+once+speed timeout=300 needs=jansson+cairo
import json
import re
import time

from command import SMALL, check, end, run, svg_texts

N = 48 if SMALL else 96


def timed(*arguments, ranks=0):
    """Runs a command; its JSON, its stdout and the seconds that it took from outside."""
    begin = time.monotonic()
    done = run(*arguments, "--timing", "t.json", ranks=ranks)
    wall = time.monotonic() - begin
    with open("t.json", encoding="utf-8") as file:
        return json.load(file), done.stdout, wall


run("gen", "--n", N, "-L", 100, "-o", "field.h5", "-p", "single")
JOBS = {
    "gen": (("gen", "--n", N, "-o", "again.h5"), {"start", "mpi", "make", "create", "commit", "close"}),
    "poisson": (("poisson", "field.h5", "-o", "phi.h5", "--gradient", "fd4"),
                {"start", "mpi", "open", "plan", "read", "sum", "centre", "fft", "check", "write", "commit", "close"}),
    "power": (("power", "field.h5", "-o", "pk.txt"), {"start", "mpi", "open", "read", "contrast", "transform", "shells", "close"}),
    "show": (("show", "field.h5", "-o", "field.png"), {"start", "mpi", "open", "read", "draw", "close"}),
}
TICK = 0.01  # the kernel reports the start of a process to so many seconds
MOST = 0.03  # of some 50 ms
for command, (arguments, wanted) in JOBS.items():
    for ranks in (0, 2):
        others = []  # a rank that waits for one that has no core makes calls meanwhile: the best of ten counts
        for _ in range(10):
            report, stdout, wall = timed(*arguments, ranks=ranks)
            phases = {p["name"]: p for p in report["phases"]}
            total = phases["total"]["seconds"]
            others.append(phases.get("other", {"processor_s": 0})["processor_s"] / phases["total"]["processor_s"])
            if others[-1] <= MOST:
                break
        check(min(others) <= MOST, f"{command} on {ranks}: other takes {min(others):.1%} of the job's processor seconds: {phases}")
        check(all(0 <= p["processor_s"] <= p["seconds"] + TICK for p in report["phases"]), f"{command} on {ranks}: {phases}")
        check(report["command"] == command and report["total_s"] == total, f"{report['command']}, {report['total_s']}")
        check(wanted <= set(phases), f"{command} on {ranks} lacks {wanted - set(phases)}")
        check(report["phases"][-1]["name"] == "total", "the last row is the total")
        added = sum(p["mean_s"] for p in report["phases"][:-1])
        check(abs(added - phases["total"]["mean_s"]) < 1e-3, f"{command} on {ranks}: {added} of {phases['total']['mean_s']}")
        check(all(p["rank"] in range(max(ranks, 1)) for p in report["phases"]), "ranks")
        check(total <= wall + 0.02, f"{command} on {ranks}: {total} s of the {wall} s that it took")
        if ranks:
            check(0 <= report["launcher_s"] < wall, f"launcher {report['launcher_s']}")
        else:  # only the process is measured, whose start the kernel reports to 0.01 s, and the end of this program's call
            check(total >= 0.5 * wall - 0.1, f"{command}: {total} s of the {wall} s that it took")
            check(report["launcher_s"] is None, f"launcher {report['launcher_s']} of none")
        if command == "poisson":
            table = dict(re.findall(r"^(\w+) +([\d.]+)", stdout[stdout.index("phase "):], re.MULTILINE))
            for name, phase in phases.items():
                check(table.get(name) == f"{phase['seconds']:.4f}", f"{name}: {table.get(name)} in the table, {phase['seconds']}")

# The picture.
for command, (arguments, wanted) in JOBS.items():
    run(*arguments, "--timing-plot", "job.svg", ranks=2)
    texts, title = svg_texts("job.svg")
    check(f"mergefft {command} on 2 ranks" in title, f"{title}")
    check({"rank 0", "rank 1", "main thread"} <= set(texts), f"{command}: {texts}")
    check(wanted - {"fft", "sum", "close"} <= set(texts), f"{command}: the legend lacks {wanted - {'fft'} - set(texts)}")
run("poisson", "field.h5", "-o", "phi.h5", "--timing-plot", "job.txt", code=2)
run("poisson", "field.h5", "-o", "phi.h5", "--timing", "/dev/full", code=1)

# With - stdout is the JSON document, and nothing else.
for arguments in (["gen", "-n", 8, "-o", "alone.h5"], ["show", "alone.h5", "-o", "alone.svg"], ["poisson", "alone.h5", "-o", "phi.h5", "--dry-run"]):
    check(json.loads(run(*arguments, "--timing", "-").stdout)["command"] == arguments[0], arguments)
for arguments, words in ((["-j", "-", "-o", "p.txt"], "--json and --timing are both stdout"), ([], "stdout has the table else")):
    check(words in run("power", "alone.h5", *arguments, "--timing", "-", code=2).stderr, arguments)

# If stdout cannot take the table the job fails, as before.
with open("/dev/full", "w", encoding="utf-8") as full:
    import os
    import subprocess
    from command import ALONE, COMMAND
    done = subprocess.run([COMMAND, "poisson", "field.h5", "-o", "phi.h5"], stdout=full, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, **ALONE}, timeout=100, check=False)
    check(done.returncode == 1 and "stdout" in done.stderr, f"{done.returncode}: {done.stderr}")
end()
