# The batch scripts of scripts/slurm, each through sbatch on a Slurm of one node that is started for the purpose: results
# against numpy, jobs that go on where an earlier one was, ranks that are killed, time that runs out, GPUs that stay visible,
# and the words of each failure.
# TEST labels=slurm+waits timeout=400 args=solve needs=root+munged+slurmctld+slurmd+sbatch+jansson+cairo
# TEST labels=slurm+waits timeout=400 args=gpus needs=root+munged+slurmctld+slurmd+sbatch+jansson+cairo
# TEST labels=slurm+waits timeout=400 args=killed needs=root+munged+slurmctld+slurmd+sbatch+jansson+cairo
# TEST labels=slurm+waits timeout=400 args=time needs=root+munged+slurmctld+slurmd+sbatch+jansson+cairo
# TEST labels=slurm+waits timeout=400 args=nbody needs=root+munged+slurmctld+slurmd+sbatch+jansson+cairo
# TEST labels=slurm+waits timeout=400 args=scaling needs=root+munged+slurmctld+slurmd+sbatch+jansson+cairo
import json
import os
import shutil
import subprocess
import sys
import time

import h5py
import numpy
from command import COMMAND, check, end, relative, run, wave_numbers
from slurm import Slurm, why_not

SCRIPTS = os.environ["MFFT_TEST_SOURCE"] + "/scripts/slurm/"
N, BOX = (12, 10, 14), (3.0, 2.0, 5.0)


def fields(count, folder="."):
    """Random densities with a mean; their paths."""
    os.makedirs(folder, exist_ok=True)
    paths = [f"{folder}/density-{i}.h5" for i in range(count)]
    for path in paths:
        with h5py.File(path, "w") as file:
            file["delta"] = 1 + numpy.random.default_rng(len(path) + ord(path[-4])).standard_normal(N)
            file["delta"].attrs["BoxSize"] = BOX
    return paths


def potential(path):
    return path.replace(".h5", "-potential.h5")


def clean(*paths):
    for path in paths:
        for name in (path, path.replace(".h5", ".json"), path + ".mfft-partial"):
            if os.path.exists(name):
                os.remove(name)


def correct(field, solved, ranks):
    """Whether `solved` is the potential of `field`, by numpy and by what mergefft says of it."""
    with h5py.File(field) as file:
        rho = numpy.fft.fftn(file["delta"][...])
    k2 = sum(k**2 for k in wave_numbers(N, BOX))
    rho[0, 0, 0], k2[0, 0, 0] = 0, 1
    with h5py.File(solved) as file:
        error = relative(file["phi"][...], numpy.fft.ifftn(-rho / k2).real)
    with open(solved.replace(".h5", ".json")) as file:
        report = json.load(file)
    check(error < 1e-14 and not os.path.exists(solved + ".mfft-partial"), f"{solved}: {error}")
    check(report["residual"] < 4 * report["residual_explained"] and report["ranks"] == ranks, f"{report}")


def words(name, text):
    """An executable script of these words; its path."""
    with open(name, "w") as file:
        file.write("#!/bin/bash\n" + text)
    os.chmod(name, 0o755)
    return os.path.abspath(name)


class Site:
    """A Slurm, and jobs on it."""

    def __init__(self, slurm):
        self.slurm = slurm

    def submit(self, script, *arguments, options=(), tasks=2, **settings):
        settings.setdefault("MERGEFFT_COMMAND", COMMAND)
        if tasks:
            options = [f"--ntasks-per-node={tasks}", "--cpus-per-task=1", *options]
        return self.slurm.submit(*options, SCRIPTS + script, *arguments, **settings)

    def log(self, job):
        with open(f"mergefft-{job}.log") as file:
            return file.read()

    def ends(self, state, what, *arguments, **given):
        """Runs a job to its end, which has to be `state`, with the words `what` in its log."""
        job = self.submit(*arguments, **given)
        known = self.slurm.wait(job)[0]
        said = self.log(known["JobId"])
        check(known["JobState"] == state and what in said, f"{arguments}: {known['JobState']}, want {state} and '{what}':\n{said}")
        return said

    def begins(self, job):
        """Waits until the job solves its first field."""
        self.slurm.until(f"job {job} solves", lambda: os.path.exists(f"mergefft-{job}.log") and " solving " in self.log(job))


