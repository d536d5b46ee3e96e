# The charts of the documents are made from their tables, and the drawings from their texts.
# TEST labels=docs+once timeout=30
import os
import subprocess
import sys

from command import check, end

for script in "charts", "drawings":
    path = os.path.join(os.environ["MFFT_TEST_SOURCE"], "scripts", script)
    done = subprocess.run([sys.executable, path, "--check"], capture_output=True, text=True, check=False)
    check(done.returncode == 0, done.stderr)
end()
