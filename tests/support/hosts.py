"""A cluster of 2 to 4 hosts on one machine, made of Linux namespaces, for tests that need more than one host.

Each host node1, node2, ... has a network, a host name, System V IPC, processes and private folders of its own (see
hosts_init.sh); they reach each other and the host "login", where mpirun runs, by TCP over a bridge, and see the folders of the
project as those of a parallel file system.  Nothing is made outside the namespaces: when the first process of the cluster ends,
and it ends with the process that made it, the kernel ends all others and removes the networks.
"""
import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SUPPORT = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = ("ip", "tc", "nsenter", "unshare", "mount", "mpirun")
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"
SPACES = ["--net", "--uts", "--ipc", "--mount", "--pid"]
# All traffic is TCP over the bridge; shared memory is used within a host.  Without a limit mpirun waits for ever for a host
# that is lost (docs/sites.md), so its connections send keepalive probes, and give up after 8 s.
OPEN_MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_pml": "ob1",
            "OMPI_MCA_btl": "tcp,self,vader", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
            "OMPI_MCA_btl_tcp_if_include": "10.77.0.0/24", "OMPI_MCA_oob_tcp_if_include": "10.77.0.0/24",
            "OMPI_MCA_oob_tcp_keepalive_time": "2", "OMPI_MCA_oob_tcp_keepalive_intvl": "2",
            "OMPI_MCA_oob_tcp_keepalive_probes": "3", "OMPI_MCA_odls_base_sigkill_timeout": "0",
            "PMIX_MCA_gds": "ds21,ds12,hash"}  # the default; hash alone, as in other tests, asks other hosts for each rank by itself


def why_not():
    """Why there can be no hosts here, in one line, or None."""
    missing = [program for program in PROGRAMS if not shutil.which(program, path=PATH)]
    if missing:
        return f"no {', '.join(missing)} here (Debian: iproute2, util-linux, openmpi-bin)"
    if os.geteuid() != 0:
        return "only root can make hosts out of namespaces"
    tried = subprocess.run(["unshare", *SPACES, "--fork", "--mount-proc", "sh", "-c", "ip link add cluster type bridge"],
                           capture_output=True, text=True, env={**os.environ, "PATH": PATH})
    return f"namespaces are not allowed here: {tried.stderr.strip()}" if tried.returncode else None


