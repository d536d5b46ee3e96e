"""Random command lines of mergefft: options as the pages of --help list them, with values that fit, that do not fit, and
that are extreme."""
import re


class Option:
    """One option of a subcommand as its page lists it."""

    def __init__(self, letter, name, argument, text):
        self.letter, self.name, self.argument = letter, name, argument  # argument: "" for a flag
        words = re.search(r": ([a-z0-9-]+(?:, [a-z0-9-]+)+)(?: \[.*\])?$", text)
        self.choices = words.group(1).split(", ") if words else []

    def spell(self, rng, value=None):
        """As arguments: --name value, --name=value, -l value."""
        name = f"-{self.letter}" if self.letter and rng.random() < 0.3 else f"--{self.name}"
        if value is None:
            return [name]
        return [f"{name}={value}"] if name.startswith("--") and rng.random() < 0.3 else [name, value]


def read_page(page):
    """The options of a page of --help."""
    options, lines = [], page.split("Options (")[1].splitlines()[1:]
    entry = re.compile(r"^  (?:-(\w), |    )--([a-z0-9-]+)(?: (\S+))?(?:  +(\S.*))?$")
    for line in lines:
        begin = entry.match(line)
        if begin:
            options.append([begin.group(1), begin.group(2), begin.group(3) or "", begin.group(4) or ""])
        elif options and line.startswith(" " * 20):
            options[-1][3] += " " + line.strip()
    return [Option(*o) for o in options if o[1] not in ("help", "version")]


# Values that most commands take, by option.
SOUND = {
    "boxsize": "1 100 1,2,3.5 0.5", "seed": "0 1 42", "amplitude": "1 0.5 -2 1e3", "mode": "1,0,0 2,1,0 0,0,3", "phase": "0 1.5",
    "cell": "0,0,0 1,0,2", "mean": "1 5", "redshift": "0 1 20", "omega-m": "0.3", "omega-b": "0.05 0", "omega-lambda": "0.7",
    "h": "0.7", "ns": "0.96", "sigma8": "0.8", "spectrum-z": "0 2", "t-cmb": "2.7", "grid": "1x1 0x0 1x0", "transport": "pairwise alltoallv p2p mpi",
    "backend": "fftw ref", "threads": "1 2", "part": "1 32", "coefficient": "1 -2.5 1e-3", "scale-factor": "1 0.5",
    "deconvolve": "0 1 2", "asmth": "0 1.25", "chunks": "0 1 3", "time-limit": "0.01", "bins": "1 5 20", "kmin": "0.01 0.5",
    "kmax": "1 20", "dk": "0.05 0.5", "shot": "1 0", "particles": "1000", "index": "0 1 3", "depth": "1 2", "add": "1 0",
    "min": "-1", "max": "1", "zoom": "0,0,0.1 1,2,0.4", "length-unit": "Mpc/h é", "clip": "0 1", "width": "64 200", "title": "title µ", "elements": "1 1000", "max-n": "100",
    "exchange": "1000", "batch": "1 3", "radices": "4,2", "tolerance": "1e-6", "overlap-split": "0 -1 3", "reps": "1 3",
    "seconds": "0.001", "truth": "100", "sample": "10", "direction": "pair forward,backward", "order": "natural transposed",
    "dataset": "delta phi"}
SOUND_OF = {("bench", "kind"): "c2c r2c c2c,r2c", ("bench", "precision"): "double single half bfloat16 single,half",
            ("gen", "units"): "Mpc/h é", ("bench", "n"): "8x8x8 16x4,64 9 1 7x6x9", ("info", "n"): "8x8x8 16x4 64 9 1 7x6x9",
            ("gen", "n"): "8 4x6x5 1 2x1x3 7 16 5x1x9 12x9x16", ("bench", "set"): "2d one"}
# Values that are invalid for every option.
EXTREME = ["", " ", "0", "-1", "nan", "inf", "-inf", "1e308", "1e-320", "1e9999", "1e300", "99999999999999999999",
           "-99999999999999999999", "2147483648", "9223372036854775807", "0x10", "1e3", "1.5", "1,2", "1,2,3,4", "1x2x3", "0x0x0",
           "1000000x1000000x1000000", "4096x4096x4096", "%s%n%d", "-", "--", "../x/../y", ".", "/", "a" * 5000, "é中",
           "\x1b[31m", "a\nb", "none", "all", "auto", "double,double", ",", "x", "1x", "--help"]
