# Several fields in one call of poisson and power: files that are those of one call each, byte for byte, whatever field
# precedes them in the list; names by {} and {dir}; one report of all or one of each; a field that fails among others that do
# not; a request to stop.
# TEST labels=apps+command+once timeout=300 needs=jansson
import filecmp
import json
import os

import h5py
import numpy
from command import check, end, own_lines, run, sampled

random = numpy.random.default_rng(3)


def store(path, n, box=(1.0, 2.0, 1.5), mean=0.0, kind="f4"):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with h5py.File(path, "w") as file:
        file["delta"] = (mean + random.standard_normal(n)).astype(kind)
        file["delta"].attrs["BoxSize"] = box


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


# The mesh, the box and the precision change from field to field, and the first one is repeated.
store("a.h5", (12, 10, 8))
store("b.h5", (12, 10, 8), mean=3)
store("c.h5", (9, 10, 8))
store("d.h5", (12, 10, 8), box=(2.0, 2.0, 2.0))
store("e.h5", (12, 10, 8), box=(2.0, 2.0, 2.0), kind="f8")
store("f.h5", (12, 10, 8))
NAMES = "abdcef"  # d after b: another box of the same cells
FIELDS = [f"{name}.h5" for name in NAMES]

for ranks, options in ((0, ()), (2, ("--gradient", "fd4")), (2, ("-p", "half")), (3, ("--part", 1e-3))):
    done = run("poisson", *FIELDS, "-o", "{}-all.h5", "--timing", "all.json", *options, ranks=ranks)
    for name in sampled(NAMES):
        run("poisson", f"{name}.h5", "-o", "one.h5", "--timing", "one.json", *options, ranks=ranks)
        check(filecmp.cmp("one.h5", f"{name}-all.h5", shallow=False), f"{name} with {options} on {ranks} depends on the fields before it")
        one, reported = load("one.json"), [field for field in load("all.json")["fields"] if field["input"] == f"{name}.h5"]
        check(len(reported) == 1 and reported[0]["output"] == f"{name}-all.h5" and reported[0]["total_s"] > 0, f"{reported}")
        for key in ("n", "mean", "rms", "residual", "residual_explained", "coefficient"):
            check(reported[0][key] == one[key], f"{name}: {key} is {reported[0][key]}, alone {one[key]}")
        check(f"wrote {name}-all.h5" in done.stdout, done.stdout)
    check(load("all.json")["phases"][-1]["name"] == "total" and done.stdout.count("phase  ") == 1, "one table")

# One report of each field: that of a call for this field alone, with its own time.
run("poisson", "a.h5", "b.h5", "-o", "{}-all.h5", "--timing", "{}-all.json", ranks=2)
for name in "ab":
    reported = load(f"{name}-all.json")
    names = [phase["name"] for phase in reported["phases"]]
    check(reported["input"] == f"{name}.h5" and reported["ranks"] == 2 and "environment" in reported, f"{reported}")
    check(reported["total_s"] > 0 and names[-1] == "total" and "read" in names, f"{reported}")
check("plan" in [phase["name"] for phase in load("a-all.json")["phases"]], "the first field is planned for")

# Folders.
store("x/g.h5", (4, 4, 4))
store("y/g.h5", (4, 4, 4))
run("poisson", "x/g.h5", "y/g.h5", "-o", "{dir}/phi-{}.h5")
check(os.path.exists("x/phi-g.h5") and os.path.exists("y/phi-g.h5"), "{dir}")
done = run("poisson", "x/g.h5", "y/g.h5", "-o", "{}-phi.h5", code=2)
check("x/g.h5 and y/g.h5 would both be g-phi.h5" in done.stderr, done.stderr)
done = run("poisson", "a.h5", "b.h5", "-o", "phi.h5", code=2)
check("-o" in done.stderr or "--output phi.h5 is one name for the results of 2 fields" in done.stderr, done.stderr)
check("is the input file" in run("poisson", "a.h5", "b.h5", "-o", "{}.h5", code=2).stderr, "over an input")
run("poisson", "a.h5", "-o", "{}-alone.h5")
check(filecmp.cmp("a-alone.h5", "a-all.h5", shallow=False), "{} of one field")

# Fields that fail are named, and have no output files; the others are solved.
spoilt = random.standard_normal((12, 10, 8))
spoilt[1, 2, 3] = numpy.nan
with h5py.File("nan.h5", "w") as file:
    file["delta"] = spoilt
    file["delta"].attrs["BoxSize"] = 1.0
