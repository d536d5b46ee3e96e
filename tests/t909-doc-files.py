# The source files that documents name exist; docs/lab describes earlier versions and is omitted.
# TEST labels=docs+once timeout=30
import glob
import os
import re

from command import check, end

FILE = re.compile(r"`((?:[\w.*-]+/)+[\w.*-]+\.(?:c|h|cu|cuh|hpp|py|sh))`")
FOLDERS = "", "src", "src/local/cuda", "src/local/cuda/kernels", "tests"  # that a path may be seen from
source = os.environ["MFFT_TEST_SOURCE"]
named = 0
for page in sorted(glob.glob(source + "/*.md") + glob.glob(source + "/docs/*.md")):
    with open(page, encoding="utf-8") as file:
        paths = set(FILE.findall(file.read()))
    for path in sorted(path for path in paths if "NAME" not in path and "NNN" not in path):
        named += 1
        found = any(glob.glob(os.path.join(source, folder, path)) for folder in FOLDERS)
        check(found, f"{os.path.relpath(page, source)} names {path}, which is not there")
check(named > 20, f"found only {named} files in the documents")
end()