def die_with_parent():
    """Has the kernel kill the process that begins here when the thread that starts it ends (PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Hosts:
    """with Hosts(4) as hosts: hosts.mpirun("node1:2,node2:2", "program")"""

    def __init__(self, count, folder="hosts", keep=(), outlives=False):
        self.count = count
        self.folder = os.path.abspath(folder)
        self.keep = [os.path.abspath(path) for path in keep]
        self.outlives = outlives
        self.first = None  # process that unshare is
        self.init = None  # id of process 1 of the cluster in the namespace of this process

    def __enter__(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        keep = [path for path in {os.environ.get("MFFT_TEST_SOURCE", ""), os.environ.get("MFFT_TEST_BUILD", ""), SUPPORT, os.getcwd()} if path]
        self.first = subprocess.Popen(["unshare", *SPACES, "--fork", "--kill-child", "--mount-proc", "--propagation", "private",
                                       "bash", SUPPORT + "/hosts_init.sh", self.folder, str(self.count), *keep, *self.keep],
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env={**os.environ, "PATH": PATH},
                                      start_new_session=True, preexec_fn=None if self.outlives else die_with_parent)
        try:
            if self.first.stdout.readline() != "ready\n":
                raise RuntimeError("the hosts did not come up")
            with open(f"/proc/{self.first.pid}/task/{self.first.pid}/children") as file:
                self.init = int(file.read().split()[0])
            self.write_agent()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        """Ends process 1 of the cluster, and with it all others."""
        self.first.kill()  # unshare, which ends process 1 with it
        self.first.wait()
        self.first.stdout.close()
        if self.init:
            end = time.monotonic() + 10
            while os.path.exists(f"/proc/{self.init}") and time.monotonic() < end:
                time.sleep(0.01)

    def write_agent(self):
        """The program that stands in for ssh: `agent HOST COMMAND...`, on login."""
        self.agent = self.folder + "/agent"
        with open(self.agent, "w") as file:
            file.write(f'#!/bin/sh\nhost=$1\nshift\npid=$(cat {self.folder}/$host.pid) || exit 255\n'
                       f'exec nsenter -t "$pid" {" ".join(SPACES)} --wd=/ -- /bin/sh -c "$*"\n')
        os.chmod(self.agent, 0o755)

    # ---- Commands -----------------------------------------------------------------------------------------------------

    def command(self, host, *words):
        """The command line that runs `words` on a host."""
        login = ["nsenter", "-t", str(self.init), *SPACES, "--wd=" + os.getcwd(), "--"]
        if host == "login":
            return login + [str(word) for word in words]
        with open(f"{self.folder}/{host}.pid") as file:
            pid = file.read().strip()
        return login + ["nsenter", "-t", pid, *SPACES, "--wd=" + os.getcwd(), "--"] + [str(word) for word in words]

    def begin(self, host, *words, input=subprocess.DEVNULL, output=None, **environment):
        """Starts a command on a host.  Its output and its errors go to one file, which finish() reads: what a command leaves running
        would keep a pipe open."""
        file = output or tempfile.TemporaryFile("w+", errors="replace")
        process = subprocess.Popen(self.command(host, *words), stdin=input, stdout=file, stderr=subprocess.STDOUT, text=True,
                                   env={**os.environ, "PATH": PATH, **{k: str(v) for k, v in environment.items()}})
        process.file = file
        return process

    def finish(self, process, timeout=None):
        """Waits for the end of a command; its exit code and what it printed."""
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()  # nsenter; what it runs ends with the cluster
            raise
        with process.file as file:
            file.seek(0)
            return process.returncode, file.read()

    def run(self, host, *words, timeout=60, **environment):
        """Runs a command on a host; its exit code and what it printed."""
        return self.finish(self.begin(host, *words, **environment), timeout)

    def mpirun_words(self, layout, *words, options=()):
        """The words of mpirun for a layout such as "node1:2,node2:2"."""
        places = [place.split(":") for place in layout.split(",")]
        name = f"{self.folder}/hostfile-{layout.replace(',', '-').replace(':', '.')}"
        with open(name, "w") as file:
            file.write("".join(f"{host} slots={ranks}\n" for host, ranks in places))
        return ["mpirun", "--hostfile", name, "--mca", "plm_rsh_agent", self.agent, "-n", str(sum(int(ranks) for _, ranks in places)), *options, *words]

    def begin_mpirun(self, layout, *words, options=(), limit=60, **environment):
        return self.begin("login", "timeout", "--kill-after=2", limit, *self.mpirun_words(layout, *words, options=options),
                          **{**OPEN_MPI, **environment})

    def mpirun(self, layout, *words, options=(), limit=60, **environment):
        """Runs an MPI program from login; its exit code and what it printed."""
        return self.finish(self.begin_mpirun(layout, *words, options=options, limit=limit, **environment))

    # ---- Networks and faults --------------------------------------------------------------------------------------------

    def limit(self, rate, *names):
        """Limits both directions of the links of these hosts, of all where none is named, to a rate such as "1gbit"; "off" lifts it."""
        for name in names or [f"node{i + 1}" for i in range(self.count)]:
            for host, device in ((name, "eth0"), ("login", name.replace("node", "link"))):
                self.run(host, "tc", "qdisc", "del", "dev", device, "root")
                if rate == "off":
                    continue
                # A link that was idle sends a burst at once, so it is small: 256 KiB are a quarter of an exchange of 64^3.  Packets
                # must be smaller than it, or the kernel divides each.
                self.run(host, "ip", "link", "set", "dev", device, "gso_max_size", 16384)
                code, said = self.run(host, "tc", "qdisc", "add", "dev", device, "root", "tbf", "rate", rate, "burst", "32kb", "latency", "100ms")
                if code:
                    raise RuntimeError(f"tc: {said}")

    def link(self, name, up):
        """Sets the link of a host down, or up again."""
        self.run("login", "ip", "link", "set", name.replace("node", "link"), "up" if up else "down")

    def send_whole_packets(self):
        """To be called before connections are made over a slow link, which carries no packets that a later device would have to divide."""
        for host in ["login", *[f"node{i + 1}" for i in range(self.count)]]:
            self.run(host, sys.executable, SUPPORT + "/slow_link.py", "cluster" if host == "login" else "eth0")

    @contextlib.contextmanager
    def slow(self, name, delay_ms, loss_percent):
        """Delays the packets that a host sends and receives, and drops some; see send_whole_packets."""
        device = name.replace("node", "link")
        line = self.begin("login", sys.executable, SUPPORT + "/slow_link.py", device, delay_ms, loss_percent, input=subprocess.PIPE, output=subprocess.PIPE)
        try:
            if line.stdout.readline() != "ready\n":
                raise RuntimeError("the slow link did not come up")
            yield
        finally:
            line.communicate()  # closes its input, which ends it

    def processes(self, name):
        """The processes of a host except its process 1: ids in the namespace of login, and names."""
        with open(f"{self.folder}/{name}.pid") as file:
            first = file.read().strip()
        code, said = self.run("login", "sh", "-c", f"""space=$(readlink /proc/{first}/ns/pid)
            for p in /proc/[0-9]*; do [ "$(readlink $p/ns/pid)" != "$space" ] || grep -q '^State:.Z' $p/status || echo ${{p#/proc/}} $(cat $p/comm)
            done 2>/dev/null""")
        return [(int(line.split()[0]), line.split()[1]) for line in said.splitlines() if len(line.split()) == 2 and line.split()[0] != first]

    def signal(self, name, number, program=None):
        """Sends a signal to what runs on a host, or to its processes of that program; how many there were."""
        found = [str(pid) for pid, called in self.processes(name) if program in (None, called)]
        if found:
            self.run("login", "kill", f"-{int(number)}", *found)
        return len(found)

    def lose(self, name):
        """Ends a host: all its processes are killed, and its link is removed."""
        self.link(name, up=False)
        with open(f"{self.folder}/{name}.pid") as file:
            self.run("login", "kill", "-9", file.read().strip())