for ranks in (0, 2):
    for name in ("a-all.h5", "b-all.h5"):
        os.remove(name)
    done = run("poisson", "a.h5", "nan.h5", "missing.h5", "b.h5", "-o", "{}-all.h5", ranks=ranks, code=1)
    lines = own_lines(done.stderr)
    check(len(lines) == 3, f"{lines}")
    check(lines[0].startswith("mergefft poisson nan.h5: ") and "NaN" in lines[0], f"{lines}")
    check(lines[1].startswith("mergefft poisson missing.h5: "), f"{lines}")
    check(lines[2] == "mergefft poisson: 2 of 4 fields solved, 0 skipped since their results exist, 2 failed: nan.h5, missing.h5",
          f"{lines}")
    check(os.path.exists("a-all.h5") and os.path.exists("b-all.h5") and not os.path.exists("nan-all.h5"), "results")
    check(not [name for name in os.listdir(".") if "partial" in name], "a partial file")

# Existing results are skipped only if that is requested.
os.remove("b-all.h5")
with open("a-all.h5", "ab") as file:
    file.write(b"mark")
done = run("poisson", "a.h5", "b.h5", "-o", "{}-all.h5", "--skip-existing", ranks=2)
with open("a-all.h5", "rb") as file:
    check(file.read().endswith(b"mark"), "a result that was there is written again")
check(os.path.exists("b-all.h5") and "1 of 2 fields solved, 1 skipped" in done.stderr, done.stderr)
run("poisson", "a.h5", "b.h5", "-o", "{}-all.h5")
with open("a-all.h5", "rb") as file:
    check(not file.read().endswith(b"mark"), "an existing result was not replaced")

# A file that requests a stop: one that is there when the first field is solved (of poisson the file of the results that is still to
# be committed, of power the report), or one that was there before.
for command, ending, ranks, stop in (("poisson", "h5", 2, "a-stop.h5.mfft-partial"), ("power", "txt", 0, "a-stop.json")):
    for name in "abc":
        if os.path.exists(f"{name}-stop.{ending}"):
            os.remove(f"{name}-stop.{ending}")
    some = (command, "a.h5", "b.h5", "c.h5", "-o", "{}-stop." + ending)
    done = run(*some, "--timing", "{}-stop.json", "--stop-file", stop, ranks=ranks)
    words = "0 skipped since their results exist, 2 left since a stop was requested, 0 failed"
    check(words in own_lines(done.stderr)[0] and len(own_lines(done.stderr)) == 1, done.stderr)
    check([os.path.exists(f"{name}-stop.{ending}") for name in "abc"] == [True, False, False], f"{command}: a stop after a")
    os.remove("a-stop.json")
    done = run(*some, "--skip-existing", "--stop-file", stop, ranks=ranks)
    check("2 of 3 fields" in done.stderr and "left" not in done.stderr, done.stderr)
    with open("stop", "w", encoding="utf-8"):
        pass
    check("1 of 3 fields" in run(*some, "--stop-file", "stop", ranks=ranks).stderr, "the first field is solved in any case")

# Spectra.
run("power", *FIELDS, "-o", "{}.txt", "--json", "{}-p.json", "--timing", "times.json", ranks=2)
for name in NAMES:
    run("power", f"{name}.h5", "-o", "one.txt", "--json", "one.json", ranks=2)
    check(filecmp.cmp("one.txt", f"{name}.txt", shallow=False) and filecmp.cmp("one.json", f"{name}-p.json", shallow=False), name)
check([field["input"] for field in load("times.json")["fields"]] == FIELDS, "times.json")
text = run("power", "a.h5", "b.h5").stdout
with open("a.txt", encoding="utf-8") as a, open("b.txt", encoding="utf-8") as b:
    check(text == a.read() + b.read(), "two tables on stdout")
done = run("power", "a.h5", "nan.h5", "b.h5", "-o", "{}.txt", ranks=2, code=1)
check(own_lines(done.stderr)[-1] == "mergefft power: 2 of 3 fields measured, 0 skipped since their results exist, 1 failed: nan.h5",
      done.stderr)
run("power", "a.h5", "b.h5", "-o", "p.txt", code=2)
run("power", "a.h5", "--skip-existing", code=2)
check("1 skipped" in run("power", "a.h5", "c.h5", "-o", "new-{}.txt", "--skip-existing").stderr
      or os.path.exists("new-a.txt"), "no result was skipped")

# Fields read with --untrusted, one copy each.
run("poisson", "a.h5", "b.h5", "-o", "{}-safe.h5", "--untrusted", ranks=2)
check(filecmp.cmp("a-safe.h5", "a-all.h5", shallow=False) and filecmp.cmp("b-safe.h5", "b-all.h5", shallow=False), "--untrusted")
end()
