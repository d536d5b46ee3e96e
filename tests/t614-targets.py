# Output files are checked before a command works: an input is never overwritten, two options never share a file, and a
# missing folder is an error at once, not after hours.
# TEST labels=apps+command timeout=300 needs=jansson+cairo
import json
import os

from command import check, end, own_lines, run

for name in ("again.h5", "soft.h5", "field.png", "bench.svg"):  # of an earlier run
    if os.path.lexists(name):
        os.remove(name)
run("gen", "-o", "f.h5", "-n", 8)
with open("1.json", "w") as file:
    json.dump({"results": []}, file)
os.link("f.h5", "again.h5")
os.symlink("f.h5", "soft.h5")
os.link("f.h5", "field.png")
os.link("1.json", "bench.svg")
os.makedirs("folder", exist_ok=True)


def content(path):
    with open(path, "rb") as file:
        return file.read()


field, bench, files_before = content("f.h5"), content("1.json"), sorted(os.listdir("."))

for arguments, option in ((["power", "f.h5", "-o", "f.h5"], "--output"), (["power", "f.h5", "--json", "./f.h5"], "--json"),
                          (["power", "f.h5", "-t", "again.h5"], "--timing"), (["poisson", "f.h5", "-o", "soft.h5"], "--output"),
                          (["poisson", "f.h5", "-o", "x.h5", "-t", "f.h5"], "--timing"),
                          (["poisson", "f.h5", "-o", "x.h5", "--wisdom", "f.h5"], "--wisdom"),
                          (["show", "field.png", "-o", "field.png"], "--output"), (["show", "f.h5", "-o", "field.png"], "--output"),
                          (["scaling", "absent.json", "bench.svg", "--plot", "bench.svg"], "--plot")):
    done = run(*arguments, ranks=2 if option == "--wisdom" else 0, code=2)
    lines = own_lines(done.stderr)
    check(len(lines) == 1 and option in lines[0] and "is the input file" in lines[0], f"{arguments}: {done.stderr}")
    check(content("f.h5") == field and content("1.json") == bench, f"{arguments} wrote over its input")

for arguments, first, second in ((["power", "f.h5", "-o", "x", "-j", "x"], "--output", "--json"),
                                 (["poisson", "f.h5", "-o", "x", "-t", "x"], "--output", "--timing"),
                                 (["bench", "-n", 8, "--json", "x", "--trace", "x"], "--json", "--trace")):
    done = run(*arguments, code=2)
    check(f"{second} x is the file of {first}" in done.stderr, f"{arguments}: {done.stderr}")

# Before any work: the input field does not even exist.
for arguments, path in ((["power", "absent.h5", "-o", "no/x"], "no/x"), (["power", "absent.h5", "-t", "folder"], "folder"),
                        (["poisson", "absent.h5", "-o", "f.h5/x"], "f.h5/x"), (["show", "absent.h5", "-o", "no/x.png"], "no/x.png"),
                        (["poisson", "absent.h5", "-o", "x.h5", "-t", "no/t.json"], "no/t.json"),
                        (["gen", "-n", "100000", "-o", "no/x.h5"], "no/x.h5"), (["scaling", "absent.json", "--plot", "no/x.pdf"], "no/x.pdf"),
                        (["info", "--json", "no/x"], "no/x"), (["bench", "--json", "no/x"], "no/x"),
                        (["bench", "--exchange", 8, "--json", "no/x"], "no/x")):
    done = run(*arguments, ranks=2 if "--exchange" in arguments else 0, code=1)
    lines = own_lines(done.stderr)
    check(len(lines) == 1 and f"cannot write '{path}'" in lines[0] and "absent" not in lines[0], f"{arguments}: {done.stderr}")
    check(done.stdout == "", f"{arguments} began to work: {done.stdout}")

check(sorted(os.listdir(".")) == files_before and content("f.h5") == field, f"files remain: {set(os.listdir('.')) - set(files_before)}")
# A special file is written directly, also twice.
done = run("power", "f.h5", "-o", "/dev/null", "-j", "/dev/null")
check(done.stdout == "" and done.stderr == "", f"{done.stdout}{done.stderr}")
end()
