"""The tables of cosine and sine transforms that SciPy ships for its own tests, which FFTW made: for sizes n, kinds 1 to 4 and the
input 0, 1, ..., n - 1 the outputs, in single, double and long double.  They are in the folder MFFT_TEST_DATA, or in a SciPy
that was installed with its tests.  As a program it says by its exit status whether there are any."""
import importlib.util
import os
import sys


def find(precision):
    """The file of a precision: "single", "double" or "longdouble"; None."""
    folders = [os.environ.get("MFFT_TEST_DATA", "")]
    scipy = importlib.util.find_spec("scipy")
    if scipy and scipy.origin:
        folders.append(os.path.join(os.path.dirname(scipy.origin), "fftpack", "tests"))
    paths = [os.path.join(folder, f"fftw_{precision}_ref.npz") for folder in folders if folder]
    return next((path for path in paths if os.path.exists(path)), None)


if __name__ == "__main__":
    sys.exit(find("double") is None)
