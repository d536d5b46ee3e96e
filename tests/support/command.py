"""What tests of the mergefft command share: running it, checking, and independent truth in numpy."""
import concurrent.futures
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import xml.etree.ElementTree
import zlib

import numpy

COMMAND = os.environ["MFFT_TEST_COMMAND"]
MPIEXEC = os.environ["MFFT_TEST_MPIEXEC"].split()
# A process without mpirun needs no daemon of Open MPI.  Without this setting all use the same session folder, and one that
# ends removes it while another begins, so none is made.
ALONE = {"OMPI_MCA_ess_singleton_isolated": "1", "OMPI_MCA_orte_create_session_dirs": "0"}
ALL = os.environ.get("MFFT_TEST_ALL", "0") == "1"  # every case: scripts/test --all
SMALL = os.environ.get("MFFT_TEST_SMALL", "0") != "0" or not ALL  # fewer and smaller cases: see check.h
failures = 0


def sampled(cases):
    """The cases that are to run: all of them, or else two of five, which begin where those of the last call ended."""
    for case in cases:
        sampled.calls += 1
        if ALL or sampled.calls % 5 < 2:
            yield case


sampled.calls = 0


TIMEOUT_S = 100


def back_traces(process):
    """Where each process of a job stands, by gdb where it is installed, and the time that it has had on processors."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,ni=,time=,comm="], capture_output=True, text=True, check=False).stdout.split("\n")
    rows = [line.split(None, 2) for line in listed if line]
    job = [str(process.pid)]
    for pid in job:
        job += [row[0] for row in rows if row[1] == pid]
    texts = [f"load {os.getloadavg()[0]:.1f}; processes with their nice value and time on processors:"]
    for pid in job:
        texts.append(f"process {pid}: {' '.join(row[2] for row in rows if row[0] == pid)}")
        if shutil.which("gdb"):
            texts.append(subprocess.run(["gdb", "-p", pid, "-batch", "-ex", "thread apply all backtrace 24"], capture_output=True,
                                        text=True, check=False).stdout)
    return "\n".join(texts), job


def complete(words, environment):
    """Runs a program.  One that has not ended in time fails the test, with what it has printed and where it stands: a job that
    waits for ever has had much time on processors, and one of low priority beside others almost none."""
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=environment) as process:
        try:
            printed = process.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            where, job = back_traces(process)
            for pid in job:
                try:
                    os.kill(int(pid), signal.SIGKILL)
                except ProcessLookupError:
                    pass
            printed = process.communicate()
            print(f"no end after {TIMEOUT_S} s: {words}\n{printed[0]}\n{printed[1]}\n{where}", file=sys.stderr)
        return subprocess.CompletedProcess(words, process.returncode, *printed)


def run(*arguments, ranks=0, code=0, **environment):
    """Runs `mergefft arguments` (under mpirun for ranks > 0) and checks the exit code; the finished process."""
    launch, open_mpi = (MPIEXEC + [str(ranks)], {}) if ranks else ([], ALONE)
    done = complete(launch + [COMMAND] + [str(a) for a in arguments], {**os.environ, **open_mpi, **environment})
    check(done.returncode == code, f"exit {done.returncode}, want {code}: {arguments} on {ranks}: {done.stderr}")
    return done


# Small jobs mostly wait for their start: independent jobs run concurrently.
pool = concurrent.futures.ThreadPoolExecutor(4)


def soon(function, *arguments, **options):
    """Begins a call, and returns a function that waits for its result."""
    return pool.submit(function, *arguments, **options).result


def own_lines(text):
    """The lines of stderr that are ours, not mpirun's."""
    return [line for line in text.splitlines() if line.startswith("mergefft")]


def check(condition, words=""):
    global failures
    if not condition:
        failures += 1
        frame = sys._getframe(1)
        print(f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}: {words}", file=sys.stderr)


def end():
    sys.exit(1 if failures else 0)


def relative(got, want):
    """Relative L2 distance."""
    return float(numpy.linalg.norm((got - want).ravel()) / numpy.linalg.norm(want.ravel()))


def wave_numbers(n, box):
    """kx, ky, kz of the whole complex array, for broadcasting."""
    return numpy.meshgrid(*[2 * numpy.pi * numpy.fft.fftfreq(m, 1.0 / m) / length for m, length in zip(n, box)],
                          indexing="ij", sparse=True)


