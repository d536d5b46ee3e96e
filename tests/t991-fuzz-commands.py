# Random commands: options that fit, do not fit and are extreme, strange and damaged inputs, outputs that cannot be written,
# environment variables, small limits, ranks that got different arguments.  Each ends in time with 0, 1 or 2, with words where it
# failed, nothing left behind, and outputs that are whole and right where it did not.
#
#   t991-fuzz-commands.py [--seed S] [--first I] [--tries N] [--counts FILE] [--jobs J]
#
# A failing try is printed with the arguments that repeat it alone: it is a function of the seed and its number.
# TEST labels=fuzz+apps+command timeout=300 needs=jansson+cairo
import argparse
import collections
import concurrent.futures
import os
import random
import re
import shutil
import signal
import stat
import subprocess
import sys
import traceback

import h5py
import numpy
from command import ALL, ALONE, COMMAND, MPIEXEC, run
from fuzz_checks import Broken, check_folder, check_success, check_words, must
from fuzz_commands import draw, extreme_value, read_page

SANITIZED = "ASAN_OPTIONS" in os.environ
SECONDS = 100 if SANITIZED else 25
MEMORY, FILE = 4 << 30, 256 << 20  # limits of a process: address space (sanitizers reserve more than exists), size of a file
ROWS = collections.OrderedDict((("sound options", 32), ("one option changed", 24), ("several options changed", 14),
                                ("strange or damaged input", 12), ("random damage, --untrusted", 4), ("strange output", 6), ("environment variables", 5),
                                ("small limit of file sizes", 3), ("two ranks", 3), ("ranks that got other arguments", 1)))
Field = collections.namedtuple("Field", "values box redshift")


# ---- Inputs ----------------------------------------------------------------------------------------------------------------


def store(path, values, box=None, **attributes):
    with h5py.File(path, "w") as file:
        file["delta"] = values
        for name, value in {"BoxSize": box, **attributes}.items():
            if value is not None:
                file["delta"].attrs[name] = value


def make_sound(fields):
    """Fields that can be solved, measured and drawn."""
    normal = numpy.random.default_rng(7).standard_normal
    for name, arguments in (("gauss", ["-n", 8, "-L", 100]), ("uneven", ["-n", "7x6x9", "-L", "1,2,3.5", "-k", "white", "-z", 1]),
                            ("single", ["-n", "12x9x16", "-p", "single", "-L", 50]), ("wave", ["-n", 6, "-k", "plane-wave"]),
                            ("flat", ["-n", "4x5x1", "-k", "white"])):
        run("gen", "-o", name + ".h5", *arguments)
        with h5py.File(name + ".h5") as file:
            data = file["delta"]
            fields[name + ".h5"] = Field(data[...], list(numpy.broadcast_to(data.attrs["BoxSize"], 3)), float(data.attrs["Redshift"]))
    store("foreign.h5", normal((5, 8, 6)).astype(">f4"), 10.0, Redshift=0.5)
    store("density.h5", 5 + normal((8, 8, 8)), 10.0, Redshift=0.0)
    with h5py.File("packed.h5", "w") as file:
        data = file.create_dataset("delta", data=normal((9, 8, 7)), chunks=(4, 4, 4), compression="gzip", shuffle=True)
        data.attrs.update(BoxSize=10.0, Redshift=0.0)
    for name, redshift in (("foreign.h5", 0.5), ("density.h5", 0.0), ("packed.h5", 0.0)):
        with h5py.File(name) as file:
            fields[name] = Field(file["delta"][...], [10.0] * 3, redshift)


