# `mergefft nbody` has the same bits on any number of ranks and threads, and after it was stopped by a file or a signal, or
# killed while it wrote a checkpoint.
# TEST labels=apps+once timeout=200
import os
import re
import shutil
import signal
import subprocess
import time

from command import ALONE, COMMAND, check, end, own_lines, run, soon

FILES = ("z0.000.hdf5", "z1.000.hdf5", "z0.000-density.h5", "energy.txt")


def arguments(prefix, *more):
    return ["nbody", "ic.hdf5", "-o", prefix, "--steps", 6, "--outputs", 1, "--density", *more]


def content(name):
    with open(name, "rb") as file:
        return file.read()


def compare(prefix, wanted="whole"):
    for name in FILES:
        check(content(f"{prefix}-{name}") == content(f"{wanted}-{name}"), f"{prefix}-{name} differs from {wanted}-{name}")
    check(not os.path.exists(prefix + "-restart.hdf5"), f"{prefix}: the checkpoint is still there")


def ranks_and_threads():
    jobs = [soon(run, *arguments(f"same{ranks}", "--threads", threads), ranks=ranks) for ranks, threads in ((2, 2), (3, 1), (5, 1))]
    for job in jobs:
        job()
    for ranks in (2, 3, 5):
        compare(f"same{ranks}")