# Replaces the function of the C library: each field takes some seconds to come to disk.
SLOW = r"""
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int fsync(int file) {
  char link[64], path[4096] = "";
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  if (readlink(link, path, sizeof path - 1) > 0 && strstr(path, ".mfft-partial")) sleep((unsigned)atoi(getenv("SLOW")));
  return (int)syscall(SYS_fsync, file);
}
"""


def slow_fields():
    """Words before mergefft that make each field take SLOW seconds, unless the job came back."""
    with open("slow.c", "w") as file:
        file.write(SLOW)
    subprocess.run([os.environ["CC"], "-shared", "-fPIC", "-o", "slow.so", "slow.c"], check=True)
    return words("slow", f'[ -n "${{SLURM_RESTART_COUNT:-}}" ] || export LD_PRELOAD={os.path.abspath("slow.so")}${{LD_PRELOAD:+:$LD_PRELOAD}}\nexec "$@"')


def solve(site):
    three = fields(3)
    site.ends("COMPLETED", "fields: 3 solved, 0 solved before", "cpu.sh", *three)
    for path in three:
        correct(path, potential(path), ranks=2)

    # Existing results are not solved again, and no potential is taken for a density.
    before = os.stat(potential(three[0])).st_mtime_ns
    os.remove(potential(three[1]))
    site.ends("COMPLETED", "fields: 1 solved, 2 solved before", "cpu.sh", *three, *map(potential, three), tasks=3)
    check(os.stat(potential(three[0])).st_mtime_ns == before, "a finished potential was written again")
    correct(three[1], potential(three[1]), ranks=3)

    # The tasks of an array share the list; settings reach the command.
    job = site.submit("cpu.sh", *three, options=["--array=0-1"], MERGEFFT_OUTPUT="array", MERGEFFT_PRECISION="single",
                      MERGEFFT_BACKEND="ref", MERGEFFT_OPTIONS="--gradient fd4")
    check([known["JobState"] for known in site.slurm.wait(job)] == ["COMPLETED"] * 2, "array")
    said = [site.log(known["JobId"]) for known in site.slurm.jobs(job)]
    check(sorted(text.split("fields: ")[1][:8] for text in said) == ["1 solved", "2 solved"], f"{said}")
    for path in three:
        with h5py.File("array/" + potential(path)[2:]) as file:
            check(file["phi"].dtype == "f4" and "force_z" in file, path)

    # A field that is refused does not prevent the others from being solved, and fails the job.
    clean(*map(potential, three))
    with h5py.File("nan.h5", "w") as file:
        file["delta"] = numpy.full(N, numpy.nan)
    site.ends("FAILED", "refused, for the reasons above: nan.h5", "cpu.sh", "nan.h5", *three, options=["--nodes=1"])
    check(all(os.path.exists(potential(path)) for path in three) and not os.path.exists("nan-potential.h5"), "with a refused field")

    # Wrong settings give an error that begins with their name.
    os.makedirs("twin", exist_ok=True)
    fields(1, "twin")
    for what, arguments, settings in (
            ("no file absent.h5 (seen from", ["absent.h5"], {}),
            ("no field to solve; name HDF5 files after the script", [], {}),
            ("would both be solved into here/density-0-potential.h5", [three[0], "twin/density-0.h5"], {"MERGEFFT_OUTPUT": "here"}),
            ("no /no/where here; install it", three, {"MERGEFFT_COMMAND": "/no/where"}),
            ("MERGEFFT_SETUP=no.sh cannot be read", three, {"MERGEFFT_SETUP": "no.sh"}),
            ("the solve of nan.h5 ended with exit code 2", ["nan.h5"], {"MERGEFFT_OPTIONS": "--gradiant fd4"}),
            ("set MERGEFFT_SCRIPTS", three, {"MERGEFFT_SCRIPTS": "/no/where"})):
        said = site.ends("FAILED", what, "cpu.sh", *arguments, **settings)
        check(len(said.splitlines()) < 12, f"{what}: {said}")
    site.ends("FAILED", "has gaps; use consecutive ones, such as --array=0-1", "cpu.sh", *three, options=["--array=0,2"])

    # An old Slurm, one without PMIx, and none at all.
    for name, text, what in (("srun", "echo slurm 20.02.7", "this is Slurm 20.02; these scripts need 21.08 or later"),
                             ("srun", '[ "$1" = --version ] && echo slurm 22.05.8 || echo none', "this Slurm has no pmix plugin"),
                             ("srun", "exit 0", "is no version of Slurm")):
        os.makedirs("old", exist_ok=True)
        words("old/" + name, text)
        words("old/setup", f"PATH={os.path.abspath('old')}:$PATH\n")
        site.ends("FAILED", what, "cpu.sh", *three, MERGEFFT_SETUP="old/setup")
    outside = site.slurm.run("bash", SCRIPTS + "cpu.sh", three[0], check=False)
    check(outside.returncode and "submit this script with sbatch" in outside.stderr, outside.stderr)


