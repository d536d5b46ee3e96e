# Several hosts, made of namespaces on this machine (support/hosts.py): distributed transforms by every layout of four ranks on
# two to four hosts; fields on a folder that all hosts share and on one that they do not; and faults of processes, hosts and links.
# TEST labels=hosts+once+dist timeout=300 args=transforms needs=root+ip+nsenter
# TEST labels=hosts+once+field timeout=300 args=fields needs=root+ip+nsenter
# TEST labels=hosts+once+fault+waits timeout=300 args=faults needs=root+ip+tc+nsenter
import concurrent.futures
import contextlib
import os
import signal
import sys
import time

import h5py
import numpy
from command import COMMAND, check, end, own_lines, relative, wave_numbers
from hosts import Hosts, why_not

BIN = os.environ["MFFT_TEST_BUILD"] + "/bin/"
LAYOUTS = {"2x2": "node1:2,node2:2", "3+1": "node1:3,node2:1", "1x4": "node1:1,node2:1,node3:1,node4:1"}
SETTINGS = {"MFFT_BACKEND": "fftw", "MFFT_TEST_SMALL": 1, "MFFT_WATCHDOG_S": 60}
MOST_S = 10  # until a job in which something failed has ended
# Of a link that is back after 3 s TCP knows after 3.4 s, or, where Linux cannot limit its pauses (support/hosts_init.sh), after 6.2 s.
PATIENCE_S = 5 if os.path.exists("/proc/sys/net/ipv4/tcp_rto_max_ms") else 8


def transforms():
    """Transforms and exchanges against FFTW and by position, ranks numbered host by host and in turn."""
    cases = [("2x2", (), "t330-exchange"), ("2x2", ("--map-by", "node"), "t310-dist", "p2p+pairwise"),
             ("3+1", (), "t310-dist", "pairwise"), ("3+1", ("--map-by", "node"), "t311-bricks"),
             ("1x4", (), "t310-dist", "alltoallv"), ("2x2", (), "t310-dist", "hierarchical", "--quick"),
             ("3+1", ("--map-by", "node"), "t310-dist", "hierarchical", "--quick")]
    with Hosts(4) as hosts:
        for layout, options, program, *arguments in cases:
            code, said = hosts.mpirun(LAYOUTS[layout], BIN + program, *arguments, options=options, limit=200, **SETTINGS)
            check(code == 0, f"{layout} {options} {program} {arguments}: {code}: {said[-2000:]}")
        # Rows of the grid stay inside hosts, or columns where ranks are numbered in turn (docs/sites.md).
        check(far_exchanges(hosts) == [False, True], "ranks host by host")
        check(far_exchanges(hosts, "--map-by", "node") == [True, False], "ranks in turn")


def far_exchanges(hosts, *options):
    """Whether each exchange of pencils of 2 x 2 ranks sends messages to the other host."""
    code, said = hosts.mpirun(LAYOUTS["2x2"], COMMAND, "info", "--plan", "-n", "16x16x16", "--order", "transposed", "--grid", "2x2", "--effort",
                              "estimate", "--transport", "p2p+pairwise", options=options, **SETTINGS)
    check(code == 0, f"{options}: {said}")
    return ["message" in line for line in said.split("backward")[0].splitlines() if "START" in line]


def fields():
    """A solve on hosts that share a folder; a refusal in the same words on all ranks where they do not."""
    with Hosts(2) as hosts:
        n, box = (12, 10, 14), (3.0, 2.0, 5.0)
        with h5py.File("delta.h5", "w") as file:
            file["delta"] = numpy.random.default_rng(1).standard_normal(n)
            file["delta"].attrs["BoxSize"] = box
        code, said = hosts.mpirun(LAYOUTS["2x2"], COMMAND, "poisson", "delta.h5", "-o", "phi.h5", **SETTINGS)
        check(code == 0, said)
        with h5py.File("delta.h5") as file:
            rho = numpy.fft.fftn(file["delta"][...])
        k2 = sum(k**2 for k in wave_numbers(n, box))
        rho[0, 0, 0], k2[0, 0, 0] = 0, 1
        with h5py.File("phi.h5") as file:
            check(relative(file["phi"][...], numpy.fft.ifftn(-rho / k2).real) < 1e-14, "the potential")

        hosts.run("node1", "cp", "delta.h5", "/tmp/here.h5")
        code, said = hosts.mpirun(LAYOUTS["2x2"], COMMAND, "poisson", "/tmp/here.h5", "-o", "phi2.h5", **SETTINGS)
        lines = own_lines(said)
        check(code == 1 and len(lines) == 1 and "/tmp/here.h5" in lines[0], f"a file of one host: {code}: {said}")
        code, said = hosts.mpirun(LAYOUTS["2x2"], COMMAND, "poisson", "delta.h5", "-o", "/tmp/phi.h5", **SETTINGS)
        lines = own_lines(said)
        check(code == 1 and len(lines) == 1 and "/tmp/phi.h5" in lines[0], f"a folder of one host: {code}: {said}")
        left = hosts.run("node1", "sh", "-c", "ls /tmp")[1] + hosts.run("node2", "sh", "-c", "ls /tmp")[1]
        check("phi" not in left and not os.path.exists("phi2.h5"), f"left: {left}")


