# Fields are read into the page cache of the system while plans are made and while the preceding field is solved: the first and
# the second, by every rank, and not where nothing is computed.
# TEST labels=apps+command+once timeout=100 needs=jansson+unsanitized
import os
import subprocess

import h5py
import numpy
from command import check, end, run

# Writes the name of each file that is opened as prefetch.c opens it.
SOURCE = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
static void note(const char *path) {
  char line[512];
  const int length = snprintf(line, sizeof line, "%s\n", path);
  const int log = (int)syscall(SYS_openat, AT_FDCWD, "log.txt", O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (syscall(SYS_write, log, line, length) != length) _exit(9);
  syscall(SYS_close, log);
}
static int opened(const char *path, int flags, int mode) {
  if (flags & O_NONBLOCK) note(path);
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
#define OPEN(name)                      \
  int name(const char *path, int flags, ...) { \
    va_list rest;                       \
    va_start(rest, flags);              \
    const int mode = va_arg(rest, int); \
    va_end(rest);                       \
    return opened(path, flags, mode);   \
  }
OPEN(open)
OPEN(open64)
"""
with open("shim.c", "w", encoding="utf-8") as file:
    file.write(SOURCE)
subprocess.run([os.environ["CC"], "-shared", "-fPIC", "-O1", "-o", "shim.so", "shim.c"], check=True)

random = numpy.random.default_rng(2)
for name in "ab":
    with h5py.File(f"{name}.h5", "w") as file:
        file["delta"] = random.standard_normal((64, 32, 32))
        file["delta"].attrs["BoxSize"] = 1.0


def prefetched(*arguments, ranks=0):
    """The files that a command has opened ahead, by all ranks, in sequence."""
    if os.path.exists("log.txt"):
        os.remove("log.txt")
    run(*arguments, ranks=ranks, LD_PRELOAD=os.path.abspath("shim.so"))
    if not os.path.exists("log.txt"):
        return []
    with open("log.txt", encoding="utf-8") as log:
        return [line.strip() for line in log if line.strip() in ("a.h5", "b.h5")]


check(prefetched("poisson", "a.h5", "b.h5", "-o", "{}-phi.h5") == ["a.h5", "b.h5"], "poisson of two fields")
check(prefetched("power", "a.h5", "b.h5", "-o", "{}.txt") == ["a.h5", "b.h5"], "power of two fields")
check(sorted(prefetched("poisson", "a.h5", "-o", "phi.h5", ranks=2)) == ["a.h5"] * 2, "two ranks")
check(prefetched("poisson", "a.h5", "b.h5", "-o", "{}-phi.h5", "--skip-existing") == [], "fields that are skipped")
check(prefetched("poisson", "a.h5", "-o", "other.h5", "--dry-run") == [], "a dry run")
end()