def gpus(site):
    """The scripts for GPU nodes on a node that claims 8 GPUs; what they compute with is FFTW."""
    os.makedirs("bin", exist_ok=True)
    words("bin/nvidia-smi", "for i in 0 1 2 3 4 5 6 7; do echo \"$i, GPU-$i$i, 00000000:${i}B:00.0\"; done")
    words("setup", f"PATH={os.path.abspath('bin')}:$PATH\n")
    see = words("see", 'echo "$SLURM_LOCALID ${CUDA_VISIBLE_DEVICES-all} $(taskset -cp $$ | sed "s/.* //")" >"seen-$SLURM_PROCID"\nexec "$@"')
    cores = sorted(os.sched_getaffinity(0))
    settings = {"MERGEFFT_BACKEND": "fftw", "MERGEFFT_SETUP": "setup", "MERGEFFT_WRAP": see, "MERGEFFT_SYSFS": os.path.abspath("sys")}

    def near(gpu, cpulist):
        folder = f"sys/bus/pci/devices/0000:{gpu}b:00.0"
        os.makedirs(folder, exist_ok=True)
        with open(folder + "/local_cpulist", "w") as file:
            file.write(cpulist + "\n")

    def seen(ranks):
        with_ranks = []
        for rank in range(ranks):
            with open(f"seen-{rank}") as file:
                with_ranks.append(file.read().split())
        return with_ranks

    # Ranks whose GPUs have cores near them.
    path = fields(1)[0]
    for gpu in range(8):
        near(gpu, str(cores[gpu % len(cores)]))
    site.ends("COMPLETED", "1 solved", "dgx.sh", path, tasks=None, options=[
        "--gpus-per-node=2", "--ntasks-per-node=2", "--cpus-per-task=1"], **settings)
    correct(path, potential(path), ranks=2)
    check(seen(2) == [[str(rank), "all", str(cores[rank % len(cores)])] for rank in range(2)], f"{seen(2)}")
    if len(cores) >= 2:  # ranks whose GPUs are on one side of the machine share its cores
        for gpu in range(8):
            near(gpu, f"{cores[0]},{cores[1]}")
        clean(potential(path))
        site.ends("COMPLETED", "1 solved", "dgx.sh", path, tasks=None, options=[
            "--nodes=1", "--gpus-per-node=2", "--ntasks-per-node=2", "--cpus-per-task=1"], **settings)
        check(seen(2) == [["0", "all", str(cores[0])], ["1", "all", str(cores[1])]], f"{seen(2)}")

    # Each of eight ranks sees all GPUs; with too few cores they are not bound, and one prints a message.
    clean(potential(path))
    said = site.ends("COMPLETED", "1 solved", "dgx.sh", path, tasks=None, options=["--cpus-per-task=2"], **settings)
    correct(path, potential(path), ranks=8)
    check([s[:2] for s in seen(8)] == [[str(rank), "all"] for rank in range(8)], f"{seen(8)}")
    if len(cores) < 8:
        check(said.count("near-gpu.sh: ranks run on any core: 8 ranks share the") == 1, said)

    # A sweep over numbers of GPUs; results of ranks with cores of their own.
    sweep = site.slurm.run("bash", SCRIPTS + "scaling.sh", "-w", "-o", "sweep", "gpu", 1, 2, check=False, MERGEFFT_PER_NODE=2,
                           MERGEFFT_COMMAND=COMMAND, MERGEFFT_STRONG="16x16x16", MERGEFFT_WEAK="8x8x8", MERGEFFT_OPTIONS="--seconds 0.05",
                           **settings)
    check(sweep.returncode == 0 and sweep.stdout.count(" scaling: ") == 2, sweep.stdout + sweep.stderr)
    check([s[1] for s in seen(2)] == ["all", "all"] and "strong scaling: 16x16x16 r2c single fftw" in sweep.stdout, sweep.stdout)

    words("setup", "PATH=/usr/bin:/bin\n")
    if not os.path.exists("/usr/bin/nvidia-smi"):
        site.ends("FAILED", "no nvidia-smi on", "dgx.sh", path, tasks=None, options=["--cpus-per-task=1"], **settings)


