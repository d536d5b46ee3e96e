# TEST labels=docs timeout=120
"""The checksums of docs/field-format.md are those that mergefft stores: its Python example finds our files whole, and a
changed value damaged."""
import os
import re
import subprocess
import sys

import h5py

with open(os.path.join(os.environ["MFFT_TEST_SOURCE"], "docs", "field-format.md"), encoding="utf-8") as page:
    code = re.search(r"^```python\n(.*?)^```$", page.read(), re.M | re.S).group(1)
with open("example.py", "w", encoding="utf-8") as example:
    example.write(code)

failed = 0


def check(wanted, what):
    global failed
    # h5py, numpy and MPI are no business of the sanitizers that the command was built with.
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    told = subprocess.run([os.environ["MFFT_TEST_PYTHON"], "example.py", "field.h5", "delta"], env=environment,
                          capture_output=True, text=True)
    if told.stdout.strip() != wanted:
        print(f"{what}: the example says {told.stdout!r} {told.stderr}, wanted {wanted!r}", file=sys.stderr)
        failed = 1


# Slabs of one plane, of several, and a last one that is shorter; both types.
for shape, precision in (("17x16x20", "double"), ("17x16x20", "single"), ("9x5x7", "double"), ("300x1x1", "single")):
    subprocess.run([os.environ["MFFT_TEST_COMMAND"], "gen", "--kind", "white", "-n", shape, "-p", precision, "-o", "field.h5"],
                   check=True, stdout=subprocess.DEVNULL)
    check("whole", f"{shape} {precision}")
    with h5py.File("field.h5", "r+") as file:
        values = file["delta"]
        values[0, 0, 0] = values[0, 0, 0] + 1
    check("damaged", f"{shape} {precision}, one value changed")
sys.exit(failed)
