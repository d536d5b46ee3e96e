# Files that the command writes, except fields: under a limit of file sizes each is whole or unchanged, and no other file
# remains; a file of another kind is never replaced, which is checked before any work; a pipe is never waited for; texts may
# go to open descriptors.
# TEST labels=apps+command timeout=300 needs=unsanitized+jansson+cairo
import os
import resource
import subprocess

from command import ALONE, COMMAND, check, end, own_lines, run, sampled, soon

for name in os.listdir("."):
    os.remove(name)
run("gen", "-o", "f.h5", "-n", 16)


def content(path):
    with open(path, "rb") as file:
        return file.read()


def put(path, data):
    with open(path, "wb") as file:
        file.write(data)


# Each option that writes a file, with the first bytes of such a file; pictures have endings.
SVG, PDF = b'<?xml version="1.0" encoding="UTF-8"?>\n<svg ', b"%PDF-"
PNG, JSON, TABLE, WISDOM, FIELD = b"\x89PNG\r\n\x1a\n", b"{", b"# mergefft ", b"mergefft-wisdom ", b"\x89HDF\r\n\x1a\n"
bench = ["bench", "-n", "16", "--seconds", "0.01", "--effort", "estimate"]
ENDINGS = {PNG: ".png", SVG: ".svg", PDF: ".pdf"}
writers = [(["show", "f.h5", "-o"], PNG), (["power", "f.h5", "-o"], TABLE), (["power", "f.h5", "-j"], JSON),
        (["power", "f.h5", "-t"], JSON), (["poisson", "f.h5", "-o"], FIELD), (["poisson", "f.h5", "-o", "phi.h5", "-t"], JSON),
        (["poisson", "f.h5", "-o", "phi.h5", "--wisdom"], WISDOM), (["gen", "-n", 8, "-o"], FIELD), (["info", "--json"], JSON),
        (["info", "--plan", "-n", 8, "--json"], JSON), (bench + ["--json"], JSON), (bench + ["--plot"], PNG),
        (bench + ["--trace"], JSON), (bench + ["--trace-plot"], SVG), (bench + ["--wisdom"], WISDOM), (["show", "f.h5", "-o"], SVG), (["show", "f.h5", "-o"], PDF)]


def limited(arguments, limit, stdout=subprocess.PIPE):
    """The command under a limit of file sizes."""
    def set_limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    return subprocess.run([COMMAND] + [str(a) for a in arguments], stdout=stdout, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, **ALONE}, timeout=100, preexec_fn=set_limit)


def whole_or_as_before(i, arguments, start):
    """First it succeeds; then it fails under a limit, and the file is unchanged; a new file is not made."""
    name, new = [f"{word}{i}{ENDINGS.get(start, '')}" for word in ("out", "new")]
    run(*[a.replace("phi", f"phi{i}") if isinstance(a, str) else a for a in arguments], name)
    before = content(name)
    check(before.startswith(start), f"{arguments}: begins with {before[:20]}")
    if "--wisdom" in arguments:
        return  # of which a second save has as much to write
    for path in (name, new):
        done = limited(arguments + [path], min(len(before) - 1, 60))
        check(done.returncode == 1 and "File too large" in done.stderr, f"{arguments}: {done.returncode} {done.stderr}")
    check(content(name) == before and not os.path.exists(new), f"{arguments}: not as before")
    run(*arguments, name)  # over its own kind


for call in [soon(whole_or_as_before, i, *writer) for i, writer in enumerate(writers)]:
    call()
stray = [name for name in os.listdir(".") if ".tmp" in name or "partial" in name]
check(not stray, f"files remain: {stray}")
with open("stdout", "w") as file:
    done = limited(["power", "f.h5"], 16, file)
check(done.returncode == 1 and "stdout" in done.stderr, f"a result on stdout beyond the limit: {done.returncode} {done.stderr}")

# Files of other kinds, before any work: the inputs do not exist.
others = {"h5": content("f.h5"), "png": content("out0.png"), "svg": content("out15.svg"), "pdf": content("out16.pdf"), "txt": content("out1"),
          "json": content("out2"), "notes": b"do not lose me\n", "zeros": bytes(100), "wisdom": content("out6")}
for ending in ("", *ENDINGS.values()):
    for name, data in others.items():
        put(name + ending, data)
    os.mkfifo("pipe" + ending)
    os.symlink("nowhere", "loose" + ending)
files_before = sorted(os.listdir("."))


def refused(arguments, path, words, code=1):
    arguments = [a.replace("f.h5", "absent.h5") if isinstance(a, str) else a for a in arguments]
    done = run(*arguments, path, code=code)
    lines = own_lines(done.stderr)
    check(len(lines) == 1 and (f"cannot write '{path}'" in lines[0]) == (code == 1) and words in lines[0], f"{arguments} {path}: {done.stderr}")


calls = []
for arguments, start in writers[:8] + writers[10:12] + writers[14:]:
    foreign = [name for name, data in others.items() if not data.startswith(start)]
    ending = ENDINGS.get(start, "")
    cases = [(path + ending, "so it is not replaced") for path in (foreign[len(calls) % 5], foreign[-1])]
    cases += [("pipe" + ending, "not a regular file"), ("loose" + ending, "leads nowhere")]
    if ending:
        cases += [(path, "must end in .png, .svg or .pdf", 2) for path in ("-", "/dev/stdout", "x.gif")]
    elif start not in (JSON, TABLE):
        cases += [("-", "only texts"), ("/dev/stdout", "only texts")]
    calls += [soon(refused, arguments, *case) for case in sampled(cases)]
for call in calls:
    call()
check(sorted(os.listdir(".")) == files_before, f"files remain: {set(os.listdir('.')) ^ set(files_before)}")
for ending in ("", *ENDINGS.values()):
    for name, data in others.items():
        check(content(name + ending) == data, f"{name}{ending} was replaced")

# A link remains a link; an empty file may be replaced; wisdom that is a pipe or a folder is ignored with a message.
put("empty", b"")
os.symlink("out2", "link")
run("power", "f.h5", "-o", "empty", "-j", "link")
check(os.path.islink("link") and content("empty").startswith(TABLE), "a link and an empty file")
done = run("info", "--plan", "-n", 8, "--wisdom", "pipe")
check("ignoring the wisdom file pipe: " in done.stderr, done.stderr)

# Several texts to one open descriptor appear in sequence.
table = run("power", "f.h5").stdout
check(table.startswith("# mergefft power") and run("power", "f.h5", "-o", "/dev/stdout").stdout == table, "/dev/stdout")
check(run("power", "f.h5", "-o", "/dev/stderr").stderr == table and run("power", "f.h5", "-o", "-").stdout == table, "/dev/stderr, -")
both = subprocess.run(["bash", "-c", f"{COMMAND} power f.h5 -o /dev/fd/3 -j >(cat >&2; echo >&2) 3>table | cat"],
                      capture_output=True, text=True, env={**os.environ, **ALONE}, timeout=100)
check(content("table").decode() == table and '"bins"' in both.stderr, f"open descriptors: {both}")
with open("stdout", "w") as file:
    subprocess.run([COMMAND, "power", "f.h5", "-o", "/dev/stdout"], stdout=file, env={**os.environ, **ALONE}, timeout=100, check=True)
check(content("stdout").decode() == table and os.path.islink("/dev/stdout"), "/dev/stdout is a file")
check("No space" in run("info", "--json", "/dev/full", code=1).stderr, "/dev/full")
end()