def killed(site):
    """One of three ranks is killed while the file of the results grows under its partial name."""
    run("gen", "--kind", "white", "--n", 160, "-o", "large.h5")
    two = ["large.h5", *fields(1)]
    kill = words("kill", """[ "$SLURM_PROCID" != 1 ] || { (until [ -e large-potential.h5.mfft-partial ]; do sleep 0.01; done; kill -KILL $$) & }
exec "$@"
""")
    started = time.monotonic()
    said = site.ends("FAILED", "the solve of large.h5 was cut short", "cpu.sh", *two, tasks=3, MERGEFFT_WRAP=kill)
    check(time.monotonic() - started < 30, "the job took long to end")
    nothing = words("nothing", "exit 0\n")  # as srun says if its step is stopped before it began
    site.ends("FAILED", "was cut short (exit code 143)", "cpu.sh", two[1], MERGEFFT_WRAP=nothing)
    check("task 1: Killed" in said and "large-potential.h5 was not written" in said and "density" not in said, said)
    check(not any(os.path.exists(potential(path)) for path in two), "a potential under its final name")
    check(os.path.exists("large-potential.h5.mfft-partial"), "the rank was killed too late for this test")
    said = site.ends("COMPLETED", "2 solved, 0 solved before", "cpu.sh", *two, tasks=3)
    check("large-potential.h5.mfft-partial was left by a job that ended while writing it; it is removed" in said, said)
    check(not os.path.exists("large-potential.h5.mfft-partial"), "the partial file of the killed job still exists")
    correct(two[1], potential(two[1]), ranks=3)


