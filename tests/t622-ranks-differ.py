# Ranks that were started with different arguments: each command refuses them, with one line that names the option, its
# values and the ranks, and writes nothing; nothing hangs, whichever rank has the different argument.
# TEST labels=apps+command timeout=300
import os
import subprocess

from command import COMMAND, MPIEXEC, check, end, own_lines, run, soon


def differ(first, *others, code=1, **environment):
    """Rank 0 is started with the first list of arguments, each other rank with one of the others, and the environment."""
    line = MPIEXEC + ["1", COMMAND, *map(str, first)]
    for arguments in others:
        line += [":", *MPIEXEC[1:], "1", *(f"-x {k}={v}" for k, v in environment.items()), COMMAND, *map(str, arguments)]
    line = " ".join(line).split()
    done = subprocess.run(line, capture_output=True, text=True, timeout=60)
    check(done.returncode == code, f"exit {done.returncode}, want {code}: {line}: {done.stderr}")
    return own_lines(done.stderr)


run("gen", "-o", "f.h5", "-n", 8)
run("gen", "-o", "g.h5", "-n", 8)
files_before = sorted(os.listdir("."))
gen, power = ["gen", "-o", "x.h5", "-n", 8], ["power", "f.h5", "-o", "x.txt"]
cases = [
    (soon(differ, gen + ["-A", 1], gen + ["-A", 2]), "gen: --amplitude differs between ranks: 1 on rank 0, 2 on rank 1;"),
    (soon(differ, gen + ["-A", 0.1], gen + ["-A", 2], gen + ["-A", 0.1]),
     "gen: --amplitude differs between ranks: 2 on rank 1, 0.1 on ranks 0, 2;"),
    (soon(differ, gen, gen + ["-s", 7]), "gen: --seed differs between ranks: 1 on rank 0, 7 on rank 1;"),
    (soon(differ, power, power + ["--allow-nonfinite"]), "power: --allow-nonfinite differs between ranks: not given on rank 0, given on rank 1;"),
    (soon(differ, power, ["power", "g.h5", "-o", "x.txt"]), "power: the list of operands (FILE...) differs between ranks: f.h5 on rank 0, g.h5 on rank 1;"),
    (soon(differ, ["poisson", "f.h5", "-o", "x.h5"], ["poisson", "f.h5", "-o", "y.h5"]),
     "poisson: --output differs between ranks: x.h5 on rank 0, y.h5 on rank 1;"),
    (soon(differ, ["show", "f.h5", "-o", "x.png"], power), "show: the command differs between ranks: show on rank 0, power on rank 1;"),
    (soon(differ, ["bench", "-n", 8], ["bench", "-n", 16]), "bench: --n differs between ranks: 8 on rank 0, 16 on rank 1;"),
    (soon(differ, gen, gen, MFFT_RUN_BYTES=99), "gen: MFFT_RUN_BYTES differs between ranks: not set on rank 0, 99 on rank 1;"),
    # One rank only prints (help, a version, an error), the other begins to work.
    (soon(differ, ["info"], ["info", "--help"]), "info: the command differs between ranks: info on rank 0, help on rank 1;"),
    (soon(differ, ["--version"], ["info"]), ": the command differs between ranks: help on rank 0, info on rank 1;"),
    (soon(differ, gen, gen + ["-A", "no"]), "gen: the command differs between ranks: gen on rank 0, wrong (-A no: must be a finite number) on rank 1;"),
]
for lines, words in cases:
    lines = lines()
    check(len(lines) == 1 and words in lines[0] and lines[0].startswith("mergefft"), f"want {words}: {lines}")
lines = differ(gen + ["-A", "no"], gen)
check(len(lines) == 2 and "-A no: must be a finite number; see" in lines[0] and ", gen on rank 1;" in lines[1], f"{lines}")
check(sorted(os.listdir(".")) == files_before, f"files remain: {set(os.listdir('.')) - set(files_before)}")
end()
