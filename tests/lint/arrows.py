"""Which folders of src may include which: the allowed arrows of docs/design.md, folder by folder.

Any other include between two folders fails, and so does a folder that the table does not name.  System headers have a
table of their own: the code of one device includes no MPI, and CUDA, HDF5 and FFTW each have one folder.
"""
# TEST labels=lint
import os
import re
import sys

# A folder may include itself, the public headers that its entry names, and the folders of its entry.
ALLOWED = {
    "base": {"mfft.h", "mfft_array.h", "mfft_direct.h", "mfft_inspect.h"},
    "comm": {"mfft_mpi.h", "base"},
    "local": {"mfft.h", "mfft_array.h", "mfft_direct.h", "mfft_memory.h", "mfft_spectrum.h", "mfft_inspect.h", "base", "local/host"},
    "local/host": {"mfft.h", "mfft_memory.h", "base", "local"},
    "local/fftw": {"mfft_inspect.h", "base", "local", "local/host"},
    "local/cuda": {"mfft_inspect.h", "base", "local", "local/cuda/kernels/args", "local/cuda/ops", "local/cuda/planner", "local/cuda/runtime"},
    "local/cuda/kernels": set(),
    "local/cuda/kernels/args": set(),  # the only headers of kernels that the host includes too
    "local/cuda/planner": {"mfft_inspect.h", "base", "local", "local/cuda/engines", "local/cuda/kernels/args", "local/cuda/tuned"},
    "local/cuda/engines": {"base", "local/cuda/planner", "local/cuda/tuned", "local/host"},
    "local/cuda/tuned": {"local/cuda/planner"},
    "local/cuda/runtime": {"mfft_memory.h", "base", "local", "local/cuda/engines", "local/cuda/kernels/args", "local/cuda/planner", "local/cuda/tuned"},
    "local/cuda/ops": {"base", "local", "local/cuda/kernels/args", "local/cuda/planner", "local/cuda/runtime", "local/cuda/tuned"},
    "dist": {"mfft_mpi.h", "base", "comm", "local"},
    "plan": {"mfft_mpi.h", "mfft_predict.h", "mfft_array.h", "mfft_memory.h", "mfft_spectrum.h", "mfft_convolution.h", "mfft_inspect.h", "base", "comm", "local", "dist"},
    "particles": {"mfft_mpi.h", "mfft_memory.h", "mfft_motion.h", "mfft_particles.h", "base", "comm", "dist", "plan"},
    "field": {"mfft_field.h", "mfft_field_direct.h", "base", "comm"},
    "snapshot": {"mfft_snapshot.h", "base", "comm", "field"},
    "prebuild": {"mfft_inspect.h", "local", "local/cuda", "local/cuda/engines", "local/cuda/ops", "local/cuda/runtime", "local/cuda/tuned", "plan"},
}

# Headers of other projects: the folders that may include them.  A name that is not in the table, such as stdio.h, may be
# included anywhere.
FOREIGN = {
    r"mpi\.h": {"comm", "dist", "plan", "particles", "field", "prebuild"},
    r"hdf5\.h": {"field"},
    r"fftw3.*": {"local/fftw"},
    r"(cuda|cufft|nvrtc|nccl|nvtx|nvToolsExt|cooperative_groups).*": {"local/cuda", "local/cuda/runtime", "local/cuda/kernels"},
}

# Libraries that the command can be built without, and the files of apps that may include them.
OPTIONAL = {"cairo": r"plot/picture\.c", "jansson": r"io/json(_read)?\.c"}


def folder_of(path):
    """The entry of ALLOWED that a file below src belongs to."""
    folder = os.path.dirname(path)
    return "local/cuda/kernels" if folder.startswith("local/cuda/kernels") and folder not in ALLOWED else folder


def top_folders():
    """The folders directly below src, as alternatives of a regular expression."""
    return "|".join(sorted({folder.split("/")[0] for folder in ALLOWED}))


def complaint(folder, name):
    """The error in an include line of a file in a folder, whether the name is in quotes or in brackets; None if it is allowed."""
    if ".." in name.split("/"):
        return f"{name}: write the path from src on, without .."
    if re.match(rf"({top_folders()})/", name):
        target = folder_of(name)
        if target != folder and target not in ALLOWED[folder]:
            return f"{folder} may not include {target}"
    elif re.fullmatch(r"mfft\w*\.h", name) and name not in ALLOWED[folder]:
        return f"{folder} may not include {name}"
    for pattern, folders in FOREIGN.items():
        if re.fullmatch(pattern, name) and folder not in folders:
            return f"{name} may not be included in {folder}"
    return None


def check_library(root):
    for folder, _, names in os.walk(os.path.join(root, "src")):
        for name in sorted(names):
            if not name.endswith((".c", ".h", ".cu", ".cuh", ".inc")):
                continue
            path = os.path.join(folder, name)
            entry = folder_of(os.path.relpath(path, os.path.join(root, "src")))
            if entry not in ALLOWED:
                yield path, 1, f"the folder src/{entry} has no entry in tests/lint/arrows.py"
                continue
            with open(path, encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    include = re.match(r'\s*#\s*include\s*[<"]([^>"]+)', line)
                    wrong = include and complaint(entry, include[1])
                    if wrong:
                        yield path, number, wrong


def check_users(root):
    """The public headers, the command, the bindings and the examples see nothing of src, but that base is built into the command,
    and its table of environment variables read by the bindings."""
    for top in ("apps", "bindings", "include", "examples"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in (n for n in names if n.endswith((".c", ".h"))):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    for number, line in enumerate(file, 1):
                        include = re.match(rf'\s*#\s*include\s*[<"](?:[^>"]*\bsrc/|(?:\.\./)+)?({top_folders()})/', line)
                        if include and (top not in ("apps", "bindings") or include[1] != "base"):
                            yield path, number, f"{top} may not include {include[1]}"
                        library = re.match(rf"\s*#\s*include\s+<({'|'.join(OPTIONAL)})", line)
                        if library and not re.search(OPTIONAL[library[1]], path):
                            yield path, number, f"{library[1]}.h may be included only in apps/{OPTIONAL[library[1]]}"
                        if top == "include" and name not in ("mfft_mpi.h", "mfft_field.h", "mfft_snapshot.h") and re.match(r"\s*#\s*include\s+[<\"](mpi|hdf5|cuda)", line):
                            yield path, number, "the headers of local plans need neither MPI, HDF5 nor CUDA"


def main():
    root = os.environ["MFFT_TEST_SOURCE"]
    found = list(check_library(root)) + list(check_users(root))
    for path, number, wrong in found:
        print(f"{os.path.relpath(path, root)}:{number}: {wrong}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