def time_runs_out(site):
    def tasks(array):
        return {known["ArrayTaskId"]: known for known in site.slurm.jobs(array)}

    three = fields(3)
    slow = slow_fields()

    # A time limit of a minute, whose end is signalled in advance: the job is requeued, and continues with the remaining
    # fields.
    job = site.submit("cpu.sh", *three, options=["--time=1", "--signal=B:USR1@30"], MERGEFFT_WRAP=slow, SLOW=16,
                      MERGEFFT_SPARE_S=5)

    # Meanwhile a job started by hand.  The field that is being solved at the signal may be finished; no other is begun.
    other = fields(3, "other")
    by_hand = site.submit("cpu.sh", *other, MERGEFFT_WRAP=slow, SLOW=4)
    site.slurm.until("the second of three fields is solved", lambda: os.path.exists(potential(other[0])))
    site.slurm.run("scancel", "--batch", "--signal=USR1", by_hand)
    site.slurm.until("the job is back in the queue", lambda: site.slurm.jobs(by_hand)[0]["Restarts"] == "1")
    check(os.path.exists(potential(other[1])) and not os.path.exists(potential(other[2])), "what was finished at the notice")
    check("job " + by_hand + " goes back to the queue: other/density-2.h5 is next" in site.log(by_hand), site.log(by_hand))

    # Of an array only the task that got the signal is requeued.
    pair = fields(4, "pair")
    array = site.submit("cpu.sh", *pair, options=["--array=0-1"], MERGEFFT_WRAP=slow, SLOW=3)
    site.slurm.until("both tasks of the array run", lambda: len(site.slurm.jobs(array)) == 2)
    site.begins(tasks(array)["0"]["JobId"])
    site.slurm.run("scancel", "--batch", "--signal=USR1", array + "_0")

    # A field that cannot be finished is stopped; and if none was solved the job is not requeued, since the next run would do
    # no better.
    alone = fields(1, "alone")
    stuck = site.submit("cpu.sh", *alone, options=["--time=2"], MERGEFFT_WRAP=slow, SLOW=60, MERGEFFT_SPARE_S=200)
    site.begins(stuck)
    site.slurm.run("scancel", "--batch", "--signal=USR1", stuck)
    check(site.slurm.wait(stuck)[0]["JobState"] == "FAILED", "a job too short for one field")
    check("too short for one field: alone/density-0.h5 was stopped; ask for more" in site.log(stuck), site.log(stuck))
    check(not os.path.exists(potential(alone[0])), "a potential of a solve that was stopped")

    site.slurm.wait(array, 120)
    check([tasks(array)[i]["Restarts"] for i in "01"] == ["1", "0"], f"{tasks(array)}")
    check(all(known["JobState"] == "COMPLETED" for known in tasks(array).values()), f"{tasks(array)}")
    known = site.slurm.wait(by_hand, 120)[0]
    check(known["JobState"] == "COMPLETED" and "fields: 1 solved, 2 solved before" in site.log(by_hand), site.log(by_hand))
    known = site.slurm.wait(job, 300)[0]
    said = site.log(job)
    check(known["JobState"] == "COMPLETED" and int(known["Restarts"]) >= 1, f"{known}\n{said}")
    check(all(said.count(f"wrote {potential(path)}:") == 1 for path in three), f"a field was solved twice:\n{said}")
    for path in three + other + pair:
        correct(path, potential(path), ranks=2)


def nbody(site):
    """A simulation that is cut by the notice of its job's end goes on by itself to what one job would have made."""
    run("ic", "-n", 16, "-L", 100, "-z", 49, "-o", "ic.hdf5")
    more = ["-n", 32, "--steps", 1000, "--outputs", 1, "--power", "-p", "double"]  # for seconds, so that the notice comes before the end
    run("nbody", "ic.hdf5", "-o", "whole", *more)

    short = ["--time=10"]  # the most that the partition gives
    site.ends("FAILED", "name the snapshot and the prefix", "nbody.sh", "ic.hdf5", options=short)
    site.ends("FAILED", "the run ended with exit code 1", "nbody.sh", "absent.hdf5", "bad", options=short)
    job = site.submit("nbody.sh", "ic.hdf5", "runs/cut", *more, options=short)
    site.slurm.until("the run has done some steps", lambda: os.path.exists(f"mergefft-{job}.log") and site.log(job).count("\nstep ") >= 10)
    site.slurm.run("scancel", "--batch", "--signal=USR1", job)
    site.slurm.until("the job is back in the queue", lambda: site.slurm.jobs(job)[0]["Restarts"] == "1")
    check("goes back to the queue, and on from runs/cut-restart.hdf5" in site.log(job), site.log(job))
    time.sleep(8)  # the credential of the first run, which slurmd has revoked, is known for 5 seconds
    site.slurm.run("scontrol", "update", f"JobId={job}", "StartTime=now")  # and not after two minutes
    known = site.slurm.wait(job, 300)[0]
    said = site.log(job)
    check(known["JobState"] == "COMPLETED" and "the run is done" in said and said.count("resuming after step") == 1, f"{known}\n{said}")
    for name in ("z0.000.hdf5", "z1.000.hdf5", "energy.txt"):
        with open(f"runs/cut-{name}", "rb") as cut, open(f"whole-{name}", "rb") as whole:
            check(cut.read() == whole.read(), f"{name} of a run that was cut differs")