# ---- Faults ---------------------------------------------------------------------------------------------------------------


class Job:
    """Transforms on two ranks of each of two hosts, with a short watchdog."""

    def __init__(self, hosts, name, seconds, watchdog=5):
        self.hosts, self.mark = hosts, os.path.abspath(f"running-{name}")
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.mark)
        self.process = hosts.begin_mpirun(LAYOUTS["2x2"], BIN + "t941-transform-on", seconds, self.mark, limit=40, MFFT_BACKEND="fftw",
                                          MFFT_WATCHDOG_S=watchdog)
        limit = time.monotonic() + 30
        while not os.path.exists(self.mark) and time.monotonic() < limit:
            time.sleep(0.02)

    def ranks(self, name):
        return [pid for pid, called in self.hosts.processes(name) if called.startswith("t941")]

    def succeeds(self, what):
        code, said = self.hosts.finish(self.process)
        check(code == 0, f"{what}: {code}: {said}")

    def fails(self, what, lost=None, words=()):
        """All ranks except those of a lost host end in time, and the job fails."""
        begin = time.monotonic()
        names = [name for name in ("node1", "node2") if name != lost]
        while any(self.ranks(name) for name in names) and time.monotonic() < begin + 3 * MOST_S:
            time.sleep(0.1)
        gone = time.monotonic() - begin
        code, said = self.hosts.finish(self.process)
        ended = time.monotonic() - begin
        check(code != 0, f"{what}: the job succeeded")
        check(gone < MOST_S, f"{what}: ranks took {gone:.1f} s to end: {said}")
        check(all(word in said for word in words), f"{what}: not {words} in {said}")
        print(f"{what}: ranks ended in {gone:.1f} s, the job in {ended:.1f} s")
        return said


def rank_dies(hosts):
    job = Job(hosts, "dies", 60)
    hosts.run("login", "kill", "-9", job.ranks("node2")[0])
    job.fails("a rank is killed")


def daemon_dies(hosts):
    job = Job(hosts, "daemon", 60)
    check(hosts.signal("node2", signal.SIGKILL, "orted") == 1, "no daemon to kill")
    job.fails("a daemon is killed")


def rank_stops(hosts):
    job = Job(hosts, "stops", 60)
    hosts.run("login", "kill", "-STOP", job.ranks("node2")[0])
    job.fails("a rank is stopped", words=("of 4 (node", ") waited 5.", "(node2), which did not arrive", "docs/sites.md"))


def host_is_lost(hosts):
    job = Job(hosts, "lost", 60)
    hosts.lose("node2")
    job.fails("a host is lost", lost="node2")


def link_stays_down(hosts):
    job = Job(hosts, "down", 60)
    hosts.link("node2", up=False)
    job.fails("a link stays down")


def link_returns(hosts):
    job = Job(hosts, "returns", 6, PATIENCE_S)
    hosts.link("node2", up=False)
    time.sleep(3)
    hosts.link("node2", up=True)
    job.succeeds("a link is down for 3 s")


def link_is_late(hosts):
    hosts.send_whole_packets()
    job = Job(hosts, "late", 3)
    with hosts.slow("node2", 20, 0):
        job.succeeds("20 ms of latency")


def link_loses(hosts):
    hosts.send_whole_packets()
    job = Job(hosts, "loses", 3)
    with hosts.slow("node2", 0, 5):
        job.succeeds("5 % of the packets lost")


def faults():
    """Each fault in a cluster of its own, four at a time, since most of the time is waiting; the longest first."""
    cases = [link_stays_down, link_returns, rank_stops, link_is_late, link_loses, daemon_dies, rank_dies, host_is_lost]
    with contextlib.ExitStack() as stack:
        clusters = [stack.enter_context(Hosts(2, "hosts-" + case.__name__)) for case in cases]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for done in [pool.submit(case, cluster) for case, cluster in zip(cases, clusters)]:
                done.result()


reason = why_not()
if reason:
    print(reason)
    sys.exit(77)
{"transforms": transforms, "fields": fields, "faults": faults}[sys.argv[1]]()
end()
