# The command line of every subcommand: help and versions without mpirun, and invalid arguments, which end with 2 and one
# line.
# TEST labels=apps+command+once timeout=300
import os
import re
import subprocess

import command
from command import check, own_lines, run, sampled

overview = run("--help").stdout
names = re.findall(r"^  (\w+)  +\S", overview.split("Commands:")[1], re.MULTILINE)
check({"gen", "power", "show", "bench", "info", "poisson"} <= set(names), f"commands {names}")
check(run("help").stdout == overview and run("-h").stdout == overview, "three ways to help")
version = run("--version").stdout
check(re.fullmatch(r"mergefft \d+\.\d+\.\d+\n", version), version)

letters, options = {}, {}  # of all commands: the names of a letter, and the letters of a name
for name in names:
    page = run(name, "--help").stdout
    check(page.startswith(f"Usage: mergefft {name}") and "Exit status:" in page, page)
    check(max(map(len, page.splitlines())) <= 104 and not re.search(r" $", page, re.MULTILINE), f"layout of {name} --help")
    check(run("help", name).stdout == page and run(name, "-n", 3, "-h").stdout == page, f"other ways to help on {name}")
    check(run(name, "--version").stdout == version, f"{name} --version")
    for wrong, words in ((["--nonsense"], "--nonsense"), (["-?"], "-?"), (["--threads", 0], ""), (["--"] + ["x"] * 5000, "x")):
        done = run(name, *wrong, code=2)
        lines = done.stderr.splitlines()
        check(len(lines) == 1 and words in lines[0] and f"mergefft {name} --help" in lines[0],
              f"{name} {wrong}: {done.stderr}")
        check(done.stdout == "", done.stdout)
    # An option with a number: a missing value, and values that are no number or out of range.
    for option, kind in re.findall(r"^ .*--([a-z0-9-]+) (N|K|X|L)\b", page, re.MULTILINE):
        for value in sampled([[], ["nan"], ["1e9999"], ["0x"], [""]] + [["99999999999999999999"], ["1.5"]] * (kind == "N")):
            done = run(name, f"--{option}", *value, code=2)
            lines = done.stderr.splitlines()
            check(len(lines) == 1 and f"--{option}" in lines[0], f"{name} --{option} {value}: {done.stderr}")

    for letter, option in re.findall(r"^  (?:-(\w), |    )--([a-z0-9-]+)", page, re.MULTILINE):
        options.setdefault(option, set()).add(letter)
        if letter:
            letters.setdefault(letter, set()).add(option)
check(all(len(found) == 1 for found in letters.values()), f"letters of two meanings: {letters}")
check(all(len(found) == 1 for found in options.values()), f"options with a letter in some commands only: {options}")

for wrong in ([], ["nonsense"], ["--nonsense"], ["help", "nonsense"], [""]):
    done = run(*wrong, code=2)
    check(len(done.stderr.splitlines()) == 1 and "mergefft --help" in done.stderr, f"{wrong}: {done.stderr}")

# Under mpirun one rank prints.
check(run("gen", "--help", ranks=3).stdout == run("gen", "--help").stdout, "help three times")
check(run("--version", ranks=2).stdout == version, "version twice")
for wrong in (["gen", "-n", "0"], ["nonsense"], []):
    done = run(*wrong, ranks=3, code=2)
    check(len(own_lines(done.stderr)) == 1, done.stderr)

# An option without effect is refused, by the name of what it is for.
run("gen", "-o", "d.h5", "-n", 8)
run("ic", "-o", "s.hdf5", "-n", 4, "-L", 50)
for arguments, words, code in (("gen -o n.h5 --phase 1", "--phase is for --kind plane-wave", 2), ("gen -o n.h5 --amplitude 1", "--amplitude is for other kinds", 2),
                               ("gen -o n.h5 -k uniform -s 2", "--seed is for random fields", 2), ("gen -o n.h5 -k white --cell 1,1,1", "--cell is for --kind point", 2),
                               ("power d.h5 --poles 0,1", "multipoles of odd order", 2), ("power d.h5 --poles 2,0,2", "2 is there twice", 2),
                               ("power d.h5 --fold 4,4", "4 is there twice", 2), ("gen -k white --sigma8 1 -o x.h5", "--sigma8 is for --kind gaussian", 2),
                               ("power d.h5 --sigma8 0.8", "--sigma8 is for the linear theory of --plot", 2), ("power d.h5 --los x", "--los is for --poles and --rsd", 2),
                               ("power d.h5 --units kpc", "--units is for snapshots, and 'd.h5' is none", 1),
                               ("power s.hdf5 --type 1 --dataset delta --untrusted", "is not there", 1),
                               ("show s.hdf5 -o n.png --at 1 --untrusted", "--at is for snapshots, and s.hdf5 is read as a field by --untrusted", 2),
                               ("power d.h5 --type 1 --untrusted", "'d.h5' is read as a field by --untrusted", 1),
                               ("power s.hdf5 --field contrast", "--field is for fields, and 's.hdf5' is none; omit it, or name a field", 1),
                               ("show d.h5 -o n.png --unweighted", "--unweighted is for snapshots", 2), ("force s.hdf5 -o n.hdf5 -s 3", "--seed is for the particles that --check draws", 2),
                               ("poisson d.h5 -o n.h5 --open-kernel truncated", "--open-kernel is for --boundary open", 2)):
    lines = own_lines(run(*arguments.split(), code=code).stderr)
    check(len(lines) == 1 and words in lines[0], f"{arguments}: {lines}")
check(not any(name.startswith("n.") for name in os.listdir(".")), "a refused command wrote a file")

# The command fails if its results cannot be written.
with open("/dev/full", "w") as full:
    done = subprocess.run([command.COMMAND, "power", "d.h5"], stdout=full, stderr=subprocess.PIPE, text=True)
check(done.returncode == 1 and len(own_lines(done.stderr)) == 1, f"{done.returncode}: {done.stderr}")
command.end()