def scaling(site):
    settings = {"MERGEFFT_COMMAND": COMMAND, "MERGEFFT_PER_NODE": 2, "MERGEFFT_STRONG": "24x20x16", "MERGEFFT_WEAK": "12x10x8",
                "MERGEFFT_PRECISION": "double,single", "MERGEFFT_OPTIONS": "--kind c2c --seconds 0.05 --effort estimate"}
    sweep = ["-w", "-o", "sweep", "cpu", 1, 2, "--", "--cpus-per-task=1", "--job-name=sweep"]
    done = site.slurm.run("bash", SCRIPTS + "scaling.sh", *sweep, check=False, **settings)
    check(done.returncode == 0, done.stdout + done.stderr)
    for name in ("strong scaling: 24x20x16 c2c double", "strong scaling: 24x20x16 c2c single", "weak scaling: 960 a rank, 3D c2c double"):
        check(name in done.stdout, f"{name}: {done.stdout}")
    for ranks, shapes in ((1, [[24, 20, 16], [12, 10, 8]]), (2, [[24, 20, 16], [12, 10, 16]])):
        with open(f"sweep/{ranks}.json") as file:
            results = json.load(file)["results"]
        check([r["n"] for r in results[::2]] == shapes and all(r["ranks"] == ranks and r["correct"] for r in results), f"{results}")
    with open("sweep/scaling.png", "rb") as file:
        check(file.read(8) == b"\x89PNG\r\n\x1a\n", "the picture")

    # Existing results are not measured again; a missing one is.
    stamp = os.stat("sweep/1.json").st_mtime_ns
    os.remove("sweep/2.json")
    done = site.slurm.run("bash", SCRIPTS + "scaling.sh", *sweep, check=False, **settings)
    check(done.returncode == 0 and "1 ranks: the result is there" in done.stdout, done.stdout + done.stderr)
    check(os.stat("sweep/1.json").st_mtime_ns == stamp and os.path.exists("sweep/2.json"), "what was measured again")

    for arguments, what in (([], "cpu or gpu"), (["tpu", 1], "\"tpu\" is neither cpu nor gpu"), (["cpu"], "on how many ranks?"),
                            (["cpu", "two"], "\"two\" is no number of ranks"), (["cpu", 3], "3 ranks do not fill nodes of 2"),
                            (["-x", "cpu", 1], "-w and -o FOLDER")):
        done = site.slurm.run("bash", SCRIPTS + "scaling.sh", *arguments, check=False, **settings)
        check(done.returncode == 2 and what in done.stderr, f"{arguments}: {done.stderr}")


reason = why_not()
if reason:
    print(reason)
    sys.exit(77)
for name in os.listdir():  # of an earlier run
    shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
with Slurm() as started:
    if sys.argv[1] == "gpus" and not started.gpus:
        print("no devices can be made here in place of GPUs")
        sys.exit(77)
    {"solve": solve, "gpus": gpus, "killed": killed, "time": time_runs_out, "nbody": nbody, "scaling": scaling}[sys.argv[1]](Site(started))
check(not started.processes(), "processes are left")
end()
