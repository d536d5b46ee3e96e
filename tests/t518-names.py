# Names and units in a file are escaped when they are shown, so that no control character reaches a terminal and none makes a
# line of its own: in messages, results, tables, JSON and pictures.
# TEST labels=field+command needs=jansson+cairo
import json
import os
import re
import xml.etree.ElementTree

import h5py
import numpy
from command import check, end, run, soon

HOSTILE = b"a\nmergefft: done\x1b[2J\x9b\xff\xe2\x80\xae\t"
SHOWN = "a\\nmergefft: done\\x1b[2J\\x9b\\xff\\u202e\\t"
KIND = "\u00fc\u03b4"  # letters stay


def make(path, names):
    with h5py.File(path, "w") as file:
        for name in names:
            file.create_dataset(name, data=numpy.random.default_rng(1).standard_normal((8, 8, 8)))
            file[name].attrs["BoxSize"] = 10.0
            file[name].attrs["units"] = numpy.bytes_(HOSTILE)


def clean(text, lines, what):
    check(len(text.splitlines()) == lines and not re.search(r"[^\n\x20-\x7e\u00a1-\u1fff]", text), f"{what}: {text!r}")


folder = "in\x1b[1m\n"
os.makedirs(folder, exist_ok=True)
one, two = folder + "/one.h5", folder + "/two.h5"
make(one, [HOSTILE])
make(two, [HOSTILE, KIND.encode()])
runs = {
    "list": soon(run, "power", two, code=1),
    "missing": soon(run, "power", two, "-d", os.fsdecode(b"x" + HOSTILE), code=1),
    "table": soon(run, "power", one, "--json", "pk.json"),
    "kind": soon(run, "power", two, "-d", KIND),
    "picture": soon(run, "show", one, "-o", folder + "/picture.svg"),
    "solve": soon(run, "poisson", one, "-o", folder + "/phi.h5", "--timing", "times.json"),
    "usage": soon(run, "power", "--bins", "1\n\x1b[2J", code=2),
    "command": soon(run, "pow\x1b[2J\ner", code=2),
}
done = {name: finish() for name, finish in runs.items()}
for name in ("list", "missing", "usage", "command"):
    clean(done[name].stderr, 1, name)
    check(done[name].stdout == "", name)
check(SHOWN in done["list"].stderr and KIND in done["list"].stderr and "in\\x1b[1m\\n/two.h5" in done["list"].stderr,
      done["list"].stderr)
check("x" + SHOWN in done["missing"].stderr, done["missing"].stderr)
table = done["table"].stdout.splitlines()
check(table[0] == f"# mergefft power: '{SHOWN}' of in\\x1b[1m\\n/one.h5" and table[1].startswith("# cells 8 8 8"), f"{table[:3]}")
clean(done["table"].stdout, len([line for line in table if line[0] in "# 0123456789"]), "table")
check(f"'{KIND}'" in done["kind"].stdout, done["kind"].stdout)
clean(done["picture"].stdout, 1, "picture")
check(f"{SHOWN} [{SHOWN}]" in done["picture"].stdout, done["picture"].stdout)
clean(done["solve"].stdout, len(done["solve"].stdout.splitlines()), "solve")
check(done["solve"].stdout.startswith(f"in\\x1b[1m\\n/one.h5: {SHOWN} 8x8x8"), done["solve"].stdout)
for path in ("pk.json", "times.json"):
    with open(path, encoding="utf-8") as file:  # strictly
        read = json.load(file)
    check(read["dataset"] == HOSTILE.replace(b"\x9b\xff\xe2\x80\xae", b"\\x9b\\xff\\u202e").decode(), f"{path}: {read['dataset']!r}")
    check(read.get("file", read.get("input")) == one, f"{path}: {read}")
picture = xml.etree.ElementTree.parse(folder + "/picture.svg").getroot()
check(picture.find("{http://www.w3.org/2000/svg}title").text == SHOWN, "the title of the picture")
check(f"{SHOWN} [{SHOWN}]" in [element.text for element in picture.iter()], "the name of its colour bar")
end()
