# The options of `mergefft` that documents and scripts name are in its help.
# TEST labels=docs+once timeout=30
import glob
import os
import re

from command import check, end, run

OPTION = r"(?<![\w-])(--?[A-Za-z][\w-]*)"
source = os.environ["MFFT_TEST_SOURCE"]
subcommands = re.findall(r"^  ([\w-]+) +\S", run("--help").stdout, re.MULTILINE)
check("nbody" in subcommands and "bench" in subcommands, f"subcommands of the overview: {subcommands}")
known = {name: set(re.findall(OPTION, run(name, "--help").stdout)) for name in subcommands}
named = 0
for path in [source + "/README.md", *glob.glob(source + "/docs/*.md"), *glob.glob(source + "/scripts/**/*.sh", recursive=True)]:
    with open(path) as file:
        text = file.read().replace("\\\n", " ")
    for line in text.splitlines():
        for name, rest in re.findall(r"mergefft (" + "|".join(subcommands) + r")\b([^`#|;)]*)", line):
            for option in re.findall(OPTION, rest):
                named += 1
                check(option in known[name], f"{os.path.relpath(path, source)}: mergefft {name} has no option {option}: {line}")
check(named > 20, f"found only {named} options in the documents")
end()