def make_strange():
    """Fields and files that most commands should refuse, or have to look at twice; their names."""
    values = numpy.random.default_rng(8).standard_normal((8, 8, 8))
    spoilt = values.copy()
    spoilt[1, 2, 3] = numpy.nan
    for name, data, box in (("nan.h5", spoilt, 1.0), ("inf.h5", numpy.where(values > 2, numpy.inf, values), 1.0),
                            ("zeros.h5", 0 * values, 1.0), ("uniform.h5", 0 * values + 0.1, 1.0), ("huge.h5", 1e200 * values, 1.0),
                            ("tiny.h5", 1e-300 * values, 1.0), ("offset.h5", 1e17 + values, 1.0), ("plane.h5", values[0], 1.0),
                            ("line.h5", values[0, 0], 1.0), ("nobox.h5", values, None), ("box.h5", values, 1e200),
                            ("negative-box.h5", values, -1.0), ("whole.h5", values.astype(int), 1.0), ("half.h5", values.astype("f2"), 1.0),
                            ("four.h5", values.reshape(2, 4, 8, 8), 1.0), ("one.h5", values[:1, :1, :1], 1.0)):
        store(name, data, box)
    store("past.h5", values, 1.0, Redshift=-1.0)
    store("names.h5", values, 1.0, units="a\nb\x1b[31m")
    with h5py.File("several.h5", "w") as file:
        file["a\x1b[2J"], file["b"], file["group/c"] = values, values, values
        file["link"] = h5py.ExternalLink("gauss.h5", "delta")
    with open("gauss.h5", "rb") as file:
        sound = file.read()
    for name, content in (("cut.h5", sound[:len(sound) // 2]), ("flipped.h5", sound[:-700] + b"\0\1\2\3" + sound[-696:]),
                          ("filled.h5", sound[:len(sound) // 2] + bytes(len(sound) - len(sound) // 2)), ("empty.h5", b""),
                          ("text.txt", b"this is no field\n")):
        with open(name, "wb") as file:
            file.write(content)
    os.mkdir("folder")
    os.mkfifo("fifo")
    return sorted(set(os.listdir(".")) - {"gauss.h5"}) + ["missing.h5", "folder/missing.h5", "", "-", "x" * 300, "n" * 5000]


def make_reports():
    """Reports of bench, sound and not; their names."""
    for ranks in (1, 2):
        run("bench", "-n", "8x8x8", "--seconds", 0.001, "--which", "distributed", "--json", f"{ranks}.json", ranks=ranks)
    with open("1.json", encoding="utf-8") as file:
        text = file.read()
    for name, content in (("cut.json", text[:700]), ("numbers.json", text.replace("1,", "1e999,")), ("deep.json", "[" * 100000),
                          ("other.json", '{"a": 1}'), ("empty.json", ""), ("strings.json", text.replace("time_s", "time_\\ud800"))):
        with open(name, "w", encoding="utf-8") as file:
            file.write(content)
    return ["1.json", "2.json"], ["cut.json", "numbers.json", "deep.json", "other.json", "empty.json", "strings.json"]


class World:
    """What all tries share: inputs, and the options of each subcommand."""

    def __init__(self):
        shutil.rmtree("pool", ignore_errors=True)
        os.mkdir("pool")
        os.chdir("pool")
        self.fields = {}
        make_sound(self.fields)
        self.reports, self.bad_reports = make_reports()
        sound = set(self.fields) | set(self.reports)
        self.strange = [name for name in make_strange() if name not in sound]
        os.chdir("..")
        self.options = {name: read_page(run(name, "--help").stdout)
                        for name in ("gen", "poisson", "power", "show", "bench", "scaling", "info")}
        self.variables = sorted(set(word for word in run("info").stdout.split() if word.startswith("MFFT_")))
        self.about = {name: os.stat(os.path.join("pool", name)).st_mtime_ns for name in os.listdir("pool")}

    def inputs(self, strange):
        """Paths to draw from."""
        pool = os.path.join("..", "pool", "")
        named = [pool + name if name and name != "-" else name for name in self.strange + self.bad_reports]
        if strange:  # a command that reads a report from a pipe waits for its writer
            return {"fields": named, "reports": [name for name in named if not name.endswith("fifo")]}
        return {"fields": [pool + name for name in self.fields], "reports": [pool + name for name in self.reports]}

    def field(self, command):
        name = os.path.basename(command.inputs[0]) if command.inputs else ""
        return self.fields.get(name)


# ---- Tries -----------------------------------------------------------------------------------------------------------------


def weighed(rng, weights):
    return rng.choices(list(weights), list(weights.values()))[0]


def draw_command(rng, world, row):
    """A command of a row, and the limit of file sizes and the environment that it runs with."""
    name = weighed(rng, {"gen": 3, "poisson": 6, "power": 4, "show": 4, "bench": 2, "scaling": 1, "info": 1})
    if row == "strange or damaged input":
        name = weighed(rng, {"poisson": 4, "power": 3, "show": 3, "scaling": 1})
    if row == "random damage, --untrusted":
        return draw_damaged(rng, world), FILE, {}
    if row in ("strange output", "small limit of file sizes"):
        name = weighed(rng, {"gen": 2, "poisson": 3, "power": 3, "show": 3, "bench": 1})
    options = world.options[name]
    spoilt = {"one option changed": 1, "several options changed": rng.randrange(2, 6)}.get(row, 0)
    command = draw(rng, name, options, world.inputs(row == "strange or damaged input"), spoilt)
    limit, environment = FILE, {}
    if row == "small limit of file sizes":
        limit = rng.choice((0, 100, 4096, 10000, 100000))
    if row == "environment variables":
        for variable in rng.sample(world.variables, rng.randrange(1, 4)):
            environment[variable] = extreme_value(rng, name, options[0]).replace("\0", "")
    if row == "strange output":
        strange_output(rng, command, world)
    if row == "ranks that got other arguments":
        others = draw(rng, name, options, world.inputs(False), 0)
        command.others = others.arguments
        command.values["?"] = "other"
    return command, limit, environment


def damage(rng, content):
    """Flipped bits, other bytes, a run of them, a block zeroed, a copy of a block, or an end that is missing."""
    content, at = bytearray(content), rng.randrange(len(content))
    size = min(len(content) - at, int(2 ** (12 * rng.random())))
    for place in [at] + rng.choices(range(min(4096, len(content))), k=rng.randrange(4)):
        content[place] ^= 1 << rng.randrange(8)
    change = rng.randrange(5)
    if change == 0:
        content[at:at + size] = rng.randbytes(size)
    elif change == 1:
        content[at:at + size] = bytes(size)
    elif change == 2:
        content[at:at + size] = content[:size]
    elif change == 3:
        del content[at:]
    return bytes(content)


def draw_damaged(rng, world):
    """A command on a damaged file of another program, which HDF5 reads under --untrusted."""
    name = rng.choice(("power", "show", "poisson"))
    with open(os.path.join("pool", rng.choice(("foreign.h5", "packed.h5", "gauss.h5"))), "rb") as file:
        content = damage(rng, file.read())
    command = draw(rng, name, world.options[name], {"fields": ["damaged.h5"]}, 0)
    command.add(rng, next(o for o in world.options[name] if o.name == "untrusted"))
    command.files["damaged.h5"] = content
    return command


def strange_output(rng, command, world):
    """One output has a path where no file can be, or where something exists."""
    known = {o.name: o for o in world.options[command.name]}
    option = rng.choice([n for n in ("output", "json", "timing", "plot", "timing-plot", "wisdom") if n in known])
    path = rng.choice(("there", "full", "nowhere/x", "there/", "hanging", "linked", "x" * 300, "p/" * 2500 + "x", "sp ace é.h5", "fifo"
                       if option == "wisdom" else "there", *command.inputs[:1], "text.txt"))
    command.add(rng, known[option], path)
    command.values["?"] = "output"


def make_folder(rng, command):
    """The folder of a try: now and then with older outputs.  Names there, with time and content of plain files."""
    os.mkdir("there")
    os.mkfifo("fifo")
    os.symlink("nowhere/at/all", "hanging")
    os.symlink("text.txt", "linked")
    with open("text.txt", "w", encoding="utf-8") as file:
        file.write("somebody's text\n")
    try:
        os.mknod("full", stat.S_IFCHR | 0o666, os.makedev(1, 7))  # as /dev/full
    except PermissionError:
        pass
    for path, content in command.files.items():
        with open(path, "wb") as file:
            file.write(content)
    for path in command.outputs.values():
        if path and not os.path.lexists(path) and "/" not in path and len(path) < 200 and rng.random() < 0.3:
            shutil.copy(os.path.join("..", "pool", "flat.h5"), path)
    old = {}
    for name in os.listdir("."):
        content = None
        if os.path.isfile(name):
            with open(name, "rb") as file:
                content = file.read()
        old[name] = (os.lstat(name).st_mtime_ns, content)
    return old


def clean_folder():
    for name in os.listdir("."):
        if os.path.isdir(name) and not os.path.islink(name):
            shutil.rmtree(name)
        else:
            os.unlink(name)


def end_group(process):
    """Ends a process that hangs; mpirun ends its ranks, which are in groups of their own, where it may."""
    process.terminate()
    try:
        process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def launch(command, ranks, limit, environment):
    """Runs the command within its limits; its process group is killed if it takes too long."""
    limits = ["prlimit", f"--fsize={limit}"] + ([] if SANITIZED else [f"--as={MEMORY}"])
    program = [COMMAND] + command.arguments
    if command.others:
        line = MPIEXEC + ["1"] + limits + program + [":", MPIEXEC[-1], "1"] + limits + [COMMAND] + command.others
    else:
        line = (MPIEXEC + [str(ranks)] if ranks > 1 else []) + limits + program
    environment = {**os.environ, **({} if ranks > 1 or command.others else ALONE), "MFFT_TUNE_S": "0.02", **environment}
    if SANITIZED:
        environment["ASAN_OPTIONS"] += ":allocator_may_return_null=1:max_allocation_size_mb=4096"
    process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                               start_new_session=True)
    try:
        out, err = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        end_group(process)
        return None
    try:
        out, err = out.decode(), err.decode()
    except UnicodeDecodeError as error:
        raise Broken(f"output that is no UTF-8: {error}") from None
    err = re.sub(r"==\d+==WARNING: AddressSanitizer failed to allocate .*\n", "", err)  # which the program is given, too
    return subprocess.CompletedProcess(line, process.returncode, out, err)


def judge(command, done, old, world, ranks):
    """The outcome of a command that has ended."""
    if done.returncode < 0 or done.returncode > 128:
        return f"died of signal {-done.returncode if done.returncode < 0 else done.returncode - 128}: {done.stderr[-1500:]}"
    check_words(command, done, ranks)
    check_folder(command, done, old)
    if done.returncode == 0:
        check_success(command, done, world.field(command), old)
    for name, time in world.about.items():
        path = os.path.join("..", "pool", name)
        must(os.path.exists(path) and os.stat(path).st_mtime_ns == time, f"the input {name} has changed")
    return ""


def attempt(job):
    """Try number i: its row, its outcome, and the message if a guarantee was violated."""
    seed, number, world = job
    rng = random.Random(f"{seed} {number}")
    row = weighed(rng, ROWS)
    command, limit, environment = draw_command(rng, world, row)
    ranks = 2 if row in ("two ranks", "ranks that got other arguments") else 1
    os.makedirs(folder := f"worker-{os.getpid()}", exist_ok=True)
    os.chdir(folder)
    try:
        clean_folder()
        old = make_folder(rng, command)
        try:
            arguments = [a.encode() for a in command.arguments]
            if any(b"\0" in a for a in arguments):
                return row, "not run", ""
            done = launch(command, ranks, limit, environment)
            wrong = judge(command, done, old, world, ranks) if done else ""
            outcome = "hung" if not done else "died" if wrong else f"exit code {done.returncode}"
            if done and ("crashed while reading it" in done.stderr or "did not finish reading it" in done.stderr):
                outcome = "HDF5 crashed, exit code 1" if "crashed while reading it" in done.stderr else "HDF5 hung, exit code 1"
        except Broken as error:
            outcome, wrong = "WRONG", str(error)
        except Exception:  # of the checks themselves
            outcome, wrong = "WRONG", traceback.format_exc()
    finally:
        os.chdir("..")
    words = ""
    if outcome in ("WRONG", "hung", "died"):
        words = f"{row}: {outcome} {wrong}\n    {environment or ''} fsize {limit} {command.arguments!r} {command.others or ''}\n"
        words += f"    repeat: {sys.argv[0]} --seed {seed} --first {number} --tries 1\n"
        words = words.replace("\x1b", "\\x1b")
    return row, outcome, words


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--tries", type=int, default=120 if ALL and not SANITIZED else 60)
    parser.add_argument("--counts")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    world, counts, reported = World(), collections.Counter(), 0
    jobs = ((options.seed, i, world) for i in range(options.first, options.first + options.tries))
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:  # it notices if a worker dies
        for row, outcome, words in pool.map(attempt, jobs, chunksize=4):
            counts[row, outcome] += 1
            if words and (reported := reported + 1) <= 20:
                print(words, end="", file=sys.stderr, flush=True)
    for name in os.listdir("."):
        if name.startswith("worker-"):
            shutil.rmtree(name)
    if options.counts:
        with open(options.counts, "a", encoding="utf-8") as file:
            for (row, outcome), count in sorted(counts.items()):
                file.write(f"commands\t{row}\t{outcome}\t{count}\n")
    if reported:
        print(f"{reported} of {options.tries} commands of seed {options.seed} violated a guarantee", file=sys.stderr)
    sys.exit(1 if reported else 0)


if __name__ == "__main__":
    main()
