# The batch scripts on a Slurm of four nodes, which are hosts made of namespaces (support/hosts.py): fields are solved by ranks on
# all nodes; a node that is lost while a field is solved costs that attempt, and the job goes on with the others; a sweep runs
# on those that are left.
# TEST labels=slurm+hosts+once+waits+nightly timeout=300 needs=root+ip+nsenter+munged+slurmctld+slurmd+sbatch+jansson+cairo
import json
import os
import sys
import time

import h5py
import hosts
import numpy
import slurm
from command import COMMAND, check, end, relative, wave_numbers
from slurm_hosts import SlurmOfHosts

SCRIPTS = os.environ["MFFT_TEST_SOURCE"] + "/scripts/slurm/"
N, BOX = (12, 10, 14), (3.0, 2.0, 5.0)
SETTINGS = {"MERGEFFT_COMMAND": COMMAND, "MERGEFFT_BACKEND": "fftw"}


def field(name):
    with h5py.File(name, "w") as file:
        file["delta"] = 1 + numpy.random.default_rng(1).standard_normal(N)
        file["delta"].attrs["BoxSize"] = BOX
    result = name.replace(".h5", "-potential.h5")
    for old in (result, result.replace(".h5", ".json")):
        if os.path.exists(old):
            os.remove(old)
    return name


def correct(name, ranks):
    with h5py.File(name) as file:
        rho = numpy.fft.fftn(file["delta"][...])
    k2 = sum(k**2 for k in wave_numbers(N, BOX))
    rho[0, 0, 0], k2[0, 0, 0] = 0, 1
    with h5py.File(name.replace(".h5", "-potential.h5")) as file:
        error = relative(file["phi"][...], numpy.fft.ifftn(-rho / k2).real)
    with open(name.replace(".h5", "-potential.json"), encoding="utf-8") as file:
        report = json.load(file)
    check(error < 1e-14 and report["ranks"] == ranks, f"{name}: {error}, {report['ranks']} ranks")


def log(job):
    with open(f"mergefft-{job}.log", encoding="utf-8") as file:
        return file.read()


def all_nodes(cluster):
    name = field("whole.h5")
    job = cluster.submit("--nodes=4", "--ntasks-per-node=1", "--cpus-per-task=1", SCRIPTS + "cpu.sh", name, **SETTINGS)
    known = cluster.wait(job)[0]
    check(known["JobState"] == "COMPLETED" and known["NodeList"] == "node[1-4]", f"{known['JobState']} on {known['NodeList']}: {log(job)}")
    correct(name, 4)


def node_is_lost(cluster, machines):
    """The first attempt waits inside its step until its second node is lost."""
    name = field("lost.h5")
    with open("wait", "w", encoding="utf-8") as file:
        file.write('#!/bin/bash\n[ -n "${SLURM_RESTART_COUNT:-}" ] || { touch waiting; sleep 100; }\nexec "$@"\n')
    os.chmod("wait", 0o755)
    if os.path.exists("waiting"):
        os.remove("waiting")
    job = cluster.submit("--nodes=2", "--exclude=node1", "--ntasks-per-node=2", "--cpus-per-task=1", SCRIPTS + "cpu.sh", name,
                         MERGEFFT_WRAP=os.path.abspath("wait"), **SETTINGS)
    cluster.until("the field is solved", lambda: os.path.exists("waiting"))
    check(cluster.jobs(job)[0]["NodeList"] == "node[2-3]", cluster.jobs(job)[0]["NodeList"])
    begin = time.monotonic()
    machines.lose("node3")
    known = cluster.wait(job)[0]
    print(f"a job went on {time.monotonic() - begin:.1f} s after it had lost a node")
    check(known["JobState"] == "COMPLETED" and known["Restarts"] == "1" and known["NodeList"] == "node[2,4]",
          f"{known['JobState']}, restarted {known['Restarts']} times, on {known['NodeList']}: {log(job)}")
    correct(name, 4)


def sweep(cluster):
    done = cluster.run("bash", SCRIPTS + "scaling.sh", "-w", "-o", "sweep", "cpu", 2, 6, check=False, MERGEFFT_PER_NODE=2,
                       MERGEFFT_STRONG="16x16x16", MERGEFFT_WEAK="8x8x8", MERGEFFT_OPTIONS="--seconds 0.05", **SETTINGS)
    check(done.returncode == 0 and done.stdout.count(" scaling: ") == 2, done.stdout)


reason = hosts.why_not() or slurm.why_not()
if reason:
    print(reason)
    sys.exit(77)
with hosts.Hosts(4) as made, SlurmOfHosts(made) as nodes:
    all_nodes(nodes)
    node_is_lost(nodes, made)
    sweep(nodes)
end()