def start(prefix, *more, environment={}):
    return subprocess.Popen([COMMAND] + [str(a) for a in arguments(prefix, *more)], env={**os.environ, **ALONE, **environment}, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def stopped():
    # The file is there before the run begins: it ends after the first step.
    with open("file-stop", "w"):
        pass
    done = run(*arguments("file"))
    check("stopped after step 1 of 7" in done.stdout and not os.path.exists("file-stop"), done.stdout)
    done = run(*arguments("file"), code=1)
    check("an earlier run has not ended; give --restart" in done.stderr, done.stderr)
    done = run(*arguments("file", "--assign", "cic", "--restart"), code=1)
    check("the run began with `--assign tsc`, and now there is `--assign cic`" in done.stderr and len(own_lines(done.stderr)) == 1, done.stderr)

    done = run(*arguments("file", "--no-energy", "--restart"), code=1)
    check("the run began with `--no-energy not given`, and now there is `--no-energy" in done.stderr, done.stderr)
    energy = content("file-energy.txt")
    for kept, words in ((energy[:energy.rindex(b"\n", 0, -1) + 1], "'file-energy.txt' has no row of step 1 after 1 rows, and the checkpoint is of step 1"),
                        (energy[:-1], "'file-energy.txt' has a line that is no row of energies: 1 ")):
        with open("file-energy.txt", "wb") as file:
            file.write(kept)
        done = run(*arguments("file", "--restart"), code=1)
        check(words in done.stderr and len(own_lines(done.stderr)) == 1, done.stderr)
    with open("file-energy.txt", "wb") as file:
        file.write(energy)

    # Another snapshot of the same name.
    os.rename("ic.hdf5", "first-ic.hdf5")
    os.rename("other-ic.hdf5", "ic.hdf5")
    done = run(*arguments("file", "--restart"), code=1, ranks=2)
    check(re.search("the run began with `snapshot ic.hdf5 of 13824 particles, with checksum [0-9a-f]{16} of the first 1024`, and now there is `snapshot", done.stderr),
          done.stderr)
    os.rename("first-ic.hdf5", "ic.hdf5")

    # On again on other ranks, and stopped by a signal.
    process = start("file", "--restart")
    for line in process.stdout:
        if line.startswith("step 3/7"):
            process.send_signal(signal.SIGUSR1)
    check(process.wait() == 0, process.stderr.read())
    check(os.path.exists("file-restart.hdf5"), "no checkpoint after SIGUSR1")
    table = run(*arguments("file", "--restart"), ranks=2).stdout
    for phase in ("deposit", "exchange", "fft", "gather", "kick", "move"):
        check(re.search(rf"^{phase} +[0-9.]+ ", table, re.MULTILINE), f"the times have no {phase}: {table}")
    compare("file")


def stopped_early():
    """A signal while MPI starts, which waits for a file of its parameters: the run ends after its first step."""
    fifo, empty = "parameters", "no-parameters"
    os.mkfifo(fifo)
    with open(empty, "w"):
        pass
    process = start("early", environment={"OMPI_MCA_mca_base_param_files": os.path.abspath(fifo)})
    writer = None
    deadline = time.monotonic() + 30
    while writer is None and process.poll() is None and time.monotonic() < deadline:
        try:
            writer = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # nobody reads it yet
            time.sleep(0.001)
    if writer is None:  # an MPI that has no such file
        process.kill()
        process.communicate()
        return
    process.send_signal(signal.SIGUSR1)
    os.rename(empty, fifo)  # MPI reads it more than once
    os.close(writer)
    out, err = process.communicate()
    check(process.returncode == 0 and "stopped after step 1 of 7" in out, f"{process.returncode} {out} {err}")


def killed():
    """Killed while a later checkpoint grows under its partial name: the one before is whole."""
    process = start("killed", "--checkpoint", "1e-6")
    partial, whole = "killed-restart.hdf5.mfft-partial", "killed-restart.hdf5"
    deadline = time.monotonic() + 60
    while not (os.path.exists(whole) and os.path.exists(partial)) and time.monotonic() < deadline:
        pass
    process.kill()
    process.wait()
    check(os.path.exists(partial) and os.path.exists(whole), "the run was killed too late for this test")
    done = run(*arguments("killed", "--restart"))
    check("resuming after step" in done.stdout, done.stdout)
    compare("killed")


def two_runs():
    """A prefix is of one run at a time, and a checkpoint goes on with the options of its own run."""
    first = start("busy", "--kick", "leapfrog", "--steps", 100000)
    first.stdout.readline()
    for more, ranks in (((), 0), (("--restart",), 2)):
        done = run(*arguments("busy", *more), ranks=ranks, code=1)
        check("--output busy: the files of this prefix are those of another run; give another prefix: rank 0 of" in done.stderr
              and "busy-running.h5 is being written by another job, which holds busy-running.h5.mfft-partial; wait for it" in done.stderr
              and len(own_lines(done.stderr)) == 1, done.stderr)
    first.send_signal(signal.SIGUSR1)
    first.communicate()
    check(first.returncode == 0 and "leapfrog" in content("busy-settings.txt").decode(), "the settings of the first run")
    check(not os.path.exists("busy-running.h5.mfft-partial"), "a run that has ended holds its prefix")

    with open("mixed-stop", "w"):
        pass
    run(*arguments("mixed"))
    shutil.copy("busy-restart.hdf5", "mixed-restart.hdf5")
    done = run(*arguments("mixed", "--restart"), code=1)
    check("'mixed-restart.hdf5' is of a run with other options or of another snapshot than 'mixed-settings.txt' says" in done.stderr
          and len(own_lines(done.stderr)) == 1, done.stderr)


def late_failure():
    """An output that cannot be written after all leaves a checkpoint, from which it is written."""
    steps = ["--steps", 100, "-n", 16]
    run(*arguments("steady", *steps))
    process = start("late", *steps)
    while not process.stdout.readline().startswith("step 1/"):
        pass
    os.mkdir("late-z0.000.hdf5")
    _, err = process.communicate()
    check(process.returncode == 1 and "late-z0.000.hdf5: it is a directory and not a regular file; name a file in it; 'late-restart.hdf5' has "
          "the run, and --restart goes on with this output" in err and len(own_lines(err)) == 1, f"{process.returncode} {err}")
    os.rmdir("late-z0.000.hdf5")
    run(*arguments("late", *steps, "--restart"), ranks=2)
    compare("late", "steady")


def without_energy():
    """A run without energies writes no file of them, and the rest is the same."""
    more = ["--kick", "bullfrog", "-n", 16]
    for prefix, extra in (("less", ["--no-energy"]), ("more", [])):
        with open(prefix + "-stop", "w"):
            pass
        run(*arguments(prefix, *more, *extra))
        run(*arguments(prefix, *more, *extra, "--restart"))
    check(not os.path.exists("less-energy.txt"), "energies of a run without them")
    check([int(line.split()[0]) for line in content("more-energy.txt").splitlines()[2:]] == list(range(1, 8)), content("more-energy.txt"))
    check(content("less-z0.000-density.h5") == content("more-z0.000-density.h5"), "the density depends on --no-energy")


def cola():
    """COLA keeps displacements in its checkpoint."""
    more = ["--kick", "cola", "-n", 16]
    run(*arguments("cola", *more))
    with open("cola-again-stop", "w"):
        pass
    run(*arguments("cola-again", *more))
    run(*arguments("cola-again", *more, "--restart"), ranks=3)
    compare("cola-again", "cola")


for name in os.listdir():  # of an earlier run
    os.remove(name)
run("ic", "-n", 24, "-L", 100, "-z", 49, "-o", "ic.hdf5")
run("ic", "-n", 24, "-L", 100, "-z", 49, "--seed", 5, "-o", "other-ic.hdf5")
run(*arguments("whole"))
for test in (ranks_and_threads, stopped, stopped_early, killed, two_runs, late_failure, without_energy, cola):
    test()
end()