def svg_texts(path):
    """The texts of an SVG picture, and its title."""
    root = xml.etree.ElementTree.parse(path).getroot()
    check(root.tag.endswith("}svg"), root.tag)
    return [element.text for element in root.iter() if element.tag.endswith("}text")], root.find("{http://www.w3.org/2000/svg}title").text


def svg_fills(path, color):
    """Where the filled shapes of a colour 0xRRGGBB in an SVG picture begin: [x, y]."""
    with open(path, encoding="utf-8") as file:
        found = re.findall(r'<path style="[^"]*fill:rgb\(([\d.]+)%,([\d.]+)%,([\d.]+)%\)[^"]*" d="M ([\d.]+) ([\d.]+) ', file.read())
    want = [color >> shift & 255 for shift in (16, 8, 0)]
    return numpy.array([[float(x), float(y)] for r, g, b, x, y in found if [round(2.55 * float(c)) for c in (r, g, b)] == want]).reshape(-1, 2)


def png_size(path):
    """Width and height of a PNG picture, from its header."""
    with open(path, "rb") as file:
        head = file.read(24)
    check(head[:8] == b"\x89PNG\r\n\x1a\n", "signature")
    return struct.unpack(">II", head[16:])


def find_image(picture, ink=(0x20, 0x20, 0x20)):
    """The image of a picture that `mergefft show` has drawn: what is inside its first frame."""
    dark = (picture == ink).all(axis=2)
    runs = dark[:-40].copy()  # a column of 40 dark pixels and more is no letter, since no letter is so high
    for y in range(1, 40):
        runs &= dark[y:y - 40]
    left = int(numpy.argmax(runs.any(axis=0)))
    top = int(numpy.argmax(dark[:, left:left + 20].all(axis=1)))
    right = left + int(numpy.argmin(dark[top, left:])) - 1
    rows = numpy.flatnonzero(dark[:, left:right + 1].all(axis=1))  # of the upper line and of the lower one
    columns = left + numpy.flatnonzero(dark[rows[0]:rows[-1] + 1, left:right + 1].all(axis=0))
    (top, bottom), (left, right) = [max(zip(lines, lines[1:]), key=lambda pair: pair[1] - pair[0]) for lines in (rows, columns)]
    return picture[top + 1:bottom, left + 1:right]


def read_png(path):
    """The pixels of an 8-bit RGB PNG that is not interlaced, checksums verified."""
    with open(path, "rb") as file:
        data = file.read()
    check(data[:8] == b"\x89PNG\r\n\x1a\n", "signature")
    at, packed, size = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        check(zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0], f"crc of {kind}")
        if kind == b"IHDR":
            size = struct.unpack(">IIBBBBB", body)
            check(size[2:] == (8, 2, 0, 0, 0), f"header {size}")
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    width, height = size[:2]
    raw = numpy.frombuffer(zlib.decompress(packed), numpy.uint8).reshape(height, 1 + 3 * width)
    image = numpy.zeros((height, 3 * width), numpy.uint8)
    above = numpy.zeros(3 * width, numpy.uint8)
    for y in range(height):
        method, row = raw[y, 0], raw[y, 1:]
        if method == 0:
            image[y] = row
        elif method == 1:
            image[y] = numpy.cumsum(row.reshape(width, 3), axis=0, dtype=numpy.uint8).ravel()
        elif method == 2:
            image[y] = row + above
        else:
            image[y] = unfiltered(row.tolist(), above.tolist(), predict_mean if method == 3 else predict_paeth)
        above = image[y]
    return image.reshape(height, width, 3).astype(int)


def predict_mean(left, up, _):
    return (left + up) // 2


def predict_paeth(left, up, corner):
    to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if to_left <= to_up and to_left <= to_corner:
        return left
    return up if to_up <= to_corner else corner


def unfiltered(row, above, predict):
    """A row of bytes of RGB pixels, of which each was stored less what its neighbours predict (PNG 1.2, section 6).  Numbers of
    Python: pixel by pixel numpy takes twelve times as long."""
    line = [0, 0, 0]  # a pixel left of the first
    above = [0, 0, 0] + above
    for i, difference in enumerate(row):
        line.append((difference + predict(line[i], above[i + 3], above[i])) & 255)
    return line[3:]
