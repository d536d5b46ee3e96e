# Cosine and sine transforms against the tables that SciPy ships for its own tests, made by others with FFTW: kinds I to IV, sizes
# 2 to 1024, forward by the kind and backward by its inverse, in each precision that the backend and the tables have.  The calls
# are those of the shared library, which Python makes itself.
# TEST labels=once needs=scipy+shared+unsanitized args=fftw
# TEST labels=once needs=scipy+shared+unsanitized args=ref
# TEST labels=emulated+nightly timeout=300 needs=scipy+shared+unsanitized args=cuda
# TEST labels=cuda timeout=300 needs=scipy+shared+unsanitized args=cuda
import ctypes
import math
import os
import sys

import numpy as np
import scipy_tables

backend = sys.argv[1]
os.environ["MFFT_BACKEND"] = backend
library = ctypes.CDLL(os.environ["MFFT_TEST_LIBRARY"])
library.mfft_last_error.restype = ctypes.c_char_p
UNSUPPORTED, R2R = 3, 2
INT, INT64 = ctypes.c_int, ctypes.c_int64


class Desc(ctypes.Structure):
    """mfft_desc of mfft.h, field by field."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("rank", INT), ("n", INT64 * 3), ("axes", ctypes.c_uint), ("batch", INT64),
                ("kind", INT), ("precision", INT), ("scale", INT * 2), ("placement", INT), ("allow_destroy_input", INT),
                ("filtered", ctypes.c_uint), ("scrambled", INT), ("in_stride", INT64 * 3), ("in_dist", INT64),
                ("out_stride", INT64 * 3), ("out_dist", INT64), ("order", INT), ("in_box", ctypes.c_void_p),
                ("out_box", ctypes.c_void_p), ("padded", INT), ("axis_kind", INT * 3), ("given", INT64 * 3)]


failures = checks = 0


def check(condition, words):
    global failures, checks
    checks += 1
    if not condition:
        failures += 1
        print(words, file=sys.stderr)


def call(name, *arguments):
    status = getattr(library, name)(*arguments)
    if status:
        raise RuntimeError(f"{name}: {library.mfft_last_error().decode()}")


def transform(kind, precision, n, direction, x):
    """The result, or None where the backend lacks the precision."""
    desc, plan = Desc(), ctypes.c_void_p()
    library.mfft_desc_init_sized(ctypes.byref(desc), ctypes.c_size_t(ctypes.sizeof(desc)))
    desc.rank, desc.kind, desc.precision = 1, R2R, precision
    desc.n[0], desc.axis_kind[0] = n, kind
    status = library.mfft_plan_create(ctypes.byref(desc), None, ctypes.byref(plan))
    if status == UNSUPPORTED and precision == 4:
        return None
    if status:
        raise RuntimeError(library.mfft_last_error().decode())
    bytes_, memory = ctypes.c_size_t(x.nbytes), [ctypes.c_void_p(), ctypes.c_void_p()]
    for pointer in memory:
        call("mfft_memory_alloc", None, bytes_, ctypes.byref(pointer))
    y = np.empty_like(x)
    call("mfft_memory_upload", None, memory[0], x.ctypes.data_as(ctypes.c_void_p), bytes_)
    call("mfft_execute", plan, INT(direction), memory[0], memory[1])
    call("mfft_plan_synchronize", plan)
    call("mfft_memory_download", None, y.ctypes.data_as(ctypes.c_void_p), memory[1], bytes_)
    for pointer in memory:
        call("mfft_memory_free", None, pointer)
    library.mfft_plan_destroy(plan)
    return y


def compare(y, want, bound, words):
    error = float(np.linalg.norm(y - want) / np.linalg.norm(want)) if len(want) else 0
    if y.dtype == np.longdouble:  # whose norms numpy takes in double
        error = float(np.sqrt(np.sum((y - want) ** 2) / np.sum(want ** 2)))
    check(error <= bound, f"{words}: off by {error:.3g}, more than {bound:.3g}")


small = os.environ.get("MFFT_TEST_SMALL") == "1" and backend == "cuda"  # each length is compiled for a GPU of the CPU
for precision, name, type_, unit in ((0, "double", np.float64, 4e-16), (1, "single", np.float32, 1.7e-7),
                                     (4, "longdouble", np.longdouble, 1.8 * float(np.finfo(np.longdouble).eps))):
    path = scipy_tables.find(name)
    if not path or (small and precision):
        continue
    with np.load(path) as table:
        if table["dct_1_8"].dtype != type_:  # a long double of another machine
            continue
        for n in (12, 17) if small else table["sizes"]:
            n = int(n)
            x = np.arange(n).astype(type_)
            for family in range(2):
                for kind in range(1, 5):
                    key = f"{('dct', 'dst')[family]}_{kind}_{n}"
                    want = table[key].astype(type_)
                    points = 2 * (n + (-1, 1)[family] * (kind == 1))
                    # The truth is as accurate as the result.
                    bound = 2 * unit * math.sqrt(max(1, math.log2(points)))
                    y = transform(4 * family + kind, precision, n, 0, x)
                    if y is None:
                        continue
                    compare(y, want, bound, f"{backend} {name} {key}")
                    if not small:
                        compare(transform(4 * family + kind, precision, n, 1, want), points * x, 2 * bound,
                                f"{backend} {name} {key} backward")
if checks < 16:
    print(f"only {checks} checks were made", file=sys.stderr)
sys.exit(failures > 0 or checks < 16)
