# The library with FFTW's names defines every function that the installed fftw3-mpi.h declares for the precisions that
# FFTW-MPI is installed in, and those of fftw3.h that take a plan for MPI as well as one of a single process.
# TEST labels=once timeout=60 needs=dropin+mpicc+nm
import os
import re
import subprocess
import sys

LIBRARY = os.environ["MFFT_TEST_BUILD"] + "/lib/libmergefft_fftw3_mpi.so"
OF_ANY_PLAN = re.compile(r"(execute\w*|destroy_plan|[fs]?print_plan|flops|cost|estimate_cost|cleanup|set_timelimit)$")
NOT_FOR_MPI = re.compile(r"execute_split_|.*_guru")  # plans for MPI have no split arrays

# In long double where FFTW-MPI has it: the library then passes for that one too.
LONG_DOUBLE = os.path.lexists(os.environ["MFFT_TEST_BUILD"] + "/lib/mergefft/fftw3/libfftw3l_mpi.so.3")
PREFIXES = ["fftw_", "fftwf_"] + (["fftwl_"] if LONG_DOUBLE else [])


def folder():
    """The folder of FFTW's headers, as CMake found it."""
    with open(os.environ["MFFT_TEST_BUILD"] + "/CMakeCache.txt", encoding="utf-8") as cache:
        return re.search(r"^FFTW3_INCLUDE_DIR:PATH=(.*)$", cache.read(), re.M)[1]


def declared():
    """The functions of both headers: {prefix: {name}}."""
    text = subprocess.run(["mpicc", "-E", "-P", "-I" + folder(), "-x", "c", "-"], input="#include <fftw3-mpi.h>\n", text=True,
                          check=True, capture_output=True).stdout
    names = {prefix: set() for prefix in PREFIXES}
    for prefix, name in re.findall(r"\b(fftw[fl]?_)(\w+)\s*\(", text):
        if prefix not in names:
            continue
        names[prefix].add(name)
    return names


def exported():
    lines = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], text=True, check=True, capture_output=True).stdout
    return {line.split()[-1] for line in lines.splitlines() if line.split()[-2] == "T"}


failed = 0
defined = exported()
for prefix, names in declared().items():
    wanted = {n for n in names if n.startswith("mpi_") or (OF_ANY_PLAN.match(n) and not NOT_FOR_MPI.match(n))}
    if len(wanted) < 50 or "mpi_plan_many_r2r" not in wanted or "execute_dft_r2c" not in wanted:
        print(f"found only {len(wanted)} functions {prefix} in the headers")
        failed = 1
    for name in sorted(wanted):
        if prefix + name not in defined:
            print(f"{LIBRARY} does not define {prefix}{name}")
            failed = 1
sys.exit(failed)