# A job that runs long because it was asked to is no hang: of these options only values that must be refused at once are
# tried.
LASTING = {"reps", "seconds", "time-limit", "elements", "exchange", "max-n", "batch", "truth", "sample", "set", "effort", "threads"}
REFUSED = ["", " ", "-1", "nan", "99999999999999999999", "x", "1e9999", "0x10z"]
FILES = {"output", "json", "timing", "timing-plot", "trace", "trace-plot", "plot", "wisdom"}


class Command:
    """Arguments, and the properties that checks need."""

    def __init__(self, name):
        self.name, self.arguments = name, [name]
        self.values = {}  # option: value, of its last occurrence
        self.outputs = {}  # option: file that should be there at the end
        self.inputs, self.files = [], {}  # paths; content of files that are made for it
        self.others = None  # arguments of a second rank that got others

    def add(self, rng, option, value=None):
        self.arguments += option.spell(rng, value)
        self.values[option.name] = value
        if option.name in FILES and option.name != "wisdom" and value != "-":
            self.outputs[option.name] = value

    def given(self, *names):
        return any(n in self.values for n in names)


def sound_value(rng, command, option):
    if option.name in FILES:
        if option.name in ("json", "timing") and command != "bench" and rng.random() < 0.2:
            return "-"
        picture = option.name in ("plot", "trace-plot") or (command, option.name) == ("show", "output")
        ending = rng.choice((".png", ".svg", ".pdf")) if picture else ".h5" if command in ("gen", "poisson") and option.name == "output" else ".out"
        return option.name + ending
    text = SOUND_OF.get((command, option.name)) or SOUND.get(option.name)
    return rng.choice(text.split()) if text else rng.choice(option.choices) if option.choices else "1"


def extreme_value(rng, command, option):
    if option.name in LASTING or (command in ("bench", "info") and option.name == "n"):
        return rng.choice(REFUSED)
    if rng.random() < 0.2:
        return "".join(rng.choice("0123456789eE+-.,xX naif\t\u00e9/%") for _ in range(rng.randrange(1, 12)))
    return rng.choice(EXTREME)


def begin(rng, name, options, inputs):
    """What a command cannot do without: input, output, and sizes that are small."""
    known = {o.name: o for o in options}
    command = Command(name)
    if name in ("poisson", "power", "show"):
        command.inputs = [rng.choice(inputs["fields"])]
    if name == "scaling":
        command.inputs = rng.sample(inputs["reports"], rng.randrange(1, 3))
    command.arguments += command.inputs
    if "output" in known and (name in ("gen", "poisson", "show") or rng.random() < 0.7):
        command.add(rng, known["output"], sound_value(rng, name, known["output"]))
    if "n" in known:
        command.add(rng, known["n"], sound_value(rng, name, known["n"]))
    if name == "bench":
        command.add(rng, known["seconds"], "0.001")
    return command


def draw(rng, name, options, inputs, spoilt):
    """A command line with so many options that do not fit."""
    command = begin(rng, name, options, inputs)
    wanted = [o for o in options if o.name not in command.values]
    for option in rng.sample(wanted, min(rng.choice((0, 1, 2, 3, 5)), len(wanted))):
        command.add(rng, option, sound_value(rng, name, option) if option.argument else None)
    for _ in range(spoilt):
        spoil(rng, command, options)
    return command


def spoil(rng, command, options):
    option = rng.choice(options)
    kind = rng.random()
    if kind < 0.75 and option.argument:
        command.add(rng, option, extreme_value(rng, command.name, option))
    elif kind < 0.80:
        command.arguments.append(option.spell(rng)[0])  # without a value, or a flag once more
    elif kind < 0.85:
        command.arguments.append(f"--{option.name}=x")  # a value where none may be
    elif kind < 0.90:
        command.arguments.append(rng.choice(("--frobnicate", "-?", "--", "-", "", "operand", "--outpu", "-oo", "---", "--=x")))
    elif kind < 0.95 and len(command.arguments) > 1:
        del command.arguments[rng.randrange(len(command.arguments))]
    else:
        rng.shuffle(command.arguments)
    command.values["?"] = "spoilt"
