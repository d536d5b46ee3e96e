# The recipes of docs/python.md run from top to bottom and print what they should.
# TEST labels=docs+once
import os
import re
import subprocess
import sys

from command import COMMAND, MPIEXEC, check, end

with open(os.path.join(os.environ["MFFT_TEST_SOURCE"], "docs/python.md"), encoding="utf-8") as file:
    blocks = re.findall(r"^```python\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
check(len(blocks) >= 5, f"found {len(blocks)} recipes")
program = "\n".join(blocks)
check('["mpirun", "-n", "2", ' in program, "the recipe for several ranks is not there")
program = program.replace('["mpirun", "-n", "2", ', repr(MPIEXEC + ["2"])[:-1] + ", ").replace('"mergefft"', repr(COMMAND))
done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
check(done.returncode == 0, done.stderr)
words = done.stdout
error = re.search(r"largest error of phi: (\S+)", words)
check(error and float(error[1]) < 1e-12, words)
check("datasets: ['force_x', 'force_y', 'force_z', 'phi']" in words, words)
k = re.search(r"largest power at k = (\S+)", words)
check(k and abs(float(k[1]) - 0.12566) < 0.04, words)
check("shape (32, 32, 32) box 500.0" in words, words)
check(re.search(r"^1 .*missing\.h5", words, re.MULTILINE), words)
end()
